// Rows of `constraint_words` that are solved at once: of one type and color. Word k of all of them lies together: first + k count
// + the row's place. The words of a row are its particles or phantoms, then its numbers, and where the type is damped how much [1/s];
// before the numbers stand those that all rows of the type share. A row whose first particle is NONE is torn. After the numbers there
// is room for compliances that were shared and are not any more, since one object's were changed: `OWN_NUMBERS` in the place of what
// was shared, and the word where the rows have their own. No compliance has this bit, which is the sign.
struct Color {
    kind: u32,                 // type, by its place among all
    first: u32,                // word
    count: u32,
    row: u32,                  // the first of them, counted over all
    particles: u32,            // that each joins
    color: u32,
    slots: u32,                // word of `cluster_slots`
}

// Bit of a row's first particle: it has half its stiffness, since it is one side of an edge that has parted.
const HALF: u32 = 0x80000000u;
const OWN_NUMBERS: u32 = 0x80000000u;
