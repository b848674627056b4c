//! Lines that show joints: from each body's center to its end of every shared point, the gap between both ends, and
//! the joint's axes. Their positions are computed on the GPU.

use glam::Vec3;
use wgpu::CompareFunction;

use super::canvas::Canvas;
use super::geometry::{buffer, square_vertices};
use super::options::{DragLine, DrawOptions};
use super::recipe::{Onto, Recipe};
use crate::gpu::wgsl::render::lines::{Line, NO_BODY};
use crate::gpu::{Context, GpuError, Pipeline};
use crate::scene::{Joint, JointKind};

/// Rows for all joints; the row after the last is kept for the drag line.
#[derive(Debug)]
pub(super) struct JointLines {
    pipeline: Pipeline,
    rows: wgpu::Buffer,
    count: u32,
}

impl JointLines {
    /// Uploads the lines of `joints`; the pipeline that `old` holds is taken from there.
    pub(super) fn new<'a>(
        context: &Context,
        canvas: Canvas,
        joints: impl Iterator<Item = &'a Joint>,
        old: Option<&Self>,
    ) -> Result<Self, GpuError> {
        let over = Onto::Picture { depth: CompareFunction::Always, writes: false, blended: true };
        let pipeline = match old {
            Some(old) => old.pipeline.clone(),
            None => Recipe::plain("render/lines", over).make(context, canvas)?,
        };
        let mut lines: Vec<Line> = joints.flat_map(lines).collect();
        let count = lines.len() as u32;
        lines.push(Line::default());
        let rows = buffer(context, "joint lines", bytemuck::cast_slice(&lines), wgpu::BufferUsages::STORAGE);
        Ok(Self { pipeline, rows, count })
    }

    /// Puts the drag line after the joints'.
    pub(super) fn set_drag(&self, queue: &wgpu::Queue, drag: &DragLine) {
        let line = line((drag.body.0, drag.local), (NO_BODY, drag.target), [1.0, 0.75, 0.1], 3.0);
        let offset = u64::from(self.count) * size_of::<Line>() as u64;
        queue.write_buffer(&self.rows, offset, bytemuck::bytes_of(&line));
    }

    /// Draws the joints of `bodies` and the drag line, as far as `options` wants them; the frame is bound already.
    pub(super) fn draw(
        &self,
        context: &Context,
        pass: &mut wgpu::RenderPass<'_>,
        bodies: &wgpu::Buffer,
        options: &DrawOptions,
    ) -> Result<(), GpuError> {
        let first = if options.joints { 0 } else { self.count };
        let last = self.count + u32::from(options.drag.is_some());
        if first < last {
            let given = [("bodies", bodies.into()), ("joint_lines", (&self.rows).into())];
            self.pipeline.set(pass);
            self.pipeline.bind(context, &given)?.set(pass);
            pass.draw(square_vertices(first)..square_vertices(last), 0..1);
        }
        Ok(())
    }
}

fn line(start: (u32, Vec3), end: (u32, Vec3), color: [f32; 3], width: f32) -> Line {
    Line { start: start.1.to_array(), start_body: start.0, end: end.1.to_array(), end_body: end.0, color, width }
}

fn lines(joint: &Joint) -> Vec<Line> {
    let (a, b) = (joint.desc.a.0, joint.desc.b.0);
    let [pivot_a, pivot_b] = joint.ends();
    let mut lines = Vec::new();
    let parting = joint.desc.kind.travels().then_some((pivot_a, pivot_b));
    let mut shared: Vec<(Vec3, Vec3)> = joint.points.iter().map(|p| (p.local_a, p.local_b)).collect();
    if shared.is_empty() && parting.is_none() {
        // One that was added shares no particles: its ends are what must meet.
        shared.push((pivot_a, pivot_b));
    }
    for (in_a, in_b) in shared.iter().copied().chain(parting) {
        lines.push(line((a, Vec3::ZERO), (a, in_a), [0.95, 0.55, 0.12], 1.5));
        lines.push(line((b, Vec3::ZERO), (b, in_b), [0.15, 0.55, 0.95], 1.5));
    }
    // Where points may part it is no gap: the way from one to the other.
    lines.extend(parting.map(|(in_a, in_b)| line((a, in_a), (b, in_b), [0.95, 0.85, 0.3], 3.0)));
    let axes: &[(Vec3, [f32; 3])] = match joint.desc.kind {
        JointKind::Distance => &[],
        JointKind::Hinge | JointKind::Slider | JointKind::Cylindrical => &[(Vec3::X, [0.2, 0.9, 0.3])],
        _ => &[(Vec3::X, [0.9, 0.2, 0.2]), (Vec3::Y, [0.2, 0.9, 0.3]), (Vec3::Z, [0.25, 0.4, 1.0])],
    };
    for (axis, color) in axes {
        let tip = joint.frame_a * *axis * (2.5 * joint.desc.radius);
        let tail = if axes.len() == 1 { pivot_a - tip } else { pivot_a };
        lines.push(line((a, tail), (a, pivot_a + tip), *color, 2.0));
    }
    // Last, over the others: a dot while the joint holds, a line when it gapes.
    lines.extend(shared.iter().map(|(in_a, in_b)| line((a, *in_a), (b, *in_b), [1.0, 0.05, 0.08], 5.0)));
    lines
}
