#import "common/params"
#import "common/contact"
#import "common/grid"
#import "render/particle_ball"
#import "render/hue"
#import "render/lit_ball"
// Particles as lit balls in colors that tell something of the state of each. Six vertex threads stand for one particle.

// No uniform: beside that of the frame Mesa's software driver would compile the shader anew for each picture, and never free it.
@group(1) @binding(3) var<storage, read> params: Params;
@group(1) @binding(4) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(5) var<storage, read> contacts: array<Contact>;
@group(1) @binding(6) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(7) var<storage, read> loads: Loads;

// What they tell: numbers of render::ParticleColors.
const SPEED = 1u;
const REST = 2u;
const CONTACTS = 3u;

// Speed at the end of the scale [m/s], and contacts.
const FAST = 10.0;
const CROWDED = 8.0;
const ROUGHNESS = 0.55;
const NOTHING = vec3f(0.12);
const ASLEEP = vec3f(0.03, 0.05, 0.16);
const AWAKE = vec3f(0.95, 0.62, 0.12);
// The grey that is mixed into colors of cells, and how much of them is left.
const GREY = 0.2;
const PURITY = 0.8;

fn velocity_of(particle: u32) -> vec3f {
    let body = particle_bodies[particle];
    if body == FREE {
        return particle_velocities[particle].xyz;
    }
    let b = bodies[body];
    return body_velocity_at(b, particles[particle].xyz - b.center);
}

// Bodies that are asleep or held, and particles that are asleep or pinned, have no inverse mass.
fn is_at_rest(particle: u32) -> bool {
    let body = particle_bodies[particle];
    if body == FREE {
        return particle_velocities[particle].w == 0.0;
    }
    return bodies[body].inv_mass == 0.0;
}

fn contacts_of(particle: u32) -> f32 {
    let first = target_base(particle, params.contact_slots);
    let counts = contact_targets[first - 2u];
    var touching = 0.0;
    if particle_bodies[particle] == FREE {
        // Those with colliders have no rows.
        touching = load_of_free(loads.words[params.body_count + particle]);
    }
    for (var k = 0u; k < (counts >> 16u); k++) {
        touching += f32(contacts[slot_at(particle, k, params.particle_count)].touching != APART);
    }
    for (var k = 0u; k < (counts & 0xffffu); k++) {
        touching += f32(contacts[slot_at(particle, params.contact_capacity + k, params.particle_count)].touching != APART);
    }
    return touching;
}

fn cell_color(particle: u32) -> vec3f {
    let free = particle_bodies[particle] == FREE;
    let cell = grid_cell(particles[particle].xyz, select(params.cell_size, params.small_cell_size, free));
    let bucket = grid_bucket(cell, select(LARGE_CELLS, SMALL_CELLS, free), params.cell_mask);
    return mix(vec3f(GREY), own_hue(bucket), PURITY);
}

fn state_color(particle: u32) -> vec3f {
    switch frame.particle_colors {
        case SPEED: { return heat(sqrt(length(velocity_of(particle)) / FAST)); }
        case REST: { return select(AWAKE, ASLEEP, is_at_rest(particle)); }
        case CONTACTS: {
            let count = contacts_of(particle);
            return select(heat((count - 1.0) / (CROWDED - 1.0)), NOTHING, count < 1.0);
        }
        default: { return cell_color(particle); }
    }
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let particle = index / 6u;
    return ball_vertex(ball_of(particle), state_color(particle), index % 6u);
}

@fragment
fn fragment(in: Fragment) -> Drawn {
    return ball_fragment(in, ROUGHNESS);
}
