#import "queries/node"
// Targets as they lie in their texture. The including kernel declares `targets`.

fn read_target(row: u32) -> Target {
    let a = textureLoad(targets, row_at(row), 0);
    let b = textureLoad(targets, row_at(row + 1u), 0);
    let c = textureLoad(targets, row_at(row + 2u), 0);
    let kind = a.w & ((1u << TARGET_BITS) - 1u);
    return Target(bitcast<vec3f>(a.xyz), kind, bitcast<vec3f>(b.xyz), b.w, c, a.w >> TARGET_BITS);
}
