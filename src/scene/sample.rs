//! Bodies from primitive shapes: particles just under the surface, mass and inertia of the solid.

use glam::{Mat3, Quat, Vec3};

use super::{BodyDesc, ConvexHull, Dynamics, SceneError, Shape, Surface};
use crate::numbers::cubed;

/// Density of the default material [kg/m³]: water, and about that of a body.
pub(crate) const DEFAULT_DENSITY: f32 = 1000.0;

/// Most particles of a body that is made of a shape and the radius of its particles: sizes that somebody mistook must not take all
/// memory.
pub(super) const MOST_PARTICLES: f64 = (1 << 20) as f64;

/// Points that `make` makes; none where there would be about `count`, too many. [`BodyDesc`] is then refused by the scene.
fn unless_many(count: f64, make: impl FnOnce() -> Vec<Vec3>) -> Vec<Vec3> {
    if count <= MOST_PARTICLES { make() } else { Vec::new() }
}

/// A radius, or what it may be at most; what is no number stays none, which the scene refuses.
fn no_more(radius: f32, most: f32) -> f32 {
    if radius > most { most } else { radius }
}

/// About how many particles of `radius` cover what is round, of radius `r` and half length `h` [m]; no number for what is so large that
/// the length around it is none.
fn covering(r: f32, h: f32, radius: f32) -> f64 {
    if r.max(h) > 1e30 {
        return f64::INFINITY;
    }
    let [r, h] = [r, h].map(|length| f64::from(length) / f64::from(radius));
    std::f64::consts::PI * (r + 1.0) * (r + h + 1.0)
}

/// Bodies of shapes have at most 1 048 576 particles; with more than that they have none, and no scene takes them.
impl BodyDesc {
    /// A body at rest at the origin with this shape, mass, inertia and particles.
    pub fn new(
        name: impl Into<String>,
        shape: Shape,
        mass: f32,
        inertia: Mat3,
        points: Vec<Vec3>,
        radius: f32,
    ) -> Self {
        Self {
            name: name.into(),
            shape,
            mass,
            inertia,
            points,
            radius,
            radii: Vec::new(),
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            surface: Surface::default(),
            kinematic: false,
            dynamics: Dynamics::default(),
        }
    }

    /// A solid box of density 1000 kg/m³. Particles of about `radius` fill it on a lattice whose outer layer touches
    /// the faces; a box thinner than a particle gets smaller ones.
    pub fn cuboid(half: Vec3, radius: f32) -> Self {
        let radius = no_more(radius, half.min_element());
        let mass = 8.0 * half.x * half.y * half.z * DEFAULT_DENSITY;
        let sq = half * half;
        let inertia = Vec3::new(sq.y + sq.z, sq.x + sq.z, sq.x + sq.y) * (mass / 3.0);
        let cells = half.as_dvec3() / f64::from(radius) + 1.0;
        let points = unless_many(cells.element_product(), || lattice(half - radius, radius));
        Self::new("box", Shape::Cuboid(half), mass, Mat3::from_diagonal(inertia), points, radius)
    }

    /// A solid ball of density 1000 kg/m³: a shell of particles that touches the surface.
    pub fn sphere(ball: f32, radius: f32) -> Self {
        let radius = no_more(radius, ball);
        let mass = 4.0 / 3.0 * std::f32::consts::PI * cubed(ball) * DEFAULT_DENSITY;
        let inertia = Mat3::from_diagonal(Vec3::splat(0.4 * mass * ball * ball));
        let points = unless_many(covering(ball, 0.0, radius), || shell(ball - radius, 0.0, radius));
        Self::new("ball", Shape::Sphere(ball), mass, inertia, points, radius)
    }

    /// A solid capsule along Y of density 1000 kg/m³: a shell of particles that touches the surface.
    pub fn capsule(thickness: f32, half_length: f32, radius: f32) -> Self {
        let (pi, r, h) = (std::f32::consts::PI, thickness, half_length);
        let radius = no_more(radius, r);
        let tube = pi * r * r * 2.0 * h * DEFAULT_DENSITY;
        let caps = 4.0 / 3.0 * pi * cubed(r) * DEFAULT_DENSITY;
        let along = tube * r * r * 0.5 + caps * r * r * 0.4;
        // Half balls moved out by h: 0.4 r² about the ball's center, and the center of a half ball lies at 3/8 r.
        let across = tube * (r * r / 4.0 + h * h / 3.0) + caps * (0.4 * r * r + h * h + 0.75 * h * r);
        let inertia = Mat3::from_diagonal(Vec3::new(across, along, across));
        let points = unless_many(covering(r, h, radius), || shell(r - radius, h, radius));
        Self::new("capsule", Shape::Capsule { radius: r, half_length: h }, tube + caps, inertia, points, radius)
    }

    /// A solid cylinder along Y of density 1000 kg/m³: particles that touch its side and its ends.
    pub fn cylinder(thickness: f32, half_length: f32, radius: f32) -> Self {
        let (r, h) = (thickness, half_length);
        let radius = no_more(radius, r.min(h));
        let mass = std::f32::consts::PI * r * r * 2.0 * h * DEFAULT_DENSITY;
        let across = mass * (r * r / 4.0 + h * h / 3.0);
        let inertia = Mat3::from_diagonal(Vec3::new(across, 0.5 * mass * r * r, across));
        let points = unless_many(covering(r, h, radius), || drum(r - radius, h - radius, radius));
        Self::new("cylinder", Shape::Cylinder { radius: r, half_length: h }, mass, inertia, points, radius)
    }

    /// A solid hull of density 1000 kg/m³: particles of about `radius` that touch its faces, smaller ones where it is thin. It is made
    /// with its center of mass where that of the hull is, so that it lies where the points were; [`BodyDesc::at`] moves the center.
    ///
    /// # Errors
    /// [`SceneError`] where there would be more than 65 536 particles.
    pub fn hull(hull: &ConvexHull, radius: f32) -> Result<Self, SceneError> {
        super::check::positive("convex hull", "particle radius", radius)?;
        let solid = hull.solid();
        let (center, density) = (solid.center.as_vec3(), f64::from(DEFAULT_DENSITY));
        let hull = hull.clone().moved(-center);
        let (points, radius) = hull.shell(radius)?;
        let (mass, inertia) = ((solid.volume * density) as f32, (solid.inertia * density).as_mat3());
        Ok(Self::new("hull", Shape::Hull(hull), mass, inertia, points, radius).at(center))
    }

    /// The same body with this mass [kg]; inertia scales along.
    #[must_use]
    pub fn with_mass(mut self, mass: f32) -> Self {
        self.inertia *= mass / self.mass;
        self.mass = mass;
        self
    }

    /// The same body centered here.
    #[must_use]
    pub fn at(mut self, position: Vec3) -> Self {
        self.position = position;
        self
    }

    /// The same body turned so.
    #[must_use]
    pub fn rotated(mut self, rotation: Quat) -> Self {
        self.rotation = rotation;
        self
    }

    /// The same body under another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}

/// Points of a lattice that spans `±extent` with spacing at most 2 `radius`, at least one a side.
fn lattice(extent: Vec3, radius: f32) -> Vec<Vec3> {
    let axis = |e: f32| {
        let cells = (e / radius - 1.0e-3).ceil().max(0.0) as u32;
        (0..=cells).map(move |i| if cells == 0 { 0.0 } else { e * (2.0 * i as f32 / cells as f32 - 1.0) })
    };
    let mut points = Vec::new();
    for z in axis(extent.z) {
        for y in axis(extent.y) {
            points.extend(axis(extent.x).map(|x| Vec3::new(x, y, z)));
        }
    }
    points
}

/// Points on rings of a capsule surface of radius `r` and half length `h`, about 2 `radius` apart, plus both poles.
fn shell(r: f32, h: f32, radius: f32) -> Vec<Vec3> {
    if r < 1.0e-6 {
        return lattice(Vec3::new(0.0, h, 0.0), radius);
    }
    let quarter = std::f32::consts::FRAC_PI_2;
    let rings = (quarter * r / (2.0 * radius)).ceil().max(1.0) as u32;
    let tube = (2.0 * h / (2.0 * radius)).ceil() as u32;
    // Heights and radii of the rings from the lower pole to the upper one.
    let mut profile: Vec<(f32, f32)> = (1..=rings)
        .map(|i| (i as f32 / rings as f32 - 1.0) * quarter)
        .map(|angle| (r * angle.sin() - h, r * angle.cos()))
        .collect();
    profile.extend((1..tube).map(|i| (2.0 * h * i as f32 / tube as f32 - h, r)));
    let upper: Vec<_> = profile[..rings as usize].iter().rev().map(|(y, rho)| (-y, *rho)).collect();
    profile.extend(upper.into_iter().skip(usize::from(h == 0.0)));
    let mut points = vec![Vec3::new(0.0, -h - r, 0.0), Vec3::new(0.0, h + r, 0.0)];
    for (ring, (y, rho)) in profile.into_iter().enumerate() {
        let count = (std::f32::consts::TAU * rho / (2.0 * radius)).ceil().max(3.0) as u32;
        let start = 0.5 * (ring % 2) as f32;
        points.extend((0..count).map(|i| {
            let angle = std::f32::consts::TAU * (i as f32 + start) / count as f32;
            Vec3::new(rho * angle.cos(), y, rho * angle.sin())
        }));
    }
    points
}

/// Points of the surface of a cylinder of radius `r` and half height `h`, about 2 `radius` apart.
fn drum(r: f32, h: f32, radius: f32) -> Vec<Vec3> {
    let steps = |length: f32| (length / (2.0 * radius) - 1.0e-3).ceil().max(0.0) as u32;
    let mut points = Vec::new();
    let mut ring = |y: f32, rho: f32, turned: bool| {
        let count = if rho < 1.0e-6 { 1 } else { steps(std::f32::consts::TAU * rho).max(3) };
        points.extend((0..count).map(|i| {
            let angle = std::f32::consts::TAU * (i as f32 + 0.5 * f32::from(turned)) / count as f32;
            Vec3::new(rho * angle.cos(), y, rho * angle.sin())
        }));
    };
    let (levels, rings) = (steps(2.0 * h), steps(r));
    for level in 0..=levels {
        let y = if levels == 0 { 0.0 } else { h * (2.0 * level as f32 / levels as f32 - 1.0) };
        ring(y, r, level % 2 == 1);
        if level == 0 || level == levels {
            (0..rings).for_each(|k| ring(y, r * k as f32 / rings as f32, (rings - k) % 2 == 1));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    #[test]
    fn what_would_have_too_many_particles_has_none_and_is_refused() {
        for desc in [
            BodyDesc::cuboid(Vec3::splat(1e9), 0.1),
            BodyDesc::cuboid(Vec3::new(1e38, 0.1, 0.1), 0.1),
            BodyDesc::sphere(1e12, 0.01),
            BodyDesc::sphere(1e38, 1e36),
            BodyDesc::sphere(1.0, 1e-30),
            BodyDesc::capsule(0.1, 1e30, 0.1),
            BodyDesc::cylinder(1e20, 1.0, 0.1),
            BodyDesc::cuboid(Vec3::ONE, f32::NAN),
            BodyDesc::sphere(1.0, f32::NAN),
            BodyDesc::capsule(1.0, 1.0, f32::NAN),
            BodyDesc::cylinder(1.0, 1.0, f32::NAN),
        ] {
            let name = desc.name.clone();
            let error = Scene::default().add_body(desc).unwrap_err().to_string();
            assert!(error.contains(&name), "{error}");
        }
        let many = BodyDesc::sphere(100.0, 0.01);
        let error = Scene::default().add_body(many).unwrap_err().to_string();
        assert!(error.contains("particles") && error.contains("1048576"), "{error}");
        assert!(!BodyDesc::sphere(f32::NAN, 0.1).mass.is_finite());
    }

    #[test]
    fn outer_particles_touch_the_surface_and_none_sticks_out() {
        for desc in [
            BodyDesc::cuboid(Vec3::new(0.1, 0.2, 0.33), 0.05),
            BodyDesc::cuboid(Vec3::new(0.3, 0.01, 0.3), 0.05),
            BodyDesc::sphere(0.2, 0.04),
            BodyDesc::sphere(0.05, 0.05),
            BodyDesc::capsule(0.1, 0.3, 0.04),
            BodyDesc::capsule(0.05, 0.2, 0.05),
            BodyDesc::cylinder(0.2, 0.3, 0.04),
            BodyDesc::cylinder(0.3, 0.02, 0.05),
            BodyDesc::cylinder(0.05, 0.4, 0.05),
        ] {
            let deepest = desc.points.iter().map(|p| desc.shape.distance(*p) + desc.radius).fold(f32::MIN, f32::max);
            assert!(deepest.abs() < 1e-5, "{}: {deepest} m above the surface", desc.name);
        }
    }

    #[test]
    fn a_lattice_of_27_for_a_box_of_three_particles() {
        assert_eq!(BodyDesc::cuboid(Vec3::splat(0.15), 0.05).points.len(), 27);
        assert_eq!(BodyDesc::cuboid(Vec3::splat(0.25), 0.05).points.len(), 125);
    }

    #[test]
    fn capsule_inertia_is_between_ball_and_cylinder() {
        let ball = BodyDesc::sphere(0.1, 0.05);
        let capsule = BodyDesc::capsule(0.1, 0.0, 0.05);
        assert!((ball.mass - capsule.mass).abs() < 1e-5);
        assert!((ball.inertia.x_axis.x - capsule.inertia.x_axis.x).abs() < 1e-6);
    }
}
