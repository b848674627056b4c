//! Surfaces of free particles as primitives: triangles, then what may meet them: particles at the surface of bodies, and free
//! ones that belong to no triangle. Each corner and each edge is answered for by one primitive, so that a search over pairs of
//! primitives looks at every two of them once. Primitives that lie together are a leaf; leaves are what is hashed (paper 4).

use std::collections::{HashMap, HashSet};
use std::mem::offset_of;

use glam::Vec3;

use super::ground::{NONE, Room, World, list_rows, most_rows};
use super::rows::{Control, vec4};
use super::stage::{Frame, List, Pass, Trigger};
use crate::gpu::wgsl::surfaces::collider_touch::ColliderTouch;
use crate::gpu::wgsl::surfaces::delta::{ROWS_OF_BODY, SurfaceDelta};
use crate::gpu::wgsl::surfaces::islands::ISLANDS;
use crate::gpu::wgsl::surfaces::lists::{CANDIDATES_EACH, SurfaceList};
use crate::gpu::wgsl::surfaces::primitive::{
    Bounds, FASTENED, FIRST_OF_BODY, LARGEST_WORDS, LEAF as LEAF_SIZE, MarkedBody, OF_BODY, OWNS_EDGE, SurfacePair,
    TORN,
};
use crate::gpu::wgsl::surfaces::primitive_rows::PRIMITIVE_ROWS;
use crate::gpu::wgsl::surfaces::touch_colliders::FLAT;
use crate::gpu::{Buffers, Context, GpuError, wgpu::BufferUsages};
use crate::scene::{Extent, Link, Phase, Scene, Shape};

static PLAN: Pass = Pass::new("surfaces/plan");
static CHECK: Pass = Pass::new("surfaces/check");
static CHECK_BODIES: Pass = Pass::new("surfaces/check_bodies");
static DECIDE: Pass = Pass::new("surfaces/decide");
static MARK: Pass = Pass::new("surfaces/mark");
static MARK_BODIES: Pass = Pass::new("surfaces/mark_bodies");
static BIN: Pass = Pass::new("surfaces/bin");
static LEAF_PAIRS: Pass = Pass::new("surfaces/leaf_pairs");
static CANDIDATES: Pass = Pass::new("surfaces/candidates");
static NARROW_PHASE: Pass = Pass::new("surfaces/narrow_phase");
static UPDATE: Pass = Pass::new("surfaces/update");
static UPDATE_BODIES: Pass = Pass::new("surfaces/update_bodies");
static SOLVE: Pass = Pass::new("surfaces/solve");
static SOLVE_BODIES: Pass = Pass::new("surfaces/solve_bodies");
static TOUCH_COLLIDERS: Pass = Pass::new("surfaces/touch_colliders");
static SOLVE_COLLIDERS: Pass = Pass::new("surfaces/solve_colliders");
static APPLY: Pass = Pass::new("surfaces/apply");
static APPLY_BODIES: Pass = Pass::new("surfaces/apply_bodies");

/// Triangles of a leaf.
const LEAF: usize = LEAF_SIZE as usize;
/// Pairs of features of free particles, in `surface_list`.
const FREE_PAIRS: List = List::at("surface_list", offset_of!(SurfaceList, pairs));
/// Pairs of particles of bodies and triangles.
const BODY_PAIRS: List = List::at("surface_list", offset_of!(SurfaceList, body_pairs));
/// Pairs of surfaces to make room for at the start, for each leaf of triangles: in large scenes, and in small ones, where a
/// sudden crash should seldom find it full. Small ones take no more bytes than this.
const FIRST_PAIRS: usize = 192;
const MOST_FIRST_PAIRS: usize = 1024;
const FIRST_BYTES: usize = 64 << 20;
/// How deep a particle at the surface of a body is at most, in radii: those of the next layer are 3 deep.
const SURFACE_DEPTH: f32 = 2.0;
/// Least slope of the signed distance across a particle that has an inside and an outside; a layer of one has none.
const SLOPE: f32 = 0.4;

/// Surfaces in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    pub(in crate::solver) world: World,
    pub(in crate::solver) triangle_leaves: u32,
    /// These, and leaves of particles of bodies.
    pub(in crate::solver) full_leaves: u32,
    /// These, and free particles of no triangle, each a leaf.
    pub(in crate::solver) leaves: u32,
    /// Buckets of the hash grid of leaves: a power of two, about two for each.
    pub(in crate::solver) cells: u32,
    /// Mean side of a leaf at the start, with twice the radius of its particles [m].
    pub(in crate::solver) leaf_size: f32,
    /// Whether a collider can be between the corners of a triangle without touching one.
    pub(in crate::solver) poked: bool,
}

impl Stage {
    /// Whether there is any surface to meet.
    pub(in crate::solver) fn is_met(&self) -> bool {
        self.triangle_leaves > 0
    }

    /// Rows of triangles that a collider can be between the corners of.
    pub(in crate::solver) fn poked(&self) -> u32 {
        if self.poked { LEAF_SIZE * self.triangle_leaves } else { 0 }
    }

    /// Whether there are triangles, and particles of bodies to meet them.
    pub(in crate::solver) fn meets_bodies(&self) -> bool {
        self.full_leaves > self.triangle_leaves
    }

    /// Searches at the start of a frame for what may meet until its end.
    pub(in crate::solver) fn plan(&self, f: &mut Frame) {
        if self.is_met() {
            f.run(&PLAN, 1);
            self.search(f);
        }
    }

    /// Searches at the end of a substep when something strayed from the way that the last search counted on.
    pub(in crate::solver) fn search_strays(&self, f: &mut Frame) {
        if self.is_met() {
            f.run(&CHECK, self.world.particles.max(ISLANDS + 1));
            f.run(&CHECK_BODIES, if self.meets_bodies() { self.world.bodies } else { 0 });
            f.run(&DECIDE, 1);
            self.search(f);
        }
    }

    /// Finds leaves that may meet, and of those the features that may; the GPU says whether.
    fn search(&self, f: &mut Frame) {
        let when = Trigger::Surfaces;
        f.run_when(when, &MARK, self.world.particles.max(self.cells + LARGEST_WORDS));
        f.run_when(when, &MARK_BODIES, LEAF_SIZE * (self.full_leaves - self.triangle_leaves));
        f.run_when(when, &BIN, self.leaves.max(ISLANDS));
        f.run_when(when, &LEAF_PAIRS, self.triangle_leaves);
        f.run_listed(&CANDIDATES, List::of("leaf_pairs", 0));
        f.run_listed(&NARROW_PHASE, List::of("surface_candidates", 0));
    }

    /// Contacts of features, and of triangles and colliders, Jacobi.
    pub(in crate::solver) fn solve(&self, f: &mut Frame) {
        f.run(&TOUCH_COLLIDERS, self.poked());
        self.run_pairs(f, &UPDATE, &UPDATE_BODIES);
        f.run(&SOLVE_COLLIDERS, self.poked());
        self.run_pairs(f, &SOLVE, &SOLVE_BODIES);
    }

    /// Moves what surfaces push.
    pub(in crate::solver) fn apply(&self, f: &mut Frame) {
        f.run(&APPLY, if self.is_met() { self.world.particles } else { 0 });
        self.apply_bodies(f);
    }

    /// Moves bodies by what surfaces did to them.
    pub(in crate::solver) fn apply_bodies(&self, f: &mut Frame) {
        f.run(&APPLY_BODIES, if self.meets_bodies() { self.world.bodies } else { 0 });
    }

    /// A pass over pairs of features of free particles, and its like for those of bodies.
    fn run_pairs(&self, f: &mut Frame, free: &'static Pass, of_bodies: &'static Pass) {
        if self.is_met() {
            f.run_listed(free, FREE_PAIRS);
        }
        if self.meets_bodies() {
            f.run_listed(of_bodies, BODY_PAIRS);
        }
    }

    /// Tells the GPU how many leaves there are, how many pairs fit, and what the hash grid of leaves is like; `scale` is the
    /// scene's, of cells.
    pub(in crate::solver) fn write(&self, b: &Buffers, room: u32, scale: f32) -> Result<(), GpuError> {
        let cell = (self.leaf_size * scale).max(1e-6).to_bits();
        let numbers = [self.leaves, room, cell, self.cells.wrapping_sub(1)];
        b.upload_fields("surface_list", 0, offset_of!(SurfaceList, leaf_count), &numbers)
    }

    /// Makes the lists that a search fills, with room for so many pairs.
    pub(in crate::solver) fn create_lists(&self, b: &mut Buffers, room: u32) -> Result<(), GpuError> {
        let (room, list) = (if self.is_met() { room as usize } else { 0 }, BufferUsages::INDIRECT);
        b.create::<[u32; 2]>("leaf_pairs", list_rows::<[u32; 2]>(1, room), list)?; // leaves near one another
        let candidates = list_rows::<[u32; 2]>(1, CANDIDATES_EACH as usize * room);
        b.create::<[u32; 2]>("surface_candidates", candidates, list)?; // features that may be near
        let rooms = if self.meets_bodies() { 2 } else { 1 };
        b.create::<SurfacePair>("surface_pairs", rooms * room, BufferUsages::empty()) // features that may touch until the next search
    }

    /// Room for pairs at the start.
    pub(in crate::solver) fn first_room(&self, context: &Context) -> u32 {
        let fitting = FIRST_BYTES / (self.triangle_leaves.max(1) as usize * size_of::<SurfacePair>());
        let pairs = fitting.clamp(FIRST_PAIRS, MOST_FIRST_PAIRS) as u32;
        pairs.saturating_mul(self.triangle_leaves).min(self.most_room(context))
    }

    /// Pairs that the device can hold: where bodies meet them, theirs need as much room again.
    fn most_room(&self, context: &Context) -> u32 {
        most_rows(context, size_of::<SurfacePair>()) as u32 / if self.meets_bodies() { 2 } else { 1 }
    }

    /// Gives the list of pairs more room when it overflowed or soon may.
    pub(in crate::solver) fn grow(&self, control: &Control, room: &mut Room, context: &Context) {
        let most = self.most_room(context);
        if control.surfaces_most > 0 && room.surface_pairs < most {
            room.surface_pairs = control.surfaces_most.max(room.surface_pairs).saturating_mul(2).min(most);
        }
    }
}

/// Facets of a scene; none when nothing could meet them.
#[derive(Debug, Default)]
pub(in crate::solver) struct Tables {
    /// Corners, then the bits of what the primitive answers for; a point has one corner three times.
    pub(in crate::solver) primitives: Vec<[u32; 4]>,
    /// The primitive of each triangle of the scene, `NONE` without primitives.
    pub(in crate::solver) places: Vec<u32>,
    /// Particles that their object's triangles stand for: corners, spare ones, and what is inside of tetrahedra.
    pub(in crate::solver) skinned: HashSet<u32>,
    /// Shortest height of the triangles at each particle [m], `f32::MAX` where there are none; shape [particle_count].
    pub(in crate::solver) finest: Vec<f32>,
    /// Centers of primitives at the start [m], with the sum of the squared sides of triangles [m²]; of particles of bodies, the way
    /// out in the body's frame, or 0.
    pub(in crate::solver) rests: Vec<[f32; 4]>,
    /// The first primitives are triangles, in so many leaves.
    triangle_leaves: u32,
    /// These leaves, and those of particles of bodies.
    full_leaves: u32,
    /// These leaves, and the points.
    leaves: u32,
    /// Mean side of a leaf at the start, with twice the radius of its particles [m].
    size: f32,
    /// Whether a collider can be between the corners of a triangle.
    poked: bool,
}

impl Tables {
    /// `primary` is the body of each particle, `NONE` for free ones.
    pub(in crate::solver) fn new(scene: &Scene, primary: &[u32]) -> Self {
        if !meet(scene, primary) {
            return Self { places: vec![NONE; scene.triangles.len()], ..Self::default() };
        }
        let mut triangles = scene.triangles.clone();
        let phase = |t: &[u32; 3]| scene.particles[t[0] as usize].phase;
        // Layers change while the world runs, and rows stay where they are.
        triangles.sort_by_key(|t| phase(t).with_class(0).0);
        let places = scene.made_places();
        let mut surfaces = Self::default();
        let ghost = |i: &u32| scene.particles[*i as usize].phase.contains(Phase::GHOST);
        for object in triangles.chunk_by_mut(|a, b| phase(a) == phase(b)) {
            // What is held in places still has a surface; what meets nothing anywhere has none.
            if !object.iter().flatten().all(ghost) {
                surfaces.split(scene, &places, object);
            }
        }
        let rows = surfaces.primitives.iter().zip(0_u32..).map(|(row, place)| ([row[0], row[1], row[2]], place));
        let place_of: HashMap<[u32; 3], u32> = rows.collect();
        surfaces.places = scene.triangles.iter().map(|t| place_of.get(t).copied().unwrap_or(NONE)).collect();
        surfaces.triangle_leaves = (surfaces.primitives.len() / LEAF) as u32;
        surfaces.size /= surfaces.triangle_leaves.max(1) as f32;
        let (mut corners, mut edges) = (HashSet::new(), HashSet::new());
        for row in surfaces.primitives.iter_mut().filter(|row| row[0] != NONE) {
            for k in 0..3 {
                let (p, q) = (row[k], row[(k + 1) % 3]);
                row[3] |= u32::from(corners.insert(p)) << k;
                row[3] |= (OWNS_EDGE << k) * u32::from(edges.insert((p.min(q), p.max(q))));
                row[3] |= FASTENED * u32::from(ghost(&p));
            }
        }
        let group = |i: u32| scene.particles[i as usize].phase.group();
        let groups: HashSet<u32> = corners.iter().map(|i| group(*i)).collect();
        let tets = scene.constraints.iter().filter(|row| row.rest_volume().is_some());
        let inside = tets.flat_map(|row| row.particles).filter(|i| group(*i) != 0 && groups.contains(&group(*i)));
        let spares = scene.deformables.iter().flat_map(Extent::spares);
        surfaces.skinned = corners.iter().copied().chain(inside).chain(spares).collect();
        let triangle_rows = surfaces.primitives.len();
        for body in 0..scene.bodies.len() {
            surfaces.add_body(scene, body, primary);
        }
        surfaces.full_leaves = (surfaces.primitives.len() / LEAF) as u32;
        let alone = |i: &u32| {
            primary[*i as usize] == NONE && !ghost(i) && !corners.contains(i) && !surfaces.skinned.contains(i)
        };
        let points: Vec<[u32; 4]> = (0..scene.particles.len() as u32).filter(alone).map(|i| [i, i, i, 1]).collect();
        surfaces.leaves = surfaces.full_leaves + points.len() as u32;
        surfaces.finest = finest(scene, &places);
        surfaces.poked = is_poked(scene, &places);
        let place = |i: &u32| places.get(*i as usize).copied().unwrap_or_default();
        let center = |row: &[u32; 4]| {
            let [a, b, c] = [0, 1, 2].map(|k| place(&row[k]));
            vec4((a + b + c) / 3.0, a.distance_squared(b) + b.distance_squared(c) + c.distance_squared(a))
        };
        let before: Vec<_> = surfaces.primitives[..triangle_rows].iter().map(center).collect();
        surfaces.rests.splice(..0, before);
        surfaces.rests.extend(points.iter().map(center));
        surfaces.primitives.extend(points);
        surfaces
    }

    /// Patches of the particles at the surface of a body, no larger than those of triangles.
    fn add_body(&mut self, scene: &Scene, index: usize, primary: &[u32]) {
        let body = &scene.bodies[index];
        let shape = &scene.shapes[body.shape];
        let is_met = |link: &&Link| {
            let particle = scene.particles[link.particle.0 as usize];
            let own = primary[link.particle.0 as usize] == index as u32;
            own && !particle.phase.contains(Phase::GHOST)
                && shape.distance(link.local) > -SURFACE_DEPTH * particle.radius
        };
        let mut links: Vec<Link> = body.links.iter().filter(is_met).copied().collect();
        if body.is_gone() || links.is_empty() {
            return;
        }
        let first = self.primitives.len();
        self.split_points(&mut links);
        self.primitives[first][3] |= FIRST_OF_BODY;
        let local: HashMap<u32, Vec3> = links.iter().map(|link| (link.particle.0, link.local)).collect();
        for row in &self.primitives[first..] {
            let way_out = local.get(&row[0]).map_or(Vec3::ZERO, |at| {
                let radius = scene.particles[row[0] as usize].radius;
                let slope = |e: Vec3| shape.distance(*at + radius * e) - shape.distance(*at - radius * e);
                let slope = Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z)) / (2.0 * radius);
                if slope.length() > SLOPE { slope.normalize() } else { Vec3::ZERO }
            });
            self.rests.push(vec4(way_out, 0.0));
        }
    }

    fn split_points(&mut self, links: &mut [Link]) {
        let places = links.iter().map(|link| link.local);
        let (low, high) = places.fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(p), high.max(p)));
        let axis = (high - low).max_position();
        if links.len() > LEAF || (links.len() > 1 && (high - low)[axis] > self.size) {
            links.sort_by(|a, b| a.local[axis].total_cmp(&b.local[axis]).then(a.particle.cmp(&b.particle)));
            let (lower, upper) = links.split_at_mut(links.len() / 2);
            self.split_points(lower);
            self.split_points(upper);
            return;
        }
        let rows = links.iter().map(|link| [link.particle.0, link.particle.0, link.particle.0, 1 | OF_BODY]);
        self.primitives.extend(rows.chain(std::iter::repeat([NONE; 4])).take(LEAF));
    }

    /// Halves triangles along their longest side into leaves, all but the last of them full.
    fn split(&mut self, scene: &Scene, places: &[Vec3], triangles: &mut [[u32; 3]]) {
        let place = |i: u32| places[i as usize];
        let center = |t: &[u32; 3]| t.iter().map(|i| place(*i)).sum::<Vec3>();
        let corners = triangles.iter().flatten().map(|i| place(*i));
        let (low, high) = corners.fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(p), high.max(p)));
        if triangles.len() > LEAF {
            let axis = (high - low).max_position();
            triangles.sort_by(|a, b| center(a)[axis].total_cmp(&center(b)[axis]).then(a.cmp(b)));
            let half = triangles.len().div_ceil(2).next_multiple_of(LEAF).min(triangles.len() - 1);
            let (lower, upper) = triangles.split_at_mut(half);
            self.split(scene, places, lower);
            self.split(scene, places, upper);
            return;
        }
        self.size += (high - low).max_element() + 2.0 * scene.particles[triangles[0][0] as usize].radius;
        let rows = triangles.iter().map(|[a, b, c]| [*a, *b, *c, 0]);
        self.primitives.extend(rows.chain(std::iter::repeat([NONE; 4])).take(LEAF));
    }

    /// Whether there is any surface to meet.
    pub(in crate::solver) fn are_met(&self) -> bool {
        self.triangle_leaves > 0
    }

    /// What is left of them in a frame.
    pub(in crate::solver) fn stage(&self, world: World) -> Stage {
        Stage {
            world,
            triangle_leaves: self.triangle_leaves,
            full_leaves: self.full_leaves,
            leaves: self.leaves,
            cells: (2 * self.leaves).next_power_of_two(),
            leaf_size: self.size,
            poked: self.poked,
        }
    }

    /// Lets a triangle meet nothing.
    pub(in crate::solver) fn set_torn(&mut self, triangle: usize) {
        if let Some(row) = self.places.get(triangle).and_then(|place| self.primitives.get_mut(*place as usize)) {
            row[3] |= TORN;
        }
    }

    /// What tearing marks: primitives, and the one of each triangle of the scene.
    pub(in crate::solver) fn torn_ones(&self) -> (&[[u32; 4]], &[u32]) {
        (&self.primitives, &self.places)
    }

    /// Makes the buffers of surfaces, with room for so many pairs.
    pub(in crate::solver) fn create(&self, b: &mut Buffers, stage: &Stage, room: u32) -> Result<(), GpuError> {
        let (none, list) = (BufferUsages::empty(), BufferUsages::INDIRECT);
        let primitives = self.primitives.len();
        let (particles, bodies) = (stage.world.particles as usize, stage.world.bodies as usize);
        let leaves = stage.leaves as usize;
        b.create_with("triangle_primitives", &self.places)?; // [triangle_count] the primitive of each triangle of the scene
        b.create_with("primitives", &self.primitives)?; // [primitive_count] corners, what each answers for
        b.create_texture("primitive_bounds", PRIMITIVE_ROWS as usize * primitives)?; // [primitive_count, 7] where each is, how it moves
        b.create_with("primitive_rests", &self.rests)?; // [primitive_count] center of each at rest [m]; of bodies, the way out
        b.create::<Bounds>("leaf_bounds", leaves, none)?; // [leaf_count] the same of leaves
        let chains = (stage.cells + LARGEST_WORDS) as usize + leaves;
        b.create::<u32>("leaf_chains", chains, none)?; // first leaf of each bucket, largest sizes, next leaf of each
        let moving = if leaves > 0 { particles } else { 0 };
        b.create::<[f32; 4]>("marked_places", moving, none)?; // [particle_count] at the last search of surfaces [m], how far it strayed
        b.create::<[f32; 4]>("marked_velocities", moving, none)?; // [particle_count] velocity then [m/s]; w: margin [m], less than 0 of what strays, of bodies the way out
        let marked = if stage.meets_bodies() { bodies } else { 0 };
        b.create::<MarkedBody>("marked_bodies", marked, none)?; // [body_count] then, with radius of particles [m]
        stage.create_lists(b, room)?;
        for name in ["surface_list", "surface_list_again", "surface_list_last", "surface_list_end"] {
            b.create::<SurfaceList>(name, 1, list)?; // heads of the lists of pairs, numbers; of each round in which ways are bound
        }
        let touches = if self.poked { LEAF * stage.triangle_leaves as usize } else { 0 };
        b.create::<ColliderTouch>("collider_touches", touches, none)?; // [triangle_leaves * LEAF] colliders between corners
        let deltas = particles + bodies * ROWS_OF_BODY as usize + ISLANDS as usize + 1;
        b.create::<SurfaceDelta>("surface_deltas", if primitives == 0 { 0 } else { deltas }, none) // of particles, two a body, islands
    }
}

/// The shortest height of the triangles at each particle [m], `f32::MAX` without triangles.
fn finest(scene: &Scene, places: &[Vec3]) -> Vec<f32> {
    let mut finest = vec![f32::MAX; places.len()];
    for triangle in &scene.triangles {
        let [a, b, c] = triangle.map(|i| places[i as usize]);
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        let height = (b - a).cross(c - a).length() / longest;
        triangle.iter().for_each(|i| finest[*i as usize] = finest[*i as usize].min(height));
    }
    for extent in &scene.deformables {
        let own = extent.first_particle.0 as usize..extent.spares().start as usize;
        let least = finest[own].iter().copied().fold(f32::MAX, f32::min);
        finest[extent.spares().start as usize..extent.spares().end as usize].fill(least);
    }
    finest
}

/// Whether some collider can be between the corners of a triangle without touching one: it has edges, or is small and round.
fn is_poked(scene: &Scene, places: &[Vec3]) -> bool {
    let place = |i: u32| places[i as usize];
    let sides = scene.triangles.iter().flat_map(|[a, b, c]| [(*a, *b), (*b, *c), (*c, *a)]);
    let longest = sides.map(|(p, q)| place(p).distance(place(q))).fold(0.0, f32::max);
    // The shader measures from the middle of a triangle to its farthest corner: at most two thirds of the longest side, twice.
    let small = |radius: f32| radius < FLAT * 1.4 * longest;
    let pokes = |shape: &Shape| match shape {
        Shape::Plane | Shape::Mesh(_) | Shape::Heightfield(_) => false,
        Shape::Sphere(radius) | Shape::Capsule { radius, .. } => small(*radius),
        Shape::Cuboid(_) | Shape::Cylinder { .. } | Shape::Hull(_) | Shape::Grid(_) | Shape::Compound(_) => true,
    };
    // Anything may come into places that are kept.
    !scene.reserve.colliders.is_empty() || scene.colliders.iter().any(|collider| pokes(&collider.shape))
}

/// Whether particles may meet a triangle: one object alone that does not meet itself has no use for its surface.
fn meet(scene: &Scene, primary: &[u32]) -> bool {
    let bodies = scene.bodies.iter().any(|body| !body.is_gone());
    let mut free = scene.particles.iter().zip(primary).filter(|(_, body)| **body == NONE).map(|(p, _)| p.phase);
    let first = free.next();
    !scene.triangles.is_empty()
        && first.is_some_and(|phase| {
            bodies
                || phase.contains(Phase::MEETS_ITSELF)
                || phase.group() == 0
                || free.any(|other| other.group() != phase.group())
        })
}

#[cfg(test)]
mod tests {
    use glam::Vec3Swizzles;

    use super::*;
    use crate::demos::stage_for;
    use crate::scene::BodyDesc;

    #[test]
    fn particles_at_the_surface_of_a_body_know_the_way_out() {
        let mut scene = stage_for("layers", &[("side".to_owned(), "9".to_owned())]).unwrap().scene;
        let free = scene.particles.len();
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.02)).unwrap();
        scene.add_body(BodyDesc::cuboid(Vec3::new(0.1, 0.02, 0.02), 0.02)).unwrap();
        let primary: Vec<u32> =
            (0..scene.particles.len()).map(|i| if i < free { NONE } else { u32::from(i >= free + 125) }).collect();
        let surfaces = Tables::new(&scene, &primary);
        let rows =
            surfaces.primitives.iter().zip(&surfaces.rests).filter(|(row, _)| row[3] & OF_BODY != 0 && row[0] != NONE);
        // Of a box of 5³ particles those of the inner 3³ meet nothing; a rod of one layer has no inside.
        assert_eq!(rows.clone().count(), 125 - 27 + 5);
        assert_eq!(rows.clone().filter(|(row, _)| row[3] & FIRST_OF_BODY != 0).count(), 2);
        for (row, out) in rows {
            let (out, i) = (Vec3::new(out[0], out[1], out[2]), row[0] as usize);
            let local = scene.particles[i].position;
            if i < free + 125 {
                assert!(out.is_normalized() && out.dot(local) > 0.0, "{out} at {local}");
            } else {
                assert!(out.yz().length() < 1e-6, "{out} at {local}");
            }
        }
        assert_eq!(surfaces.primitives.len(), surfaces.rests.len());
        assert_eq!(surfaces.primitives.len(), LEAF * surfaces.full_leaves as usize);
    }

    #[test]
    fn every_corner_and_edge_is_answered_for_once() {
        let sets = [("side", "9"), ("count", "2")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let scene = stage_for("layers", &sets).unwrap().scene;
        let surfaces = Tables::new(&scene, &vec![NONE; scene.particles.len()]);
        let triangles = surfaces.primitives.iter().filter(|row| row[0] != NONE);
        assert_eq!(triangles.clone().count(), scene.triangles.len());
        let owned = |bits: u32| triangles.clone().map(|row| (row[3] & bits).count_ones() as usize).sum::<usize>();
        // Euler: corners - edges + triangles is 1 for each sheet.
        assert_eq!(owned(OWNS_EDGE - 1), scene.particles.len());
        assert_eq!(owned(7 * OWNS_EDGE), scene.particles.len() + scene.triangles.len() - 2);
        for (triangle, place) in scene.triangles.iter().zip(&surfaces.places) {
            assert_eq!(surfaces.primitives[*place as usize][..3], triangle[..]);
        }
    }
}
