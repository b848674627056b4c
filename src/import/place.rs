//! Size and origin of a model: meters, feet on y = 0, the middle above the origin.

use glam::{Mat4, Vec3};

use super::Hold;
use super::geometry::{Placed, transform};
use super::skin::AssetJoint;

/// Height of a scaled person [m].
const PERSON: f32 = 1.75;

/// Up to where held parts may be feet [share of the height of the skin]: knees are lower, hands are not.
const LEGS: f32 = 1.0 / 3.0;

/// Box around points; none without points.
pub(crate) fn bounds<'a>(points: impl IntoIterator<Item = &'a Vec3>) -> Option<(Vec3, Vec3)> {
    points.into_iter().fold(None, |range, p| match range {
        None => Some((*p, *p)),
        Some((low, high)) => Some((p.min(low), p.max(high))),
    })
}

/// Moves and scales everything into model space and returns the matrix from the file's world to it.
/// `scale` [m per unit of the file] is chosen by size if not given; `about` turns it to look the other way.
pub(super) fn settle(
    parts: &mut [Placed],
    joints: &mut [AssetJoint],
    scale: Option<f32>,
    about: bool,
    warnings: &mut Vec<String>,
) -> Mat4 {
    let skinned = parts.iter().any(|p| p.hold == Hold::Skin);
    let Some((low, high)) = around(parts, |hold| !skinned || hold == Hold::Skin) else { return Mat4::IDENTITY };
    let leg = low.y + LEGS * (high.y - low.y);
    let boots = around(parts, |hold| matches!(hold, Hold::Joint(joint) if joints[joint].rest.w_axis.y < leg));
    let floor = boots.map_or(low.y, |(sole, _)| sole.y.min(low.y));
    let asked = scale.is_some();
    let scale = scale.unwrap_or_else(|| unit_scale(high - low, skinned));
    if scale != 1.0 && !asked {
        let size = high - low;
        warnings.push(format!(
            "scaled by {scale:.4}: {:.3} x {:.3} x {:.3} units became {:.2} m high and {:.2} m at the longest",
            size.x,
            size.y,
            size.z,
            size.y * scale,
            size.max_element() * scale
        ));
    }
    let foot = Vec3::new(0.5 * (low.x + high.x), floor, 0.5 * (low.z + high.z));
    // Half a turn has no rounding.
    let turn = if about { Vec3::new(-1.0, 1.0, -1.0) } else { Vec3::ONE };
    let matrix = Mat4::from_scale(scale * turn) * Mat4::from_translation(-foot);
    parts.iter_mut().for_each(|p| transform(&mut p.primitive, matrix));
    joints.iter_mut().for_each(|j| j.rest = matrix * j.rest);
    matrix
}

/// Box around the parts that are held as wanted.
fn around(parts: &[Placed], wanted: impl Fn(Hold) -> bool) -> Option<(Vec3, Vec3)> {
    let measured = parts.iter().filter(|p| wanted(p.hold));
    bounds(measured.flat_map(|p| p.primitive.indices.iter().map(|i| &p.primitive.positions[*i as usize])))
}

/// Factor to meters: standing figures of odd height become a person's, other odd sizes one meter.
fn unit_scale(size: Vec3, skinned: bool) -> f32 {
    let longest = size.max_element();
    // A figure stands if it is about as high as anything about it is long. Arms held out can be longer than its height; of one that looks
    // along X they are no longer than a person's, or it is an animal that looks along Z.
    let across = size.z < 0.75 * size.y || (size.x < 0.75 * size.y && size.z <= 1.1 * size.y);
    let stands = skinned && size.y >= 0.7 * longest && across;
    let scale = if stands {
        if (0.5..=3.0).contains(&size.y) { 1.0 } else { PERSON / size.y }
    } else if (0.2..=5.0).contains(&longest) {
        1.0
    } else {
        1.0 / longest
    };
    if (1.0e-12..=1.0e9).contains(&scale) { scale } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_sizes_become_metres() {
        assert_eq!(unit_scale(Vec3::new(1.0, 1.8, 0.4), true), 1.0);
        assert_eq!(unit_scale(Vec3::new(150.0, 175.0, 30.0), true), 0.01);
        assert_eq!(unit_scale(Vec3::new(30.0, 175.0, 150.0), true), 0.01);
        assert_eq!(unit_scale(Vec3::new(30.0, 80.0, 160.0), true), 1.0 / 160.0);
        assert_eq!(unit_scale(Vec3::ZERO, true), 1.0);
    }
}
