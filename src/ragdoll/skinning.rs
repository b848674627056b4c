//! Vertices that followed joints follow bodies.

use glam::Vec3;

use super::regions::Regions;
use super::volume::region_shares;
use crate::import::{Asset, Hold};
use crate::scene::{Influence, MAX_INFLUENCES, Model};

/// The asset's model with influences on bodies, at most [`MAX_INFLUENCES`] a vertex. Parts that nothing holds follow the
/// body whose centre is nearest, with a warning each.
pub(super) fn model(asset: &Asset, regions: &Regions, centers: &[Vec3], warnings: &mut Vec<String>) -> Model {
    let mut model = asset.model.clone();
    for (index, part) in model.primitives.iter_mut().enumerate() {
        let count = part.positions.len();
        if asset.holds[index] == Hold::Loose {
            let middle = part.positions.iter().sum::<Vec3>() / count.max(1) as f32;
            let reach = |body: &usize| centers[*body].distance(middle);
            let body = (0..centers.len()).min_by(|a, b| reach(a).total_cmp(&reach(b))).unwrap_or(0);
            warnings.push(format!("part {index} hangs on no joint; it is drawn with body {body} and does not collide"));
            part.influences = vec![influences(&[(body, 1.0)]); count];
            continue;
        }
        let weights = &asset.weights[index];
        part.influences = (0..count).map(|v| influences(&region_shares(weights.of(v), regions))).collect();
    }
    model
}

/// The largest shares, summing to 1; body 0 if there are none.
fn influences(shares: &[(usize, f32)]) -> [Influence; MAX_INFLUENCES] {
    let mut out = [Influence::default(); MAX_INFLUENCES];
    let kept = &shares[..shares.len().min(MAX_INFLUENCES)];
    let sum: f32 = kept.iter().map(|(_, w)| w).sum();
    if kept.is_empty() || sum.is_nan() || sum <= 0.0 {
        out[0].weight = 1.0;
        return out;
    }
    for (slot, (body, weight)) in out.iter_mut().zip(kept) {
        *slot = Influence { body: *body as u16, weight: weight / sum };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_largest_eight_shares_are_kept() {
        let shares: Vec<(usize, f32)> = (0..12).map(|i| (i, 0.2 - 0.01 * i as f32)).collect();
        let kept = influences(&shares);
        assert!((kept.iter().map(|i| i.weight).sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(kept[7].body, 7);
        assert_eq!(influences(&[])[0], Influence { body: 0, weight: 1.0 });
    }
}
