//! Clusters: parts of objects whose particles fit the memory of a workgroup, so that one workgroup solves all constraints between
//! them. What several clusters share is split into phantom particles, one for each, as in paper 3.

use glam::Vec3;

use super::kind::Row;

/// Part of the room of a cluster that is filled at first: the rest is for what it shares with others.
const FILLED: f64 = 0.85;

/// The cluster of each row, so that the rows of a cluster join at most `room` particles. Rows that share a particle are in one
/// cluster as long as there is room; what is larger is cut across its longest side. `positions` are those of the particles [m].
pub(super) fn cluster_rows(rows: &[Row], positions: &[Vec3], room: usize) -> Vec<u32> {
    let mut counter = Counter { seen: vec![0; positions.len()], stamp: 0 };
    let mut clusters = vec![0; rows.len()];
    let (mut next, mut filled) = (0, 0);
    for object in objects(rows, positions.len()) {
        let size = counter.count(rows, &object);
        if size <= room {
            // Small ones lie together.
            if filled + size > room {
                (next, filled) = (next + 1, 0);
            }
            filled += size;
            object.iter().for_each(|i| clusters[*i as usize] = next);
            continue;
        }
        if filled > 0 {
            (next, filled) = (next + 1, 0);
        }
        let centers: Vec<Vec3> = object.iter().map(|i| center(&rows[*i as usize], positions)).collect();
        let mut parts = vec![(0..object.len() as u32).collect::<Vec<u32>>()];
        while let Some(mut part) = parts.pop() {
            let own: Vec<u32> = part.iter().map(|k| object[*k as usize]).collect();
            let size = counter.count(rows, &own);
            if size <= room {
                own.iter().for_each(|i| clusters[*i as usize] = next);
                next += 1;
                continue;
            }
            // As many on both sides as whole clusters take.
            let pieces = (size as f64 / (FILLED * room as f64)).ceil().max(2.0) as usize;
            let cut = part.len() * (pieces / 2) / pieces;
            let axis = longest_side(part.iter().map(|k| centers[*k as usize]));
            let by = |k: &u32| (centers[*k as usize].dot(axis), *k);
            part.select_nth_unstable_by(cut, |a, b| by(a).0.total_cmp(&by(b).0).then(a.cmp(b)));
            let rest = part.split_off(cut);
            parts.extend([rest, part]);
        }
    }
    clusters
}

/// Whether every object has room in a cluster, so that clusters share nothing.
pub(super) fn fit_clusters(rows: &[Row], particle_count: usize, room: usize) -> bool {
    let mut counter = Counter { seen: vec![0; particle_count], stamp: 0 };
    objects(rows, particle_count).iter().all(|object| counter.count(rows, object) <= room)
}

/// Rows that share particles, directly or over others, in the order of their first.
fn objects(rows: &[Row], particle_count: usize) -> Vec<Vec<u32>> {
    let mut parents: Vec<u32> = (0..particle_count as u32).collect();
    for row in rows {
        for particle in row.joined() {
            let (a, b) = (root(&mut parents, row.particles[0]), root(&mut parents, *particle));
            parents[a.max(b) as usize] = a.min(b);
        }
    }
    let mut place = vec![u32::MAX; particle_count];
    let mut objects: Vec<Vec<u32>> = Vec::new();
    for (row, i) in rows.iter().zip(0..) {
        let object = &mut place[root(&mut parents, row.particles[0]) as usize];
        if *object == u32::MAX {
            *object = objects.len() as u32;
            objects.push(Vec::new());
        }
        objects[*object as usize].push(i);
    }
    objects
}

/// The lowest that `node` is joined with so far.
fn root(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        parents[node as usize] = parents[parents[node as usize] as usize];
        node = parents[node as usize];
    }
    node
}

fn center(row: &Row, positions: &[Vec3]) -> Vec3 {
    let joined = row.joined();
    joined.iter().map(|p| positions[*p as usize]).sum::<Vec3>() / joined.len() as f32
}

fn longest_side(points: impl Iterator<Item = Vec3>) -> Vec3 {
    let (low, high) = points.fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(p), high.max(p)));
    let size = high - low;
    let longest = size.max_element();
    [Vec3::X, Vec3::Y, Vec3::Z].into_iter().find(|axis| size.dot(*axis) >= longest).unwrap_or(Vec3::X)
}

/// Counts different particles.
struct Counter {
    seen: Vec<u32>,
    stamp: u32,
}

impl Counter {
    fn count(&mut self, rows: &[Row], of: &[u32]) -> usize {
        self.stamp += 1;
        let particles = of.iter().flat_map(|i| rows[*i as usize].joined());
        particles.filter(|p| std::mem::replace(&mut self.seen[**p as usize], self.stamp) != self.stamp).count()
    }
}
