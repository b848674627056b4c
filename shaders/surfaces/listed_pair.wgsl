#import "common/params"
#import "surfaces/lists"
// The list of pairs of a particle of a body and a triangle. The including kernel declares `surface_list`.

// Index of the pair in this row of the list; NONE after its end.
fn listed_pair(row: u32) -> u32 {
    let listed = min(surface_list.body_pairs.count, surface_list.room);
    return select(NONE, surface_list.room + row, row < listed);
}
