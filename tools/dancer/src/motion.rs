//! The clips: poses sampled thirty times a second, closed to loops.

use glam::Quat;

use crate::figure::Pose;
use crate::glb::Clip;
use crate::skeleton::COUNT;
use crate::{dance, idle, walk};

/// Keys a second.
pub const RATE: usize = 30;

/// A clip before it is sampled.
pub struct Motion {
    /// Name in the file.
    pub name: &'static str,
    /// Number of steps of 1/[`RATE`] s after which it repeats.
    pub steps: usize,
    /// Speed at which the ground passes toward -Z [m/s]: 0 except for a walk on the spot.
    pub speed: f32,
    /// The pose at a time [s] within the clip.
    pub pose: fn(f32) -> Pose,
}

/// All clips of the file.
pub const MOTIONS: [Motion; 3] = [
    Motion { name: "idle", steps: 120, speed: 0.0, pose: |t| idle::figure(t).pose() },
    Motion { name: "walk", steps: 33, speed: walk::SPEED, pose: |t| walk::figure(t).pose() },
    Motion { name: "dance", steps: 480, speed: 0.0, pose: |t| dance::figure(t).pose() },
];

impl Motion {
    /// Poses of all steps; the last equals the first.
    pub fn poses(&self) -> Vec<Pose> {
        (0..=self.steps).map(|i| (self.pose)((i % self.steps) as f32 / RATE as f32)).collect()
    }

    /// The clip as the file stores it. Rotations keep to one half of the sphere, so that linear keys take the short way.
    pub fn clip(&self) -> Clip {
        let poses = self.poses();
        let mut turns = vec![Vec::new(); COUNT];
        for pose in &poses {
            for (track, turn) in turns.iter_mut().zip(pose.turns) {
                let before: Quat = track.last().copied().unwrap_or(Quat::IDENTITY);
                track.push(if before.dot(turn) < 0.0 { -turn } else { turn });
            }
        }
        Clip { name: self.name, step: 1.0 / RATE as f32, hips: poses.iter().map(|p| p.hips).collect(), turns }
    }
}
