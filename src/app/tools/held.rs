//! What the left button holds while it is down, and what is pinned.

use anyhow::{Result, bail};
use glam::Vec3;

use crate::animation::Cast;
use crate::app::grab::{Grab, Ray, pick, pose};
use crate::app::select::Edit;
use crate::app::select::gizmo::{Grip, Put};
use crate::scene::{
    BodyGoal, BodyId, ColliderId, Decay, DeformableId, Field, FieldId, HoldStrength, Kinds, ParticleId, Placement,
    Thing,
};
use crate::solver::{Feature, Hit, Pinned, Solver, SolverError};

/// Fastest that a point of cloth or flesh follows the pointer [m/s].
const FASTEST: f32 = 8.0;
/// Radius of what is pulled of liquid and sand, in their particles, and how fast it follows [m/s]: faster, it would be lost.
const HANDFUL: f32 = 7.0;
const CARRIED: f32 = 2.0;
/// How hard that is drawn together, at its border [m/s²], and how fast it comes to rest there [1/s].
const DRAWN: f32 = 60.0;
const CALMED: f32 = 6.0;
/// Radius of the wind [m], how fast it blows [m/s] and takes things along [1/s].
const GUST: f32 = 1.0;
const BLOWS: f32 = 12.0;
const TAKES: f32 = 3.0;
/// Fastest that a handle moves a collider [m/s], and turns it [rad/s].
const CARRIES: f32 = 5.0;
const TURNS: f32 = 6.0;
/// How fast a pump makes the volume larger [1/s], and between which multiples.
const PUMPS: f32 = 0.7;
const AIR: std::ops::RangeInclusive<f32> = 0.1..=8.0;
/// Where wind blows that meets nothing [m].
const FAR: f32 = 4.0;

/// What the pointer holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Held {
    /// A body.
    Body(Grab),
    /// A particle of cloth, flesh or a rope.
    Point {
        /// What holds it.
        pin: Pinned,
        /// Where it is held [m].
        at: Vec3,
        /// From the point to the one that the pointer took [m].
        offset: Vec3,
        /// How far along the ray [m].
        depth: f32,
    },
    /// Liquid or sand around a place: what draws it there, and what calms it.
    Drops {
        /// Both fields.
        fields: [FieldId; 2],
        /// The place [m].
        at: Vec3,
        /// Its radius [m].
        reach: f32,
        /// What it acts on.
        kinds: Kinds,
        /// How far along the ray [m].
        depth: f32,
    },
    /// A handle of the gizmo on a collider.
    Handle {
        /// Which.
        grip: Grip,
        /// Where the collider was when it was taken, and how it moved.
        before: Edit,
        /// The place alone [m].
        from: Vec3,
        /// Where it is put.
        put: Put,
    },
    /// A blade.
    Blade {
        /// Where it began.
        from: Ray,
        /// Where it is.
        to: Ray,
    },
    /// The air in a closed mesh.
    Air {
        /// Which.
        object: DeformableId,
        /// Whether it is let out.
        out: bool,
    },
    /// A wind.
    Wind {
        /// Its field.
        field: FieldId,
        /// How far along the ray [m].
        depth: f32,
    },
}

impl Held {
    /// How far along the ray of the pointer it is held [m]; none of a handle, a blade and air.
    pub(crate) fn depth(&mut self) -> Option<&mut f32> {
        match self {
            Self::Body(grab) => Some(&mut grab.depth),
            Self::Point { depth, .. } | Self::Drops { depth, .. } | Self::Wind { depth, .. } => Some(depth),
            Self::Handle { .. } | Self::Blade { .. } | Self::Air { .. } => None,
        }
    }

    /// Whether it follows the pointer while the world stands: a handle of the gizmo, or a blade.
    pub(crate) fn is_drawn(&self) -> bool {
        matches!(self, Self::Handle { .. } | Self::Blade { .. })
    }

    /// A handle of the gizmo.
    ///
    /// # Errors
    /// Its collider has left, or was never there.
    pub(crate) fn handle(solver: &Solver, grip: Grip) -> Result<Self> {
        let (position, rotation) = solver.collider_place(grip.collider())?;
        let before = Edit::placed(solver, grip.collider())?;
        Ok(Self::Handle { grip, before, from: position, put: Put { position, rotation, scale: 1.0 } })
    }

    /// Takes hold of what the ray meets; nothing of what cannot be pulled.
    ///
    /// # Errors
    /// A lost device.
    pub(crate) fn pull(solver: &mut Solver, ray: Ray, through: bool) -> Result<Option<Self>> {
        let Some(hit) = pick(solver, ray, through)? else { return Ok(None) };
        let depth = hit.distance;
        match hit.thing {
            Thing::Body(body) if !solver.scene().body(body).kinematic => {
                let states = solver.read_bodies()?;
                let grab = Grab::new(solver.scene(), body, &states[body.0 as usize], (hit.point, depth));
                Ok(Some(Self::Body(grab)))
            }
            Thing::Deformable(_) => {
                let (particle, at) = nearest(solver, &hit)?;
                let pin = solver.pin(particle, None)?;
                Ok(Some(Self::Point { pin, at, offset: at - hit.point, depth }))
            }
            Thing::Liquid(_) | Thing::Grains(_) => {
                let Feature::Particle(particle) = hit.feature else { return Ok(None) };
                let reach = HANDFUL * solver.scene().particles[particle.0 as usize].radius;
                let kinds = if matches!(hit.thing, Thing::Liquid(_)) { Kinds::LIQUIDS } else { Kinds::GRAINS };
                let [draw, calm] = handful(hit.point, reach, kinds);
                let fields = [solver.add_field(draw)?, solver.add_field(calm)?];
                Ok(Some(Self::Drops { fields, at: hit.point, reach, kinds, depth }))
            }
            Thing::Body(_) | Thing::Collider(_) => Ok(None),
        }
    }

    /// The air in what the ray meets.
    ///
    /// # Errors
    /// It has none, or a lost device.
    pub(crate) fn pump(solver: &mut Solver, ray: Ray, out: bool) -> Result<Self> {
        let hit = pick(solver, ray, false)?;
        let Some(Thing::Deformable(object)) = hit.map(|hit| hit.thing) else {
            bail!("there is nothing to inflate: click a balloon, another closed mesh or flesh");
        };
        solver.add_pressure(object)?;
        Ok(Self::Air { object, out })
    }

    /// A wind at what the ray meets.
    ///
    /// # Errors
    /// A lost device.
    pub(crate) fn blow(solver: &mut Solver, ray: Ray) -> Result<Self> {
        let depth = pick(solver, ray, false)?.map_or(FAR, |hit| hit.distance);
        Ok(Self::Wind { field: solver.add_field(gust(ray, depth))?, depth })
    }

    /// Follows the pointer, as `seconds` pass [s].
    ///
    /// # Errors
    /// What is held has left the world.
    pub(crate) fn follow(&mut self, solver: &mut Solver, ray: Ray, seconds: f32) -> Result<()> {
        match self {
            // That is told with each drawn frame: see `Live::simulate`.
            Self::Body(_) => {}
            Self::Point { pin, at, offset, depth } => {
                let way = ray.at(*depth) + *offset - *at;
                *at += way.clamp_length_max(FASTEST * seconds);
                *pin = solver.pin(pin.particle(), Some(*at))?;
            }
            Self::Drops { fields, at, reach, kinds, depth } => {
                *at += (ray.at(*depth) - *at).clamp_length_max(CARRIED * seconds);
                let both = handful(*at, *reach, *kinds);
                fields.iter().zip(both).try_for_each(|(id, field)| solver.set_field(*id, field))?;
            }
            Self::Handle { grip, from, put, .. } => {
                *put = grip.put(*from, ray);
                carry(solver, grip.collider(), put, seconds)?;
            }
            Self::Blade { to, .. } => *to = ray,
            Self::Air { object, out } => {
                let rate = if *out { -PUMPS } else { PUMPS };
                let times = solver.pressure(*object)? * (rate * seconds).exp();
                solver.set_pressure(*object, times.clamp(*AIR.start(), *AIR.end()))?;
            }
            Self::Wind { field, depth } => solver.set_field(*field, gust(ray, *depth))?,
        }
        Ok(())
    }

    /// Lets go. `kept` is pinned and stays so.
    ///
    /// # Errors
    /// It was let go of already.
    pub(crate) fn let_go(self, solver: &mut Solver, kept: &Pins) -> Result<()> {
        match self {
            Self::Body(_) => solver.set_drag(None)?,
            // `Played` puts a collider down, and cuts.
            Self::Handle { .. } | Self::Blade { .. } | Self::Air { .. } => {}
            Self::Point { pin, .. } if kept.holds(pin.particle()) => {}
            Self::Point { pin, .. } => solver.unpin(pin)?,
            Self::Drops { fields, .. } => fields.into_iter().try_for_each(|field| solver.remove_field(field))?,
            Self::Wind { field, .. } => solver.remove_field(field)?,
        }
        Ok(())
    }
}

/// Brings a collider to where a handle puts it within so long [s], no faster than what it pushes can follow; at once while the
/// world stands, or it is not there to push anything.
fn carry(solver: &mut Solver, id: ColliderId, put: &Put, seconds: f32) -> Result<()> {
    let (at, rotation) = solver.collider_place(id)?;
    if seconds <= 0.0 || !solver.is_collider_present(id)? {
        return Ok(solver.set_collider_pose(id, put.position, put.rotation, Vec3::ZERO, Vec3::ZERO)?);
    }
    let velocity = ((put.position - at) / seconds).clamp_length_max(CARRIES);
    let turn = (put.rotation * rotation.inverse()).normalize();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let spin = (turn.to_scaled_axis() / seconds).clamp_length_max(TURNS);
    Ok(solver.set_collider_pose(id, at, rotation, velocity, spin)?)
}

fn handful(center: Vec3, reach: f32, kinds: Kinds) -> [Field; 2] {
    let draw = Field::attractor(center, DRAWN / reach, Decay::Linear).in_ball(center, 2.0 * reach);
    [draw.on(kinds), Field::drag(CALMED).in_ball(center, 2.0 * reach).on(kinds)]
}

fn gust(ray: Ray, depth: f32) -> Field {
    Field::wind(BLOWS * ray.direction, TAKES).in_ball(ray.at(depth), GUST)
}

/// The particle of a deformable that is nearest to where it was met, and its place [m].
fn nearest(solver: &Solver, hit: &Hit) -> Result<(ParticleId, Vec3)> {
    let places = solver.read_positions()?;
    let corners = match hit.feature {
        Feature::Particle(particle) => vec![particle.0],
        Feature::Triangle(triangle) => solver.read_triangles()?[triangle as usize].to_vec(),
        Feature::Whole => Vec::new(),
    };
    let off = |i: &u32| places[*i as usize].distance(hit.point);
    match corners.into_iter().min_by(|a, b| off(a).total_cmp(&off(b))) {
        Some(i) => Ok((ParticleId(i), places[i as usize])),
        None => bail!("no part of it is near"),
    }
}

/// What the player has pinned.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pins {
    points: Vec<Pinned>,
    bodies: Vec<(BodyId, Placement)>,
}

impl Pins {
    /// What is pinned in a world that has gone on before: all that is held there, but for what is held for characters.
    pub(crate) fn of(solver: &Solver, cast: &Cast) -> Self {
        let bodies = solver.held_bodies().filter(|(body, _)| !cast.holds(*body));
        Self { points: solver.pinned().collect(), bodies: bodies.collect() }
    }

    /// Pins what was met where it is, or lets it go. Returns what is to be said.
    ///
    /// # Errors
    /// A lost device.
    pub(crate) fn toggle(&mut self, solver: &mut Solver, hit: &Hit) -> Result<&'static str> {
        match hit.thing {
            Thing::Body(body) => self.toggle_body(solver, body),
            Thing::Deformable(_) => self.toggle_point(solver, hit),
            Thing::Liquid(_) | Thing::Grains(_) => Ok("drops and grains cannot be pinned; pull them"),
            Thing::Collider(_) => Ok("this does not move anyway"),
        }
    }

    fn toggle_body(&mut self, solver: &mut Solver, body: BodyId) -> Result<&'static str> {
        if let Some(at) = self.bodies.iter().position(|(held, _)| *held == body) {
            self.bodies.swap_remove(at);
            solver.release_bodies(&[body])?;
            return Ok("let go");
        }
        let (position, rotation) = pose(&solver.read_bodies()?[body.0 as usize]);
        self.bodies.push((body, Placement { position, rotation }));
        // Neither what strikes it may take it away: a limb has the strength of its character.
        solver.set_hold_strengths(&[HoldStrength { body, impulse: f32::INFINITY }])?;
        self.hold(solver)?;
        Ok("pinned")
    }

    fn toggle_point(&mut self, solver: &mut Solver, hit: &Hit) -> Result<&'static str> {
        let (particle, _) = nearest(solver, hit)?;
        // A pin is hard to hit again: the nearest one of the triangle's counts.
        if let Some(at) = self.points.iter().position(|pin| pin.particle() == particle) {
            solver.unpin(self.points.swap_remove(at))?;
            return Ok("let go");
        }
        self.points.push(solver.pin(particle, None)?);
        Ok("pinned")
    }

    fn holds(&self, particle: ParticleId) -> bool {
        self.points.iter().any(|pin| pin.particle() == particle)
    }

    /// Holds the limbs of characters for another frame, who let go of all their limbs when they go limp; a clip that plays takes its
    /// limbs back.
    ///
    /// # Errors
    /// One that has left the world.
    pub(crate) fn hold_limbs(&mut self, solver: &mut Solver, cast: &Cast) -> Result<()> {
        if cast.is_empty() || self.bodies.is_empty() {
            return Ok(());
        }
        self.bodies.retain(|(body, _)| !cast.plays(*body));
        self.hold(solver)
    }

    /// Holds bodies for another frame.
    ///
    /// # Errors
    /// One that has left the world.
    fn hold(&self, solver: &mut Solver) -> Result<()> {
        let goal = |(body, at): &(BodyId, Placement)| BodyGoal { body: *body, from: *at, to: *at };
        let goals: Vec<BodyGoal> = self.bodies.iter().map(goal).collect();
        Ok(solver.pose_bodies(&goals)?)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.points.len() + self.bodies.len()
    }

    /// Lets go of all.
    ///
    /// # Errors
    /// A lost device.
    pub(crate) fn clear(&mut self, solver: &mut Solver) -> Result<()> {
        let bodies: Vec<BodyId> = self.bodies.drain(..).map(|(body, _)| body).collect();
        solver.release_bodies(&bodies)?;
        for pin in self.points.drain(..) {
            match solver.unpin(pin) {
                // It was let go of in another way.
                Err(SolverError::Unpinned(_)) | Ok(()) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::tools::Tool;
    use crate::gpu::Context;
    use crate::scene::{BodyDesc, Collider, Deformable, RopeMaterial, Scene};

    /// Meters between the things.
    const APART: f32 = 4.0;

    const THINGS: [&str; 6] = ["box", "cloth", "flesh", "rope", "water", "sand"];

    /// Things in a row, each on the ground or above it, with its first and last particle.
    fn row(names: &[&'static str], height: f32) -> (Scene, Vec<(&'static str, std::ops::Range<usize>)>) {
        let mut scene = Scene::default();
        scene.add_collider(Collider::ground(0.0)).unwrap();
        let mut things = Vec::new();
        for (i, name) in names.iter().copied().enumerate() {
            let (first, at) = (scene.particles.len(), Vec3::X * APART * i as f32);
            match name {
                "box" => {
                    let desc = BodyDesc::cuboid(Vec3::splat(0.2), 0.05).at(at + height * Vec3::Y);
                    scene.add_body(desc).unwrap();
                }
                "cloth" => Tool::Cloth.put(&mut scene, at).unwrap(),
                "flesh" => Tool::Jelly.put(&mut scene, at).unwrap(),
                "rope" => {
                    let points = (0..20).map(|k| Vec3::new(0.05 * (k as f32 - 10.0), 0.0, 0.0)).collect();
                    let rope = Deformable::rope("rope", points, 0.03, &RopeMaterial::default()).unwrap();
                    scene.add_deformable(&rope, at + 0.1 * Vec3::Y, glam::Quat::IDENTITY, Vec3::ZERO).unwrap();
                }
                "water" => Tool::Water.put(&mut scene, at).unwrap(),
                _ => Tool::Sand.put(&mut scene, at).unwrap(),
            }
            things.push((name, first..scene.particles.len()));
        }
        (scene, things)
    }

    /// A thing that has come to rest beside the box, whose particles say how large its own are; and its particles.
    fn alone(context: &Context, name: &'static str) -> (Solver, std::ops::Range<usize>) {
        let (scene, mut things) = row(&["box", name][usize::from(name == "box")..], 0.2);
        let mut solver = Solver::new(context, &scene).unwrap();
        (0..20).for_each(|_| solver.step());
        (solver, things.pop().unwrap().1)
    }

    fn places(solver: &Solver, range: &std::ops::Range<usize>) -> Vec<Vec3> {
        solver.read_positions().unwrap()[range.clone()].to_vec()
    }

    /// Where the particle is that is nearest to the middle [m]: water flows apart.
    fn middle(solver: &Solver, range: &std::ops::Range<usize>) -> Vec3 {
        let places = places(solver, range);
        let mean = places.iter().sum::<Vec3>() / places.len() as f32;
        places.into_iter().min_by(|a, b| a.distance(mean).total_cmp(&b.distance(mean))).unwrap()
    }

    /// How far along Z [m] the particle that moved most is, and how high the highest one.
    fn moved(before: &[Vec3], after: &[Vec3]) -> (f32, f32) {
        let way = before.iter().zip(after).map(|(from, to)| to.z - from.z).fold(0.0, f32::max);
        (way, after.iter().map(|p| p.y).fold(0.0, f32::max))
    }

    fn down(at: Vec3) -> Ray {
        Ray { origin: at.with_y(3.0), direction: Vec3::NEG_Y }
    }

    #[test]
    fn everything_can_be_pulled_and_let_go_of() {
        let context = Context::shared().expect("adapter");
        for name in THINGS {
            let (mut solver, range) = alone(&context, name);
            let (start, before) = (middle(&solver, &range), places(&solver, &range));
            let low = moved(&before, &before).1;
            let held = Held::pull(&mut solver, down(start), false).unwrap();
            let mut held = held.unwrap_or_else(|| panic!("{name} is not held"));
            *held.depth().unwrap() -= 0.3;
            for frame in 0..22 {
                let goal = start + Vec3::Z * 0.5 * (frame as f32 / 12.0).min(1.0);
                held.follow(&mut solver, down(goal), 1.0 / 60.0).unwrap();
                if let Held::Body(grab) = held {
                    solver.set_drag(Some(grab.drag(down(goal)))).unwrap();
                }
                solver.step();
            }
            let (way, high) = moved(&before, &places(&solver, &range));
            println!("{name} was pulled by {way:.2} m and from {low:.2} to {high:.2} m");
            assert!(way > 0.3 && high > low + 0.1, "{name} was pulled by {way} m and from {low} to {high} m");
            held.let_go(&mut solver, &Pins::default()).unwrap();
            (0..16).for_each(|_| solver.step());
            let fallen = moved(&before, &places(&solver, &range)).1;
            assert!(fallen < high - 0.05, "{name} does not fall from {high}: {fallen}");
            assert!(solver.scene().fields.iter().all(Option::is_none));
            assert!(solver.read_health().unwrap().is_good());
        }
    }

    #[test]
    fn a_balloon_is_blown_up_and_a_sheet_is_not() {
        let mut scene = Scene::default();
        scene.add_collider(Collider::ground(0.0)).unwrap();
        Tool::Balloon.put(&mut scene, Vec3::ZERO).unwrap();
        Tool::Cloth.put(&mut scene, Vec3::X * APART).unwrap();
        let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
        (0..10).for_each(|_| solver.step());
        let wide = |solver: &Solver| {
            let range = scene.deformables[0].first_particle.0 as usize;
            let places = places(solver, &(range..range + scene.deformables[0].particle_count as usize));
            let middle = places.iter().sum::<Vec3>() / places.len() as f32;
            places.iter().map(|p| p.distance(middle)).sum::<f32>() / places.len() as f32
        };
        let (before, at) = (wide(&solver), down(Vec3::ZERO));
        let pump = |solver: &mut Solver, out: bool| {
            let mut held = Held::pump(solver, at, out).unwrap();
            for _ in 0..60 {
                held.follow(solver, at, 1.0 / 60.0).unwrap();
                solver.step();
            }
            held.let_go(solver, &Pins::default()).unwrap();
            (0..20).for_each(|_| solver.step());
            wide(solver)
        };
        let blown = pump(&mut solver, false);
        let empty = pump(&mut solver, true);
        println!("a balloon of {before:.3} m was blown up to {blown:.3} m, and let out to {empty:.3} m");
        // Twice the volume: radii go with its third root.
        assert!((blown / before - PUMPS.exp().cbrt()).abs() < 0.05, "from {before} to {blown} m");
        assert!((empty / before - 1.0).abs() < 0.05, "from {before} to {empty} m");
        for x in [APART, 2.0 * APART] {
            let error = Held::pump(&mut solver, down(Vec3::X * x), false).unwrap_err().to_string();
            assert!(error.contains("surface is open") || error.contains("nothing to inflate"), "{error}");
        }
    }

    #[test]
    fn wind_blows_on_everything() {
        let context = Context::shared().expect("adapter");
        for name in THINGS {
            let (mut solver, range) = alone(&context, name);
            let (start, before) = (middle(&solver, &range), places(&solver, &range));
            let direction = Vec3::new(0.0, -0.2, 1.0).normalize();
            let ray = Ray { origin: start + Vec3::new(0.0, 0.4, -2.0), direction };
            let mut held = Held::blow(&mut solver, ray).unwrap();
            for _ in 0..20 {
                held.follow(&mut solver, ray, 1.0 / 60.0).unwrap();
                solver.step();
            }
            held.let_go(&mut solver, &Pins::default()).unwrap();
            let (way, _) = moved(&before, &places(&solver, &range));
            println!("{name} was blown by {way:.3} m");
            assert!(way > 0.05, "{name} was blown by {way} m");
        }
    }

    #[test]
    fn what_is_pinned_stays_until_it_is_let_go_of() {
        let (scene, _) = row(&THINGS, 1.5);
        let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
        let mut pins = Pins::default();
        let toggle = |pins: &mut Pins, solver: &mut Solver, ray: Ray| {
            let hit = pick(solver, ray, false).unwrap().unwrap();
            pins.toggle(solver, &hit).unwrap()
        };
        assert_eq!(toggle(&mut pins, &mut solver, down(Vec3::X * -9.0)), "this does not move anyway");
        let sand = down(Vec3::X * 5.0 * APART);
        assert_eq!(toggle(&mut pins, &mut solver, sand), "drops and grains cannot be pinned; pull them");
        let places = [Vec3::ZERO, Vec3::X * APART, Vec3::X * 2.0 * APART, Vec3::X * 3.0 * APART].map(down);
        for ray in places {
            assert_eq!(toggle(&mut pins, &mut solver, ray), "pinned");
        }
        assert_eq!(pins.count(), 4);
        let heights = |solver: &mut Solver| places.map(|ray| pick(solver, ray, false).unwrap().unwrap().distance);
        let before = heights(&mut solver);
        (0..20).for_each(|_| solver.step());
        for (before, after) in before.iter().zip(heights(&mut solver)) {
            assert!((before - after).abs() < 0.05, "{before} m below the eye, then {after}");
        }
        assert_eq!(toggle(&mut pins, &mut solver, places[0]), "let go");
        pins.clear(&mut solver).unwrap();
        (0..30).for_each(|_| solver.step());
        let [body, cloth, flesh, rope] = heights(&mut solver);
        println!("{before:?} m below the eye, let go {body} {cloth} {flesh} {rope}");
        assert!(body > before[0] + 0.5 && cloth > before[1] + 0.3, "{body} {cloth} fell");
        assert_eq!(pins.count(), 0);
    }
}
