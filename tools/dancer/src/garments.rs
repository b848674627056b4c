//! What the dancer wears over the suit: a skirt and a cape, each a mesh of its own that hangs on the body as cloth.
//!
//! Both are wider than the body everywhere, and the cape lies outside the skirt, so that nothing starts inside anything.
//! Vertices painted red are fastened to the body. No sines are used: see [`crate::shape`].

use glam::Vec3;

use crate::field;
use crate::shape::smooth_step;
use crate::skeleton::Joint;
use crate::weave::{Woven, weave};
use crate::weights::Influences;
use crate::zones::Material;

/// A piece of clothing.
#[derive(Clone, Debug)]
pub struct Garment {
    /// Name of its node: what begins with `cloth` is cloth.
    pub name: &'static str,
    /// What it is made of.
    pub material: Material,
    /// Its surface.
    pub woven: Woven,
    /// Whether a vertex is fastened to the body, shape [vertex_count].
    pub held: Vec<bool>,
    /// Joints that move each vertex, shape [vertex_count].
    pub influences: Vec<Influences>,
}

/// Length of edges [m].
const EDGE: f32 = 0.028;
/// Least distance from the skin [m]: the bodies of a ragdoll are rounder than the skin.
const CLEAR: f32 = 0.028;

/// Both, as they hang on the body at rest.
pub fn garments() -> [Garment; 2] {
    [skirt(), cape()]
}

/// Height of the skirt's upper edge, and of each row below it [m].
const WAIST: f32 = 1.035;
const ROW: f32 = 0.0235;
const ROWS: usize = 21;
/// Where the skirt's axis is, front to back [m].
const AXIS: f32 = -0.012;
/// How much wider it gets with every row [m].
const FLARE: f32 = 0.0110;
/// How far folds stand out at the hem [m]; there are eleven around.
const FOLD: f32 = 0.022;

/// Directions around the vertical axis, from +Z over +X and back to it: rational points of the circle.
fn around() -> Vec<(f32, f32)> {
    const QUARTER: usize = 90;
    let mut all = Vec::new();
    for quarter in 0..4 {
        for i in 0..QUARTER {
            let t = i as f32 / QUARTER as f32;
            let (c, s) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
            // From 0 to a quarter of a turn as t goes from 0 to 1.
            all.push([(s, c), (c, -s), (-s, -c), (-c, s)][quarter]);
        }
    }
    all.push(all[0]);
    all
}

/// How far from the skirt's axis the body ends in a direction, with room to spare [m].
fn outline((x, z): (f32, f32), y: f32) -> f32 {
    let mut far = 0.5;
    for _ in 0..80 {
        let gap = field::distance(Vec3::new(x * far, y, AXIS + z * far)) - CLEAR;
        if gap < 2e-4 || far < 0.04 {
            break;
        }
        far -= 0.6 * gap;
    }
    far
}

/// cos 11 θ for cos θ = x, the Chebyshev polynomial.
fn folds(x: f32) -> f32 {
    let (mut before, mut now) = (1.0, x);
    for _ in 1..11 {
        (before, now) = (now, 2.0 * x * now - before);
    }
    now
}

fn skirt() -> Garment {
    let directions = around();
    let mut reach: Vec<f32> = directions.iter().map(|d| outline(*d, WAIST)).collect();
    let mut curves = Vec::with_capacity(ROWS);
    for row in 0..ROWS {
        let y = WAIST - ROW * row as f32;
        if row > 0 {
            for (far, direction) in reach.iter_mut().zip(&directions) {
                *far = (*far + 0.5 * FLARE).max(outline(*direction, y)).max(*far + FLARE * (0.25 + 0.04 * row as f32));
            }
        }
        let deep = FOLD * smooth_step(2.0, ROWS as f32, row as f32);
        let point = |((x, z), far): (&(f32, f32), &f32)| {
            let far = far + deep * (1.0 + folds(*z));
            Vec3::new(x * far, y, AXIS + z * far)
        };
        curves.push(directions.iter().zip(&reach).map(point).collect());
    }
    let woven = weave(&curves, true, EDGE, 24);
    let held = woven.rows.iter().map(|row| *row < 2).collect();
    let influences = woven.mesh.points.iter().map(|p| skirt_joints(*p)).collect();
    let material = Material { name: "skirt", color: [214, 66, 52], roughness: 82, double_sided: true };
    Garment { name: "cloth_skirt", material, woven, held, influences }
}

/// A skirt follows the hips, and lower down the thigh that is nearer.
fn skirt_joints(p: Vec3) -> Influences {
    let legs = 0.8 * smooth_step(0.0, 0.30, 0.96 - p.y);
    let left = smooth_step(-0.12, 0.12, p.x);
    let of = |joint: Joint, share: f32| (if share > 0.0 { joint.index() as u8 } else { 0 }, share);
    let mut all = [
        of(Joint::Hips, 1.0 - legs),
        of(Joint::LeftUpperLeg, legs * left),
        of(Joint::RightUpperLeg, legs * (1.0 - left)),
        (0, 0.0),
    ];
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all
}

/// Rows of the cape, and points along its collar from which they start.
const CAPE_ROWS: usize = 32;
const COLLAR: usize = 48;
/// How much wider and how much farther back the cape gets on its way down.
const SPREAD: f32 = 0.46;
const BACK: f32 = 0.30;
/// Beyond this the collar is fastened to a shoulder [m].
const ON_SHOULDER: f32 = 0.050;

/// The collar runs from one collar bone around the back of the neck to the other, inside of the shoulders, which rise with
/// the arms: its point at `s` in -1..=1.
fn collar(s: f32) -> Vec3 {
    let guess = Vec3::new(0.100 * s, 1.475 - 0.010 * s * s, -0.100 + 0.110 * s * s);
    settled(guess, 0.75 * CLEAR)
}

/// The point next to `p` that is at least `gap` [m] from the skin.
fn settled(mut p: Vec3, gap: f32) -> Vec3 {
    for _ in 0..12 {
        let short = gap - field::distance(p);
        if short < 1e-5 {
            break;
        }
        p += field::normal(p) * short.min(0.01);
    }
    p
}

/// The cape follows the chest; the ends of the collar lie on the shoulders and rise with them.
fn cape_joints(p: Vec3, held: bool) -> Influences {
    let joint = match p.x {
        x if held && x > ON_SHOULDER => Joint::LeftShoulder,
        x if held && x < -ON_SHOULDER => Joint::RightShoulder,
        _ => Joint::UpperChest,
    };
    [(joint.index() as u8, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)]
}

fn cape() -> Garment {
    let sides: Vec<f32> = (0..=COLLAR).map(|i| 1.0 - 2.0 * i as f32 / COLLAR as f32).collect();
    let mut curve: Vec<Vec3> = sides.iter().map(|s| collar(*s)).collect();
    let mut curves = vec![curve.clone()];
    for row in 1..CAPE_ROWS {
        // Over the shoulders first, then down.
        let over = 1.0 - smooth_step(0.0, 5.5, row as f32);
        for (p, s) in curve.iter_mut().zip(&sides) {
            let fall = Vec3::new(SPREAD * s, -1.0 + 0.3 * over, -BACK - 1.2 * over * s * s).normalize();
            let mut next = *p + EDGE * fall;
            for _ in 0..16 {
                next = settled(next, CLEAR);
                next = *p + EDGE * (next - *p).normalize_or(fall);
            }
            *p = next;
        }
        curves.push(curve.clone());
    }
    let woven = weave(&curves, false, EDGE, 8);
    let held: Vec<bool> = woven.rows.iter().map(|row| *row == 0).collect();
    let influences = woven.mesh.points.iter().zip(&held).map(|(p, held)| cape_joints(*p, *held)).collect();
    let material = Material { name: "cape", color: [44, 58, 112], roughness: 78, double_sided: true };
    Garment { name: "cloth_cape", material, woven, held, influences }
}
