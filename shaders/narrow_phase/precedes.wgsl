// The order of contacts that others own, in the lists of bodies: by owning body, then by contact.

// Lists up to this length are sorted by counting; longer ones would take the square of their length.
const SHORT_LIST: u32 = 64u;

fn precedes(a: vec2u, b: vec2u) -> bool {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}
