//! Shape matching of a region that may deform in few ways (Müller et al. 2005, sections 3.3 and 4): particles are drawn to the goals
//! g_i = c + (1 - β) R r_i + β Σ_k φ_k(i) Σ_j m_j φ_k(j) x_j. Regions may share particles (Rivers and James 2007).
//!
//! The φ_k are the linear functions of the rest places r, or the linear and the quadratic ones, made orthonormal over the masses and
//! orthogonal to 1: Σ_j m_j φ_k(j) φ_l(j) = δ_kl. So the last term is the best fit of these functions to where the particles are, which
//! the article writes with A_pq and A_qq⁻¹. Orthogonal to 1, which the article's quadratic functions are not, it keeps the center of
//! mass; and what is left of a least-squares fit has neither momentum nor angular momentum.

use glam::{DVec3, Vec3};

use super::give::Give;
#[cfg(test)]
use super::global::GlobalExample;
use super::global::{GlobalConstraint, GlobalRow, GlobalState, GlobalType, Member};
use super::kind::ConstraintError;
use super::shape_matching::{fit, softness};

/// Part of its length that must be left of a function after the others are taken out of it: of flat regions some are none.
const LEAST_OWN: f64 = 1e-3;

/// How a region may deform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegionMode {
    /// Not at all.
    Rigid,
    /// Stretch and shear.
    #[default]
    Linear,
    /// Stretch, shear, bend and twist.
    Quadratic,
}

impl RegionMode {
    /// All, in the order by which rows number them.
    pub const ALL: [Self; 3] = [Self::Rigid, Self::Linear, Self::Quadratic];

    /// Functions of the rest places that it has.
    fn functions(self) -> usize {
        [0, 3, MOST_FUNCTIONS][self as usize]
    }
}

/// Functions of a quadratic region; `REGION_FUNCTIONS` of `constraints/shape_region`.
const MOST_FUNCTIONS: usize = 9;

/// Draws particles to a rest shape that may deform.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeRegion {
    /// The particles.
    pub particles: Vec<u32>,
    /// Their places in the rest shape [m], in any frame.
    pub rest: Vec<Vec3>,
    /// How it may deform.
    pub mode: RegionMode,
    /// β, from 0 to 1: how far the goals follow the deformation. At 1 what is deformed so stays so.
    pub blend: f32,
    /// α for one particle [m/N]; 0 holds the particles to their goals.
    pub compliance: f32,
}

impl GlobalConstraint for ShapeRegion {
    fn row(&self) -> Result<GlobalRow, ConstraintError> {
        let member = |(particle, rest): (&u32, &Vec3)| Member { particle: *particle, rest: *rest, ..Member::default() };
        let members = self.particles.iter().zip(&self.rest).map(member).collect();
        let (count, places) = (self.particles.len() as f32, self.rest.len() as f32);
        let mode = f32::from(self.mode as u8);
        GlobalRow { kind: &TYPE, members, values: [self.compliance, self.blend, mode, 0.0] }.checked(&[
            ("number of particles", count, count >= 1.0, "1 or more"),
            ("number of rest places", places, places == count, "that of the particles"),
            ("blend", self.blend, (0.0..=1.0).contains(&self.blend), "from 0 to 1"),
            super::kind::compliance(self.compliance),
        ])
    }
}

/// Values: α [m/N], β, mode. Numbers for the GPU: α m with the mean mass [s²], β, number of functions.
pub(super) static TYPE: GlobalType = GlobalType {
    shader: "constraints/shape_region",
    overlaps: true,
    functions: |row, weights, places| {
        let all = functions(row, weights, places);
        let at = |i: usize| all.iter().map(move |own| own[i] as f32);
        (0..weights.len()).flat_map(at).collect()
    },
    numbers: |row, weights| {
        let count = mode(row).functions() as f32;
        [softness(row, weights) as f32, row.values[1], count, 0.0]
    },
    gives: (0, Give::Shape),
    inflates: None,
    project,
    #[cfg(test)]
    examples: || {
        let (mut rest, _) = super::global::octahedron();
        rest.extend([[0.1, 0.2, 0.1], [-0.2, 0.1, 0.1], [0.1, -0.1, 0.2], [0.2, 0.1, -0.1]].map(Vec3::from));
        rest.extend([[-0.1, -0.2, 0.1], [-0.1, 0.1, -0.2]].map(Vec3::from));
        let particles: Vec<u32> = (0..rest.len() as u32).collect();
        let row = |(mode, compliance)| {
            let region = ShapeRegion { particles: particles.clone(), rest: rest.clone(), mode, blend: 0.7, compliance };
            GlobalExample { row: region.row().unwrap(), rest: rest.clone() }
        };
        RegionMode::ALL.into_iter().zip([0.0, 1e-4, 1e-4]).map(row).collect()
    },
};

fn mode(row: &GlobalRow) -> RegionMode {
    RegionMode::ALL.get(row.values[2] as usize).copied().unwrap_or_default()
}

/// The functions φ_k of a row at each of its members; 0 everywhere for one that the others already are.
fn functions(row: &GlobalRow, weights: &[f64], places: &[DVec3]) -> Vec<Vec<f64>> {
    let raw = |r: &DVec3| [r.x, r.y, r.z, r.x * r.x, r.y * r.y, r.z * r.z, r.x * r.y, r.y * r.z, r.z * r.x];
    let dot = |a: &[f64], b: &[f64]| (0..a.len()).map(|i| weights[i] * a[i] * b[i]).sum::<f64>();
    let one = vec![1.0 / weights.iter().sum::<f64>().sqrt(); weights.len()];
    let mut found = vec![one];
    for k in 0..mode(row).functions() {
        let mut own: Vec<f64> = places.iter().map(|r| raw(r)[k]).collect();
        let before = dot(&own, &own).sqrt();
        // Twice, because once leaves what rounding leaves.
        for _ in 0..2 {
            for other in &found {
                let part = dot(&own, other);
                own.iter_mut().zip(other).for_each(|(a, b)| *a -= part * b);
            }
        }
        let length = dot(&own, &own).sqrt();
        let scale = if length > LEAST_OWN * before && length > 0.0 { 1.0 / length } else { 0.0 };
        own.iter_mut().for_each(|value| *value *= scale);
        found.push(own);
    }
    found.split_off(1)
}

fn project(row: &GlobalRow, state: &mut GlobalState, x: &mut [DVec3], masses: &[f64], h: f64) {
    let (weights, rest) = row.weighted(|i| masses[i as usize]);
    let at = |i: usize| row.members[i].particle as usize;
    let center = fit(row, state, x, &weights, &rest);
    let functions = functions(row, &weights, &rest);
    let follow =
        |own: &Vec<f64>| own.iter().enumerate().map(|(i, f)| weights[i] * f * (x[at(i)] - center)).sum::<DVec3>();
    let fits: Vec<DVec3> = functions.iter().map(follow).collect();
    let part = 1.0 / (1.0 + softness(row, &weights) / (h * h));
    let blend = if functions.is_empty() { 0.0 } else { f64::from(row.values[1]) };
    for (i, r) in rest.iter().enumerate().filter(|(i, _)| masses[at(*i)] > 0.0) {
        let followed: DVec3 = functions.iter().zip(&fits).map(|(own, fit)| own[i] * *fit).sum();
        let goal = center + (1.0 - blend) * (state.rotation * *r) + blend * followed;
        x[at(i)] += part * (goal - x[at(i)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of 5 x 3 x 3 places [m].
    fn block() -> Vec<Vec3> {
        let at = |i: i32| Vec3::new((i % 5 - 2) as f32, (i / 5 % 3 - 1) as f32, (i / 15 - 1) as f32);
        (0..45).map(|i| 0.1 * at(i)).collect()
    }

    fn region(mode: RegionMode, blend: f32) -> GlobalRow {
        let rest = block();
        let particles = (0..rest.len() as u32).collect();
        ShapeRegion { particles, rest, mode, blend, compliance: 0.0 }.row().unwrap()
    }

    /// How far the block is moved by one projection from where `map` puts it [m].
    fn moved(row: &GlobalRow, map: impl Fn(DVec3) -> DVec3) -> f64 {
        let start: Vec<DVec3> = block().iter().map(|p| map(p.as_dvec3())).collect();
        let masses: Vec<f64> = (0..start.len()).map(|i| 1.0 + 0.1 * i as f64).collect();
        let mut x = start.clone();
        (row.kind.project)(row, &mut GlobalState::default(), &mut x, &masses, 0.002);
        x.iter().zip(&start).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
    }

    fn shear(p: DVec3) -> DVec3 {
        DVec3::new(p.x + 0.3 * p.y, 1.1 * p.y, p.z - 0.2 * p.x)
    }

    fn bend(p: DVec3) -> DVec3 {
        DVec3::new(p.x - 0.9 * p.x * p.y, p.y + 0.9 * p.x * p.x, p.z + 0.4 * p.x * p.y)
    }

    #[test]
    fn a_mode_follows_what_it_is_and_nothing_else() {
        let [rigid, linear, quadratic] = RegionMode::ALL.map(|mode| region(mode, 1.0));
        assert!(moved(&linear, shear) < 1e-12 && moved(&quadratic, shear) < 1e-12, "a shear is linear");
        assert!(moved(&quadratic, bend) < 1e-12, "a bend is quadratic");
        assert!(moved(&linear, bend) > 0.005 && moved(&rigid, shear) > 0.02, "{}", moved(&linear, bend));
        let twice = moved(&region(RegionMode::Quadratic, 0.5), bend);
        assert!((2.0 * twice / moved(&region(RegionMode::Quadratic, 0.0), bend) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn angular_momentum_is_kept_by_the_fit() {
        let row = region(RegionMode::Quadratic, 1.0);
        let map =
            |p: DVec3| p + 0.05 * DVec3::new((9.0 * p.y).sin(), (31.0 * p.x).cos(), (17.0 * p.z + 3.0 * p.x).sin());
        let start: Vec<DVec3> = block().iter().map(|p| map(p.as_dvec3())).collect();
        let masses: Vec<f64> = (0..start.len()).map(|i| 1.0 + 0.1 * i as f64).collect();
        let mut x = start.clone();
        (row.kind.project)(&row, &mut GlobalState::default(), &mut x, &masses, 0.002);
        let parts = || (0..x.len()).map(|i| (masses[i] * (x[i] - start[i]), start[i]));
        let scale: f64 = parts().map(|(p, at)| p.length() * at.length()).sum();
        let turned: DVec3 = parts().map(|(p, at)| at.cross(p)).sum();
        assert!(scale > 1e-3 && turned.length() < 1e-9 * scale, "{turned} of {scale}");
    }

    #[test]
    fn flat_regions_have_fewer_functions() {
        let rest: Vec<Vec3> = block().into_iter().filter(|p| p.z == 0.0).collect();
        let particles = (0..rest.len() as u32).collect();
        let mode = RegionMode::Quadratic;
        let row = ShapeRegion { particles, rest, mode, blend: 1.0, compliance: 0.0 }.row().unwrap();
        let (weights, places) = row.weighted(|_| 1.0);
        let all = functions(&row, &weights, &places);
        let count = all.iter().filter(|own| own.iter().any(|f| *f != 0.0)).count();
        assert_eq!((all.len(), count), (9, 5), "x, y, x², y², xy");
    }

    #[test]
    fn faults_are_named() {
        let rest = block();
        let given = |blend, compliance| {
            let particles = (0..rest.len() as u32).collect();
            let region = ShapeRegion { particles, rest: rest.clone(), mode: RegionMode::Linear, blend, compliance };
            region.row().unwrap_err().to_string()
        };
        assert!(given(1.5, 0.0).contains("shape_region: blend is 1.5"));
        assert!(given(f32::NAN, 0.0).contains("blend"));
        assert!(given(0.5, -1.0).contains("compliance is -1"));
    }
}
