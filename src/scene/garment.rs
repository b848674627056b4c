//! Clothes: cloth whose wearer may be put into another pose before the scene is simulated.

use std::collections::BTreeSet;

use glam::{Quat, Vec3};

use super::check::present;
use super::{Body, BodyId, DeformableId, Follow, Particle, Scene, SceneError, Shape, Worn};
use crate::constraints::{Row, Stretch};

/// Times that edges are drawn to their length and particles out of the bodies: what a pose stretched would fly apart.
const ROUNDS: usize = 100;
/// Room left between a body and a particle, in radii of the particle.
const ROOM: f32 = 0.1;
/// How far to both sides of it a particle feels for the way out of a body, in its radii: where the body's samples differ.
const PROBE: f32 = 0.2;

impl Scene {
    /// Lets the particles of `cloth` follow bodies from where both are now: for each the bodies that hold it and their shares,
    /// of any sum above 0. What follows a body that is not there follows the others.
    ///
    /// # Errors
    /// [`SceneError`] for cloth that is not there, when there are not as many shares as particles, or a particle follows nothing.
    pub fn wear(&mut self, cloth: DeformableId, shares: &[Vec<(BodyId, f32)>]) -> Result<(), SceneError> {
        present("garment", "object", cloth.0 as usize, self.deformables.len())?;
        let extent = &self.deformables[cloth.0 as usize];
        let (first, count) = (extent.first_particle.0 as usize, extent.whole_count() as usize);
        let item = format!("garment `{}`", extent.name);
        if shares.len() != count {
            let (field, index) = ("what particles follow", shares.len().min(count));
            return Err(SceneError::Missing { item, field, index, count: shares.len() });
        }
        let mut follows = Vec::with_capacity(count);
        for (particle, own) in self.particles[first..first + count].iter().zip(shares) {
            let known = || own.iter().filter(|(body, share)| (body.0 as usize) < self.bodies.len() && *share > 0.0);
            let sum: f32 = known().map(|(_, share)| share).sum();
            if sum.is_nan() || sum <= 0.0 {
                return Err(SceneError::Empty { item, field: "bodies that a particle follows" });
            }
            let follow = |(body, share): &(BodyId, f32)| {
                let at = self.body(*body);
                (*body, at.rotation.inverse() * (particle.position - at.position), share / sum)
            };
            follows.push(Follow { of: known().map(follow).collect() });
        }
        self.worn.push(Worn { cloth, follows });
        Ok(())
    }

    /// Takes the garments worn by any of `bodies` to where these are now, then edges back to their lengths and particles out
    /// of the bodies; what is attached stays on its point.
    ///
    /// # Panics
    /// If a body is not of this scene.
    pub fn refit(&mut self, bodies: &[BodyId]) {
        let garments = std::mem::take(&mut self.worn);
        let of: BTreeSet<&BodyId> = bodies.iter().collect();
        for worn in &garments {
            if !worn.follows.iter().flat_map(|f| &f.of).any(|(body, ..)| of.contains(body)) {
                continue;
            }
            let first = self.deformables[worn.cloth.0 as usize].first_particle.0;
            for (particle, follow) in (first..).zip(&worn.follows) {
                let (mut place, mut velocity) = (Vec3::ZERO, Vec3::ZERO);
                for (body, local, share) in &follow.of {
                    let body = self.body(*body);
                    let arm = body.rotation * *local;
                    place += *share * (body.position + arm);
                    velocity += *share * (body.velocity + body.angular_velocity.cross(arm));
                }
                let moved = &mut self.particles[particle as usize];
                (moved.position, moved.velocity) = (place, velocity);
            }
            let solids: Vec<Solid> =
                bodies.iter().map(|id| Solid::new(&self.bodies[id.0 as usize], &self.shapes)).collect();
            let extent = &self.deformables[worn.cloth.0 as usize];
            let rows = &self.constraints[extent.first_constraint as usize..][..extent.constraint_count as usize];
            let kept: Vec<Stretch> = rows.iter().filter_map(Row::stretch).collect();
            let own = first as usize..first as usize + worn.follows.len();
            for _ in 0..ROUNDS {
                draw_together(&mut self.particles, &kept);
                self.particles[own.clone()].iter_mut().for_each(|particle| clear(particle, &solids));
            }
        }
        self.worn = garments;
    }

    /// Signed distance from a point to a body [m].
    pub(crate) fn distance_to(&self, body: BodyId, point: Vec3) -> f32 {
        let body = self.body(body);
        self.shapes[body.shape].distance(body.rotation.inverse() * (point - body.position))
    }
}

/// A body as it is while clothes are put on it.
struct Solid<'a> {
    shape: &'a Shape,
    position: Vec3,
    /// From the world into its frame.
    turn: Quat,
    /// Radius of a ball around it [m].
    reach: f32,
    /// Corners of the box around it, in its frame [m].
    bounds: (Vec3, Vec3),
}

impl<'a> Solid<'a> {
    fn new(body: &Body, shapes: &'a [Shape]) -> Self {
        let shape = &shapes[body.shape];
        Self {
            shape,
            position: body.position,
            turn: body.rotation.inverse(),
            reach: shape.bounding_radius(),
            bounds: shape.bounds(),
        }
    }

    /// Whether a point may be nearer than `gap` [m].
    fn is_near(&self, point: Vec3, gap: f32) -> bool {
        if point.distance_squared(self.position) >= (gap + self.reach).powi(2) {
            return false;
        }
        let (local, (low, high)) = (self.turn * (point - self.position), self.bounds);
        local.distance_squared(local.clamp(low, high)) < gap * gap
    }

    /// Signed distance from a point [m].
    fn distance(&self, point: Vec3) -> f32 {
        self.shape.distance(self.turn * (point - self.position))
    }
}

/// Moves the ends of every edge and tether to its length, one after the other.
fn draw_together(particles: &mut [Particle], all: &[Stretch]) {
    for kept in all {
        let [a, b] = kept.particles.map(|p| p as usize);
        let [wa, wb] = [a, b].map(|i| if particles[i].mass > 0.0 { 1.0 } else { 0.0 });
        let away = particles[b].position - particles[a].position;
        let long = away.length() - kept.rest_length;
        if wa + wb == 0.0 || (kept.tension_only && long < 0.0) {
            continue;
        }
        let shift = away.normalize_or_zero() * (long / (wa + wb));
        particles[a].position += wa * shift;
        particles[b].position -= wb * shift;
    }
}

/// Moves a particle out of the deepest of `solids` that it is in, along the distance, unless it is attached.
fn clear(particle: &mut Particle, solids: &[Solid]) {
    if particle.phase.contains(super::Phase::GHOST) {
        return;
    }
    let (gap, at) = ((1.0 + ROOM) * particle.radius, particle.position);
    let depth = |solid| (gap - Solid::distance(solid, at), solid);
    let deepest = solids.iter().filter(|solid| solid.is_near(at, gap)).map(depth).max_by(|a, b| a.0.total_cmp(&b.0));
    let Some((deep, solid)) = deepest.filter(|(deep, _)| *deep > 0.0) else { return };
    let step = PROBE * particle.radius;
    let slope = |axis: Vec3| solid.distance(at + axis * step) - solid.distance(at - axis * step);
    let out = Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z)).normalize_or(Vec3::Y);
    particle.position = at + out * deep;
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::scene::{BodyDesc, Deformable, Placement};

    fn dressed() -> (Scene, [BodyId; 2]) {
        let mut scene = Scene::default();
        let ball = BodyDesc::sphere(0.1, 0.1);
        let bodies = [Vec3::ZERO, Vec3::X].map(|at| scene.add_body(ball.clone().at(at)).unwrap());
        let rest = vec![Vec3::Y * 0.2, Vec3::new(0.5, 0.2, 0.0), Vec3::new(1.0, 0.2, 0.0)];
        let cloth = Deformable::new("sash", rest, 0.3, 0.02);
        let id = scene.add_deformable(&cloth, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        let [a, b] = bodies;
        scene.wear(id, &[vec![(a, 1.0)], vec![(a, 2.0), (b, 2.0)], vec![(b, 0.3)]]).unwrap();
        (scene, bodies)
    }

    #[test]
    fn a_garment_goes_where_its_wearer_is_put() {
        let (mut scene, [a, b]) = dressed();
        let to = Placement { position: Vec3::new(1.0, 1.0, 0.0), rotation: Quat::from_rotation_z(1.570_796_4) };
        scene.place_body(b, to, Vec3::Z, Vec3::ZERO).unwrap();
        scene.refit(&[a, b]);
        let places: Vec<Vec3> = scene.particles_of(DeformableId(0)).iter().map(|p| p.position).collect();
        let expected = [Vec3::Y * 0.2, Vec3::ZERO, Vec3::new(0.8, 1.0, 0.0)];
        assert!(places[0].distance(expected[0]) < 1e-6 && places[2].distance(expected[2]) < 1e-6, "{places:?}");
        // Halfway between (0.5, 0.2) and (0.8, 0.5).
        assert!(places[1].distance(Vec3::new(0.65, 0.35, 0.0)) < 1e-6, "{places:?}");
        assert_eq!(scene.particles_of(DeformableId(0))[1].velocity, 0.5 * Vec3::Z);
        // A body that comes over a particle that follows another pushes it out.
        scene.place_body(b, Placement { position: Vec3::new(0.0, 0.2, 0.01), ..to }, Vec3::ZERO, Vec3::ZERO).unwrap();
        scene.refit(&[a, b]);
        let at = scene.particles_of(DeformableId(0))[0].position;
        assert!(at.distance(Vec3::new(0.0, 0.2, 0.01)) > 0.12 && at.length() > 0.12, "{at}");
    }

    #[test]
    fn faults_are_named() {
        let (mut scene, [a, _]) = dressed();
        let error = scene.wear(DeformableId(0), &[vec![(a, 1.0)]]).unwrap_err().to_string();
        assert!(error.contains("garment `sash`"), "{error}");
        let none = vec![vec![(BodyId(9), 1.0)]; 3];
        assert!(scene.wear(DeformableId(0), &none).unwrap_err().to_string().contains("bodies that a particle follows"));
    }
}
