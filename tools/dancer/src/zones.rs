//! What the body wears: which material covers a point, and cutting the mesh so that materials end on crisp lines.

use std::collections::HashMap;

use glam::Vec3;

use crate::field;
use crate::mesh::{Mesh, edges};
use crate::skeleton::{ELBOW, WRIST};

/// A material of the dancer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    /// Name in the file.
    pub name: &'static str,
    /// Base color, sRGB.
    pub color: [u8; 3],
    /// Roughness in percent.
    pub roughness: u8,
    /// Whether it is seen from both sides.
    pub double_sided: bool,
}

const fn closed(name: &'static str, color: [u8; 3], roughness: u8) -> Material {
    Material { name, color, roughness, double_sided: false }
}

/// All materials, in the order of the file's primitives.
pub const MATERIALS: [Material; 5] = [
    closed("body", [226, 168, 130], 62),
    closed("suit", [28, 62, 84], 48),
    closed("trim", [240, 98, 62], 45),
    closed("hair", [44, 32, 36], 55),
    closed("lips", [196, 104, 88], 50),
];
const BODY: usize = 0;
const SUIT: usize = 1;
const TRIM: usize = 2;
const HAIR: usize = 3;
const LIPS: usize = 4;

/// Middle of the knot of hair [m].
const KNOT: Vec3 = Vec3::new(0.0, 1.710, -0.120);

/// Width of the piping along the suit's edges [m].
const PIPING: f32 = 0.011;

/// Negative inside the hair.
fn hair(p: Vec3) -> f32 {
    let d = field::distances(p);
    d.hair - d.head.min(d.torso)
}

/// Negative on the ribbon around the base of the knot of hair.
fn ribbon(p: Vec3) -> f32 {
    let behind = (p - KNOT).dot(Vec3::new(0.0, 0.35, -0.94));
    (behind + 0.013).max((p - KNOT).length() - 0.0415)
}

/// How far along the arm `p` lies from `from` [m].
fn along_arm(p: Vec3, from: Vec3, to: Vec3) -> f32 {
    (Vec3::new(p.x.abs(), p.y, p.z) - from).dot((to - from).normalize())
}

/// Negative under the suit: one strap over the left shoulder, the left leg to the ankle, the right one to the thigh.
fn suit(p: Vec3) -> f32 {
    let neckline = p.y - (1.352 + 0.30 * p.x + 5.6 * p.x.max(0.0) * p.x);
    // A plane from the top of the shoulder down through the armpit; it leans outward to leave ribs and hips inside.
    let armhole = p.x.abs() - 0.151 + 0.18 * (p.y - 1.42);
    let hem = if p.x > 0.0 { 0.135 - p.y } else { 0.660 - 0.25 * p.x - p.y };
    neckline.max(armhole).max(hem)
}

/// Negative inside the slippers.
fn slipper(p: Vec3) -> f32 {
    if p.y > 0.2 { 1.0 } else { (p.y - 0.058 + 0.30 * (p.z - 0.02)).min(0.085 - p.z) }
}

/// Lower and upper edge of the wrist bands.
fn cuff(p: Vec3, at: f32) -> f32 {
    if p.x.abs() < 0.4 { 1.0 } else { along_arm(p, WRIST, ELBOW) - at }
}

/// A stroke painted on both sides of the face along an arc [m].
struct Stroke {
    /// Its middle, x and y.
    middle: [f32; 2],
    /// From the middle to an end.
    width: f32,
    /// From the arc to an edge, in the middle.
    thickness: f32,
    /// How far the ends hang below the middle.
    hang: f32,
}

const BROW: Stroke = Stroke { middle: [0.033, 1.6615], width: 0.021, thickness: 0.0026, hang: 0.0050 };
const LASHES: Stroke = Stroke { middle: [0.033, 1.6325], width: 0.0165, thickness: 0.0018, hang: -0.0035 };
const MOUTH: Stroke = Stroke { middle: [0.0, 1.5790], width: 0.0225, thickness: 0.0066, hang: -0.0015 };

impl Stroke {
    /// Negative inside.
    fn inside(&self, p: Vec3) -> f32 {
        let (across, above) = self.place(p);
        if p.z < 0.04 { 1.0 } else { above.abs() - self.thickness * (1.0 - across * across) }
    }

    /// Zero on the arc. Cutting there first lets the mesh see strokes that are thinner than its triangles.
    fn spine(&self, p: Vec3) -> f32 {
        let (across, above) = self.place(p);
        let beyond = (across.abs() - 1.1) * self.width;
        if p.z < 0.04 { 1.0 } else { above.max(-above - 0.012).max(beyond) }
    }

    /// Where `p` is: -1..1 from end to end, and height over the arc [m].
    fn place(&self, p: Vec3) -> (f32, f32) {
        let across = (p.x.abs() - self.middle[0]) / self.width;
        (across, p.y - self.middle[1] + self.hang * across * across)
    }
}

/// The lines along which materials meet, each where its function is zero.
const LINES: [fn(Vec3) -> f32; 13] = [
    hair,
    ribbon,
    suit,
    |p| suit(p) + PIPING,
    slipper,
    |p| cuff(p, 0.020),
    |p| cuff(p, 0.044),
    |p| BROW.spine(p),
    |p| BROW.inside(p),
    |p| LASHES.spine(p),
    |p| LASHES.inside(p),
    |p| MOUTH.spine(p),
    |p| MOUTH.inside(p),
];

/// Index into [`MATERIALS`] of a triangle of the cut mesh. Corners on a line count as zero, so the sum is of one side.
pub fn material(corners: [Vec3; 3]) -> usize {
    let inside = |line: &dyn Fn(Vec3) -> f32| corners.iter().map(|p| line(*p)).sum::<f32>() < 0.0;
    match () {
        () if inside(&ribbon) => TRIM,
        () if inside(&hair) || inside(&|p| BROW.inside(p)) || inside(&|p| LASHES.inside(p)) => HAIR,
        () if inside(&|p| MOUTH.inside(p)) => LIPS,
        () if inside(&slipper) || (inside(&|p| cuff(p, 0.044)) && !inside(&|p| cuff(p, 0.020))) => TRIM,
        () if inside(&|p| suit(p) + PIPING) => SUIT,
        () if inside(&suit) => TRIM,
        () => BODY,
    }
}

/// The mesh with edges along every line between two materials.
pub fn cut(mut mesh: Mesh) -> Mesh {
    // Vertices on earlier lines stay where they are.
    let mut fixed = vec![false; mesh.points.len()];
    for line in LINES {
        snap(&mut mesh, line, &mut fixed);
        split(&mut mesh, line);
        fixed.resize(mesh.points.len(), true);
    }
    mesh
}

/// Closer to a line than this, a vertex lies on it [m].
const ON: f32 = 1e-4;

fn side(value: f32) -> i8 {
    if value.abs() < ON { 0 } else { value.signum() as i8 }
}

/// Where the line crosses the surface between `a` and `b`, which lie on different sides of it.
fn crossing(line: fn(Vec3) -> f32, mut a: Vec3, mut b: Vec3) -> Vec3 {
    let (mut at_a, mut at_b) = (line(a), line(b));
    let mut p = a;
    for _ in 0..12 {
        p = field::project(a.lerp(b, (at_a / (at_a - at_b)).clamp(0.1, 0.9)));
        let at_p = line(p);
        if at_p.abs() < 0.2 * ON {
            break;
        }
        if (at_p < 0.0) == (at_a < 0.0) {
            (a, at_a) = (p, at_p);
        } else {
            (b, at_b) = (p, at_p);
        }
    }
    p
}

/// Moves vertices near the line onto it, so that cutting leaves no slivers.
fn snap(mesh: &mut Mesh, line: fn(Vec3) -> f32, fixed: &mut [bool]) {
    let mut sides: Vec<i8> = mesh.points.iter().map(|p| side(line(*p))).collect();
    for (a, b) in mesh.triangles.clone().into_iter().flat_map(edges) {
        if sides[a as usize] * sides[b as usize] >= 0 {
            continue;
        }
        let (pa, pb) = (mesh.points[a as usize], mesh.points[b as usize]);
        let p = crossing(line, pa, pb);
        let at = (p - pa).length() / ((p - pa).length() + (p - pb).length());
        for (v, near) in [(a, at < 0.3), (b, at > 0.7)] {
            if near && !fixed[v as usize] {
                fixed[v as usize] = true;
                mesh.points[v as usize] = p;
                sides[v as usize] = 0;
            }
        }
    }
}

/// Divides the triangles that the line crosses.
fn split(mesh: &mut Mesh, line: fn(Vec3) -> f32) {
    let mut sides: Vec<i8> = mesh.points.iter().map(|p| side(line(*p))).collect();
    let mut cuts: HashMap<(u32, u32), u32> = HashMap::new();
    for (a, b) in mesh.triangles.iter().flat_map(|t| edges(*t)) {
        if a < b && sides[a as usize] * sides[b as usize] < 0 {
            cuts.insert((a, b), mesh.points.len() as u32);
            mesh.points.push(crossing(line, mesh.points[a as usize], mesh.points[b as usize]));
            sides.push(0);
        }
    }
    let cut_of = |a: u32, b: u32| cuts.get(&(a.min(b), a.max(b))).copied();
    let mut triangles = Vec::with_capacity(mesh.triangles.len() + 2 * cuts.len());
    for triangle in &mesh.triangles {
        let cut = edges(*triangle).map(|(a, b)| cut_of(a, b));
        let turned = |by: usize| -> [u32; 3] { std::array::from_fn(|i| triangle[(i + by) % 3]) };
        match cut {
            [None, None, None] => triangles.push(*triangle),
            [Some(m), None, None] => triangles.extend(halves(turned(0), m)),
            [None, Some(m), None] => triangles.extend(halves(turned(1), m)),
            [None, None, Some(m)] => triangles.extend(halves(turned(2), m)),
            [Some(m), None, Some(n)] => triangles.extend(thirds(&mesh.points, turned(0), m, n)),
            [Some(n), Some(m), None] => triangles.extend(thirds(&mesh.points, turned(1), m, n)),
            [None, Some(n), Some(m)] => triangles.extend(thirds(&mesh.points, turned(2), m, n)),
            [Some(_), Some(_), Some(_)] => unreachable!("a line has two sides, so it misses one edge of a triangle"),
        }
    }
    mesh.triangles = triangles;
}

/// Triangle a b c with `m` on the edge a b.
fn halves([a, b, c]: [u32; 3], m: u32) -> [[u32; 3]; 2] {
    [[a, m, c], [m, b, c]]
}

/// Triangle a b c with `m` on the edge a b and `n` on c a; the rest is divided along its shorter diagonal.
fn thirds(points: &[Vec3], [a, b, c]: [u32; 3], m: u32, n: u32) -> [[u32; 3]; 3] {
    let length = |a: u32, b: u32| (points[a as usize] - points[b as usize]).length_squared();
    if length(m, c) < length(b, n) { [[a, m, n], [m, b, c], [m, c, n]] } else { [[a, m, n], [m, b, n], [b, c, n]] }
}
