#import "narrow_phase/ball"
// What the proxies of a ball list. The including kernel declares `candidates` too.

// Whether a proxy of the ball before this particle's lists the body or collider: then a particle of that one meets it.
fn is_listed_before(row: ParticleRow, contact: u32) -> bool {
    let is_collider = (contact & TARGET_KIND) == TARGET_COLLIDER;
    for (var proxy = row.proxy - u32(row.finest); proxy < row.proxy; proxy++) {
        let head = proxy * candidate_row(params.candidate_capacity);
        let count = select(candidates[head] >> 16u, candidates[head] & 0xffffu, is_collider);
        for (var k = 0u; k < count; k++) {
            let place = select(CANDIDATE_HEAD + CANDIDATE_COLLIDERS + k, candidate_collider(k, params.candidate_capacity), is_collider);
            if candidates[head + place] == contact {
                return true;
            }
        }
    }
    return false;
}
