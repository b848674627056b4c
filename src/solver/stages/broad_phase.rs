//! The broad phase: a hash grid of proxies, and what is near each of them. A proxy is a ball: each body's particles in a few balls, each free particle alone. Searching between balls of a
//! dozen particles is an order of magnitude less work than between particles, and the contacts found are the same.

use std::collections::{BTreeMap, HashSet};

use glam::Vec3;

use super::ground::{NONE, SCAN_BLOCK, SCAN_EACH, SCAN_THREADS, World, cell_count};
use super::rows::vec4;
use super::stage::{Frame, Pass, Trigger};
use crate::gpu::wgsl::common::body::PHASE_SKINNED;
use crate::gpu::wgsl::common::grid::{CANDIDATE_COLLIDERS, CANDIDATE_HEAD, Proxy, SORTED_ROWS};
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};
use crate::scene::{Phase, Scene};

static COUNT: Pass = Pass::new("broad_phase/count");
static SCAN_BLOCKS: Pass = Pass::new("broad_phase/scan_blocks");
static SCAN_SUMS: Pass = Pass::new("broad_phase/scan_sums");
static SCAN_ADD: Pass = Pass::new("broad_phase/scan_add");
static SCATTER: Pass = Pass::new("broad_phase/scatter");
static SORT: Pass = Pass::new("broad_phase/sort");
static CANDIDATES: Pass = Pass::new("broad_phase/candidates");

/// Largest ball, in radii of the scene's largest particle: about 3 x 3 x 3 lattice particles.
const LARGEST: f32 = 5.3;
/// How far a body's surface lies beyond its particles' balls, in radii: between four particles of a lattice, and in the
/// corner of a cube of them.
const SURFACE: f32 = 0.75;

/// Bodies and particles that a proxy can list as near: `narrow_phase/find` has a bit for each and some to spare.
const CANDIDATES_OF_ONE: u32 = 124;

/// The broad phase in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    pub(in crate::solver) proxies: u32,
    /// Buckets of the hash grid.
    pub(in crate::solver) cells: u32,
    /// Bodies and particles that a proxy can list as near.
    pub(in crate::solver) candidate_capacity: u32,
    /// Free particles that may meet another one as balls.
    pub(in crate::solver) meeting_balls: u32,
    /// Largest reach of a proxy, and largest radius of a free particle [m].
    pub(in crate::solver) reach: f32,
    pub(in crate::solver) free_radius: f32,
}

impl Stage {
    /// Sorts proxies into the grid and lists what is near each.
    pub(in crate::solver) fn search(&self, f: &mut Frame) {
        if self.proxies == 0 {
            return;
        }
        f.run_when(Trigger::Contacts, &COUNT, self.proxies);
        f.run_when(Trigger::Contacts, &SCAN_BLOCKS, self.cells / SCAN_EACH);
        f.run_when(Trigger::Contacts, &SCAN_SUMS, SCAN_THREADS);
        f.run_when(Trigger::Contacts, &SCAN_ADD, self.cells);
        f.run_when(Trigger::Contacts, &SCATTER, self.proxies);
        f.run_when(Trigger::Contacts, &SORT, self.proxies);
        f.run_when(Trigger::Contacts, &CANDIDATES, self.proxies);
    }
}

/// Rows that follow from the scene.
#[derive(Debug, Default)]
pub(in crate::solver) struct Tables {
    pub(in crate::solver) rows: Vec<Proxy>,
    /// Proxy of each particle, shape [particle_count].
    pub(in crate::solver) of_particle: Vec<u32>,
    /// Largest reach [m].
    pub(in crate::solver) reach: f32,
    /// Largest radius of a free particle [m].
    pub(in crate::solver) free_radius: f32,
}

impl Tables {
    /// `primary` is the body that answers for each particle's contacts, `NONE` for free ones.
    pub(in crate::solver) fn new(scene: &Scene, primary: &[u32], skinned: &HashSet<u32>) -> Self {
        let largest = LARGEST * scene.particles.iter().fold(0.0, |r: f32, p| r.max(p.radius));
        let mut proxies = Self { of_particle: vec![0; scene.particles.len()], ..Self::default() };
        for (index, body) in scene.bodies.iter().enumerate() {
            let mut members: Vec<(u32, Vec3)> = body
                .links
                .iter()
                .filter(|l| primary[l.particle.0 as usize] == index as u32)
                .map(|l| (l.particle.0, l.local))
                .collect();
            proxies.split(scene, index as u32, &mut members, largest);
        }
        for (i, particle) in scene.particles.iter().enumerate().filter(|(i, _)| primary[*i] == NONE) {
            proxies.of_particle[i] = proxies.rows.len() as u32;
            proxies.reach = proxies.reach.max(particle.radius);
            proxies.free_radius = proxies.free_radius.max(particle.radius);
            proxies.rows.push(Proxy {
                local: [0.0, 0.0, 0.0, particle.radius],
                body: NONE,
                particle: i as u32,
                phase: particle.phase.0 | if skinned.contains(&(i as u32)) { PHASE_SKINNED } else { 0 },
                ..Proxy::default()
            });
        }
        proxies.group();
        proxies
    }

    /// The proxies of bodies: their rows, the body of each and its phase.
    pub(in crate::solver) fn of_bodies(&self) -> impl Iterator<Item = (usize, u32, u32)> {
        let rows = self.rows.iter().enumerate().filter(|(_, row)| row.body != NONE);
        rows.map(|(place, row)| (place, row.body, row.phase))
    }

    /// What is left of them in a frame; none where nothing meets. So many free particles may meet one another as balls.
    pub(in crate::solver) fn stage(&self, world: World, meeting_balls: usize) -> Stage {
        let proxies = if world.meets { self.rows.len() } else { 0 };
        Stage {
            proxies: proxies as u32,
            cells: cell_count(proxies),
            candidate_capacity: CANDIDATES_OF_ONE,
            meeting_balls: meeting_balls as u32,
            reach: self.reach,
            free_radius: self.free_radius,
        }
    }

    /// Makes the buffers of the broad phase.
    pub(in crate::solver) fn create(&self, b: &mut Buffers, stage: &Stage) -> Result<(), GpuError> {
        let rows = &self.rows[..stage.proxies as usize];
        let (proxies, cells, none) = (rows.len(), stage.cells as usize, BufferUsages::empty());
        b.create::<u32>("cell_counts", cells, none)?; // [cells] particles of a bucket; zero between searches
        b.create::<u32>("cell_starts", 2 * cells + 1, none)?; // [2 cells + 1] see `solid_mark` of common/grid
        b.create::<u32>("block_sums", cells / SCAN_BLOCK as usize, none)?; // scan totals
        b.create_with("proxies", rows)?; // [proxy_count] balls around particles, in their body's frame
        b.create::<[f32; 4]>("proxy_positions", proxies, none)?; // [proxy_count] center [m], reach [m]
        b.create::<u32>("proxy_buckets", proxies, none)?; // [proxy_count]
        b.create::<u32>("bucket_proxies", proxies, none)?; // [proxy_count] by bucket, order undefined
        b.create_texture("sorted_proxies", SORTED_ROWS as usize * proxies)?; // [proxy_count, 2] by bucket, then id
        let row = CANDIDATE_HEAD + CANDIDATE_COLLIDERS + stage.candidate_capacity;
        b.create::<u32>("candidates", proxies * row as usize, none) // [proxy_count * candidate_row] what is near each proxy
    }

    /// Numbers the proxies by the group of their particles, so that those of a group follow one another in every cell; those that
    /// triangles stand for come before all others.
    fn group(&mut self) {
        let mut order: Vec<u32> = (0..self.rows.len() as u32).collect();
        order.sort_by_key(|i| {
            let phase = Phase(self.rows[*i as usize].phase);
            // Where the last of a group does not meet it, none does.
            (
                phase.0 & PHASE_SKINNED == 0,
                phase.group(),
                phase.contains(Phase::LIQUID),
                phase.contains(Phase::MEETS_ITSELF),
            )
        });
        let mut place = vec![0; order.len()];
        for (to, from) in order.iter().enumerate() {
            place[*from as usize] = to as u32;
        }
        self.rows = order.iter().map(|i| self.rows[*i as usize]).collect();
        self.of_particle.iter_mut().for_each(|proxy| *proxy = place[*proxy as usize]);
    }

    /// Halves the particles along their longest side until they fit in a ball of radius `largest` [m].
    fn split(&mut self, scene: &Scene, body: u32, members: &mut [(u32, Vec3)], largest: f32) {
        if members.is_empty() {
            return;
        }
        let low = members.iter().fold(Vec3::MAX, |m, (_, p)| m.min(*p));
        let high = members.iter().fold(Vec3::MIN, |m, (_, p)| m.max(*p));
        let center = 0.5 * (low + high);
        let radius_of = |i: u32| scene.particles[i as usize].radius;
        let reach =
            members.iter().map(|(i, p)| p.distance(center) + (1.0 + SURFACE) * radius_of(*i)).fold(0.0, f32::max);
        if reach > largest && members.len() > 1 {
            let axis = (high - low).max_position();
            members.sort_by(|(i, p), (j, q)| p[axis].total_cmp(&q[axis]).then(i.cmp(j)));
            let (lower, upper) = members.split_at_mut(members.len() / 2);
            self.split(scene, body, lower, largest);
            self.split(scene, body, upper, largest);
            return;
        }
        for (i, _) in members.iter() {
            self.of_particle[*i as usize] = self.rows.len() as u32;
        }
        self.reach = self.reach.max(reach);
        // Ghosts among living particles must not silence them: the narrow phase knows each particle's own phase.
        let phase = members.iter().map(|(i, _)| scene.particles[*i as usize].phase.0).fold(u32::MAX, |a, b| a & b);
        self.rows.push(Proxy { local: vec4(center, reach), body, particle: NONE, phase, ..Proxy::default() });
    }
}

/// How many free particles may meet another one as balls, by their phases: without any of them nobody looks for one.
pub(in crate::solver) fn meeting_balls(phases: impl Iterator<Item = u32>) -> usize {
    let mut counts = BTreeMap::new();
    for phase in phases.filter(|phase| !Phase(*phase).contains(Phase::GHOST)) {
        *counts.entry(phase).or_insert(0) += 1;
    }
    let meets = |own: u32| counts.iter().any(|(other, count)| !filtered(own, *other) && (own != *other || *count > 1));
    counts.iter().filter(|(own, _)| meets(**own)).map(|(_, count)| count).sum()
}

/// `filtered` of `common/body`.
fn filtered(a: u32, b: u32) -> bool {
    let group = Phase(a).group();
    let joined = group != 0 && group == Phase(b).group() && a & b & Phase::MEETS_ITSELF.0 == 0;
    joined || a & b & (Phase::LIQUID.0 | PHASE_SKINNED) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{BodyDesc, Particle};

    #[test]
    fn only_balls_that_may_meet_are_counted() {
        let (cloth, other, folds) = (1 << 8, 2 << 8, (3 << 8) | Phase::MEETS_ITSELF.0);
        let count = |phases: &[u32]| meeting_balls(phases.iter().copied());
        assert_eq!(count(&[]), 0);
        // One object that does not meet itself, and a particle of none; liquid, and skins, among their like.
        assert_eq!(count(&[cloth; 3]), 0);
        assert_eq!(count(&[0]), 0);
        assert_eq!(count(&[Phase::LIQUID.0; 3]), 0);
        assert_eq!(count(&[cloth | PHASE_SKINNED, other | PHASE_SKINNED]), 0);
        assert_eq!(count(&[cloth, cloth, Phase::GHOST.0]), 0);
        assert_eq!(count(&[cloth, cloth, other]), 3);
        assert_eq!(count(&[folds, folds]), 2);
        assert_eq!(count(&[0, 0]), 2);
        assert_eq!(count(&[Phase::LIQUID.0, Phase::LIQUID.0, cloth, cloth]), 4);
    }

    #[test]
    fn every_particle_lies_in_its_proxy() {
        let mut scene = Scene::default();
        scene.add_body(BodyDesc::cuboid(Vec3::new(1.0, 0.2, 0.4), 0.05)).unwrap();
        scene.add_body(BodyDesc::sphere(0.05, 0.05)).unwrap();
        let free =
            Particle { position: Vec3::Y, velocity: Vec3::ZERO, radius: 0.04, mass: 1.0, phase: Phase::default() };
        scene.add_particle(free).unwrap();
        let primary: Vec<u32> = (0..scene.particles.len())
            .map(|i| scene.bodies.iter().position(|b| b.links.iter().any(|l| l.particle.0 == i as u32)))
            .map(|b| b.map_or(NONE, |b| b as u32))
            .collect();
        let proxies = Tables::new(&scene, &primary, &HashSet::new());
        for (index, body) in scene.bodies.iter().enumerate() {
            for link in &body.links {
                let row = &proxies.rows[proxies.of_particle[link.particle.0 as usize] as usize];
                assert_eq!(row.body, index as u32);
                let center = Vec3::new(row.local[0], row.local[1], row.local[2]);
                let radius = scene.particles[link.particle.0 as usize].radius;
                assert!(center.distance(link.local) + radius <= row.local[3]);
                assert!(row.local[3] <= LARGEST * 0.05 + 1e-6);
            }
        }
        assert!(proxies.rows.len() < scene.particles.len() / 8, "{} proxies", proxies.rows.len());
        assert_eq!(proxies.rows.last().unwrap().particle, scene.particles.len() as u32 - 1);
    }

    #[test]
    fn proxies_of_a_group_follow_one_another() {
        let mut scene = Scene::default();
        for i in 0..9_u32 {
            let phase = Phase::default().with_group(i % 3);
            let position = Vec3::X * i as f32;
            scene.add_particle(Particle { position, velocity: Vec3::ZERO, radius: 0.04, mass: 1.0, phase }).unwrap();
        }
        let proxies = Tables::new(&scene, &[NONE; 9], &HashSet::new());
        assert_eq!(proxies.rows.iter().map(|row| row.particle).collect::<Vec<_>>(), [0, 3, 6, 1, 4, 7, 2, 5, 8]);
        assert!((0..9).all(|i| proxies.rows[proxies.of_particle[i] as usize].particle == i as u32));
    }
}
