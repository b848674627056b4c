// Of the passes that end ways. The including kernel declares `params`.

// Threads of a group.
const ROUND_GROUP: u32 = 64u;

fn particle_groups() -> vec3u {
    return vec3u(listed_groups(params.particle_count - 1u, ROUND_GROUP), 1u);
}

fn body_groups() -> vec3u {
    return vec3u(listed_groups(max(params.body_count, 1u) - 1u, ROUND_GROUP), 1u);
}
