//! Trunk, arms and legs as tables of shapes: 1.75 m tall, eight heads high, left half only.
//!
//! Each row is a shape and the width [m] over which it melts into the rows above it. Half-widths of lofts come from
//! front and side views of an athletic figure; muscles that change the outline are ellipsoids of their own.

use glam::Vec3;

use crate::shape::{Loft, Shape, Station, ellipsoid, station};
use crate::skeleton::{ANKLE, BALL, ELBOW, FINGERTIP, HIP, KNEE, SHOULDER, TOE_TIP, WRIST};

/// A shape and how softly it joins what stands above it in its table [m].
pub type Part = (Shape, f32);

const fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

/// From the pit of the neck (1.47 m) down to the crotch (0.86 m).
const TRUNK: [Station; 13] = [
    station(0.00, 0.058, 0.058, 0.038, 0.060),
    station(0.05, 0.090, 0.090, 0.052, 0.078),
    station(0.10, 0.124, 0.124, 0.074, 0.096),
    station(0.18, 0.142, 0.142, 0.098, 0.106),
    station(0.27, 0.151, 0.151, 0.110, 0.106),
    station(0.37, 0.144, 0.144, 0.108, 0.097),
    station(0.48, 0.131, 0.131, 0.097, 0.082),
    station(0.59, 0.124, 0.124, 0.089, 0.074),
    station(0.68, 0.130, 0.130, 0.089, 0.081),
    station(0.77, 0.142, 0.142, 0.092, 0.096),
    station(0.86, 0.148, 0.148, 0.088, 0.104),
    station(0.94, 0.132, 0.132, 0.074, 0.094),
    station(1.00, 0.090, 0.090, 0.048, 0.074),
];

const NECK: [Station; 3] = [
    station(0.0, 0.060, 0.060, 0.046, 0.054),
    station(0.5, 0.046, 0.046, 0.046, 0.049),
    station(1.0, 0.045, 0.045, 0.048, 0.055),
];

/// Trunk and neck.
pub const TORSO: [Part; 9] = [
    (loft(v(0.0, 1.47, -0.010), v(0.0, 0.86, 0.0), Vec3::Z, &TRUNK, 0.6), 0.0),
    (loft(v(0.0, 1.43, -0.030), v(0.0, 1.585, -0.004), Vec3::Z, &NECK, 0.3), 0.05),
    // Trapezius from the neck to the shoulder.
    (Shape::Cone(v(0.004, 1.492, -0.036), v(0.140, 1.426, -0.028), 0.026, 0.030), 0.06),
    // Collar bone.
    (Shape::Cone(v(0.018, 1.432, 0.036), v(0.130, 1.440, 0.000), 0.013, 0.011), 0.025),
    // Breast, shoulder blade, flank.
    (Shape::Ellipsoid(v(0.074, 1.312, 0.062), v(0.068, 0.058, 0.038), v(-0.3, 1.0, -0.25)), 0.05),
    (Shape::Ellipsoid(v(0.088, 1.320, -0.094), v(0.050, 0.082, 0.026), v(0.25, 1.0, 0.10)), 0.05),
    (Shape::Ellipsoid(v(0.112, 1.270, -0.040), v(0.042, 0.110, 0.060), v(0.22, 1.0, 0.0)), 0.05),
    // Seat, belly.
    (Shape::Ellipsoid(v(0.078, 0.905, -0.066), v(0.076, 0.086, 0.068), v(0.1, 1.0, 0.15)), 0.045),
    (ellipsoid(v(0.0, 0.985, 0.055), v(0.088, 0.080, 0.042)), 0.05),
];

const UPPER_ARM: [Station; 6] = [
    station(0.00, 0.050, 0.048, 0.050, 0.052),
    station(0.15, 0.050, 0.050, 0.052, 0.053),
    station(0.35, 0.044, 0.047, 0.047, 0.047),
    station(0.60, 0.040, 0.042, 0.044, 0.042),
    station(0.85, 0.036, 0.036, 0.036, 0.036),
    station(1.00, 0.036, 0.035, 0.034, 0.034),
];

const FOREARM: [Station; 6] = [
    station(0.00, 0.036, 0.035, 0.035, 0.035),
    station(0.20, 0.040, 0.036, 0.039, 0.036),
    station(0.40, 0.037, 0.034, 0.037, 0.034),
    station(0.65, 0.029, 0.028, 0.030, 0.028),
    station(0.88, 0.021, 0.020, 0.026, 0.025),
    station(1.00, 0.020, 0.019, 0.027, 0.026),
];

const PALM: [Station; 5] = [
    station(0.00, 0.019, 0.018, 0.027, 0.025),
    station(0.25, 0.018, 0.019, 0.034, 0.029),
    station(0.60, 0.016, 0.018, 0.039, 0.035),
    station(0.90, 0.013, 0.014, 0.039, 0.038),
    station(1.00, 0.012, 0.013, 0.037, 0.037),
];

/// Point of the hand: share of the way from wrist to fingertip, toward the thumb [m], out of the back of the hand [m].
const fn hand(at: f32, thumb: f32, back: f32) -> Vec3 {
    v(
        WRIST.x + (FINGERTIP.x - WRIST.x) * at + 0.66 * back - 0.07 * thumb,
        WRIST.y + (FINGERTIP.y - WRIST.y) * at + 0.75 * back + 0.04 * thumb,
        WRIST.z + (FINGERTIP.z - WRIST.z) * at + thumb,
    )
}

/// Upper arm, forearm and hand with four fingers that touch and a thumb that does not.
pub const ARM: [Part; 17] = [
    (loft(SHOULDER, ELBOW, Vec3::Z, &UPPER_ARM, 0.9), 0.0),
    // Deltoid, biceps, elbow.
    (Shape::Ellipsoid(v(0.180, 1.406, -0.022), v(0.049, 0.072, 0.053), v(-0.72, 0.60, 0.0)), 0.04),
    (Shape::Ellipsoid(v(0.270, 1.322, -0.006), v(0.036, 0.080, 0.036), v(-0.77, 0.64, 0.0)), 0.03),
    (loft(ELBOW, WRIST, Vec3::Z, &FOREARM, 0.8), 0.02),
    (Shape::Ellipsoid(v(0.376, 1.236, -0.046), v(0.020, 0.026, 0.020), v(-0.77, 0.64, 0.0)), 0.03),
    (loft(hand(-0.02, 0.0, 0.0), hand(0.50, 0.0, 0.002), Vec3::Z, &PALM, 0.5), 0.015),
    // Index, middle, ring and little finger, two pieces each, slightly curled. They touch all along: a gap that is
    // narrower than the lattice would tear into tunnels.
    (Shape::Cone(hand(0.47, 0.0265, 0.002), hand(0.72, 0.0245, -0.001), 0.0098, 0.0088), 0.006),
    (Shape::Cone(hand(0.72, 0.0245, -0.001), hand(0.90, 0.0215, -0.009), 0.0088, 0.0074), 0.004),
    (Shape::Cone(hand(0.49, 0.0090, 0.003), hand(0.76, 0.0085, 0.000), 0.0098, 0.0089), 0.004),
    (Shape::Cone(hand(0.76, 0.0085, 0.000), hand(0.95, 0.0075, -0.009), 0.0089, 0.0075), 0.004),
    (Shape::Cone(hand(0.48, -0.0085, 0.002), hand(0.73, -0.0075, -0.001), 0.0097, 0.0088), 0.004),
    (Shape::Cone(hand(0.73, -0.0075, -0.001), hand(0.90, -0.0065, -0.009), 0.0088, 0.0073), 0.004),
    (Shape::Cone(hand(0.45, -0.0255, 0.000), hand(0.65, -0.0230, -0.002), 0.0089, 0.0080), 0.004),
    (Shape::Cone(hand(0.65, -0.0230, -0.002), hand(0.79, -0.0205, -0.008), 0.0080, 0.0068), 0.004),
    // Thumb.
    (Shape::Cone(hand(0.10, 0.016, -0.008), hand(0.32, 0.044, -0.018), 0.0160, 0.0115), 0.014),
    (Shape::Cone(hand(0.32, 0.044, -0.018), hand(0.47, 0.056, -0.021), 0.0115, 0.0098), 0.004),
    (Shape::Cone(hand(0.47, 0.056, -0.021), hand(0.60, 0.060, -0.024), 0.0098, 0.0080), 0.004),
];

const THIGH: [Station; 8] = [
    station(0.00, 0.062, 0.064, 0.072, 0.080),
    station(0.10, 0.075, 0.073, 0.082, 0.090),
    station(0.25, 0.077, 0.074, 0.086, 0.088),
    station(0.45, 0.071, 0.069, 0.081, 0.078),
    station(0.65, 0.061, 0.062, 0.070, 0.066),
    station(0.82, 0.054, 0.054, 0.059, 0.056),
    station(0.92, 0.050, 0.051, 0.053, 0.053),
    station(1.00, 0.049, 0.050, 0.049, 0.051),
];

const SHIN: [Station; 8] = [
    station(0.00, 0.049, 0.050, 0.049, 0.050),
    station(0.10, 0.049, 0.049, 0.046, 0.057),
    station(0.24, 0.053, 0.049, 0.045, 0.071),
    station(0.38, 0.050, 0.047, 0.042, 0.068),
    station(0.55, 0.041, 0.039, 0.038, 0.053),
    station(0.72, 0.032, 0.032, 0.034, 0.041),
    station(0.88, 0.029, 0.030, 0.032, 0.037),
    station(1.00, 0.032, 0.034, 0.034, 0.040),
];

/// Foot from the heel to the toes; the front of the loft is up.
const FOOT: [Station; 6] = [
    station(0.00, 0.028, 0.028, 0.040, 0.036),
    station(0.18, 0.031, 0.031, 0.052, 0.036),
    station(0.40, 0.034, 0.034, 0.044, 0.034),
    station(0.65, 0.044, 0.040, 0.026, 0.034),
    station(0.85, 0.043, 0.042, 0.019, 0.034),
    station(1.00, 0.033, 0.036, 0.016, 0.030),
];

/// Thigh, shin and foot.
pub const LEG: [Part; 8] = [
    (loft(HIP, KNEE, Vec3::Z, &THIGH, 0.7), 0.0),
    (loft(KNEE, ANKLE, Vec3::Z, &SHIN, 0.5), 0.035),
    // Knee cap, then the inner bulge above it.
    (Shape::Ellipsoid(v(0.099, 0.510, 0.042), v(0.026, 0.036, 0.017), v(0.0, 1.0, 0.1)), 0.04),
    (Shape::Ellipsoid(v(0.076, 0.580, 0.032), v(0.028, 0.055, 0.032), v(0.15, 1.0, 0.1)), 0.05),
    // Ankle bones.
    (ellipsoid(v(0.076, 0.092, -0.022), v(0.012, 0.016, 0.015)), 0.025),
    (ellipsoid(v(0.138, 0.084, -0.028), v(0.012, 0.016, 0.015)), 0.025),
    (loft(v(0.104, 0.034, -0.062), v(TOE_TIP.x - 0.001, 0.018, 0.138), Vec3::Y, &FOOT, 0.9), 0.035),
    // Instep.
    (Shape::Cone(v(ANKLE.x, 0.088, -0.010), v(BALL.x - 0.010, 0.036, 0.075), 0.036, 0.018), 0.03),
];

const fn loft(start: Vec3, end: Vec3, front: Vec3, stations: &'static [Station], cap: f32) -> Shape {
    Shape::Loft(Loft { start, end, front, stations, cap })
}
