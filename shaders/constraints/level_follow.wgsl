#import "constraints/level"
// Where coarser nodes take what follows them. The including kernel declares `level_links` and `level_moves`.

// Sum of the moves that links name [m].
fn level_followed(first: u32, count: u32) -> vec3f {
    var shift = vec3f(0.0);
    for (var k = first; k < first + count; k++) {
        shift += level_links[k].weight * level_moves[level_links[k].node].xyz;
    }
    return shift;
}
