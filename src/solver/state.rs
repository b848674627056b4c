//! THE BUFFER TABLE: every buffer the solver owns, with its rows and what they mean.

use super::check;
use super::constraints::ConstraintTables;
use super::edit::DragRow;
use super::fluid::{self, BoundaryRow};
use super::rows::{BatchRow, BodyState, ContactRow, ControlRow, ManifoldImpulseRow, ManifoldRow, ParamsRow};
use super::sails::AirRow;
use super::step::Sizes;
use super::surfaces::SurfacePairRow;
use super::tables::Tables;
use crate::gpu::wgpu::BufferUsages;
use crate::gpu::{Buffers, Context, GpuError};
use crate::scene::Scene;

/// `COLLIDER_SLOTS` of `common/contact`.
const COLLIDER_SLOTS: usize = 6;
/// Contacts of a particle against bodies and particles: `narrow_phase/find` has a bit for each.
pub(super) const MOST_CONTACT_SLOTS: u32 = 64;
/// `MANIFOLD_SLOTS` of `common/contact`.
pub(super) const MANIFOLD_SLOTS: usize = 32;
/// `CANDIDATE_HEAD` and `CANDIDATE_COLLIDERS` of `common/grid`: words of a proxy's list before the bodies and particles near it.
const CANDIDATE_WORDS: usize = 5 + 8;
/// Bodies and particles that a proxy can list as near, where there is anything but liquid.
pub(super) const CANDIDATE_CAPACITY: u32 = 124;
/// `LIST_HEAD` of `common/contact`: groups x y z and length, before the entries of a list that the GPU makes.
const LIST_HEAD: usize = 4;
/// Head of a list without entries.
const EMPTY_LIST: [u32; LIST_HEAD] = [0, 1, 1, 0];
/// Most substeps of a frame.
pub(super) const MOST_SUBSTEPS: usize = 64;
/// Buckets one workgroup of `broad_phase/scan_blocks` sums.
const SCAN_BLOCK: u32 = 1024;

/// Words of `stirred` for each bucket of the grid, and the least in all.
const STIRRED_WORDS: usize = 16;
const LEAST_STIRRED: usize = 1 << 16;
/// Word of `surface_list` where its numbers begin, after the head, and how many there are.
pub(super) const SURFACE_NUMBERS: usize = 4;
const SURFACE_WORDS: usize = 24;
/// Word of `surface_list` where the head of the pairs of bodies begins; `BODY_LIST` of `surfaces/primitive`.
pub(super) const BODY_LIST: u32 = 8;
/// Word of `surface_list` where three heads for those that are bound again begin; `AGAIN` of `surfaces/primitive`.
pub(super) const AGAIN: u32 = 12;
/// Marks of the passes that look for neighbors in liquid and for surfaces, in `search_sizes`: `search/decide`.
const OF_LIQUID: u32 = 1;
const OF_SURFACES: u32 = 2;
/// Mark of the passes that search surfaces once more.
pub(super) const SURFACES_REBUILD: u32 = 3;
/// Pairs of surfaces to make room for at the start, for each leaf of triangles: in large scenes, and in small ones.
const FIRST_PAIRS: usize = 192;
const MOST_FIRST_PAIRS: usize = 1024;
/// `SORTED_ROWS` of `common/grid`.
pub(super) const SORTED_ROWS: usize = 2;
/// `PRIMITIVE_ROWS` of `surfaces/primitive_rows`.
const PRIMITIVE_ROWS: usize = 6;
/// `LARGEST_WORDS` of `surfaces/primitive`.
pub(super) const LARGEST_WORDS: u32 = 1;
/// Words of a particle and of a body in `surface_deltas`; `DELTA_WORDS` and `BODY_DELTA_WORDS` of `surfaces/primitive`.
const DELTA_WORDS: usize = 8;
const BODY_DELTA_WORDS: usize = 16;

/// Word of `contact_list` where the contacts with bodies and particles begin, after those with colliders: `listed_others`
/// of `common/contact`.
pub(super) fn listed_others(sizes: &Sizes) -> u32 {
    (LIST_HEAD + 2 * COLLIDER_SLOTS * sizes.particles as usize) as u32
}

/// Word of `loads` where the list of touching pairs begins: `touching_manifolds` of `common/contact`.
pub(super) fn touching_manifolds(sizes: &Sizes) -> u32 {
    sizes.bodies * (1 + MANIFOLD_SLOTS as u32) + sizes.particles
}

/// The same for bodies that touch the world.
pub(super) fn touching_world(sizes: &Sizes) -> u32 {
    touching_manifolds(sizes) + (LIST_HEAD + sizes.bodies as usize * MANIFOLD_SLOTS / 2) as u32
}

/// The same for free particles that touch something.
pub(super) fn touching_particles(sizes: &Sizes) -> u32 {
    touching_world(sizes) + LIST_HEAD as u32 + sizes.bodies
}

/// Contact slots at the start: many where free particles, which crowd, are few, so that a sudden crash seldom finds them full.
pub(super) fn first_contact_slots(scene: &Scene) -> u32 {
    const BYTES: usize = 64 << 20;
    let held: usize = scene.bodies.iter().map(|body| body.links.len()).sum();
    if fluid::is_alone(scene) {
        return 1;
    }
    let most = if scene.particles.len() > held { 48 } else { 16 };
    (BYTES / (scene.particles.len().max(1) * size_of::<ContactRow>())).clamp(16, most) as u32
}

/// Contact slots that the device can hold for so many particles.
pub(super) fn most_contact_slots(context: &Context, particles: u32) -> u32 {
    let rows = context.device.limits().max_storage_buffer_binding_size as usize / size_of::<ContactRow>();
    (rows / particles.max(1) as usize).saturating_sub(COLLIDER_SLOTS) as u32
}

/// What decides when a pass of the search runs: `search_sizes` has it in the last word.
pub(super) fn mark_of(kernel: &str) -> u32 {
    match kernel.split_once('/') {
        Some(("fluid", _)) => OF_LIQUID,
        Some(("surfaces", _)) => OF_SURFACES,
        _ => 0,
    }
}

/// Pairs of surfaces to make room for at the start: many where leaves are few, so that a sudden crash seldom finds it full.
pub(super) fn surface_room(context: &Context, sizes: &Sizes) -> u32 {
    const BYTES: usize = 64 << 20;
    let fitting = BYTES / (sizes.triangle_leaves.max(1) as usize * size_of::<SurfacePairRow>());
    let pairs = fitting.clamp(FIRST_PAIRS, MOST_FIRST_PAIRS) as u32;
    pairs.saturating_mul(sizes.triangle_leaves).min(most_surface_room(context, sizes))
}

/// Pairs of surfaces that the device can hold: where bodies meet them, theirs need as much room again.
pub(super) fn most_surface_room(context: &Context, sizes: &Sizes) -> u32 {
    let rows = context.device.limits().max_storage_buffer_binding_size as usize / size_of::<SurfacePairRow>();
    rows as u32 / if sizes.bodies_meet_triangles() { 2 } else { 1 }
}

/// Hash buckets for so many proxies: about two each, a power of two, whole scan blocks.
pub(super) fn cell_count(proxies: usize) -> u32 {
    (2 * proxies as u32).next_power_of_two().max(SCAN_BLOCK)
}

/// Makes all buffers for these tables; dynamic ones start as the tables say.
/// `search_groups` holds the workgroups of each search pass.
pub(super) fn create(
    context: &Context,
    t: &Tables,
    c: &ConstraintTables,
    sizes: &Sizes,
    (contact_slots, surface_room, neighbor_slots): (u32, u32, u32),
    search_groups: &[[u32; 4]],
) -> Result<Buffers, GpuError> {
    let mut b = Buffers::new(context);
    let none = BufferUsages::empty();
    let particles = t.particles.len();
    let slots = COLLIDER_SLOTS + contact_slots as usize;

    // Parameters, written every frame.
    b.create_uniform("params", &[ParamsRow::default()])?;
    b.create_uniform("batch", &batches(c))?; // rows of the substeps, then of the colors of constraints

    // State. Everything is drawn from `bodies` and `particles`.
    b.create_with("bodies", &t.bodies)?; // [body_count] pose and velocity
    b.create_with("saved_bodies", &t.bodies)?; // [body_count] state at the end of the last frame
    b.create_with("particles", &t.particles)?; // [particle_count] position [m], radius [m]
    b.create_with("saved_particles", &t.particles)?; // [particle_count] positions at the end of the last frame
    let mut velocities = t.particle_velocities.clone();
    velocities.extend(c.originals.iter().map(|i| t.particle_velocities[*i as usize]));
    b.create_with("particle_velocities", &velocities)?; // [particle_count + phantoms] velocity [m/s], inverse mass [1/kg]

    let rest_poses: Vec<_> = t.bodies.iter().map(|b| [b.center, b.rotation]).collect();
    b.create_with("rest_poses", &rest_poses)?; // [body_count] pose that the body has stayed near
    b.create_with("body_origins", &rest_poses)?; // [body_count] pose when this substep began
    b.create::<[[f32; 4]; 4]>("body_pseudo_motions", t.bodies.len(), none)?; // [body_count] motion without velocity [m], [rad], impulses carried over
    let sleepy = if sizes.sleepers > 0 { particles } else { 0 };
    b.create::<[f32; 4]>("particle_rests", sleepy, none)?; // [particle_count] place near which it stays [m], of grains how long [s]
    let words = if sizes.sleepers > 0 { (STIRRED_WORDS * sizes.cells as usize).max(LEAST_STIRRED) } else { 0 };
    b.create::<u32>("stirred", words, none)?; // when something last moved in a cell, a power of two: `sleep/rest`
    b.create::<f32>("particle_margins", particles, none)?; // [particle_count] motion left of free particles [m]

    // What the scene says, fixed between edits.
    b.create_with("body_properties", &t.body_properties)?; // [body_count]
    b.create_with("ignored_bodies", &t.ignored_bodies)?; // bodies that each body never touches, ranges in body_properties
    b.create_with("links", &t.links)?; // particles of each body, contiguous per body
    b.create_with("particle_rows", &t.particle_rows)?; // [particle_count]
    b.create_with("particle_bodies", &t.particle_bodies)?; // [particle_count] primary body or NONE
    b.create_with("assembly_starts", &t.assembly_starts)?; // [assembly_count + 1] ranges of assembly_bodies
    b.create_with("assembly_bodies", &t.assembly_bodies)?; // [body_count]
    b.create_with("shapes", &t.shapes)?; // signed distances and triangles, see `shapes.rs`
    b.create_with("colliders", &t.colliders)?; // [collider_count]

    // Joints, in solving order.
    b.create_with("joints", &t.joints)?; // [joint_count]
    b.create_with("joint_broken", &vec![0u32; t.joints.len()])?; // [joint_count] 1 once broken
    b.create_with("joint_nodes", &t.articulations.nodes)?; // bodies of the trees of joints, by cluster and level
    b.create_with("clusters", &t.articulations.lists)?; // [cluster_count] where its list begins; the lists, see `articulations/solve`

    // Constraints between particles, in solving order.
    b.create_with("constraint_heads", &c.heads)?; // [constraint_count] type and first word, damping time [s]
    b.create_with("constraint_words", &c.words)?; // particles and numbers of each
    b.create::<[f32; 4]>("constraint_multipliers", c.heads.len(), none)?; // [constraint_count] λ of this substep
    b.create_with("color_starts", &c.color_starts)?; // [color_count + 1] first constraint of each color, then the end
    b.create::<u32>("color_marks", check::marks(c, sizes.particles), none)?; // clashes; of each particle its last color
    b.create_with("phantom_originals", &c.originals)?; // the particle of each phantom
    b.create_with("tears", &c.tears)?; // [tear_count] edges that can break
    b.create_with("torn_edges", &vec![0u32; c.tears.len()])?; // [tear_count] 1 once torn
    b.create_with("plastic_tetrahedra", &c.plastic)?; // those whose rest shape flows, into constraint_words
    b.create_with("attached_bodies", &c.attached_bodies)?; // [attached_body_count] ranges of attachments
    b.create_with("attachments", &c.attachments)?; // [attachment_count] particles on bodies
    b.create::<[f32; 4]>("attachment_multipliers", c.attachments.len(), none)?; // [attachment_count] λ of this substep
    let global = &c.global;
    b.create_with("global_constraints", &global.rows)?; // [global_count] those of whole meshes and shapes, by type
    b.create_with("global_members", &global.members)?; // their particles
    b.create_with("global_corners", &global.corners)?; // of each member, two others by triangle
    b.create::<[f32; 4]>("global_gradients", global.members.len(), none)?; // of each member ∇C, inverse mass [1/kg]
    b.create::<f32>("global_multipliers", global.rows.len(), none)?; // [global_count] λ of this substep
    b.create_with("global_rotations", &global.turned(&[]))?; // [global_count] of the rest shape, found last
    b.create_with("objects", &c.objects.rows)?; // [object_count] what constraints join
    b.create_with("object_members", &c.objects.members)?; // their particles
    b.create::<[f32; 4]>("object_spins", c.objects.rows.len(), none)?; // [object_count] angular momentum [kg m²/s]
    b.create_with("particle_phantoms", &c.phantoms)?; // [particle_count] first phantom, number of phantoms
    let split = particles + c.originals.len();
    b.create::<[f32; 4]>("particle_starts", split, none)?; // [particle_count + phantoms] place before constraints [m], 1/mass
    b.create::<[f32; 4]>("particle_deltas", split, none)?; // [particle_count + phantoms] corrections since [m]

    // The air.
    b.create_with("air", &[AirRow::default()])?; // wind, written every frame
    b.create_with("sail_members", &t.sails.members)?; // particles with triangles in the air
    b.create_with("sail_corners", &t.sails.corners)?; // of each member, two others by triangle
    b.create::<[f32; 4]>("particle_winds", particles, none)?; // [particle_count] what the air adds to velocities [m/s]

    // Hash grid over proxies.
    let proxies = t.proxies.rows.len();
    b.create::<u32>("cell_counts", sizes.cells as usize, none)?; // [cells] particles of a bucket; zero between searches
    b.create::<u32>("cell_starts", 2 * sizes.cells as usize + 1, none)?; // [2 cells + 1] see `mark_of` of common/grid
    b.create::<u32>("block_sums", (sizes.cells / SCAN_BLOCK) as usize, none)?; // scan totals
    b.create_with("proxies", &t.proxies.rows)?; // [proxy_count] balls around particles, in their body's frame
    b.create::<[f32; 4]>("proxy_positions", proxies, none)?; // [proxy_count] center [m], reach [m]
    b.create::<u32>("proxy_buckets", proxies, none)?; // [proxy_count]
    b.create::<u32>("bucket_proxies", proxies, none)?; // [proxy_count] by bucket, order undefined
    b.create_texture("sorted_proxies", SORTED_ROWS * proxies)?; // [proxy_count, 2] by bucket, then id
    b.create::<u32>("candidates", proxies * (CANDIDATE_WORDS + sizes.candidate_capacity as usize), none)?; // [proxy_count * candidate_row] what is near each proxy

    // Contacts.
    b.create_with("contact_targets", &empty_targets(t, slots))?; // [particle_count * (2 + slots)]
    let listed = 2 * (LIST_HEAD + particles * slots);
    b.create::<u32>("contact_list", listed, BufferUsages::INDIRECT)?; // slot and target of each contact, in two lists
    b.create::<ContactRow>("contacts", particles * slots, none)?; // [slots * particle_count]
    b.create::<u32>("reverse_counts", t.bodies.len(), none)?; // [body_count] contacts that others own
    b.create::<[u32; 2]>("reverse_unsorted", t.reverse_slots as usize, none)?; // owner, contact; ranges in body_properties
    b.create::<[u32; 2]>("reverse_contacts", t.reverse_slots as usize, none)?; // the same, sorted
    b.create::<u32>("world_contacts", t.links.len() * COLLIDER_SLOTS, none)?; // contacts of each body with colliders
    b.create::<ManifoldRow>("manifolds", t.bodies.len() * MANIFOLD_SLOTS, none)?; // [body_count * MANIFOLD_SLOTS]
    b.create::<ManifoldImpulseRow>("manifold_impulses", t.bodies.len() * MANIFOLD_SLOTS, none)?; // [body_count * MANIFOLD_SLOTS]
    let loads = touching_particles(sizes) as usize + LIST_HEAD + 2 * particles;
    b.create::<u32>("loads", loads, BufferUsages::INDIRECT)?; // counts, then lists, then f32; see `touch_count` of common/contact
    for list in [touching_manifolds(sizes), touching_world(sizes), touching_particles(sizes)] {
        b.upload("loads", list as usize, &EMPTY_LIST)?;
    }

    // Surfaces of free particles.
    b.create_with("triangle_primitives", &t.surfaces.places)?; // [triangle_count] the primitive of each triangle of the scene
    b.create_with("primitives", &t.surfaces.primitives)?; // [facet_count] corners, what each answers for
    let (primitives, room) =
        (t.surfaces.primitives.len(), if sizes.triangle_leaves > 0 { surface_room as usize } else { 0 });
    let leaves = sizes.leaves as usize;
    b.create_texture("primitive_bounds", PRIMITIVE_ROWS * primitives)?; // [facet_count, 6] where each is and how it moves
    b.create_with("primitive_rests", &t.surfaces.rests)?; // [facet_count] center of each at rest [m]; of bodies, the way out
    b.create::<[[f32; 4]; 3]>("leaf_bounds", leaves, none)?; // [patch_count] the same of leaves
    let chains = (sizes.leaf_cells + LARGEST_WORDS) as usize + leaves;
    b.create::<u32>("leaf_chains", chains, none)?; // first leaf of each bucket, largest sizes, next leaf of each
    let moving = if leaves > 0 { particles } else { 0 };
    b.create::<[f32; 4]>("marked_places", moving, none)?; // [particle_count] at the last search of surfaces [m], substeps since
    b.create::<[f32; 4]>("marked_velocities", moving, none)?; // [particle_count] velocity then [m/s]; of bodies w: the way out
    let marked = if sizes.bodies_meet_triangles() { t.bodies.len() } else { 0 };
    b.create::<BodyState>("marked_bodies", marked, none)?; // [body_count] then, with radius of particles [m], substeps since
    b.create::<u32>("leaf_pairs", LIST_HEAD + 2 * room, BufferUsages::INDIRECT)?; // leaves near one another, two a row
    b.create::<u32>("surface_candidates", LIST_HEAD + 8 * room, BufferUsages::INDIRECT)?; // features that may be near, two words a row
    b.create::<u32>("surface_list", SURFACE_WORDS, BufferUsages::INDIRECT)?; // head of the pairs, numbers
    let rooms = if sizes.bodies_meet_triangles() { 2 } else { 1 };
    b.create::<SurfacePairRow>("surface_pairs", rooms * room, none)?; // features that may touch until the next search
    let pushes = if primitives == 0 { 0 } else { particles * DELTA_WORDS + t.bodies.len() * BODY_DELTA_WORDS };
    b.create::<i32>("surface_deltas", pushes, none)?; // sums of contacts of particles, then of bodies
    // [particle_count] where free ones began this substep [m], those of bodies when surfaces were searched
    b.create::<[f32; 4]>("particle_origins", particles, none)?;

    // Liquids, and other free particles in them; by `sorted_particles` until sorted, from then on by the order of the grid.
    let members = t.fluid.members.len();
    b.create_uniform("fluid", &[t.fluid.row(sizes.fluid_cells, neighbor_slots)])?;
    let grid = ParamsRow { proxy_count: members as u32, cell_mask: sizes.fluid_cells - 1, ..ParamsRow::default() };
    b.create_uniform("fluid_params", &[grid])?; // what kernels of the hash grid of proxies read as `params`
    b.create_with("fluid_particles", &t.fluid.members)?; // [particle_count] particle of each
    b.create_with("particle_volumes", &t.fluid.volumes)?; // [particle_count] what each displaces, in particles of liquid
    b.create_with("particle_liquids", &t.fluid.liquids)?; // [particle_count] drag [kg/s] and cohesion [N] of its liquid
    b.create::<f32>("particle_pressures", particles, none)?; // [particle_count] λ of the density [kg m²]
    b.create::<u32>("fluid_cell_counts", sizes.fluid_cells as usize, none)?; // [fluid_cells] as `cell_counts`
    b.create::<u32>("fluid_cell_starts", sizes.fluid_cells as usize + 1, none)?; // [fluid_cells + 1] as `cell_starts`
    b.create::<u32>("fluid_block_sums", (sizes.fluid_cells / SCAN_BLOCK) as usize, none)?; // scan totals
    b.create::<u32>("fluid_buckets", members, none)?; // [particle_count]
    b.create::<u32>("fluid_bucket_particles", members, none)?; // [particle_count] by bucket, order undefined
    b.create::<u32>("sorted_particles", members, none)?; // [particle_count] particle of each, in the order of the grid
    b.create_texture("fluid_places", members + 1)?; // [particle_count + 1] position [m]; volume and inverse mass as halves
    b.create_texture("fluid_motions", members + 1)?; // [particle_count + 1] velocity [m/s]; drag and cohesion as halves
    let confined = if sizes.confined > 0 { members + 1 } else { 1 };
    b.create_with("particle_confinements", &t.fluid.confinements)?; // [particle_count] ε d² [m²/s]
    b.create_texture("fluid_whirls", confined)?; // [particle_count + 1] ε d² ω [m²/s²], one row where no liquid confines any
    b.create::<u32>("fluid_counts", members, none)?; // [particle_count] neighbors of each
    b.create_texture("fluid_neighbors", members * neighbor_slots.div_ceil(4) as usize)?; // by four, of all members
    b.create::<BoundaryRow>("fluid_boundaries", members, none)?; // [particle_count] what bodies and colliders displace
    b.create_texture("fluid_steps", members + 1)?; // [particle_count + 1] position [m]; two changes of λ [kg m²] as halves
    b.create_with("emissions", &t.fluid.emitters.rows)?; // [emitter_count] written every frame
    b.create_with("emitter_spots", &t.fluid.emitters.spots)?; // places in nozzles [m]
    b.create_with("drains", &t.fluid.emitters.drains)?; // [drain_count]

    // Decisions and counters.
    b.create_with("control", &[ControlRow::default()])?;
    b.create_with("search_sizes", search_groups)?; // [search passes] workgroups when searching
    b.create::<u32>("search_args", 3 * search_groups.len(), BufferUsages::INDIRECT)?; // workgroups now: these or none
    b.create_with("drag", &[DragRow::default()])?;
    Ok(b)
}

/// Rows of `batch`: of the substeps, written every frame, and of colors and global constraints; see `step::color_batch`.
fn batches(c: &ConstraintTables) -> Vec<BatchRow> {
    let mut rows = vec![BatchRow::default(); MOST_SUBSTEPS];
    let attached = c.attached_bodies.len() as u32;
    for (iteration, last) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let colors = c.color_starts.windows(2).map(|range| (range[0], range[1] - range[0]));
        let row = |(first, count)| BatchRow { iteration, last, first, count, ..BatchRow::default() };
        rows.extend(colors.chain([(0, attached)]).chain(c.global.ranges.iter().copied()).map(row));
    }
    rows
}

/// Contact lists with no contacts: each row knows its particle's body.
fn empty_targets(t: &Tables, slots: usize) -> Vec<u32> {
    let mut rows = vec![0; t.particles.len() * (2 + slots)];
    for (row, body) in rows.chunks_exact_mut(2 + slots).zip(&t.particle_bodies) {
        row[1] = *body;
    }
    rows
}

/// The rows that hold the state: what a caller may want back.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    pub(super) bodies: Vec<BodyState>,
    pub(super) particles: Vec<[f32; 4]>,
    pub(super) particle_velocities: Vec<[f32; 4]>,
    /// By scene index.
    pub(super) joint_broken: Vec<u32>,
    /// By tear, 1 once torn.
    pub(super) torn: Vec<u32>,
    /// Inverse rest shapes of what flows, in the order of the scene.
    pub(super) plastic: Vec<[u32; 9]>,
    /// How rest shapes of global constraints were turned last, in the order of the scene.
    pub(super) global_rotations: Vec<[f32; 4]>,
    /// Multipliers of the density of liquid.
    pub(super) pressures: Vec<f32>,
    /// What is counted since the start.
    pub(super) counted: ControlRow,
}

impl Snapshot {
    /// Writes what needs no other order than it had.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] if there is more of it than fits.
    pub(super) fn restore(&self, buffers: &Buffers) -> Result<(), GpuError> {
        buffers.upload("particle_pressures", 0, &self.pressures)?;
        buffers.upload("control", 0, &[self.counted])
    }
}
