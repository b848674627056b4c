//! A cantilever beam against linear elasticity: the same tetrahedra as finite elements, and the beam of Euler and Bernoulli.

use glam::{DMat3, DVec3};
use sinew::constraints::Row;
use sinew::demos::stage_for;
use sinew::gpu::Context;
use sinew::scene::Scene;
use sinew::solver::Solver;

/// One tetrahedron of linear elasticity: gradients of its shape functions [1/m], Lamé parameters times its volume [J].
struct Element {
    particles: [usize; 4],
    gradients: [DVec3; 4],
    mu: f64,
    lambda: f64,
}

impl Element {
    fn new(row: &Row) -> Self {
        let v = row.values.map(f64::from);
        let inverse = DMat3::from_cols_slice(&v[..9]).transpose();
        let [b, c, d] = [inverse.x_axis, inverse.y_axis, inverse.z_axis];
        let mu = 1.0 / v[9];
        Self {
            particles: row.particles.map(|p| p as usize),
            gradients: [-(b + c + d), b, c, d],
            mu,
            lambda: 1.0 / v[10] - mu,
        }
    }

    /// Adds K u: σ = 2 μ ε + λ tr ε, f_k = V σ ∇N_k.
    fn multiply(&self, u: &[DVec3], out: &mut [DVec3]) {
        let mut gradient = DMat3::ZERO;
        for (particle, g) in self.particles.iter().zip(self.gradients) {
            gradient += DMat3::from_cols(u[*particle] * g.x, u[*particle] * g.y, u[*particle] * g.z);
        }
        let strain = (gradient + gradient.transpose()) * 0.5;
        let trace = strain.x_axis.x + strain.y_axis.y + strain.z_axis.z;
        let stress = strain * (2.0 * self.mu) + DMat3::IDENTITY * (self.lambda * trace);
        for (particle, g) in self.particles.iter().zip(self.gradients) {
            out[*particle] += stress * g;
        }
    }
}

/// Displacements under gravity [m], by conjugate gradients.
fn linear(scene: &Scene) -> Vec<DVec3> {
    let elements: Vec<Element> = scene.constraints.iter().map(Element::new).collect();
    let free: Vec<f64> = scene.particles.iter().map(|p| f64::from(u8::from(p.mass > 0.0))).collect();
    let apply = |u: &[DVec3]| {
        let mut out = vec![DVec3::ZERO; u.len()];
        elements.iter().for_each(|e| e.multiply(u, &mut out));
        out.iter_mut().zip(&free).for_each(|(o, f)| *o *= *f);
        out
    };
    let dot = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
    let gravity = scene.params.gravity.as_dvec3();
    let mut residual: Vec<DVec3> = scene.particles.iter().map(|p| gravity * f64::from(p.mass)).collect();
    let mut direction = residual.clone();
    let mut u = vec![DVec3::ZERO; residual.len()];
    let start = dot(&residual, &residual);
    let mut now = start;
    while now > 1e-16 * start {
        let pushed = apply(&direction);
        let along = now / dot(&direction, &pushed);
        for i in 0..u.len() {
            u[i] += along * direction[i];
            residual[i] -= along * pushed[i];
        }
        let next = dot(&residual, &residual);
        for (d, r) in direction.iter_mut().zip(&residual) {
            *d = *r + *d * (next / now);
        }
        now = next;
    }
    u
}

/// Mean sag of the far end [m].
fn tip(scene: &Scene, moved: impl Fn(usize) -> f64) -> f64 {
    let far = scene.particles.iter().map(|p| p.position.x).fold(f32::MIN, f32::max);
    let ends: Vec<usize> = (0..scene.particles.len()).filter(|i| scene.particles[*i].position.x > far - 1e-4).collect();
    -ends.iter().map(|i| moved(*i)).sum::<f64>() / ends.len() as f64
}

/// Sag of the tip of a beam of `layers` [m]: of the finite elements, and of the solver two thirds of a second after it started there.
fn sags(layers: u32) -> [f64; 2] {
    let mut scene = stage_for("beam", &[("layers".into(), layers.to_string())]).unwrap().scene;
    scene.params.linear_damping = 5.0;
    let u = linear(&scene);
    let rest = scene.clone();
    scene.particles.iter_mut().zip(&u).for_each(|(p, u)| p.position += u.as_vec3());
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    (0..40).for_each(|_| solver.step());
    assert!(solver.read_health().unwrap().is_good());
    let end = solver.read_particles().unwrap();
    [tip(&rest, |i| u[i].y), tip(&rest, |i| f64::from(end[i][1] - rest.particles[i].position.y))]
}

#[test]
#[ignore = "long"]
fn a_cantilever_bends_as_finite_elements_and_as_euler_and_bernoulli_say() {
    // The demo chooses the stiffness for this sag, 6 % of 2 m.
    let theory = 0.12;
    let [coarse, coarse_solved] = sags(4);
    let [fine, fine_solved] = sags(8);
    println!("4 layers: {coarse_solved} m of {coarse} m; 8 layers: {fine_solved} m of {fine} m; theory {theory} m");
    assert!((coarse_solved / coarse - 1.0).abs() < 0.01, "{coarse_solved} m, finite elements {coarse} m");
    assert!((fine_solved / fine - 1.0).abs() < 0.02, "{fine_solved} m, finite elements {fine} m");
    assert!((fine_solved / theory - 1.0).abs() < 0.05, "{fine_solved} m, theory {theory} m");
    assert!((fine_solved / theory - 1.0).abs() < 0.3 * (coarse_solved / theory - 1.0).abs(), "converges");
}
