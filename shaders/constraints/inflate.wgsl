#import "common/rotation"
#import "common/params"
#import "common/workgroup_sum"
// One workgroup per closed mesh: C = V - k V₀, the volume inside against the pressure's. ∇C of a particle is a sixth of the
// sum of x_j × x_k over its triangles. Twin: constraints::Chamber.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> chambers: array<Chamber>;
@group(1) @binding(1) var<storage, read> chamber_members: array<ChamberMember>;
@group(1) @binding(2) var<storage, read> chamber_corners: array<vec2u>;
@group(1) @binding(3) var<storage, read_write> chamber_gradients: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> chamber_multipliers: array<f32>;
@group(1) @binding(5) var<storage, read> particle_starts: array<vec4f>;
@group(1) @binding(6) var<storage, read_write> particle_moves: array<vec4f>;

// Σ w |∇|² below which there is no direction to speak of [m⁴/kg].
const LEAST_WEIGHT: f32 = 1e-30;

struct Chamber {
    first: u32,                // its members
    count: u32,
    volume: f32,               // wanted [m³]
    compliance: f32,           // [m⁵/N]
}

struct ChamberMember {
    particle: u32,
    first: u32,                // pairs of others, one for each of its triangles
    count: u32,
    padding: u32,
}

var<private> origin: vec3f;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let index = group.y * groups.x + group.x;
    if index >= batch.chambers {
        return;
    }
    let chamber = chambers[index];
    origin = particle_starts[chamber_members[chamber.first].particle].xyz;
    var sums = vec4f(0.0);
    for (var m = chamber.first + local; m < chamber.first + chamber.count; m += SUM_WIDTH) {
        let member = chamber_members[m];
        var gradient = vec3f(0.0);
        for (var k = member.first; k < member.first + member.count; k++) {
            let others = chamber_corners[k];
            gradient += cross(place(others.x), place(others.y)) / 6.0;
        }
        let w = particle_starts[member.particle].w;
        chamber_gradients[m] = vec4f(gradient, w);
        sums += vec4f(dot(gradient, place(member.particle)) / 3.0, w * dot(gradient, gradient), 0.0, 0.0);
    }
    let all = workgroup_sum(local, sums);
    let h = params.gravity.w;
    let scaled = chamber.compliance / (h * h);
    let weight = all.y + scaled;
    var multiplier = 0.0;
    if batch.iteration > 0u {
        multiplier = chamber_multipliers[index];
    }
    // A mesh in a point or a line has no way to grow.
    let delta = select(0.0, (chamber.volume - all.x - scaled * multiplier) / weight, all.y > LEAST_WEIGHT);
    // The flatter it is, the farther its gradients lead; as far as the whole is large is enough.
    let most = pow(chamber.volume, 1.0 / 3.0);
    // Every thread has read the old λ, and every place, before one is written.
    storageBarrier();
    workgroupBarrier();
    if local == 0u {
        chamber_multipliers[index] = multiplier + delta;
    }
    for (var m = chamber.first + local; m < chamber.first + chamber.count; m += SUM_WIDTH) {
        let gradient = chamber_gradients[m];
        if gradient.w > 0.0 {
            let particle = chamber_members[m].particle;
            particle_moves[particle] += vec4f(shortened(gradient.w * delta * gradient.xyz, most), 0.0);
        }
    }
}

fn place(particle: u32) -> vec3f {
    return particle_starts[particle].xyz - origin + particle_moves[particle].xyz;
}
