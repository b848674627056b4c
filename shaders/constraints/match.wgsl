#import "common/params"
#import "common/rotation_fit"
#import "common/workgroup_sum"
// One workgroup per soft shape: its particles go towards their places in the rest shape, moved and turned to fit them best.
// Twin: constraints::ShapeMatch.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> matches: array<Match>;
@group(1) @binding(1) var<storage, read> match_members: array<MatchMember>;
@group(1) @binding(2) var<storage, read_write> match_rotations: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_starts: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> particle_moves: array<vec4f>;

struct Match {
    first: u32,                // its members
    count: u32,
    mass: f32,                 // of all [kg]
    softness: f32,             // compliance times mean mass [s²]
}

struct MatchMember {
    local: vec4f,              // place at rest from the center of mass [m]; w: weight [kg]
    particle: u32,
    padding_a: u32,
    padding_b: u32,
    padding_c: u32,
}

var<workgroup> fitted: vec4f;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let index = group.y * groups.x + group.x;
    if index >= batch.matches {
        return;
    }
    let shape = matches[index];
    let end = shape.first + shape.count;
    let origin = particle_starts[match_members[shape.first].particle].xyz;
    var sum = vec3f(0.0);
    for (var m = shape.first + local; m < end; m += SUM_WIDTH) {
        sum += match_members[m].local.w * place(match_members[m].particle, origin);
    }
    let center = workgroup_sum(local, vec4f(sum, 0.0)).xyz / shape.mass;
    var x = vec3f(0.0);
    var y = vec3f(0.0);
    var z = vec3f(0.0);
    for (var m = shape.first + local; m < end; m += SUM_WIDTH) {
        let r = match_members[m].local;
        let arm = r.w * (place(match_members[m].particle, origin) - center);
        x += arm * r.x;
        y += arm * r.y;
        z += arm * r.z;
    }
    let a = workgroup_sum(local, vec4f(x, 0.0)).xyz;
    let b = workgroup_sum(local, vec4f(y, 0.0)).xyz;
    let c = workgroup_sum(local, vec4f(z, 0.0)).xyz;
    if local == 0u {
        let before = match_rotations[index];
        fitted = turn(before, fitted_spin(mat3x3f(a, b, c), before));
        match_rotations[index] = fitted;
    }
    let rotation = workgroupUniformLoad(&fitted);
    let h = params.gravity.w;
    let part = 1.0 / (1.0 + shape.softness / (h * h));
    for (var m = shape.first + local; m < end; m += SUM_WIDTH) {
        let particle = match_members[m].particle;
        if particle_starts[particle].w > 0.0 {
            let gap = center + rotate(rotation, match_members[m].local.xyz) - place(particle, origin);
            particle_moves[particle] += vec4f(part * gap, 0.0);
        }
    }
}

fn place(particle: u32, origin: vec3f) -> vec3f {
    return particle_starts[particle].xyz - origin + particle_moves[particle].xyz;
}
