//! Gears: joints that turn or slide together, tied after all joints are solved.

use super::stage::{Frame, Pass};
use crate::constraints::color_greedy;
use crate::gpu::wgsl::gears::mesh::GEAR_THREADS;
pub(in crate::solver) use crate::gpu::wgsl::gears::mesh::Gear as GearRow;
use crate::gpu::{Buffers, GpuError};
use crate::scene::{JointId, Scene};

static MESH: Pass = Pass::new("gears/mesh");

/// Gears in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    /// Their number.
    pub(in crate::solver) gears: u32,
}

impl Stage {
    /// Ties what joints have left.
    pub(in crate::solver) fn mesh(&self, f: &mut Frame) {
        f.run(&MESH, if self.gears > 0 { GEAR_THREADS } else { 0 });
    }
}

/// Rows of gears in the order of the scene, and the colors that are solved at once.
#[derive(Debug, Default)]
pub(in crate::solver) struct Tables {
    pub(in crate::solver) rows: Vec<GearRow>,
    colors: Vec<u32>,
}

impl Tables {
    /// `joint_rows` has the row of each joint of the scene, and `nodes` the node in its tree of each row.
    pub(in crate::solver) fn new(scene: &Scene, joint_rows: &[u32], nodes: &[u32]) -> Self {
        let row = |joint: JointId| joint_rows[joint.0 as usize];
        let node = |joint: JointId| nodes[row(joint) as usize];
        let rows: Vec<GearRow> = scene
            .gears
            .iter()
            .map(|gear| GearRow {
                first: row(gear.first),
                second: row(gear.second),
                ratio: gear.ratio,
                first_node: node(gear.first),
                second_node: node(gear.second),
                ..GearRow::default()
            })
            .collect();
        // Kinematic bodies are never written.
        let moving: Vec<Vec<u32>> = scene
            .gears
            .iter()
            .map(|gear| {
                let bodies = [gear.first, gear.second].map(|joint| scene.joint(joint).desc);
                let bodies = bodies.iter().flat_map(|desc| [desc.a, desc.b]);
                bodies.filter(|id| !scene.body(*id).kinematic).map(|id| id.0).collect()
            })
            .collect();
        let color_of = color_greedy(rows.len(), scene.bodies.len(), |i| moving[i].as_slice());
        let count = color_of.iter().max().map_or(0, |last| last + 1);
        let (mut starts, mut order) = (Vec::new(), Vec::new());
        for color in 0..count {
            starts.push(2 + count + order.len() as u32);
            order.extend(color_of.iter().zip(0_u32..).filter(|(own, _)| **own == color).map(|(_, gear)| gear));
        }
        starts.push(2 + count + order.len() as u32);
        Self { rows, colors: [vec![count], starts, order].concat() }
    }

    /// Puts how far they had come over that of the scene.
    pub(in crate::solver) fn resume(&mut self, before: &[GearRow]) {
        for (row, before) in self.rows.iter_mut().zip(before) {
            let GearRow { meshes, at_first, at_second, error, .. } = *before;
            *row = GearRow { meshes, at_first, at_second, error, ..*row };
        }
    }

    pub(in crate::solver) fn stage(&self) -> Stage {
        Stage { gears: self.rows.len() as u32 }
    }

    /// Makes the buffers of gears.
    pub(in crate::solver) fn create(&self, b: &mut Buffers) -> Result<(), GpuError> {
        b.create_with("gears", &self.rows)?; // [gear_count]
        b.create_with("gear_colors", &self.colors) // see `gears/mesh`
    }
}
