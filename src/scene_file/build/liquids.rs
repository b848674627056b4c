//! Liquids, grains, and where liquid comes from and goes.

use glam::{Quat, Vec3};

use super::bodies::plain;
use super::{Added, Builder, Fault, of_model, within};
use crate::import::fill;
use crate::scene::{Drain, Emitter, Grains, Liquid, Substance, Thing};
use crate::scene_file::item::{DrainItem, EmitterItem, GrainsItem, LiquidItem, PourItem, ShapeItem};
use crate::spawn::{Random, add_spout, block, heap};

/// Most particles of one item.
const MOST_POURED: f32 = 4_194_304.0;

/// Least cosine of half the angle of a frame that is not turned: rounding of turns.
const LEAST_COS: f32 = 1.0 - 1e-6;

impl Builder<'_> {
    pub(super) fn liquid(&mut self, item: LiquidItem) -> Added {
        let water = Liquid::water(item.radius);
        let liquid = Liquid {
            name: self.full_name(&item.name),
            density: item.density,
            viscosity: item.viscosity,
            tension: item.tension,
            confinement: item.confinement,
            clearness: item.clearness.unwrap_or(water.clearness),
            turbidity: item.turbidity,
            ..water
        };
        let id = self.stage.scene.add_liquid(liquid)?;
        self.remember(&item.name, Thing::Liquid(id), item.user_data)
    }

    pub(super) fn grains(&mut self, item: GrainsItem) -> Added {
        let sand = Grains::sand(item.radius);
        let grains = Grains {
            name: self.full_name(&item.name),
            density: item.density,
            friction: item.friction,
            color: item.color.map_or(sand.color, |color| color.0.truncate()),
            ..sand
        };
        let id = self.stage.scene.add_grains(grains)?;
        self.remember(&item.name, Thing::Grains(id), item.user_data)
    }

    fn substance(&self, name: &str) -> Result<Substance, Fault> {
        self.find("of", "liquid or kind of grains", name, |thing| match thing {
            Thing::Liquid(id) => Some(id.into()),
            Thing::Grains(id) => Some(id.into()),
            _ => None,
        })
    }

    pub(super) fn pour(&mut self, item: &PourItem) -> Added {
        let poured = self.substance(&item.of)?;
        let (radius, _) = self.stage.scene.particle_made_of("what is poured", poured)?;
        let places = match &item.model {
            Some(_) if item.low != item.high => {
                return Err(Fault::Said("`low` and `high` are of a box, and this fills a model".into()));
            }
            Some(file) => fill(file, &self.mesh(file, item.scale)?, radius)?,
            None => {
                of_model("scale", item.scale.is_some())?;
                let counts = filled(item, radius)?;
                match poured {
                    Substance::Liquid(_) => in_the_middle(item, counts, radius),
                    Substance::Grains(_) => {
                        let rows = in_the_middle(item, counts, radius);
                        let loose = heap(item.low, item.high, radius, &mut Random::new(1));
                        // A box of a few grains holds more in rows.
                        if rows.len() > loose.len() { rows } else { loose }
                    }
                }
            }
        };
        let at = self.placed(item.position, Quat::IDENTITY)?;
        let places: Vec<Vec3> = places.into_iter().map(|place| at.point(place)).collect();
        let velocity = self.turned(item.velocity);
        match poured {
            Substance::Liquid(id) => self.stage.scene.pour(id, &places, velocity)?,
            Substance::Grains(id) => self.stage.scene.heap(id, &places, velocity)?,
        }
        Ok(())
    }

    pub(super) fn emitter(&mut self, item: EmitterItem) -> Added {
        let of = self.substance(&item.of)?;
        let (position, direction) = (self.frame.point(item.position), self.turned(item.direction));
        let EmitterItem { radius, speed, budget, .. } = item;
        let made = Emitter::new(self.full_name(&item.name), of);
        self.stage.scene.add_emitter(Emitter { position, direction, radius, speed, budget, ..made })?;
        if item.spout {
            add_spout(&mut self.stage.scene, position, direction, radius)?;
        }
        Ok(())
    }

    pub(super) fn drain(&mut self, item: &DrainItem) -> Added {
        let is_turned = self.frame.rotation.dot(Quat::IDENTITY).abs() < LEAST_COS;
        if is_turned && !matches!(item.shape, ShapeItem::Sphere(_)) {
            return Err(Fault::Said("the box of a drain is axis-aligned and cannot be rotated; use a sphere".into()));
        }
        if !matches!(item.shape, ShapeItem::Sphere(_) | ShapeItem::Box(..)) {
            return Err(Fault::Said("the shape of a drain is a Box or a Sphere".into()));
        }
        let position = self.frame.point(item.position);
        self.stage.scene.add_drain(Drain { shape: plain(&item.shape)?, position })?;
        Ok(())
    }
}

/// How many particles fill the item's box along each axis.
fn filled(item: &PourItem, radius: f32) -> Result<Vec3, Fault> {
    let size = item.high - item.low;
    within(
        "what is poured",
        "size of the box",
        size.min_element(),
        size.is_finite() && size.min_element() > 0.0,
        "above 0",
    )?;
    let counts = (size / (2.0 * radius) + 1e-3).floor().max(Vec3::ONE);
    let count = counts.element_product();
    within(
        "what is poured",
        "number of particles",
        count,
        count <= MOST_POURED,
        "at most 4194304: enlarge the radius",
    )?;
    Ok(counts)
}

/// Places of so many particles in the item's box, at the same distance from all its sides.
fn in_the_middle(item: &PourItem, counts: Vec3, radius: f32) -> Vec<Vec3> {
    let spare = 0.5 * (item.high - item.low - 2.0 * radius * counts);
    let low = item.low + Vec3::new(spare.x, 0.0, spare.z);
    block(low, counts.to_array().map(|n| n as u32), radius)
}
