#import "common/row"
#import "surfaces/primitive"
// `primitive_bounds`: seven rows of a texture for each primitive, which many threads read in no order.

const PRIMITIVE_ROWS: u32 = 7u;
// The first three are its Bounds. Then its center of mass [m] and how far it may stray [m]; twice its area along its normal and
// the sum of its squared sides [m²], of a particle of a body the direction out of it, 0 where there is none; the row of
// `primitive_rests`; twice its area and its squared sides at the end of the time that surfaces are searched for.
const PRIMITIVE_MIDDLE: u32 = 3u;
const PRIMITIVE_AREA: u32 = 4u;
const PRIMITIVE_REST: u32 = 5u;
const PRIMITIVE_AREA_THEN: u32 = 6u;

fn primitive_row(rows: texture_2d<u32>, primitive: u32, row: u32) -> vec4f {
    return bitcast<vec4f>(textureLoad(rows, row_at(PRIMITIVE_ROWS * primitive + row), 0));
}

fn primitive_box(rows: texture_2d<u32>, primitive: u32) -> Bounds {
    let center = primitive_row(rows, primitive, 0u);
    let half = primitive_row(rows, primitive, 1u);
    let velocity = primitive_row(rows, primitive, 2u);
    return Bounds(center.xyz, center.w, half.xyz, half.w, velocity.xyz, velocity.w);
}
