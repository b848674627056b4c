#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/polar"
#import "common/workgroup_sum"
// One workgroup per body, only with `joints=particles`: shape matching as published (paper 5, section 3.3). Sums over its particles by
// parallel reduction (eq. 10): where they are, then A = Σ m (x - c) rᵀ (eq. 9) and c Q of the last turn (eq. 18), whose rotation is
// that of a polar decomposition (eq. 11 to 17). What particles of others did to the body counts as a particle where it was met, so
// that momentum stays.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> links: array<Link>;
@group(1) @binding(3) var<storage, read> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read> contacts: array<Contact>;
@group(1) @binding(5) var<storage, read> reverse_counts: array<u32>;
@group(1) @binding(6) var<storage, read> reverse_contacts: array<vec2u>;
@group(1) @binding(7) var<storage, read_write> loads: Loads;

// Part of the whole with which flat and thin bodies keep their turn about directions in which their particles say nothing: c of eq. 18.
const KEPT_TURN: f32 = 0.01;

@compute @workgroup_size(SUM_WIDTH)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let i = group.y * groups.x + group.x;
    if i >= params.body_count {
        return;
    }
    let b = bodies[i];
    let p = body_properties[i];
    let end = p.first_link + p.link_count;
    // Where particles are, relative to the body: far from the origin they would lose digits; and what others pushed.
    var moved = vec4f(0.0);
    var rest = vec4f(0.0);
    for (var k = p.first_link + local; k < end; k += SUM_WIDTH) {
        let l = links[k].local;
        moved += l.w * vec4f(particles[links[k].particle].xyz - b.center, 1.0);
        rest += vec4f(l.w * l.xyz, 0.0);
    }
    // Contacts that particles of other bodies own come first.
    let first = params.reverse_factor * p.first_reverse;
    let met = first + min(reverse_counts[i], params.reverse_factor * p.reverse_capacity);
    for (var k = first + local; k < met; k += SUM_WIDTH) {
        moved -= vec4f(impulse_of(reverse_contacts[k]), 0.0);
    }
    let total = workgroup_sum(local, moved);
    let rest_mean = workgroup_sum(local, rest).xyz / total.w;
    let mean = total.xyz / total.w;
    // Columns of A, how large the body is, and its angular momentum.
    var x = vec4f(0.0);
    var y = vec3f(0.0);
    var z = vec3f(0.0);
    var torque = vec3f(0.0);
    for (var k = p.first_link + local; k < end; k += SUM_WIDTH) {
        let l = links[k].local;
        let r = l.xyz - rest_mean;
        let at = particles[links[k].particle].xyz - b.center;
        let arm = l.w * (at - mean);
        x += vec4f(arm * r.x, l.w * dot(r, r));
        y += arm * r.y;
        z += arm * r.z;
        torque += cross(at, l.w * (at - rotate(b.rotation, l.xyz)));
    }
    for (var k = first + local; k < met; k += SUM_WIDTH) {
        let impulse = impulse_of(reverse_contacts[k]);
        if any(impulse != vec3f(0.0)) {
            let at = particles[reverse_contacts[k].y % params.particle_count].xyz - b.center;
            let r = rotate_back(b.rotation, at) - rest_mean;
            x -= vec4f(impulse * r.x, 0.0);
            y -= impulse * r.y;
            z -= impulse * r.z;
            torque -= cross(at, impulse);
        }
    }
    let column_x = workgroup_sum(local, x);
    let column_y = workgroup_sum(local, vec4f(y, 0.0)).xyz;
    let column_z = workgroup_sum(local, vec4f(z, 0.0)).xyz;
    let turning = workgroup_sum(local, vec4f(torque, 0.0)).xyz;
    let size = column_x.w;
    if local != 0u {
        return;
    }
    // Pairs are counted anew.
    for (var k = i * MANIFOLD_SLOTS; k < (i + 1u) * MANIFOLD_SLOTS; k++) {
        loads.words[touch_count(k, params.body_count, params.particle_count)] = 0u;
    }
    if b.inv_mass == 0.0 {
        return;
    }
    let q = b.rotation;
    let kept = KEPT_TURN * max(size, 1e-20);
    let columns = mat3x3f(column_x.xyz + kept * rotate(q, vec3f(1.0, 0.0, 0.0)), column_y + kept * rotate(q, vec3f(0.0, 1.0, 0.0)),
        column_z + kept * rotate(q, vec3f(0.0, 0.0, 1.0)));
    let turned = rotation_of(columns, q);
    let shift = mean - rotate(turned, rest_mean);
    let spin = shortened(rotation_vector(quat_mul(turned, quat_conjugate(q))), 1.0);
    let gained = total.xyz - total.w * rotate(q, rest_mean);
    bodies[i] = body_pushed(b, p, Push(shift / b.inv_mass, inertia_times(p, q, spin), gained, turning), params.substep_dt);
}

// What a particle of another body was given by this one [kg m].
fn impulse_of(entry: vec2u) -> vec3f {
    if entry.x == NONE || contacts[entry.y].touching == APART {
        return vec3f(0.0);
    }
    return contacts[entry.y].normal_impulse * contacts[entry.y].normal + contacts[entry.y].impulse;
}
