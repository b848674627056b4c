//! Which tetrahedron a place is in, or is least far out of, without a look at all of them.

use glam::{Mat3, Vec3};

use super::mesh::Mesh;

/// Most tetrahedra of a node without children.
const LEAF: usize = 4;
/// How much better than its bound a tetrahedron may be by rounding, over 1 and what is best.
const ROUNDED: f32 = 1e-4;

/// A tetrahedron at rest.
#[derive(Clone, Copy, Debug)]
struct Tet {
    element: usize,
    corner: Vec3,
    /// From a way off that corner to the weights of the other three.
    inverse: Mat3,
    center: Vec3,
    /// How far its corners are from its center along each axis [m].
    half: Vec3,
}

/// Some tetrahedra.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Box around their centers [m].
    low: Vec3,
    high: Vec3,
    /// The largest of their half sizes [m].
    half: Vec3,
    first: usize,
    count: usize,
    children: Option<[usize; 2]>,
}

/// Finds the tetrahedron of a place.
#[derive(Debug, Default)]
pub(super) struct Inside {
    tets: Vec<Tet>,
    nodes: Vec<Node>,
}

impl Tet {
    /// None of a flat one.
    fn new(element: usize, corners: [Vec3; 4]) -> Option<Self> {
        let [a, b, c, d] = corners;
        let frame = Mat3::from_cols(b - a, c - a, d - a);
        let center = 0.25 * (a + b + c + d);
        let half = corners.into_iter().fold(Vec3::ZERO, |half, corner| half.max((corner - center).abs()));
        let whole = frame.determinant().abs() >= f32::MIN_POSITIVE;
        whole.then(|| Self { element, corner: a, inverse: frame.inverse(), center, half })
    }

    /// The least weight of a place: below 0 outside.
    fn least(&self, at: Vec3) -> f32 {
        let w = self.inverse * (at - self.corner);
        w.min_element().min(1.0 - w.x - w.y - w.z)
    }
}

impl Node {
    fn new(tets: &[Tet], first: usize) -> Self {
        let empty =
            Self { low: Vec3::MAX, high: Vec3::MIN, half: Vec3::ZERO, first, count: tets.len(), children: None };
        tets.iter().fold(empty, |node, tet| Self {
            low: node.low.min(tet.center),
            high: node.high.max(tet.center),
            half: node.half.max(tet.half),
            ..node
        })
    }

    /// What the least weight of a place in none of them is above: where it is -m, the tetrahedron made 1 + 4 m as large holds the place.
    fn bound(&self, at: Vec3) -> f32 {
        let off = (at - at.clamp(self.low, self.high)).abs();
        0.25 * (1.0 - (off / self.half).max_element())
    }
}

impl Inside {
    /// Of the tetrahedra of `mesh`, with particles at `place` [m].
    pub(super) fn new(mesh: &Mesh, place: impl Fn(u32) -> Vec3) -> Self {
        let tet = |(element, corners): (usize, &Vec<u32>)| {
            let corners = <[u32; 4]>::try_from(corners.as_slice()).ok()?;
            Tet::new(element, corners.map(&place))
        };
        let mut tets: Vec<Tet> = mesh.elements.iter().enumerate().filter_map(tet).collect();
        let mut inside = Self::default();
        if !tets.is_empty() {
            inside.build(&mut tets, 0);
        }
        Self { tets, ..inside }
    }

    /// Splits at the median of the longest side, so that the depth is the logarithm of the count.
    fn build(&mut self, tets: &mut [Tet], first: usize) -> usize {
        let index = self.nodes.len();
        let node = Node::new(tets, first);
        self.nodes.push(node);
        if tets.len() > LEAF {
            let axis = (node.high - node.low).max_position();
            let middle = tets.len() / 2;
            let key = |tet: &Tet| tet.center[axis];
            tets.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.element.cmp(&b.element)));
            let (left, right) = tets.split_at_mut(middle);
            self.nodes[index].children = Some([self.build(left, first), self.build(right, first + middle)]);
        }
        index
    }

    /// The element that a place [m] is in or is least far out of, the last of those alike; the first where all are flat.
    pub(super) fn element(&self, at: Vec3) -> usize {
        self.search(at).0
    }

    /// That, and how many tetrahedra were looked at for it.
    fn search(&self, at: Vec3) -> (usize, usize) {
        let (mut best, mut looks) = ((f32::NEG_INFINITY, 0), 0);
        let mut left: Vec<usize> = (0..self.nodes.len().min(1)).collect();
        while let Some(node) = left.pop().map(|index| self.nodes[index]) {
            if node.bound(at) + ROUNDED * (1.0 + best.0.abs()) < best.0 {
                continue;
            }
            if let Some([one, other]) = node.children {
                let nearer = self.nodes[one].bound(at) > self.nodes[other].bound(at);
                left.extend(if nearer { [other, one] } else { [one, other] });
                continue;
            }
            looks += node.count;
            for tet in &self.tets[node.first..node.first + node.count] {
                let found = (tet.least(at), tet.element);
                if found.0 > best.0 || found.0 == best.0 && found.1 > best.1 {
                    best = found;
                }
            }
        }
        (best.1, looks)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3Swizzles;

    use super::*;

    /// Corners of a lattice of so many cubes a side, moved a little, and six tetrahedra a cube.
    fn lattice(side: u32) -> (Vec<Vec3>, Mesh) {
        let across = side + 1;
        let at = |i: u32| Vec3::new((i % across) as f32, (i / across % across) as f32, (i / across / across) as f32);
        let moved = |i: u32| at(i) + 0.2 * (at(i).yzx() * 3.7 + i as f32).map(f32::sin);
        let mut mesh = Mesh::default();
        for cell in 0..side * side * side {
            let first = cell % side + across * (cell / side % side) + across * across * (cell / side / side);
            let steps = [1, across, across * across];
            for [i, j] in [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]] {
                let [a, b] = [first + steps[i], first + steps[i] + steps[j]];
                mesh.elements.push(vec![first, a, b, first + steps.iter().sum::<u32>()]);
            }
        }
        ((0..across * across * across).map(moved).collect(), mesh)
    }

    #[test]
    fn what_is_found_is_the_best_of_all() {
        let (places, mut mesh) = lattice(6);
        // One without a volume holds nothing.
        mesh.elements.push(vec![0, 1, 2, 1]);
        let inside = Inside::new(&mesh, |p| places[p as usize]);
        let least = |element: usize, at: Vec3| {
            let corners = std::array::from_fn(|i| places[mesh.elements[element][i] as usize]);
            Tet::new(element, corners).map_or(f32::NEG_INFINITY, |tet| tet.least(at))
        };
        for i in 0..2000 {
            let at = 3.0 + 4.5 * (Vec3::new(0.31, 0.73, 1.17) * i as f32).map(f32::sin);
            let best = (0..mesh.elements.len()).max_by(|a, b| least(*a, at).total_cmp(&least(*b, at)));
            assert_eq!(Some(inside.element(at)), best, "{at}");
        }
        // Of 41 154, near the surface and in the middle.
        let (places, mesh) = lattice(19);
        let inside = Inside::new(&mesh, |p| places[p as usize]);
        for at in [Vec3::new(-0.6, 9.0, 7.0), Vec3::new(9.0, 9.5, 8.3), Vec3::new(19.7, 5.0, 20.0)] {
            let (_, looks) = inside.search(at);
            assert!(looks < 2000, "{looks} of {} at {at}", mesh.elements.len());
        }
        // What the tree finds out about far places and about nothing.
        assert!(inside.element(Vec3::splat(1e6)) < mesh.elements.len());
        assert_eq!(Inside::new(&Mesh::default(), |_| Vec3::ZERO).element(Vec3::ONE), 0);
    }
}
