#import "surfaces/primitive"
#import "surfaces/delta"
#import "surfaces/friction"
// How hard two features of free particles press on one another. The including kernel declares `params`, `particles`,
// `particle_velocities`, `surface_pairs` and `surface_deltas`.

struct FreePress {
    four: vec4u,               // particles of the pair
    normal: vec3f,             // from the second to the first
    approach: Approach,
    relative: vec3f,           // velocity of the first to the second [m/s]
    inverse: vec4f,            // inverse masses, by their weights [1/kg]
    weight: f32,               // [1/kg]; 0 where nothing gives way
}

// Of a pair whose points that touch have these weights.
fn free_press(i: u32, b: vec4f) -> FreePress {
    var press: FreePress;
    press.four = pair_particles(surface_pairs[i].particles);
    press.normal = surface_pairs[i].normal;
    var offset = vec3f(0.0);
    for (var k = 0u; k < 4u; k++) {
        let v = particle_velocities[press.four[k]];
        offset += b[k] * particles[press.four[k]].xyz;
        press.relative += b[k] * v.xyz;
        press.inverse[k] = b[k] * v.w;
        press.weight += f32(contacts_of(press.four[k])) * v.w * b[k] * b[k];
    }
    press.approach = approach_of(press.normal, surface_pairs[i].gap, offset, press.relative, params.depenetration_speed,
        params.substep_dt);
    return press;
}
