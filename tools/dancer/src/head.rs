//! Head and hair as tables of shapes: a stylized face that catches light on brow, nose, cheeks and chin.

use glam::Vec3;

use crate::body::Part;
use crate::shape::{Shape, ellipsoid};

const fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

/// Skull and face without hollows.
pub const SKULL: [Part; 14] = [
    (ellipsoid(v(0.0, 1.658, -0.008), v(0.073, 0.081, 0.090)), 0.0),
    // Face from the brow to the jaw, front of the jaw, chin, line of the jaw.
    (Shape::Ellipsoid(v(0.0, 1.614, 0.022), v(0.058, 0.080, 0.066), v(0.0, 1.0, -0.06)), 0.030),
    (Shape::Ellipsoid(v(0.0, 1.574, 0.050), v(0.033, 0.040, 0.037), v(0.0, 1.0, -0.10)), 0.040),
    (ellipsoid(v(0.0, 1.549, 0.070), v(0.016, 0.014, 0.016)), 0.030),
    (Shape::Cone(v(0.008, 1.553, 0.050), v(0.044, 1.596, -0.002), 0.014, 0.013), 0.035),
    // Cheek, brow.
    (ellipsoid(v(0.036, 1.612, 0.052), v(0.023, 0.022, 0.022)), 0.040),
    (Shape::Cone(v(0.010, 1.656, 0.0800), v(0.046, 1.659, 0.0590), 0.0085, 0.0075), 0.022),
    // Nose: bridge, tip, wing.
    (Shape::Cone(v(0.0, 1.654, 0.0840), v(0.0, 1.615, 0.0995), 0.0050, 0.0068), 0.016),
    (ellipsoid(v(0.0, 1.6115, 0.0985), v(0.0080, 0.0068, 0.0085)), 0.010),
    (ellipsoid(v(0.0080, 1.6085, 0.0910), v(0.0055, 0.0055, 0.0075)), 0.009),
    // Upper and lower lip, closed.
    (Shape::Cone(v(0.004, 1.5825, 0.0865), v(0.018, 1.5805, 0.0800), 0.0042, 0.0020), 0.010),
    (Shape::Cone(v(0.0, 1.5755, 0.0860), v(0.014, 1.5775, 0.0805), 0.0045, 0.0022), 0.007),
    // Ear, lobe.
    (Shape::Ellipsoid(v(0.074, 1.632, -0.010), v(0.0075, 0.0270, 0.0160), v(0.16, 1.0, -0.22)), 0.010),
    (ellipsoid(v(0.069, 1.608, -0.003), v(0.0060, 0.0090, 0.0080)), 0.010),
];

/// Taken out of the skull, softly: eye socket.
pub const HOLLOWS: [Part; 1] = [(ellipsoid(v(0.032, 1.640, 0.0990), v(0.023, 0.012, 0.0200)), 0.022)];

/// Put back into the sockets: closed eyes.
pub const EYES: [Part; 1] = [(ellipsoid(v(0.0325, 1.6365, 0.0660), v(0.0170, 0.0120, 0.0135)), 0.010)];

/// Hair: cap, forelock swept back, knot.
pub const HAIR: [Part; 3] = [
    (Shape::Ellipsoid(v(0.0, 1.6600, -0.030), v(0.0790, 0.0850, 0.0850), v(0.0, 1.0, -0.35)), 0.0),
    (Shape::Ellipsoid(v(0.0, 1.708, 0.014), v(0.054, 0.030, 0.060), v(0.0, 1.0, 0.60)), 0.035),
    (ellipsoid(v(0.0, 1.710, -0.120), v(0.036, 0.034, 0.034)), 0.012),
];
