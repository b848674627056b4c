#import "common/params"
#import "common/color"
#import "constraints/constraint"
// Levels of the hierarchical solver (Müller 2008): particles that stand for those around them, and lengths between them. How they
// are made: constraints::levels.

// A particle of a coarse level.
struct LevelNode {
    particle: u32,
    share: f32,                // its own mass over all that it stands for
    first: u32,                // what it follows, among the links
    count: u32,
}

// A particle of the scene that follows coarse ones.
struct LevelLeaf {
    particle: u32,
    first: u32,                // what it follows
    count: u32,
    first_phantom: u32,        // those that stand for it go with it
    phantoms: u32,
}

struct LevelLink {
    node: u32,                 // of the next coarser level
    weight: f32,
}

// A length between two nodes; it acts only when stretched.
struct LevelLength {
    a: u32,
    b: u32,
    parent: u32,               // that of the next coarser level which goes the same way, or NONE
    soft: Softness,
    length: f32,               // at rest [m]
}

// How far a length gives way: so many times as far as a row of constraints.
struct Softness {
    word: u32,                 // of `constraint_words`, or NONE for what does not
    row: u32,                  // among those of its color
    factor: f32,
}

// What a length did.
struct LevelPull {
    multiplier: f32,           // λ in this substep
    gained: f32,               // strain that it gave way by in this iteration [dimensionless]
}

// A row of constraints, and the length that goes the same way.
struct LevelHeir {
    row: u32,                  // of `constraint_multipliers`
    parent: u32,               // or NONE
    soft: Softness,
    length: f32,               // at rest [m]
}

// What one workgroup does of the coarsest levels: nodes follow, then lengths are solved, a color.
struct LevelStep {
    first_node: u32,
    nodes: u32,
    first_length: u32,
    lengths: u32,
}
