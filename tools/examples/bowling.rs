//! Bowling with dancers: three throws at six of them, with crates, a banner, a pool behind the lane, a bumper that goes to and fro, and an
//! explosion at the end. What the balls hit is told by events, what falls into the pool by a sensor. The next round begins from the
//! state in which the first one began.
//!
//! `cargo run --release --example bowling` opens a window: click to throw where the mouse points, Space for the explosion after the last
//! throw, R for another round, P to pause, A and D to step aside, Escape to end. With frames of a throw, `-- FRAMES [FILE.png]`, or without
//! a display it plays two rounds by itself and draws a picture, `out/bowling.png`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sinew::animation::Cast;
use sinew::app::{Game, GameError, Input, KeyCode, MouseButton, PlayError, Ray, play};
use sinew::glam::{Quat, Vec3, Vec4, vec3};
use sinew::gpu::Context;
use sinew::render::{Camera, DrawOptions, Renderer, image};
use sinew::scene::{
    BodyDesc, Collider, ColliderId, Deformable, Explosion, Kinds, Liquid, Material, Placement, PoolId, Scene, Sensor,
    Shape, SheetGrid, SheetMaterial, Shell, Thing, Topology, primitive_model,
};
use sinew::solver::{ContactPhase, EventKind, Listener, Query, SensorId, Solver, State};
use sinew::spawn::Character;
use sinew::wgpu::TextureFormat;

type Outcome<T> = Result<T, GameError>;

/// Numbers of things that the game knows by; dancers have theirs from 1 on.
const BALL: u64 = 100;
const CRATE: u64 = 101;
/// Points for a dancer who falls, for a crate that a ball hits hard, and for a ball in the water.
const FALLEN: u32 = 10;
const HIT: u32 = 1;
const SPLASH: u32 = 3;
/// Impulse of a hard hit [N s].
const HARD: f32 = 2.0;
const LANE: f32 = 0.2;
const THROWS: usize = 3;

struct Bowling {
    solver: Solver,
    alley: Alley,
    /// The world before the first throw.
    start: State,
    pool: SensorId,
    round: Round,
    best: u32,
    paused: bool,
    over: bool,
}

/// What a round begins anew.
struct Round {
    cast: Cast,
    fallen: Vec<bool>,
    thrown: usize,
    exploded: bool,
    /// Where the player stands across the lane [m].
    aside: f32,
    score: u32,
}

/// What stands where, before the first throw.
struct Alley {
    scene: Scene,
    cast: Cast,
    balls: PoolId,
    bumper: ColliderId,
}

fn alley() -> Outcome<Alley> {
    let (mut scene, mut cast) = (Scene::default(), Cast::default());
    let slab = |half: Vec3, at: Vec3, color: Vec4| Collider { color, ..Collider::new(Shape::Cuboid(half), at) };
    scene.add_collider(Collider::ground(0.0))?;
    let mut lane = slab(vec3(1.2, 0.5 * LANE, 6.0), vec3(0.0, 0.5 * LANE, 0.0), Vec4::new(0.6, 0.38, 0.2, 1.0));
    lane.surface.friction = 0.2;
    scene.add_collider(lane)?;
    let bumper = slab(vec3(0.25, 0.12, 0.08), vec3(0.9, LANE + 0.12, 1.0), Vec4::new(0.7, 0.1, 0.1, 1.0));
    let bumper = scene.add_collider(bumper)?;

    let dancer = Character::dancer()?.undressed();
    let spots = [(0.0, 0.0), (-0.45, -0.7), (0.45, -0.7), (-0.8, -1.4), (0.0, -1.4), (0.8, -1.4)];
    for (number, (x, z)) in (1..).zip(spots) {
        let mut performer = dancer.stand(&mut scene, vec3(x, LANE, z - 1.0))?;
        performer.play("dance")?;
        performer.set_root_motion(false);
        performer.set_strength(15.0)?;
        for body in performer.bodies() {
            scene.set_user_data(Thing::Body(*body), number)?;
        }
        cast.add(performer);
    }

    let half = Vec3::splat(0.15);
    let wood = Arc::new(primitive_model(&Shape::Cuboid(half)));
    for (x, y) in [(-0.32, 0.0), (0.0, 0.0), (0.32, 0.0), (-0.16, 1.0), (0.16, 1.0)] {
        let at = vec3(x - 0.5, LANE + 0.15 + 0.3 * y, -3.2);
        let id = scene.add_body(BodyDesc::cuboid(half, 0.05).with_mass(3.0).at(at))?;
        scene.draw_body(id, &wood, Vec4::new(0.75, 0.55, 0.3, 1.0))?;
        scene.set_user_data(Thing::Body(id), CRATE)?;
    }
    add_banner(&mut scene)?;
    add_pool(&mut scene)?;

    let mut ball = Scene::default();
    let mut desc = BodyDesc::sphere(0.12, 0.06).with_mass(7.0);
    desc.surface.restitution = 0.1;
    let model = Arc::new(primitive_model(&desc.shape));
    let id = ball.add_body(desc)?;
    ball.draw_body(id, &model, Vec4::new(0.05, 0.1, 0.4, 1.0))?;
    ball.set_user_data(Thing::Body(id), BALL)?;
    let balls = scene.add_pool(&ball, THROWS as u32)?;
    Ok(Alley { scene, cast, balls, bumper })
}

/// Cloth that hangs in the air above the dancers, held by its upper edge.
fn add_banner(scene: &mut Scene) -> Outcome<()> {
    let grid = SheetGrid { points: [31, 9], size: sinew::glam::vec2(2.0, 0.5), topology: Topology::Diagonal };
    let mut sheet =
        Deformable::sheet("banner", grid.positions(), &grid.triangles(), 0.02, &SheetMaterial::default())?.damped(3.0);
    let edge = 0.5 * grid.size.y;
    sheet.pin(|at| at.z < 1e-3 - edge);
    let look = Material { double_sided: true, roughness: 0.8, ..Material::default() };
    let shell = Arc::new(Shell::on_particles(&sheet.rest, &grid.triangles(), &grid.uvs(), look));
    let upright = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let id = scene.add_deformable(&sheet, vec3(0.0, 2.5, -2.6), upright, Vec3::ZERO)?;
    scene.draw_shell(id, &shell, Vec4::new(0.1, 0.45, 0.35, 1.0))?;
    Ok(())
}

/// Water between walls, behind the lane.
fn add_pool(scene: &mut Scene) -> Outcome<()> {
    for (half, at) in [
        (vec3(1.3, 0.15, 0.05), vec3(0.0, 0.15, -7.45)),
        (vec3(0.05, 0.15, 0.7), vec3(-1.25, 0.15, -6.7)),
        (vec3(0.05, 0.15, 0.7), vec3(1.25, 0.15, -6.7)),
    ] {
        scene.add_collider(Collider {
            color: Vec4::new(0.3, 0.32, 0.36, 1.0),
            ..Collider::new(Shape::Cuboid(half), at)
        })?;
    }
    let water = scene.add_liquid(Liquid::water(0.05))?;
    let place = |i: u16| vec3(f32::from(i % 24), f32::from(i / 312), f32::from(i / 24 % 13)) * 0.1;
    let drops: Vec<Vec3> = (0..624).map(|i| vec3(-1.15, 0.06, -7.3) + place(i)).collect();
    scene.pour(water, &drops, Vec3::ZERO)?;
    Ok(())
}

impl Round {
    fn new(cast: &Cast) -> Self {
        let (cast, fallen) = (cast.clone(), vec![false; cast.performers.len()]);
        Self { cast, fallen, thrown: 0, exploded: false, aside: 0.1, score: 0 }
    }
}

impl Bowling {
    fn new(context: &Context) -> Outcome<Self> {
        let alley = alley()?;
        let mut solver = Solver::new(context, &alley.scene)?;
        solver.listen(Listener::everything().only(Kinds::BODIES).at_least_impulse(HARD))?;
        let pool = Sensor::new(Shape::Cuboid(vec3(1.2, 0.3, 0.65)), vec3(0.0, 0.2, -6.7)).only(Kinds::BODIES);
        let pool = solver.add_sensor(pool)?;
        let (start, round) = (solver.save()?, Round::new(&alley.cast));
        Ok(Self { solver, alley, start, pool, round, best: 0, paused: false, over: false })
    }

    /// Another round from where the first one began.
    fn again(&mut self) -> Outcome<()> {
        self.solver.restore(&self.start)?;
        self.round = Round::new(&self.alley.cast);
        Ok(())
    }

    fn hand(&self) -> Vec3 {
        vec3(self.round.aside, LANE + 0.14, 4.5)
    }

    /// Throws a ball at what the player points at, level; at the sky, the way the player looks.
    fn throw(&mut self, pointed: Ray) -> Outcome<()> {
        let hand = self.hand();
        let hit = self.solver.ask_now(&[Query::ray(pointed.origin, pointed.direction, 40.0)])?.first(0).copied();
        let way = hit.map_or(pointed.direction, |hit| hit.point - hand).with_y(0.0).normalize_or(Vec3::NEG_Z);
        match hit {
            Some(hit) => println!("  at {:?}, {:.1} m away", hit.thing, hand.distance(hit.point)),
            None => println!("  at the sky"),
        }
        self.solver.spawn_from(self.alley.balls, Placement::from(hand), 9.0 * way)?;
        self.round.thrown += 1;
        Ok(())
    }

    fn act(&mut self, input: &Input) -> Outcome<()> {
        let aside = self.round.aside + 0.02 * input.axis(KeyCode::KeyA, KeyCode::KeyD);
        self.round.aside = aside.clamp(-0.9, 0.9);
        if input.clicked(MouseButton::Left)
            && self.round.thrown < THROWS
            && let Some(ray) = input.ray()
        {
            self.throw(ray)?;
        }
        if input.pressed(KeyCode::Space) && self.round.thrown == THROWS && !self.round.exploded {
            self.round.exploded = true;
            self.solver.explode(Explosion::new(vec3(0.0, LANE, -1.8), 2.5, 6.0))?;
        }
        Ok(())
    }

    /// Counts what happened.
    fn count(&mut self) {
        let round = &mut self.round;
        for event in self.solver.take_events() {
            match event.kind {
                EventKind::Contact(hit) if hit.phase == ContactPhase::Began => {
                    let [a, b] = hit.user_data;
                    if a.min(b) == BALL && a.max(b) == CRATE {
                        round.score += HIT;
                        println!("  frame {}: a crate is hit with {:.0} N s", event.frame, hit.impulse);
                    }
                }
                EventKind::Entered { sensor, user_data: BALL, .. } if sensor == self.pool => {
                    round.score += SPLASH;
                    println!("  frame {}: a ball falls into the water", event.frame);
                }
                _ => {}
            }
        }
        for (number, (performer, fallen)) in (1..).zip(round.cast.performers.iter().zip(&mut round.fallen)) {
            if performer.is_limp() && !*fallen {
                *fallen = true;
                round.score += FALLEN;
                println!("  dancer {number} falls");
            }
        }
        self.best = self.best.max(self.round.score);
    }
}

impl Game for Bowling {
    fn step(&mut self, input: &Input) -> Outcome<()> {
        self.act(input)?;
        let time = self.solver.view().time as f32;
        let (place, speed) = (0.9 * time.cos(), -0.9 * time.sin());
        let at = vec3(place, LANE + 0.12, 1.0);
        self.solver.set_collider_pose(self.alley.bumper, at, Quat::IDENTITY, Vec3::X * speed, Vec3::ZERO)?;
        self.solver.direct(&mut self.round.cast)?;
        self.solver.step();
        self.count();
        Ok(())
    }

    fn frame(&mut self, input: &Input) -> Outcome<()> {
        if input.pressed(KeyCode::KeyR) {
            self.again()?;
        }
        self.paused ^= input.pressed(KeyCode::KeyP);
        self.over = input.pressed(KeyCode::Escape);
        Ok(())
    }

    fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    fn camera(&self) -> Camera {
        Camera { eye: vec3(0.6 * self.round.aside, 1.9, 6.6), target: vec3(0.0, 0.5, -1.5), ..Camera::default() }
    }

    fn cast(&self) -> Option<&Cast> {
        Some(&self.round.cast)
    }

    fn caption(&self) -> String {
        let Round { score, thrown, exploded, .. } = self.round;
        let left = THROWS - thrown;
        let next = match (left, exploded) {
            (1.., _) => format!("click to throw, {left} left"),
            (0, false) => "Space for the explosion".to_owned(),
            (0, true) => "R for another round".to_owned(),
        };
        format!("{score} points, best {} - {next}", self.best)
    }

    fn panels(&mut self, ui: &mut sinew::app::egui::Ui) {
        if self.paused {
            sinew::app::egui::Window::new("Paused").show(ui.ctx(), |ui| self.paused = !ui.button("go on").clicked());
        }
    }

    fn time_scale(&self) -> f64 {
        if self.paused { 0.0 } else { 1.0 }
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

/// A round without a player: throws at the first dancer who still stands.
fn by_itself(game: &mut Bowling, frames: u32) -> Outcome<u32> {
    for throw in 0..=THROWS {
        let mut input = Input::new();
        if throw < THROWS {
            println!(" throw {}", throw + 1);
            let standing = game.round.cast.performers.iter().find(|performer| !performer.is_limp());
            let goal = standing.map_or(Vec3::NEG_Z, |performer| performer.place().position).with_y(game.hand().y);
            input.aim(Ray { origin: game.hand(), direction: (goal - game.hand()).normalize() });
            input.press_button(MouseButton::Left);
        } else {
            input.press(KeyCode::Space);
        }
        for _ in 0..frames {
            game.step(&input)?;
            input.seen();
        }
    }
    Ok(game.round.score)
}

/// Two rounds and a picture.
fn watch(frames: u32, file: &Path) -> Outcome<()> {
    std::fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;
    let context = Context::headless(None)?;
    let mut game = Bowling::new(&context)?;
    println!("first round");
    let first = by_itself(&mut game, frames)?;
    game.again()?;
    println!("second round");
    let second = by_itself(&mut game, frames)?;
    println!("{first} points, then {second}");

    let mut renderer = Renderer::new(&context, game.solver.scene(), TextureFormat::Rgba8UnormSrgb)?;
    let camera = Camera { eye: vec3(3.6, 2.6, 3.2), target: vec3(-0.2, 0.6, -2.0), ..Camera::default() };
    let picture = image(&context, &mut renderer, (960, 640), &camera, &game.solver.view(), &DrawOptions::default())?;
    picture.save(file)?;
    println!("{}", file.display());
    Ok(())
}

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let frames = arguments.next();
    let file = PathBuf::from(arguments.next().unwrap_or_else(|| "out/bowling.png".into()));
    if let Some(frames) = frames {
        let frames = frames.parse::<u32>().ok().filter(|frames| *frames > 0);
        let (Some(frames), true, None) = (frames, file.extension().is_some_and(|e| e == "png"), arguments.next())
        else {
            return Err("usage: bowling [FRAMES [FILE.png]], with 1 frame of a throw or more".into());
        };
        return watch(frames, &file);
    }
    match play("Bowling", Bowling::new) {
        Err(PlayError::NoDisplay(_)) => watch(80, &file),
        played => Ok(played?),
    }
}
