// What was cut may take from others what they relied on. The including kernel declares `params`, `surface_list` and
// `surface_list_again`, which is that of the next round.

// Threads of a group of the passes that end ways.
const ROUND_GROUP: u32 = 64u;

// Lets all pairs be bound once more. Whoever does, writes the same.
fn bind_again() {
    surface_list_again.pairs = surface_list.pairs;
    surface_list_again.body_pairs = surface_list.body_pairs;
    surface_list_again.particle_groups = vec3u(listed_groups(params.particle_count - 1u, ROUND_GROUP), 1u);
    surface_list_again.body_groups = vec3u(listed_groups(max(params.body_count, 1u) - 1u, ROUND_GROUP), 1u);
}
