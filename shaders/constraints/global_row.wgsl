// A global constraint and its members, as the type says.
struct GlobalConstraint {
    first: u32,                // its members
    count: u32,
    mass: f32,                 // weight of all [kg]
    functions: u32,            // the first of those of its members
    values: vec4f,             // as the type says
}

struct GlobalMember {
    local: vec4f,              // place at rest from the center of mass [m]; w: weight [kg]
    particle: u32,
    first: u32,                // pairs of other corners, one for each triangle at it
    count: u32,
}
