#import "common/workgroup_sum"
#import "queries/item"
#import "queries/bounds"
#import "queries/order"
// One workgroup. Looks at some of the items, evenly taken, and finds where most of them are: what is far out does not count.

@group(0) @binding(0) var<uniform> batch: QueryStep;
@group(1) @binding(0) var<storage, read> items: array<Item>;
@group(1) @binding(1) var<storage, read> bodies: array<Body>;
@group(1) @binding(2) var<storage, read> colliders: array<Collider>;
@group(1) @binding(3) var<storage, read> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read> tear_corners: array<u32>;
@group(1) @binding(5) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(6) var<storage, read_write> window: array<Window>;

const SAMPLES_EACH: u32 = 8u;
const SAMPLES: u32 = 512u;
// How far the window reaches to each side, in mean distances from the middle.
const REACH: f32 = 4.0;
// Places beyond are no places [m]: planes.
const MOST_PLACE: f32 = 1e9;

var<private> places: array<vec4f, SAMPLES_EACH>;

@compute @workgroup_size(SUM_WIDTH)
fn main(@builtin(local_invocation_index) local: u32) {
    let stride = max(batch.item_count / SAMPLES, 1u);
    var sum = vec4f(0.0);
    for (var k = 0u; k < SAMPLES_EACH; k++) {
        let i = (local * SAMPLES_EACH + k) * stride;
        places[k] = place_of(i);
        sum += places[k];
    }
    let all = workgroup_sum(local, sum);
    let middle = all.xyz / max(all.w, 1.0);
    var spread = vec4f(0.0);
    for (var k = 0u; k < SAMPLES_EACH; k++) {
        spread += vec4f(abs(places[k].xyz - middle) * places[k].w, 0.0);
    }
    let mean = workgroup_sum(local, spread).xyz / max(all.w, 1.0);
    let reach = REACH * max(max(mean.x, max(mean.y, mean.z)), 1e-4);
    if local == 0u {
        window[0] = Window(middle - reach, 2.0 * reach / f32(CELLS));
    }
}

// The middle of an item with weight 1; 0 for none.
fn place_of(i: u32) -> vec4f {
    if i >= batch.item_count {
        return vec4f(0.0);
    }
    let box = box_of(target_of(items[i], i));
    if box.high.x < box.low.x || box.high.x > MOST_PLACE {
        return vec4f(0.0);
    }
    return vec4f(0.5 * (box.low + box.high), 1.0);
}
