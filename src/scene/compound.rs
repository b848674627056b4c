//! Several bodies as one.

use glam::{DMat3, DVec3, Mat3, Vec3};

use super::{BodyDesc, Piece, Placement, SceneError, Shape};

/// Pieces of a body's shape, seen from its center of mass.
fn pieces(part: &BodyDesc, center: Vec3) -> Vec<Piece> {
    let at = Placement { position: part.position - center, rotation: part.rotation.normalize() };
    match &part.shape {
        Shape::Compound(own) => {
            let placed = |piece: &Piece| Piece {
                shape: piece.shape.clone(),
                position: at.point(piece.position),
                rotation: (at.rotation * piece.rotation).normalize(),
            };
            own.iter().map(placed).collect()
        }
        shape => vec![Piece { shape: shape.clone(), position: at.position, rotation: at.rotation }],
    }
}

impl BodyDesc {
    /// Several bodies as one rigid piece, each with its shape and mass where it is: mass, center and inertia are those of all together,
    /// friction is that of the first. It is made at rest, unturned, with its center of mass where that of the parts is, so that they
    /// stay where they were; [`BodyDesc::at`] moves the center. Where parts overlap their masses add up.
    ///
    /// # Errors
    /// [`SceneError`] without parts, and for a part that cannot be added by itself.
    pub fn compound(parts: &[BodyDesc]) -> Result<Self, SceneError> {
        let Some(first) = parts.first() else {
            return Err(SceneError::Empty { item: "compound".into(), field: "parts" });
        };
        parts.iter().try_for_each(|part| part.check())?;
        let mass: f64 = parts.iter().map(|part| f64::from(part.mass)).sum();
        let moment: DVec3 = parts.iter().map(|part| part.position.as_dvec3() * f64::from(part.mass)).sum();
        let center = moment / mass;
        let inertia = parts.iter().map(|part| inertia_about(part, center)).fold(DMat3::ZERO, |sum, own| sum + own);
        let center = center.as_vec3();
        let own: Vec<Vec<Piece>> = parts.iter().map(|part| pieces(part, center)).collect();
        let (mut points, mut radii) = (Vec::new(), Vec::new());
        for (index, part) in parts.iter().enumerate() {
            for (point, radius) in part.balls() {
                let point = part.position + part.rotation * point - center;
                // Balls within another part touch nothing from there.
                let others = own.iter().enumerate().filter(|(other, _)| *other != index).flat_map(|(_, own)| own);
                if others.map(|piece| piece.distance(point)).all(|away| away > -1.001 * radius) {
                    points.push(point);
                    radii.push(radius);
                }
            }
        }
        let shape = Shape::Compound(own.into_iter().flatten().collect());
        let body = Self::new("compound", shape, mass as f32, inertia.as_mat3(), points, first.radius);
        Ok(Self { radii, surface: first.surface, position: center, ..body })
    }
}

/// A part's inertia about a point, by the parallel axis theorem.
fn inertia_about(part: &BodyDesc, point: DVec3) -> DMat3 {
    let turn = Mat3::from_quat(part.rotation.normalize()).as_dmat3();
    let r = part.position.as_dvec3() - point;
    let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
    turn * part.inertia.as_dmat3() * turn.transpose()
        + (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer) * f64::from(part.mass)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn two_halves_of_a_box_weigh_and_turn_as_the_box() {
        let whole = BodyDesc::cuboid(Vec3::new(0.4, 0.1, 0.2), 0.05);
        let turn = Quat::from_rotation_y(std::f32::consts::PI);
        let half = BodyDesc::cuboid(Vec3::new(0.2, 0.1, 0.2), 0.05);
        let at = Vec3::new(1.0, 2.0, 3.0);
        let parts = [half.clone().at(at - 0.2 * Vec3::X), half.rotated(turn).at(at + 0.2 * Vec3::X)];
        let both = BodyDesc::compound(&parts).unwrap();
        assert!((both.mass / whole.mass - 1.0).abs() < 1e-6 && both.position.distance(at) < 1e-6);
        assert!(both.inertia.abs_diff_eq(whole.inertia, 1e-5 * whole.inertia.x_axis.x), "{:?}", both.inertia);
        for p in [Vec3::new(0.5, 0.3, -0.1), Vec3::new(-0.3, 0.0, 0.5), Vec3::new(0.7, -0.4, 0.6)] {
            assert!((both.shape.distance(p) - whole.shape.distance(p)).abs() < 1e-6);
        }
        let nested = BodyDesc::compound(&[both.clone().at(Vec3::ZERO), whole.at(Vec3::Y)]).unwrap();
        assert!((nested.position.y - 0.5).abs() < 1e-6);
        assert!(matches!(&nested.shape, Shape::Compound(pieces) if pieces.len() == 3));
    }

    #[test]
    fn a_dumbbell_has_the_moments_of_the_theorem() {
        let (ball, rod) =
            (BodyDesc::sphere(0.1, 0.03).with_mass(2.0), BodyDesc::cylinder(0.02, 0.3, 0.02).with_mass(0.5));
        let [up, down] = [0.3, -0.3].map(|y| ball.clone().at(Vec3::Y * y));
        let all = BodyDesc::compound(&[up, rod.clone(), down.with_mass(1.0)]).unwrap();
        let center = (2.0 * 0.3 - 0.3) / 3.5;
        assert!((all.mass - 3.5).abs() < 1e-6 && (all.position.y - center).abs() < 1e-6);
        let own = 0.4 * 0.01 * 3.0;
        let across =
            own + rod.inertia.x_axis.x + 2.0 * (0.3 - center).powi(2) + (0.3 + center).powi(2) + 0.5 * center * center;
        assert!((all.inertia.x_axis.x - across).abs() < 1e-5, "{} of {across}", all.inertia.x_axis.x);
        assert!((all.inertia.y_axis.y - own - 0.5 * 0.5 * 0.0004).abs() < 1e-5);
        let worst = all.points.iter().zip(&all.radii).map(|(p, r)| all.shape.distance(*p) + r).fold(f32::MIN, f32::max);
        assert!(worst.abs() < 1e-4, "{worst} m above the surface");
    }

    #[test]
    fn pieces_without_an_inside_are_refused() {
        let piece = Piece::new(Shape::Plane, Vec3::ZERO);
        let error = Shape::Compound(vec![piece]).check("collider 0").unwrap_err().to_string();
        assert!(error.contains("plane") && error.contains("piece"), "{error}");
        assert!(BodyDesc::compound(&[]).unwrap_err().to_string().contains("parts"));
    }
}
