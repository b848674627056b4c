//! Cloth from triangles: its edges do not stretch, and neighbors bend about the edge between them (paper 1's scene s0).

use std::collections::BTreeMap;

use glam::Vec3;

use super::{Air, AirSurface, Deformable, SceneError};
use crate::constraints::{Dihedral, Distance, Isometric};

/// What a sheet is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetMaterial {
    /// Mass per area [kg/m²], above 0.
    pub area_density: f32,
    /// Compliance of every edge [m/N].
    pub stretch: f32,
    /// Inverse bending stiffness [1/J]; infinite for no bending constraints.
    pub bend: f32,
    /// Bending by edge angles, which keeps a curved rest shape, instead of isometric bending, which is linear.
    pub by_angle: bool,
    /// The air around it.
    pub air: Air,
}

impl Default for SheetMaterial {
    fn default() -> Self {
        // Cotton: 0.2 kg/m², and a bending stiffness of some micronewton metres.
        Self { area_density: 0.2, stretch: 1e-6, bend: 1e4, by_angle: false, air: Air::default() }
    }
}

impl Deformable {
    /// A sheet of these triangles with vertices at `rest` [m] and particles of `radius` [m].
    ///
    /// # Errors
    /// [`SceneError`] for a vertex that does not exist, a number out of range, or edges without length.
    pub fn sheet(
        name: &str,
        rest: Vec<Vec3>,
        triangles: &[[u32; 3]],
        radius: f32,
        material: &SheetMaterial,
    ) -> Result<Self, SceneError> {
        let mut sheet = Self { faces: triangles.to_vec(), ..Self::new(name, rest, 0.0, radius) };
        let item = format!("sheet `{name}`");
        let count = sheet.rest.len();
        if let Some(index) = triangles.iter().flatten().map(|i| *i as usize).find(|i| *i >= count) {
            return Err(SceneError::Missing { item, field: "vertex", index, count });
        }
        if material.area_density.is_nan() || material.area_density <= 0.0 {
            let (field, allowed) = ("mass per area", "above 0");
            return Err(SceneError::Number { item, field, value: material.area_density, allowed });
        }
        material.air.check(&item)?;
        if material.air.acts() {
            sheet.air_surfaces.push(AirSurface { triangles: triangles.to_vec(), air: material.air });
        }
        for t in triangles {
            let [a, b, c] = t.map(|i| sheet.rest[i as usize]);
            let third = material.area_density * 0.5 * (b - a).cross(c - a).length() / 3.0;
            t.iter().for_each(|i| sheet.masses[*i as usize] += third);
        }
        for (edge, wings) in edges(triangles) {
            let at = |i: u32| sheet.rest[i as usize];
            let stretch = Distance::between(edge, edge.map(at), material.stretch);
            let bends: Vec<[u32; 4]> = wings.windows(2).map(|w| [edge[0], edge[1], w[0], w[1]]).collect();
            sheet.join(&stretch)?;
            for particles in bends.into_iter().filter(|_| material.bend.is_finite()) {
                let (rest, compliance) = (particles.map(|i| sheet.rest[i as usize]), material.bend);
                if material.by_angle {
                    sheet.join(&Dihedral::between(particles, rest, compliance))?;
                } else {
                    sheet.join(&Isometric { particles, rest, compliance })?;
                }
            }
        }
        Ok(sheet)
    }
}

/// Every edge of the triangles, the lower vertex first, with the corners across it, in order.
pub(super) fn edges(triangles: &[[u32; 3]]) -> BTreeMap<[u32; 2], Vec<u32>> {
    let mut edges: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for [a, b, c] in triangles.iter().copied() {
        for (p, q, across) in [(a, b, c), (b, c, a), (c, a, b)] {
            edges.entry([p.min(q), p.max(q)]).or_default().push(across);
        }
    }
    edges
}
