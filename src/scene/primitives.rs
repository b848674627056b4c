//! Triangles of the primitive shapes, for drawing bodies and colliders.

use glam::{Vec2, Vec3, Vec3Swizzles};

use super::primitive::Primitive;
use super::triangle_mesh::TriangleMesh;

/// Cosine of the angle between faces that still look like one round surface: 40°.
const ROUND: f32 = 0.766;

/// A mesh that is smooth but at its edges: a corner's normal is the mean of the faces there that turn little from its own.
pub(super) fn faceted(mesh: &TriangleMesh) -> Primitive {
    let corners = |t: &[u32; 3]| t.map(|i| mesh.positions[i as usize]);
    let areas: Vec<Vec3> = mesh.triangles.iter().map(|t| area(corners(t))).collect();
    let mut faces_at: Vec<Vec<usize>> = vec![Vec::new(); mesh.positions.len()];
    for (face, t) in mesh.triangles.iter().enumerate() {
        t.iter().for_each(|vertex| faces_at[*vertex as usize].push(face));
    }
    let mut part = Primitive::default();
    for (face, t) in mesh.triangles.iter().enumerate() {
        let own = areas[face].normalize_or(Vec3::Y);
        for vertex in t {
            let near = faces_at[*vertex as usize].iter().map(|f| areas[*f]);
            let sum: Vec3 = near.filter(|other| other.normalize_or_zero().dot(own) > ROUND).sum();
            part.indices.push(part.positions.len() as u32);
            part.positions.push(mesh.positions[*vertex as usize]);
            part.normals.push(sum.normalize_or(own));
        }
    }
    part
}

/// Normal of a triangle, as long as twice its area [m²].
fn area([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}

pub(super) fn cuboid(half: Vec3) -> Primitive {
    let mut part = Primitive::default();
    for normal in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z] {
        let u = normal.yzx();
        let v = normal.cross(u);
        let first = part.positions.len() as u32;
        for (su, sv) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            part.positions.push((normal + u * su + v * sv) * half);
            part.normals.push(normal);
        }
        part.indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
    }
    part
}

/// Ball (`half_length` 0) or capsule along Y.
pub(super) fn round(radius: f32, half_length: f32) -> Primitive {
    const SECTORS: u32 = 24;
    const RINGS: u32 = 14;
    let mut part = Primitive::default();
    for ring in 0..=RINGS {
        let angle = std::f32::consts::PI * (ring as f32 / RINGS as f32 - 0.5);
        // The middle ring is doubled by giving the upper half its own offset: the quads between form the tube.
        let offset = if ring <= RINGS / 2 { -half_length } else { half_length };
        for sector in 0..=SECTORS {
            let turn = std::f32::consts::TAU * sector as f32 / SECTORS as f32;
            let normal = Vec3::new(angle.cos() * turn.cos(), angle.sin(), angle.cos() * turn.sin());
            part.positions.push(normal * radius + Vec3::Y * offset);
            part.normals.push(normal);
        }
    }
    for ring in 0..RINGS {
        for sector in 0..SECTORS {
            let a = ring * (SECTORS + 1) + sector;
            let b = a + SECTORS + 1;
            part.indices.extend([a, b, a + 1, a + 1, b, b + 1]);
        }
    }
    part
}

/// A cylinder along Y with this many sides.
pub(super) fn cylinder(radius: f32, half_length: f32, sectors: u32) -> Primitive {
    let mut part = Primitive::default();
    let out = |sector: u32| Vec2::from_angle(std::f32::consts::TAU * (sector % sectors) as f32 / sectors as f32);
    let at = |sector: u32, y: f32| {
        let out = radius * out(sector);
        Vec3::new(out.x, y * half_length, out.y)
    };
    for sector in 0..sectors {
        let first = part.positions.len() as u32;
        for turn in [sector, sector + 1] {
            let normal = Vec3::new(out(turn).x, 0.0, out(turn).y);
            part.positions.extend([at(turn, -1.0), at(turn, 1.0)]);
            part.normals.extend([normal; 2]);
        }
        part.indices.extend([0, 1, 2, 2, 1, 3].map(|i| first + i));
    }
    for (y, turns) in [(1.0, [1, 0]), (-1.0, [0, 1])] {
        for sector in 0..sectors {
            let first = part.positions.len() as u32;
            part.positions.extend([Vec3::Y * (y * half_length), at(sector + turns[0], y), at(sector + turns[1], y)]);
            part.normals.extend([Vec3::Y * y; 3]);
            part.indices.extend([0, 1, 2].map(|i| first + i));
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_are_smooth_where_they_bend_little_and_sharp_at_edges() {
        // Three faces about the Z axis: 20° and then 90° between them.
        let fold = |angle: f32| glam::Quat::from_rotation_z(angle) * Vec3::X;
        let (near, far) = (fold(-0.35), fold(-0.35 - std::f32::consts::FRAC_PI_2));
        let rows = [Vec3::NEG_X, Vec3::ZERO, near, near + far];
        let positions = rows.iter().flat_map(|p| [*p, *p + Vec3::Z]).collect();
        let triangles =
            (0..3u32).flat_map(|i| [[2 * i, 2 * i + 1, 2 * i + 3], [2 * i, 2 * i + 3, 2 * i + 2]]).collect();
        let part = faceted(&TriangleMesh { positions, triangles });
        let normals = |at: Vec3| {
            part.positions.iter().zip(&part.normals).filter(move |(p, _)| p.distance(at) < 1e-6).map(|(_, n)| *n)
        };
        let soft: Vec<Vec3> = normals(Vec3::ZERO).collect();
        assert!(soft.iter().all(|n| n.distance(soft[0]) < 1e-5), "{soft:?}");
        assert!(soft[0].y > 0.9 && soft[0].x > 0.05, "between both faces: {}", soft[0]);
        let sharp: Vec<Vec3> = normals(near).collect();
        assert!(sharp.iter().any(|n| n.dot(sharp[0]) < 0.5), "{sharp:?}");
    }
}
