//! Triangle meshes for tests, made in code.

use glam::Vec3;

use crate::scene::TriangleMesh;

/// Ball of this radius about the origin.
pub(crate) fn sphere(radius: f32, sectors: u32, rings: u32) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for ring in 0..=rings {
        let polar = std::f32::consts::PI * ring as f32 / rings as f32;
        for sector in 0..sectors {
            let turn = std::f32::consts::TAU * sector as f32 / sectors as f32;
            mesh.positions.push(radius * Vec3::new(polar.sin() * turn.cos(), polar.cos(), polar.sin() * turn.sin()));
        }
    }
    for ring in 0..rings {
        for sector in 0..sectors {
            let next = (sector + 1) % sectors;
            let [a, b] = [ring * sectors + sector, ring * sectors + next];
            let [c, d] = [a + sectors, b + sectors];
            mesh.triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    mesh
}

/// Box with these half extents; without its top if `open`.
pub(crate) fn cuboid(half: Vec3, open: bool) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for i in 0..8 {
        let sign = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        mesh.positions.push(half * Vec3::new(sign(0), sign(1), sign(2)));
    }
    let mut quads = vec![[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [0, 2, 3, 1], [4, 5, 7, 6]];
    if !open {
        quads.push([2, 6, 7, 3]);
    }
    mesh.triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    mesh
}
