#import "common/params"
#import "common/contact"
#import "render/frame"
#import "render/ribbon"
// Contacts that touch as lines from where they touch along their normals, over everything: orange between bodies and particles, green with colliders. Six
// vertex threads stand for one that is listed, an instance for a list.

// No uniform, as in `render/states`.
@group(1) @binding(0) var<storage, read> params: Params;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> contacts: array<Contact>;
@group(1) @binding(3) var<storage, read> contact_list: ContactList;

// Length [radii of the particle], and width [pixels].
const LENGTH = 1.5;
const WIDTH = 2.0;
const WITH_OTHERS = vec3f(1.0, 0.3, 0.02);
const WITH_COLLIDERS = vec3f(0.05, 0.8, 0.15);

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) color: vec3f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) list: u32) -> Fragment {
    let listed = index / 6u;
    if listed >= contact_list.heads[list].count {
        return Fragment(NOWHERE, vec3f());
    }
    let place = first_listed(list, params.contact_capacity, params.particle_count) + listed;
    if place >= arrayLength(&contact_list.contacts) {
        return Fragment(NOWHERE, vec3f());
    }
    let slot = contact_list.contacts[place].slot & ~STILL;
    let contact = contacts[slot];
    if contact.touching == APART {
        return Fragment(NOWHERE, vec3f());
    }
    let end = contact.point + contact.normal * (LENGTH * particles[slot % params.particle_count].w);
    return Fragment(ribbon(contact.point, end, WIDTH, index % 6u), select(WITH_OTHERS, WITH_COLLIDERS, list == LISTED_COLLIDERS));
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    return vec4f(in.color, 1.0);
}
