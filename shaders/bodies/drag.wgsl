#import "common/params"
#import "common/body"
// One thread. Pulls the dragged point of a body to its goal with at most the given force; wakes it.

struct Drag {
    local: vec4f,              // grabbed point in the body's frame [m]; w: most force [N]
    goal: vec4f,               // [m]
    body: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> drag: array<Drag>;

@compute @workgroup_size(1)
fn main() {
    let d = drag[0];
    if d.body >= params.body_count {
        return;
    }
    let p = body_properties[d.body];
    var b = bodies[d.body];
    if p.inv_mass == 0.0 || (p.flags & BODY_REMOVED) != 0u {
        return;
    }
    b.inv_mass = p.inv_mass;
    b.rest_time = 0.0;
    let arm = rotate(b.rotation, d.local.xyz);
    let gap = d.goal.xyz - b.center - arm;
    let distance = length(gap);
    if distance > 1e-9 {
        let h = params.substep_dt;
        let n = gap / distance;
        // A tenth of the gap a substep, less what already closes: firm, and it does not fling.
        let closing = dot(body_velocity_at(b, arm), n) * h;
        let impulse = n * clamp((0.1 * distance - closing) / body_weight(b, p, arm, n), 0.0, d.local.w * h * h);
        let torque = cross(arm, impulse);
        b = body_pushed(b, p, Push(impulse, torque, impulse, torque), h);
    }
    bodies[d.body] = b;
}
