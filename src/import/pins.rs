//! Which particles of a cloth stay where they are.

use std::str::FromStr;

use glam::Vec3;

use crate::scene::{Model, Primitive};

/// Highest part of a model that [`Pins::Top`] holds, over its height.
const TOP: f32 = 0.02;

/// Which particles of a cloth stay where they are. Written `none`, `top`, `red`, `name:NODE` or `box:X,Y,Z,X,Y,Z`.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Pins {
    /// None.
    #[default]
    None,
    /// The highest ones.
    Top,
    /// Those whose vertices are red: the color is a mark and is not drawn.
    Red,
    /// Those that have a vertex in the part of the model from the node of this name, whatever its case.
    Named(String),
    /// Those in a box between two corners [m], in the model's own space.
    Inside(Vec3, Vec3),
}

impl FromStr for Pins {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("pin is `{text}`; it must be none, top, red, name:NODE or box:X,Y,Z,X,Y,Z in meters");
        match text.split_once(':') {
            None => match text {
                "none" => Ok(Self::None),
                "top" => Ok(Self::Top),
                "red" => Ok(Self::Red),
                _ => Err(wrong()),
            },
            Some(("name", name)) if !name.is_empty() => Ok(Self::Named(name.to_owned())),
            Some(("box", corners)) => {
                let numbers: Vec<f32> = corners.split(',').filter_map(|n| n.trim().parse().ok()).collect();
                let finite = numbers.iter().all(|n: &f32| n.is_finite());
                if numbers.len() != 6 || corners.split(',').count() != 6 || !finite {
                    return Err(wrong());
                }
                let (a, b) = (Vec3::from_slice(&numbers[..3]), Vec3::from_slice(&numbers[3..]));
                Ok(Self::Inside(a.min(b), a.max(b)))
            }
            Some(_) => Err(wrong()),
        }
    }
}

/// Whether a vertex is painted as a mark.
pub(crate) fn is_red(part: &Primitive, vertex: usize) -> bool {
    part.colors.get(vertex).is_some_and(|c| c.x > 0.5 && c.y.max(c.z) < 0.25)
}

impl Pins {
    /// Which of the particles at `rest` [m] are held; `at` tells the particle of a vertex by its place in `model`.
    ///
    /// # Errors
    /// A sentence, when pins are wanted and none is found.
    pub(super) fn held(&self, model: &Model, rest: &[Vec3], at: impl Fn(Vec3) -> u32) -> Result<Vec<bool>, String> {
        let (low, high) = rest.iter().fold((f32::MAX, f32::MIN), |(low, high), p| (low.min(p.y), high.max(p.y)));
        let mut held: Vec<bool> = match self {
            Self::Top => rest.iter().map(|p| p.y >= high - TOP * (high - low)).collect(),
            Self::Inside(from, to) => rest.iter().map(|p| p.cmpge(*from).all() && p.cmple(*to).all()).collect(),
            _ => vec![false; rest.len()],
        };
        for part in &model.primitives {
            let named = matches!(self, Self::Named(name) if part.name.eq_ignore_ascii_case(name));
            let marked = |vertex: &usize| named || (*self == Self::Red && is_red(part, *vertex));
            (0..part.positions.len()).filter(marked).for_each(|v| held[at(part.positions[v]) as usize] = true);
        }
        if *self == Self::None || held.contains(&true) {
            return Ok(held);
        }
        Err(match self {
            Self::Red => "no vertex is red; paint those to be held in (1, 0, 0), or set pin=top".into(),
            Self::Named(name) => {
                let mut names: Vec<&str> = model.primitives.iter().map(|p| p.name.as_str()).collect();
                names.dedup();
                format!("no part of it is called `{name}`; there is {}", names.join(", "))
            }
            _ => {
                let (low, high) = rest.iter().fold((Vec3::MAX, Vec3::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
                format!("no vertex lies in the box; the model reaches from {low} to {high}")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_read_and_faults_are_named() {
        assert_eq!("top".parse(), Ok(Pins::Top));
        assert_eq!("name:Rail".parse(), Ok(Pins::Named("Rail".into())));
        assert_eq!("box:1,2,3,-1,0,4".parse(), Ok(Pins::Inside(Vec3::new(-1.0, 0.0, 3.0), Vec3::new(1.0, 2.0, 4.0))));
        for text in ["", "bottom", "name:", "box:1,2,3", "box:1,2,3,4,5,x", "box:1,2,3,4,5,6,7", "box:1,2,3,4,5,nan"] {
            assert!(text.parse::<Pins>().unwrap_err().contains("name:NODE"), "{text}");
        }
    }

    #[test]
    fn parts_and_boxes_hold_what_is_there() {
        let part = |name: &str, y: f32| Primitive {
            name: name.into(),
            positions: vec![Vec3::Y * y, Vec3::Y * (y + 1.0)],
            ..Primitive::default()
        };
        let model = Model { primitives: vec![part("Sheet", 0.0), part("Rail", 1.0)], ..Model::default() };
        let rest = [Vec3::ZERO, Vec3::Y, 2.0 * Vec3::Y];
        let held = |pins: Pins| pins.held(&model, &rest, |p| p.y as u32);
        assert_eq!(held(Pins::Named("rail".into())), Ok(vec![false, true, true]));
        assert_eq!(held(Pins::Inside(Vec3::splat(-0.1), Vec3::new(0.1, 1.1, 0.1))), Ok(vec![true, true, false]));
        assert_eq!(held(Pins::None), Ok(vec![false; 3]));
        assert!(
            held(Pins::Named("hem".into()))
                .unwrap_err()
                .contains("no part of it is called `hem`; there is Sheet, Rail")
        );
        assert!(held(Pins::Inside(Vec3::ONE, Vec3::ONE)).unwrap_err().contains("reaches from [0, 0, 0] to [0, 2, 0]"));
    }
}
