// Vertices of models that bend, as they are kept between the pass that places them and those that draw them.

struct SkinnedVertex {
    position: vec3f,
    normal: u32, // packed; GONE when all bones that the vertex follows are gone
}

// No direction is packed into this: the smallest number of each half is never used.
const GONE = 0x80008000u;
// Directions whose numbers sum up to less have none.
const LEAST_SUM = 1e-20;

// A direction as a place on an octahedron that is unfolded into a square (Cigolle et al. 2014).
fn packed_direction(direction: vec3f) -> u32 {
    let size = abs(direction);
    let flat = direction.xy / max(size.x + size.y + size.z, LEAST_SUM);
    let folded = (1.0 - abs(flat.yx)) * select(vec2f(-1.0), vec2f(1.0), flat >= vec2f(0.0));
    return pack2x16snorm(select(flat, folded, direction.z < 0.0));
}

// The same direction, of some length.
fn unpacked_direction(word: u32) -> vec3f {
    let place = unpack2x16snorm(word);
    let height = 1.0 - abs(place.x) - abs(place.y);
    let folded = max(-height, 0.0);
    return vec3f(place - select(vec2f(-folded), vec2f(folded), place >= vec2f(0.0)), height);
}
