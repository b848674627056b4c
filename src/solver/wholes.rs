//! Constraints on whole objects as the GPU holds them: closed meshes with pressure, and soft shapes.

use super::rows::vec4;
use crate::gpu::wgsl::constraints::inflate::{Chamber as ChamberRow, ChamberMember as ChamberMemberRow};
use crate::gpu::wgsl::constraints::r#match::{Match as MatchRow, MatchMember as MatchMemberRow};
use crate::scene::Scene;

/// Rows of both kinds.
#[derive(Clone, Debug, Default)]
pub(super) struct Wholes {
    pub(super) chambers: Vec<ChamberRow>,
    pub(super) chamber_members: Vec<ChamberMemberRow>,
    /// For every member, the two others of each of its triangles.
    pub(super) chamber_corners: Vec<[u32; 2]>,
    pub(super) matches: Vec<MatchRow>,
    pub(super) match_members: Vec<MatchMemberRow>,
}

impl Wholes {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut wholes = Self::default();
        for chamber in &scene.chambers {
            let first = wholes.chamber_members.len() as u32;
            for (particle, fan) in chamber.fans() {
                wholes.chamber_members.push(ChamberMemberRow {
                    particle,
                    first: wholes.chamber_corners.len() as u32,
                    count: fan.len() as u32,
                    ..ChamberMemberRow::default()
                });
                wholes.chamber_corners.extend(fan);
            }
            wholes.chambers.push(ChamberRow {
                first,
                count: wholes.chamber_members.len() as u32 - first,
                volume: chamber.pressure * chamber.rest_volume,
                compliance: chamber.compliance,
            });
        }
        for shape in &scene.shape_matches {
            let (weights, rest) = shape.weighted(|p| scene.particles[p as usize].mass);
            wholes.matches.push(MatchRow {
                first: wholes.match_members.len() as u32,
                count: shape.particles.len() as u32,
                mass: weights.iter().sum::<f64>() as f32,
                softness: shape.softness(&weights) as f32,
            });
            wholes.match_members.extend(shape.particles.iter().zip(rest).zip(weights).map(
                |((particle, at), weight)| MatchMemberRow {
                    local: vec4(at.as_vec3(), weight as f32),
                    particle: *particle,
                    ..MatchMemberRow::default()
                },
            ));
        }
        wholes
    }
}
