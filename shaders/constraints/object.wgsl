// What constraints join, in slices of one workgroup each, and objects of free particles as wholes: each slice passes on the sums of
// its members.

struct Object {
    first: u32,                // its slices
    count: u32,
    mass: f32,                 // of all [kg]
    damping: f32,              // of motion that is not that of a rigid body [1/s]
    free: u32,                 // 1 when nothing outside holds it: its angular momentum stays
    first_fabric: u32,          // what of it tears, in `tear_fabrics`; once it has torn it is a whole no more
    end_fabric: u32,
}

struct Slice {
    object: u32,               // NONE for what belongs to none
    origin: u32,               // the first member of the object
    first: u32,                // its members
    count: u32,
    // What sums are relative to, so that none is lost to rounding: the origin before the constraints.
    place: vec3f,              // [m]
    velocity: vec3f,           // [m/s]
    sums: Sums,
}

// A particle that constraints join, and those that stand for it in some of them.
struct Joined {
    particle: u32,
    first_phantom: u32,
    phantoms: u32,             // their number, and `PHANTOMS_HYBRID`
    first_order: u32,          // 1 where the second order is not for it
}

// Sums over members, of places x [m] and velocities v [m/s].
struct Motion {
    place: vec3f,              // Σ m x [kg m]
    momentum: vec3f,           // Σ m v [kg m/s]
    spin: vec3f,               // Σ m x × v [kg m²/s]
}

// Of a slice, or of an object.
struct Sums {
    before: Motion,            // the constraints
    after: Motion,
    squares: vec3f,            // after them: Σ m x² by axis [kg m²]
    products: vec3f,           // Σ m (x y, x z, y z) [kg m²]
}

const SLICE_THREADS: u32 = 32u;

var<workgroup> partial_sums: array<Sums, SLICE_THREADS>;

fn together(a: Motion, b: Motion) -> Motion {
    return Motion(a.place + b.place, a.momentum + b.momentum, a.spin + b.spin);
}

fn added(a: Sums, b: Sums) -> Sums {
    return Sums(together(a.before, b.before), together(a.after, b.after), a.squares + b.squares, a.products + b.products);
}

fn motion_of(place: vec3f, velocity: vec3f, mass: f32) -> Motion {
    return Motion(mass * place, mass * velocity, mass * cross(place, velocity));
}

// Sum over the threads of a workgroup, in a fixed order; all of them must call.
fn summed(local: u32, own: Sums) -> Sums {
    partial_sums[local] = own;
    workgroupBarrier();
    for (var width = SLICE_THREADS / 2u; width > 0u; width /= 2u) {
        if local < width {
            partial_sums[local] = added(partial_sums[local], partial_sums[local + width]);
        }
        workgroupBarrier();
    }
    return partial_sums[0];
}

// Mass [kg] of an inverse mass; none when pinned.
fn mass_of(inverse: f32) -> f32 {
    return select(0.0, 1.0 / inverse, inverse > 0.0);
}
