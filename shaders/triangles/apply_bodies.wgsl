#import "common/params"
#import "common/body"
#import "common/facet"
#import "common/thread"
// One thread per body. Moves and turns it by the sums of its surface contacts, and clears them; wakes it when struck.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read_write> body_shifts: array<Shift>;
@group(1) @binding(3) var<storage, read_write> triangle_pushes: array<i32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count {
        return;
    }
    let words = body_words(i, params.particle_count);
    if triangle_pushes[words] == 0 {
        return;
    }
    var b = bodies[i];
    let p = body_properties[i];
    if b.center.w != 0.0 {
        let mass = 1.0 / b.center.w;
        let push = Push(mass * sum(words + 1u), mass * sum(words + 4u), mass * sum(words + 7u), mass * sum(words + 10u));
        body_shifts[i] = shifted(body_shifts[i], b, p, push);
        bodies[i] = body_pushed(b, p, push, params.gravity.w);
    } else if triangle_pushes[words + BODY_WAKES] != 0 {
        bodies[i].center.w = p.inverse_inertia.w;
        bodies[i].velocity.w = 0.0;
    }
    for (var k = 0u; k < BODY_CUT; k++) {
        triangle_pushes[words + k] = 0;
    }
    triangle_pushes[words + BODY_WAKES] = 0;
}

fn sum(first: u32) -> vec3f {
    return vec3f(f32(triangle_pushes[first]), f32(triangle_pushes[first + 1u]), f32(triangle_pushes[first + 2u])) / PUSH_SCALE;
}
