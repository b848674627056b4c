#import "common/params"
// Between the frame before the last one and the last one. The including kernel declares `params` and `between`.

struct Between {
    alpha: f32,                // 0: the frame before the last one, 1: the last one
}

// Longer ways than what moves can go in a frame are jumps [m]: nothing is shown on its way.
const LEAST_JUMP: f32 = 0.1;

fn jumped(start: vec3f, end: vec3f) -> bool {
    return distance(start, end) > params.max_speed * params.dt + LEAST_JUMP;
}
