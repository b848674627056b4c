#import "constraints/level"
#import "constraints/phantoms"
#import "common/thread"
// One thread per node of all coarse levels, before they are solved: it is where its particle is, with the mass that it stands for.
// Errors need no other restriction: coarse lengths see them where the nodes are (Müller 2008).

@group(1) @binding(0) var<storage, read> level_nodes: array<LevelNode>;
@group(1) @binding(1) var<storage, read> particle_starts: array<Start>;
@group(1) @binding(2) var<storage, read> particle_moves: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> level_places: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = global_index(id, groups);
    if index >= arrayLength(&level_nodes) {
        return;
    }
    let own = level_nodes[index];
    let moved = particle_moves[own.particle];
    level_places[index] = vec4f(particle_starts[own.particle].place, moved.w * own.share);
}
