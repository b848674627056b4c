//! Head and hair as tables of shapes: a stylized face that catches light on brow, nose, cheeks and chin.

use glam::Vec3;

use crate::body::Part;
use crate::shape::{Shape, ellipsoid};

const fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

/// Skull and face without hollows.
pub const SKULL: [Part; 11] = [
    (ellipsoid(v(0.0, 1.656, -0.010), v(0.072, 0.086, 0.089)), 0.0),
    // Face from the brow to the jaw, chin, line of the jaw.
    (Shape::Ellipsoid(v(0.0, 1.612, 0.026), v(0.055, 0.080, 0.062), v(0.0, 1.0, -0.10)), 0.035),
    (ellipsoid(v(0.0, 1.549, 0.064), v(0.019, 0.016, 0.019)), 0.035),
    (Shape::Cone(v(0.008, 1.549, 0.056), v(0.046, 1.592, 0.000), 0.015, 0.013), 0.035),
    // Mouth, cheek bone, brow.
    (ellipsoid(v(0.0, 1.579, 0.072), v(0.026, 0.016, 0.016)), 0.025),
    (ellipsoid(v(0.040, 1.618, 0.057), v(0.020, 0.016, 0.018)), 0.035),
    (Shape::Cone(v(0.008, 1.653, 0.083), v(0.044, 1.657, 0.064), 0.008, 0.007), 0.018),
    // Nose: bridge, tip, wing.
    (Shape::Cone(v(0.0, 1.652, 0.085), v(0.0, 1.614, 0.1005), 0.0055, 0.0075), 0.014),
    (ellipsoid(v(0.0, 1.610, 0.099), v(0.0085, 0.0070, 0.0090)), 0.010),
    (ellipsoid(v(0.0085, 1.607, 0.091), v(0.0060, 0.0060, 0.0080)), 0.009),
    // Ear.
    (Shape::Ellipsoid(v(0.073, 1.630, -0.010), v(0.0080, 0.0290, 0.0165), v(0.14, 1.0, -0.20)), 0.010),
];

/// Taken out of the skull, softly: eye socket.
pub const HOLLOWS: [Part; 1] = [(ellipsoid(v(0.033, 1.638, 0.092), v(0.020, 0.010, 0.016)), 0.016)];

/// Put back into the sockets: closed eyes.
pub const EYES: [Part; 1] = [(ellipsoid(v(0.0320, 1.635, 0.0665), v(0.0145, 0.0095, 0.0130)), 0.005)];

/// Hair: cap, forelock, knot.
pub const HAIR: [Part; 3] = [
    (Shape::Ellipsoid(v(0.0, 1.6615, -0.027), v(0.0790, 0.0885, 0.0860), v(0.0, 1.0, -0.25)), 0.0),
    (Shape::Ellipsoid(v(0.0, 1.715, 0.020), v(0.052, 0.024, 0.056), v(0.0, 1.0, 0.55)), 0.035),
    (ellipsoid(v(0.0, 1.716, -0.121), v(0.036, 0.034, 0.034)), 0.012),
];
