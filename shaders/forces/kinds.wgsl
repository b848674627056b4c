// What a push or a field acts on: bits of kinds of things.

const ACTS_ON_BODIES: u32 = 1u;
const ACTS_ON_DEFORMABLES: u32 = 4u;
const ACTS_ON_LIQUIDS: u32 = 8u;
const ACTS_ON_GRAINS: u32 = 16u;

// The bit of a free particle, by its phase: objects have groups of their own, grains and single particles have none.
fn kind_of(phase: u32) -> u32 {
    if (phase & PHASE_LIQUID) != 0u {
        return ACTS_ON_LIQUIDS;
    }
    return select(ACTS_ON_GRAINS, ACTS_ON_DEFORMABLES, group_of(phase) != 0u);
}
