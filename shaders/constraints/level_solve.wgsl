#import "constraints/level_soft"
// XPBD on a length of a coarse level: C = |x_b - x_a| - d ≤ 0, with the masses that its ends stand for. The including kernel declares
// `level_lengths`, `level_places`, `level_moves` and `batch` beside what softness needs.

fn level_solve(index: u32) {
    let own = level_lengths[index];
    var before = 0.0;
    if batch.iteration > 0u {
        before = level_pulls[index].multiplier;
    }
    let softness = level_softness(own.soft);
    let lambda = min(before + level_inherited(own.parent, own.length, softness), 0.0);
    let place_a = level_places[own.a];
    let place_b = level_places[own.b];
    let move_a = level_moves[own.a];
    let move_b = level_moves[own.b];
    let n = direction((place_b.xyz - place_a.xyz) + (move_b.xyz - move_a.xyz));
    let weight = place_a.w + place_b.w;
    let off = n.w - own.length;
    var next = lambda;
    var step = 0.0;
    if weight > 0.0 && off > 0.0 {
        next = min(lambda + params.stiffness * (-off - softness * lambda) / (weight + softness), 0.0);
        step = next - lambda;
    } else if weight > 0.0 {
        // What is slack bears nothing, and does not push by what its parent bore.
        next = 0.0;
    }
    // What does not move may be in several lengths of one color, and is not written.
    if place_a.w > 0.0 {
        level_moves[own.a] = vec4f(move_a.xyz - place_a.w * step * n.xyz, 0.0);
    }
    if place_b.w > 0.0 {
        level_moves[own.b] = vec4f(move_b.xyz + place_b.w * step * n.xyz, 0.0);
    }
    level_pulls[index] = LevelPull(next, softness * (before - next) / own.length);
}
