#import "common/workgroup_sum"
// Motion of an object of free particles as a whole. Uses the bindings `particles`, `particle_velocities` and
// `object_members` of the kernel. All 64 threads must call.

struct Object {
    first: u32,                // its members
    count: u32,
    mass: f32,                 // of all [kg]
    damping: f32,              // of motion that is not that of a rigid body [1/s]
    free: u32,                 // 1 when nothing outside holds it: its angular momentum stays
}

struct Motion {
    origin: vec3f,             // places are relative to it [m]
    center: vec3f,             // center of mass from the origin [m]
    velocity: vec3f,           // of the center [m/s]
    spin: vec3f,               // angular momentum about the center [kg m²/s]
}

fn motion_of(object: Object, local: u32) -> Motion {
    let end = object.first + object.count;
    var motion: Motion;
    motion.origin = particles[object_members[object.first]].xyz;
    var place = vec3f(0.0);
    var momentum = vec3f(0.0);
    for (var m = object.first + local; m < end; m += SUM_WIDTH) {
        let i = object_members[m];
        let v = particle_velocities[i];
        let mass = mass_of(v);
        place += mass * (particles[i].xyz - motion.origin);
        momentum += mass * v.xyz;
    }
    motion.center = workgroup_sum(local, vec4f(place, 0.0)).xyz / object.mass;
    motion.velocity = workgroup_sum(local, vec4f(momentum, 0.0)).xyz / object.mass;
    var spin = vec3f(0.0);
    for (var m = object.first + local; m < end; m += SUM_WIDTH) {
        let i = object_members[m];
        let v = particle_velocities[i];
        spin += mass_of(v) * cross(particles[i].xyz - motion.origin - motion.center, v.xyz - motion.velocity);
    }
    motion.spin = workgroup_sum(local, vec4f(spin, 0.0)).xyz;
    return motion;
}

// Mass [kg] of a particle with this velocity row; none when pinned.
fn mass_of(velocity: vec4f) -> f32 {
    return select(0.0, 1.0 / velocity.w, velocity.w > 0.0);
}
