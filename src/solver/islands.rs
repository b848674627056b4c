//! Packs joints into clusters: islands of jointed bodies, several small ones to a workgroup, colored inside.

use super::rows::ClusterRow;
use crate::constraints::color_greedy;
use crate::scene::Scene;

/// Joints of one color that a workgroup solves at once; `WIDTH` of `joints/solve`.
const CLUSTER_WIDTH: usize = 32;

/// The order in which joints are solved.
#[derive(Debug, Default)]
pub(super) struct Islands {
    /// Scene index of each joint in solving order: by cluster, then color.
    pub(super) order: Vec<u32>,
    /// Clusters: ranges of `color_starts`.
    pub(super) clusters: Vec<ClusterRow>,
    /// First joint of every color of every cluster; each cluster's last entry is its end.
    pub(super) color_starts: Vec<u32>,
    /// Most colors in a cluster.
    pub(super) colors: u32,
}

impl Islands {
    pub(super) fn new(scene: &Scene) -> Self {
        // Kinematic bodies are never written, so joints on one do not conflict and do not tie islands together.
        let moving: Vec<Vec<u32>> = scene
            .joints
            .iter()
            .map(|j| [j.desc.a, j.desc.b].into_iter().filter(|b| !scene.body(*b).kinematic).map(|b| b.0).collect())
            .collect();
        let colors = color_greedy(moving.len(), scene.bodies.len(), |i| moving[i].as_slice());
        let mut islands = Self::default();
        let mut pending: Vec<Vec<u32>> = Vec::new();
        for island in connected(&moving, scene.bodies.len()) {
            let mut by_color: Vec<Vec<u32>> = Vec::new();
            for joint in island {
                let color = colors[joint as usize] as usize;
                by_color.resize_with(by_color.len().max(color + 1), Vec::new);
                by_color[color].push(joint);
            }
            let fits = by_color.iter().zip(&pending).all(|(a, b)| a.len() + b.len() <= CLUSTER_WIDTH);
            if !fits {
                islands.close(&mut pending);
            }
            pending.resize_with(pending.len().max(by_color.len()), Vec::new);
            for (all, more) in pending.iter_mut().zip(by_color) {
                all.extend(more);
            }
        }
        islands.close(&mut pending);
        islands
    }

    fn close(&mut self, pending: &mut Vec<Vec<u32>>) {
        if pending.is_empty() {
            return;
        }
        self.colors = self.colors.max(pending.len() as u32);
        self.clusters
            .push(ClusterRow { first_color: self.color_starts.len() as u32, color_count: pending.len() as u32 });
        for color in pending.drain(..) {
            self.color_starts.push(self.order.len() as u32);
            self.order.extend(color);
        }
        self.color_starts.push(self.order.len() as u32);
    }
}

/// Joints tied together by shared moving bodies, each island in joint order, islands by their first joint.
fn connected(moving: &[Vec<u32>], body_count: usize) -> Vec<Vec<u32>> {
    let mut touching = vec![Vec::new(); body_count];
    for (joint, bodies) in moving.iter().enumerate() {
        for b in bodies {
            touching[*b as usize].push(joint as u32);
        }
    }
    let mut seen = vec![false; moving.len()];
    let mut islands = Vec::new();
    for start in 0..moving.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut island = vec![start as u32];
        let mut next = 0;
        while next < island.len() {
            for b in &moving[island[next] as usize] {
                for joint in &touching[*b as usize] {
                    if !std::mem::replace(&mut seen[*joint as usize], true) {
                        island.push(*joint);
                    }
                }
            }
            next += 1;
        }
        island.sort_unstable();
        islands.push(island);
    }
    islands
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{BodyDesc, JointDesc, JointKind};
    use glam::Vec3;

    fn chain(scene: &mut Scene, length: usize, x: f32) {
        let bodies: Vec<_> = (0..length)
            .map(|i| scene.add_body(BodyDesc::sphere(0.1, 0.1).at(Vec3::new(x, i as f32, 0.0))).unwrap())
            .collect();
        for pair in bodies.windows(2) {
            let pivot = scene.body(pair[0]).position + 0.5 * Vec3::Y;
            scene.add_joint(JointDesc::new(JointKind::Ball, pair[0], pair[1], pivot, Vec3::Y, 0.1)).unwrap();
        }
    }

    #[test]
    fn every_joint_once_and_no_body_twice_in_a_color() {
        let mut scene = Scene::default();
        for i in 0..50 {
            chain(&mut scene, 2 + i % 5, i as f32);
        }
        chain(&mut scene, 200, 100.0);
        let islands = Islands::new(&scene);
        let mut order = islands.order.clone();
        order.sort_unstable();
        assert_eq!(order, (0..scene.joints.len() as u32).collect::<Vec<_>>());
        for cluster in &islands.clusters {
            for c in cluster.first_color..cluster.first_color + cluster.color_count {
                let range = islands.color_starts[c as usize] as usize..islands.color_starts[c as usize + 1] as usize;
                let mut bodies: Vec<u32> = islands.order[range]
                    .iter()
                    .flat_map(|j| [scene.joints[*j as usize].desc.a.0, scene.joints[*j as usize].desc.b.0])
                    .collect();
                let count = bodies.len();
                bodies.sort_unstable();
                bodies.dedup();
                assert_eq!(bodies.len(), count);
            }
        }
        assert_eq!(islands.colors, 2);
        assert!(islands.clusters.len() < 12, "small islands share a workgroup: {}", islands.clusters.len());
    }
}
