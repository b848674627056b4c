//! Layouts: items moved, and repeated in rows, grids and rings.

use glam::{Quat, Vec3};
use ron::value::RawValue;

use super::{Added, Builder, Fault, within};
use crate::scene::Placement;
use crate::scene_file::item::{AtItem, GridItem, GroupItem, RepeatItem, RingItem};

/// Most items that layouts of a file add.
const MOST_COPIES: usize = 100_000;
/// Most copies of one layout along an axis.
const MOST_COUNT: u32 = 100_000;

/// How far to both sides of the middle copy number `i` of `count` is, in steps.
fn aside(i: u32, count: u32) -> f32 {
    i as f32 - 0.5 * (count - 1) as f32
}

impl<'a> Builder<'a> {
    pub(super) fn group(&mut self, item: GroupItem<'a>, path: &str) -> Added {
        let at = Placement { position: item.position, rotation: item.rotation.rotation() };
        let outer = self.frame;
        self.frame = outer.then(&at);
        let added = self.add_all(&item.items, &format!("{path}.items"));
        self.frame = outer;
        added.map_err(Fault::Inside)
    }

    pub(super) fn repeat(&mut self, item: RepeatItem<'a>, path: &str) -> Added {
        within("layout", "count", item.count as f32, item.count <= MOST_COUNT, "at most 100000")?;
        within("layout", "turn", item.turn, true, "finite")?;
        let mut at = Placement::IDENTITY;
        let step = Placement { position: item.step, rotation: Quat::from_rotation_y(item.turn.to_radians()) };
        let mut next = || {
            let here = at;
            at = at.then(&step);
            here
        };
        let places = (0..item.count).map(|_| next()).collect();
        self.copy(places, &item.items, path)
    }

    pub(super) fn grid(&mut self, item: GridItem<'a>, path: &str) -> Added {
        let (x, y, z) = item.count;
        let most = f64::from(x) * f64::from(y) * f64::from(z);
        within("layout", "count", most as f32, most <= f64::from(MOST_COUNT), "at most 100000 in all")?;
        let place = |i: u32| {
            let cell = Vec3::new(aside(i % x, x), (i / (x * z)) as f32, aside(i / x % z, z));
            Placement { position: cell * item.step, rotation: Quat::IDENTITY }
        };
        let places = (0..x * y * z).map(place).collect();
        self.copy(places, &item.items, path)
    }

    pub(super) fn ring(&mut self, item: RingItem<'a>, path: &str) -> Added {
        within("layout", "count", item.count as f32, item.count <= MOST_COUNT, "at most 100000")?;
        let place = |i: u32| {
            let rotation = Quat::from_rotation_y(std::f32::consts::TAU * i as f32 / item.count as f32);
            Placement { position: rotation * (item.radius * Vec3::Z), rotation }
        };
        let places = (0..item.count).map(place).collect();
        self.copy(places, &item.items, path)
    }

    pub(super) fn at_places(&mut self, item: AtItem<'a>, path: &str) -> Added {
        let place = |position: &Vec3| Placement { position: *position, rotation: Quat::IDENTITY };
        self.copy(item.places.iter().map(place).collect(), &item.items, path)
    }

    /// Adds items at each of these places. Outside of a copy, its number follows the names of what is in it, before those of copies in it.
    fn copy(&mut self, places: Vec<Placement>, items: &[&'a RawValue], path: &str) -> Added {
        self.copies = self.copies.saturating_add(places.len() * items.len().max(1));
        if self.copies > MOST_COPIES {
            return Err(Fault::Said(format!("layouts add {} items; at most {MOST_COPIES} are added", self.copies)));
        }
        let (outer, suffix) = (self.frame, self.suffix.clone());
        for (number, place) in (1..).zip(places) {
            self.frame = outer.then(&place);
            self.suffix = format!("{suffix} {number}");
            self.names.push(std::collections::HashMap::new());
            let added = self.add_all(items, &format!("{path}.items"));
            let inside = self.names.pop().unwrap_or_default();
            if let Some(names) = self.names.last_mut() {
                for (name, named) in
                    inside.into_iter().flat_map(|(name, all)| all.into_iter().map(move |n| (name.clone(), n)))
                {
                    let (own, copies) = name.split_at(named.own);
                    names.entry(format!("{own} {number}{copies}")).or_default().push(named);
                }
            }
            (self.frame, self.suffix) = (outer, suffix.clone());
            added.map_err(Fault::Inside)?;
        }
        Ok(())
    }
}
