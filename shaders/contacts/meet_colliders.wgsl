#import "common/friction"
#import "contacts/near_colliders"
// A free particle and the colliders near it, one after the other; meshes by their triangles. The including kernel declares what
// `contacts/near_colliders` asks for, and `touch(other, index, c, at)`: what a collider or a triangle of it does that is at this normal and distance in
// its frame.

// Triangles that one particle touches at once.
const MOST_TRIANGLES: u32 = 8u;

var<private> place: vec3f;     // of the center, as far as it has been moved [m]
var<private> radius: f32;
var<private> touched: array<u32, MOST_TRIANGLES>;
var<private> touched_count: u32;

// Those of these bits.
fn meet_all(near: u32) {
    for (var bits = near; bits != 0u; bits &= bits - 1u) {
        for (var c = firstTrailingBit(bits); c < params.collider_count; c += near_bits()) {
            meet(c);
        }
    }
}

fn meet(index: u32) {
    let c = collider_now(colliders[index], batch.time);
    if passes_collider(c) {
        return;
    }
    let local = rotate_back(c.rotation, place - c.position);
    if !is_of(c.shape, SHAPE_MESH) {
        touch(TARGET_COLLIDER | index, index, c, shape_at(c.shape, local));
        return;
    }
    let cells = mesh_cells(c.shape, local, (1.0 + GRIP_KEPT) * radius);
    touched_count = 0u;
    for (var n = 0u; n < mesh_cell_count(cells); n++) {
        let cell = mesh_cell(cells, n);
        for (var k = cell.x; k < cell.x + cell.y; k++) {
            meet_triangle(shapes[k].x, index, c);
        }
    }
}

// A triangle sits in every cell that its box overlaps, and is met once.
fn meet_triangle(triangle: u32, index: u32, c: Collider) {
    for (var k = 0u; k < touched_count; k++) {
        if touched[k] == triangle {
            return;
        }
    }
    let at = triangle_at(triangle, rotate_back(c.rotation, place - c.position));
    // Deeper than a diameter is another part of the mesh seen from behind.
    if at.w < (1.0 + GRIP_KEPT) * radius && at.w >= -2.0 * radius {
        if touched_count < MOST_TRIANGLES {
            touched[touched_count] = triangle;
            touched_count += 1u;
        }
        touch(TARGET_TRIANGLE | triangle, index, c, at);
    }
}
