#import "render/liquid_grid"
// Whether the eye is in a liquid. One thread does it all.

@group(0) @binding(4) var<storage, read> cell_starts: array<u32>;
@group(0) @binding(5) var<storage, read> sorted_members: array<Placed>;
// x: how much the eye is in it, 0..1; y: the liquid.
@group(0) @binding(6) var<storage, read_write> eye_in: array<vec2f>;

// Vertices, copies, first vertex and copy of what is drawn for an eye in a liquid.
@group(0) @binding(7) var<storage, read_write> eye_draw: array<u32>;

// Weight of the neighbors of the eye, as for ellipsoids, from which it starts to be in the liquid, and is.
const WETTED = vec2f(6.0, 10.0);

fn weight_in(cell: vec3i, liquid: u32) -> f32 {
    let reach = REACH * liquids[liquid].radius;
    let bucket = bucket_of(cell, liquid);
    let first = cell_starts[bucket];
    var weight = 0.0;
    for (var k = first; k < min(cell_starts[bucket + 1u], first + MOST_IN_CELL); k++) {
        let other = sorted_members[k];
        let offset = (other.position - liquid_grid.eye) / reach;
        let distance2 = dot(offset, offset);
        // Other cells and liquids may share the bucket.
        if distance2 < 1.0 && other.liquid == liquid && all(cell_of(other.position, liquid) == cell) {
            weight += 1.0 - distance2 * sqrt(distance2);
        }
    }
    return weight;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x > 0u {
        return;
    }
    var most = vec2f();
    if all(abs(liquid_grid.eye) < vec3f(FARTHEST_DRAWN)) {
        for (var liquid = 0u; liquid < arrayLength(&liquids); liquid++) {
            let home = cell_of(liquid_grid.eye, liquid);
            var weight = 0.0;
            for (var c = 0; c < 27; c++) {
                weight += weight_in(home + vec3i(c % 3, c / 3 % 3, c / 9) - 1, liquid);
            }
            let share = smoothstep(WETTED.x, WETTED.y, weight);
            if share > most.x {
                most = vec2f(share, f32(liquid));
            }
        }
    }
    eye_in[0] = most;
    eye_draw[0] = select(0u, 3u, most.x > 0.0);
    eye_draw[1] = 1u;
    eye_draw[2] = 0u;
    eye_draw[3] = 0u;
}
