//! Bowling with dancers: three throws at six of them, with crates, a banner, a pool behind the lane, a bumper that goes to and fro, and an
//! explosion at the end. What the balls hit is told by events, what falls into the pool by a sensor. A second round begins from the
//! state in which the first one began.
//!
//! `cargo run --release --example bowling [-- FRAMES-OF-A-THROW [FILE.png]]`

use std::error::Error;
use std::sync::Arc;

use sinew::animation::Cast;
use sinew::glam::{Quat, Vec3, Vec4, vec3};
use sinew::gpu::Context;
use sinew::render::{Camera, DrawOptions, Renderer, image};
use sinew::scene::{
    BodyDesc, Collider, ColliderId, Deformable, Explosion, Kinds, Liquid, Material, Placement, PoolId, Scene, Sensor,
    Shape, SheetGrid, SheetMaterial, Shell, Thing, Topology, primitive_model,
};
use sinew::solver::{ContactPhase, EventKind, Listener, Query, SensorId, Solver, Spawned};
use sinew::spawn::Character;
use sinew::wgpu::TextureFormat;

type Outcome<T> = Result<T, Box<dyn Error>>;

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

struct Game {
    solver: Solver,
    cast: Cast,
    balls: PoolId,
    thrown: Vec<Spawned>,
    pool: SensorId,
    bumper: ColliderId,
    fallen: Vec<bool>,
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
        performer.set_strength(15.0);
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
    let balls = scene.add_pool(&ball, 3)?;
    Ok(Alley { scene, cast, balls, bumper })
}

/// Cloth between two posts, above the dancers.
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

impl Game {
    fn new(context: &Context, alley: &Alley) -> Outcome<Self> {
        let mut solver = Solver::new(context, &alley.scene)?;
        solver.listen(Listener::everything().only(Kinds::BODIES).at_least_impulse(HARD))?;
        let pool = Sensor::new(Shape::Cuboid(vec3(1.2, 0.3, 0.65)), vec3(0.0, 0.2, -6.7)).only(Kinds::BODIES);
        let pool = solver.add_sensor(pool)?;
        let (cast, fallen) = (alley.cast.clone(), vec![false; alley.cast.performers.len()]);
        let (balls, bumper) = (alley.balls, alley.bumper);
        Ok(Self { solver, cast, balls, thrown: Vec::new(), pool, bumper, fallen, score: 0 })
    }

    /// Throws a ball at the first dancer who still stands, if a ray from the hand finds her.
    fn throw(&mut self) -> Outcome<()> {
        let hand = vec3(0.1, LANE + 0.14, 4.5);
        let standing = self.cast.performers.iter().find(|performer| !performer.is_limp());
        let goal = standing.map_or(Vec3::NEG_Z, |performer| performer.place().position);
        let way = (goal - hand).with_y(0.0).normalize();
        if let Some(hit) = self.solver.ask_now(&[Query::ray(hand, way, 20.0)])?.first(0) {
            println!("  {:?} is {:.1} m away", hit.thing, hit.distance);
        }
        let ball = self.solver.spawn_from(self.balls, Placement::from(hand), 9.0 * way)?;
        self.thrown.push(ball);
        Ok(())
    }

    fn step(&mut self) -> Outcome<()> {
        let time = self.solver.view().time as f32;
        let (place, speed) = (0.9 * time.cos(), -0.9 * time.sin());
        let at = vec3(place, LANE + 0.12, 1.0);
        self.solver.set_collider_pose(self.bumper, at, Quat::IDENTITY, Vec3::X * speed, Vec3::ZERO)?;
        self.solver.direct(&mut self.cast)?;
        self.solver.step();
        self.count();
        Ok(())
    }

    /// Counts what happened.
    fn count(&mut self) {
        for event in self.solver.take_events() {
            match event.kind {
                EventKind::Contact(hit) if hit.phase == ContactPhase::Began => {
                    let [a, b] = hit.user_data;
                    if a.min(b) == BALL && a.max(b) == CRATE {
                        self.score += HIT;
                        println!("  frame {}: a crate is hit with {:.0} N s", event.frame, hit.impulse);
                    }
                }
                EventKind::Entered { sensor, user_data: BALL, .. } if sensor == self.pool => {
                    self.score += SPLASH;
                    println!("  frame {}: a ball falls into the water", event.frame);
                }
                _ => {}
            }
        }
        for (number, (performer, fallen)) in (1..).zip(self.cast.performers.iter().zip(&mut self.fallen)) {
            if performer.is_limp() && !*fallen {
                *fallen = true;
                self.score += FALLEN;
                println!("  dancer {number} falls");
            }
        }
    }

    fn round(&mut self, frames: u32) -> Outcome<u32> {
        for throw in 1..=3 {
            println!(" throw {throw}");
            self.throw()?;
            for _ in 0..frames {
                self.step()?;
            }
        }
        self.solver.explode(Explosion::new(vec3(0.0, LANE, -1.8), 2.5, 6.0))?;
        for _ in 0..frames {
            self.step()?;
        }
        Ok(self.score)
    }
}

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let frames: u32 = arguments.next().map_or(Ok(80), |frames| frames.parse())?;
    let file = arguments.next().unwrap_or_else(|| "bowling.png".into());
    let context = Context::headless(None)?;
    let alley = alley()?;
    let mut game = Game::new(&context, &alley)?;
    let mut renderer = Renderer::new(&context, &alley.scene, TextureFormat::Rgba8UnormSrgb)?;

    let start = game.solver.save()?;
    println!("first round");
    let first = game.round(frames)?;
    game.solver.restore(&start)?;
    (game.cast, game.score) = (alley.cast.clone(), 0);
    game.fallen.fill(false);
    println!("second round");
    let second = game.round(frames)?;
    println!("{first} points, then {second}");

    renderer.sync(&game.solver)?;
    let camera = Camera { eye: vec3(3.6, 2.6, 3.2), target: vec3(-0.2, 0.6, -2.0), ..Camera::default() };
    let picture = image(&context, &mut renderer, (960, 640), &camera, &game.solver.view(), &DrawOptions::default())?;
    picture.save(&file)?;
    println!("{file}");
    Ok(())
}
