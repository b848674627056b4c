//! Everything at once in one pit: a wall of water breaks over crates, ragdolls, cloths, soft rings, balloons and ropes, and
//! runs up a bank of sand.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3, Vec4, vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{TOPOLOGY, topology};
use super::options::{DemoOption, Options};
use crate::scene::{
    BodyDesc, Deformable, Grains, Liquid, Material, RopeMaterial, Scene, Shape, SheetGrid, SheetMaterial, Shell,
    SoftMaterial, SoftModel, Topology, View, primitive_model,
};
use crate::spawn::{Character, Random, Ring, Section, add_pit, balloon, block, circle, palette};

pub(super) const DEMO: Demo = Demo {
    name: "flood",
    summary: "a wall of water breaks over ragdolls, cloth, soft bodies, balloons, ropes, debris and sand",
    category: Category::Together,
    options: &[
        DemoOption::number(
            "scale",
            [0.01, 4.0],
            0.05,
            "of 8 ragdolls, 3 cloths, 20 soft bodies, 10 balloons, 6 ropes, 1 000 boxes, 60 000 particles of water, 40 000 grains",
        ),
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
        TOPOLOGY,
    ],
    build,
};

/// Radius of particles of water and of grains [m]: all that is here is within a factor of 4. To water a body is a wall, so
/// debris and limbs are wider than a few of its particles.
const WATER: f32 = 0.03;
const GRAIN: f32 = 0.025;
/// Half the width of the pit at scale 1 [m], and the least.
const HALF: f32 = 3.0;
const LEAST: f32 = 0.95;
/// Parts of the length of the floor that water and sand stand on at the start, at its ends; debris is between them.
const WET: f32 = 0.26;
const DRY: f32 = 0.2;
/// Half sides of debris, and the least from one to the next [m].
const DEBRIS: Vec3 = Vec3::new(0.1, 0.08, 0.09);
const GAP: f32 = 0.12;
/// Radii of a soft ring and of its section [m].
const RING: [f32; 2] = [0.17, 0.07];
const BALLOON: f32 = 0.22;
/// Side of a cloth, and length of a rope [m].
const CLOTH: f32 = 1.3;
const ROPE: f32 = 1.2;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let scale = options.number("scale");
    let mut flood = Flood {
        scene: Scene::default(),
        random: Random::new(options.count("seed")),
        half: (HALF * scale.cbrt()).max(LEAST),
        scale,
        top: 0.0,
        topology: topology(options),
    };
    flood.scene.params.substeps = 8;
    add_pit(&mut flood.scene, flood.half, 1.5 * flood.half)?;
    let high = flood.water_and_sand()?;
    flood.debris()?;
    flood.top = flood.top.max(high) + 0.05;
    flood.cloths()?;
    flood.soft()?;
    flood.ropes()?;
    flood.ragdolls()?;
    let Flood { mut scene, half, .. } = flood;
    scene.view = View::around(Vec3::Y * (0.35 * half), 1.35 * half);
    Ok(scene.into())
}

/// A pit that is filled from below.
struct Flood {
    scene: Scene,
    random: Random,
    /// Half the width of the pit [m].
    half: f32,
    scale: f32,
    /// Height below which something is already [m].
    top: f32,
    topology: Topology,
}

impl Flood {
    /// How many of so many at scale 1.
    fn many(&self, count: f32) -> u32 {
        (self.scale * count).round().max(1.0) as u32
    }

    /// Centers of cells of this size for `count` things between two places along X, layer on layer; what comes later is above.
    fn cells_between(&mut self, [low, high]: [f32; 2], count: u32, size: Vec3) -> Vec<Vec3> {
        let along = |length: f32, size: f32| ((length / size) as u32).max(1);
        let [nx, nz] = [along(high - low, size.x), along(2.0 * self.half, size.z)];
        let low = vec3(0.5 * (low + high), self.top, 0.0) - 0.5 * size * vec3(nx as f32, 0.0, nz as f32);
        let place = |i: u32| {
            let at = vec3((i % nx) as f32, (i / (nx * nz)) as f32, (i / nx % nz) as f32);
            low + (at + 0.5) * size
        };
        let cells = (0..count).map(place).collect();
        self.top += size.y * count.div_ceil(nx * nz) as f32;
        cells
    }

    /// The same over the whole pit.
    fn cells(&mut self, count: u32, size: Vec3) -> Vec<Vec3> {
        self.cells_between([-self.half, self.half], count, size)
    }

    /// A wall of water at one end and sand at the other. Returns the height of the higher one [m].
    fn water_and_sand(&mut self) -> Result<f32, DemoError> {
        let (water, sand) = (self.many(60_000.0), self.many(40_000.0));
        let wide = 2.0 * self.half;
        let fill = |count: u32, pitch: f32, length: f32| {
            let [x, z] = [length, wide].map(|side| (side / pitch) as u32);
            [x, count.div_ceil(x * z), z]
        };
        let low = vec3(-self.half, 0.0, -self.half);
        let id = self.scene.add_liquid(Liquid::water(WATER))?;
        let [x, y, z] = fill(water, 2.0 * WATER, WET * wide);
        let mut places = block(low, [x, y, z], WATER);
        places.truncate(water as usize);
        self.scene.pour(id, &places, Vec3::ZERO)?;
        // Loose and a little off the lattice: a regular heap would not flow.
        let loose = 1.06 * GRAIN;
        let [nx, ny, nz] = fill(sand, 2.0 * loose, DRY * wide);
        let corner = vec3(self.half - 2.0 * loose * nx as f32, 0.0, -self.half);
        let mut grains = block(corner, [nx, ny, nz], loose);
        grains.truncate(sand as usize);
        let off = loose - GRAIN;
        let grains: Vec<Vec3> = grains.into_iter().map(|at| at + self.random.offset(off / 3.0_f32.sqrt())).collect();
        let id = self.scene.add_grains(Grains::sand(GRAIN))?;
        self.scene.heap(id, &grains, Vec3::ZERO)?;
        Ok((2.0 * WATER * y as f32).max(2.0 * loose * ny as f32))
    }

    /// Crates from as light as wood to as heavy as stone, in stacks.
    fn debris(&mut self) -> Result<(), DemoError> {
        const DENSITIES: [f32; 4] = [0.4, 0.7, 0.9, 2.2];
        let model = Arc::new(primitive_model(&Shape::Cuboid(DEBRIS)));
        let count = self.many(1000.0);
        let ends = [(2.0 * WET - 1.0) * self.half + GAP, (1.0 - 2.0 * DRY) * self.half - GAP];
        // They stand on one another, and have room to be turned a little.
        let room = 2.0 * DEBRIS + vec3(GAP, 0.0, GAP);
        for (i, at) in self.cells_between(ends, count, room).into_iter().enumerate() {
            let turn = Quat::from_rotation_y(self.random.between(-0.1, 0.1));
            let density = DENSITIES[i % DENSITIES.len()];
            let desc = BodyDesc::cuboid(DEBRIS, 0.03).at(at).rotated(turn);
            let desc = BodyDesc { mass: density * desc.mass, inertia: density * desc.inertia, ..desc };
            let id = self.scene.add_body(desc)?;
            self.scene.draw_body(id, &model, palette(i))?;
        }
        Ok(())
    }

    /// Soft rings and balloons, one after the other.
    fn soft(&mut self) -> Result<(), DemoError> {
        let (rings, balloons) = (self.many(20.0), self.many(10.0));
        let points: Vec<Vec2> = circle(6, RING[1]).chain([Vec2::ZERO]).collect();
        let faces: Vec<[u32; 3]> = (0..6).map(|i| [i, (i + 1) % 6, 6]).collect();
        let ring = Ring::new(&Section { points, faces, outline: 6 }, 16, RING[0]);
        let material = SoftMaterial { density: 700.0, model: SoftModel::NeoHookean { young: 1e5, poisson: 0.4 } };
        let body = Deformable::soft("ring", ring.rest.clone(), &ring.tetrahedra, 0.03, &material)?.damped(10.0);
        let ring_shell = ring.shell();
        let (ball, ball_shell) = balloon(BALLOON, 1.1)?;
        let room = 2.0 * (RING[0] + RING[1]).max(1.1 * BALLOON) + 0.07;
        for (i, at) in (0..).zip(self.cells(rings + balloons, Vec3::splat(room))) {
            // Balloons among the rings, as evenly as it goes.
            let round = (i + 1) * balloons / (rings + balloons) > i * balloons / (rings + balloons);
            let (object, shell) = if round { (&ball, &ball_shell) } else { (&body, &ring_shell) };
            let id = self.scene.add_deformable(object, at, self.random.rotation(), Vec3::ZERO)?;
            self.scene.draw_shell(id, shell, palette(i as usize + 1))?;
        }
        Ok(())
    }

    fn ropes(&mut self) -> Result<(), DemoError> {
        let count = self.many(6.0);
        let line = (0..21).map(|i| Vec3::X * (ROPE * (i as f32 / 20.0 - 0.5))).collect();
        let rope =
            Deformable::rope("rope", line, 0.025, &RopeMaterial { line_density: 1.0, ..RopeMaterial::default() })?;
        for (i, at) in self.cells(count, vec3(ROPE + 0.1, 0.08, 0.2)).into_iter().enumerate() {
            let id = self.scene.add_deformable(&rope.clone().damped(5.0), at, Quat::IDENTITY, Vec3::ZERO)?;
            self.scene.draw_rope(id, [palette(i), palette(7)])?;
        }
        Ok(())
    }

    fn ragdolls(&mut self) -> Result<(), DemoError> {
        let character = Character::dancer()?.undressed();
        let count = self.many(8.0);
        for (i, at) in self.cells(count, Vec3::splat(2.0 * character.radius())).into_iter().enumerate() {
            let turn = self.random.rotation();
            let tint = if i == 0 { Vec4::ONE } else { (0.55 * Vec4::ONE + palette(i)).with_w(1.0) };
            let moment = self.random.between(0.0, 1.0);
            character.toss(&mut self.scene, (at, turn, Vec3::ZERO), moment, tint)?;
        }
        Ok(())
    }

    fn cloths(&mut self) -> Result<(), DemoError> {
        let count = self.many(3.0);
        let grid = SheetGrid { topology: self.topology, ..SheetGrid::square(26, CLOTH) };
        let triangles = grid.triangles();
        // Canvas: light cloth has particles that are as nothing to those of water.
        let canvas = SheetMaterial { area_density: 0.6, ..SheetMaterial::default() };
        let mut cloth =
            Deformable::sheet("cloth", grid.positions(), &triangles, 0.42 * grid.spacing(), &canvas)?.damped(10.0);
        cloth.meets_itself = true;
        let surface = Material { double_sided: true, roughness: 0.9, ..Material::default() };
        let shell = Arc::new(Shell::on_particles(&cloth.rest, &triangles, &grid.uvs(), surface));
        // Over the sand, so that they do not hide the water.
        let ends = [self.half - CLOTH - 0.1, self.half];
        for (i, at) in self.cells_between(ends, count, vec3(CLOTH + 0.1, 0.1, CLOTH + 0.1)).into_iter().enumerate() {
            let id = self.scene.add_deformable(&cloth, at, Quat::IDENTITY, Vec3::ZERO)?;
            self.scene.draw_shell(id, &shell, palette(4 + i))?;
        }
        Ok(())
    }
}
