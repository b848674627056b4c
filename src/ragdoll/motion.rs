//! What the clips of a file do to its joints: turns of every body over all poses, and the axis they show.

use glam::{Mat4, Quat, Vec3};

use super::limits::DEGREE;
use crate::animation::{Pose, span};
use crate::import::Asset;

/// Poses per second of a clip, and most of one clip.
const RATE: f32 = 30.0;
const MOST_POSES: f32 = 240.0;
/// Most placed nodes of all poses together; a file with more is sampled more coarsely.
const MOST_PLACED: usize = 20_000_000;

/// Turns of chosen joints from the rest pose, in model axes.
pub(super) struct Motion {
    /// Shape [pose_count][chosen_count].
    poses: Vec<Vec<Quat>>,
}

impl Motion {
    /// Samples all clips of `asset` at the joints `chosen`.
    pub(super) fn sample(asset: &Asset, chosen: &[usize]) -> Self {
        let mut poses = Vec::new();
        let unrest: Vec<Mat4> = chosen.iter().map(|j| asset.joints[*j].rest.inverse()).collect();
        let afford = MOST_PLACED / asset.nodes.len().max(1) / asset.clips.len().max(1);
        for clip in &asset.clips {
            let (start, end) = span(clip);
            let count = ((end - start) * RATE).clamp(1.0, MOST_POSES.min(afford.max(1) as f32)).ceil() as u32;
            for i in 0..=count {
                let time = start + (end - start) * i as f32 / count as f32;
                let placed = Pose::sample(asset, clip, time, false).joints(asset);
                poses.push(chosen.iter().zip(&unrest).map(|(joint, unrest)| turn(placed[*joint] * *unrest)).collect());
            }
        }
        Self { poses }
    }

    /// Turns of the chosen joint `child` within `parent`, over all poses; none without clips.
    pub(super) fn between(&self, parent: usize, child: usize) -> Vec<Quat> {
        self.poses.iter().map(|pose| (pose[parent].inverse() * pose[child]).normalize()).collect()
    }
}

/// The rotation in a matrix; a bone scaled to nothing has none.
fn turn(matrix: Mat4) -> Quat {
    let (_, turn, _) = matrix.to_scale_rotation_translation();
    if turn.is_finite() { turn.normalize() } else { Quat::IDENTITY }
}

/// Share of the spread about one axis from which the turns are those of a hinge, or have a clear axis.
const HINGE_SHARE: f32 = 0.98;
const CLEAR_SHARE: f32 = 0.9;
/// Least range about that axis that tells anything, and the most across it that a hinge of a hand-made clip has [rad].
const TELLING: f32 = 20.0 * DEGREE;
const ACROSS: f32 = 5.0 * DEGREE;

/// How turns spread.
pub(super) struct Spread {
    /// Direction along which the rotation vectors spread most, unit length.
    pub(super) axis: Vec3,
    /// Share of that direction in the whole spread, 0..=1.
    share: f32,
    /// Range along it, and the larger of those across it [rad].
    range: [f32; 2],
}

impl Spread {
    pub(super) fn of(turns: &[Quat]) -> Self {
        let vectors: Vec<Vec3> = turns.iter().map(|q| if q.w < 0.0 { -*q } else { *q }.to_scaled_axis()).collect();
        let (axes, spreads) = super::bodies::principal_axes(&vectors);
        let range = |axis: Vec3| {
            let along = vectors.iter().map(|v| v.dot(axis));
            let (low, high) = along.fold((f32::MAX, f32::MIN), |r, v| (r.0.min(v), r.1.max(v)));
            (high - low).max(0.0)
        };
        let share = spreads.x / spreads.element_sum().max(1.0e-12);
        let [first, second, third] = axes.map(range);
        Self { axis: axes[0], share, range: [first, second.max(third)] }
    }

    /// Whether the turns are those of a hinge, and enough to tell.
    pub(super) fn is_hinge(&self) -> bool {
        self.share >= HINGE_SHARE && self.range[0] >= TELLING && self.range[1] <= ACROSS
    }

    /// The axis, if the turns are large and mostly about it.
    pub(super) fn clear_axis(&self) -> Option<Vec3> {
        (self.share >= CLEAR_SHARE && self.range[0] >= TELLING).then_some(self.axis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_that_begin_late_show_the_same_poses() {
        let mut asset = crate::spawn::dancer().unwrap();
        asset.clips.truncate(1);
        let chosen: Vec<usize> = (0..asset.joints.len()).collect();
        let soon = Motion::sample(&asset, &chosen);
        let clip = &mut asset.clips[0];
        clip.duration += 64.0;
        clip.channels.iter_mut().flat_map(|channel| &mut channel.times).for_each(|time| *time += 64.0);
        let late = Motion::sample(&asset, &chosen);
        assert_eq!(soon.poses.len(), late.poses.len());
        for (a, b) in soon.poses.iter().flatten().zip(late.poses.iter().flatten()) {
            assert!(a.dot(*b).abs() > 1.0 - 1e-5, "{a} became {b}");
        }
    }
}
