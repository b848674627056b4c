#import "common/params"
#import "common/body"
#import "surfaces/primitive"
#import "common/thread"
// One thread per row of the leaves of particles of bodies, when surfaces are searched. Places the particle where its body
// began this substep, with how it moves and the way out of the body; the first of each body remembers the body too.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> primitives: array<Primitive>;
@group(1) @binding(1) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(2) var<storage, read> bodies: array<Body>;
@group(1) @binding(3) var<storage, read> body_origins: array<Pose>;
@group(1) @binding(4) var<storage, read> primitive_rests: array<vec4f>;
@group(1) @binding(5) var<storage, read_write> particle_origins: array<vec4f>;
@group(1) @binding(6) var<storage, read_write> marked_velocities: array<vec4f>;
@group(1) @binding(7) var<storage, read_write> marked_bodies: array<MarkedBody>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let primitive = LEAF * params.triangle_leaves + global_index(id, groups);
    if primitive >= LEAF * params.full_leaves || primitives[primitive].corners.x == NONE {
        return;
    }
    let i = primitives[primitive].corners.x;
    let row = particle_rows[i];
    let origin = body_origins[row.body];
    if ((row.phase & PHASE_GHOST) != 0u) != ((primitives[primitive].bits & TORN) != 0u) {
        primitives[primitive].bits ^= TORN;
    }
    let arm = rotate(origin.rotation, row.local.xyz);
    // The last byte makes the word a normal number: drivers may take a denormal one for 0.
    let out = pack4x8snorm(vec4f(rotate(origin.rotation, primitive_rests[primitive].xyz), 0.5));
    particle_origins[i] = vec4f(origin.center + arm, row.local.w);
    let b = bodies[row.body];
    let way = b.center - origin.center + rotate(b.rotation, row.local.xyz) - arm;
    marked_velocities[i] = vec4f(way / params.substep_dt, bitcast<f32>(out));
    if (primitives[primitive].bits & FIRST_OF_BODY) != 0u {
        // As its particles are expected to go: what was struck in this substep is no longer as fast as its way says.
        let turned = quat_mul(b.rotation, quat_conjugate(origin.rotation));
        let spin = 2.0 * select(-1.0, 1.0, turned.w >= 0.0) * turned.xyz;
        marked_bodies[row.body] = MarkedBody(origin.center, row.local.w, origin.rotation,
            (b.center - origin.center) / params.substep_dt, spin / params.substep_dt);
    }
}
