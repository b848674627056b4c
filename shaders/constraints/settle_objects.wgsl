#import "common/params"
#import "constraints/object"
#import "constraints/seams"
#import "constraints/history"
// One workgroup per slice of an object, after its constraints. Gives a free one the angular momentum back that an implicit step of the
// first order loses, (ω h)² / 2 of it, and takes what constraints add that are solved one after the other, each about other places; and damps what is no motion of a rigid body (Müller et al. 2007, section 3.5; paper 2).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> slices: array<Slice>;
@group(1) @binding(1) var<storage, read> objects: array<Object>;
@group(1) @binding(2) var<storage, read> joined_particles: array<Joined>;
@group(1) @binding(3) var<storage, read> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(5) var<storage, read> tear_fabrics: array<TearFabric>;
@group(1) @binding(6) var<storage, read_write> particle_histories: array<History>;

// Whether particles have a history.
override SECOND_ORDER: u32 = 0u;

// Keeps the inertia of particles in a line invertible; part of its trace.
const LEAST_INERTIA: f32 = 1e-6;

@compute @workgroup_size(SLICE_THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let index = group.y * groups.x + group.x;
    if index >= arrayLength(&slices) || slices[index].object == NONE {
        return;
    }
    let object = objects[slices[index].object];
    for (var k = object.first_fabric; k < object.end_fabric; k++) {
        if tear_fabrics[k].taken > 0u {
            return;
        }
    }
    var own: Sums;
    for (var s = object.first + local; s < object.first + object.count; s += SLICE_THREADS) {
        own = added(own, slices[s].sums);
    }
    let all = summed(local, own);
    let center = all.after.place / object.mass;
    let velocity = all.after.momentum / object.mass;
    // About the center of mass, not about the origin.
    let now = all.after.spin - cross(center, all.after.momentum);
    let was = all.before.spin - cross(all.before.place, all.before.momentum) / object.mass;
    let wanted = select(now, was, object.free == 1u);
    let place = all.after.place;
    let squares = all.squares - center * place;
    let products = all.products - vec3f(center.x * place.y, center.x * place.z, center.y * place.z);
    let gained = spin_of(squares, products, wanted - now);
    let spin = spin_of(squares, products, wanted);
    let h = params.substep_dt;
    let part = select(0.0, object.damping * h / (1.0 + object.damping * h), batch.last == 1u);
    let first = slices[index].first;
    for (var m = first + local; m < first + slices[index].count; m += SLICE_THREADS) {
        let i = joined_particles[m].particle;
        let v = particle_velocities[i];
        if v.w > 0.0 {
            let r = particles[i].xyz - slices[index].place - center;
            let rigid = slices[index].velocity + velocity + cross(spin, r);
            let settled = mix(v.xyz + cross(gained, r), rigid, part);
            particle_velocities[i] = vec4f(settled, v.w);
            if SECOND_ORDER > 0u {
                particle_histories[i].left_velocity = vec4f(settled, 0.0);
            }
        }
    }
}

// Angular velocity [rad/s] for an angular momentum, from the sums of m r².
fn spin_of(squares: vec3f, products: vec3f, momentum: vec3f) -> vec3f {
    let trace = squares.x + squares.y + squares.z;
    let d = vec3f(trace * (1.0 + LEAST_INERTIA)) - squares;
    let x = vec3f(d.x, -products.x, -products.y);
    let y = vec3f(-products.x, d.y, -products.z);
    let z = vec3f(-products.y, -products.z, d.z);
    let determinant = dot(x, cross(y, z));
    if determinant <= 0.0 {
        return vec3f(0.0);
    }
    return vec3f(dot(momentum, cross(y, z)), dot(momentum, cross(z, x)), dot(momentum, cross(x, y))) / determinant;
}
