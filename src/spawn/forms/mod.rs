//! Bodies of tetrahedra with as many particles and constraints as those of the papers, whose meshes are not published.

mod brick;
pub mod hourglass;
mod onion;
mod round_man;
mod squishy;

pub use brick::brick;
pub use onion::{onion, rabbit};
pub use round_man::round_man;
pub use squishy::squishy_ball;

use glam::Vec3;

use crate::import::tets::TetMesh;

/// Tetrahedra that may turn either way, all of a volume, as a mesh.
///
/// # Panics
/// If one of them has no volume: these shapes are made by us.
fn turned(name: &str, positions: Vec<Vec3>, tets: Vec<[u32; 4]>) -> TetMesh {
    let (mesh, _) = TetMesh::given(name, &positions, &tets).expect("our own shapes are sound");
    assert_eq!((mesh.positions.len(), mesh.tets.len()), (positions.len(), tets.len()), "{name} has flat cells");
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Particles, edges, edges of the surface, tetrahedra.
    fn counts(mesh: &TetMesh) -> [usize; 4] {
        [mesh.positions.len(), mesh.edges().len(), 3 * mesh.surface().len() / 2, mesh.tets.len()]
    }

    /// Compares with published counts, 0 where none is published; within 5 %.
    fn check(name: &str, mesh: &TetMesh, published: [usize; 4]) {
        let found = counts(mesh);
        println!("{name}: {found:?}, published {published:?}, {:?}", mesh.quality());
        for (ours, theirs) in found.into_iter().zip(published).filter(|pair| pair.1 > 0) {
            assert!((ours as f32 / theirs as f32 - 1.0).abs() < 0.05, "{name}: {ours} for {theirs}");
        }
        let mut uses = vec![0; mesh.positions.len()];
        mesh.tets.iter().flatten().for_each(|c| uses[*c as usize] += 1);
        let most = uses.iter().max().copied().unwrap_or(0);
        println!("    most tetrahedra at a particle: {most}, volume {} m³", mesh.volume());
        assert!(most <= 124, "{name}: {most} tetrahedra meet; the papers color with 124");
        let edges: Vec<[u32; 2]> =
            mesh.surface().iter().flat_map(|(f, _)| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]]).collect();
        let known: std::collections::HashSet<_> = edges.iter().copied().collect();
        assert_eq!(known.len(), edges.len(), "{name}: an edge of the surface is used twice");
        assert!(known.iter().all(|[a, b]| known.contains(&[*b, *a])), "{name} is not closed");
    }

    #[test]
    fn bodies_have_the_published_counts() {
        check("s1", &rabbit(1.0), [16_000, 80_000, 42_000, 50_000]);
        check("squishy", &squishy_ball(1.0), [0, 452_000, 0, 250_000]);
        check("omotondo", &round_man(1.0), [0, 80_000, 0, 65_000]);
    }
}
