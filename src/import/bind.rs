//! Where the bind space of each skin lies in the world.
//!
//! A vertex is drawn at `Σ w · world(joint) · inverse_bind(joint) · vertex`. In the bind pose all those products are one
//! matrix, the skin's placement. In another pose they differ, and of the placement is known that it is mostly the one of a
//! node above the skeleton, and nearest to what the topmost joint says. Of two skins of one skeleton that were bound in
//! different poses the second is brought to the pose of the first, joint by joint.

use std::cmp::Reverse;
use std::collections::HashMap;

use glam::{Mat3, Mat4, Vec3};

use super::tree::Tree;

/// A skin with inverse bind matrices.
pub(super) struct Bound {
    /// Its place in the file.
    pub(super) skin: usize,
    /// Nodes of its joints, and their inverse bind matrices; both of shape [joint_count].
    pub(super) nodes: Vec<usize>,
    pub(super) binds: Vec<Mat4>,
    /// Nodes whose meshes it moves.
    pub(super) drawn: Vec<usize>,
}

/// A joint in the bind pose, and the bind space that says so.
struct Rest {
    joint: Mat4,
    space: Mat4,
}

/// How the bind space of a skin lies in the world.
pub(super) struct Place {
    /// The placement.
    pub(super) space: Mat4,
    /// Another one of what follows these joints, by slot: skins before it have them in another pose.
    pub(super) posed: HashMap<usize, Mat4>,
}

impl Place {
    /// The placement of what follows the joint in `slot`.
    pub(super) fn of(&self, slot: usize) -> Mat4 {
        self.posed.get(&slot).copied().unwrap_or(self.space)
    }
}

/// Joints of a skin that are asked how it is placed; more would change nothing and cost their square.
const VOTERS: usize = 64;

/// The way from the bind space of each skin to the world. Skins of one skeleton lie in it as they were bound to it,
/// whatever pose the file rests in.
pub(super) fn placements(tree: &Tree, skins: &[Bound], warnings: &mut Vec<String>) -> Vec<Place> {
    let tops: Vec<usize> = skins.iter().map(|skin| skin.top(tree)).collect();
    let mut order: Vec<usize> = (0..skins.len()).collect();
    // What others hang on comes first.
    let depth = |skin: usize| tree.above(skins[skin].nodes[tops[skin]]).count();
    order.sort_by_cached_key(|s| (depth(*s), Reverse(skins[*s].nodes.len()), *s));
    let place = |_| Place { space: Mat4::IDENTITY, posed: HashMap::new() };
    let mut placed: Vec<Place> = skins.iter().map(place).collect();
    let mut rests: HashMap<usize, Rest> = HashMap::new();
    for index in order {
        let skin = &skins[index];
        let own = skin.rigid(tree);
        let beside = skin.beside(tree, tops[index], &rests);
        let space = match (beside, own) {
            (Some(shared), Some(own)) if same(&shared, &own, skin.size(tree)) => own,
            (Some(shared), _) => shared,
            (None, Some(own)) => own,
            (None, None) => skin.guessed(tree, tops[index]),
        };
        if own.is_none() {
            let used = if beside.is_some() {
                "it is placed by the skins whose joints it shares or hangs on"
            } else {
                "the bind pose is used"
            };
            warnings.push(format!("skin {} rests in another pose than the one it was bound in; {used}", skin.skin));
        }
        placed[index] = Place { space, posed: skin.posed(tree, space, &rests) };
        let binds = skin.nodes.iter().zip(&skin.binds).enumerate();
        for (slot, (node, bind)) in binds.filter(|(_, (_, bind))| invertible(**bind)) {
            let space = placed[index].of(slot);
            rests.entry(*node).or_insert_with(|| Rest { joint: space * bind.inverse(), space });
        }
    }
    placed
}

impl Bound {
    /// What its joint `slot` says of the placement.
    fn vote(&self, tree: &Tree, slot: usize) -> Option<Mat4> {
        let (world, bind) = (tree.nodes[self.nodes[slot]].world, self.binds[slot]);
        let vote = world * bind;
        (invertible(world) && invertible(bind) && vote.is_finite()).then_some(vote)
    }

    /// Slots and votes of the joints that are asked.
    fn votes(&self, tree: &Tree) -> Vec<(usize, Mat4)> {
        let asked = (0..self.nodes.len()).step_by(self.nodes.len().div_ceil(VOTERS));
        asked.filter_map(|slot| Some((slot, self.vote(tree, slot)?))).collect()
    }

    /// Slot of the joint that most others hang on; their order in the skin, which is free, does not count.
    fn top(&self, tree: &Tree) -> usize {
        let slots: HashMap<usize, usize> = self.nodes.iter().enumerate().map(|(slot, node)| (*node, slot)).collect();
        let mut below: HashMap<usize, usize> = HashMap::new();
        for (slot, _) in self.votes(tree) {
            let highest = tree.above(self.nodes[slot]).filter(|node| slots.contains_key(node)).last();
            *below.entry(highest.unwrap_or(self.nodes[slot])).or_default() += 1;
        }
        let most = below.into_iter().max_by_key(|(node, count)| (*count, Reverse(*node)));
        most.map_or(0, |(node, _)| slots[&node])
    }

    /// The placement if nearly all joints agree on it.
    fn rigid(&self, tree: &Tree) -> Option<Mat4> {
        let votes = self.votes(tree);
        let mut best: Option<(usize, Mat4)> = None;
        for (_, vote) in &votes {
            let count = votes.iter().filter(|(_, other)| alike(vote, other)).count();
            if best.is_none_or(|(most, _)| count > most) {
                best = Some((count, *vote));
            }
        }
        let Some((_, best)) = best else { return Some(Mat4::IDENTITY) };
        let size = self.size(tree);
        let agreed = votes.iter().filter(|(_, vote)| same(&best, vote, size)).count();
        (10 * agreed >= 9 * votes.len()).then_some(best)
    }

    /// How far its joints are apart.
    fn size(&self, tree: &Tree) -> f32 {
        let origins = || self.nodes.iter().map(|node| tree.nodes[*node].world.w_axis.truncate());
        (origins().fold(Vec3::NEG_INFINITY, Vec3::max) - origins().fold(Vec3::INFINITY, Vec3::min)).length()
    }

    /// The placement that follows from joints that are placed already: from one of its own, or from the nearest above.
    fn beside(&self, tree: &Tree, top: usize, rests: &HashMap<usize, Rest>) -> Option<Mat4> {
        let shared = |slot: usize| rests.get(&self.nodes[slot]).filter(|_| invertible(self.binds[slot]));
        if let Some(m) = (0..self.nodes.len()).find_map(|slot| Some(shared(slot)?.joint * self.binds[slot])) {
            return Some(m).filter(Mat4::is_finite);
        }
        let node = self.nodes[top];
        let above = tree.above(node).find(|above| rests.contains_key(above))?;
        let rest = &rests[&above];
        // Where the joint was bound; the pose has mostly turned it there.
        let posed = rest.joint * tree.nodes[above].world.inverse() * tree.nodes[node].world;
        let at = |m: Mat4| m.w_axis.truncate();
        let off = at(rest.space * self.binds[top].inverse()).distance(at(posed));
        let placed =
            if off <= 0.25 * at(posed).distance(at(rest.joint)) { rest.space } else { posed * self.binds[top] };
        Some(placed).filter(Mat4::is_finite)
    }

    /// Placements of what follows joints that skins before it have in another pose than `space` would, by slot; joints of
    /// its own go along with the nearest one above.
    fn posed(&self, tree: &Tree, space: Mat4, rests: &HashMap<usize, Rest>) -> HashMap<usize, Mat4> {
        let slots: HashMap<usize, usize> = self.nodes.iter().enumerate().map(|(slot, node)| (*node, slot)).collect();
        let shared = |node: usize| {
            let (slot, rest) = (*slots.get(&node)?, rests.get(&node)?);
            invertible(self.binds[slot]).then(|| rest.joint * self.binds[slot])
        };
        let size = self.size(tree);
        let upward = |node: usize| std::iter::once(node).chain(tree.above(node));
        let posed = self.nodes.iter().map(|node| upward(*node).find_map(shared));
        let other = |m: &Mat4| m.is_finite() && !same(&space, m, size);
        posed.enumerate().filter_map(|(slot, m)| Some((slot, m.filter(other)?))).collect()
    }

    /// The placement of a skin that rests in another pose.
    fn guessed(&self, tree: &Tree, top: usize) -> Mat4 {
        let Some(vote) = self.vote(tree, top) else { return Mat4::IDENTITY };
        let at = tree.nodes[self.nodes[top]].world.w_axis.truncate();
        let bound_at = self.binds[top].inverse().w_axis.truncate();
        let above = tree.above(self.nodes[top]).map(|node| tree.nodes[node].world).chain([Mat4::IDENTITY]);
        let drawn = self.drawn.iter().map(|node| tree.nodes[*node].world);
        let near = |spaces: Vec<Mat4>| nearest(&spaces, vote, |space| space.transform_point3(bound_at).distance(at));
        near(above.collect()).or_else(|| near(drawn.collect())).unwrap_or_else(|| {
            let turned = upright(vote);
            Mat4::from_translation(at - turned.transform_point3(bound_at)) * turned
        })
    }
}

/// Same turn, scale and place, for a skin of this size.
fn same(a: &Mat4, b: &Mat4, size: f32) -> bool {
    // Numbers far from the origin are coarse.
    let near = 0.01 * size + 1.0e-4 * a.w_axis.truncate().length();
    alike(a, b) && a.w_axis.distance(b.w_axis) <= near
}

/// The space that is turned least against `vote`, and of several the nearest by `distance`; none if all are turned far, or
/// have another scale.
fn nearest(spaces: &[Mat4], vote: Mat4, distance: impl Fn(&Mat4) -> f32) -> Option<Mat4> {
    // Figures seldom lean farther, and spaces that differ do by a quarter turn.
    const FAR: f32 = std::f32::consts::FRAC_PI_4;
    const SAME: f32 = 0.01;
    let turned: Vec<(f32, &Mat4)> = spaces.iter().filter_map(|s| Some((turn_between(s, &vote)?, s))).collect();
    let least = turned.iter().map(|(angle, _)| *angle).fold(FAR, f32::min);
    let best = turned.iter().filter(|(angle, _)| *angle < FAR && *angle <= least + SAME);
    best.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b))).map(|(_, space)| **space)
}

/// Angle [rad] from one placement to another of the same scale.
fn turn_between(a: &Mat4, b: &Mat4) -> Option<f32> {
    let [a, b] = [a, b].map(|m| Mat3::from_mat4(*m));
    let ratio = b.determinant() / a.determinant();
    // A tenth in each direction.
    if !(0.75..1.33).contains(&ratio) {
        return None;
    }
    let turn = a.inverse() * b * ratio.cbrt().recip();
    let cosine = 0.5 * (turn.x_axis.x + turn.y_axis.y + turn.z_axis.z - 1.0);
    Some(cosine.clamp(-1.0, 1.0).acos()).filter(|angle| angle.is_finite())
}

/// Least volume of a unit cube under a bind matrix: scales of a hundred-millionth still have an inverse in `f32`.
const LEAST_VOLUME: f32 = 1.0e-24;

pub(super) fn invertible(m: Mat4) -> bool {
    let scale = Mat3::from_mat4(m).determinant().abs();
    scale > LEAST_VOLUME && m.inverse().is_finite()
}

/// Same turn and scale within a hundredth.
fn alike(a: &Mat4, b: &Mat4) -> bool {
    let (linear_a, linear_b) = (Mat3::from_mat4(*a), Mat3::from_mat4(*b));
    let size = linear_a.x_axis.length().max(linear_a.y_axis.length());
    let difference = linear_a - linear_b;
    difference.to_cols_array().iter().all(|d| d.abs() <= 0.01 * size)
}

/// `m` with its turn snapped to the nearest one that maps axes to axes, and its mean scale on all of them.
fn upright(m: Mat4) -> Mat4 {
    let linear = Mat3::from_mat4(m);
    let scale = linear.determinant().abs().cbrt();
    let turn = Mat3::from_cols(linear.x_axis.normalize_or_zero(), linear.y_axis.normalize_or_zero(), Vec3::ZERO);
    let snap = |v: Vec3, taken: Option<usize>| {
        let mut axes = [0, 1, 2];
        axes.sort_by(|a, b| v[*b].abs().total_cmp(&v[*a].abs()));
        let axis = axes.into_iter().find(|a| Some(*a) != taken).unwrap_or(0);
        (axis, Vec3::AXES[axis] * v[axis].signum())
    };
    let (taken, x) = snap(turn.x_axis, None);
    let (_, y) = snap(turn.y_axis, Some(taken));
    let snapped = Mat3::from_cols(x, y, x.cross(y)) * scale;
    Mat4::from_translation(m.w_axis.truncate()) * Mat4::from_mat3(snapped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upright_snaps_a_leaning_z_up_placement() {
        let lean = Mat4::from_rotation_x(-std::f32::consts::FRAC_PI_2 + 0.2) * Mat4::from_scale(Vec3::splat(0.01));
        let snapped = upright(lean);
        assert!((snapped.transform_vector3(Vec3::Z) - Vec3::Y * 0.01).length() < 1e-6);
    }

    #[test]
    fn of_two_spaces_the_one_that_is_turned_less_is_taken() {
        let z_up = Mat4::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        let spaces = [Mat4::IDENTITY, z_up, Mat4::from_scale(Vec3::splat(0.01)), Mat4::from_translation(Vec3::X)];
        let lean = Mat4::from_rotation_y(0.3);
        let found = |vote: Mat4, at: f32| nearest(&spaces, vote, |space| (space.w_axis.x - at).abs());
        assert_eq!(found(lean * z_up, 0.0), Some(z_up));
        assert_eq!(found(lean, 0.0), Some(Mat4::IDENTITY));
        assert_eq!(found(lean, 0.9), Some(spaces[3]));
        assert_eq!(found(Mat4::from_rotation_y(1.5), 0.0), None);
        assert_eq!(found(Mat4::from_scale(Vec3::splat(2.0)), 0.0), None);
        assert_eq!(found(Mat4::from_scale(Vec3::NEG_ONE), 0.0), None);
        assert_eq!(found(Mat4::ZERO, 0.0), None);
    }
}
