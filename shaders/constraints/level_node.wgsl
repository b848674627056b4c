#import "constraints/level_follow"
// A node of a coarse level. The including kernel declares `level_nodes` and `level_places` beside what following needs.

// A node goes where those of the next coarser level take it.
fn level_follow(index: u32) {
    let own = level_nodes[index];
    var shift = vec3f(0.0);
    if level_places[index].w > 0.0 {
        shift = level_followed(own.first, own.count);
    }
    level_moves[index] = vec4f(shift, 0.0);
}
