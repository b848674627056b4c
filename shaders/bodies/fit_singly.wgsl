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

var<private> b: Body;
var<private> p: BodyProperties;
var<private> met: vec2u;       // contacts of others with the body, in `reverse_contacts`
var<private> total: vec4f;     // Σ m (x - c) with what others pushed [kg m], and the mass [kg]
var<private> rest_mean: vec3f; // of its particles, in its frame [m]
// Columns of A, in x.w Σ m r², in y.w, z.w and w.w the angular momentum of what moved it.
var<private> x: vec4f;
var<private> y: vec4f;
var<private> z: vec4f;
var<private> w: vec4f;

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
    b = bodies[i];
    p = body_properties[i];
    let first = params.reverse_factor * p.first_reverse;
    met = vec2u(first, first + min(reverse_counts[i], params.reverse_factor * p.reverse_capacity));
    find_mean(local);
    find_moments(local);
    if local != 0u {
        return;
    }
    // Pairs are counted anew.
    for (var k = i * params.manifold_slots; k < (i + 1u) * params.manifold_slots; k++) {
        loads.words[touch_count(k, params.body_count, params.particle_count)] = 0u;
    }
    if b.inv_mass != 0.0 {
        bodies[i] = fitted();
    }
}

// Where the particles are, relative to the body: far from the origin they would lose digits; and what others pushed.
fn find_mean(local: u32) {
    var moved = vec4f(0.0);
    var rest = vec4f(0.0);
    for (var k = p.first_link + local; k < p.first_link + p.link_count; k += SUM_WIDTH) {
        let l = links[k].local;
        moved += l.w * vec4f(particles[links[k].particle].xyz - b.center, 1.0);
        rest += vec4f(l.w * l.xyz, 0.0);
    }
    for (var k = met.x + local; k < met.y; k += SUM_WIDTH) {
        moved -= vec4f(impulse_of(reverse_contacts[k]), 0.0);
    }
    total = workgroup_sum(local, moved);
    rest_mean = workgroup_sum(local, rest).xyz / total.w;
}

fn find_moments(local: u32) {
    let mean = total.xyz / total.w;
    x = vec4f(0.0);
    y = vec4f(0.0);
    z = vec4f(0.0);
    w = vec4f(0.0);
    for (var k = p.first_link + local; k < p.first_link + p.link_count; k += SUM_WIDTH) {
        let l = links[k].local;
        let r = l.xyz - rest_mean;
        let at = particles[links[k].particle].xyz - b.center;
        add(l.w * (at - mean), r, cross(at, l.w * (at - rotate(b.rotation, l.xyz))));
        x.w += l.w * dot(r, r);
    }
    for (var k = met.x + local; k < met.y; k += SUM_WIDTH) {
        let impulse = impulse_of(reverse_contacts[k]);
        if any(impulse != vec3f(0.0)) {
            let at = particles[reverse_contacts[k].y % params.particle_count].xyz - b.center;
            add(-impulse, rotate_back(b.rotation, at) - rest_mean, -cross(at, impulse));
        }
    }
    x = workgroup_sum(local, x);
    y = workgroup_sum(local, y);
    z = workgroup_sum(local, z);
    w = workgroup_sum(local, w);
}

fn add(arm: vec3f, r: vec3f, torque: vec3f) {
    x += vec4f(arm * r.x, 0.0);
    y += vec4f(arm * r.y, torque.x);
    z += vec4f(arm * r.z, torque.y);
    w.w += torque.z;
}

// The body where its particles are. It turns as they do, and has the momenta of what moved them.
fn fitted() -> Body {
    let q = b.rotation;
    let kept = KEPT_TURN * max(x.w, 1e-20);
    let columns = mat3x3f(x.xyz + kept * rotate(q, vec3f(1.0, 0.0, 0.0)), y.xyz + kept * rotate(q, vec3f(0.0, 1.0, 0.0)),
        z.xyz + kept * rotate(q, vec3f(0.0, 0.0, 1.0)));
    let turned = rotation_of(columns, q);
    let shift = total.xyz / total.w - rotate(turned, rest_mean);
    let spin = shortened(rotation_vector(quat_mul(turned, quat_conjugate(q))), 1.0);
    let gained = total.xyz - total.w * rotate(q, rest_mean);
    let push = Push(shift / b.inv_mass, inertia_times(p, q, spin), gained, vec3f(y.w, z.w, w.w));
    return body_pushed(b, p, push, params.substep_dt);
}

// What a particle of another body was given by this one [kg m].
fn impulse_of(entry: vec2u) -> vec3f {
    if entry.x == NONE || contacts[entry.y].touching == APART {
        return vec3f(0.0);
    }
    return contacts[entry.y].normal_impulse * contacts[entry.y].normal + contacts[entry.y].impulse;
}
