// A set of 128 whole numbers as bits.

const BITS: u32 = 128u;

fn bit(place: u32) -> vec4u {
    return vec4u(vec4u(place >> 5u) == vec4u(0u, 1u, 2u, 3u)) << vec4u(place & 31u);
}

// Of bits that are not all 0.
fn first_bit(bits: vec4u) -> u32 {
    let word = select(select(select(3u, 2u, bits.z != 0u), 1u, bits.y != 0u), 0u, bits.x != 0u);
    return 32u * word + firstTrailingBit(bits[word]);
}

// Of bits that are not all 0.
fn last_bit(bits: vec4u) -> u32 {
    let word = select(select(select(0u, 1u, bits.y != 0u), 2u, bits.z != 0u), 3u, bits.w != 0u);
    return 32u * word + firstLeadingBit(bits[word]);
}

fn bit_count(bits: vec4u) -> u32 {
    let counts = countOneBits(bits);
    return counts.x + counts.y + counts.z + counts.w;
}
