// Marks of the passes of a search, the last word of their rows in `search_sizes`: those that look for neighbors in liquid, for
// surfaces, and for surfaces once more at the end of a substep.
const OF_LIQUID: u32 = 1u;
const OF_SURFACES: u32 = 2u;
const SURFACES_REBUILD: u32 = 3u;
