//! Soft bodies from tetrahedra: elastic ones, or edges and volumes kept as in papers 1 and 3.

use std::collections::BTreeSet;

use glam::Vec3;

use super::check::number;
use super::{Deformable, SceneError};
use crate::constraints::{Distance, NeoHookean, Volume};

/// How flesh resists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SoftModel {
    /// Elastic material.
    NeoHookean {
        /// Young's modulus [Pa], above 0.
        young: f32,
        /// Poisson's ratio, from 0 to below 0.5.
        poisson: f32,
    },
    /// A distance for each edge and a volume for each tetrahedron.
    Springs {
        /// Compliance of an edge [m/N].
        stretch: f32,
        /// Bulk modulus [Pa], above 0; infinite keeps the volume.
        bulk: f32,
    },
}

/// What flesh is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftMaterial {
    /// Density [kg/m³], above 0.
    pub density: f32,
    /// How it resists.
    pub model: SoftModel,
}

impl Default for SoftMaterial {
    fn default() -> Self {
        Self { density: 1000.0, model: SoftModel::NeoHookean { young: 5e4, poisson: 0.4 } }
    }
}

impl Deformable {
    /// A soft body of these tetrahedra with corners at `rest` [m] and particles of `radius` [m].
    ///
    /// # Errors
    /// [`SceneError`] for a corner that does not exist, a number out of range, or a tetrahedron without volume.
    pub fn soft(
        name: &str,
        rest: Vec<Vec3>,
        tetrahedra: &[[u32; 4]],
        radius: f32,
        material: &SoftMaterial,
    ) -> Result<Self, SceneError> {
        let mut body = Self::new(name, rest, 0.0, radius);
        let item = format!("soft body `{name}`");
        let count = body.rest.len();
        if let Some(index) = tetrahedra.iter().flatten().map(|i| *i as usize).find(|i| *i >= count) {
            return Err(SceneError::Missing { item, field: "corner", index, count });
        }
        if material.density.is_nan() || material.density <= 0.0 {
            let (field, allowed) = ("density", "above 0");
            return Err(SceneError::Number { item, field, value: material.density, allowed });
        }
        if let SoftModel::Springs { stretch, .. } = material.model {
            for edge in edges(tetrahedra) {
                body.join(&Distance::between(edge, edge.map(|i| body.rest[i as usize]), stretch))?;
            }
        }
        for particles in tetrahedra.iter().copied() {
            let rest = particles.map(|i| body.rest[i as usize]);
            let quarter = material.density * volume(rest).abs() / 4.0;
            particles.iter().for_each(|i| body.masses[*i as usize] += quarter);
            match material.model {
                SoftModel::NeoHookean { young, poisson } => {
                    body.join(&NeoHookean { particles, rest, young, poisson })?;
                }
                SoftModel::Springs { bulk, .. } => {
                    let compliance = volume(rest).abs() / bulk;
                    number(&item, "bulk modulus", compliance, bulk > 0.0, "above 0")?;
                    body.join(&Volume::between(particles, rest, compliance))?;
                }
            }
        }
        Ok(body)
    }
}

/// Signed volume of a tetrahedron [m³].
fn volume([a, b, c, d]: [Vec3; 4]) -> f32 {
    (b - a).cross(c - a).dot(d - a) / 6.0
}

/// Every edge of the tetrahedra once, the lower corner first, in order.
fn edges(tetrahedra: &[[u32; 4]]) -> BTreeSet<[u32; 2]> {
    let pairs = |t: &[u32; 4]| {
        let t = *t;
        [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(i, k)| [t[i].min(t[k]), t[i].max(t[k])])
    };
    tetrahedra.iter().flat_map(pairs).collect()
}
