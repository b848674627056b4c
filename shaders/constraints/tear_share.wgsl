#import "common/params"
#import "common/thread"
#import "constraints/seams"
// One thread per vertex of what tears. Where it splits, both particles have its place and velocity, and each the mass of its corners.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> tear_vertices: array<TearVertex>;
@group(1) @binding(1) var<storage, read> tear_fans: array<u32>;
@group(1) @binding(2) var<storage, read> tear_plans: array<TearPlan>;
@group(1) @binding(3) var<storage, read> tear_sides: array<TearSide>;
@group(1) @binding(4) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(5) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(6) var<storage, read_write> particle_winds: array<vec4f>;
@group(1) @binding(7) var<storage, read_write> particle_margins: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let v = global_index(id, groups);
    if v >= arrayLength(&tear_vertices) {
        return;
    }
    let plan = tear_plans[v];
    if !is_split(plan) {
        return;
    }
    let vertex = tear_vertices[v];
    let whole = v + vertex.offset;
    let spare = plan.given + vertex.offset;
    let stays = mass_of(vertex.first, plan.staying);
    let leaves = mass_of(vertex.first, plan.leaving);
    let velocity = particle_velocities[whole].xyz;
    particles[spare] = particles[whole];
    particle_velocities[whole] = vec4f(velocity, 1.0 / stays);
    particle_velocities[spare] = vec4f(velocity, 1.0 / leaves);
    // Looked for again: they are not where the last search had them.
    particle_margins[spare] = -1.0;
    if spare < arrayLength(&particle_winds) {
        let part = leaves / (stays + leaves);
        let wind = particle_winds[whole];
        particle_winds[whole] = (1.0 - part) * wind;
        particle_winds[spare] = part * wind;
    }
}

// Of corners at these places [kg].
fn mass_of(first: u32, places: u32) -> f32 {
    var mass = 0.0;
    for (var rest = places; rest != 0u; rest &= rest - 1u) {
        mass += tear_sides[tear_fans[first + firstTrailingBit(rest)]].share;
    }
    return mass;
}
