//! From a skinned asset to a plan, step by step.

use std::sync::Arc;

use glam::Vec3;

use super::bodies::{LEAST_CELLS, PlannedBody, from_bone, from_cells};
use super::joints::{Part, PlannedJoint, facing, joint};
use super::labels::Label;
use super::regions::{Region, Regions};
use super::skinning::{PlannedBone, Rig};
use super::tree::{Edge, Limb, span};
use super::volume::Volume;
use super::{RagdollError, RagdollPlan, RagdollSettings, mass};
use crate::import::{Asset, Hold, SolidError, bounds, solid_body};
use crate::scene::{Scene, TriangleMesh};

/// Gap across which bodies count as touching, and how far a pivot may lie outside them [share of the size].
const REACH: f32 = 0.05;
/// Vertices of a region that distances are measured from.
const SAMPLES: usize = 200;

/// Builds the ragdoll of a character; an asset without a skin becomes one rigid body, and says so.
///
/// # Errors
/// [`RagdollError`] for settings out of range and for meshes without any area.
pub fn build(asset: &Asset, settings: &RagdollSettings) -> Result<RagdollPlan, RagdollError> {
    settings.check()?;
    let plan = if asset.holds.contains(&Hold::Skin) { jointed(asset, settings)? } else { rigid(asset, settings)? };
    // The plan is tried once, so that adding it later can only fail for where it is put.
    plan.add_to(&mut Scene::default(), Vec3::ZERO, glam::Quat::IDENTITY, glam::Vec4::ONE)
        .map_err(|fault| RagdollError::Refused { name: asset.name.clone(), fault })?;
    Ok(plan)
}

/// Box around the parts that `wanted` picks.
fn size(asset: &Asset, wanted: impl Fn(Hold) -> bool) -> Vec3 {
    let parts = asset.model.primitives.iter().zip(&asset.holds).filter(|(_, hold)| wanted(**hold));
    let used = parts.flat_map(|(part, _)| part.indices.iter().map(|i| &part.positions[*i as usize]));
    bounds(used).map_or(Vec3::ZERO, |(low, high)| high - low)
}

fn jointed(asset: &Asset, settings: &RagdollSettings) -> Result<RagdollPlan, RagdollError> {
    let size = size(asset, |hold| hold == Hold::Skin);
    let long = size.max_element();
    let regions = Regions::new(asset, settings.merge * long, settings.max_bodies);
    let volume = Volume::new(asset, &regions, settings.spacing * long)
        .map_err(|e| SolidError { name: asset.name.clone(), reason: e.to_string() })?;
    let names: Vec<String> = regions.list.iter().map(|r| asset.joints[r.joint].name.clone()).collect();
    let limbs = limbs(&regions, &volume);
    let (root, edges, repairs) = span(&limbs, &names, REACH * long);
    let parts = parts(asset, &regions, limbs, root, &edges);
    let forward = facing(&parts);
    let radius = 0.5 * volume.voxels.spacing;
    let mut joints: Vec<PlannedJoint> =
        edges.iter().map(|edge| joint(*edge, &parts, REACH * long, radius, forward)).collect();
    joints.iter_mut().for_each(|j| j.damping = settings.damping);
    let mut bodies: Vec<PlannedBody> = (0..names.len())
        .map(|index| {
            let label = parts[index].label;
            let (cells, vertices) = (&volume.cells[index], &regions.list[index].vertices);
            let mine = joints.iter().filter(|j| j.parent == index || j.child == index);
            let shared: Vec<Vec3> = mine.flat_map(PlannedJoint::shared).collect();
            let body = if cells.len() < LEAST_CELLS {
                from_bone(&names[index], label, vertices, radius, settings.density)
            } else {
                from_cells(&names[index], label, index, &volume, &shared, settings)
            };
            PlannedBody { joint: Some(regions.list[index].joint), merged: regions.merged(index), ..body }
        })
        .collect();
    mass::balance(&mut bodies, &joints);
    mass::rub(&bodies, &mut joints, settings.friction);
    let ignores = overlaps(&bodies, &joints);
    let mut warnings = asset.warnings.clone();
    warnings.extend(thin_bones(&names, &volume));
    let rig = Rig::new(asset, &bodies, &joints);
    let model = Arc::new(rig.model(asset, &bodies, &mut warnings));
    let mut changes = regions.changes;
    changes.extend(repairs);
    Ok(RagdollPlan {
        name: asset.name.clone(),
        size,
        bodies,
        joints,
        ignores,
        bones: rig.bones,
        model,
        changes,
        warnings,
    })
}

fn thin_bones<'a>(names: &'a [String], volume: &'a Volume) -> impl Iterator<Item = String> + 'a {
    let thin = names.iter().zip(&volume.cells).filter(|(_, cells)| cells.len() < LEAST_CELLS);
    thin.map(|(name, cells)| {
        format!("{name} is too thin for its {} cubes; its particles lie along the bone", cells.len())
    })
}

/// What the tree is spanned over: cubes of the skin, and vertices because thin parts have no cubes.
fn limbs(regions: &Regions, volume: &Volume) -> Vec<Limb> {
    let half = 0.5 * volume.voxels.spacing;
    let of = |(index, region): (usize, &Region)| {
        let cubes = volume.region(index, false);
        let step = region.vertices.len().div_ceil(SAMPLES).max(1);
        let vertices = region.vertices.iter().step_by(step).map(|p| (*p, 0.0));
        let samples = cubes.centers().map(|p| (p, half)).chain(vertices).collect();
        Limb {
            parent: region.parent,
            samples,
            volume: cubes.cells.len() as f32 + 1.0e-3 * region.vertices.len() as f32,
        }
    };
    regions.list.iter().enumerate().map(of).collect()
}

/// Label and bone of every body, labelled from the root outward.
fn parts(asset: &Asset, regions: &Regions, limbs: Vec<Limb>, root: usize, edges: &[Edge]) -> Vec<Part> {
    let origin = |body: usize| asset.joints[regions.list[body].joint].rest.w_axis.truncate();
    let mut parts: Vec<Part> = limbs
        .into_iter()
        .enumerate()
        .map(|(body, limb)| {
            let below = edges.iter().filter(|e| e.parent == body && e.hinge_of == Some(e.child));
            let ends: Vec<Vec3> = below.map(|e| origin(e.child)).collect();
            // A bone points at the bones below it; the last of a chain at its skin.
            let aims = if ends.is_empty() { &regions.list[body].vertices } else { &ends };
            let aim = aims.iter().sum::<Vec3>() / aims.len().max(1) as f32;
            Part { label: Label::Other, aim, origin: origin(body), samples: limb.samples }
        })
        .collect();
    let name = |body: usize| asset.joints[regions.list[body].joint].name.as_str();
    parts[root].label = Label::of(name(root), None);
    for edge in edges {
        parts[edge.child].label = Label::of(name(edge.child), Some(parts[edge.parent].label));
    }
    parts
}

/// Pairs without a joint of their own whose particles and shapes meet in the rest pose.
pub(super) fn overlaps(bodies: &[PlannedBody], joints: &[PlannedJoint]) -> Vec<(usize, usize)> {
    let joined = |a, b| joints.iter().any(|j| (j.parent, j.child) == (a, b) || (j.parent, j.child) == (b, a));
    let pierces = |a: &PlannedBody, b: &PlannedBody| {
        let shift = a.desc.position - b.desc.position;
        a.desc.points.iter().any(|p| b.desc.shape.distance(*p + shift) < 1.1 * a.desc.radius)
    };
    let pairs = (0..bodies.len()).flat_map(|a| (a + 1..bodies.len()).map(move |b| (a, b)));
    pairs
        .filter(|(a, b)| !joined(*a, *b))
        .filter(|(a, b)| pierces(&bodies[*a], &bodies[*b]) || pierces(&bodies[*b], &bodies[*a]))
        .collect()
}

/// One body of everything.
fn rigid(asset: &Asset, settings: &RagdollSettings) -> Result<RagdollPlan, RagdollError> {
    let mut mesh = TriangleMesh::default();
    for part in &asset.model.primitives {
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(&part.positions);
        mesh.triangles.extend(part.indices.chunks_exact(3).map(|t| [first + t[0], first + t[1], first + t[2]]));
    }
    let size = size(asset, |_| true);
    // A full box of about the wanted number of particles, or fewer if the spacing says so.
    let crowded = (size.element_product() / settings.max_body_particles as f32).cbrt();
    let radius = 0.5 * crowded.max(settings.spacing * size.max_element());
    let (mut desc, center) = solid_body(&asset.name, &mesh, radius, settings.density)?;
    desc.position = center;
    let mut warnings = asset.warnings.clone();
    warnings.push("has no skin: it is one rigid body".into());
    Ok(RagdollPlan {
        name: asset.name.clone(),
        size,
        bones: vec![PlannedBone::root(0, &desc)],
        bodies: vec![PlannedBody::new(desc, Label::Other, size)],
        joints: Vec::new(),
        ignores: Vec::new(),
        model: Arc::new(asset.model.clone()),
        changes: Vec::new(),
        warnings,
    })
}
