#import "ccd/groups"
// What was cut may take from others what they relied on. The including kernel declares `params`, `surface_list` and
// `surface_list_again`, which is that of the next round.

// Lets all pairs be bound once more. Whoever does, writes the same.
fn bind_again() {
    surface_list_again.bound = surface_list.bound;
    surface_list_again.body_pairs = surface_list.body_pairs;
    surface_list_again.bound_bodies = surface_list.bound_bodies;
    surface_list_again.particle_groups = particle_groups();
    surface_list_again.body_groups = body_groups();
}
