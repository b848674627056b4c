// A particle with triangles in the air.
struct SailMember {
    particle: u32,
    first: u32,                // pairs of others, one for each of its triangles
    count: u32,
    drag: f32,                 // ½ ρ Cd [kg/m³]
    lift: f32,                 // Cl / Cd
}

// Bit of the first of two others that are corners of a triangle which can tear: indices into `tear_corners`, not particles.
const TEARING: u32 = 0x80000000u;
