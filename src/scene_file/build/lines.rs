//! Ropes and rods, and what fastens free particles.

use glam::Vec3;

use super::{Added, Builder, Fault, within};
use crate::scene::{Deformable, DeformableId, ParticleId, RodMaterial, RopeMaterial, Strands, Thing};
use crate::scene_file::item::{AttachItem, End, PinItem, RodItem, RopeItem};
use crate::scene_file::value::Color;

/// Most particles of a rope or rod.
const MOST_PARTICLES: u32 = 100_000;

impl Builder<'_> {
    pub(super) fn rope(&mut self, item: RopeItem) -> Added {
        let points = spread("rope", &item.through, item.particles)?;
        let material = RopeMaterial { line_density: item.line_density, stretch: item.stretch, bend: item.bend };
        let mut rope = Deformable::rope(&self.full_name(&item.name), points, item.radius, &material)?;
        hold(&mut rope, &item.pin, item.particles as usize, 1);
        if item.tether && !item.pin.is_empty() {
            rope.tether(0.0, 0.0)?;
        }
        self.line(&rope, (&item.name, item.user_data), item.velocity, (item.colors, item.strands))
    }

    pub(super) fn rod(&mut self, item: RodItem) -> Added {
        let points = spread("rod", &item.through, item.particles)?;
        within("rod", "thickness", item.thickness, item.thickness > 0.0, "above 0")?;
        let material = RodMaterial::round(item.thickness, item.density, item.young, item.shear);
        let mut rod = Deformable::rod(&self.full_name(&item.name), points, item.radius, &material)?;
        // Two points and the frame of the first clamp an end.
        hold(&mut rod, &item.pin, item.particles as usize, 2);
        self.line(&rod, (&item.name, item.user_data), item.velocity, (item.colors, item.strands))
    }

    fn line(
        &mut self,
        object: &Deformable,
        (name, user_data): (&str, u64),
        velocity: Vec3,
        (colors, strands): (Option<(Color, Color)>, Strands),
    ) -> Added {
        let (at, velocity) = (self.frame, self.turned(velocity));
        let one = self.tint(None);
        let colors = colors.map_or([one, one], |(a, b)| [a.0, b.0]);
        let id = self.stage.scene.add_deformable(object, at.position, at.rotation, velocity)?;
        self.stage.scene.draw_strands(id, colors, strands)?;
        self.remember(name, Thing::Deformable(id), user_data)
    }

    pub(super) fn attach(&mut self, item: &AttachItem) -> Added {
        let body = self.find_body("body", &item.body)?;
        for particle in self.near(&item.object, item.near, item.radius)? {
            self.stage.scene.attach(particle, body, item.compliance)?;
        }
        Ok(())
    }

    pub(super) fn pin(&mut self, item: &PinItem) -> Added {
        for particle in self.near(&item.object, item.near, item.radius)? {
            let held = &mut self.stage.scene.particles[particle.0 as usize];
            (held.mass, held.velocity) = (0.0, Vec3::ZERO);
        }
        Ok(())
    }

    /// Particles of an object that are in a ball.
    fn near(&self, object: &str, near: Vec3, radius: f32) -> Result<Vec<ParticleId>, Fault> {
        let DeformableId(index) = self.find_object(object)?;
        let (extent, center) = (&self.stage.scene.deformables[index as usize], self.frame.point(near));
        let first = extent.first_particle.0;
        let solid = first..first + extent.particle_count - extent.ghost_count;
        let inside = |i: &u32| self.stage.scene.particles[*i as usize].position.distance(center) <= radius;
        let found: Vec<ParticleId> = solid.clone().filter(inside).map(ParticleId).collect();
        if found.is_empty() {
            let distance = |i: u32| self.stage.scene.particles[i as usize].position.distance(center);
            let nearest = solid.map(distance).fold(f32::INFINITY, f32::min);
            let told =
                format!("`{object}` has no particle within {radius} m of {center}; the nearest is {nearest} m away");
            return Err(Fault::Said(told));
        }
        Ok(found)
    }
}

/// So many points at equal steps on the way through these.
fn spread(item: &str, through: &[Vec3], count: u32) -> Result<Vec<Vec3>, Fault> {
    within(item, "points in `through`", through.len() as f32, through.len() >= 2, "2 or more")?;
    within(item, "particles", count as f32, (2..=MOST_PARTICLES).contains(&count), "from 2 to 100000")?;
    let lengths: Vec<f32> = through.windows(2).map(|w| w[0].distance(w[1])).collect();
    let whole: f32 = lengths.iter().sum();
    within(item, "length", whole, whole > 0.0, "above 0")?;
    let (mut at, mut before) = (0, 0.0);
    let mut point = |i: u32| {
        let wanted = whole * i as f32 / (count - 1) as f32;
        while at + 1 < lengths.len() && before + lengths[at] < wanted {
            before += lengths[at];
            at += 1;
        }
        let share = if lengths[at] > 0.0 { ((wanted - before) / lengths[at]).clamp(0.0, 1.0) } else { 0.0 };
        through[at].lerp(through[at + 1], share)
    };
    Ok((0..count).map(&mut point).collect())
}

/// Pins `deep` points at these ends of a line of `count`, and the frames of a rod there.
fn hold(object: &mut Deformable, ends: &[End], count: usize, deep: usize) {
    for end in ends {
        for step in 0..deep.min(count) {
            let place = if *end == End::Start { step } else { count - 1 - step };
            object.masses[place] = 0.0;
        }
        let ghost = count + if *end == End::Start { 0 } else { count - 1 };
        if let Some(mass) = object.masses.get_mut(ghost) {
            *mass = 0.0;
        }
    }
}
