//! Characters that move: posed bodies, pushing, going limp, getting up.

use glam::{Quat, Vec3};
use sinew::animation::Cast;
use sinew::demos::{Stage, stage_for};
use sinew::gpu::Context;
use sinew::report::{Snapshot, joint_gaps, state_hash};
use sinew::scene::{
    BodyDesc, BodyGoal, BodyId, Collider, HoldStrength, JointDesc, JointKind, Layers, Placement, Scene, Thing, Walker,
};
use sinew::solver::Solver;
use sinew::spawn::Character;

const DT: f32 = 1.0 / 60.0;

/// A stage being played.
struct Play {
    scene: Scene,
    cast: Cast,
    solver: Solver,
    state: Snapshot,
}

impl Play {
    fn new(context: &Context, stage: Stage) -> Self {
        let Stage { scene, cast, .. } = stage;
        let solver = Solver::new(context, &scene).unwrap();
        let state = Snapshot::start(&scene);
        Self { scene, cast, solver, state }
    }

    /// The dancer without clothes, which move nothing.
    fn demo(context: &Context, sets: &[(&str, &str)]) -> Self {
        let sets: Vec<_> =
            sets.iter().chain(&[("clothes", "off")]).map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Self::new(context, stage_for("dancer", &sets).unwrap())
    }

    fn step(&mut self) {
        self.cast.knock_down(&self.solver.take_struck());
        self.solver.follow(&self.cast.advance(DT)).unwrap();
        self.solver.step();
        let (bodies, particles) = (self.solver.read_bodies().unwrap(), self.solver.read_particles().unwrap());
        self.state = self.state.next(&bodies, &particles, DT);
    }

    fn get_up(&mut self) {
        self.cast.get_up(&self.solver.read_placements().unwrap(), &self.scene);
    }

    fn dancer(&self) -> Vec<usize> {
        self.cast.performers[0].bodies().iter().map(|b| b.0 as usize).collect()
    }

    /// Particles of the dancer, shared ones once.
    fn particles(&self) -> Vec<usize> {
        let bodies = self.cast.performers[0].bodies();
        let mut all: Vec<usize> =
            bodies.iter().flat_map(|b| &self.scene.body(*b).links).map(|l| l.particle.0 as usize).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn height(&self) -> f32 {
        let bodies = self.dancer().into_iter().map(|b| self.scene.bodies[b].position.y);
        bodies.fold(0.0, f32::max)
    }

    /// Velocity of the dancer's centre of mass, from how far it came in the last frame [m/s].
    fn velocity(&self, before: &Snapshot) -> Vec3 {
        let moved = |b: usize| self.scene.bodies[b].mass * (self.state.bodies[b].center - before.bodies[b].center);
        let mass: f32 = self.dancer().into_iter().map(|b| self.scene.bodies[b].mass).sum();
        self.dancer().into_iter().map(moved).sum::<Vec3>() / (mass * DT)
    }
}

#[test]
fn posed_bodies_are_where_the_clip_has_them() {
    let context = Context::shared().unwrap();
    let mut play = Play::demo(&context, &[]);
    let allowed = 1.0e-3 * play.height();
    let mut travelled = 0.0_f32;
    for frame in 0..150 {
        let before = play.state.clone();
        play.step();
        let performer = &play.cast.performers[0];
        for (body, at) in performer.bodies().iter().zip(performer.placements()) {
            let found = play.state.bodies[body.0 as usize];
            let off = found.center.distance(at.position) + 0.3 * found.rotation.angle_between(at.rotation);
            assert!(off < allowed, "frame {frame}: body {} is {off} m off", body.0);
        }
        travelled += play.velocity(&before).length() * DT;
        assert!(play.solver.read_health().unwrap().is_good());
    }
    assert!(travelled > 0.2, "the dancer moved {travelled} m only");
}

#[test]
fn the_dance_pushes_what_stands_around() {
    let context = Context::shared().unwrap();
    let mut play = Play::demo(&context, &[]);
    let first = play.dancer().len();
    (0..300).for_each(|_| play.step());
    let moved = |b: &usize| play.state.bodies[*b].center.distance(play.scene.bodies[*b].position) > 0.1;
    let pushed = (first..play.scene.bodies.len()).filter(moved).count();
    assert!(pushed >= 3, "{pushed} things were pushed");
}

/// A dancer at whom a ball of this mass [kg] is thrown, and the heaviest of her trunk, which it hits.
fn thrown_at(mass: f32) -> (Stage, BodyId) {
    let sets = [("clothes", "off"), ("count", "0")].map(|(k, v)| (k.to_owned(), v.to_owned()));
    let mut stage = stage_for("dancer", &sets).unwrap();
    let by_mass = |a: &BodyId, b: &BodyId| stage.scene.body(*a).mass.total_cmp(&stage.scene.body(*b).mass);
    let trunk = stage.cast.performers[0].bodies().iter().copied().max_by(by_mass).unwrap();
    let at = stage.scene.body(trunk).position - Vec3::X * 0.8;
    let ball = BodyDesc::sphere(0.12, 0.04).with_mass(mass).at(at);
    stage.scene.add_body(BodyDesc { velocity: Vec3::X * 14.0, ..ball }).unwrap();
    (stage, trunk)
}

#[test]
fn who_is_put_elsewhere_before_her_fall_is_heard_of_falls_there() {
    let context = Context::shared().unwrap();
    let mut play = Play::new(&context, thrown_at(7.0).0);
    let heard = (0..40).find(|_| {
        play.step();
        play.cast.is_limp()
    });
    for early in 1..=3 {
        let mut play = Play::new(&context, thrown_at(7.0).0);
        (0..heard.unwrap() - early).for_each(|_| play.step());
        assert!(!play.cast.is_limp());
        play.cast.performers[0].teleport(Vec3::new(20.0, 0.0, 0.0).into());
        (0..12).for_each(|_| play.step());
        let limbs = play.cast.performers[0].bodies().iter().map(|id| play.state.bodies[id.0 as usize].center.x);
        let nearest = limbs.fold(f32::INFINITY, f32::min);
        assert!(nearest > 15.0, "{early} frames before: a limb is at {nearest} m");
    }
}

#[test]
fn a_heavy_ball_knocks_a_character_down_and_a_light_one_does_not() {
    let context = Context::shared().unwrap();
    for (mass, falls) in [(7.0, true), (0.4, false)] {
        let (stage, trunk) = thrown_at(mass);
        let (bodies, at) = (stage.cast.performers[0].bodies().to_vec(), stage.scene.body(trunk).position);
        let strength = stage.cast.performers[0].strength();
        let mut play = Play::new(&context, stage);
        let weight: f32 = bodies.iter().map(|id| play.scene.body(*id).mass).sum();
        let mut struck = None;
        for frame in 0..40 {
            play.step();
            struck = struck.or(play.cast.is_limp().then_some(frame));
        }
        let moved = play.state.bodies[trunk.0 as usize].center - at;
        let health = play.solver.read_health().unwrap();
        println!("{mass} kg at {strength} N s of {weight} kg: limp in frame {struck:?}, moved by {moved}");
        assert_eq!(struck.is_some(), falls);
        assert!(!falls || moved.x > 0.25, "{moved}");
        assert!(health.is_good(), "{health:?}");
    }
}

/// Her feet go a little into what she treads on, which must not be thrown back at her.
#[test]
fn who_plays_on_a_crate_stays_on_it() {
    let context = Context::shared().unwrap();
    for (clip, density) in [("walk", 100.0), ("walk", 300.0), ("dance", 20.0), ("dance", 1000.0)] {
        let mut scene = Scene::default();
        scene.add_collider(Collider::ground(0.0)).unwrap();
        let size = Vec3::new(0.6, 0.2, 0.6);
        let desc = BodyDesc::cuboid(size, 0.05).with_mass(8.0 * size.element_product() * density);
        let below = scene.add_body(desc.at(Vec3::Y * 0.2)).unwrap();
        let dancer = Character::dancer().unwrap().undressed();
        let mut dancer = dancer.stand(&mut scene, Vec3::Y * 0.4).unwrap();
        dancer.play(clip).unwrap();
        let mut cast = Cast::default();
        cast.add(dancer);
        let mut solver = Solver::new(&context, &scene).unwrap();
        let mut fastest = 0.0_f32;
        for _ in 0..150 {
            solver.direct(&mut cast).unwrap();
            solver.step();
            fastest = fastest.max(Vec3::from(solver.read_bodies().unwrap()[below.0 as usize].velocity).length());
        }
        println!("{clip} on {density} kg/m³: limp {}, the crate went {fastest} m/s", cast.is_limp());
        assert!(!cast.is_limp() && fastest < 0.9, "{clip} on {density} kg/m³: {fastest} m/s");
    }
}

/// F = m a: who is held with 20 N s presses with 1000 N.
#[test]
fn a_held_body_presses_with_no_more_than_its_force() {
    let context = Context::shared().unwrap();
    const FRAMES: i32 = 4;
    for (impulse, expected) in [(20.0, FRAMES as f32 * DT), (f32::INFINITY, 1.0)] {
        let mut scene = Scene::default();
        scene.params.gravity = Vec3::ZERO;
        let held = scene.add_body(BodyDesc::sphere(0.15, 0.05).at(Vec3::X * -0.3)).unwrap();
        let heavy = scene.add_body(BodyDesc::sphere(0.15, 0.05).with_mass(1000.0).at(Vec3::ZERO)).unwrap();
        let mut solver = Solver::new(&context, &scene).unwrap();
        solver.set_hold_strengths(&[HoldStrength { body: held, impulse }]).unwrap();
        let at = |frame: i32| Placement::from(Vec3::X * (DT * frame as f32 - 0.3));
        for frame in 0..FRAMES {
            solver.pose_bodies(&[BodyGoal { body: held, from: at(frame), to: at(frame + 1) }]).unwrap();
            solver.step();
        }
        let speed = solver.read_bodies().unwrap()[heavy.0 as usize].velocity[0];
        println!("{impulse} N s: {speed} m/s");
        assert!((speed - expected).abs() < 0.03 * expected, "{impulse} N s: {speed} m/s");
    }
}

/// A ball held by the host rolls into a crate that sleeps.
#[test]
fn a_posed_body_wakes_and_pushes_sleepers() {
    let context = Context::shared().unwrap();
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let crate_id = scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(Vec3::Y * 0.15)).unwrap();
    let ball = scene.add_body(BodyDesc::sphere(0.15, 0.05).at(Vec3::new(-2.0, 0.2, 0.0))).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let at = |x: f32| Placement { position: Vec3::new(x, 0.2, 0.0), rotation: Quat::IDENTITY };
    let mut x = -2.0;
    let mut go = |solver: &mut Solver, speed: f32| {
        let goal = BodyGoal { body: ball, from: at(x), to: at(x + speed * DT) };
        x += speed * DT;
        solver.pose_bodies(&[goal]).unwrap();
        solver.step();
    };
    (0..120).for_each(|_| go(&mut solver, 0.0));
    assert_eq!(solver.read_bodies().unwrap()[crate_id.0 as usize].inv_mass, 0.0, "the crate should sleep");
    (0..120).for_each(|_| go(&mut solver, 1.2));
    let pushed = solver.read_bodies().unwrap()[crate_id.0 as usize].center;
    assert!(pushed[0] > 0.4, "{pushed:?}");
    let held = solver.read_bodies().unwrap()[ball.0 as usize].center;
    assert!((held[0] - 0.4).abs() < 1e-4 && (held[1] - 0.2).abs() < 1e-4, "{held:?}");
    // Without new goals it stays, and released it falls.
    (0..30).for_each(|_| solver.step());
    let stays = solver.read_bodies().unwrap()[ball.0 as usize].center;
    assert!((stays[0] - held[0]).abs() < 1e-6 && stays[1..3] == held[1..3], "{stays:?}");
    solver.release_bodies(&[ball]).unwrap();
    (0..30).for_each(|_| solver.step());
    assert!(solver.read_bodies().unwrap()[ball.0 as usize].center[1] < 0.16);
}

/// An arm hangs on a held shoulder that is swung about.
#[test]
fn a_limp_arm_follows_a_held_body() {
    let context = Context::shared().unwrap();
    let mut scene = Scene::default();
    let arm = BodyDesc::capsule(0.06, 0.15, 0.04);
    let [shoulder, upper, lower] =
        [0.0, -0.5, -1.0].map(|y| scene.add_body(arm.clone().at(Vec3::Y * (3.0 + y))).unwrap());
    for (a, b, y) in [(shoulder, upper, 2.75), (upper, lower, 2.25)] {
        scene.add_joint(JointDesc::new(JointKind::Ball, a, b, Vec3::Y * y, Vec3::Y, 0.03)).unwrap();
    }
    let mut solver = Solver::new(&context, &scene).unwrap();
    let path = |t: f32| Placement {
        position: Vec3::new(0.5 * (4.0 * t).sin(), 3.0, 0.0),
        rotation: Quat::from_rotation_z(0.6 * (3.0 * t).sin()),
    };
    let mut swung = 0.0_f32;
    for frame in 0..240 {
        let t = frame as f32 * DT;
        solver.pose_bodies(&[BodyGoal { body: shoulder, from: path(t), to: path(t + DT) }]).unwrap();
        solver.step();
        let bodies = solver.read_placements().unwrap();
        let [s, u, l] = [shoulder, upper, lower].map(|b| bodies[b.0 as usize]);
        assert!(s.position.distance(path(t + DT).position) < 1e-4, "frame {frame}");
        let gaps = [
            s.point(Vec3::Y * -0.25).distance(u.point(Vec3::Y * 0.25)),
            u.point(Vec3::Y * -0.25).distance(l.point(Vec3::Y * 0.25)),
        ];
        assert!(gaps.iter().all(|g| *g < 0.01), "frame {frame}: {gaps:?}");
        swung = swung.max(l.position.x.abs());
    }
    assert!(swung > 0.6, "{swung}");
}

#[test]
fn going_limp_keeps_the_motion_of_the_clip() {
    let context = Context::shared().unwrap();
    // Free of gravity and ground the centre of mass keeps its velocity.
    let mut play = Play::demo(&context, &[("count", "0"), ("gravity", "0")]);
    play.scene.colliders.clear();
    play.solver = Solver::new(&context, &play.scene).unwrap();
    let mut frame = 0;
    for moment in [20, 47, 73, 210, 500, 885] {
        let mut before = play.state.clone();
        for _ in frame..=moment {
            before = play.state.clone();
            play.step();
        }
        frame = moment + 1;
        let animated = play.velocity(&before);
        let (now, saved, cast) = (play.state.clone(), play.solver.save().unwrap(), play.cast.clone());
        play.cast.go_limp();
        play.step();
        let limp = play.velocity(&now);
        let change = (limp - animated).length();
        assert!(change <= 0.02 * animated.length(), "frame {moment}: {animated} to {limp}");
        play.solver.restore(&saved).unwrap();
        (play.state, play.cast) = (now, cast);
    }
}

/// Goes limp at some moments of the dance. Returns the most by which a particle is faster in the next 0.1 s than one and
/// a half times what it was, and the most that one jumps in the first frame.
fn thrown(context: &Context, sets: &[(&str, &str)]) -> (f32, f32) {
    let (mut throw, mut jump) = (0.0_f32, 0.0_f32);
    let mut play = Play::demo(context, sets);
    for wait in [31, 59, 120, 120] {
        (0..wait).for_each(|_| play.step());
        let (animated, saved, cast) = (play.state.clone(), play.solver.save().unwrap(), play.cast.clone());
        play.cast.go_limp();
        for after in 0..6 {
            play.step();
            for p in play.particles() {
                let (was, now) = (animated.particle_velocities[p], play.state.particle_velocities[p]);
                throw = throw.max(now.length() - 1.5 * was.length());
                if after == 0 {
                    jump = jump.max((now - was).length() * DT);
                }
            }
        }
        assert!(play.solver.read_health().unwrap().is_good());
        play.solver.restore(&saved).unwrap();
        (play.state, play.cast) = (animated, cast);
    }
    (throw, jump)
}

#[test]
fn going_limp_throws_nothing_and_the_skin_does_not_jump() {
    let context = Context::shared().unwrap();
    // Gravity alone makes nearly a metre a second in 0.1 s; without it less is hidden.
    for sets in [&[("gravity", "0")][..], &[]] {
        let (throw, jump) = thrown(&context, sets);
        assert!(throw < 1.0, "a particle is {throw} m/s too fast");
        assert!(jump < 0.01 * 1.75, "a particle jumps by {jump} m");
    }
}

#[test]
fn who_is_limp_lies_down() {
    let context = Context::shared().unwrap();
    let mut play = Play::demo(&context, &[]);
    (0..90).for_each(|_| play.step());
    play.cast.go_limp();
    (0..150).for_each(|_| play.step());
    let hips = play.state.bodies[play.dancer()[0]].center.y;
    assert!(hips < 0.35 * play.height(), "it still stands: {hips}");
}

#[test]
fn it_gets_up_where_it_lies_without_a_jerk() {
    let context = Context::shared().unwrap();
    for frame in [40, 200, 333] {
        let mut play = Play::demo(&context, &[("count", "0")]);
        (0..frame).for_each(|_| play.step());
        play.cast.go_limp();
        (0..150).for_each(|_| play.step());
        let lay = play.state.clone();
        play.get_up();
        assert!(!play.cast.is_limp());
        let (mut fastest, mut widest, mut lowest) = (0.0_f32, 0.0_f32, f32::MAX);
        for _ in 0..90 {
            let before = play.state.clone();
            play.step();
            for b in play.dancer() {
                let (was, now) = (&before.bodies[b], &play.state.bodies[b]);
                widest = widest.max(was.rotation.angle_between(now.rotation).to_degrees());
                fastest = fastest.max(was.center.distance(now.center) / DT);
            }
            lowest = play.particles().iter().map(|p| play.state.particles[*p].y).fold(lowest, f32::min);
        }
        assert!(widest < 10.0 && fastest < 15.0, "from frame {frame}: {widest}° a frame, {fastest} m/s");
        assert!(lowest > -0.03 * play.height(), "a limb is {lowest} m below the ground");
        let performer = &play.cast.performers[0];
        for (body, at) in performer.bodies().iter().zip(performer.placements()) {
            assert!(play.state.bodies[body.0 as usize].center.distance(at.position) < 2e-3);
        }
        let head = |state: &Snapshot| play.dancer().iter().map(|b| state.bodies[*b].center.y).fold(0.0, f32::max);
        assert!(head(&play.state) > 0.8 * play.height() && head(&lay) < 0.5 * play.height());
        let middle = |state: &Snapshot| {
            let sum: Vec3 = play.dancer().iter().map(|b| state.bodies[*b].center).sum();
            (sum / play.dancer().len() as f32).with_y(0.0)
        };
        assert!(middle(&play.state).distance(middle(&lay)) < 0.5 * play.height());
    }
}

/// Its left arm hangs from the shoulder while the rest walks; then it takes up the clip again.
#[test]
fn a_limp_arm_hangs_and_swings_while_the_rest_walks() {
    let context = Context::shared().unwrap();
    let mut play = Play::demo(&context, &[("count", "0"), ("clip", "walk")]);
    let (height, hurried) = (play.height(), 10.0 * DT);
    (0..60).for_each(|_| play.step());
    assert!(play.cast.find_limb("leftUppArm").unwrap_err().to_string().contains("did you mean `leftUpperArm`"));
    let before = play.state.clone();
    play.cast.loosen("LeftUpperArm");
    let loose = |play: &Play| -> Vec<usize> {
        let performer = &play.cast.performers[0];
        let limbs = performer.bodies().iter().zip(performer.loose());
        limbs.filter(|(_, loose)| **loose).map(|(body, _)| body.0 as usize).collect()
    };
    let (mut lowered, mut swung, mut widest, mut off) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
    for frame in 0..240 {
        let last = play.state.clone();
        play.step();
        let arm = loose(&play);
        assert_eq!(arm.len(), 3, "upper arm, forearm and hand");
        if frame == 0 {
            for b in &arm {
                let (was, now) = (before.bodies[*b].velocity, play.state.bodies[*b].velocity);
                assert!((now - was).length() < hurried, "{was} m/s becomes {now} m/s");
            }
        }
        let performer = &play.cast.performers[0];
        for (body, at) in performer.bodies().iter().zip(performer.placements()) {
            let b = body.0 as usize;
            if !arm.contains(&b) {
                off = off.max(play.state.bodies[b].center.distance(at.position));
            }
        }
        widest = joint_gaps(&play.scene, &play.state, |_| true).into_iter().fold(widest, f32::max);
        if frame >= 120 {
            let [shoulder, hand] = [arm[0], arm[2]].map(|b| play.state.bodies[b].center);
            lowered = lowered.max((hand - shoulder).normalize().dot(Vec3::Y) + 1.0);
            swung = swung.max(play.state.bodies[arm[2]].angular_velocity.length());
            assert!(play.state.bodies[arm[2]].center.distance(last.bodies[arm[2]].center) < 3.0 * DT, "it flails");
        }
    }
    println!("hangs within {lowered}, swings at {swung} rad/s; gap {widest} m; the rest is {off} m off");
    assert!(lowered < 0.3 && swung > 0.5, "hangs within {lowered}, swings at {swung} rad/s");
    assert!(widest < 0.002 * height && off < 1.0e-3 * height, "gap {widest} m, the rest is {off} m off");
    play.get_up();
    for _ in 0..60 {
        let last = play.state.clone();
        play.step();
        for b in play.dancer() {
            let turned = last.bodies[b].rotation.angle_between(play.state.bodies[b].rotation).to_degrees();
            assert!(turned < 10.0, "{turned}° in a frame");
        }
    }
    let performer = &play.cast.performers[0];
    assert!(!performer.loose().contains(&true));
    for (body, at) in performer.bodies().iter().zip(performer.placements()) {
        assert!(play.state.bodies[body.0 as usize].center.distance(at.position) < 1.0e-3 * height);
    }
    assert!(play.solver.read_health().unwrap().is_good());
}

#[test]
fn the_same_show_gives_the_same_bits() {
    let context = Context::shared().unwrap();
    let hash = || {
        let mut play = Play::demo(&context, &[]);
        (0..30).for_each(|_| play.step());
        play.cast.go_limp();
        (0..40).for_each(|_| play.step());
        play.get_up();
        (0..40).for_each(|_| play.step());
        state_hash(&play.solver.read_bodies().unwrap(), &play.solver.read_particles().unwrap())
    };
    assert_eq!(hash(), hash());
}

#[test]
fn another_clip_is_faded_to() {
    let context = Context::shared().unwrap();
    let mut play = Play::demo(&context, &[("count", "0")]);
    (0..20).for_each(|_| play.step());
    let other = if play.cast.performers[0].clip() == Some(0) { None } else { Some(0) };
    play.cast.performers[0].set_clip(other, 0.25);
    for _ in 0..30 {
        let before = play.state.clone();
        play.step();
        for b in play.dancer() {
            let turn = before.bodies[b].rotation.angle_between(play.state.bodies[b].rotation).to_degrees();
            assert!(turn < 20.0, "{turn}° in a frame");
        }
    }
}

#[test]
fn unknown_bodies_and_wild_goals_are_refused() {
    let context = Context::shared().unwrap();
    let mut scene = Scene::default();
    let body = scene.add_body(BodyDesc::sphere(0.2, 0.1)).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let stay = Placement::IDENTITY;
    assert!(solver.pose_bodies(&[BodyGoal { body: BodyId(7), from: stay, to: stay }]).is_err());
    let wild = Placement { position: Vec3::NAN, ..stay };
    assert!(solver.pose_bodies(&[BodyGoal { body, from: stay, to: wild }]).is_err());
    assert!(solver.release_bodies(&[BodyId(7)]).is_err());
    // Refused goals hold nothing: it falls.
    (0..10).for_each(|_| solver.step());
    assert!(solver.read_bodies().unwrap()[0].center[1] < -0.05);
    // A way too long for a frame is jumped: it arrives, and pushes no faster than it may.
    let far = Placement { position: Vec3::X * 50.0, ..stay };
    solver.pose_bodies(&[BodyGoal { body, from: stay, to: far }]).unwrap();
    solver.step();
    let state = solver.read_bodies().unwrap()[0];
    assert!((state.center[0] - 50.0).abs() < 1e-3 && state.velocity[0] <= 20.001, "{state:?}");
}

/// A host that waits for the GPU in each frame draws at half of its rate, and in a browser it cannot wait at all.
#[test]
fn who_directs_a_frame_waits_for_nothing() {
    let walking = || {
        let mut scene = Scene::default();
        scene.add_collider(Collider::ground(0.0)).unwrap();
        let mut dancer = Character::dancer().unwrap().undressed().stand(&mut scene, Vec3::ZERO).unwrap();
        dancer.set_root_motion(false);
        let hero = scene.add_body(Walker::default().body(Vec3::ZERO)).unwrap();
        for limb in dancer.bodies() {
            scene.set_layers(Thing::Body(*limb), Layers { of: 0, meets: 0 }).unwrap();
        }
        let mut cast = Cast::default();
        cast.add(dancer);
        (Stage { scene, cast, warnings: Vec::new() }, Some(hero))
    };
    let demo = |name: &str, sets: &[(&str, &str)]| {
        let sets: Vec<_> = sets.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        (stage_for(name, &sets).unwrap(), None)
    };
    let stages = [
        ("dancer", demo("dancer", &[("clothes", "off"), ("count", "4")])),
        ("puppets", demo("puppets", &[("count", "2"), ("crates", "2"), ("jets", "0")])),
        ("a dancer in the place of her walker", walking()),
    ];
    for (name, (Stage { scene, mut cast, .. }, hero)) in stages {
        let context = Context::headless(None).expect("adapter");
        let mut solver = Solver::new(&context, &scene).unwrap();
        if let Some(hero) = hero {
            solver.add_walker(hero, Walker::default()).unwrap();
            solver.walk(hero, Vec3::Z).unwrap();
        }
        let before = context.effort();
        for _ in 0..40 {
            if let Some(footing) = hero.and_then(|hero| solver.footing(hero).unwrap()) {
                cast.performers[0].follow(&footing, solver.view().time + f64::from(DT), DT);
            }
            solver.direct(&mut cast).unwrap();
            solver.step();
        }
        let waits = context.effort().waits - before.waits;
        println!("{name}: {waits} waits in 40 frames");
        assert_eq!(waits, 0, "{name}");
        assert!(solver.read_health().unwrap().is_good());
    }
}
