#import "contacts/near_colliders"
#import "fluid/fluid"
// Half spaces that stand for the colliders near a particle of liquid. The including kernel declares `fluid`, and what
// `contacts/near_colliders` asks for.

// Of those that face one way the nearest counts, so more than these do not meet.
const MOST_WALLS: u32 = 6u;

var<private> walls: array<vec4f, MOST_WALLS>; // normal, and distance from the particle [m]
var<private> wall_colliders: array<u32, MOST_WALLS>;
var<private> wall_count: u32;
var<private> wall_mover: vec3f; // velocity of the particle [m/s]

// What leaves a one-way collider faster than this [m/s] does not feel it: what has just come through would be thrown on.
const LEAVING: f32 = 0.25;

fn find_walls(particle: u32, place: vec3f) {
    wall_count = 0u;
    let radius = fluid.support / LIQUID_SUPPORT;
    for (var bits = colliders_near(particle, place, fluid.support, radius); bits != 0u; bits &= bits - 1u) {
        for (var c = firstTrailingBit(bits); c < params.collider_count; c += near_bits()) {
            find_wall(c, place, radius);
        }
    }
}

fn find_wall(index: u32, place: vec3f, radius: f32) {
    let c = collider_now(colliders[index], batch.time);
    if passes_collider(c) {
        return;
    }
    let local = rotate_back(c.rotation, place - c.position);
    if !is_of(c.shape, SHAPE_MESH) {
        add_wall(index, c, shape_at(c.shape, local));
        return;
    }
    let cells = mesh_cells(c.shape, local, fluid.support);
    for (var n = 0u; n < mesh_cell_count(cells); n++) {
        let cell = mesh_cell(cells, n);
        for (var k = cell.x; k < cell.x + cell.y; k++) {
            let at = triangle_at(shapes[k].x, local);
            // Deeper than a diameter is another part of the mesh seen from behind.
            if at.w >= -2.0 * radius {
                add_wall(index, c, at);
            }
        }
    }
}

fn add_wall(index: u32, c: Collider, at: vec4f) {
    if at.w >= fluid.support || (ONE_WAY && lets_pass(c.shape, at.xyz, -at.w, leaves(c, at.xyz))) {
        return;
    }
    let wall = vec4f(rotate(c.rotation, at.xyz), at.w);
    for (var k = 0u; k < wall_count; k++) {
        if dot(walls[k].xyz, wall.xyz) > SAME_WALL {
            if wall.w < walls[k].w {
                walls[k] = wall;
                wall_colliders[k] = index;
            }
            return;
        }
    }
    if wall_count < MOST_WALLS {
        walls[wall_count] = wall;
        wall_colliders[wall_count] = index;
        wall_count += 1u;
    }
}

// How fast the particle leaves a collider along this normal in its frame, as far as that counts [m/s].
fn leaves(c: Collider, normal: vec3f) -> f32 {
    return max(dot(wall_mover - c.velocity, rotate(c.rotation, normal)) - LEAVING, 0.0);
}
