// World parameters and sizes, the same for every pass of a frame.

struct Params {
    gravity: vec3f,            // [m/s²]
    substep_dt: f32,           // [s]
    particle_count: u32,
    proxy_count: u32,
    body_count: u32,
    collider_count: u32,
    assembly_count: u32,
    cell_mask: u32,            // hash buckets - 1, a power of two minus one
    contact_capacity: u32,     // contact slots of a particle against bodies and particles
    contact_slots: u32,        // those and the ones against colliders
    reverse_factor: u32,       // times the slots that each body has for contacts of others
    manifold_slots: u32,       // pairs of a body, the world's among them
    cell_size: f32,            // of the cells of bodies [m]
    particle_radius: f32,      // largest radius [m]
    friction_scale: f32,
    dynamic_friction_ratio: f32,
    depenetration_speed: f32,  // [m/s]
    restitution_speed: f32,    // [m/s]
    linear_damping: f32,       // [1/s]
    angular_damping: f32,      // [1/s]
    mass_scaling: f32,         // [1/m]
    max_speed: f32,            // [m/s]
    sleep_speed: f32,          // [m/s]
    sleep_time: f32,           // [s]
    world_extent: f32,         // [m]
    dt: f32,                   // frame [s]
    cluster_count: u32,
    collider_speed: f32,       // fastest point of a collider [m/s]
    belt_speed: f32,           // fastest that the surface of a collider runs along itself [m/s]
    joint_sweeps: u32,
    limiters_meet: u32,        // 1 when hinge limiters are contacts, 0 when they are ranges of the joints
    stiffness: f32,            // part of a correction that lengths of coarse levels make
    triangle_leaves: u32,
    full_leaves: u32,         // those, and leaves of particles of bodies
    small_cell_size: f32,      // of the cells of free particles [m]
    meeting_balls: u32,        // free particles that may meet another one as balls
    balls_roll: u32,           // 1 where round bodies roll: see `narrow_phase/ball` and `ring`
    sleeper_count: u32,        // grains that may sleep
    liquid_search: u32,        // substeps between searches for neighbors in liquid; 0: by the way of the fastest
    candidate_capacity: u32,   // bodies and free particles that a proxy can list as near
    search_stride: u32,        // substeps from one in which contacts may be searched to the next
    colliders_placed: u32,     // 1 when the host has put colliders elsewhere since the last frame
    frozen_way: f32,           // motion in a frame below which a body of particles stays where it is [m]
    joint_share: f32,          // part of the force of a spring that an iteration makes
    type_stiffness: array<vec4f, 4>, // of each type, four at a time: part of a correction that its constraints make
    layers_meet: array<vec4u, 2>, // for each class of layers, 16 bits: the classes that it meets
}

// What differs between the dispatches of a frame.
struct Batch {
    substep: u32,
    time: f32,                 // end of this substep since the start of the frame [s]
    iteration: u32,            // of constraints
    last: u32,                 // 1 in the last iteration
    first: u32,                // word of the constraints of a color and type, or the first global one of a type
    count: u32,
    row: u32,                  // the first of them, counted over all
    particles: u32,            // that each joins
    color: u32,
    lasting: f32,              // what lasting impulses of the substep before are in this one, which may be shorter or longer
}

const NONE: u32 = 0xffffffffu;
