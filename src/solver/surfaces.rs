//! Surfaces of free particles as facets: triangles, then the free particles that belong to none. Each corner and each edge is
//! answered for by one facet, so that a search over pairs of facets looks at every two of them once.

use std::collections::HashSet;

use super::tables::NONE;
use super::Solver;
use crate::gpu_struct;
use crate::scene::{Phase, Scene};

/// Bit of the first edge that a facet answers for: `OWNS_EDGE` of `common/facet`.
const OWNS_EDGE: u32 = 8;

gpu_struct! {
    /// `SurfacePair` of `common/facet`.
    pub(super) struct SurfacePairRow as "SurfacePair" {
        pub(super) particles: [u32; 4],
        pub(super) frame: [f32; 4],
        pub(super) weights: [f32; 4],
    }
}

/// Facets of a scene; none when nothing could meet them.
#[derive(Debug, Default)]
pub(super) struct Surfaces {
    /// Corners, then the bits of what the facet answers for; a point has one corner three times.
    pub(super) facets: Vec<[u32; 4]>,
    /// The first facets are triangles.
    pub(super) triangle_count: u32,
    /// Mean of the longest sides of the triangles at the start, and twice the radius of their particles [m].
    pub(super) size: f32,
}

impl Surfaces {
    /// `primary` is the body of each particle, `NONE` for free ones.
    pub(super) fn new(scene: &Scene, primary: &[u32]) -> Self {
        if !meet(scene, primary) {
            return Self::default();
        }
        let (mut corners, mut edges) = (HashSet::new(), HashSet::new());
        let mut facets = Vec::with_capacity(scene.triangles.len());
        let mut size = 0.0;
        for t in &scene.triangles {
            let mut bits = 0;
            let mut longest: f32 = 0.0;
            for k in 0..3 {
                let (p, q) = (t[k], t[(k + 1) % 3]);
                bits |= u32::from(corners.insert(p)) << k;
                bits |= (OWNS_EDGE << k) * u32::from(edges.insert((p.min(q), p.max(q))));
                let [from, to] = [p, q].map(|i| scene.particles[i as usize].position);
                longest = longest.max(from.distance(to));
            }
            facets.push([t[0], t[1], t[2], bits]);
            size += longest + 2.0 * scene.particles[t[0] as usize].radius;
        }
        let triangle_count = facets.len() as u32;
        let alone = |i: &u32| {
            let ghost = scene.particles[*i as usize].phase.contains(Phase::GHOST);
            primary[*i as usize] == NONE && !ghost && !corners.contains(i)
        };
        facets.extend((0..scene.particles.len() as u32).filter(alone).map(|i| [i, i, i, 1]));
        Self { facets, triangle_count, size: size / triangle_count.max(1) as f32 }
    }

    /// Buckets of the hash grid of facets: a power of two, about two for each.
    pub(super) fn buckets(&self) -> u32 {
        (2 * self.facets.len() as u32).next_power_of_two()
    }
}

/// Whether free particles may meet a triangle: one object alone that does not meet itself has no use for its surface.
fn meet(scene: &Scene, primary: &[u32]) -> bool {
    let mut free = scene.particles.iter().zip(primary).filter(|(_, body)| **body == NONE).map(|(p, _)| p.phase);
    let first = free.next();
    !scene.triangles.is_empty()
        && first.is_some_and(|phase| {
            phase.contains(Phase::MEETS_ITSELF)
                || phase.group() == 0
                || free.any(|other| other.group() != phase.group())
        })
}

impl Solver {
    /// Side of a cell of the hash grid of facets [m].
    pub(super) fn facet_cell(&self) -> f32 {
        self.facet_size.max(1e-6)
    }
}
