//! Pressure inside a closed mesh (Müller et al. 2007, section 4.4): C = Σ (x_i × x_j) · x_k / 6 - k V over the triangles, k
//! being the pressure.

use std::collections::{BTreeMap, HashMap};

use glam::{DVec3, Vec3};

use super::give::Give;
#[cfg(test)]
use super::global::GlobalExample;
use super::global::{GlobalConstraint, GlobalRow, GlobalState, GlobalType, Member};
use super::kind::ConstraintError;

/// Keeps the volume inside a closed mesh of particles at `pressure` times its volume at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Pressure {
    /// Triangles, counterclockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// V [m³], above 0.
    pub rest_volume: f32,
    /// k [dimensionless], above 0; 1 keeps the volume, more inflates.
    pub pressure: f32,
    /// α [m⁵/N], 0 for none.
    pub compliance: f32,
}

impl Pressure {
    /// Inside a mesh at rest at `rest` [m], indexed by the triangles.
    pub fn inside(triangles: &[[u32; 3]], rest: &[Vec3], pressure: f32, compliance: f32) -> Self {
        let at = |i: u32| rest.get(i as usize).map_or(DVec3::NAN, |p| p.as_dvec3());
        let volume: f64 = triangles.iter().map(|t| at(t[0]).cross(at(t[1])).dot(at(t[2])) / 6.0).sum();
        Self { triangles: triangles.to_vec(), rest_volume: volume as f32, pressure, compliance }
    }

    /// Edges that do not have one triangle on either side.
    fn open_edges(&self) -> usize {
        let mut edges: HashMap<[u32; 2], i32> = HashMap::new();
        for [a, b, c] in self.triangles.iter().copied() {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *edges.entry([from.min(to), from.max(to)]).or_default() += if from < to { 1 } else { -1 };
            }
        }
        edges.values().filter(|n| **n != 0).count()
    }
}

impl GlobalConstraint for Pressure {
    fn row(&self) -> Result<GlobalRow, ConstraintError> {
        let mut corners: BTreeMap<u32, Vec<[u32; 2]>> = BTreeMap::new();
        for [a, b, c] in self.triangles.iter().copied() {
            for (at, others) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                corners.entry(at).or_default().push(others);
            }
        }
        let member = |(particle, corners)| Member { particle, corners, ..Member::default() };
        let members = corners.into_iter().map(member).collect();
        let row =
            GlobalRow { kind: &TYPE, members, values: [self.pressure * self.rest_volume, self.compliance, 0.0, 0.0] };
        let open = self.open_edges() as f32;
        row.checked(&[
            ("number of edges without a second triangle", open, open == 0.0, "0: close the mesh"),
            ("volume", self.rest_volume, self.rest_volume > 0.0, "above 0: triangles counterclockwise from outside"),
            ("pressure", self.pressure, self.pressure > 0.0, "above 0"),
            super::kind::compliance(self.compliance),
        ])
    }
}

/// Values: k V [m³], α [m⁵/N].
pub(super) static TYPE: GlobalType = GlobalType {
    shader: "constraints/pressure",
    overlaps: false,
    functions: |_, _, _| Vec::new(),
    numbers: |row, _| row.values,
    gives: (1, Give::Volume),
    inflates: Some(0),
    project,
    #[cfg(test)]
    examples: || {
        let (rest, faces) = super::global::octahedron();
        let row = |compliance| Pressure::inside(&faces, &rest, 1.5, compliance).row().unwrap();
        [0.0, 2e-7].map(|compliance| GlobalExample { row: row(compliance), rest: rest.clone() }).into()
    },
};

fn project(row: &GlobalRow, state: &mut GlobalState, x: &mut [DVec3], masses: &[f64], h: f64) {
    let [volume, compliance, ..] = row.values.map(f64::from);
    let scaled = compliance / (h * h);
    let inverse_mass = |i: usize| if masses[i] > 0.0 { 1.0 / masses[i] } else { 0.0 };
    let gradient = |member: &Member| -> DVec3 {
        member.corners.iter().map(|[j, k]| x[*j as usize].cross(x[*k as usize]) / 6.0).sum()
    };
    let gradients: Vec<(usize, DVec3)> = row.members.iter().map(|m| (m.particle as usize, gradient(m))).collect();
    let inside: f64 = gradients.iter().map(|(i, g)| g.dot(x[*i]) / 3.0).sum();
    let weight: f64 = gradients.iter().map(|(i, g)| inverse_mass(*i) * g.length_squared()).sum::<f64>() + scaled;
    if weight <= 0.0 {
        return;
    }
    let delta = (volume - inside - scaled * state.multiplier) / weight;
    state.multiplier += delta;
    gradients.iter().for_each(|(i, g)| x[*i] += inverse_mass(*i) * delta * *g);
}
