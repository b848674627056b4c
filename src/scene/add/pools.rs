//! Pools: checks the prefab, adds its copies, and places them where they enter.

use glam::Vec3;

use crate::constraints::Role;
use crate::scene::check::{Check, SceneError, number};
use crate::scene::{Body, Collider, Part, Placement, Pool, PoolId, Scene, Shape};

/// Most copies of a pool.
const MOST_COPIES: u32 = 1 << 16;
/// How far below the world colliders are kept that are not in it [m].
const COLLIDER_STORE: f32 = -1e9;

impl Scene {
    /// Keeps `count` copies of a scene ready: a crate, a character in her clothes, a ball of flesh. None is in the world until
    /// [`Solver::spawn_from`](crate::solver::Solver::spawn_from) puts it there; then it costs no more than what was added.
    /// Until then it costs its memory, and a thread where something would be done.
    ///
    /// # Errors
    /// [`SceneError::NotPooled`] for what cannot be kept: planes, emitters, drains, fields, pins to points of the world, cloth that tears,
    /// flesh that yields, pools; [`SceneError`] for a count of 0 or above 65 536, and as [`Scene::append`].
    pub fn add_pool(&mut self, prefab: &Self, count: u32) -> Result<PoolId, SceneError> {
        let item = format!("pool {}", self.pools.len());
        number(&item, "number of copies", count as f32, (1..=MOST_COPIES).contains(&count), "from 1 to 65536")?;
        check_prefab(&item, prefab)?;
        prefab.check()?;
        let pitch = 2.0 * prefab.size() + 1.0;
        let side = (1..).find(|side| side * side * side >= count).unwrap_or(1);
        let mut copies = Vec::with_capacity(count as usize);
        let mut places = Vec::with_capacity(count as usize);
        // Apart: what is sorted by its place once, for good, shall not be mixed.
        for copy in 0..count {
            let cell = glam::UVec3::new(copy % side, copy / side % side, copy / (side * side));
            let at = Placement { position: pitch * cell.as_vec3(), ..Placement::IDENTITY };
            copies.push(self.append(prefab, at, Vec3::ZERO)?);
            places.push((at, Vec3::ZERO));
        }
        for copy in &copies {
            for body in &mut self.bodies[copy.bodies.start as usize..copy.bodies.end as usize] {
                (body.removed, body.pooled) = (true, true);
            }
            for collider in &mut self.colliders[copy.colliders.start as usize..copy.colliders.end as usize] {
                collider.store();
            }
        }
        self.pools.push(Pool {
            particles: prefab.particles.clone(),
            bodies: prefab.bodies.clone(),
            colliders: prefab.colliders.clone(),
            present: vec![false; copies.len()],
            copies,
            places,
        });
        Ok(PoolId(self.pools.len() as u32 - 1))
    }

    /// What the copies that are not in the world have.
    pub(crate) fn absent(&self) -> impl Iterator<Item = &Part> {
        let copies = self.pools.iter().flat_map(|pool| pool.copies.iter().zip(&pool.present));
        copies.filter(|(_, present)| !**present).map(|(part, _)| part)
    }

    /// Where particles are at first [m], copies of pools as they were made, wherever they have gone since: a world that is made anew has
    /// the rows of the one before.
    pub(crate) fn made_places(&self) -> Vec<Vec3> {
        let mut places: Vec<Vec3> = self.particles.iter().map(|particle| particle.position).collect();
        for (pool, part) in self.pools.iter().flat_map(|pool| pool.copies.iter().map(move |part| (pool, part))) {
            let own = &mut places[part.particles.start as usize..part.particles.end as usize];
            own.iter_mut().zip(&pool.particles).for_each(|(place, made)| *place = made.position);
        }
        places
    }

    /// How far everything in it is from the origin at most [m].
    fn size(&self) -> f32 {
        let particles = self.particles.iter().map(|p| p.position.length() + p.radius);
        particles.fold(0.0, f32::max)
    }
}

impl Body {
    /// Whether it is out of the world for good.
    pub(crate) fn is_gone(&self) -> bool {
        self.removed && !self.pooled
    }
}

impl Collider {
    /// Puts it where nothing meets it: a half space so that all is far above it.
    pub(crate) fn store(&mut self) {
        self.position = Vec3::Y * COLLIDER_STORE;
        if self.shape == Shape::Plane {
            let normal = self.rotation * Vec3::Y;
            let down = if normal.y < 0.0 { -1.0 } else { 1.0 };
            self.position = (normal + if normal.y.abs() < 0.6 { down * Vec3::Y } else { Vec3::ZERO }) * COLLIDER_STORE;
        }
        self.velocity = Vec3::ZERO;
        self.angular_velocity = Vec3::ZERO;
        self.surface_velocity = Vec3::ZERO;
    }
}

fn check_prefab(item: &str, prefab: &Scene) -> Check {
    let has = [
        ("a plane", prefab.colliders.iter().any(|c| c.shape == Shape::Plane)),
        ("an emitter", !prefab.emitters.is_empty()),
        ("a drain", !prefab.drains.is_empty()),
        ("a field of force", !prefab.fields.is_empty()),
        (
            "a pin to a point of the world",
            prefab.constraints.iter().any(|row| matches!(row.kind.role, Role::Pin { point: Some(_) })),
        ),
        ("cloth that tears", !prefab.tears.is_empty()),
        ("flesh that yields", !prefab.plastic_tetrahedra.is_empty()),
        ("another pool", !prefab.pools.is_empty()),
        ("places for what is added later", !prefab.reserve.is_empty()),
        ("a body that was removed", prefab.bodies.iter().any(|body| body.removed)),
    ];
    if let Some((what, _)) = has.into_iter().find(|(_, has)| *has) {
        return Err(SceneError::NotPooled(item.to_owned(), what));
    }
    if prefab.particles.is_empty() && prefab.colliders.is_empty() {
        return Err(SceneError::Empty { item: item.to_owned(), field: "bodies, particles and colliders" });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::scene::{BodyDesc, Deformable, JointDesc, JointKind, Liquid, Thing};

    /// Two jointed bodies, a rope, water and a wall.
    fn mixed() -> Scene {
        let mut scene = Scene::default();
        let a = scene.add_body(BodyDesc::sphere(0.1, 0.1)).unwrap();
        let b = scene.add_body(BodyDesc::sphere(0.1, 0.1).at(Vec3::X)).unwrap();
        scene.add_joint(JointDesc::new(JointKind::Ball, a, b, Vec3::X * 0.5, Vec3::Z, 0.05)).unwrap();
        let mut rope = Deformable::new("rope", vec![Vec3::Y, Vec3::Y * 2.0], 1.0, 0.05);
        rope.join(&crate::constraints::Distance::between([0, 1], [Vec3::Y, Vec3::Y * 2.0], 0.0)).unwrap();
        let rope = scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
        scene.pour(water, &[Vec3::Z], Vec3::ZERO).unwrap();
        scene.add_collider(Collider::new(Shape::Sphere(0.2), Vec3::NEG_Z)).unwrap();
        scene.set_user_data(Thing::Deformable(rope), 5).unwrap();
        scene
    }

    #[test]
    fn what_is_appended_is_what_was() {
        let prefab = mixed();
        let mut scene = mixed();
        let at = Placement { position: Vec3::new(1.0, 2.0, 3.0), rotation: Quat::from_rotation_y(1.0) };
        let part = scene.append(&prefab, at, Vec3::X).unwrap();
        scene.check().unwrap();
        let (old, new) = (&prefab.bodies[1], &scene.bodies[part.bodies.start as usize + 1]);
        assert!((new.position - at.point(old.position)).length() < 1e-6 && new.velocity == Vec3::X);
        assert_eq!(new.links[1].particle, part.particle(old.links[1].particle));
        let joint = &scene.joints[part.joints.start as usize];
        assert_eq!([joint.desc.a.0, joint.desc.b.0], [part.bodies.start, part.bodies.start + 1]);
        let row = &scene.constraints[part.constraints.start as usize];
        let rope = &scene.deformables[part.deformables.start as usize];
        assert_eq!(row.particles[0], rope.first_particle.0);
        let groups = [0, part.deformables.start as usize]
            .map(|i| scene.particles[scene.deformables[i].first_particle.0 as usize].phase.group());
        assert_ne!(groups[0], groups[1]);
        assert_eq!((scene.liquids.len(), scene.liquids[0].blocks.len()), (1, 2));
        assert_eq!(scene.user_data(Thing::Deformable(part.deformable(crate::scene::DeformableId(0)))), 5);
    }

    #[test]
    fn locked_axes_turn_with_what_is_appended() {
        let quarter = std::f32::consts::FRAC_PI_2;
        let axes = |locked: [bool; 3], upright: [bool; 3], rotation| {
            let mut body = BodyDesc::sphere(0.1, 0.1).named("cart");
            (body.dynamics.locked, body.dynamics.upright) = (locked.into(), upright.into());
            let (mut scene, mut track) = (Scene::default(), Scene::default());
            track.add_body(body).unwrap();
            scene.append(&track, Placement { position: Vec3::ONE, rotation }, Vec3::ZERO)?;
            let dynamics = scene.bodies[0].dynamics;
            Ok::<_, SceneError>([dynamics.locked, dynamics.upright].map(<[bool; 3]>::from))
        };
        let (none, side, planar) = ([false; 3], [false, false, true], [true, true, false]);
        let about = Quat::from_rotation_y;
        assert_eq!(axes(side, planar, about(quarter)), Ok([[true, false, false], [false, true, true]]));
        assert_eq!(axes(side, planar, Quat::from_rotation_z(0.7)), Ok([side, planar]));
        assert_eq!(axes(none, [true; 3], about(0.7)), Ok([none, [true; 3]]));
        let told = axes(side, none, about(0.7)).unwrap_err().to_string();
        assert!(told.contains("body `cart`: `locked` names axes of the world"), "{told}");
    }

    #[test]
    fn pools_and_reserved_places_are_appended() {
        let mut level = Scene::default();
        level.add_pool(&mixed(), 2).unwrap();
        level.reserve_colliders(2).unwrap();
        level.reserve_shapes(&Shape::Plane, 1).unwrap();
        level.reserve_joints(3).unwrap();
        let mut scene = level.clone();
        let at = Placement { position: Vec3::ONE, rotation: Quat::from_rotation_x(2.0) };
        let part = scene.append(&level, at, Vec3::X).unwrap();
        scene.check().unwrap();
        let [own, added] = &scene.pools[..] else { panic!("{} pools", scene.pools.len()) };
        for (here, there) in added.copies.iter().zip(&own.copies) {
            assert_eq!(*here, there.within(&part));
            let first = scene.bodies[here.bodies.start as usize].first_particle;
            assert_eq!(first, here.particles.start);
        }
        assert!(scene.bodies.iter().all(|body| body.removed && body.pooled) && scene.absent().count() == 4);
        assert!(scene.colliders.iter().all(|collider| collider.position.y == COLLIDER_STORE));
        let waiting = part.colliders.end;
        assert_eq!(scene.reserve.colliders[2..], [waiting - 2, waiting - 1].map(crate::scene::ColliderId));
        assert_eq!((scene.reserve.shapes.len(), scene.reserve.joints), (2, 6));
        level.reserve_joints(4090).unwrap();
        let before = scene.particles.len();
        assert!(scene.append(&level, at, Vec3::X).unwrap_err().to_string().contains("number of places"));
        assert_eq!(scene.particles.len(), before);
    }

    #[test]
    fn what_cannot_be_kept_is_named() {
        let mut scene = Scene::default();
        assert!(scene.add_pool(&Scene::default(), 1).unwrap_err().to_string().contains("pool 0"));
        assert!(scene.add_pool(&mixed(), 0).unwrap_err().to_string().contains("number of copies"));
        let mut ground = mixed();
        ground.add_collider(Collider::ground(0.0)).unwrap();
        assert!(scene.add_pool(&ground, 1).unwrap_err().to_string().contains("a plane"));
        scene.add_pool(&mixed(), 3).unwrap();
        assert!(scene.bodies.iter().all(|body| body.removed) && scene.absent().count() == 3);
        assert!(Scene::default().add_pool(&scene, 1).unwrap_err().to_string().contains("another pool"));
    }
}
