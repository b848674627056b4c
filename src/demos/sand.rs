//! Sand: a column that collapses to a heap, a castle under a falling ball, or an hourglass.

use std::sync::Arc;

use glam::{Vec3, vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::numbers::cubed;
use crate::scene::{BodyDesc, Collider, Grains, Scene, Shape, Surface, View, primitive_model};
use crate::spawn::forms::hourglass::{self, Hourglass};
use crate::spawn::{Random, palette};

pub(super) const DEMO: Demo = Demo {
    name: "sand",
    summary: "a sand castle under a falling ball, a column that collapses, or an hourglass",
    category: Category::Flowing,
    options: &[
        DemoOption::integer("count", [50.0, 1.0e6], 6000.0, "approximate number of grains"),
        DemoOption::number(
            "friction",
            [0.0, 2.0],
            0.6,
            "friction of the grains and of the ground; in an hourglass, twice that of its round grains [dimensionless]",
        ),
        DemoOption::choice("form", &["castle", "column", "hourglass"], "initial form of the sand"),
        DemoOption::number("height", [0.2, 10.0], 0.8, "height of a column over its radius"),
        DemoOption::number("neck", [3.0, 16.0], 8.0, "width of an hourglass's neck over that of a grain"),
        DemoOption::integer("ball", [0.0, 1.0], 1.0, "whether a ball falls on it; never into an hourglass"),
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

/// Width of a castle, and of a column, at the ground [m].
const CASTLE: f32 = 1.6;
const COLUMN: f32 = 0.8;
/// Distance of neighbors over their diameter. Grains do not touch at the start.
const CLOSE: f32 = 1.02;
const LOOSE: f32 = 1.12;
/// Part of the room between two that each may use to be off the lattice: a regular heap of balls would not flow.
const OFF: f32 = 0.8;

/// How fast the ball comes down [m/s], as after 0.6 m.
const FALL: f32 = 3.5;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    let friction = options.number("friction");
    let surface = Surface { friction, ..Surface::default() };
    scene.add_collider(Collider { surface, ..Collider::ground(0.0) })?;
    if options.count("form") == 2 {
        return hourglass(scene, options);
    }
    let castle = options.count("form") == 0;
    let stands: fn(Vec3) -> bool = if castle { in_castle } else { in_column };
    let size = if castle {
        vec3(CASTLE, 0.8 * CASTLE, CASTLE)
    } else {
        vec3(COLUMN, options.number("height") * 0.5 * COLUMN, COLUMN)
    };
    let spread = if castle { CLOSE } else { LOOSE };
    let radius = radius_for(size, stands, options.count("count")) / spread;
    let sand = scene.add_grains(Grains { friction, ..Grains::sand(radius) })?;
    let mut random = Random::new(options.count("seed"));
    // Along a diagonal of the lattice two offsets may add up.
    let off = OFF * (spread - 1.0) * radius / 3.0_f32.sqrt();
    let places: Vec<Vec3> = lattice(size, spread * radius, stands).map(|at| at + random.offset(off)).collect();
    scene.heap(sand, &places, Vec3::ZERO)?;
    if options.count("ball") == 1 {
        // It is two hundred times as heavy as a grain, and would press those below into one another.
        scene.params.substeps = 12;
        let ball = 0.14 * size.x;
        let top = places.iter().map(|at| at.y).fold(0.0, f32::max) + radius;
        let desc = BodyDesc::sphere(ball, (2.0 * radius).min(0.5 * ball))
            .at(vec3(0.1 * size.x, top + 1.2 * ball, 0.05 * size.x))
            .named("ball");
        // It comes before the sand slumps by itself.
        let id = scene.add_body(BodyDesc { velocity: FALL * Vec3::NEG_Y, ..desc })?;
        scene.draw_body(id, &Arc::new(primitive_model(&Shape::Sphere(ball))), palette(0))?;
    }
    scene.view = View::around(Vec3::Y * (0.3 * size.y), 0.75 * size.x);
    Ok(scene.into())
}

/// Loose sand in the upper bulb.
fn hourglass(mut scene: Scene, options: &Options) -> Result<Stage, DemoError> {
    /// Part of the height of the bulb that is full, and a neck to tell how much room that is [m].
    const FULL: f32 = 0.86;
    const NARROW: f32 = 0.05;
    // Deep sand presses hard on what is below.
    scene.params.substeps = 16;
    let size = vec3(hourglass::SIZE.x, hourglass::SIZE.y, hourglass::SIZE.x);
    let top = hourglass::NECK + FULL * hourglass::HALF;
    let radius = radius_in(Hourglass::new(NARROW).volume(FULL), options.count("count")) / LOOSE;
    let glass = Hourglass::new(options.number("neck") * radius);
    glass.add(&mut scene, radius.min(0.5 * hourglass::WALL))?;
    let sand = scene.add_grains(Grains { friction: 0.5 * options.number("friction"), ..Grains::sand(radius) })?;
    let mut random = Random::new(options.count("seed"));
    let off = OFF * (LOOSE - 1.0) * radius / 3.0_f32.sqrt();
    let upper = |at: Vec3| (hourglass::NECK..top).contains(&(at.y * size.x));
    let places: Vec<Vec3> = lattice(size, LOOSE * radius, upper)
        .map(|at| at + random.offset(off))
        .filter(|at| glass.room(*at) > radius)
        .collect();
    scene.heap(sand, &places, Vec3::ZERO)?;
    scene.view = View::around(Vec3::Y * hourglass::NECK, 1.3 * hourglass::NECK);
    Ok(scene.into())
}

/// Centers of a face-centered lattice of balls of `radius` [m] in a box of `size` [m] on the ground, where `stands` says so of
/// the place in a box of width 1.
fn lattice(size: Vec3, radius: f32, stands: impl Fn(Vec3) -> bool) -> impl Iterator<Item = Vec3> {
    let step = radius * std::f32::consts::SQRT_2;
    let half = (0.5 * size.x / step) as i32;
    let layers = ((size.y - 2.0 * radius) / step) as i32;
    let rows = (0..=layers.max(0)).flat_map(move |y| (-half..=half).map(move |x| (x, y)));
    rows.flat_map(move |(x, y)| (-half..=half).map(move |z| (x, y, z)))
        .filter(|(x, y, z)| (x + y + z).rem_euclid(2) == 0)
        .map(move |(x, y, z)| vec3(x as f32, y as f32, z as f32) * step + Vec3::Y * radius)
        .filter(move |at| stands(*at / size.x))
}

/// Radius [m] for which about `count` grains fill what stands.
fn radius_for(size: Vec3, stands: impl Fn(Vec3) -> bool, count: u32) -> f32 {
    const FINE: i32 = 96;
    let cell = 1.0 / FINE as f32;
    let inside = (0..FINE * FINE * FINE).filter(|i| {
        let at = vec3((i % FINE) as f32 + 0.5, (i / FINE % FINE) as f32 + 0.5, (i / (FINE * FINE)) as f32 + 0.5) * cell;
        at.y < size.y / size.x && stands(at - vec3(0.5, 0.0, 0.5))
    });
    radius_in(inside.count() as f32 * cubed(cell * size.x), count)
}

/// The same for a volume [m³].
fn radius_in(volume: f32, count: u32) -> f32 {
    // A cube of the lattice has four balls in a side of 2 √2 radii.
    (volume / (count as f32 * 4.0 * std::f32::consts::SQRT_2)).cbrt()
}

fn in_column(at: Vec3) -> bool {
    at.x.hypot(at.z) < 0.5
}

/// Four round towers, walls with battlements between them, and a keep, in a box of width 1.
fn in_castle(at: Vec3) -> bool {
    let (x, z) = (at.x.abs(), at.z.abs());
    let notched = |along: f32| (along * 20.0).rem_euclid(2.0) < 1.0;
    let tower = (x - 0.38).hypot(z - 0.38);
    let in_tower = tower < 0.11 && at.y < if notched(at.x.atan2(at.z)) { 0.46 } else { 0.42 };
    let wall = |across: f32, along: f32| {
        (across - 0.38).abs() < 0.055 && along < 0.38 && at.y < if notched(along) { 0.27 } else { 0.23 }
    };
    let keep = x < 0.16 && z < 0.16 && at.y < if notched(x) && notched(z) { 0.6 } else { 0.56 };
    let gate = at.z > 0.3 && x < 0.06 && at.y < 0.13;
    !gate && (in_tower || wall(x, z) || wall(z, x) || keep)
}
