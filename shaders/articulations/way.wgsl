// Where b's point of a joint may go against a's.

// Whether some joint lets its points part.
override TRAVELS: bool = false;

struct Way {
    free: mat3x3f,             // projector on the ways along which it goes freely
    slip: vec3f,               // its way against a in this substep by velocity, as far as the joint can resist it [m]
    error: vec3f,              // of the motor: from its position, or of the way in this substep from that at its speed [m]
    stretch: vec3f,            // force of ranges that yield [N]
    stiffness: mat3x3f,        // of these ranges [N/m]
}
