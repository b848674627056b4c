#import "common/row"
#import "common/facet"
// `facet_boxes`: six rows of a texture for each facet, which many threads read in no order.

const FACET_ROWS: u32 = 6u;
// The first three are its Box. Then its center of mass [m] and how far it may stray [m]; twice its area along its normal and
// the sum of its squared sides [m²], of a particle of a body the direction out of it, 0 where there is none; the row of
// `facet_rests`.
const FACET_MIDDLE: u32 = 3u;
const FACET_AREA: u32 = 4u;
const FACET_REST: u32 = 5u;

fn facet_row(rows: texture_2d<u32>, facet: u32, row: u32) -> vec4f {
    return bitcast<vec4f>(textureLoad(rows, row_at(FACET_ROWS * facet + row), 0));
}

fn facet_box(rows: texture_2d<u32>, facet: u32) -> Box {
    return Box(facet_row(rows, facet, 0u), facet_row(rows, facet, 1u), facet_row(rows, facet, 2u));
}
