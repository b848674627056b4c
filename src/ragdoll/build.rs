//! From a skinned asset to a plan, step by step.

use std::collections::HashMap;
use std::sync::Arc;

use glam::Vec3;

use super::anatomy::Anatomy;
use super::authored::Authored;
use super::bodies::{LEAST_CELLS, cubes, from_bone, from_cells, principal_axes};
use super::joints::{Build, Part};
use super::labels::{Label, Side, Tag};
use super::limits::Shared;
use super::motion::Motion;
use super::plan::{PlannedBody, PlannedBone, PlannedGarment, PlannedJoint, RagdollPlan};
use super::regions::{Choice, Measures, Region, Regions};
use super::rig::Rig;
use super::skinning::Skeleton;
use super::stature::Stature;
use super::tree::{Edge, Limb, span};
use super::volume::Volume;
use super::{LabelSource, Overrides, RagdollError, RagdollSettings, doctor, mass};
use crate::import::voxels::{VoxelError, Voxels};
use crate::import::{Asset, Hold, SolidError, bounds, solid_body};
use crate::scene::{Scene, TriangleMesh};

/// Gap across which bodies count as touching, and how far a pivot may lie outside them [share of the size].
const REACH: f32 = 0.05;
/// Vertices of a region that distances are measured from.
const SAMPLES: usize = 200;
/// Most bodies of a humanoid, and of anything else.
const MOST_BODIES: [usize; 2] = [24, 48];

/// Builds the ragdoll of a character; an asset with neither a skin nor limbs on nodes becomes one rigid body, and says so.
///
/// # Errors
/// [`RagdollError`] for settings out of range and for meshes without any area.
pub fn build(asset: &Asset, settings: &RagdollSettings) -> Result<RagdollPlan, RagdollError> {
    build_with(asset, settings, &Overrides::default())
}

/// Builds the ragdoll of a character as `overrides` want it.
///
/// # Errors
/// As [`build`]; and [`RagdollError::Override`] for bones that are not there or cannot be bodies.
pub fn build_with(
    asset: &Asset,
    settings: &RagdollSettings,
    overrides: &Overrides,
) -> Result<RagdollPlan, RagdollError> {
    settings.check()?;
    let skinned = asset.holds.contains(&Hold::Skin);
    let plan = if skinned {
        jointed(asset, settings, overrides)?
    } else {
        overrides.check_rigid()?;
        let mut plan = rigid(asset, settings)?;
        plan.warnings.push("has neither a skin nor limbs on nodes: it is one rigid body".into());
        plan
    };
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

/// A skinned character while its ragdoll is being built.
struct Making<'a> {
    asset: &'a Asset,
    settings: &'a RagdollSettings,
    overrides: &'a Overrides,
    authored: Option<Authored<'a>>,
    rig: &'a Rig<'a>,
    anatomy: Anatomy,
    stature: Stature,
}

fn jointed(asset: &Asset, settings: &RagdollSettings, overrides: &Overrides) -> Result<RagdollPlan, RagdollError> {
    let size = size(asset, |hold| hold == Hold::Skin);
    let rig = &Rig::new(asset);
    let (anatomy, authored) = (Anatomy::read(rig), Authored::of(asset));
    let stature = Stature::of(rig, &anatomy, size, settings);
    let making = Making { asset, settings, overrides, authored, rig, anatomy, stature };
    let (regions, volume) = making.regions()?;
    let names: Vec<String> = regions.list.iter().map(|r| rig.name(r.joint).to_owned()).collect();
    let limbs = limbs(&regions, &volume);
    let (edges, repairs) = span(&limbs, &names, REACH * making.stature.long);
    overrides.check_joints(asset, edges.iter().map(|edge| regions.list[edge.child].joint))?;
    let parts = parts(rig, &regions, limbs, &edges);
    let motion = Motion::sample(asset, &regions.list.iter().map(|r| r.joint).collect::<Vec<_>>());
    let mut joints = making.joints(&regions, &parts, &edges, &motion, 0.5 * volume.voxels.spacing);
    let cubes: Vec<Voxels> = (0..regions.list.len()).map(|index| cubes(index, &volume, &regions)).collect();
    let mut bodies = making.bodies(&regions, &volume, &cubes, &joints);
    making.weigh(&mut bodies, &joints);
    mass::rub(&bodies, &mut joints, settings.friction);
    let ignores = overlaps(&bodies, &joints);
    let mut warnings = asset.warnings.clone();
    let skeleton = Skeleton::new(asset, &bodies, &joints);
    let model = Arc::new(skeleton.model(asset, &bodies, &mut warnings));
    let mut changes = regions.changes;
    changes.extend(inverted(volume.turned));
    changes.extend(repairs);
    changes.extend(thin_bones(&names, &cubes));
    changes.extend(making.authored.map(|_| "took bodies, masses and joints from the file's own physics".to_owned()));
    let (name, labels) = (asset.name.clone(), making.anatomy.source);
    let (bones, garments) = (skeleton.bones, Vec::new());
    let mut plan =
        RagdollPlan { name, size, bodies, joints, ignores, bones, model, garments, labels, changes, warnings };
    let findings = doctor::examine(&plan, &motion);
    plan.warnings.extend(findings);
    let (garments, findings) = PlannedGarment::all(asset, &plan);
    plan.garments = garments;
    plan.warnings.extend(findings);
    Ok(plan)
}

impl Making<'_> {
    /// Which joints become bodies, and the cubes of each.
    fn regions(&self) -> Result<(Regions, Volume), RagdollError> {
        let solid = |e: VoxelError| SolidError { name: self.asset.name.clone(), reason: e.to_string() };
        let mut volume = Volume::new(self.asset, self.settings.spacing * self.stature.long).map_err(solid)?;
        let mut choices = self.authored.as_ref().map_or_else(HashMap::new, |a| a.choices(self.rig));
        choices.extend(self.overrides.choices(self.rig)?);
        let most = self.settings.max_bodies.unwrap_or(MOST_BODIES[usize::from(!self.anatomy.human)]);
        let measures = Measures {
            least: self.settings.merge * self.stature.long,
            most: most.max(choices.values().filter(|c| **c == Choice::Keep).count()),
            cells: volume.joint_cells(self.rig.len()),
            choices: &choices,
        };
        let regions = Regions::new(self.rig, &self.anatomy, measures);
        volume.assign(self.asset, &regions).map_err(solid)?;
        Ok((regions, volume))
    }

    /// The joints of `edges`, with shared particles of `radius` [m]: by anatomy and clips, then as the file has them,
    /// then as the user wants them.
    fn joints(
        &self,
        regions: &Regions,
        parts: &[Part],
        edges: &[Edge],
        motion: &Motion,
        radius: f32,
    ) -> Vec<PlannedJoint> {
        let Anatomy { axes, human, .. } = self.anatomy;
        let (shared, reach, clips) = (shared(parts, edges), REACH * self.stature.long, !self.asset.clips.is_empty());
        let build = Build { parts, axes, human, shared, reach, radius, clips };
        let joint = |edge: &Edge| {
            let branching = edges.iter().filter(|e| e.parent == edge.parent).count() > 1;
            let mut joint = build.joint(*edge, &motion.between(edge.parent, edge.child), branching);
            let [parent, child] = [edge.parent, edge.child].map(|body| regions.list[body].joint);
            if let Some(authored) = &self.authored {
                authored.shape(parent, child, &mut joint);
            }
            self.overrides.shape(self.asset, child, axes.left, &mut joint);
            PlannedJoint { damping: self.settings.damping, ..joint }
        };
        edges.iter().map(joint).collect()
    }

    /// Bodies of all regions: of their `cubes`, or along the bone where there are too few.
    fn bodies(
        &self,
        regions: &Regions,
        volume: &Volume,
        cubes: &[Voxels],
        joints: &[PlannedJoint],
    ) -> Vec<PlannedBody> {
        let radius = 0.5 * volume.voxels.spacing;
        let body = |(index, region): (usize, &Region)| {
            let mine = joints.iter().filter(|j| j.parent == index || j.child == index);
            let shared: Vec<Vec3> = mine.flat_map(PlannedJoint::shared).collect();
            let (name, settings) = (self.rig.name(region.joint), self.settings);
            let body = if cubes[index].cells.len() < LEAST_CELLS {
                from_bone(name, region.tag, &region.vertices, radius, settings.density)
            } else {
                from_cells(name, region.tag, &cubes[index], volume, &shared, settings)
            };
            PlannedBody { joint: Some(region.joint), merged: regions.merged(index), ..body }
        };
        regions.list.iter().enumerate().map(body).collect()
    }

    /// Masses: a person's or by volume, balanced; those that the file or the user gives stand.
    fn weigh(&self, bodies: &mut [PlannedBody], joints: &[PlannedJoint]) {
        if self.anatomy.human {
            mass::weigh_person(bodies, self.stature.height);
        }
        mass::balance(bodies, joints);
        let told = |joint| self.overrides.mass(self.asset, joint).or_else(|| self.authored.as_ref()?.mass(joint));
        for body in bodies {
            if let Some(mass) = body.joint.and_then(told) {
                body.desc = body.desc.clone().with_mass(mass);
            }
        }
    }
}

/// How many joints bend the spine and the neck.
fn shared(parts: &[Part], edges: &[Edge]) -> Shared {
    let of = |labels: &[Label]| edges.iter().filter(|e| labels.contains(&parts[e.child].tag.label)).count();
    Shared { spine: of(&[Label::Spine, Label::Chest, Label::Pelvis]), neck: of(&[Label::Neck, Label::Head]) }
}

/// What to say of pieces of the skin that were turned over.
fn inverted(pieces: usize) -> Option<String> {
    (pieces > 0).then(|| {
        format!("pieces of the mesh that face inward, treated as facing outward: {pieces}; flip them to have them drawn that way")
    })
}

fn thin_bones<'a>(names: &'a [String], cubes: &'a [Voxels]) -> impl Iterator<Item = String> + 'a {
    let thin = names.iter().zip(cubes).filter(|(_, cubes)| cubes.cells.len() < LEAST_CELLS);
    thin.map(|(name, _)| format!("{name} is too thin for cubes; its particles lie along the bone"))
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
            tag: region.tag,
        }
    };
    regions.list.iter().enumerate().map(of).collect()
}

/// Label and bone of every body.
fn parts(rig: &Rig<'_>, regions: &Regions, limbs: Vec<Limb>, edges: &[Edge]) -> Vec<Part> {
    let origin = |body: usize| rig.origin(regions.list[body].joint);
    let part = |(body, limb): (usize, Limb)| {
        let region = &regions.list[body];
        let below = edges.iter().filter(|e| e.parent == body && e.hinge_of == Some(e.child));
        let ends: Vec<Vec3> = below.map(|e| origin(e.child)).collect();
        // A bone points at the bones below it; the last of a chain at its skin.
        let aims = if ends.is_empty() { &region.vertices } else { &ends };
        let aim = aims.iter().sum::<Vec3>() / aims.len().max(1) as f32;
        let thin = principal_axes(&region.vertices).0[2];
        Part { tag: region.tag, aim, origin: origin(body), thin, samples: limb.samples }
    };
    limbs.into_iter().enumerate().map(part).collect()
}

/// Pairs without a joint of their own whose particles and shapes meet in the rest pose, on one side or its mirror image.
pub(super) fn overlaps(bodies: &[PlannedBody], joints: &[PlannedJoint]) -> Vec<(usize, usize)> {
    let joined = |a, b| joints.iter().any(|j| (j.parent, j.child) == (a, b) || (j.parent, j.child) == (b, a));
    let pairs = (0..bodies.len()).flat_map(|a| (a + 1..bodies.len()).map(move |b| (a, b)));
    let touch = |a: usize, b: usize| meet(&bodies[a], &bodies[b]);
    let mirrored = |a, b| twin(bodies, a).zip(twin(bodies, b)).is_some_and(|(a, b)| touch(a, b));
    pairs.filter(|(a, b)| !joined(*a, *b)).filter(|(a, b)| touch(*a, *b) || mirrored(*a, *b)).collect()
}

/// The same part on the other side; a part in the middle is its own.
fn twin(bodies: &[PlannedBody], body: usize) -> Option<usize> {
    let (label, other) = match (bodies[body].label, bodies[body].side) {
        (_, Side::Middle) => return Some(body),
        (label, Side::Left) => (label, Side::Right),
        (label, Side::Right) => (label, Side::Left),
    };
    bodies.iter().position(|b| b.label == label && b.side == other)
}

/// Overlap at rest that contacts may undo, in radii of a particle: thighs that just touch still collide.
const TOUCH: f32 = 0.25;

/// Whether particles of one lie in the shape of the other in the rest pose.
fn meet(a: &PlannedBody, b: &PlannedBody) -> bool {
    let pierces = |a: &PlannedBody, b: &PlannedBody| {
        let shift = a.desc.position - b.desc.position;
        a.desc.points.iter().any(|p| b.desc.shape.distance(*p + shift) < (1.0 - TOUCH) * a.desc.radius)
    };
    pierces(a, b) || pierces(b, a)
}

/// One body of everything, whatever skeleton there is.
///
/// # Errors
/// [`RagdollError`] when the model cannot be made solid.
pub fn rigid(asset: &Asset, settings: &RagdollSettings) -> Result<RagdollPlan, RagdollError> {
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
    Ok(RagdollPlan {
        name: asset.name.clone(),
        size,
        bones: vec![PlannedBone::root(0, &desc)],
        bodies: vec![PlannedBody::new(desc, Tag::OTHER, size)],
        joints: Vec::new(),
        ignores: Vec::new(),
        model: Arc::new(asset.model.clone()),
        garments: Vec::new(),
        labels: LabelSource::None,
        changes: Vec::new(),
        warnings: asset.warnings.clone(),
    })
}
