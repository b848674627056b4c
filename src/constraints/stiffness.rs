//! k of papers 1 and 3 for each type of constraint: the fraction of a correction that a row makes each time.

use serde::{Deserialize, Serialize};

use super::kind::{Role, Type};

/// Room for the types that are built in.
pub const MOST_TYPES: usize = 14;
/// Places on the GPU: those types, then the types of users, and those of them that bend.
pub(crate) const STIFFNESS_PLACES: usize = MOST_TYPES + 2;

/// k of every type, from above 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stiffness(pub(crate) [f32; STIFFNESS_PLACES]);

impl Stiffness {
    /// The same of all.
    pub fn of_all(k: f32) -> Self {
        Self([k; STIFFNESS_PLACES])
    }

    /// `k` for all but what bends between triangles, which has `bends`; `own`, by the places of [`TYPES`](super::TYPES), goes before
    /// both where it is above 0.
    pub fn by_type(k: f32, bends: f32, own: &[f32; MOST_TYPES]) -> Self {
        let mut all = Self::of_all(k);
        for (place, kind) in super::TYPES.iter().enumerate() {
            all.0[place] = match kind.role {
                _ if own[place] > 0.0 => own[place],
                Role::Bend => bends,
                _ => k,
            };
        }
        all.0[MOST_TYPES + 1] = bends;
        all
    }

    /// That of the lengths of coarse levels.
    pub(crate) fn of_levels(&self) -> f32 {
        self.of(&super::distance::TYPE)
    }

    /// That of a type.
    pub fn of(&self, kind: &Type) -> f32 {
        self.0[place_of(kind)]
    }
}

/// Where the k of a type is.
pub(crate) fn place_of(kind: &Type) -> usize {
    match (kind.user, kind.role) {
        (None, _) => kind.index(),
        (Some(_), Role::Bend) => MOST_TYPES + 1,
        (Some(_), _) => MOST_TYPES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::{TYPES, project};
    use glam::DVec3;

    #[test]
    fn there_is_room_for_every_type() {
        assert!(TYPES.len() <= MOST_TYPES);
    }

    /// Each time a row makes a part k of its correction: of C a part (1 - k)ⁿ is left after n times. Types of three equations solve two
    /// together and then the third, which changes the two; only the world's axes are apart. The two of elastic flesh pull against each
    /// other at rest.
    #[test]
    fn what_is_left_of_c_is_one_minus_k_to_the_n() {
        let apart = |kind: &Type| (kind.equations <= 2 || kind.name == "world_pin") && kind.name != "neo_hookean";
        for (i, kind) in TYPES.iter().enumerate().filter(|(_, kind)| apart(kind)) {
            let mut own = [0.0; MOST_TYPES];
            own[i] = 0.1 + 0.05 * i as f32;
            let stiffness = Stiffness::by_type(1.0, 0.5, &own);
            let mut example = (kind.example)();
            example.row.kind.gives.iter().for_each(|(k, _)| example.row.values[*k] = 0.0);
            let (mut x, w) = (example.rest.map(|p| p.as_dvec3()), [1.0, 0.7, 1.3, 0.9]);
            for (p, place) in x.iter_mut().enumerate().take(kind.particles) {
                *place += 1e-5 * DVec3::new((p * p) as f64 + 1.0, 2.0 - p as f64, 0.5 + (p * p * p) as f64);
            }
            let left = |x: &[DVec3; 4]| {
                (0..kind.equations).map(|e| example.row.equation(e, x).value.powi(2)).sum::<f64>().sqrt()
            };
            let (before, mut multipliers) = (left(&x), [0.0; 4]);
            let k = f64::from(stiffness.of(kind));
            for n in 1..=4 {
                project(&example.row, &mut x, &w, &[DVec3::ZERO; 4], &mut multipliers, 0.01, k);
                let expected = (1.0 - k).powi(n);
                assert!(
                    (left(&x) / before - expected).abs() < 1e-3,
                    "{}: {} for {expected}",
                    kind.name,
                    left(&x) / before
                );
            }
            assert!((k - f64::from(own[i])).abs() < 1e-7);
        }
    }
}
