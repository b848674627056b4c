// Marks of the passes of a search, the last word of their rows in `search_sizes`: those that look for neighbors in liquid, and for
// surfaces, and those that split what tears; solver::stage::Trigger.
const OF_LIQUID: u32 = 1u;
const OF_SURFACES: u32 = 2u;
const OF_TEARS: u32 = 3u;
