#import "common/control"
// What moves a free particle. The including kernel declares `particles`, `particle_velocities`, `particle_margins` and `control` as far as it
// uses them here.

// Takes a way [m] from the margin of a particle: the search for contacts counts on no more.
fn spend_margin(i: u32, way: f32) {
    let margin = particle_margins[i] - way;
    particle_margins[i] = margin;
    if margin < 0.0 {
        atomicStore(&control.due, 1u);
    }
}

// Moves a particle by `shift` [m] and changes its velocity by `gained` [m/s].
fn displace(i: u32, shift: vec3f, gained: vec3f) {
    particles[i] = vec4f(particles[i].xyz + shift, particles[i].w);
    let v = particle_velocities[i];
    particle_velocities[i] = vec4f(v.xyz + gained, v.w);
    spend_margin(i, length(shift));
}
