//! Whether the gradient that a user's equation gives is that of its value: asked on the GPU, against differences.

use glam::Vec3;
use thiserror::Error;

use crate::constraints::{MOST_VALUES, UserConstraint};
use crate::gpu::wgsl::constraints::probe::{Probe, Probed};
use crate::gpu::{Buffers, Context, GpuError, Kernel};
use crate::scene::SceneError;
use crate::solver::SolverError;
use crate::solver::stages::constraints::users;

/// Places at which a gradient is looked at, each with a step to both sides along every axis of four particles.
const PLACES: usize = 24;
const ASKED: usize = 1 + 2 * 12;
/// How far places are from those given, and how long a step is, as parts of the distance between the particles: in f32 the rounding of
/// a shorter step, and the curvature of a longer one, would show.
const APART: f32 = 0.05;
const STEP: f32 = 2e-3;
/// Least of that distance [m].
const LEAST_SIZE: f32 = 0.1;
/// Most difference of a gradient, as a part of the largest in its equation.
const MOST_OFF: f32 = 1e-2;

/// A gradient that is not that of its value.
#[derive(Clone, Debug, Error, PartialEq)]
#[error(
    "constraint type `{kind}`, equation {equation}: its gradient by particle {particle} along {axis} is {given}, but its value \
     changes by {found} per metre, with particles at {places:?}"
)]
pub struct WrongGradient {
    /// Name of the type.
    pub kind: String,
    /// The equation, counted from 0.
    pub equation: usize,
    /// The particle: a, b, c or d.
    pub particle: char,
    /// The axis: x, y or z.
    pub axis: char,
    /// What the equation gives.
    pub given: f32,
    /// What differences of its value say.
    pub found: f32,
    /// Where the particles were [m].
    pub places: Vec<Vec3>,
}

/// Checks a user's type of constraint with these numbers: near these places of its particles [m], the gradient that it gives must be
/// that of its value. Places at which the value has a kink are no good.
///
/// # Errors
/// [`SolverError::Constraint`] with the line of a text that is wrong, [`SolverError::Gradient`] naming equation, particle and axis of the
/// first gradient that is wrong or no number; [`SolverError::Scene`] for another number of places or numbers than the type has.
pub fn check_gradient(
    context: &Context,
    constraint: UserConstraint,
    values: &[f32],
    places: &[Vec3],
) -> Result<(), SolverError> {
    let definition = constraint.definition();
    users::check_text(definition)?;
    let particles: Vec<u32> = (0..places.len() as u32).collect();
    let row = constraint.row(&particles, values).map_err(SceneError::from)?;
    let size = places.iter().map(|place| place.distance(places[0])).fold(LEAST_SIZE, f32::max);
    let mut asked = Vec::new();
    let mut random = Random(0x2545_f491);
    for _ in 0..PLACES {
        let at: Vec<Vec3> = places.iter().map(|place| *place + APART * size * random.vector()).collect();
        for index in 0..definition.equations {
            asked.extend(around(&at, STEP * size).map(|at| probe(&at, index)));
        }
    }
    let found = answers(context, constraint, &row.values, &asked)?;
    for (asked, found) in asked.chunks(ASKED).zip(found.chunks(ASKED)) {
        compare(definition.name.as_str(), places.len(), asked, found)?;
    }
    Ok(())
}

/// The places themselves, then each particle moved along each axis by a step forth and back.
fn around(places: &[Vec3], step: f32) -> impl Iterator<Item = Vec<Vec3>> {
    let moved = move |k: usize| {
        let mut places = places.to_vec();
        if let (Some(k), true) = (k.checked_sub(1), !places.is_empty()) {
            let (particle, axis, sign) = (k / 6, k / 2 % 3, if k % 2 == 0 { 1.0 } else { -1.0 });
            if let Some(place) = places.get_mut(particle) {
                place[axis] += sign * step;
            }
        }
        places
    };
    (0..ASKED).map(moved)
}

fn probe(places: &[Vec3], index: usize) -> Probe {
    let at = |k: usize| places.get(k).map_or([0.0; 3], Vec3::to_array);
    Probe { a: at(0), index: index as u32, b: at(1), c: at(2), d: at(3), ..Probe::default() }
}

/// What the equation says at all places.
fn answers(
    context: &Context,
    constraint: UserConstraint,
    values: &[f32; MOST_VALUES],
    asked: &[Probe],
) -> Result<Vec<Probed>, GpuError> {
    let definition = constraint.definition();
    let (equation, prefix) = (users::equation_source(definition), users::prefix(definition));
    let text = format!(
        "#import \"constraints/probe\"\n{equation}\n\
         @compute @workgroup_size(WORKGROUP)\n\
         fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {{\n\
         let i = global_index(id, groups);\nif i >= arrayLength(&probes) {{ return; }}\n\
         let row = Values(probe_values[0], probe_values[1], probe_values[2]);\n\
         let x = probe_stencil(i);\nanswer(i, {prefix}_equation(probes[i].index, row, x));\n}}\n"
    );
    let kernel = Kernel::from_source(context, &format!("constraints/probe_{prefix}"), &text, &[])?;
    let mut buffers = Buffers::new(context);
    buffers.create_with("probes", asked)?;
    let fours: Vec<[f32; 4]> = values.chunks(4).map(|four| std::array::from_fn(|k| four[k])).collect();
    buffers.create_with("probe_values", &fours)?;
    buffers.create::<Probed>("probed", asked.len(), wgpu::BufferUsages::empty())?;
    let bound = kernel.bind(context, &buffers)?;
    context.run("probe", |encoder| {
        bound.dispatch(&mut encoder.begin_compute_pass(&Default::default()), asked.len() as u32, 0);
    });
    buffers.read("probed")
}

fn compare(kind: &str, particles: usize, asked: &[Probe], found: &[Probed]) -> Result<(), WrongGradient> {
    let here = &found[0];
    let gradient = [here.a, here.b, here.c, here.d];
    let largest = gradient.iter().map(|g| Vec3::from(*g).length()).fold(f32::MIN_POSITIVE, f32::max);
    let numbers = gradient.iter().flatten().chain([&here.value]).all(|number| number.is_finite());
    for k in 0..3 * particles {
        let (particle, axis) = (k / 3, k % 3);
        let places = |probe: &Probe| [probe.a, probe.b, probe.c, probe.d][particle][axis];
        let [forth, back] = [1 + 2 * k, 2 + 2 * k];
        let way = places(&asked[back]) - places(&asked[forth]);
        let (given, slope) = (gradient[particle][axis], (found[back].value - found[forth].value) / way);
        let off = (given - slope).abs();
        if numbers && off <= MOST_OFF * largest {
            continue;
        }
        let at = [asked[0].a, asked[0].b, asked[0].c, asked[0].d];
        return Err(WrongGradient {
            kind: kind.to_owned(),
            equation: asked[0].index as usize,
            particle: ['a', 'b', 'c', 'd'][particle],
            axis: ['x', 'y', 'z'][axis],
            given,
            found: slope,
            places: at[..particles].iter().map(|place| Vec3::from(*place)).collect(),
        });
    }
    Ok(())
}

/// Seeded random numbers (xorshift, Marsaglia 2003).
struct Random(u32);

impl Random {
    /// Uniform in a cube of half width 1.
    fn vector(&mut self) -> Vec3 {
        let mut next = || {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 17;
            self.0 ^= self.0 << 5;
            (self.0 >> 8) as f32 / 8_388_608.0 - 1.0
        };
        Vec3::new(next(), next(), next())
    }
}
