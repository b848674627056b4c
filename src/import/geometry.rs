//! Primitives of a file as triangle lists in the rest pose, with the joints that each vertex follows.

use glam::{Mat3, Mat4, Vec2, Vec3, Vec4};
use gltf::Semantic;
use gltf::json::mesh::{Mode, Primitive as Part};
use gltf::json::validation::Checked;

use super::Fault;
use super::accessor::{Array, Reader};
use super::skin::{Placement, Skeleton};
use super::tree::{FARTHEST, Tree};
use crate::scene::Primitive;

/// Joints that the vertices of one primitive follow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointWeights {
    /// Where each vertex' entries begin, and the end of the last, shape [vertex_count + 1]; empty if nothing moves it.
    pub first: Vec<u32>,
    /// Joint (index into [`super::Asset::joints`]) and share in 0..=1; shares of one vertex sum to 1.
    pub entries: Vec<(u32, f32)>,
}

impl JointWeights {
    /// Entries of vertex `vertex`; none if nothing moves the primitive.
    pub fn of(&self, vertex: usize) -> &[(u32, f32)] {
        match (self.first.get(vertex), self.first.get(vertex + 1)) {
            (Some(&from), Some(&to)) => &self.entries[from as usize..to as usize],
            _ => &[],
        }
    }

    /// All of one joint.
    pub(super) fn rigid(joint: usize, vertices: usize) -> Self {
        Self { first: (0..=vertices as u32).collect(), entries: vec![(joint as u32, 1.0); vertices] }
    }
}

/// How a primitive is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// By its skin, or by the one joint above it that turns as a limb does.
    Skin,
    /// By the one joint above it: a hat, a sword.
    Joint(usize),
    /// By nothing.
    Loose,
}

/// A primitive placed in the file's world.
pub(super) struct Placed {
    pub(super) primitive: Primitive,
    pub(super) weights: JointWeights,
    pub(super) hold: Hold,
}

/// Places the mesh of node `node`.
pub(super) fn place_mesh(
    reader: &Reader<'_>,
    tree: &Tree,
    skeleton: &Skeleton,
    node: usize,
    warnings: &mut Vec<String>,
) -> Result<Vec<Placed>, Fault> {
    let root = reader.container.root();
    let source = &root.nodes[node];
    let Some(index) = source.mesh.map(|m| m.value()) else { return Ok(Vec::new()) };
    let mesh = root
        .meshes
        .get(index)
        .ok_or_else(|| Fault::missing(&format!("node {node}"), "mesh", index, root.meshes.len()))?;
    let own = source.weights.as_ref().filter(|w| !w.is_empty());
    let morph = own.or(mesh.weights.as_ref()).map_or(&[][..], Vec::as_slice);
    let mut placed = Vec::new();
    for (number, part) in mesh.primitives.iter().enumerate() {
        let label = mesh.name.as_ref().map_or(String::new(), |n| format!(" ({n})"));
        let element = format!("mesh {index}{label} primitive {number}");
        if !has_faces(part) {
            warnings.push(format!("{element} is made of points or lines and is not drawn"));
            continue;
        }
        let Checked::Valid(mode) = part.mode else {
            let mode = reader.container.written(&format!("/meshes/{index}/primitives/{number}/mode"));
            return Err(Fault::invalid(element, format!("mode {mode} does not exist")));
        };
        let (mut primitive, used) = read_part(reader, &element, part, mode, morph)?;
        let skin = source.skin.map(|s| s.value()).filter(|_| accessor(part, Semantic::Joints(0)).is_some());
        let (weights, hold) = match skin {
            Some(skin) => {
                let weights = pose_skinned(reader, tree, skeleton, (&element, part, skin), &mut primitive, &used)?;
                (weights, Hold::Skin)
            }
            None => pose_rigid(tree, skeleton, node, &mut primitive),
        };
        if let Some(vertex) = primitive.positions.iter().position(|p| p.is_nan() || p.abs().max_element() >= FARTHEST) {
            return Err(Fault::invalid(
                element,
                format!("vertex {} lands farther than {FARTHEST:e} from the origin", used.places[vertex]),
            ));
        }
        if primitive.normals.is_empty() {
            primitive.normals = flat_normals(&primitive);
        }
        placed.push(Placed { primitive, weights, hold });
    }
    Ok(placed)
}

/// Whether a primitive is more than points and lines.
pub(super) fn has_faces(part: &Part) -> bool {
    !matches!(part.mode, Checked::Valid(Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip))
}

/// The accessor of an attribute.
fn accessor(part: &Part, attribute: Semantic) -> Option<usize> {
    part.attributes.get(&Checked::Valid(attribute)).map(|accessor| accessor.value())
}

/// Which of its vertices a primitive uses: many share those of a whole character.
struct Used {
    /// Their places in the accessors.
    places: Vec<u32>,
    /// Vertices in the accessors.
    of: usize,
}

impl Used {
    /// Leaves of the vertices of `triangles` those that they use.
    fn of(triangles: &mut [u32], of: usize) -> Self {
        let mut places = triangles.to_vec();
        places.sort_unstable();
        places.dedup();
        if places.len() < of {
            let new = |old: u32| places.partition_point(|place| *place < old) as u32;
            triangles.iter_mut().for_each(|corner| *corner = new(*corner));
        }
        Self { places, of }
    }

    /// Gives each corner of `triangles` a vertex of its own.
    fn apart(triangles: &mut [u32], of: usize) -> Self {
        let places = triangles.to_vec();
        triangles.iter_mut().zip(0..).for_each(|(corner, place)| *corner = place);
        Self { places, of }
    }

    /// Their elements of an attribute.
    fn gather<'a, T, V>(
        &'a self,
        array: &'a Array<T>,
        one: impl Fn(&'a [T]) -> V + 'a,
    ) -> impl Iterator<Item = V> + 'a {
        self.places.iter().map(move |place| one(array.row(*place)))
    }
}

/// Attributes and triangles of a primitive in its mesh's own space, and which of the file's vertices are in it.
fn read_part(
    reader: &Reader<'_>,
    element: &str,
    part: &Part,
    mode: Mode,
    morph: &[f32],
) -> Result<(Primitive, Used), Fault> {
    let Some(positions) = accessor(part, Semantic::Positions) else {
        return Err(Fault::invalid(element, "has no POSITION"));
    };
    let positions = reader.shared_floats(positions, &[3], 0)?;
    let count = positions.rows().len();
    let corners = match part.indices {
        Some(accessor) => reader.integers(accessor.value(), &[1])?.data,
        None => {
            reader.count(count as u64)?;
            (0..count as u32).collect()
        }
    };
    if let Some(&bad) = corners.iter().find(|i| **i as usize >= count) {
        return Err(Fault::missing(element, "vertex", bad as usize, count));
    }
    let mut indices = triangle_list(mode, &corners);
    // What has no normals is flat, which the corners of a triangle alone can be.
    let flat = accessor(part, Semantic::Normals).is_none();
    let used = if flat { Used::apart(&mut indices, count) } else { Used::of(&mut indices, count) };
    let attribute = |semantic: Semantic, widths: &[usize]| {
        let name = semantic.to_string();
        let Some(accessor) = accessor(part, semantic) else { return Ok(None) };
        let array = reader.shared_floats(accessor, widths, used.places.len())?;
        same_count(element, &name, array.rows().len(), count)?;
        Ok(Some(array))
    };
    let vectors = |array: &Array<f32>| used.gather(array, Vec3::from_slice).collect::<Vec<_>>();
    let mut normals = attribute(Semantic::Normals, &[3])?.map_or(Vec::new(), |a| vectors(&a));
    let uvs =
        attribute(Semantic::TexCoords(0), &[2])?.map_or(Vec::new(), |a| used.gather(&a, Vec2::from_slice).collect());
    let color = |c: &[f32]| Vec4::new(c[0], c[1], c[2], c.get(3).copied().unwrap_or(1.0));
    let colors = attribute(Semantic::Colors(0), &[3, 4])?.map_or(Vec::new(), |a| used.gather(&a, color).collect());
    let mut positions = vectors(&positions);
    for (target, &weight) in part.targets.iter().flatten().zip(morph).filter(|(_, w)| **w != 0.0 && w.is_finite()) {
        for (accessor, field) in [(target.positions, &mut positions), (target.normals, &mut normals)] {
            let Some(accessor) = accessor.filter(|_| !field.is_empty()) else { continue };
            let offsets = reader.shared_floats(accessor.value(), &[3], used.places.len())?;
            same_count(element, "morph target", offsets.rows().len(), count)?;
            field.iter_mut().zip(used.gather(&offsets, Vec3::from_slice)).for_each(|(v, d)| *v += d * weight);
        }
    }
    Ok((Primitive { positions, normals, uvs, colors, indices, ..Primitive::default() }, used))
}

fn same_count(element: &str, name: &str, have: usize, want: usize) -> Result<(), Fault> {
    if have == want {
        return Ok(());
    }
    Err(Fault::invalid(element, format!("{name} has {have} elements, POSITION has {want}")))
}

/// Triangles from a list, strip or fan.
fn triangle_list(mode: Mode, indices: &[u32]) -> Vec<u32> {
    let mut triangles: Vec<[u32; 3]> = match mode {
        Mode::TriangleStrip => indices
            .windows(3)
            .enumerate()
            .map(|(i, t)| if i % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] })
            .collect(),
        Mode::TriangleFan => indices.windows(2).skip(1).map(|t| [indices[0], t[0], t[1]]).collect(),
        _ => indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect(),
    };
    triangles.retain(|t| t[0] != t[1] && t[1] != t[2] && t[2] != t[0]);
    triangles.into_flattened()
}

/// Brings a skinned primitive to the rest pose and returns its weights.
fn pose_skinned(
    reader: &Reader<'_>,
    tree: &Tree,
    skeleton: &Skeleton,
    (element, part, skin): (&str, &Part, usize),
    primitive: &mut Primitive,
    used: &Used,
) -> Result<JointWeights, Fault> {
    let count = skeleton.skins.len();
    let space = skeleton.skins.get(skin).ok_or_else(|| Fault::missing(element, "skin", skin, count))?;
    let weights = read_weights(reader, element, part, &space.joints, used)?;
    match &space.placement {
        Placement::Bind(matrix, posed)
            if weights.entries.iter().all(|(joint, _)| !posed.contains_key(&(*joint as usize))) =>
        {
            transform(primitive, *matrix);
        }
        Placement::Bind(matrix, posed) => {
            blend(&weights, |joint| posed.get(&joint).copied().unwrap_or(*matrix), primitive)
        }
        Placement::DefaultPose => blend(&weights, |joint| tree.nodes[skeleton.joints[joint].node].world, primitive),
    }
    Ok(weights)
}

/// Brings a primitive to a pose, vertex by vertex, by the matrix of each joint; triangles that it mirrors are turned over.
fn blend(weights: &JointWeights, matrix: impl Fn(usize) -> Mat4, primitive: &mut Primitive) {
    let blend = |vertex: usize| {
        weights.of(vertex).iter().fold(Mat4::ZERO, |sum, (joint, w)| sum + matrix(*joint as usize) * *w)
    };
    for (vertex, position) in primitive.positions.iter_mut().enumerate() {
        *position = blend(vertex).transform_point3(*position);
    }
    for (vertex, normal) in primitive.normals.iter_mut().enumerate() {
        *normal = blend(vertex).transform_vector3(*normal).normalize_or(Vec3::Y);
    }
    let mirrored: Vec<bool> = (0..primitive.positions.len()).map(|v| blend(v).determinant() < 0.0).collect();
    for t in primitive.indices.chunks_exact_mut(3).filter(|t| t.iter().all(|v| mirrored[*v as usize])) {
        t.swap(1, 2);
    }
}

/// Places an unskinned primitive, held by the nearest joint above its node.
fn pose_rigid(tree: &Tree, skeleton: &Skeleton, node: usize, primitive: &mut Primitive) -> (JointWeights, Hold) {
    let mut above = Some(node);
    while let Some(at) = above {
        if let Some(&joint) = skeleton.joint_of_node.get(&at) {
            let inverse = tree.nodes[at].world.inverse();
            let in_joint = if inverse.is_finite() { inverse * tree.nodes[node].world } else { Mat4::IDENTITY };
            transform(primitive, skeleton.joints[joint].rest * in_joint);
            let carrier = skeleton.follows[joint];
            return (JointWeights::rigid(carrier, primitive.positions.len()), Hold::Joint(carrier));
        }
        above = tree.nodes[at].parent;
    }
    transform(primitive, tree.nodes[node].world);
    (JointWeights::default(), Hold::Loose)
}

/// All `JOINTS_n` and `WEIGHTS_n` sets, summed per joint and normalized.
fn read_weights(
    reader: &Reader<'_>,
    element: &str,
    part: &Part,
    joints: &[usize],
    used: &Used,
) -> Result<JointWeights, Fault> {
    let mut rows: Vec<Vec<(u32, f32)>> = vec![Vec::new(); used.places.len()];
    for set in 0.. {
        let [joints_n, weights_n] = [Semantic::Joints(set), Semantic::Weights(set)];
        let names = [joints_n.to_string(), weights_n.to_string()];
        let [Some(slots), Some(shares)] = [accessor(part, joints_n), accessor(part, weights_n)] else { break };
        let taken = used.places.len();
        let (slots, shares) = (reader.shared_integers(slots, &[4], taken)?, reader.shared_floats(shares, &[4], taken)?);
        same_count(element, &names[0], slots.rows().len(), used.of)?;
        same_count(element, &names[1], shares.rows().len(), used.of)?;
        let elements = used.gather(&slots, |slots| slots).zip(used.gather(&shares, |shares| shares));
        for (row, (slots, shares)) in rows.iter_mut().zip(elements) {
            for (&slot, &share) in slots.iter().zip(shares).filter(|(_, share)| **share > 0.0) {
                let found = joints.get(slot as usize);
                let joint = *found.ok_or_else(|| Fault::missing(element, "joint", slot as usize, joints.len()))? as u32;
                match row.iter_mut().find(|(j, _)| *j == joint) {
                    Some((_, sum)) => *sum += share,
                    None => row.push((joint, share)),
                }
            }
        }
    }
    let mut weights = JointWeights { first: vec![0], entries: Vec::new() };
    for mut row in rows {
        let sum: f32 = row.iter().map(|(_, w)| w).sum();
        if sum > 0.0 && sum.is_finite() {
            row.iter_mut().for_each(|(_, w)| *w /= sum);
        } else {
            row = vec![(joints[0] as u32, 1.0)];
        }
        weights.entries.extend(row);
        weights.first.push(weights.entries.len() as u32);
    }
    Ok(weights)
}

/// Moves positions and normals; a mirroring matrix turns the triangles over so that they still face outward.
pub(super) fn transform(primitive: &mut Primitive, matrix: Mat4) {
    primitive.positions.iter_mut().for_each(|p| *p = matrix.transform_point3(*p));
    let linear = Mat3::from_mat4(matrix);
    let determinant = linear.determinant();
    // The cofactor matrix is the inverse transpose times the determinant, and exists when the inverse does not.
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
    let cofactor = Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y)) * determinant.signum();
    primitive.normals.iter_mut().for_each(|n| *n = (cofactor * *n).normalize_or(Vec3::Y));
    if determinant < 0.0 {
        primitive.indices.chunks_exact_mut(3).for_each(|t| t.swap(1, 2));
    }
}

/// Normals of triangles whose corners are vertices of their own.
fn flat_normals(primitive: &Primitive) -> Vec<Vec3> {
    let mut normals = vec![Vec3::Y; primitive.positions.len()];
    for t in primitive.indices.chunks_exact(3) {
        let [a, b, c] = [t[0], t[1], t[2]].map(|i| primitive.positions[i as usize]);
        let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
        t.iter().for_each(|corner| normals[*corner as usize] = normal);
    }
    normals
}
