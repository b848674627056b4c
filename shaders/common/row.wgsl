// Rows of four words in a texture; gpu::textures.

const ROWS_ACROSS_BITS: u32 = 12u;
const ROWS_ACROSS: u32 = 1u << ROWS_ACROSS_BITS;

fn row_at(row: u32) -> vec2u {
    return vec2u(row & (ROWS_ACROSS - 1u), row >> ROWS_ACROSS_BITS);
}
