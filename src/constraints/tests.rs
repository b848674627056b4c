//! What every type must be: at rest without force, with the gradient of its C, momentum-keeping, as soft as it says.

use glam::{DMat3, DVec3, Vec3};

use super::kind::NO_PARTICLE;
use super::*;

/// Seeded random numbers (xorshift, Marsaglia 2003), uniform in -1..1.
struct Random(u32);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        f64::from(self.0 >> 8) / 8_388_608.0 - 1.0
    }

    fn vector(&mut self, half: f64) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next()) * half
    }

    /// The example's positions, each moved by up to `half` [m].
    fn around(&mut self, rest: &[Vec3; 4], half: f64) -> [DVec3; 4] {
        rest.map(|p| p.as_dvec3() + self.vector(half))
    }
}

fn weights(row: &Row, random: &mut Random) -> [f64; 4] {
    std::array::from_fn(|k| if k < row.kind.particles { 2.0 + random.next() } else { 0.0 })
}

const STILL: [DVec3; 4] = [DVec3::ZERO; 4];

#[test]
fn names_and_sizes_are_what_rows_have() {
    for kind in TYPES {
        let Example { row, .. } = (kind.example)();
        assert_eq!(TYPES.iter().filter(|t| t.name == kind.name).count(), 1, "{}", kind.name);
        assert_eq!((row.kind.name, TYPES[kind.index()].name), (kind.name, kind.name));
        assert!(kind.values <= MOST_VALUES && (1..=4).contains(&kind.particles) && (1..=4).contains(&kind.equations));
        assert!(row.values[kind.values..].iter().all(|v| *v == 0.0), "{} has more values than it says", kind.name);
        assert!(row.joined().iter().all(|p| *p != NO_PARTICLE) && row.damping == 0.0);
        assert!(row.particles[kind.particles..].iter().all(|p| *p == NO_PARTICLE));
    }
}

#[test]
fn nothing_moves_at_rest() {
    for kind in TYPES {
        let Example { row, rest } = (kind.example)();
        let mut random = Random(3);
        let mut x = rest.map(Vec3::as_dvec3);
        let w = weights(&row, &mut random);
        for _ in 0..10 {
            project(&row, &mut x, &w, &STILL, &mut [0.0; 4], 0.002, 1.0);
        }
        for (now, at) in x.iter().zip(rest) {
            assert!(now.distance(at.as_dvec3()) < 1e-6, "{} moves {now} from {at}", kind.name);
        }
    }
}

#[test]
fn gradients_are_those_of_the_values() {
    const STEP: f64 = 1e-6;
    let mut random = Random(5);
    for kind in TYPES {
        let Example { row, rest } = (kind.example)();
        for _ in 0..20 {
            let x = random.around(&rest, 0.03);
            for index in 0..kind.equations {
                let at = row.equation(index, &x);
                for (k, axis) in (0..4).flat_map(|k| (0..3).map(move |axis| (k, axis))) {
                    let (mut above, mut below) = (x, x);
                    above[k][axis] += STEP;
                    below[k][axis] -= STEP;
                    let slope = (row.equation(index, &above).value - row.equation(index, &below).value) / (2.0 * STEP);
                    let given = at.gradient[k][axis];
                    let scale = at.gradient.iter().map(|g| g.length()).fold(1e-3, f64::max);
                    assert!((slope - given).abs() < 1e-5 * scale, "{} {index}: {given} is {slope}", kind.name);
                }
            }
        }
    }
}

#[test]
fn momentum_is_kept() {
    let mut random = Random(7);
    // One particle alone is held by the world.
    for kind in TYPES.iter().filter(|k| k.particles > 1) {
        let Example { mut row, rest } = (kind.example)();
        for damping in [0.0, 30.0] {
            row.damping = damping;
            let (w, before) = (weights(&row, &mut random), random.around(&rest, 0.05));
            let moved: [DVec3; 4] = std::array::from_fn(|_| random.vector(0.01));
            let mut x = before;
            project(&row, &mut x, &w, &moved, &mut [0.0; 4], 0.002, 1.0);
            let parts = || (0..kind.particles).map(|k| ((x[k] - before[k]) / w[k], before[k]));
            let scale: f64 = parts().map(|(p, _)| p.length()).sum();
            let linear: DVec3 = parts().map(|(p, _)| p).sum();
            let angular: DVec3 = parts().map(|(p, at)| at.cross(p)).sum();
            assert!(scale > 1e-6, "{} does nothing", kind.name);
            // A pair of equations that follows another turns what that one moved.
            let turned = if kind.equations > 2 { 0.1 } else { 1e-7 };
            assert!(linear.length() < 1e-7 * scale, "{} pushes {linear}", kind.name);
            assert!(angular.length() < turned * scale, "{} turns {angular} of {scale}", kind.name);
        }
    }
}

#[test]
fn pinned_particles_stay() {
    let mut random = Random(11);
    for kind in TYPES {
        let Example { row, rest } = (kind.example)();
        for pinned in 0..kind.particles {
            let mut w = weights(&row, &mut random);
            w[pinned] = 0.0;
            let before = random.around(&rest, 0.05);
            let mut x = before;
            project(&row, &mut x, &w, &STILL, &mut [0.0; 4], 0.002, 1.0);
            assert_eq!(x[pinned], before[pinned], "{}", kind.name);
        }
        let mut x = random.around(&rest, 0.05);
        let before = x;
        project(&row, &mut x, &[0.0; 4], &STILL, &mut [0.0; 4], 0.002, 1.0);
        assert_eq!(x, before, "{} moves what is fixed, or divides by nothing", kind.name);
    }
}

/// Pulled by forces F ∇C that turn with it, a row comes to rest where every C is F α. Small forces and steps: a force that
/// turns a step late spins what it pulls.
#[test]
fn elongation_is_force_times_compliance() {
    const H: f64 = 0.002;
    for kind in TYPES {
        let Example { row, rest } = (kind.example)();
        let mut random = Random(13);
        let wanted = random.around(&rest, 0.005).map(|p| 1.01 * p);
        let rest = rest.map(Vec3::as_dvec3);
        let goals: Vec<Equation> = (0..kind.equations).map(|i| row.equation(i, &wanted)).collect();
        let w: [f64; 4] = std::array::from_fn(|k| if k < kind.particles { 1.0 } else { 0.0 });
        // Halfway: at rest some have no direction yet.
        let (mut x, mut v) = (std::array::from_fn(|k| 0.5 * (rest[k] + wanted[k])), STILL);
        for _ in 0..20_000 {
            let now: Vec<Equation> = (0..kind.equations).map(|i| row.equation(i, &x)).collect();
            let start = x;
            for k in 0..kind.particles {
                let force: DVec3 = goals.iter().zip(&now).map(|(g, e)| g.value / g.compliance * e.gradient[k]).sum();
                v[k] = 0.8 * v[k] + H * force * w[k];
                x[k] += H * v[k];
            }
            let mut multipliers = [0.0; 4];
            for _ in 0..8 {
                project(&row, &mut x, &w, &STILL, &mut multipliers, H, 1.0);
            }
            v = std::array::from_fn(|k| (x[k] - start[k]) / H);
        }
        for (index, goal) in goals.iter().enumerate() {
            let (at_rest, end) = (row.equation(index, &rest).value, row.equation(index, &x).value);
            let (far, meant) = (end - at_rest, goal.value - at_rest);
            assert!((far - meant).abs() < 0.01 * meant.abs() + 1e-6, "{} {index}: {far} of {meant}", kind.name);
        }
    }
}

#[test]
fn tension_acts_one_way() {
    let rope = Distance { particles: [0, 1], rest_length: 1.0, compliance: 0.0, tension_only: true }.row().unwrap();
    for (length, expected) in [(0.5, 0.5), (1.5, 1.0)] {
        let mut x = [DVec3::ZERO, DVec3::X * length, DVec3::ZERO, DVec3::ZERO];
        project(&rope, &mut x, &[0.0, 1.0, 0.0, 0.0], &STILL, &mut [0.0; 4], 0.01, 1.0);
        assert!((x[1].x - expected).abs() < 1e-9, "{length} becomes {}", x[1].x);
    }
}

/// Small strains of a Neo-Hookean tetrahedron store the energy of linear elasticity: E ε² V / 2 when pulled one way,
/// 9 K ε² V / 2 with the bulk modulus K = E / 3 (1 - 2ν) when from all sides.
#[test]
fn small_strains_are_linear_elasticity() {
    let Example { rest, .. } = (TYPES[neo_hookean::TYPE.index()].example)();
    let (young, poisson) = (1e5, 0.3);
    let tet = NeoHookean { particles: [0, 1, 2, 3], rest, young: young as f32, poisson: poisson as f32 };
    let row = tet.row().unwrap();
    let rest = rest.map(Vec3::as_dvec3);
    let volume = (rest[1] - rest[0]).cross(rest[2] - rest[0]).dot(rest[3] - rest[0]) / 6.0;
    let energy = |strain: DVec3| {
        let x = rest.map(|p| p + DMat3::from_diagonal(strain) * p);
        (0..2).map(|i| row.equation(i, &x)).map(|e| e.value * e.value / (2.0 * e.compliance)).sum::<f64>()
    };
    let epsilon = 1e-3;
    for (strain, modulus) in
        [(DVec3::new(1.0, -poisson, -poisson), young), (DVec3::ONE, 3.0 * young / (1.0 - 2.0 * poisson))]
    {
        let stored = energy(epsilon * strain) - energy(DVec3::ZERO);
        let linear = 0.5 * modulus * epsilon * epsilon * volume.abs();
        assert!((stored / linear - 1.0).abs() < 0.02, "{stored} J, linear {linear} J");
    }
}

#[test]
fn bad_numbers_are_refused_by_name() {
    let rest = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let flat = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y];
    let tet = |rest, young, poisson| NeoHookean { particles: [0, 1, 2, 3], rest, young, poisson }.row();
    let told = |r: Result<Row, ConstraintError>, field: &str| {
        let message = r.map(|_| ()).unwrap_err().to_string();
        assert!(message.contains(field), "{message}");
    };
    told(tet(rest, 0.0, 0.3), "Young's modulus");
    told(tet(rest, f32::NAN, 0.3), "Young's modulus");
    told(tet(rest, 1e5, 0.5), "Poisson's ratio");
    told(tet(flat, 1e5, 0.3), "rest volume");
    told(Volume::between([0, 1, 2, 3], flat, 0.0).row(), "rest volume");
    told(Distance::between([0, 1], [Vec3::X; 2], 0.0).row(), "rest length");
    told(Distance::between([0, 1], [rest[0], rest[1]], -1.0).row(), "compliance");
    told(TriangleStrain::between([0, 1, 2], [Vec3::ZERO, Vec3::X, 2.0 * Vec3::X], [0.0; 3]).row(), "rest area");
    told(TrianglePin { particle: 0, triangle: [1, 2, 3], weights: Vec3::X * 0.5, compliance: 0.0 }.row(), "weights");
    told(WorldPin { particle: 0, point: Vec3::NAN, compliance: 0.0 }.row(), "point");
    told(Isometric { particles: [0, 1, 2, 3], rest: [Vec3::X; 4], compliance: 0.0 }.row(), "rest positions");
}

#[test]
fn roles_say_what_examples_keep() {
    for kind in TYPES {
        let Example { row, rest } = (kind.example)();
        let x = rest.map(|at| at.as_dvec3());
        if let Some(kept) = row.stretch() {
            assert_eq!(kept.particles.as_slice(), row.joined(), "{}", kind.name);
            assert!((x[0].distance(x[1]) - f64::from(kept.rest_length)).abs() < 1e-6, "{}", kind.name);
        }
        if let Some(volume) = row.rest_volume() {
            let found = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6.0;
            assert!((volume - found).abs() < 1e-5 * found.abs(), "{}: {volume} m³ instead of {found}", kind.name);
        }
        assert!(!row.yields() || row.rest_volume().is_some(), "{}", kind.name);
        assert!(!row.bends() || row.joined().len() == 4, "{}: two triangles have four corners", kind.name);
    }
    let mut row = RopeBend::between([0, 1, 2], [Vec3::ZERO, Vec3::X, Vec3::ONE], 0.0).row().unwrap();
    assert!(row.values[0] > 0.0);
    row.straighten();
    assert_eq!(row.values[0], 0.0);
    let tether = Distance { particles: [0, 1], rest_length: 1.0, compliance: 0.0, tension_only: true };
    let mut row = tether.row().unwrap();
    row.set_rest_length(2.0);
    assert_eq!(row.stretch(), Some(Stretch { particles: [0, 1], rest_length: 2.0, tension_only: true }));
}

#[test]
fn global_constraints_keep_momentum_and_what_is_pinned() {
    for kind in GLOBAL_TYPES {
        for GlobalExample { row, rest } in (kind.examples)() {
            let mut random = Random(13);
            let before: Vec<DVec3> = rest.iter().map(|p| p.as_dvec3() + random.vector(0.05)).collect();
            let mut masses: Vec<f64> = rest.iter().map(|_| 2.0 + random.next()).collect();
            let mut x = before.clone();
            (kind.project)(&row, &mut GlobalState::default(), &mut x, &masses, 0.002);
            let moved: Vec<DVec3> = (0..x.len()).map(|i| masses[i] * (x[i] - before[i])).collect();
            let scale: f64 = moved.iter().map(|m| m.length()).sum();
            assert!(scale > 1e-6, "{} does nothing", kind.name());
            let linear: DVec3 = moved.iter().sum();
            assert!(linear.length() < 1e-9 * scale, "{} pushes {linear}", kind.name());
            masses[2] = 0.0;
            x.clone_from(&before);
            (kind.project)(&row, &mut GlobalState::default(), &mut x, &masses, 0.002);
            assert_eq!(x[2], before[2], "{}", kind.name());
        }
    }
}

#[test]
fn global_types_are_told_apart() {
    for (kind, index) in GLOBAL_TYPES.iter().zip(0..) {
        assert_eq!(kind.index(), index);
        assert_eq!(GLOBAL_TYPES.iter().filter(|t| t.name() == kind.name()).count(), 1, "{}", kind.name());
        assert!((kind.examples)().iter().all(|example| std::ptr::eq(example.row.kind, *kind)));
    }
}
