//! A bounding-box tree over triangles that answers two questions about a point: how often the surface winds around it,
//! and which triangle is nearest. Far clusters wind as dipoles (Barill et al. 2018, Fast Winding Numbers, first order).

use glam::Vec3;

use crate::numbers::cubed;
use crate::scene::{TriangleMesh, closest_on_triangle};

/// Windings above which a point is inside: less than half of one, so that a mesh with holes is still full.
pub const INSIDE: f32 = 0.4;

/// A cluster is a dipole beyond this many of its radii; first order is then within about a hundredth.
const FAR: f32 = 2.5;
/// Triangles in a leaf.
const LEAF: usize = 8;

/// Triangles ready for point queries; triangles without area are left out.
#[derive(Clone, Debug, Default)]
pub struct TriangleTree {
    /// Corners [m], in tree order.
    corners: Vec<[Vec3; 3]>,
    /// Place of each triangle in the list the tree was made from.
    sources: Vec<u32>,
    nodes: Vec<Node>,
}

/// A box of triangles and what they look like from afar.
#[derive(Clone, Copy, Debug)]
struct Node {
    low: Vec3,
    high: Vec3,
    /// Area-weighted center [m].
    center: Vec3,
    /// Sum of area times normal [m²].
    dipole: Vec3,
    /// Farthest corner from the center [m].
    radius: f32,
    /// Range of triangles.
    first: u32,
    count: u32,
    /// First child in a node with children; the second follows the first's subtree.
    children: Option<[u32; 2]>,
}

/// The nearest place on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Triangle in the list the tree was made from.
    pub triangle: usize,
    /// The point [m].
    pub point: Vec3,
    /// Its distance [m].
    pub distance: f32,
}

impl TriangleTree {
    /// A tree over the triangles of `mesh`.
    ///
    /// # Panics
    /// If a triangle names a vertex that is not there.
    pub fn new(mesh: &TriangleMesh) -> Self {
        let mut items: Vec<(u32, [Vec3; 3])> = mesh
            .triangles
            .iter()
            .map(|t| t.map(|i| mesh.positions[i as usize]))
            .enumerate()
            .filter(|(_, [a, b, c])| (*b - *a).cross(*c - *a).length_squared() > 0.0)
            .map(|(index, corners)| (index as u32, corners))
            .collect();
        let mut tree = Self::default();
        if !items.is_empty() {
            tree.build(&mut items, 0);
        }
        (tree.sources, tree.corners) = items.into_iter().unzip();
        tree
    }

    /// Whether no triangle has an area.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Lowest and highest corner of the box around all triangles [m]; zero without triangles.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        self.nodes.first().map_or((Vec3::ZERO, Vec3::ZERO), |n| (n.low, n.high))
    }

    /// Splits at the median of the longest side, so that the depth is the logarithm of the count.
    fn build(&mut self, items: &mut [(u32, [Vec3; 3])], first: usize) -> u32 {
        let index = self.nodes.len();
        self.nodes.push(summary(items, first));
        if items.len() > LEAF {
            let node = self.nodes[index];
            let size = node.high - node.low;
            let axis = (0..3).max_by(|a, b| size[*a].total_cmp(&size[*b])).unwrap_or(0);
            let middle = items.len() / 2;
            let key = |item: &(u32, [Vec3; 3])| item.1[0][axis] + item.1[1][axis] + item.1[2][axis];
            items.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.0.cmp(&b.0)));
            let (left, right) = items.split_at_mut(middle);
            let children = [self.build(left, first), self.build(right, first + middle)];
            self.nodes[index].children = Some(children);
        }
        index as u32
    }

    /// How many times the surface winds around `point`: 1 inside a closed surface, 0 outside, in between near holes.
    pub fn winding(&self, point: Vec3) -> f32 {
        let mut sum = 0.0;
        let mut stack = Vec::with_capacity(64);
        stack.extend((!self.nodes.is_empty()).then_some(0_u32));
        while let Some(index) = stack.pop() {
            let node = &self.nodes[index as usize];
            let offset = node.center - point;
            let distance = offset.length();
            match node.children {
                _ if distance > FAR * node.radius => sum += node.dipole.dot(offset) / cubed(distance),
                Some(children) => stack.extend(children),
                None => sum += self.leaf(node).iter().map(|t| solid_angle(point, *t)).sum::<f32>(),
            }
        }
        sum / (4.0 * std::f32::consts::PI)
    }

    /// The nearest place on the triangles; none without triangles.
    pub fn nearest(&self, point: Vec3) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        let mut stack = Vec::with_capacity(64);
        stack.extend((!self.nodes.is_empty()).then_some(0_u32));
        while let Some(index) = stack.pop() {
            let node = &self.nodes[index as usize];
            if best.is_some_and(|b| self.box_distance(index, point) >= b.distance) {
                continue;
            }
            if let Some([a, b]) = node.children {
                let nearer_is_a = self.box_distance(a, point) <= self.box_distance(b, point);
                stack.extend(if nearer_is_a { [b, a] } else { [a, b] });
                continue;
            }
            for (i, t) in self.leaf(node).iter().enumerate() {
                let mut on = closest_on_triangle(point, t[0], t[1], t[2]);
                if !on.is_finite() {
                    on = t[0];
                }
                let distance = on.distance(point);
                if best.is_none_or(|b| distance < b.distance) {
                    let triangle = self.sources[node.first as usize + i] as usize;
                    best = Some(Nearest { triangle, point: on, distance });
                }
            }
        }
        best
    }

    /// Signed distance to the surface [m], negative where it winds around `point` more than [`INSIDE`] times.
    pub fn distance(&self, point: Vec3) -> f32 {
        let distance = self.nearest(point).map_or(f32::INFINITY, |n| n.distance);
        if self.winding(point) > INSIDE { -distance } else { distance }
    }

    fn leaf(&self, node: &Node) -> &[[Vec3; 3]] {
        &self.corners[node.first as usize..(node.first + node.count) as usize]
    }

    fn box_distance(&self, node: u32, point: Vec3) -> f32 {
        let node = &self.nodes[node as usize];
        point.distance(point.clamp(node.low, node.high))
    }
}

/// Box, dipole and radius of a cluster.
fn summary(items: &[(u32, [Vec3; 3])], first: usize) -> Node {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (mut moment, mut dipole, mut total) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for (_, [a, b, c]) in items {
        low = low.min(*a).min(*b).min(*c);
        high = high.max(*a).max(*b).max(*c);
        let area = 0.5 * (*b - *a).cross(*c - *a);
        dipole += area;
        total += area.length();
        moment += (*a + *b + *c) / 3.0 * area.length();
    }
    let center = if total > 0.0 { moment / total } else { 0.5 * (low + high) };
    let radius = items.iter().flat_map(|(_, t)| t).map(|p| p.distance(center)).fold(0.0, f32::max);
    Node { low, high, center, dipole, radius, first: first as u32, count: items.len() as u32, children: None }
}

/// Solid angle of a triangle seen from `p` (Van Oosterom and Strackee 1983), positive from behind its front.
fn solid_angle(p: Vec3, t: [Vec3; 3]) -> f32 {
    let [a, b, c] = t.map(|corner| corner - p);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let volume = a.dot(b.cross(c));
    let spread = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * volume.atan2(spread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::test_shapes::sphere;

    #[test]
    fn winding_and_nearest_on_a_sphere() {
        let tree = TriangleTree::new(&sphere(1.0, 48, 32));
        for (p, inside) in [(Vec3::ZERO, 1.0), (Vec3::new(0.9, 0.1, 0.0), 1.0), (Vec3::new(1.1, 0.3, 0.2), 0.0)] {
            assert!((tree.winding(p) - inside).abs() < 0.02, "{p}: {}", tree.winding(p));
            assert!((tree.distance(p).abs() - (p.length() - 1.0).abs()).abs() < 0.01);
        }
    }

    #[test]
    fn nearest_equals_the_search_over_all_triangles() {
        let mesh = sphere(0.7, 20, 14);
        let tree = TriangleTree::new(&mesh);
        for i in 0..200 {
            let p = Vec3::new((i as f32).sin(), (i as f32 * 1.7).cos(), (i as f32 * 0.3).sin());
            let all = mesh.triangles.iter().map(|t| {
                let [a, b, c] = t.map(|i| mesh.positions[i as usize]);
                closest_on_triangle(p, a, b, c).distance(p)
            });
            let least = all.filter(|d| d.is_finite()).fold(f32::INFINITY, f32::min);
            assert!((tree.nearest(p).unwrap().distance - least).abs() < 1e-6);
        }
    }
}
