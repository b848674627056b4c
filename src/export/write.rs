//! A recording as a file.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use gltf::json;
use json::Index;
use json::animation::{Animation, Channel, Interpolation, Property, Sampler, Target};
use json::mesh::{Mesh, MorphTarget, Primitive as Part, Semantic};
use json::scene::{Node, UnitQuaternion};
use json::validation::Checked;

use super::binary::{Binary, UNMOVED};
use super::looks::Looks;
use super::recording::{Bent, ExportError, Jointed, Recording, within};
use crate::scene::{Influence, MAX_INFLUENCES, Model, Placement, Primitive};

/// A file with what moves in it.
struct Writer<'a> {
    file: Binary,
    looks: Looks,
    times: &'a [f32],
    input: Index<json::Accessor>,
    channels: Vec<Channel>,
    samplers: Vec<Sampler>,
    /// Nodes of the scene.
    roots: Vec<Index<Node>>,
    /// Meshes of models whose parts are all shown, by model and tint.
    meshes: HashMap<(*const Model, [u32; 4], bool), Index<Mesh>>,
}

impl Recording {
    /// The file of all frames.
    ///
    /// # Errors
    /// [`ExportError`] for a picture that cannot be written, or a file that is too large.
    pub(crate) fn glb(&self) -> Result<Vec<u8>, ExportError> {
        let mut file = Binary::new();
        let input = file.scalars(&self.times);
        let mut writer = Writer {
            file,
            looks: Looks::default(),
            times: &self.times,
            input,
            channels: Vec::new(),
            samplers: Vec::new(),
            roots: Vec::new(),
            meshes: HashMap::new(),
        };
        for track in &self.jointed {
            // A mesh has a part at least.
            if (0..track.model.primitives.len()).any(|part| is_shown(track, part)) {
                writer.jointed(track)?;
            }
        }
        for track in &self.bent {
            writer.bent(track)?;
        }
        writer.finish()
    }
}

fn is_shown(track: &Jointed, part: usize) -> bool {
    !track.hidden.contains(&part) && !track.model.primitives[part].indices.is_empty()
}

/// A node in its place.
fn node(name: &str, at: Placement) -> Node {
    let placed = at != Placement::IDENTITY;
    Node {
        name: Some(name.to_owned()),
        rotation: placed.then(|| UnitQuaternion(at.rotation.to_array())),
        translation: placed.then(|| at.position.to_array()),
        ..Node::default()
    }
}

impl Writer<'_> {
    fn finish(mut self) -> Result<Vec<u8>, ExportError> {
        let Self { file, channels, samplers, roots, .. } = &mut self;
        let scene = file.root.push(json::Scene {
            extensions: None,
            extras: Default::default(),
            name: None,
            nodes: std::mem::take(roots),
        });
        file.root.scene = Some(scene);
        if !channels.is_empty() {
            file.root.push(Animation {
                extensions: None,
                extras: Default::default(),
                channels: std::mem::take(channels),
                name: Some("simulation".into()),
                samplers: std::mem::take(samplers),
            });
        }
        let bytes = self.file.glb().map_err(ExportError::Json)?;
        within(bytes.len() as u64)?;
        Ok(bytes)
    }

    fn channel(
        &mut self,
        node: Index<Node>,
        path: Property,
        interpolation: Interpolation,
        output: Index<json::Accessor>,
    ) {
        let sampler = Index::new(self.samplers.len() as u32);
        self.samplers.push(Sampler {
            extensions: None,
            extras: Default::default(),
            input: self.input,
            interpolation: Checked::Valid(interpolation),
            output,
        });
        let target = Target { extensions: None, extras: Default::default(), node, path: Checked::Valid(path) };
        self.channels.push(Channel { sampler, target, extensions: None, extras: Default::default() });
    }

    /// A node that is where `places` has it in each frame of the recording, and not seen where it has none.
    fn moving(&mut self, name: &str, places: &[Option<Placement>]) -> Index<Node> {
        let first = places.iter().flatten().next().copied().unwrap_or(Placement::IDENTITY);
        let mut held = first;
        let mut kept: Vec<Placement> = Vec::with_capacity(places.len());
        for place in places {
            let mut next = place.unwrap_or(held);
            // The shorter way around.
            if next.rotation.dot(held.rotation) < 0.0 {
                next.rotation = -next.rotation;
            }
            kept.push(next);
            held = next;
        }
        let index = self.file.root.push(node(name, first));
        if kept.iter().any(|at| at.position != first.position) {
            let output = self.file.keys(&kept.iter().map(|at| at.position).collect::<Vec<_>>());
            self.channel(index, Property::Translation, Interpolation::Linear, output);
        }
        if kept.iter().any(|at| at.rotation != first.rotation) {
            let output = self.file.rotations(&kept.iter().map(|at| at.rotation).collect::<Vec<_>>());
            self.channel(index, Property::Rotation, Interpolation::Linear, output);
        }
        self.seen(index, &places.iter().map(Option::is_some).collect::<Vec<_>>());
        index
    }

    /// Lets a node be seen only in some frames; who shows no motion shows the first one.
    fn seen(&mut self, node: Index<Node>, frames: &[bool]) {
        if frames.first() == Some(&false) {
            self.file.root.nodes[node.value()].scale = Some([0.0; 3]);
        }
        if frames.contains(&false) {
            let scales: Vec<Vec3> = frames.iter().map(|seen| Vec3::splat(f32::from(u8::from(*seen)))).collect();
            let output = self.file.keys(&scales);
            self.channel(node, Property::Scale, Interpolation::Step, output);
        }
    }

    /// All frames of the recording, with nothing in those that a track does not have.
    fn whole<T: Clone>(&self, born: usize, frames: &[Option<T>]) -> Vec<Option<T>> {
        let mut all = vec![None; self.times.len()];
        all.iter_mut().skip(born).zip(frames).for_each(|(slot, frame)| slot.clone_from(frame));
        all
    }

    fn jointed(&mut self, track: &Jointed) -> Result<(), ExportError> {
        let count = track.bones.len();
        let of_bone = |bone: usize| track.frames.iter().map(|frame| frame[bone]).collect::<Vec<_>>();
        let mesh = self.mesh(track)?;
        if count == 1 {
            let places = self.whole(track.born, &of_bone(0));
            let index = self.moving(&track.name, &places);
            let pivot = track.bones[0].pivot;
            if pivot == Vec3::ZERO {
                self.file.root.nodes[index.value()].mesh = Some(mesh);
            } else {
                let back = Placement { position: -pivot, rotation: Quat::IDENTITY };
                let child = self.file.root.push(Node { mesh: Some(mesh), ..node("mesh", back) });
                self.file.root.nodes[index.value()].children = Some(vec![child]);
            }
            self.roots.push(index);
            return Ok(());
        }
        let tracks: Vec<_> = (0..count).map(|bone| self.whole(track.born, &of_bone(bone))).collect();
        let there: Vec<bool> =
            (0..self.times.len()).map(|i| (track.born..track.born + track.frames.len()).contains(&i)).collect();
        // What hangs on a thing that vanishes would vanish too.
        let whole =
            tracks.iter().all(|places| places.iter().zip(&there).all(|(place, there)| place.is_some() == *there));
        let root = self.file.root.push(node(&track.name, Placement::IDENTITY));
        let joints = self.joints(track, &tracks, whole, root);
        let matrices: Vec<[f32; 16]> =
            track.bones.iter().map(|bone| Mat4::from_translation(-bone.pivot).to_cols_array()).collect();
        let inverse_bind_matrices = Some(self.file.matrices(&matrices));
        let skin = self.file.root.push(json::Skin {
            extensions: None,
            extras: Default::default(),
            inverse_bind_matrices,
            joints,
            name: None,
            skeleton: Some(root),
        });
        let skinned = node("skin", Placement::IDENTITY);
        let skinned = self.file.root.push(Node { mesh: Some(mesh), skin: Some(skin), ..skinned });
        self.roots.extend([root, skinned]);
        Ok(())
    }

    /// Nodes of the bones below `root`: each on its parent, if `nested`.
    fn joints(
        &mut self,
        track: &Jointed,
        tracks: &[Vec<Option<Placement>>],
        nested: bool,
        root: Index<Node>,
    ) -> Vec<Index<Node>> {
        let mut joints: Vec<Index<Node>> = Vec::with_capacity(tracks.len());
        for (i, (bone, places)) in track.bones.iter().zip(tracks).enumerate() {
            let parent = bone.parent.map(usize::from).filter(|_| nested);
            let local = |(frame, place): (usize, &Option<Placement>)| match parent {
                Some(parent) => Some(against(tracks[parent][frame]?, (*place)?)),
                None => *place,
            };
            let places: Vec<_> = places.iter().enumerate().map(local).collect();
            let name = match track.bone_names[i].as_str() {
                "" => format!("{} {i}", track.name),
                name => name.to_owned(),
            };
            let joint = self.moving(&name, &places);
            let above = parent.map_or(root, |parent| joints[parent]);
            self.file.root.nodes[above.value()].children.get_or_insert_default().push(joint);
            joints.push(joint);
        }
        joints
    }

    /// The mesh of a model on bones.
    fn mesh(&mut self, track: &Jointed) -> Result<Index<Mesh>, ExportError> {
        let skinned = track.bones.len() > 1;
        let key = (Arc::as_ptr(&track.model), track.tint.to_array().map(f32::to_bits), skinned);
        if let Some(known) = self.meshes.get(&key).filter(|_| track.hidden.is_empty()) {
            return Ok(*known);
        }
        let mut parts = Vec::new();
        for (i, primitive) in track.model.primitives.iter().enumerate() {
            if !is_shown(track, i) {
                continue;
            }
            let material = &track.model.materials[primitive.material];
            let material = self.looks.material(&mut self.file, Some(&track.model), material, track.tint)?;
            let positions = self.file.positions(&primitive.positions);
            let normals = self.file.vectors(&primitive.normals);
            let mut part = part(material, self.file.indices(&primitive.indices), positions, normals);
            if !primitive.uvs.is_empty() {
                let uvs = self.file.pairs(&primitive.uvs);
                part.attributes.insert(Checked::Valid(Semantic::TexCoords(0)), uvs);
            }
            if !primitive.colors.is_empty() {
                let colors = self.file.fours(&primitive.colors);
                part.attributes.insert(Checked::Valid(Semantic::Colors(0)), colors);
            }
            if skinned {
                self.follow(primitive, &mut part);
            }
            parts.push(part);
        }
        let index = self.file.root.push(mesh(&track.model.name, parts, None));
        if track.hidden.is_empty() {
            self.meshes.insert(key, index);
        }
        Ok(index)
    }

    /// Joints and weights of a part.
    fn follow(&mut self, primitive: &Primitive, part: &mut Part) {
        let alone = [[Influence::default(); MAX_INFLUENCES]];
        let all = |i: usize| {
            let mut row = primitive.influences.get(i).copied().unwrap_or(alone[0]);
            let sum: f32 = row.iter().map(|influence| influence.weight).sum();
            if sum <= 0.0 {
                row[0].weight = 1.0;
            } else {
                row.iter_mut().for_each(|influence| influence.weight /= sum);
            }
            // A joint without weight is to be the first one.
            row.map(|influence| if influence.weight > 0.0 { influence } else { Influence::default() })
        };
        let rows: Vec<_> = (0..primitive.positions.len()).map(all).collect();
        let sets = 1 + usize::from(rows.iter().any(|row| row[4..].iter().any(|influence| influence.weight > 0.0)));
        for set in 0..sets {
            let four = |row: &[Influence; MAX_INFLUENCES]| [0, 1, 2, 3].map(|k| row[4 * set + k]);
            let joints: Vec<[u16; 4]> = rows.iter().map(|row| four(row).map(|influence| influence.bone)).collect();
            let weights: Vec<glam::Vec4> = rows.iter().map(|row| four(row).map(|i| i.weight).into()).collect();
            let (joints, weights) = (self.file.joints(&joints), self.file.fours(&weights));
            part.attributes.insert(Checked::Valid(Semantic::Joints(set as u32)), joints);
            part.attributes.insert(Checked::Valid(Semantic::Weights(set as u32)), weights);
        }
    }

    fn bent(&mut self, track: &Bent) -> Result<(), ExportError> {
        let frames = self.whole(track.born, &track.frames);
        let Some(base) = frames.iter().flatten().next().cloned() else { return Ok(()) };
        // Frames in which it is somewhere else than the frame before, and which of them each frame shows.
        let (mut shapes, mut shown): (Vec<&Vec<Vec3>>, Vec<usize>) = (Vec::new(), Vec::new());
        for places in &frames {
            let last = shapes.last().copied().unwrap_or(&base);
            if let Some(places) = places.as_ref().filter(|places| differs(places, last)) {
                shapes.push(places);
            }
            shown.push(shapes.len());
        }
        let form = &track.form;
        let normals = form.normals(&base);
        let turned: Vec<Vec<Vec3>> = shapes.iter().map(|places| form.normals(places)).collect();
        let mut parts = Vec::new();
        for own in &form.parts {
            let of = |list: &[Vec3]| own.points.iter().map(|point| list[*point as usize]).collect::<Vec<_>>();
            let way = |from: &[Vec3], to: &[Vec3]| {
                of(to).into_iter().zip(of(from)).map(|(to, from)| to - from).collect::<Vec<_>>()
            };
            let material = self.looks.material(
                &mut self.file,
                form.shell.as_ref().map(|shell| &shell.model),
                &own.material,
                form.tint,
            )?;
            let indices = self.file.indices(&own.indices);
            let (positions, rest) = (self.file.positions(&of(&base)), self.file.vectors(&of(&normals)));
            let mut part = part(material, indices, positions, rest);
            if !own.uvs.is_empty() {
                let uvs = self.file.pairs(&own.uvs);
                part.attributes.insert(Checked::Valid(Semantic::TexCoords(0)), uvs);
            }
            if !own.colors.is_empty() {
                let colors = self.file.fours(&own.colors);
                part.attributes.insert(Checked::Valid(Semantic::Colors(0)), colors);
            }
            let targets = shapes.iter().zip(&turned).map(|(places, turned)| MorphTarget {
                positions: Some(self.file.ways(&way(&base, places), true)),
                normals: Some(self.file.ways(&way(&normals, turned), false)),
                tangents: None,
            });
            let targets: Vec<_> = targets.collect();
            part.targets = (!targets.is_empty()).then_some(targets);
            parts.push(part);
        }
        let count = shapes.len();
        let index = self.file.root.push(mesh(&form.name, parts, (count > 0).then(|| vec![0.0; count])));
        let node = Node { mesh: Some(index), ..node(&form.name, Placement::IDENTITY) };
        let node = self.file.root.push(node);
        if count > 0 {
            let weights = shown.iter().flat_map(|shape| (1..=count).map(move |i| f32::from(u8::from(i == *shape))));
            let output = self.file.scalars(&weights.collect::<Vec<_>>());
            self.channel(node, Property::MorphTargetWeights, Interpolation::Linear, output);
        }
        self.seen(node, &frames.iter().map(Option::is_some).collect::<Vec<_>>());
        self.roots.push(node);
        Ok(())
    }
}

/// Where `at` is as seen from `parent`.
fn against(parent: Placement, at: Placement) -> Placement {
    let back = parent.rotation.conjugate();
    Placement { position: back * (at.position - parent.position), rotation: (back * at.rotation).normalize() }
}

fn differs(a: &[Vec3], b: &[Vec3]) -> bool {
    a.iter().zip(b).any(|(a, b)| a.distance(*b) > UNMOVED)
}

fn part(
    material: Index<json::Material>,
    indices: Index<json::Accessor>,
    positions: Index<json::Accessor>,
    normals: Index<json::Accessor>,
) -> Part {
    let attributes =
        [(Checked::Valid(Semantic::Positions), positions), (Checked::Valid(Semantic::Normals), normals)].into();
    Part {
        attributes,
        extensions: None,
        extras: Default::default(),
        indices: Some(indices),
        material: Some(material),
        mode: Checked::Valid(json::mesh::Mode::Triangles),
        targets: None,
    }
}

fn mesh(name: &str, primitives: Vec<Part>, weights: Option<Vec<f32>>) -> Mesh {
    Mesh { extensions: None, extras: Default::default(), name: Some(name.to_owned()), primitives, weights }
}
