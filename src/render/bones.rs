//! Bones of all instances of one kind on the GPU, and the pass that places them: one row, turn and placement a bone.

use std::ops::Range;

use glam::Quat;

use super::error::RenderError;
use super::geometry::buffer;
use crate::gpu::wgsl::render::bone::{Bone as BoneRow, NO_BONE, Placement};
use crate::gpu::{Context, GpuError, Kernel};
use crate::scene::{Bone, Instance};

/// Bones in the order of the instances.
#[derive(Debug)]
pub(super) struct Bones {
    rows: wgpu::Buffer,
    turns: wgpu::Buffer,
    pub(super) placements: wgpu::Buffer,
    /// Bones of each instance.
    ranges: Vec<Range<usize>>,
    /// What `turns` shall hold.
    wanted: Vec<[f32; 4]>,
    /// The part of it that is not uploaded yet.
    changed: Range<usize>,
}

impl Bones {
    /// Uploads the bones of `instances`; those that `old` has already keep their turns, if the instance `stays`.
    pub(super) fn new(
        context: &Context,
        instances: &[Instance],
        old: Option<&Self>,
        stays: impl Fn(usize) -> bool,
    ) -> Self {
        let (mut rows, mut wanted, mut ranges) = (Vec::new(), Vec::new(), Vec::new());
        for (index, instance) in instances.iter().enumerate() {
            let base = rows.len();
            rows.extend(instance.bones.iter().map(|bone| row(bone, base as u32)));
            let known = old.filter(|_| stays(index)).and_then(|o| o.wanted.get(o.ranges.get(index)?.clone()));
            match known.filter(|turns| turns.len() == instance.bones.len()) {
                Some(turns) => wanted.extend(turns),
                None => wanted.extend(instance.bones.iter().map(|bone| bone.turn.normalize().to_array())),
            }
            ranges.push(base..rows.len());
        }
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let upload = |label, bytes: &[u8]| buffer(context, label, bytes, usage);
        Self {
            rows: upload("bones", bytemuck::cast_slice(&rows)),
            turns: upload("turns", bytemuck::cast_slice(&wanted)),
            placements: upload("placements", &vec![0; size_of::<Placement>() * rows.len()]),
            ranges,
            wanted,
            changed: 0..0,
        }
    }

    /// First bone of an instance.
    pub(super) fn base(&self, instance: usize) -> u32 {
        self.ranges[instance].start as u32
    }

    /// Takes new turns for the bones of one instance; uploaded with the next [`Bones::upload`].
    pub(super) fn set_turns(&mut self, instance: usize, turns: &[Quat]) -> Result<(), RenderError> {
        let count = self.ranges.len();
        let range = self.ranges.get(instance).cloned().ok_or(RenderError::NoInstance { instance, count })?;
        if turns.len() != range.len() {
            return Err(RenderError::TurnCount { instance, given: turns.len(), bones: range.len() });
        }
        if let Some(bone) = turns.iter().position(|q| !(0.99..1.01).contains(&q.length())) {
            return Err(RenderError::Turn { instance, bone, length: turns[bone].length() });
        }
        for (wanted, turn) in self.wanted[range.clone()].iter_mut().zip(turns) {
            *wanted = turn.normalize().to_array();
        }
        let whole = self.changed.is_empty();
        let (start, end) = (self.changed.start.min(range.start), self.changed.end.max(range.end));
        self.changed = if whole { range } else { start..end };
        Ok(())
    }

    /// Sends what [`Bones::set_turns`] changed.
    pub(super) fn upload(&mut self, queue: &wgpu::Queue) {
        let changed = std::mem::replace(&mut self.changed, 0..0);
        if !changed.is_empty() {
            let offset = (changed.start * size_of::<[f32; 4]>()) as u64;
            queue.write_buffer(&self.turns, offset, bytemuck::cast_slice(&self.wanted[changed]));
        }
    }

    /// Records the placing of all bones on `bodies` with the kernel `render/bones`.
    pub(super) fn place(
        &self,
        context: &Context,
        kernel: &Kernel,
        pass: &mut wgpu::ComputePass<'_>,
        bodies: &wgpu::Buffer,
    ) -> Result<(), GpuError> {
        let given = [
            ("bodies", bodies.into()),
            ("bones", (&self.rows).into()),
            ("turns", (&self.turns).into()),
            ("placements", (&self.placements).into()),
        ];
        kernel.bind_to(context, &given)?.dispatch(pass, self.wanted.len() as u32, 0);
        Ok(())
    }
}

/// A bone of an instance whose bones begin at `base`.
fn row(bone: &Bone, base: u32) -> BoneRow {
    let mut row = BoneRow {
        pivot: bone.pivot.to_array(),
        body: bone.body.map_or(NO_BONE, |body| body.0),
        rest_center: bone.rest_center.to_array(),
        parent: bone.parent.map_or(NO_BONE, |parent| base + u32::from(parent)),
        ..BoneRow::default()
    };
    if let Some(bend) = bone.bend {
        row.bend_about = bend.about.to_array();
        row.bend_share = bend.share;
        row.bend_axis = bend.axis.map_or([0.0; 3], |axis| axis.normalize().to_array());
        row.bend_toward = base + u32::from(bend.toward);
    }
    row
}
