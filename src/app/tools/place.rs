//! Things that the player puts into the world.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use glam::{Quat, Vec3, Vec4};

use super::Tool;
use crate::import::is_model_file;
use crate::numbers::cubed;
use crate::scene::{
    BodyDesc, Deformable, Grains, GrainsId, Liquid, LiquidId, Material, Scene, Shape, SheetGrid, SheetMaterial, Shell,
    primitive_model,
};
use crate::spawn::{Character, SoftSettings, balloon, block, palette};

/// Radius of particles where a scene has none [m], and the smallest and largest of what is added.
const RADIUS: f32 = 0.03;
const RADII: [f32; 2] = [0.008, 0.08];
/// Drops and grains along each side of a lump.
const LUMP: u32 = 7;
/// Points along each side of a cloth, and the largest radius of its particles [m]: a coarse one stands like paper.
const POINTS: u32 = 30;
const FINE: f32 = 0.018;
/// Particles of a cube of flesh.
const FLESH: u32 = 400;
/// How high above the place it begins [m].
const ABOVE: f32 = 0.05;

impl Tool {
    /// Puts its thing into a scene, its lowest point above a place [m].
    ///
    /// # Errors
    /// What the scene cannot take.
    pub(crate) fn put(self, scene: &mut Scene, place: Vec3) -> Result<()> {
        let radius = usual_radius(scene);
        let at = place + ABOVE * Vec3::Y;
        let tint = palette(scene.bodies.len() + scene.deformables.len());
        match self {
            Self::Water => water(scene, at, radius),
            Self::Sand => sand(scene, at, radius),
            Self::Crate => crate_of_wood(scene, at, radius),
            Self::Cloth => cloth(scene, at, radius, tint),
            Self::Jelly => jelly(scene, at, radius, tint),
            Self::Balloon => {
                let size = (8.0 * radius).clamp(0.12, 0.5);
                let (object, shell) = balloon(size, 1.2)?;
                let id = scene.add_deformable(&object, at + 1.2 * size * Vec3::Y, Quat::IDENTITY, Vec3::ZERO)?;
                Ok(scene.draw_shell(id, &shell, tint)?)
            }
            Self::Dancer => falling(&Character::dancer()?.undressed(), scene, at),
            Self::Pull | Self::Select | Self::Pin | Self::Wind | Self::Cut | Self::Inflate => {
                bail!("this tool adds nothing")
            }
        }
    }
}

/// Puts the model of a file into a scene, above a place [m]: with a skin it falls as a ragdoll, without one as a solid.
///
/// # Errors
/// A file that is no model, or what the scene cannot take.
pub(crate) fn put_model(scene: &mut Scene, path: &Path, place: Vec3) -> Result<()> {
    if !is_model_file(path) {
        bail!(
            "{} is not a model: only a .glb, .gltf or .vrm file can be added to a scene; drop other files without Shift to open them",
            path.display()
        );
    }
    falling(&Character::load(path)?, scene, place + ABOVE * Vec3::Y)
}

fn falling(character: &Character, scene: &mut Scene, at: Vec3) -> Result<()> {
    let lying = Quat::from_rotation_x(-1.2);
    character.add_to(scene, at + 0.4 * Vec3::Y, lying, Vec4::ONE)?;
    Ok(())
}

/// Radius that most particles of a scene have [m].
fn usual_radius(scene: &Scene) -> f32 {
    let mut radii: Vec<f32> = scene.particles.iter().map(|p| p.radius).collect();
    radii.sort_by(f32::total_cmp);
    radii.get(radii.len() / 2).map_or(RADIUS, |radius| radius.clamp(RADII[0], RADII[1]))
}

fn lump(at: Vec3, radius: f32) -> Vec<Vec3> {
    let half = LUMP as f32 * radius;
    block(at - Vec3::new(half, 0.0, half), [LUMP; 3], radius)
}

fn water(scene: &mut Scene, at: Vec3, radius: f32) -> Result<()> {
    let id = match scene.liquids.len() {
        0 => scene.add_liquid(Liquid::water(radius))?,
        _ => LiquidId(0),
    };
    let radius = scene.liquids[id.0 as usize].radius;
    Ok(scene.pour(id, &lump(at, radius), Vec3::ZERO)?)
}

fn sand(scene: &mut Scene, at: Vec3, radius: f32) -> Result<()> {
    let id = match scene.grains.len() {
        0 => scene.add_grains(Grains::sand(radius))?,
        _ => GrainsId(0),
    };
    let radius = scene.grains[id.0 as usize].radius;
    Ok(scene.heap(id, &lump(at, radius), Vec3::ZERO)?)
}

fn crate_of_wood(scene: &mut Scene, at: Vec3, radius: f32) -> Result<()> {
    let half = (5.0 * radius).clamp(0.06, 0.3);
    let desc = BodyDesc::cuboid(Vec3::splat(half), 0.25 * half);
    let density = 500.0 * cubed(2.0 * half);
    let model = Arc::new(primitive_model(&Shape::Cuboid(Vec3::splat(half))));
    let id = scene.add_body(desc.with_mass(density).at(at + half * Vec3::Y).named("crate"))?;
    Ok(scene.draw_body(id, &model, Vec4::new(0.75, 0.55, 0.3, 1.0))?)
}

fn cloth(scene: &mut Scene, at: Vec3, radius: f32, tint: Vec4) -> Result<()> {
    let radius = radius.min(FINE);
    let grid = SheetGrid::square(POINTS, 2.2 * radius * (POINTS - 1) as f32);
    let mut sheet =
        Deformable::sheet("cloth", grid.positions(), &grid.triangles(), radius, &SheetMaterial::default())?.damped(2.0);
    sheet.meets_itself = true;
    let look = Material { double_sided: true, roughness: 0.8, ..Material::default() };
    let shell = Arc::new(Shell::on_particles(&sheet.rest, &grid.triangles(), &grid.uvs(), look));
    let id = scene.add_deformable(&sheet, at + 0.6 * Vec3::Y, Quat::IDENTITY, Vec3::ZERO)?;
    Ok(scene.draw_shell(id, &shell, tint)?)
}

fn jelly(scene: &mut Scene, at: Vec3, radius: f32, tint: Vec4) -> Result<()> {
    let half = (7.0 * radius).clamp(0.1, 0.4);
    let cube = primitive_model(&Shape::Cuboid(Vec3::splat(half)));
    let plan = SoftSettings { particles: FLESH, ..SoftSettings::default() }.plan(&cube)?;
    plan.add_to(scene, at + (half + 0.1) * Vec3::Y, Quat::IDENTITY, tint)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::tools::TOOLS;
    use crate::demos::stage_for;
    use crate::gpu::Context;
    use crate::solver::Solver;

    /// The solver takes it, it falls onto what is there, and nothing is wrong.
    #[test]
    fn everything_can_be_put_into_a_running_world() {
        let context = Context::shared().expect("adapter");
        let mut scene = stage_for("tower", &[]).unwrap().scene;
        let mut solver = Solver::new(&context, &scene).unwrap();
        for (i, (tool, name, _)) in TOOLS.iter().skip_while(|(tool, ..)| *tool != Tool::Water).enumerate() {
            let before = scene.particles.len();
            let at = Vec3::new(2.0 * i as f32 + 3.0, 0.0, 2.0);
            tool.put(&mut scene, at).unwrap();
            solver.spawn(&scene).unwrap_or_else(|error| panic!("{name}: {error}"));
            let places: Vec<Vec3> = solver.read_positions().unwrap()[before..].to_vec();
            assert!(!places.is_empty() && places.iter().all(|p| p.distance(at) < 2.5), "{name} is not there");
            (0..6).for_each(|_| solver.step());
            let lower = solver.read_positions().unwrap()[before..].iter().map(|p| p.y).sum::<f32>();
            assert!(lower < places.iter().map(|p| p.y).sum(), "{name} does not fall");
        }
        assert!(solver.read_health().unwrap().is_good(), "{:?}", solver.read_health().unwrap());
    }

    #[test]
    fn a_model_falls_into_a_running_world() {
        let mut scene = stage_for("tower", &[]).unwrap().scene;
        let (bodies, mut solver) =
            (scene.bodies.len(), Solver::new(&Context::shared().expect("adapter"), &scene).unwrap());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/dancer-meshopt.glb");
        put_model(&mut scene, &path, Vec3::X * 4.0).unwrap();
        assert!(scene.bodies.len() > bodies + 10, "{} bodies", scene.bodies.len());
        solver.spawn(&scene).unwrap();
        (0..5).for_each(|_| solver.step());
        assert!(solver.read_health().unwrap().is_good());
        let error = put_model(&mut scene, Path::new("Cargo.toml"), Vec3::ZERO).unwrap_err().to_string();
        assert!(error.contains("Cargo.toml"), "{error}");
    }

    #[test]
    fn tools_follow_one_another() {
        let mut tool = Tool::default();
        for (expected, ..) in TOOLS {
            assert_eq!(tool, *expected);
            tool = tool.next();
        }
        assert_eq!(tool, Tool::Pull);
    }
}
