//! Soft bodies from tetrahedra: elastic, with fibers, of shape-matched regions, or with edges and volumes
//! preserved as in papers 1 and 3.

use std::collections::BTreeSet;

use glam::{Quat, Vec3};

use super::check::{number, rotation};
use super::{Deformable, Regions, SceneError};
use crate::constraints::{Distance, NeoHookean, TetrahedronShear, TetrahedronStretch, Volume};

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
    /// Three directions that stretch and shear apart, and the volume (Müller et al. 2014). Small strains are those of an orthotropic
    /// material whose strains act on one another by their sum alone.
    Fibers {
        /// Stiffness against stretch along each direction [Pa], above 0; infinite does not stretch.
        stretch: [f32; 3],
        /// Stiffness against shear between the second and the third, the third and the first, the first and the second
        /// direction [Pa], above 0; infinite does not shear.
        shear: [f32; 3],
        /// Bulk modulus [Pa], above 0; infinite keeps the volume.
        bulk: f32,
        /// Turns the axes into the directions in the rest shape.
        directions: Quat,
    },
    /// Regions of tetrahedra that keep their shape (Müller et al. 2005); the edges are what hangs together.
    Regions(Regions),
}

impl SoftModel {
    /// Fibers along `direction` that are `times` as stiff as what they lie in, which is elastic: for 1, small strains are those of
    /// [`SoftModel::NeoHookean`]. `young` [Pa] is above 0, `poisson` above 0 and below 0.5.
    pub fn fibers(young: f32, poisson: f32, direction: Vec3, times: f32) -> Self {
        let mu = young / (2.0 * (1.0 + poisson));
        let bulk = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
        let directions = Quat::from_rotation_arc(Vec3::X, direction.normalize_or(Vec3::X));
        Self::Fibers { stretch: [2.0 * mu * times, 2.0 * mu, 2.0 * mu], shear: [mu; 3], bulk, directions }
    }
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
        if let SoftModel::Regions(regions) = &material.model {
            let links: Vec<[u32; 2]> = edges(tetrahedra).into_iter().collect();
            body.join_regions(regions, &links)?;
        }
        for particles in tetrahedra.iter().copied() {
            let rest = particles.map(|i| body.rest[i as usize]);
            let quarter = material.density * volume(rest).abs() / 4.0;
            particles.iter().for_each(|i| body.masses[*i as usize] += quarter);
            body.join_tetrahedron(&item, particles, rest, material.model)?;
        }
        body.check_masses(&item, "corner", "leave it out, or give it a tetrahedron that has volume")?;
        Ok(body)
    }

    fn join_tetrahedron(
        &mut self,
        item: &str,
        particles: [u32; 4],
        rest: [Vec3; 4],
        model: SoftModel,
    ) -> Result<(), SceneError> {
        let size = volume(rest).abs();
        let bulk = match model {
            SoftModel::NeoHookean { young, poisson } => {
                return self.join(&NeoHookean { particles, rest, young, poisson });
            }
            SoftModel::Regions(_) => return Ok(()),
            SoftModel::Springs { bulk, .. } => bulk,
            SoftModel::Fibers { stretch, shear, bulk, directions } => {
                rotation(item, directions)?;
                for (field, moduli) in [("stiffness against stretch", stretch), ("stiffness against shear", shear)] {
                    moduli.iter().try_for_each(|m| number(item, field, 1.0 / (m * size), *m > 0.0, "above 0"))?;
                }
                let soft = |moduli: [f32; 3]| moduli.map(|modulus| 1.0 / (modulus * size));
                self.join(&TetrahedronStretch { particles, rest, directions, compliance: soft(stretch) })?;
                self.join(&TetrahedronShear { particles, rest, directions, compliance: soft(shear) })?;
                bulk
            }
        };
        let compliance = size / bulk;
        number(item, "bulk modulus", compliance, bulk > 0.0, "above 0")?;
        self.join(&Volume::between(particles, rest, compliance))
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
