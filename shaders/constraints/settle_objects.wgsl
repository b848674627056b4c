#import "common/params"
#import "constraints/object"
// One workgroup per object, after its constraints. Gives a free one the angular momentum back that an implicit step loses,
// (ω h)² / 2 of it, and damps what is no motion of a rigid body (Müller et al. 2007, section 3.5; paper 2).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> objects: array<Object>;
@group(1) @binding(1) var<storage, read> object_members: array<u32>;
@group(1) @binding(2) var<storage, read> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read> object_spins: array<vec4f>;

// Keeps the inertia of particles in a line invertible; part of its trace.
const LEAST_INERTIA: f32 = 1e-6;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let index = group.y * groups.x + group.x;
    if index >= params.object_count {
        return;
    }
    let object = objects[index];
    let motion = motion_of(object, local);
    let end = object.first + object.count;
    var diagonal = vec3f(0.0);
    var off = vec3f(0.0);
    for (var m = object.first + local; m < end; m += SUM_WIDTH) {
        let i = object_members[m];
        let r = particles[i].xyz - motion.origin - motion.center;
        let mass = mass_of(particle_velocities[i]);
        diagonal += mass * r * r;
        off += mass * vec3f(r.x * r.y, r.x * r.z, r.y * r.z);
    }
    let squares = workgroup_sum(local, vec4f(diagonal, 0.0)).xyz;
    let products = workgroup_sum(local, vec4f(off, 0.0)).xyz;
    let wanted = select(motion.spin, object_spins[index].xyz, object.free == 1u);
    let gained = spin_of(squares, products, wanted - motion.spin);
    let spin = spin_of(squares, products, wanted);
    let h = params.substep_dt;
    let part = select(0.0, object.damping * h / (1.0 + object.damping * h), batch.last == 1u);
    // Every thread has read the velocities.
    storageBarrier();
    workgroupBarrier();
    for (var m = object.first + local; m < end; m += SUM_WIDTH) {
        let i = object_members[m];
        let v = particle_velocities[i];
        if v.w > 0.0 {
            let r = particles[i].xyz - motion.origin - motion.center;
            let rigid = motion.velocity + cross(spin, r);
            particle_velocities[i] = vec4f(mix(v.xyz + cross(gained, r), rigid, part), v.w);
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
