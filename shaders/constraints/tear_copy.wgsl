#import "common/params"
#import "common/thread"
#import "common/body"
#import "common/contact"
#import "contacts/gap"
#import "constraints/history"
#import "constraints/seams"
// One thread per vertex of what tears. Where it splits, the spare particle comes from where the whole one did.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> tear_vertices: array<TearVertex>;
@group(1) @binding(1) var<storage, read> tear_plans: array<TearPlan>;
@group(1) @binding(2) var<storage, read_write> saved_particles: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_origins: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> particle_histories: array<History>;
@group(1) @binding(5) var<storage, read_write> collider_gaps: array<ColliderGap>;
@group(1) @binding(6) var<storage, read_write> marked_places: array<vec4f>;
@group(1) @binding(7) var<storage, read_write> marked_velocities: array<vec4f>;

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
    let whole = v + tear_vertices[v].offset;
    let spare = plan.given + tear_vertices[v].offset;
    saved_particles[spare] = saved_particles[whole];
    if spare < arrayLength(&particle_origins) {
        particle_origins[spare] = particle_origins[whole];
    }
    if spare < arrayLength(&particle_histories) {
        particle_histories[spare] = particle_histories[whole];
    }
    if spare < arrayLength(&collider_gaps) {
        collider_gaps[spare] = collider_gaps[whole];
    }
    if spare < arrayLength(&marked_places) {
        marked_places[spare] = marked_places[whole];
        marked_velocities[spare] = marked_velocities[whole];
    }
}
