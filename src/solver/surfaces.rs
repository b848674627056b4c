//! Surfaces of free particles as facets: triangles, then the free particles that belong to none. Each corner and each edge is
//! answered for by one facet, so that a search over pairs of facets looks at every two of them once.

use std::collections::{HashMap, HashSet};

use glam::Vec3;

use super::Solver;
use super::rows::vec4;
use super::step::Sizes;
use super::tables::NONE;
use crate::gpu_struct;
use crate::scene::{Phase, Scene};

/// Triangles of a patch: `PATCH` of `common/facet`.
const PATCH: usize = 8;
/// Bit of the first edge that a facet answers for: `OWNS_EDGE` of `common/facet`.
const OWNS_EDGE: u32 = 8;
/// Bit of a torn triangle: `TORN` of `common/facet`.
pub(super) const TORN: u32 = 1 << 31;

/// Bit of the phase of a particle whose object's triangles meet those of others: `PHASE_SKINNED` of `common/body`.
pub(super) const SKINNED: u32 = 1 << 4;

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
    /// The facet of each triangle of the scene, `NONE` without facets.
    pub(super) places: Vec<u32>,
    /// Particles that their object's triangles stand for: corners of those that stay whole, and what is inside of tetrahedra.
    pub(super) skinned: HashSet<u32>,
    /// Their centers at the start [m].
    pub(super) rests: Vec<[f32; 4]>,
    /// The first facets are triangles, in so many patches.
    triangle_patches: u32,
    /// These patches, and the points.
    patches: u32,
    /// Mean side of a patch at the start, with twice the radius of its particles [m].
    size: f32,
}

impl Surfaces {
    /// `primary` is the body of each particle, `NONE` for free ones.
    pub(super) fn new(scene: &Scene, primary: &[u32]) -> Self {
        if !meet(scene, primary) {
            return Self { places: vec![NONE; scene.triangles.len()], ..Self::default() };
        }
        let mut triangles = scene.triangles.clone();
        let group = |t: &[u32; 3]| scene.particles[t[0] as usize].phase.0;
        triangles.sort_by_key(group);
        let mut surfaces = Self::default();
        for object in triangles.chunk_by_mut(|a, b| group(a) == group(b)) {
            surfaces.split(scene, object);
        }
        let rows = surfaces.facets.iter().zip(0_u32..).map(|(row, place)| ([row[0], row[1], row[2]], place));
        let place_of: HashMap<[u32; 3], u32> = rows.collect();
        surfaces.places = scene.triangles.iter().map(|t| place_of[t]).collect();
        surfaces.triangle_patches = (surfaces.facets.len() / PATCH) as u32;
        surfaces.size /= surfaces.triangle_patches as f32;
        let (mut corners, mut edges) = (HashSet::new(), HashSet::new());
        for row in surfaces.facets.iter_mut().filter(|row| row[0] != NONE) {
            for k in 0..3 {
                let (p, q) = (row[k], row[(k + 1) % 3]);
                row[3] |= u32::from(corners.insert(p)) << k;
                row[3] |= (OWNS_EDGE << k) * u32::from(edges.insert((p.min(q), p.max(q))));
            }
        }
        let group = |i: u32| scene.particles[i as usize].phase.group();
        let groups: HashSet<u32> = corners.iter().map(|i| group(*i)).collect();
        let tets = scene.constraints.iter().filter(|row| ["volume", "neo_hookean"].contains(&row.kind.name));
        let inside = tets.flat_map(|row| row.particles).filter(|i| group(*i) != 0 && groups.contains(&group(*i)));
        let torn = scene.tears.iter().flat_map(|tear| &tear.faces).flat_map(|face| scene.triangles[*face as usize]);
        let torn: HashSet<u32> = torn.collect();
        surfaces.skinned = corners.iter().copied().filter(|i| !torn.contains(i)).chain(inside).collect();
        let alone = |i: &u32| {
            let ghost = scene.particles[*i as usize].phase.contains(Phase::GHOST);
            primary[*i as usize] == NONE && !ghost && !corners.contains(i) && !surfaces.skinned.contains(i)
        };
        let points: Vec<[u32; 4]> = (0..scene.particles.len() as u32).filter(alone).map(|i| [i, i, i, 1]).collect();
        surfaces.patches = surfaces.triangle_patches + points.len() as u32;
        surfaces.facets.extend(points);
        let place = |i: &u32| scene.particles.get(*i as usize).map_or(Vec3::ZERO, |p| p.position);
        let center = |row: &[u32; 4]| row[..3].iter().map(place).sum::<Vec3>() / 3.0;
        surfaces.rests = surfaces.facets.iter().map(|row| vec4(center(row), 0.0)).collect();
        surfaces
    }

    /// Halves triangles along their longest side into patches, all but the last of them full.
    fn split(&mut self, scene: &Scene, triangles: &mut [[u32; 3]]) {
        let place = |i: u32| scene.particles[i as usize].position;
        let center = |t: &[u32; 3]| t.iter().map(|i| place(*i)).sum::<Vec3>();
        let corners = triangles.iter().flatten().map(|i| place(*i));
        let (low, high) = corners.fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(p), high.max(p)));
        if triangles.len() > PATCH {
            let axis = (high - low).max_position();
            triangles.sort_by(|a, b| center(a)[axis].total_cmp(&center(b)[axis]).then(a.cmp(b)));
            let half = triangles.len().div_ceil(2).next_multiple_of(PATCH).min(triangles.len() - 1);
            let (lower, upper) = triangles.split_at_mut(half);
            self.split(scene, lower);
            self.split(scene, upper);
            return;
        }
        self.size += (high - low).max_element() + 2.0 * scene.particles[triangles[0][0] as usize].radius;
        let rows = triangles.iter().map(|[a, b, c]| [*a, *b, *c, 0]);
        self.facets.extend(rows.chain(std::iter::repeat([NONE; 4])).take(PATCH));
    }

    /// Sizes of passes over surfaces, all others 0. The hash grid has a power of two of buckets, about two for each patch.
    pub(super) fn sizes(&self) -> Sizes {
        Sizes {
            triangle_patches: self.triangle_patches,
            patches: self.patches,
            facet_cells: (2 * self.patches).next_power_of_two(),
            patch_size: self.size,
            ..Sizes::default()
        }
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
    /// Side of a cell of the hash grid of patches [m].
    pub(super) fn facet_cell(&self) -> f32 {
        (self.sizes.patch_size * self.scene.params.cell_scale).max(1e-6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demos::stage_for;
    use crate::gpu::layout::GpuStruct;
    use crate::gpu::shader;

    #[test]
    fn the_row_equals_its_twin() {
        assert_eq!(SurfacePairRow::check(&shader::compose("triangles/measure").unwrap().text), Ok(()));
    }

    #[test]
    fn every_corner_and_edge_is_answered_for_once() {
        let sets = [("side", "9"), ("count", "2")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let scene = stage_for("layers", &sets).unwrap().scene;
        let surfaces = Surfaces::new(&scene, &vec![NONE; scene.particles.len()]);
        let triangles = surfaces.facets.iter().filter(|row| row[0] != NONE);
        assert_eq!(triangles.clone().count(), scene.triangles.len());
        let owned = |bits: u32| triangles.clone().map(|row| (row[3] & bits).count_ones() as usize).sum::<usize>();
        // Euler: corners - edges + triangles is 1 for each sheet.
        assert_eq!(owned(OWNS_EDGE - 1), scene.particles.len());
        assert_eq!(owned(7 * OWNS_EDGE), scene.particles.len() + scene.triangles.len() - 2);
        for (triangle, place) in scene.triangles.iter().zip(&surfaces.places) {
            assert_eq!(surfaces.facets[*place as usize][..3], triangle[..]);
        }
    }
}
