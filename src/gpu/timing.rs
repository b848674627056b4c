//! How long each labeled pass takes on the GPU: timestamps written by the passes, read back frames later, never
//! waited for. Does nothing where the adapter has no timestamps.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::Context;

/// Passes timed in one frame; more run untimed.
const MAX_PASSES: usize = 2048;
/// Frames in flight.
const RING: usize = 3;
/// Frames that a median covers.
const WINDOW: usize = 60;

const FREE: u8 = 0;
const WAITING: u8 = 1;
const MAPPED: u8 = 2;

/// Queries of one frame on their way back.
#[derive(Debug)]
struct Slot {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    staging: wgpu::Buffer,
    labels: Vec<&'static str>,
    state: Arc<AtomicU8>,
}

/// Times the passes of each frame.
#[derive(Debug)]
pub struct Timer {
    slots: Vec<Slot>,
    /// The slot this frame writes, if one is free.
    current: Option<usize>,
    next: usize,
    period_ms: f64,
    device: wgpu::Device,
    history: HashMap<&'static str, VecDeque<f64>>,
    order: Vec<&'static str>,
}

impl Timer {
    /// A timer; without timestamps on this device it records nothing.
    pub fn new(context: &Context) -> Self {
        let device = &context.device;
        let slot = |_| {
            let count = 2 * MAX_PASSES as u32;
            let buffer = |usage| {
                let size = u64::from(count) * u64::from(wgpu::QUERY_SIZE);
                device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("timing"),
                    size,
                    usage,
                    mapped_at_creation: false,
                })
            };
            Slot {
                queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                    label: Some("timing"),
                    ty: wgpu::QueryType::Timestamp,
                    count,
                }),
                resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
                staging: buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
                labels: Vec::new(),
                state: Arc::new(AtomicU8::new(FREE)),
            }
        };
        let slots = if context.has_timestamps() { (0..RING).map(slot).collect() } else { Vec::new() };
        let period_ms = f64::from(context.queue.get_timestamp_period()) * 1e-6;
        let device = device.clone();
        Self { slots, current: None, next: 0, period_ms, device, history: HashMap::new(), order: Vec::new() }
    }

    /// Starts a frame: takes in what has come back, and picks a free slot of the ring.
    pub fn begin_frame(&mut self) {
        if self.slots.is_empty() {
            return;
        }
        // An error here means a lost device, which the context reports.
        let _ = self.device.poll(wgpu::PollType::Poll);
        for index in 0..self.slots.len() {
            self.collect(index);
        }
        let slot = &mut self.slots[self.next];
        self.current = (slot.state.load(Ordering::Acquire) == FREE).then_some(self.next);
        if self.current.is_some() {
            slot.labels.clear();
            self.next = (self.next + 1) % RING;
        }
    }

    /// Begins a compute pass that is timed under `label`; passes of one label in a frame add up.
    pub fn compute_pass<'e>(
        &mut self,
        encoder: &'e mut wgpu::CommandEncoder,
        label: &'static str,
    ) -> wgpu::ComputePass<'e> {
        let timestamp_writes = self.claim(label).map(|(query_set, first)| wgpu::ComputePassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        });
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some(label), timestamp_writes })
    }

    /// What a render pass descriptor needs to be timed under `label`.
    pub fn render_writes(&mut self, label: &'static str) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        self.claim(label).map(|(query_set, first)| wgpu::RenderPassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        })
    }

    /// Encodes the copy of this frame's times; call once after the last timed pass of the encoder.
    pub fn end_frame(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let Some(slot) = self.current.map(|i| &self.slots[i]).filter(|s| !s.labels.is_empty()) else { return };
        let count = 2 * slot.labels.len() as u32;
        encoder.resolve_query_set(&slot.queries, 0..count, &slot.resolved, 0);
        let size = u64::from(count) * u64::from(wgpu::QUERY_SIZE);
        encoder.copy_buffer_to_buffer(&slot.resolved, 0, &slot.staging, 0, size);
        let state = Arc::clone(&slot.state);
        state.store(WAITING, Ordering::Release);
        let size = ..size;
        encoder.map_buffer_on_submit(&slot.staging, wgpu::MapMode::Read, size, move |result| {
            state.store(if result.is_ok() { MAPPED } else { FREE }, Ordering::Release);
        });
        self.current = None;
    }

    /// Median time of each label over the last frames [ms], in the order in which the passes first ran.
    pub fn medians(&self) -> Vec<(String, f64)> {
        let median = |label: &&'static str| {
            let mut times: Vec<f64> = self.history[label].iter().copied().collect();
            times.sort_by(f64::total_cmp);
            (label.to_string(), times[times.len() / 2])
        };
        self.order.iter().map(median).collect()
    }

    /// Forgets all times, for instance when the scene changes.
    pub fn reset(&mut self) {
        self.history.clear();
        self.order.clear();
    }

    fn claim(&mut self, label: &'static str) -> Option<(&wgpu::QuerySet, u32)> {
        let slot = &mut self.slots[self.current?];
        let index = slot.labels.len();
        if index >= MAX_PASSES {
            return None;
        }
        slot.labels.push(label);
        Some((&slot.queries, 2 * index as u32))
    }

    fn collect(&mut self, index: usize) {
        let slot = &self.slots[index];
        if slot.state.load(Ordering::Acquire) != MAPPED {
            return;
        }
        let size = slot.labels.len() as u64 * 2 * u64::from(wgpu::QUERY_SIZE);
        let mut sums: Vec<(&'static str, f64)> = Vec::new();
        if let Ok(view) = slot.staging.get_mapped_range(..size) {
            let ticks: Vec<u64> = view.chunks_exact(8).map(bytemuck::pod_read_unaligned).collect();
            for (label, pair) in slot.labels.iter().zip(ticks.chunks_exact(2)) {
                let time = pair[1].saturating_sub(pair[0]) as f64 * self.period_ms;
                match sums.iter_mut().find(|(l, _)| l == label) {
                    Some((_, sum)) => *sum += time,
                    None => sums.push((label, time)),
                }
            }
        }
        slot.staging.unmap();
        slot.state.store(FREE, Ordering::Release);
        for (label, time) in sums {
            if !self.history.contains_key(label) {
                self.order.push(label);
            }
            let times = self.history.entry(label).or_default();
            times.push_back(time);
            if times.len() > WINDOW {
                times.pop_front();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_timed_by_label_without_waiting() {
        let context = Context::shared().expect("adapter");
        let mut timer = Timer::new(&context);
        for _ in 0..8 {
            timer.begin_frame();
            context.run("frame", |encoder| {
                drop(timer.compute_pass(encoder, "first"));
                drop(timer.compute_pass(encoder, "second"));
                drop(timer.compute_pass(encoder, "first"));
                timer.end_frame(encoder);
            });
        }
        context.wait().unwrap();
        timer.begin_frame();
        let medians = timer.medians();
        if context.has_timestamps() {
            assert_eq!(medians.iter().map(|(l, _)| l.as_str()).collect::<Vec<_>>(), ["first", "second"]);
            assert!(medians.iter().all(|(_, ms)| ms.is_finite() && *ms >= 0.0));
        } else {
            assert!(medians.is_empty());
        }
        timer.reset();
        assert!(timer.medians().is_empty());
        assert_eq!(context.take_errors(), Vec::<String>::new());
    }
}
