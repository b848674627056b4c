//! Cloth from triangles: its edges do not stretch, or its threads stretch as specified, and neighbors bend about the edge between
//! them (paper 1's scene s0).

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};

use super::check::{Check, compliance_or_none, not_negative, positive, vector};
use super::{Air, AirSurface, Deformable, SceneError};
use crate::constraints::{Dihedral, Distance, Isometric, TriangleStrain};

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
    /// Threads that give way along them and against one another, in place of edges; none for edges.
    pub weave: Option<Weave>,
}

/// Cloth that gives way along its warp, along its weft and in shear by what each of them says (Müller et al. 2014). It is made to
/// stretch: nothing tethers it, and no edge of it tears.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weave {
    /// Strain along the warp by force on each meter across it [m/N], 0 or more.
    pub warp: f32,
    /// The same along the weft.
    pub weft: f32,
    /// Angle between warp and weft, off the right one [rad], by force along each meter of either [m/N], 0 or more.
    pub shear: f32,
    /// Where the warp goes in the rest shape; each triangle takes what of it lies in its plane. Any length above 0.
    pub direction: Vec3,
}

impl Default for Weave {
    fn default() -> Self {
        // Woven cotton: a kilonewton a meter along the threads, some tens of newtons across.
        Self { warp: 1e-3, weft: 1e-3, shear: 2e-2, direction: Vec3::Z }
    }
}

/// Sine of the angle between the warp and the normal of a triangle below which it has no way in its plane.
const UPRIGHT: f32 = 1e-3;

impl Weave {
    fn check(&self, item: &str) -> Check {
        not_negative(item, "give along the warp", self.warp)?;
        not_negative(item, "give along the weft", self.weft)?;
        not_negative(item, "give in shear", self.shear)?;
        vector(item, "direction of the warp", self.direction)?;
        positive(item, "length of the direction of the warp", self.direction.length())
    }

    /// The threads of a triangle with corners at `x` [m].
    fn threads(&self, particles: [u32; 3], x: [Vec3; 3]) -> TriangleStrain {
        let normal = (x[1] - x[0]).cross(x[2] - x[0]);
        let area = 0.5 * normal.length();
        let normal = normal.normalize_or_zero();
        let along = self.direction.normalize().reject_from_normalized(normal);
        let warp = if along.length() > UPRIGHT { along.normalize() } else { normal.any_orthonormal_vector() };
        let weft = normal.cross(warp);
        let rest = x.map(|p| Vec2::new((p - x[0]).dot(warp), (p - x[0]).dot(weft)));
        TriangleStrain { particles, rest, compliance: [self.warp, self.weft, self.shear].map(|give| give / area) }
    }
}

impl Default for SheetMaterial {
    fn default() -> Self {
        // Cotton: 0.2 kg/m², and a bending stiffness of some micronewton meters.
        Self { area_density: 0.2, stretch: 1e-6, bend: 1e4, by_angle: false, air: Air::default(), weave: None }
    }
}

impl Deformable {
    /// A sheet of these triangles with vertices at `rest` [m] and particles of `radius` [m].
    ///
    /// # Errors
    /// [`SceneError`] for a vertex that does not exist or that no triangle with area has, a number out of range, or edges without
    /// length.
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
        compliance_or_none(&item, "inverse bending stiffness", material.bend)?;
        material.air.check(&item)?;
        if material.air.acts() {
            sheet.air_surfaces.push(AirSurface { triangles: triangles.to_vec(), air: material.air });
        }
        for t in triangles {
            let [a, b, c] = t.map(|i| sheet.rest[i as usize]);
            let third = material.area_density * 0.5 * (b - a).cross(c - a).length() / 3.0;
            t.iter().for_each(|i| sheet.masses[*i as usize] += third);
        }
        sheet.check_masses(&item, "vertex", "leave it out, or give it a triangle that has area")?;
        if let Some(weave) = material.weave {
            weave.check(&item)?;
            for t in triangles {
                sheet.join(&weave.threads(*t, t.map(|i| sheet.rest[i as usize])))?;
            }
        }
        for (edge, wings) in edges(triangles) {
            let at = |i: u32| sheet.rest[i as usize];
            let stretch = Distance::between(edge, edge.map(at), material.stretch);
            let bends: Vec<[u32; 4]> = wings.windows(2).map(|w| [edge[0], edge[1], w[0], w[1]]).collect();
            if material.weave.is_none() {
                sheet.join(&stretch)?;
            }
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
