//! Volume inside a closed mesh (Müller et al. 2007, section 4.4): C = Σ (x_i × x_j) · x_k / 6 - k V over the triangles, k
//! being the pressure. Twin: `constraints/inflate`.

use std::collections::HashMap;

use glam::{DVec3, Vec3};

use super::kind::ConstraintError;

/// Keeps the volume inside a closed mesh of particles at `pressure` times its volume at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Chamber {
    /// Triangles, counterclockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// V [m³], above 0.
    pub rest_volume: f32,
    /// k [dimensionless], above 0; 1 keeps the volume, more inflates.
    pub pressure: f32,
    /// α [m⁵/N], 0 for none.
    pub compliance: f32,
}

impl Chamber {
    /// The inside of a mesh at rest at `rest` [m], indexed by the triangles.
    pub fn inside(triangles: &[[u32; 3]], rest: &[Vec3], pressure: f32, compliance: f32) -> Self {
        let at = |i: u32| rest.get(i as usize).map_or(DVec3::NAN, |p| p.as_dvec3());
        let volume: f64 = triangles.iter().map(|t| at(t[0]).cross(at(t[1])).dot(at(t[2])) / 6.0).sum();
        Self { triangles: triangles.to_vec(), rest_volume: volume as f32, pressure, compliance }
    }

    /// Checks the numbers, and that the mesh is closed.
    ///
    /// # Errors
    /// [`ConstraintError`] naming what is wrong.
    pub fn check(&self) -> Result<(), ConstraintError> {
        let mut edges: HashMap<[u32; 2], i32> = HashMap::new();
        for [a, b, c] in self.triangles.iter().copied() {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *edges.entry([from.min(to), from.max(to)]).or_default() += if from < to { 1 } else { -1 };
            }
        }
        let open = edges.values().filter(|n| **n != 0).count() as f32;
        let checks = [
            ("number of edges without a second triangle", open, open == 0.0, "0: close the mesh"),
            ("volume", self.rest_volume, self.rest_volume > 0.0, "above 0: triangles counterclockwise from outside"),
            ("pressure", self.pressure, self.pressure > 0.0, "above 0"),
            ("compliance", self.compliance, self.compliance >= 0.0, "0 or more"),
        ];
        match checks.iter().find(|(_, value, ok, _)| !ok || !value.is_finite()) {
            None => Ok(()),
            Some((field, value, _, allowed)) => {
                Err(ConstraintError { kind: "chamber", particles: Vec::new(), field, value: *value, allowed })
            }
        }
    }

    /// For every particle of the mesh, in order, the two others of each of its triangles.
    pub fn fans(&self) -> Vec<(u32, Vec<[u32; 2]>)> {
        let mut fans: std::collections::BTreeMap<u32, Vec<[u32; 2]>> = std::collections::BTreeMap::new();
        for [a, b, c] in self.triangles.iter().copied() {
            for (at, others) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                fans.entry(at).or_default().push(others);
            }
        }
        fans.into_iter().collect()
    }

    /// One projection in `f64`: positions `x` [m] and inverse masses `w` [1/kg] by particle index, λ, a substep of `h` [s].
    pub fn project(&self, x: &mut [DVec3], w: &[f64], multiplier: &mut f64, h: f64) {
        let scaled = f64::from(self.compliance) / (h * h);
        let gradients: Vec<(usize, DVec3)> = self
            .fans()
            .into_iter()
            .map(|(i, fan)| (i as usize, fan.iter().map(|[j, k]| x[*j as usize].cross(x[*k as usize]) / 6.0).sum()))
            .collect();
        let volume: f64 = gradients.iter().map(|(i, g)| g.dot(x[*i]) / 3.0).sum();
        let weight: f64 = gradients.iter().map(|(i, g)| w[*i] * g.length_squared()).sum::<f64>() + scaled;
        if weight <= 0.0 {
            return;
        }
        let value = volume - f64::from(self.pressure * self.rest_volume);
        let delta = (-value - scaled * *multiplier) / weight;
        *multiplier += delta;
        gradients.iter().for_each(|(i, g)| x[*i] += w[*i] * delta * *g);
    }
}
