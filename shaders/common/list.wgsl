// Lists that the GPU makes and dispatches over. Kernels that add to one declare its head with atomics, the others as it is.

// What a dispatch over a list takes, and its length: entries beyond the room of the list are counted too.
struct ListHead {
    groups: vec3u,
    count: u32,
}

// The same where threads add to it; z is 1.
struct GrowingListHead {
    groups: array<atomic<u32>, 3>,
    count: atomic<u32>,
}

const NO_ENTRIES = ListHead(vec3u(0u, 1u, 1u), 0u);

// Groups x and y that reach an entry.
fn listed_groups(place: u32, group_size: u32) -> vec2u {
    let group = place / group_size;
    return vec2u(min(group + 1u, 65535u), group / 65535u + 1u);
}
