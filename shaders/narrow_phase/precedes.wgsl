// The order of contacts that others own, in the lists of bodies: by owning body, then by contact.

// Lists longer than this are sorted by a workgroup: counting takes the square of their length.
const SHORT_LIST: u32 = 64u;
// Up to this length, which its memory holds. Mesa's software driver ends a thread's loops, silently, after 65535 rounds in all: eight such
// lists take 31 000 on eight lanes.
const LONG_LIST: u32 = 1024u;

fn precedes(a: vec2u, b: vec2u) -> bool {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}
