//! Packs joints into clusters: trees of jointed bodies, several small ones to a workgroup, and the joints that close loops.

use std::collections::{HashMap, HashSet};
use std::f32::consts::PI;

use glam::Quat;

use super::ground::NONE;
use super::rows::{ParamsRow, quat};
use super::stage::{Frame, Pass};
use crate::constraints::color_greedy;
use crate::gpu::wgsl::articulations::joint::{
    DRIVEN_AT_SPEED, DRIVEN_AT_VELOCITY, DRIVEN_BY_MUSCLE, DRIVEN_TO_GOAL, DRIVEN_TO_POSITION, Joint as JointRow,
    JointState, TRAVELS_ALONG, TRAVELS_APART, TRAVELS_NOT, TURNS, TURNS_ABOUT_AXIS, TURNS_ACROSS, TURNS_NOT,
};
use crate::gpu::wgsl::articulations::node::JointNode as JointNodeRow;
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};
use crate::scene::{Body, BodyId, Joint, JointDesc, JointKind, Limiter, Limits, Motor, Scene, components};

static SOLVE: Pass = Pass::new("articulations/solve");
static SOLVE_ADDED: Pass = Pass::again(
    "articulations/solve_added",
    "articulations/solve",
    &[
        ("params", "added_params"),
        ("joints", "added_joints"),
        ("joint_states", "added_joint_states"),
        ("joint_nodes", "added_joint_nodes"),
        ("clusters", "added_clusters"),
    ],
);

/// Joints in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    /// Clusters of articulations, a workgroup each.
    pub(in crate::solver) clusters: u32,
    /// Threads of each.
    pub(in crate::solver) lanes: u32,
    /// Clusters of joints that were added to the running world.
    pub(in crate::solver) added: u32,
    /// Whether some can be.
    pub(in crate::solver) reserved: bool,
}

impl Stage {
    /// Solves all joints between rigid states.
    pub(in crate::solver) fn solve(&self, f: &mut Frame) {
        // What joins late may pull at a tree that cannot follow: the tree has the last word, and stays closed.
        f.run(&SOLVE_ADDED, self.lanes * self.added);
        f.run(&SOLVE, self.lanes * self.clusters);
    }

    /// As if as much as can be was added.
    pub(in crate::solver) fn filled(self) -> Self {
        Self { added: self.added.max(u32::from(self.reserved)), ..self }
    }
}

/// Most nodes of one level of a cluster: those that a workgroup of a graphics card solves at once.
const CLUSTER_WIDTH: usize = 32;

/// The order in which joints are solved.
#[derive(Debug, Default)]
pub(in crate::solver) struct Tables {
    /// Scene index of each joint in solving order: by cluster, those of the trees by level, then loops by color.
    pub(in crate::solver) order: Vec<u32>,
    /// Bodies of the trees, by cluster and level.
    pub(in crate::solver) nodes: Vec<JointNodeRow>,
    /// How many clusters there are.
    pub(in crate::solver) clusters: u32,
    /// For each cluster the index of its list, then the lists: see `clusters` of `articulations/solve`.
    pub(in crate::solver) lists: Vec<u32>,
    /// Whether any joint closes a loop.
    pub(in crate::solver) loops: bool,
    /// Most levels and colors in a cluster, less the root: steps that follow one another.
    pub(in crate::solver) colors: u32,
}

/// Where joints and bodies are in the tables.
#[derive(Debug, Default)]
pub(in crate::solver) struct Places {
    /// Joint of the scene of each row.
    pub(in crate::solver) order: Vec<u32>,
    /// Row of each joint of the scene.
    pub(in crate::solver) rows: Vec<u32>,
    /// Node of each body in the trees of joints, `NONE` of others.
    pub(in crate::solver) nodes: Vec<u32>,
    /// Steps that follow one another.
    pub(in crate::solver) colors: u32,
}

/// A body of a tree; `parent` and children are indices in the tree, root first, by level.
struct Node {
    joint: u32,
    body: u32,
    parent: usize,
    level: usize,
    /// The body is the joint's second.
    second: bool,
}

/// The joints of one island: a spanning tree, and what it leaves.
struct Tree {
    nodes: Vec<Node>,
    loops: Vec<u32>,
}

impl Tables {
    /// Of these joints between bodies of these.
    pub(in crate::solver) fn new(joints: &[Joint], bodies: &[Body]) -> Self {
        // Kinematic bodies are never written, so they do not tie islands together.
        let free = |id: &BodyId| !bodies[id.0 as usize].kinematic;
        let moving: Vec<Vec<u32>> =
            joints.iter().map(|j| [j.desc.a, j.desc.b].into_iter().filter(free).map(|b| b.0).collect()).collect();
        let mut articulations = Self::default();
        let mut lists = Vec::new();
        let mut pending: Vec<Tree> = Vec::new();
        let mut widths: Vec<usize> = Vec::new();
        for island in connected(&moving, bodies.len()) {
            let tree = span(joints, bodies, &island);
            let mut wider = widths.clone();
            for node in &tree.nodes {
                wider.resize(wider.len().max(node.level + 1), 0);
                wider[node.level] += 1;
            }
            if wider.iter().any(|width| *width > CLUSTER_WIDTH) && !pending.is_empty() {
                lists.push(articulations.close(&pending, &moving));
                pending.clear();
                wider.iter_mut().zip(&widths).for_each(|(all, before)| *all -= before);
            }
            widths = wider;
            pending.push(tree);
        }
        if !pending.is_empty() {
            lists.push(articulations.close(&pending, &moving));
        }
        articulations.clusters = lists.len() as u32;
        let mut at = articulations.clusters;
        for list in &lists {
            articulations.lists.push(at);
            at += list.len() as u32;
        }
        articulations.lists.extend(lists.into_iter().flatten());
        articulations
    }

    /// Where everything is in them, of so many bodies.
    pub(in crate::solver) fn places(self, bodies: usize) -> Places {
        Places { rows: self.rows(), nodes: self.nodes_of(bodies), colors: self.colors, order: self.order }
    }

    /// Row of each joint of the scene.
    pub(in crate::solver) fn rows(&self) -> Vec<u32> {
        let mut rows = vec![0; self.order.len()];
        self.order.iter().zip(0..).for_each(|(joint, row)| rows[*joint as usize] = row);
        rows
    }

    /// Node of each joint, by row, `NONE` of those that close loops.
    pub(in crate::solver) fn nodes_of_joints(&self) -> Vec<u32> {
        let mut nodes = vec![NONE; self.order.len()];
        let joined = self.nodes.iter().zip(0..).filter(|(node, _)| node.joint != NONE);
        joined.for_each(|(node, place)| nodes[node.joint as usize] = place);
        nodes
    }

    /// Node of each of so many bodies, `NONE` of those that no joint ties.
    pub(in crate::solver) fn nodes_of(&self, bodies: usize) -> Vec<u32> {
        let mut nodes = vec![NONE; bodies];
        self.nodes.iter().zip(0..).for_each(|(node, place)| nodes[node.body as usize] = place);
        nodes
    }

    /// Makes the buffers of joints.
    pub(in crate::solver) fn create(&self, b: &mut Buffers, scene: &Scene) -> Result<(), GpuError> {
        b.create_with("joints", &joint_rows(scene, &self.order))?; // [joint_count] in solving order
        b.create_with("joint_states", &vec![JointState::default(); self.order.len()])?; // [joint_count]
        b.create_with("joint_nodes", &self.nodes)?; // bodies of the articulations, by cluster and level
        b.create_with("clusters", &self.lists)?; // [cluster_count] where its list begins; the lists, see `articulations/solve`
        if scene.reserve.joints > 0 { create_added(b, scene.reserve.joints as usize) } else { Ok(()) }
    }

    /// Writes what is known of joints that were added.
    pub(in crate::solver) fn upload_added(&self, b: &Buffers, joints: &[Joint]) -> Result<(), GpuError> {
        let row = |joint: &u32| {
            let joint = &joints[*joint as usize];
            joint_row(joint, joint.desc.limits)
        };
        b.upload("added_joints", 0, &self.order.iter().map(row).collect::<Vec<_>>())?;
        b.upload("added_joint_nodes", 0, &self.nodes)?;
        b.upload("added_clusters", 0, &self.lists)
    }

    /// Appends a cluster of these trees; returns its list.
    fn close(&mut self, trees: &[Tree], moving: &[Vec<u32>]) -> Vec<u32> {
        let levels = trees.iter().flat_map(|t| &t.nodes).map(|n| n.level + 1).max().unwrap_or(0);
        let mut places: Vec<Vec<u32>> = trees.iter().map(|t| vec![NONE; t.nodes.len()]).collect();
        let mut level_starts = Vec::new();
        for level in 0..levels {
            level_starts.push(self.nodes.len() as u32);
            for (tree, places) in trees.iter().zip(&mut places) {
                for (index, node) in tree.nodes.iter().enumerate().filter(|(_, n)| n.level == level) {
                    places[index] = self.nodes.len() as u32;
                    self.add(node, places[node.parent]);
                }
            }
        }
        level_starts.push(self.nodes.len() as u32);

        let loops: Vec<u32> = trees.iter().flat_map(|t| &t.loops).copied().collect();
        self.loops |= !loops.is_empty();
        let bodies = moving.iter().flatten().max().map_or(0, |b| *b as usize + 1);
        let colors = color_greedy(loops.len(), bodies, |i| moving[loops[i] as usize].as_slice());
        let color_count = colors.iter().max().map_or(0, |c| c + 1);
        let mut color_starts = Vec::new();
        for color in 0..color_count {
            color_starts.push(self.order.len() as u32);
            self.order.extend(loops.iter().zip(&colors).filter(|(_, c)| **c == color).map(|(joint, _)| *joint));
        }
        color_starts.push(self.order.len() as u32);
        self.colors = self.colors.max(levels.saturating_sub(1) as u32 + color_count);
        [vec![levels as u32, color_count], level_starts, color_starts].concat()
    }

    /// Appends a node; `parent` is the place of its parent, or not yet known for a root.
    fn add(&mut self, node: &Node, parent: u32) {
        let mut row = JointNodeRow { joint: NONE, body: node.body, parent: NONE, held: 1, ..JointNodeRow::default() };
        if node.joint != NONE {
            row.parent = parent;
            row.joint = self.order.len() as u32;
            row.side = if node.second { 1.0 } else { -1.0 };
            self.order.push(node.joint);
            let here = self.nodes.len() as u32;
            let above = &mut self.nodes[parent as usize];
            if above.child_count == 0 {
                above.first_child = here;
            }
            above.child_count += 1;
        }
        self.nodes.push(row);
    }
}

/// Makes the buffers of so many joints that can be added: as those of the others, as long as they can ever be.
fn create_added(b: &mut Buffers, joints: usize) -> Result<(), GpuError> {
    let none = BufferUsages::empty();
    b.create_uniform("added_params", &[ParamsRow::default()])?; // what `articulations/solve` reads as `params`
    b.create::<JointRow>("added_joints", joints, none)?;
    b.create::<JointState>("added_joint_states", joints, none)?;
    b.create::<JointState>("added_states_before", joints, none)?; // while they come into another order
    // A tree has a node more than joints.
    b.create::<JointNodeRow>("added_joint_nodes", 2 * joints, none)?;
    // Of each cluster, of which there are no more than joints, its place, five words, and one a level and a color.
    b.create::<u32>("added_clusters", (6 + 2 + 1) * joints, none)
}

/// A spanning tree of the island, shallow: from a kinematic body if it hangs on one, or from its middle.
fn span(joints: &[Joint], bodies: &[Body], island: &[u32]) -> Tree {
    let ends = |joint: u32| {
        let desc = &joints[joint as usize].desc;
        [desc.a.0, desc.b.0]
    };
    let kinematic = |body: u32| bodies[body as usize].kinematic;
    let anchor = island.iter().flat_map(|j| ends(*j)).find(|b| kinematic(*b));
    let spare = spare(joints, island, &ends, |body| kinematic(body) && Some(body) != anchor);
    let mut touching: HashMap<u32, Vec<u32>> = HashMap::new();
    for joint in island.iter().filter(|joint| !spare.contains(joint)) {
        for body in ends(*joint) {
            touching.entry(body).or_default().push(*joint);
        }
    }
    let root = anchor.unwrap_or_else(|| {
        let far = |from: u32| grow(from, &touching, &ends, &kinematic);
        let one_end = far(ends(island[0])[0]).nodes.pop().map_or(0, |n| n.body);
        let path = far(one_end).nodes;
        let mut middle = path.len() - 1;
        for _ in 0..path[middle].level.div_ceil(2) {
            middle = path[middle].parent;
        }
        path[middle].body
    });
    let mut tree = grow(root, &touching, &ends, &kinematic);
    tree.loops.extend(spare);
    tree
}

/// Distance joints between bodies that others hold together already: a spring beside a hinge closes a loop, it is no branch of
/// the tree, whatever the order in which they were made. A body that is `apart` ties nothing together.
fn spare(joints: &[Joint], island: &[u32], ends: &impl Fn(u32) -> [u32; 2], apart: impl Fn(u32) -> bool) -> Vec<u32> {
    let loose = |joint: &&u32| joints[**joint as usize].desc.kind == JointKind::Distance;
    let mut above: HashMap<u32, u32> = HashMap::new();
    let mut spare = Vec::new();
    if !island.iter().any(|joint| loose(&joint)) {
        return spare;
    }
    for joint in island.iter().filter(|joint| !loose(joint)).chain(island.iter().filter(loose)) {
        if ends(*joint).into_iter().any(&apart) {
            continue;
        }
        let [a, b] = ends(*joint).map(|mut body| {
            while let Some(next) = above.get(&body) {
                body = *next;
            }
            body
        });
        if a != b {
            above.insert(a, b);
        } else if loose(&joint) {
            spare.push(*joint);
        }
    }
    spare
}

/// Breadth first from `root`; kinematic bodies end branches.
fn grow(
    root: u32,
    touching: &HashMap<u32, Vec<u32>>,
    ends: &impl Fn(u32) -> [u32; 2],
    kinematic: &impl Fn(u32) -> bool,
) -> Tree {
    let mut nodes = vec![Node { joint: NONE, body: root, parent: 0, level: 0, second: false }];
    let mut loops = Vec::new();
    let mut reached = HashSet::from([root]);
    let mut used = HashSet::new();
    let mut next = 0;
    while next < nodes.len() {
        let (body, level) = (nodes[next].body, nodes[next].level + 1);
        // A kinematic body that is no root ends its branch.
        if next == 0 || !kinematic(body) {
            for joint in touching[&body].iter().filter(|j| used.insert(**j)) {
                let [a, b] = ends(*joint);
                let other = if a == body { b } else { a };
                if kinematic(other) || reached.insert(other) {
                    nodes.push(Node { joint: *joint, body: other, parent: next, level, second: b == other });
                } else {
                    loops.push(*joint);
                }
            }
        }
        next += 1;
    }
    Tree { nodes, loops }
}

/// Joints tied together by shared moving bodies, each island in joint order, islands by their first joint.
fn connected(moving: &[Vec<u32>], body_count: usize) -> Vec<Vec<u32>> {
    let ties = moving.iter().filter_map(|bodies| <[u32; 2]>::try_from(bodies.as_slice()).ok());
    let roots = components(body_count, ties);
    let mut islands: Vec<Vec<u32>> = Vec::new();
    let mut island_of = HashMap::new();
    for (bodies, joint) in moving.iter().zip(0..) {
        let next = islands.len();
        let island = bodies.first().map_or(next, |b| *island_of.entry(roots[*b as usize]).or_insert(next));
        if island == next {
            islands.push(Vec::new());
        }
        islands[island].push(joint);
    }
    islands
}

/// A range that a limiter of the joint narrows.
fn narrowed(limits: Limits, limiter: &Limiter) -> Limits {
    let (min, max) = match limits {
        Limits::Hinge { min, max } => (min, max),
        Limits::Free | Limits::SwingTwist { .. } => (-PI, PI),
    };
    match limiter.above {
        true => Limits::Hinge { min, max: max.min(limiter.angle) },
        false => Limits::Hinge { min: min.max(limiter.angle), max },
    }
}

/// The row of one joint of a scene; a hinge's limiters narrow its range.
pub(in crate::solver) fn row_of(scene: &Scene, joint: usize) -> JointRow {
    let own = scene.limiters.iter().filter(|limiter| limiter.joint.0 as usize == joint);
    let limits = own.fold(scene.joints[joint].desc.limits, narrowed);
    joint_row(&scene.joints[joint], limits)
}

/// Joints in solving order; as [`row_of`].
fn joint_rows(scene: &Scene, order: &[u32]) -> Vec<JointRow> {
    let mut limits: Vec<Limits> = scene.joints.iter().map(|j| j.desc.limits).collect();
    for limiter in &scene.limiters {
        let own = &mut limits[limiter.joint.0 as usize];
        *own = narrowed(*own, limiter);
    }
    order.iter().map(|j| *j as usize).map(|j| joint_row(&scene.joints[j], limits[j])).collect()
}

pub(in crate::solver) fn joint_row(joint: &Joint, limits: Limits) -> JointRow {
    let desc = &joint.desc;
    let [middle_a, middle_b] = joint.ends();
    let (limit, range) = match limits {
        Limits::Free => (0, [0.0; 4]),
        // Turns that are held leave the twist.
        Limits::SwingTwist { swing_y, swing_z, twist_min, twist_max }
            if desc.kind == JointKind::Generic && turning(desc, limits) != TURNS =>
        {
            (2, [swing_y, swing_z, twist_min, twist_max])
        }
        Limits::SwingTwist { swing_y, swing_z, twist_min, twist_max } => (1, [swing_y, swing_z, twist_min, twist_max]),
        Limits::Hinge { min, max } => (2, [0.0, 0.0, min, max]),
    };
    JointRow {
        body_a: desc.a.0,
        body_b: desc.b.0,
        turning: turning(desc, limits),
        limit,
        frame_a: quat(joint.frame_a),
        frame_b: quat(joint.frame_b),
        range,
        middle_a: middle_a.to_array(),
        lever: joint.points.first().map_or(desc.radius, |point| point.local_a.distance(middle_a)),
        middle_b: middle_b.to_array(),
        cushion: desc.cushion,
        friction: desc.friction,
        damping: desc.damping,
        break_force: finite(desc.break_force),
        travelling: travelling(desc.kind),
        least: desc.travel.map(|travel| finite(travel.min)),
        most: desc.travel.map(|travel| finite(travel.max)),
        yielding: desc.travel.map(|travel| travel.compliance),
        ..drive(desc)
    }
}

/// Infinity is not safe in WGSL.
fn finite(number: f32) -> f32 {
    number.clamp(-1e30, 1e30)
}

fn turning(desc: &JointDesc, limits: Limits) -> u32 {
    match (desc.kind, limits) {
        (JointKind::Ball | JointKind::Distance, _) => TURNS,
        (JointKind::Hinge | JointKind::Cylindrical, _) => TURNS_ABOUT_AXIS,
        (JointKind::Stiff | JointKind::Slider, _) => TURNS_NOT,
        (JointKind::Universal, _) => TURNS_ACROSS,
        (JointKind::Generic, Limits::SwingTwist { swing_y: 0.0, swing_z: 0.0, twist_min, twist_max }) => {
            if twist_min == twist_max { TURNS_NOT } else { TURNS_ABOUT_AXIS }
        }
        (JointKind::Generic, _) => TURNS,
    }
}

fn travelling(kind: JointKind) -> u32 {
    match kind {
        JointKind::Distance => TRAVELS_APART,
        _ if kind.travels() => TRAVELS_ALONG,
        _ => TRAVELS_NOT,
    }
}

/// A row with nothing but what drives the joint.
fn drive(desc: &JointDesc) -> JointRow {
    let still = JointRow { goal: quat(Quat::IDENTITY), ..JointRow::default() };
    desc.motor.map_or(still, |motor| match motor {
        Motor::Target { target, compliance, max_torque } => {
            let goal = quat(desc.center.inverse() * target);
            JointRow { driven: DRIVEN_TO_GOAL, goal, compliance, most_torque: finite(max_torque), ..still }
        }
        Motor::Muscle { target, spin, response, max_torque } => {
            let goal = quat(desc.center.inverse() * target);
            let goal_spin = (desc.center.inverse() * spin).to_array();
            JointRow { driven: DRIVEN_BY_MUSCLE, goal, goal_spin, response, most_torque: finite(max_torque), ..still }
        }
        Motor::Speed { speed, max_torque } => {
            JointRow { driven: DRIVEN_AT_SPEED, speed, most_torque: finite(max_torque), ..still }
        }
        Motor::Position { position, compliance, max_force } => {
            JointRow { driven: DRIVEN_TO_POSITION, position, compliance, most_torque: finite(max_force), ..still }
        }
        Motor::Velocity { velocity, max_force } => {
            JointRow { driven: DRIVEN_AT_VELOCITY, speed: velocity, most_torque: finite(max_force), ..still }
        }
    })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::scene::BodyDesc;

    fn chain(scene: &mut Scene, length: usize, x: f32) {
        let bodies: Vec<_> = (0..length)
            .map(|i| scene.add_body(BodyDesc::sphere(0.1, 0.1).at(Vec3::new(x, i as f32, 0.0))).unwrap())
            .collect();
        for pair in bodies.windows(2) {
            let pivot = scene.body(pair[0]).position + 0.5 * Vec3::Y;
            scene.add_joint(JointDesc::new(JointKind::Ball, pair[0], pair[1], pivot, Vec3::Y, 0.1)).unwrap();
        }
    }

    /// Ranges that follow one another.
    type Ranges = Vec<std::ops::Range<usize>>;

    /// Nodes of every level and joints of every color of each cluster.
    fn steps(articulations: &Tables) -> Vec<(Ranges, Ranges)> {
        let ranges = |starts: &[u32]| starts.windows(2).map(|w| w[0] as usize..w[1] as usize).collect();
        articulations.lists[..articulations.clusters as usize]
            .iter()
            .map(|at| {
                let list = &articulations.lists[*at as usize..];
                let (levels, colors) = (list[0] as usize, list[1] as usize);
                (ranges(&list[2..=2 + levels]), ranges(&list[3 + levels..=3 + levels + colors]))
            })
            .collect()
    }

    fn every_joint_is_solved_once(scene: &Scene, articulations: &Tables) {
        let mut order = articulations.order.clone();
        order.sort_unstable();
        assert_eq!(order, (0..scene.joints.len() as u32).collect::<Vec<_>>());
        let mut solved = vec![0; scene.joints.len()];
        let mut moved = vec![0; scene.bodies.len()];
        for (levels, colors) in steps(articulations) {
            for (level, range) in levels.iter().enumerate() {
                for index in range.clone() {
                    let below = levels.get(level + 1).cloned().unwrap_or_default();
                    check_node(scene, articulations, index, &below, &mut solved, &mut moved);
                }
            }
            for color in colors {
                let mut bodies = HashSet::new();
                let ends = color.clone().flat_map(|joint| {
                    let desc = &scene.joints[articulations.order[joint] as usize].desc;
                    [desc.a, desc.b]
                });
                let alone = ends.filter(|b| !scene.body(*b).kinematic).all(|body| bodies.insert(body));
                assert!(alone, "two joints of one color move one body");
                color.for_each(|joint| solved[joint] += 1);
            }
        }
        assert!(solved.iter().all(|n| *n == 1));
        assert!(scene.bodies.iter().zip(moved).all(|(b, n)| b.kinematic || n <= 1), "one node moves a body");
    }

    /// Its children are one level below, and its joint has its body on the right side.
    fn check_node(
        scene: &Scene,
        articulations: &Tables,
        index: usize,
        below: &std::ops::Range<usize>,
        solved: &mut [u32],
        moved: &mut [u32],
    ) {
        let node = &articulations.nodes[index];
        moved[node.body as usize] += 1;
        for child in node.first_child..node.first_child + node.child_count {
            assert_eq!(articulations.nodes[child as usize].parent as usize, index);
            assert!(below.contains(&(child as usize)), "children are one level below");
        }
        if node.joint != NONE {
            solved[node.joint as usize] += 1;
            let desc = &scene.joints[articulations.order[node.joint as usize] as usize].desc;
            assert_eq!(node.body, if node.side > 0.0 { desc.b.0 } else { desc.a.0 });
        }
    }

    #[test]
    fn trees_are_shallow_and_share_workgroups() {
        let mut scene = Scene::default();
        for i in 0..50 {
            chain(&mut scene, 2 + i % 5, i as f32);
        }
        chain(&mut scene, 200, 100.0);
        let articulations = Tables::new(&scene.joints, &scene.bodies);
        every_joint_is_solved_once(&scene, &articulations);
        assert_eq!(articulations.colors, 100, "a chain of 200 is solved from its middle");
        assert!(articulations.clusters < 5, "small articulations share a workgroup: {}", articulations.clusters);
    }

    #[test]
    fn rings_and_bridges_are_trees_with_loops() {
        let mut scene = Scene::default();
        chain(&mut scene, 6, 0.0);
        let close = JointDesc::new(JointKind::Ball, BodyId(5), BodyId(0), Vec3::Y, Vec3::Y, 0.1);
        scene.add_joint(close).unwrap();
        chain(&mut scene, 7, 10.0);
        for end in [6, 12] {
            scene.bodies[end].kinematic = true;
        }
        let articulations = Tables::new(&scene.joints, &scene.bodies);
        every_joint_is_solved_once(&scene, &articulations);
        let loops: usize = steps(&articulations).iter().flat_map(|(_, colors)| colors).map(|r| r.len()).sum();
        assert_eq!(loops, 1, "the ring has a loop, the bridge ends on a kinematic body");
    }
}
