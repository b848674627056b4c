//! Performers that move by their own strength: they follow their clips, stand, are struck, fall and get up.

use glam::{Quat, Vec3, vec3};
use sinew::animation::{Cast, Performer, StrengthError};
use sinew::gpu::Context;
use sinew::report::{Snapshot, joint_gaps, state_hash};
use sinew::scene::{
    BodyDesc, BodyGoal, BodyPull, Collider, Cues, JointDesc, JointId, JointKind, Motor, Params, Placement, Push, Scene,
    Thing,
};
use sinew::solver::Solver;
use sinew::spawn::{Character, Random};

/// A dancer without clothes who plays a clip where nothing but what a test adds is.
struct Play {
    scene: Scene,
    cast: Cast,
    solver: Solver,
}

impl Play {
    fn new(clip: &str, prepare: impl FnOnce(&mut Scene, &mut Performer)) -> Self {
        let mut scene = Scene::default();
        let dancer = Character::dancer().unwrap().undressed();
        let mut performer = dancer.stand(&mut scene, Vec3::ZERO).unwrap();
        performer.enter(&mut scene, Vec3::ZERO.into(), dancer.clip(Some(clip)).unwrap(), 0.0).unwrap();
        prepare(&mut scene, &mut performer);
        let mut cast = Cast::default();
        cast.add(performer);
        let solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
        Self { scene, cast, solver }
    }

    fn step(&mut self) {
        self.solver.direct(&mut self.cast).unwrap();
        self.solver.step();
    }

    fn performer(&mut self) -> &mut Performer {
        &mut self.cast.performers[0]
    }

    fn limb(&self, name: &str) -> usize {
        self.cast.performers[0].rig().limb(name).unwrap()
    }

    fn hips(&self) -> Vec3 {
        let root = self.cast.performers[0].bodies()[self.limb("hips")];
        self.solver.read_placements().unwrap()[root.0 as usize].position
    }

    fn wanted_hips(&self) -> Vec3 {
        self.cast.performers[0].placements()[self.limb("hips")].position
    }

    /// Between the hips and where the clip has them [rad].
    fn lean(&self) -> f32 {
        let root = self.limb("hips");
        let body = self.cast.performers[0].bodies()[root];
        let now = self.solver.read_placements().unwrap()[body.0 as usize].rotation;
        (now * Vec3::Y).angle_between(self.cast.performers[0].placements()[root].rotation * Vec3::Y)
    }

    /// How far joints are off the clip [rad].
    fn off(&self) -> Vec<f32> {
        let now = self.solver.read_placements().unwrap();
        let performer = &self.cast.performers[0];
        let limb = |id| performer.bodies().iter().position(|body| *body == id).unwrap();
        let off = |joint: &sinew::scene::Joint| {
            let ends = [joint.desc.a, joint.desc.b];
            let [a, b] = ends.map(|id| now[id.0 as usize].rotation);
            let [x, y] = ends.map(|id| performer.placements()[limb(id)].rotation);
            joint.rotation(a, b).angle_between(joint.rotation(x, y))
        };
        self.scene.joints.iter().map(off).collect()
    }
}

fn is_shoulder(scene: &Scene, joint: &sinew::scene::Joint) -> bool {
    scene.body(joint.desc.b).name.ends_with("Shoulder")
}

#[test]
fn joints_follow_the_clip_in_free_air() {
    let mut play = Play::new("dance", |scene, performer| {
        scene.params.gravity = Vec3::ZERO;
        performer.drive(1.0).unwrap();
        performer.set_balance(0.0).unwrap();
    });
    let mut worst = vec![0.0_f32; play.scene.joints.len()];
    for frame in 0..240 {
        play.step();
        if frame > 10 {
            for (worst, off) in worst.iter_mut().zip(play.off()) {
                *worst = worst.max(off);
            }
        }
    }
    let degrees: Vec<f32> = worst.iter().map(|off| off.to_degrees()).collect();
    healthy(&play);
    let free: Vec<f32> = play
        .scene
        .joints
        .iter()
        .zip(&degrees)
        .filter(|(j, _)| !is_shoulder(&play.scene, j))
        .map(|(_, off)| *off)
        .collect();
    println!("{degrees:?}");
    assert!(free.iter().all(|off| *off < 2.0), "{degrees:?}");
    // The dance turns collar bones by 9 degrees more than their limits let them.
    assert!(degrees.iter().all(|off| *off < 10.0), "{degrees:?}");
}

#[test]
fn without_strength_it_is_limp_to_the_bit() {
    let hash = |limp: bool| {
        let mut play = Play::new("dance", |scene, performer| {
            scene.add_collider(Collider::ground(0.0)).unwrap();
            if limp {
                performer.go_limp();
            } else {
                performer.drive(0.0).unwrap();
            }
        });
        (0..90).for_each(|_| play.step());
        state_hash(&play.solver.read_bodies().unwrap(), &play.solver.read_particles().unwrap())
    };
    assert_eq!(hash(true), hash(false));
}

/// Whatever happens, nobody is inside something or tears.
fn healthy(play: &Play) {
    let health = play.solver.read_health().unwrap();
    assert!(health.is_good(), "{health:?}");
}

fn on_ground(clip: &str) -> Play {
    Play::new(clip, |scene, performer| {
        scene.add_collider(Collider::ground(0.0)).unwrap();
        performer.drive(1.0).unwrap();
    })
}

#[test]
fn it_stands_on_its_feet() {
    let mut play = on_ground("idle");
    let mut off = 0.0_f32;
    for _ in 0..300 {
        play.step();
        off = off.max(play.hips().distance(play.wanted_hips()));
    }
    println!("hips {off} m off");
    healthy(&play);
    assert!(off < 0.03 && !play.performer().has_fallen(), "hips were {off} m off");
}

#[test]
fn a_pause_changes_nothing() {
    let hash = |pause: bool| {
        let mut play = on_ground("walk");
        for frame in 0..40 {
            if pause && frame == 20 {
                let params = *play.solver.params();
                play.solver.set_params(Params { dt: 0.0, ..params }).unwrap();
                (0..5).for_each(|_| play.step());
                play.solver.set_params(params).unwrap();
            }
            play.step();
        }
        healthy(&play);
        state_hash(&play.solver.read_bodies().unwrap(), &play.solver.read_particles().unwrap())
    };
    assert_eq!(hash(true), hash(false));
}

#[test]
fn it_walks_up_and_down_slopes() {
    for degrees in [10.0_f32, -10.0] {
        let slope = Quat::from_rotation_x(-degrees.to_radians());
        let mut play = Play::new("walk", |scene, performer| {
            scene.add_collider(Collider::ground(0.0).rotated(slope)).unwrap();
            performer.drive(1.0).unwrap();
        });
        for _ in 0..300 {
            play.step();
            assert!(!play.performer().has_fallen(), "it fell on {degrees} degrees");
        }
        let hips = play.hips();
        let high = hips.y - hips.z * degrees.to_radians().tan();
        println!("{degrees} degrees: {} m, hips {high} m high", hips.z);
        healthy(&play);
        assert!(hips.z > 2.5 && (high - 0.92).abs() < 0.06, "{degrees} degrees: {hips}");
    }
}

#[test]
fn it_walks() {
    let mut play = on_ground("walk");
    let mut lean = 0.0_f32;
    for _ in 0..300 {
        play.step();
        lean = lean.max(play.lean());
    }
    let way = play.hips().z;
    println!("{way} m, lean {}", lean.to_degrees());
    healthy(&play);
    assert!(!play.performer().has_fallen());
    // The clip goes 0.7 m/s.
    assert!((way / 3.5 - 1.0).abs() < 0.15, "it went {way} m");
    assert!(lean < 0.5, "it leans by {lean} rad");
}

/// A fall after a push at the chest along the ground [N s]: how fast the head was when it came to the ground, 0 if it did not within 2.5 s
/// [m/s], and whether a hand was there before.
fn fall(impulse: Vec3) -> (f32, bool) {
    let mut play = on_ground("idle");
    (0..30).for_each(|_| play.step());
    let limbs = ["head", "leftHand", "rightHand"].map(|name| play.limb(name));
    let bodies = play.cast.performers[0].bodies();
    let ids = limbs.map(|limb| bodies[limb].0 as usize);
    let chest = bodies[play.limb("chest")];
    play.solver.push(Push::impulse(Thing::Body(chest), impulse)).unwrap();
    let (mut speed, mut before, mut hand) = (0.0, 0.0_f32, false);
    for _ in 0..150 {
        play.step();
        let bodies = play.solver.read_bodies().unwrap();
        let down = |i: usize| {
            let (limb, place) = (&play.cast.performers[0].rig().limbs()[limbs[i]], bodies[ids[i]].placement());
            limb.points.iter().any(|p| place.point(*p).y - limb.radius < 0.02)
        };
        hand |= down(1) || down(2);
        if down(0) {
            speed = before;
            break;
        }
        before = bodies[ids[0]].velocity().length();
    }
    healthy(&play);
    // Who is still on its feet has nothing to catch.
    if play.performer().has_fallen() { (speed, hand) } else { (f32::MAX, false) }
}

/// With arms that do as the clip says the head comes down with 6.2, 6.8, 4.3 and 3.4 m/s, backward before the hands. A fall is chaotic:
/// what counts is the middle one of three, each pushed a little differently.
#[test]
fn arms_catch_a_fall() {
    for (way, fastest) in [(Vec3::Z, 1.5), (Vec3::NEG_Z, 3.0), (Vec3::X, 2.5), (Vec3::NEG_X, 4.0)] {
        let mut falls = [120.0, 124.0, 128.0].map(|impulse| fall(impulse * way));
        println!("towards {way}: head {falls:?}");
        assert!(
            falls.iter().filter(|(_, hand)| *hand).count() >= 2,
            "towards {way} no hand comes down before the head"
        );
        falls.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(falls[1].0 < fastest, "towards {way} the head comes down with {} m/s", falls[1].0);
    }
}

/// Who stands is pushed at the chest with so much [N s]: whether it falls, and whether it stands six seconds later.
fn pushed(impulse: f32) -> (bool, bool) {
    let mut play = on_ground("idle");
    (0..60).for_each(|_| play.step());
    let chest = play.cast.performers[0].bodies()[play.limb("chest")];
    play.solver.push(Push::impulse(Thing::Body(chest), Vec3::Z * impulse)).unwrap();
    let mut fell = false;
    for _ in 0..360 {
        play.step();
        fell |= play.performer().has_fallen();
    }
    healthy(&play);
    (fell, !play.performer().has_fallen() && play.hips().y > 0.8)
}

#[test]
fn a_nudge_is_borne_and_a_blow_fells_and_it_gets_up() {
    // 20 N s make 70 kg 0.3 m/s fast, 250 N s 3.5 m/s.
    assert_eq!(pushed(20.0), (false, true));
    assert_eq!(pushed(250.0), (true, true));
}

#[test]
fn a_limb_alone_is_limp_or_strong() {
    let mut play = on_ground("idle");
    play.performer().drive_limb("leftUpperArm", 0.0).unwrap();
    (0..90).for_each(|_| play.step());
    let joint = |play: &Play, limb: &str| {
        let body = play.cast.performers[0].bodies()[play.limb(limb)];
        play.scene.joints.iter().position(|joint| joint.desc.b == body || joint.desc.a == body).unwrap()
    };
    let driven = |play: &Play, limb: &str| play.solver.scene().joints[joint(play, limb)].desc.motor.is_some();
    assert!(!driven(&play, "leftHand") && driven(&play, "rightHand"));
    assert!(!play.performer().has_fallen());
    let performer = play.performer();
    assert!(matches!(performer.drive(1.5), Err(StrengthError::Range(strength)) if strength == 1.5));
    assert!(matches!(performer.drive_joint("tail", 1.0), Err(StrengthError::Limb(_))));
    assert!(performer.set_balance(f32::NAN).is_err());
    performer.hold();
    (0..10).for_each(|_| play.step());
    assert!(!driven(&play, "rightHand"), "who is held has no motors");
}

#[test]
fn a_blow_numbs_the_arm_that_it_hits_for_a_moment() {
    let mut play = on_ground("idle");
    (0..30).for_each(|_| play.step());
    let arm = play.cast.performers[0].bodies()[play.limb("leftLowerArm")];
    let torque = |play: &Play| {
        let own = |joint: &&sinew::scene::Joint| joint.desc.b == arm;
        match play.solver.scene().joints.iter().find(own).unwrap().desc.motor {
            Some(Motor::Muscle { max_torque, .. }) => max_torque,
            _ => 0.0,
        }
    };
    let before = torque(&play);
    play.solver.push(Push::impulse(Thing::Body(arm), Vec3::Z * 12.0)).unwrap();
    let mut least = before;
    for _ in 0..8 {
        play.step();
        least = least.min(torque(&play));
    }
    assert!(least < 0.5 * before, "{least} of {before} N m");
    (0..60).for_each(|_| play.step());
    assert!((torque(&play) / before - 1.0).abs() < 0.01, "strength returns");
    assert!(!play.performer().has_fallen());
}

/// A spring, torque and mass that are known: a hinge in free air whose target turns with a constant speed, and one that must bear more
/// than it can.
#[test]
fn a_muscle_follows_what_turns_and_gives_way_to_what_is_too_heavy() {
    const MASS: f32 = 2.0;
    let angle = |max_torque: f32, gravity: f32| {
        let mut scene = Scene::default();
        scene.params.gravity = Vec3::NEG_Y * gravity;
        let wall = BodyDesc { kinematic: true, ..BodyDesc::cuboid(Vec3::splat(0.1), 0.05) };
        let wall = scene.add_body(wall).unwrap();
        let arm = BodyDesc::cuboid(vec3(0.2, 0.05, 0.05), 0.05).with_mass(MASS).at(vec3(0.5, 0.0, 0.0));
        let arm = scene.add_body(arm).unwrap();
        scene.add_joint(JointDesc::new(JointKind::Hinge, wall, arm, vec3(0.2, 0.0, 0.0), Vec3::Z, 0.05)).unwrap();
        let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
        let mut off = 0.0_f32;
        for frame in 1..=60_u8 {
            let wanted = 0.5 * f32::from(frame) / 60.0;
            let motor = Motor::Muscle {
                target: Quat::from_rotation_x(wanted),
                spin: Vec3::X * 0.5,
                response: 0.02,
                max_torque,
            };
            solver.follow(&Cues { motors: vec![(JointId(0), Some(motor))], ..Cues::default() }).unwrap();
            solver.step();
            let found = solver.read_placements().unwrap();
            let found = scene.joints[0].angle(found[0].rotation, found[1].rotation);
            if frame > 10 {
                off = off.max((found - wanted).abs());
            }
        }
        off
    };
    let free = angle(f32::INFINITY, 0.0);
    assert!(free < 1e-3, "{free} rad off");
    // m g 0.3 m = 5.9 N m at most.
    let strong = angle(12.0, 9.81);
    assert!(strong < 2e-3, "{strong} rad off under a load that it bears");
    let weak = angle(3.0, 9.81);
    assert!(weak > 0.5, "{weak} rad off under twice what it bears");
}

#[test]
fn wrong_pulls_are_refused() {
    let mut play = on_ground("idle");
    let body = play.cast.performers[0].bodies()[0];
    let at = Placement::IDENTITY;
    let pull =
        BodyPull { goal: BodyGoal { body, from: at, to: at }, rate: 5.0, mass: 1.0, max_force: 1.0, max_torque: 1.0 };
    for wrong in [
        BodyPull { rate: f32::NAN, ..pull },
        BodyPull { rate: 61.0, ..pull },
        BodyPull { mass: -1.0, ..pull },
        BodyPull { max_force: f32::INFINITY, ..pull },
        BodyPull { goal: BodyGoal { body: sinew::scene::BodyId(9999), ..pull.goal }, ..pull },
    ] {
        assert!(play.solver.pull_bodies(&[pull, wrong]).is_err(), "{wrong:?}");
    }
    play.solver.pull_bodies(&[pull]).unwrap();
    play.step();
    healthy(&play);
}

/// Twenty blows from chance, half a second apart, at strengths from chance: nothing breaks, and nobody flies.
#[test]
fn whatever_happens_to_it_stays_healthy() {
    let mut random = Random::new(7);
    let mut play = on_ground("dance");
    for _ in 0..20 {
        let limbs = play.cast.performers[0].bodies().len();
        let limb = (random.between(0.0, limbs as f32) as usize).min(limbs - 1);
        let body = play.cast.performers[0].bodies()[limb];
        let push = vec3(random.between(-60.0, 60.0), random.between(-20.0, 40.0), random.between(-60.0, 60.0));
        play.solver.push(Push::impulse(Thing::Body(body), push)).unwrap();
        play.performer().drive(random.between(0.0, 1.0)).unwrap();
        for _ in 0..30 {
            play.step();
        }
        let fastest =
            play.solver.read_bodies().unwrap().iter().map(|b| Vec3::from(b.velocity).length()).fold(0.0, f32::max);
        assert!(fastest < 20.0, "{fastest} m/s");
        healthy(&play);
    }
}

/// Twenty people a metre above the ground at most, at any time of the dance, turned and strong as chance has it: each of them
/// (of 200 in the long run) falls or stands, none flies, and no joint opens.
#[test]
fn twenty_starts_are_healthy() {
    const SIDE: u32 = 5;
    let context = Context::shared().expect("adapter");
    let dancer = Character::dancer().unwrap().undressed();
    let clip = dancer.clip(Some("dance")).unwrap();
    let mut random = Random::new(3);
    let rounds = if crate::effort::is_long() { 10 } else { 1 };
    for round in 0..rounds {
        let (mut scene, mut cast) = (Scene::default(), Cast::default());
        scene.add_collider(Collider::ground(0.0)).unwrap();
        for i in 0..4 * SIDE {
            let position = 4.0 * vec3((i % SIDE) as f32, 0.0, (i / SIDE) as f32) + Vec3::Y * random.between(1.0, 2.0);
            let place = Placement { position, rotation: random.rotation() };
            let mut performer = dancer.stand(&mut scene, place).unwrap();
            performer.enter(&mut scene, place, clip, random.between(0.0, 10.0)).unwrap();
            performer.drive(random.between(0.0, 1.0)).unwrap();
            cast.add(performer);
        }
        let mut solver = Solver::new(&context, &scene).unwrap();
        let mut fastest = 0.0_f32;
        for _ in 0..90 {
            solver.direct(&mut cast).unwrap();
            solver.step();
            let bodies = solver.read_bodies().unwrap();
            fastest = bodies.iter().map(|body| body.velocity().length()).fold(fastest, f32::max);
        }
        let health = solver.read_health().unwrap();
        assert!(health.is_good(), "round {round}: {health:?}");
        let at = Snapshot::start(&scene).next(&solver.read_bodies().unwrap(), &solver.read_particles().unwrap(), 1.0);
        let widest = joint_gaps(&scene, &at, |_| true).into_iter().fold(0.0, f32::max);
        println!("round {round}: {fastest} m/s, gaps {widest} m");
        // Three metres of fall make 8 m/s, and an arm swings as fast as twice that.
        assert!(fastest < 16.0, "round {round}: {fastest} m/s");
        assert!(widest < 0.005, "round {round}: a joint is {widest} m open");
    }
}

/// Pushed over: it has fallen a moment ago.
fn fallen() -> Play {
    let mut play = on_ground("idle");
    (0..30).for_each(|_| play.step());
    let chest = play.cast.performers[0].bodies()[play.limb("chest")];
    play.solver.push(Push::impulse(Thing::Body(chest), Vec3::Z * 250.0)).unwrap();
    (0..60).for_each(|_| play.step());
    assert!(play.performer().has_fallen());
    play
}

#[test]
fn held_again_it_goes_where_the_clip_has_it_and_does_not_jump() {
    let mut play = on_ground("walk");
    (0..60).for_each(|_| play.step());
    let places = |play: &Play| play.solver.read_placements().unwrap();
    // The farthest that a limb goes in a frame of so many.
    let widest = |play: &mut Play, frames: u32| {
        (0..frames).fold(0.0_f32, |widest, _| {
            let before = places(play);
            play.step();
            before.iter().zip(places(play)).map(|(a, b)| a.position.distance(b.position)).fold(widest, f32::max)
        })
    };
    play.performer().hold();
    let apart = widest(&mut play, 60);
    // A foot swings at 3 m/s.
    assert!(apart < 0.08, "a limb jumps by {apart} m");
    assert!(play.hips().distance(play.wanted_hips()) < 1e-3, "it is where the clip has it");
    healthy(&play);

    // Put elsewhere while it is driven, it is as far from the clip there as it was here.
    play.performer().drive(1.0).unwrap();
    (0..30).for_each(|_| play.step());
    let far = Placement { position: vec3(4.0, 0.0, 1.0), rotation: Quat::from_rotation_y(1.5) };
    play.performer().teleport(far);
    play.step();
    play.performer().hold();
    let apart = widest(&mut play, 30);
    assert!(apart < 0.1, "after a teleport a limb jumps by {apart} m");
    healthy(&play);

    let mut play = fallen();
    play.performer().hold();
    (0..30).for_each(|_| play.step());
    assert!(play.performer().is_limp() && play.hips().y < 0.5);
    play.performer().drive(1.0).unwrap();
    let (at, scene) = (places(&play), play.scene.clone());
    play.performer().get_up(&at, &scene);
    (0..240).for_each(|_| play.step());
    assert!(play.performer().is_driven() && !play.performer().has_fallen() && play.hips().y > 0.8);
    healthy(&play);
}

/// A table that is a body: heavy enough to stay where it is.
fn on_a_table(scene: &mut Scene, performer: &mut Performer) {
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let table = BodyDesc::cuboid(vec3(3.0, 0.4, 3.0), 0.2).with_mass(400.0).at(0.4 * Vec3::Y);
    scene.add_body(table).unwrap();
    performer.enter(scene, (0.8 * Vec3::Y).into(), performer.clip(), 0.0).unwrap();
}

#[test]
fn who_lies_on_a_body_gets_up_on_it() {
    for driven in [false, true] {
        let mut play = Play::new("idle", on_a_table);
        if driven {
            play.performer().drive(1.0).unwrap();
            (0..20).for_each(|_| play.step());
            let chest = play.cast.performers[0].bodies()[play.limb("chest")];
            play.solver.push(Push::impulse(Thing::Body(chest), Vec3::Z * 150.0)).unwrap();
            (0..30).for_each(|_| play.step());
            assert!(play.performer().has_fallen());
        } else {
            play.performer().go_limp();
        }
        (0..180).for_each(|_| play.step());
        let lies = play.solver.read_placements().unwrap();
        if !driven {
            let scene = play.scene.clone();
            play.performer().get_up(&lies, &scene);
        }
        (0..150).for_each(|_| play.step());
        let now = play.solver.read_placements().unwrap();
        let table = play.scene.bodies.iter().position(|body| body.mass > 300.0).unwrap();
        let sunk = (now[table].position.y - 0.4).abs();
        println!("hips at {}, the table {sunk} m off", play.hips());
        assert!(sunk < 0.02, "the table is {sunk} m off");
        assert!(play.hips().y > 1.5, "driven {driven}: hips at {}", play.hips());
        healthy(&play);
    }
}

#[test]
fn who_fell_and_has_no_strength_stays_down() {
    let mut play = fallen();
    play.performer().drive(0.0).unwrap();
    assert!(!play.performer().has_fallen(), "who keeps no balance has lost none");
    (0..240).for_each(|_| play.step());
    assert!(play.hips().y < 0.5);
    play.performer().set_balance(0.0).unwrap();
    assert!(!play.performer().has_fallen());
    healthy(&play);
}

#[test]
fn struck_while_it_gets_up_it_falls_again_and_gets_up_again() {
    let mut play = fallen();
    let mut frames = 0;
    while play.performer().is_driven() && frames < 400 {
        play.step();
        frames += 1;
    }
    assert!(frames < 400, "it never got up");
    (0..10).for_each(|_| play.step());
    let bodies = play.performer().bodies().to_vec();
    play.cast.knock_down(&bodies[..1]);
    play.step();
    assert!(play.performer().has_fallen() && !play.performer().is_limp());
    (0..400).for_each(|_| play.step());
    assert!(!play.performer().has_fallen() && play.hips().y > 0.8);
    healthy(&play);
}

#[test]
fn nothing_pulls_at_what_is_loose() {
    let mut play = on_ground("idle");
    let chest = play.cast.performers[0].bodies()[play.limb("chest")];
    let pulled = |play: &mut Play| play.cast.advance(1.0 / 60.0).pulls.iter().any(|pull| pull.goal.body == chest);
    assert!(pulled(&mut play));
    play.cast.loosen("spine");
    assert!(!pulled(&mut play));
}

#[test]
fn without_a_hand_it_feels_and_falls_as_before() {
    let mut play = on_ground("idle");
    (0..30).for_each(|_| play.step());
    let [hand, chest] = ["leftHand", "chest"].map(|limb| play.cast.performers[0].bodies()[play.limb(limb)]);
    play.solver.remove_body(hand).unwrap();
    (0..30).for_each(|_| play.step());
    assert!(!play.performer().has_fallen());
    play.solver.push(Push::impulse(Thing::Body(chest), Vec3::Z * 250.0)).unwrap();
    (0..60).for_each(|_| play.step());
    assert!(play.performer().has_fallen());
    healthy(&play);
}

#[test]
fn muscles_of_other_limbs_are_refused() {
    let play = on_ground("idle");
    let performer = &play.cast.performers[0];
    let text = ron::to_string(performer).unwrap();
    let read = |text: &str| -> Result<(), String> {
        let mut read: Performer = ron::from_str(text).unwrap();
        read.rejoin(performer.rig().clone(), &play.scene)
    };
    read(&text).unwrap();
    for (field, wrong) in
        [("child:", "999"), ("joint:", "999"), ("balance:", "2.0"), ("torque:", "-1.0"), ("tall:", "inf")]
    {
        let at = text.find(field).unwrap_or_else(|| panic!("no {field}")) + field.len();
        let end = at + text[at..].find([',', ')']).unwrap();
        let told = read(&format!("{}{wrong}{}", &text[..at], &text[end..])).unwrap_err();
        assert!(told.contains("muscles"), "{field} {wrong}: {told}");
    }
}
