//! Any model as cloth: its vertices, made one where they share a place, are particles, and the model is drawn on them.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};
use thiserror::Error;

use super::coarsen::{Coarse, coarsen};
pub use super::pins::Pins;
use super::refine::refine;
use super::tets::{Mended, mended};
use crate::scene::{
    Anchor, Deformable, DeformableId, Model, Scene, SceneError, SheetMaterial, Shell, SurfaceMesh, TriangleMesh,
    crossings,
};

/// Radius of a particle over the mean length of its edges: neighbors nearly touch, so nothing slips between them.
pub(crate) const RADIUS: f32 = 0.45;
/// Largest radius over the middle one, and least over the largest: the grid's cells follow the largest.
const WIDEST: f32 = 2.0;
const FINEST: f32 = 0.25;
/// Longest edge over the distance of neighbors in an even mesh of the wanted number of particles.
const LONGEST: f32 = 1.4;
/// Shortest edge over that distance: particles closer together than the others are light and carry heavy ones, and in a fall go farther
/// in a substep than they are apart.
const SHORTEST: f32 = 0.5;
/// Particles from which a cloth is slow anywhere.
const CROWDED: usize = 60_000;

/// A model that cannot become cloth.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("cloth `{name}`: {reason}")]
pub struct ClothError {
    /// The cloth's name.
    pub name: String,
    /// What is wrong and what to change.
    pub reason: String,
}

/// A cloth to add to scenes, with what draws it.
#[derive(Clone, Debug)]
pub struct ClothPlan {
    /// Particles at rest, masses and constraints.
    pub object: Deformable,
    /// The model on the particles.
    pub shell: Arc<Shell>,
    /// What was mended or left out, one sentence each.
    pub warnings: Vec<String>,
}

/// `model` as cloth of about `particles`: edges that are long for so many are halved, and those that are short are collapsed; what is
/// drawn keeps all vertices. Pinned cloth is tethered, unless it is woven.
///
/// # Errors
/// [`ClothError`] for a model without area, numbers that are not finite or out of range, or pins that hold nothing.
pub fn cloth(model: &Model, particles: u32, pins: &Pins, material: &SheetMaterial) -> Result<ClothPlan, ClothError> {
    let error = |reason: String| ClothError { name: model.name.clone(), reason };
    let mut model = model.clone();
    // What is told is counted before edges are cut.
    let repairs = mended(&joined(&model)).map_err(error)?.repairs;
    let spacing = even_spacing(&model, particles.max(3));
    let longest = LONGEST * spacing;
    model.primitives.iter_mut().for_each(|part| refine(part, longest));
    model.materials.iter_mut().for_each(|material| material.double_sided = true);
    let whole = joined(&model);
    let Mended { mesh, places, .. } = mended(&whole).map_err(error)?;
    let said = [
        (repairs.near, "vertices almost coincident with another were merged with it"),
        (repairs.degenerate, "triangles without area were left out"),
        (repairs.duplicate, "duplicate triangles were left out"),
        (repairs.crowded_edges, "edges have more than two triangles, which bend one against the next"),
    ];
    let mut warnings: Vec<String> =
        said.iter().filter(|s| s.0 > 0).map(|(n, what)| format!("{}: {n} {what}", model.name)).collect();
    let used = Used::new(mesh, &places);
    let coarse = coarsen(&used.mesh, SHORTEST * spacing, longest);
    let mesh = &coarse.mesh;
    let particle_of = |at: Vec3| coarse.vertex_of[used.at[&bits(at)] as usize];
    let radii = radii(mesh);
    let mut object = Deformable::sheet(&model.name, mesh.positions.clone(), &mesh.triangles, radii[0], material)
        .map_err(|e| error(e.to_string()))?;
    object.radii = radii;
    let held = pins.held(&model, &mesh.positions, particle_of).map_err(error)?;
    if *pins != Pins::None {
        object.masses.iter_mut().zip(&held).filter(|(_, held)| **held).for_each(|(mass, _)| *mass = 0.0);
        if material.weave.is_none() && held.contains(&true) {
            object.tether(0.0, 0.0).map_err(|e| error(e.to_string()))?;
        }
    }
    if *pins == Pins::Red {
        model.primitives.iter_mut().for_each(|part| part.colors.clear());
    }
    let crossed = crossings(&object.faces, &object.rest);
    if crossed > 0 {
        warnings.push(format!(
            "{}: {crossed} pairs of triangles pass through one another in the file, and stay so until something separates them",
            model.name
        ));
    }
    if object.rest.len() > CROWDED {
        let count = object.rest.len();
        warnings.push(format!("{}: {count} particles are slow; reduce it with `gltf-transform simplify`", model.name));
    }
    let triangles = coarse.triangles_at();
    let shell = Arc::new(Shell::embedded(model, |at| anchor(&coarse, &triangles, particle_of(at), at)));
    Ok(ClothPlan { object, shell, warnings })
}

/// What a vertex at `at` follows that became part of this particle: it alone if that is there, else the triangle around it.
fn anchor(coarse: &Coarse, triangles: &[Vec<u32>], particle: u32, at: Vec3) -> Anchor {
    let moved = coarse.mesh.positions[particle as usize].distance_squared(at) > 0.0;
    match coarse.nearest(triangles, particle, at).filter(|_| moved) {
        Some(([a, b, c], [u, v, w])) => Anchor { particles: [a, b, c, c], weights: [u, v, w, 0.0] },
        None => Anchor::on(particle),
    }
}

/// All triangles of a model.
fn joined(model: &Model) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for part in &model.primitives {
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(&part.positions);
        mesh.triangles.extend(part.indices.as_chunks::<3>().0.iter().map(|t| t.map(|i| first + i)));
    }
    mesh
}

/// Distance of neighbors [m] if so many particles covered the model in equal triangles.
fn even_spacing(model: &Model, particles: u32) -> f32 {
    let mesh = joined(model);
    let area: f32 = mesh.triangles.iter().map(|t| area(t.map(|i| mesh.positions[i as usize]))).sum();
    (area / (particles as f32 * 0.5 * 3.0_f32.sqrt())).sqrt()
}

fn area([a, b, c]: [Vec3; 3]) -> f32 {
    0.5 * (b - a).cross(c - a).length()
}

/// Radius of the particle at each corner [m], from the edges that meet there.
fn radii(mesh: &TriangleMesh) -> Vec<f32> {
    let mut sums = vec![(0.0, 0.0); mesh.positions.len()];
    for [a, b] in mesh.triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]) {
        let length = mesh.positions[a as usize].distance(mesh.positions[b as usize]);
        [a, b].into_iter().for_each(|i| {
            sums[i as usize].0 += length;
            sums[i as usize].1 += 1.0;
        });
    }
    let radii: Vec<f32> = sums.iter().map(|(sum, count)| RADIUS * sum / count).collect();
    let mut sorted = radii.clone();
    sorted.sort_by(f32::total_cmp);
    let most = WIDEST * sorted[sorted.len() / 2];
    radii.iter().map(|r| r.clamp(FINEST * most, most)).collect()
}

fn bits(p: Vec3) -> [u32; 3] {
    p.to_array().map(f32::to_bits)
}

/// A mesh without places that no triangle has.
struct Used {
    mesh: TriangleMesh,
    /// The particle at each place of the model's vertices.
    at: HashMap<[u32; 3], u32>,
}

impl Used {
    /// `places` has the vertices' positions and the corner of `mesh` that each became.
    fn new(mesh: TriangleMesh, places: &[(Vec3, u32)]) -> Self {
        let mut new = vec![u32::MAX; mesh.positions.len()];
        let (mut positions, mut triangles) = (Vec::new(), mesh.triangles);
        for corner in triangles.iter_mut().flatten() {
            let old = *corner as usize;
            if new[old] == u32::MAX {
                new[old] = positions.len() as u32;
                positions.push(mesh.positions[old]);
            }
            *corner = new[old];
        }
        let nearest = |at: Vec3| {
            let far = |i: &usize| at.distance_squared(positions[*i]);
            (0..positions.len()).min_by(|i, j| far(i).total_cmp(&far(j))).unwrap_or(0) as u32
        };
        // Corners of useless triangles only hang on what is nearest.
        let of =
            |corner: u32, at: Vec3| if new[corner as usize] == u32::MAX { nearest(at) } else { new[corner as usize] };
        let at = places.iter().map(|(at, corner)| (bits(*at), of(*corner, *at))).collect();
        Self { mesh: TriangleMesh { positions, triangles }, at }
    }
}

impl ClothPlan {
    /// Adds it to `scene` and draws it, the model's origin at `position` [m].
    ///
    /// # Errors
    /// [`SceneError`] for a pose that is not finite.
    pub fn add_to(
        &self,
        scene: &mut Scene,
        position: Vec3,
        rotation: Quat,
        tint: Vec4,
    ) -> Result<DeformableId, SceneError> {
        let id = scene.add_deformable(&self.object, position, rotation, Vec3::ZERO)?;
        let first_particle = scene.deformables[id.0 as usize].first_particle;
        scene.add_surface(SurfaceMesh { shell: Arc::clone(&self.shell), first_particle, tint })?;
        Ok(id)
    }

    /// Particles, pins, triangles, mass and area, and what was mended or left out; a line each.
    pub fn describe(&self) -> String {
        let Self { object, warnings, .. } = self;
        let area: f32 = object.faces.iter().map(|t| area(t.map(|i| object.rest[i as usize]))).sum();
        let pinned = object.masses.iter().filter(|m| **m == 0.0).count();
        let lines = [
            ("particles", format!("{} of radius {:.4} m, {pinned} pinned", object.rest.len(), object.radius())),
            ("triangles", format!("{} of {area:.4} m²", object.faces.len())),
            ("constraints", object.constraints.len().to_string()),
            ("mass", format!("{:.3} kg", object.masses.iter().sum::<f32>())),
        ];
        let mut text = format!("{}: cloth\n", object.name);
        for (what, value) in lines {
            let _ = writeln!(text, "  {what:<22}{value}");
        }
        for warning in warnings {
            let _ = writeln!(text, "  warning: {warning}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Shape, primitive_model};

    fn made(model: &Model, particles: u32, pins: Pins) -> Result<ClothPlan, ClothError> {
        cloth(model, particles, &pins, &SheetMaterial::default())
    }

    #[test]
    fn a_box_becomes_one_sack_drawn_where_it_is() {
        let model = primitive_model(&Shape::Cuboid(Vec3::new(0.3, 0.2, 0.4)));
        let plan = made(&model, 500, Pins::Top).unwrap();
        let (rest, masses) = (&plan.object.rest, &plan.object.masses);
        assert!((400..1500).contains(&rest.len()), "{}", rest.len());
        // Closed: seams of the six sides are welded.
        let mut edges: HashMap<[u32; 2], u32> = HashMap::new();
        for [a, b, c] in plan.object.faces.iter().copied() {
            [[a, b], [b, c], [c, a]]
                .iter()
                .for_each(|e| *edges.entry([e[0].min(e[1]), e[0].max(e[1])]).or_default() += 1);
        }
        assert!(edges.values().all(|n| *n == 2));
        assert!(rest.iter().zip(masses).all(|(p, m)| (*m == 0.0) == (p.y > 0.19)), "the top is pinned");
        assert!(plan.object.constraints.iter().any(|row| row.stretch().is_some_and(|kept| kept.rest_length > 0.2)));
        let shell = &plan.shell;
        for (vertex, point) in shell.model.primitives[0].positions.iter().zip(&shell.vertex_points[0]) {
            assert!(shell.points[*point as usize].position(rest).distance(*vertex) < 1e-5);
        }
        assert!(shell.model.materials[0].double_sided);
        for part in ["cloth", "pinned", "triangles", "m²", "kg"] {
            assert!(plan.describe().contains(part), "{}", plan.describe());
        }
    }

    #[test]
    fn faults_are_mended_and_counted() {
        let mut model = primitive_model(&Shape::Cuboid(Vec3::splat(0.2)));
        model.name = "box".into();
        let part = &mut model.primitives[0];
        // A triangle twice, one of no area with a vertex of its own, and a wing on an edge that has two already.
        part.indices.extend([part.indices[0], part.indices[1], part.indices[2]]);
        let first = part.positions.len() as u32;
        let along = 0.5 * (part.positions[0] + part.positions[1]);
        part.positions.extend([along, 2.0 * part.positions[0]]);
        part.normals.extend([Vec3::Y; 2]);
        part.indices.extend([0, 1, first, 0, 1, first + 1]);
        // One of the corners of a side is a hair off those of its neighbors.
        part.positions[4].x += 1e-7;
        let plan = made(&model, 8, Pins::None).unwrap();
        let all = plan.warnings.join("; ");
        for part in [
            "vertices almost coincident with another",
            "box: 1 duplicate triangles",
            "without area",
            "edges have more than two triangles",
        ] {
            assert!(all.contains(part), "{all}");
        }
        assert!(plan.object.masses.iter().all(|m| *m > 0.0), "nothing hangs in the air");
    }

    #[test]
    fn a_cloth_that_crosses_itself_is_told_of() {
        let mut model = primitive_model(&Shape::Cuboid(Vec3::splat(0.2)));
        assert!(made(&model, 8, Pins::None).unwrap().warnings.is_empty());
        let part = &mut model.primitives[0];
        let first = part.positions.len() as u32;
        part.positions.extend([Vec3::ZERO, Vec3::new(0.5, 0.01, 0.0), Vec3::new(0.5, 0.0, 0.02)]);
        part.normals.extend([Vec3::Y; 3]);
        part.indices.extend([first, first + 1, first + 2]);
        let warnings = made(&model, 8, Pins::None).unwrap().warnings;
        assert!(warnings[0].contains("pairs of triangles pass through one another"), "{warnings:?}");
    }

    #[test]
    fn small_pieces_beside_large_ones_are_cloth_too() {
        let mut model = primitive_model(&Shape::Cuboid(Vec3::splat(0.2)));
        let part = &mut model.primitives[0];
        let tetrahedron = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.9, 0.0), Vec3::new(0.5, 0.3, 0.8)];
        let obtuse = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.1, 0.0)];
        for (size, at) in [(1e-4, 1.0), (3e-3, 2.0), (0.02, 3.0)] {
            let pieces = [
                (&tetrahedron[..], &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]][..], 0.2),
                (&obtuse[..], &[[0, 1, 2]][..], -0.2),
            ];
            for (corners, triangles, up) in pieces {
                let first = part.positions.len() as u32;
                part.positions.extend(corners.iter().map(|p| *p * size + Vec3::new(at, up, 0.0)));
                part.normals.extend(corners.iter().map(|_| Vec3::Y));
                part.indices.extend(triangles.iter().flatten().map(|corner| corner + first));
            }
        }
        let plan = made(&model, 60, Pins::None).unwrap();
        assert!(plan.object.radii.iter().all(|radius| *radius > 0.0), "{:?}", plan.object.radii);
        assert!(plan.object.masses.iter().all(|mass| *mass > 0.0), "{:?}", plan.object.masses);
        let mut scene = Scene::default();
        plan.add_to(&mut scene, Vec3::ZERO, Quat::IDENTITY, Vec4::ONE).unwrap();
        scene.validate().unwrap();
    }

    #[test]
    fn red_vertices_are_pins_and_faults_are_named() {
        let mut model = primitive_model(&Shape::Cuboid(Vec3::splat(0.2)));
        assert!(made(&model, 100, Pins::Red).unwrap_err().to_string().contains("no vertex is red"));
        let part = &mut model.primitives[0];
        let mark = |p: &Vec3| if p.x > 0.0 { Vec4::new(1.0, 0.0, 0.0, 1.0) } else { Vec4::ONE };
        part.colors = part.positions.iter().map(mark).collect();
        let plan = made(&model, 100, Pins::Red).unwrap();
        for (at, mass) in plan.object.rest.iter().zip(&plan.object.masses) {
            assert!(if at.x > 0.199 { *mass == 0.0 } else { at.x > 0.0 || *mass > 0.0 }, "{at}: {mass} kg");
        }
        assert!(plan.shell.model.primitives[0].colors.is_empty());
        let empty = Model { name: "air".into(), ..Model::default() };
        assert!(made(&empty, 100, Pins::None).unwrap_err().to_string().contains("cloth `air`: it has no triangle"));
        part_of(&mut model)[0].x = f32::NAN;
        assert!(made(&model, 100, Pins::None).unwrap_err().to_string().contains("vertex 0 is not finite"));
    }

    fn part_of(model: &mut Model) -> &mut Vec<Vec3> {
        &mut model.primitives[0].positions
    }
}
