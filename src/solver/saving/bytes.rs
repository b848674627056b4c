//! States as bytes: to keep in a file, or to send. They can be put back by the same build on the same adapter, in a world of the same
//! scene.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::state::{Host, State, UnderWay};
use crate::gpu::wgsl::LAYOUTS;
use crate::gpu::{Buffers, Context, GpuError, wgpu};
use crate::pack;
use crate::scene::{BodyId, Collider, Emitter, JointDesc, Params, Scene, Surface, View};
use crate::solver::control::walkers::Walking;
use crate::solver::readback::health::Sent;
use crate::solver::readback::poses::{Answered, Waiting};
use crate::solver::stages::rows::Control;
use crate::solver::stages::walkers;
use crate::solver::{Solver, SolverError};

/// What files of states begin with.
const MAGIC: &[u8; 12] = b"sinew state\n";
/// Raised whenever what follows changes its meaning.
const FORMAT: u32 = 5;
/// Bytes before what is checked: the magic, the format, the build, the checksum.
const PREFACE: usize = MAGIC.len() + 4 + 8 + 8;

/// What precedes the rows.
#[derive(Serialize, Deserialize)]
struct Header {
    adapter: String,
    /// Of the scene, but for what a solver changes in it.
    scene: u64,
    host: Host,
    /// Counters that were under way.
    frames: Vec<u64>,
    #[serde(with = "rows")]
    counters: Vec<Control>,
    looks: Vec<Answered<Vec<BodyId>>>,
    steps: Vec<Answered<Walking>>,
    /// Names and bytes.
    buffers: Vec<(String, u64)>,
    /// Names, and rows in each direction.
    textures: Vec<(String, [u32; 2])>,
}

/// Rows of the GPU as bytes.
pub(in crate::solver) mod rows {
    use bytemuck::Pod;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    pub(in crate::solver) fn serialize<T: Pod, S: Serializer>(rows: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        bytemuck::cast_slice::<T, u8>(rows).serialize(serializer)
    }

    pub(in crate::solver) fn deserialize<'de, T: Pod, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
        let bytes = Vec::<u8>::deserialize(from)?;
        if bytes.len() % size_of::<T>() != 0 {
            return Err(de::Error::custom("no whole number of rows"));
        }
        Ok(bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect())
    }
}

impl State {
    /// The state as bytes. Waits for the GPU. `solver` is the one that it was taken from, or another one of the same scene.
    ///
    /// # Errors
    /// [`SolverError::OtherWorld`] for a solver of another scene, [`SolverError::Gpu`] for a lost device.
    pub fn to_bytes(&self, solver: &Solver) -> Result<Vec<u8>, SolverError> {
        solver.check_same(&self.host)?;
        let mut rows = Vec::new();
        solver.context.foresee(self.buffers.iter().map(|(_, buffer)| buffer));
        for (_, buffer) in &self.buffers {
            rows.extend(solver.context.read_buffer(buffer)?);
        }
        for (_, texture) in &self.textures {
            rows.extend(solver.context.read_texture(texture)?);
        }
        self.with_rows(&rows, adapter(&solver.context), &solver.scene)
    }

    /// The bytes of what is not on the GPU, with those of its buffers and textures, one after the other, of this adapter and scene.
    pub(super) fn with_rows(&self, rows: &[u8], adapter: String, scene: &Scene) -> Result<Vec<u8>, SolverError> {
        let arrived = || self.sent.counters.iter().filter_map(|(frame, sent)| Some((*frame, sent.row()?)));
        let header = Header {
            adapter,
            scene: fingerprint(scene)?,
            host: self.host.clone(),
            frames: arrived().map(|(frame, _)| frame).collect(),
            counters: arrived().map(|(_, row)| row).collect(),
            looks: self.sent.looks.iter().filter_map(Waiting::answered).collect(),
            steps: self.sent.steps.iter().filter_map(Waiting::answered).collect(),
            buffers: self.buffers.iter().map(|(name, buffer)| ((*name).into(), buffer.size())).collect(),
            textures: self.textures.iter().map(|(name, texture)| ((*name).into(), size(texture))).collect(),
        };
        let header = pack::to_bytes(&header).map_err(SolverError::Unreadable)?;
        let mut body = (header.len() as u64).to_le_bytes().to_vec();
        body.extend(header);
        body.extend(rows);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend(build().to_le_bytes());
        bytes.extend(hash(&body).to_le_bytes());
        bytes.extend(body);
        Ok(bytes)
    }

    /// The state that these bytes are, to be put back into `solver`.
    ///
    /// # Errors
    /// [`SolverError::Unreadable`] for bytes that are no state, that are cut off or altered, or that another build or another adapter
    /// has made; [`SolverError::OtherWorld`] for the state of another scene; [`SolverError::Gpu`] when the device has no room for it.
    pub fn from_bytes(bytes: &[u8], solver: &Solver) -> Result<Self, SolverError> {
        let mut rest = checked(bytes)?;
        let length = usize::try_from(u64::from_le_bytes(array(&mut rest)?)).unwrap_or(usize::MAX);
        let header: Header = pack::from_bytes(taken(&mut rest, length)?).map_err(SolverError::Unreadable)?;
        let here = adapter(&solver.context);
        if header.adapter != here {
            let told = format!("they were made on {}, and this is {here}: bits would differ", header.adapter);
            return Err(SolverError::Unreadable(told));
        }
        solver.check_same(&header.host)?;
        if header.scene != fingerprint(&solver.scene)? {
            return Err(SolverError::OtherWorld("its scene is another one".into()));
        }
        let counters = header.frames.iter().zip(&header.counters).map(|(frame, row)| (*frame, Sent::here(Some(*row))));
        let sent = UnderWay {
            counters: counters.collect(),
            looks: header.looks.into_iter().map(Waiting::from).collect(),
            steps: header.steps.into_iter().map(Waiting::from).collect(),
        };
        let mut state = Self { buffers: Vec::new(), textures: Vec::new(), host: header.host, sent };
        // A world without walkers has none of theirs until the state is put back.
        let names: Vec<&'static str> = solver.kept().map(|(name, _)| name).chain(walkers::KEPT).collect();
        let unknown = |name: &str| SolverError::OtherWorld(format!("it has a `{name}` that this world has not"));
        for (name, size) in &header.buffers {
            let data = taken(&mut rest, usize::try_from(*size).unwrap_or(usize::MAX))?;
            let known = names.iter().find(|known| *known == name).ok_or_else(|| unknown(name))?;
            let buffer = Buffers::detached(&solver.context, known, *size)?;
            solver.context.queue.write_buffer(&buffer, 0, data);
            state.buffers.push((known, buffer));
        }
        for (name, size) in &header.textures {
            let row = 16 * u64::from(size[0]);
            let data = taken(&mut rest, usize::try_from(row * u64::from(size[1])).unwrap_or(usize::MAX))?;
            let known = solver.kept_textures().find(|(known, ..)| known == name).ok_or_else(|| unknown(name))?.0;
            state.textures.push((known, texture(solver, known, *size, data)?));
        }
        if rest.is_empty() {
            Ok(state)
        } else {
            Err(SolverError::Unreadable("they are longer than what they hold".into()))
        }
    }
}

/// What was checked to be whole, of this format and this build.
fn checked(bytes: &[u8]) -> Result<&[u8], SolverError> {
    let refuse = |told: &str| Err(SolverError::Unreadable(told.into()));
    if !bytes.starts_with(MAGIC) {
        return refuse("they do not begin as those of a state do");
    }
    if bytes.len() < PREFACE {
        return refuse("they are cut off");
    }
    let mut rest = &bytes[MAGIC.len()..];
    let (format, made_by) = (u32::from_le_bytes(array(&mut rest)?), u64::from_le_bytes(array(&mut rest)?));
    if format != FORMAT || made_by != build() {
        return refuse("another version of this program made them, and states are of one version only");
    }
    let sum = u64::from_le_bytes(array(&mut rest)?);
    if hash(rest) == sum { Ok(rest) } else { refuse("they are cut off or altered") }
}

fn taken<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], SolverError> {
    let parts = rest.split_at_checked(count);
    let (taken, left) = parts.ok_or_else(|| SolverError::Unreadable("they are shorter than what they hold".into()))?;
    *rest = left;
    Ok(taken)
}

fn array<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], SolverError> {
    let mut array = [0; N];
    array.copy_from_slice(taken(rest, N)?);
    Ok(array)
}

fn size(texture: &wgpu::Texture) -> [u32; 2] {
    [texture.width(), texture.height()]
}

fn texture(solver: &Solver, name: &'static str, size: [u32; 2], data: &[u8]) -> Result<wgpu::Texture, SolverError> {
    let texture = Buffers::detached_texture(&solver.context, name, size[0] as usize * size[1] as usize)?;
    if self::size(&texture) != size {
        let reason = format!("{} x {} rows are no size of it", size[0], size[1]);
        return Err(GpuError::Buffer { name: name.into(), reason }.into());
    }
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(16 * size[0]), rows_per_image: None };
    solver.context.queue.write_texture(texture.as_image_copy(), data, layout, texture.size());
    Ok(texture)
}

pub(in crate::solver) fn adapter(context: &Context) -> String {
    let info = context.info();
    format!("{} ({}, {})", info.name, info.backend, info.driver)
}

/// What the rows of this build mean.
fn build() -> u64 {
    static BUILD: OnceLock<u64> = OnceLock::new();
    *BUILD.get_or_init(|| hash(format!("{} {LAYOUTS:?}", env!("CARGO_PKG_VERSION")).as_bytes()))
}

/// A number of everything in a scene that decides what its buffers are; not of what a solver changes in it.
fn fingerprint(scene: &Scene) -> Result<u64, SolverError> {
    let mut scene = scene.clone();
    (scene.params, scene.view) = (Params::default(), View::default());
    scene.fields.clear();
    scene.layers.clear();
    scene.user_data.clear();
    scene.particles.iter_mut().for_each(|particle| particle.phase = particle.phase.with_class(0));
    scene.grains.iter_mut().for_each(|grains| grains.friction = 0.0);
    for extent in &mut scene.deformables {
        extent.friction = None;
        extent.gives.clear();
    }
    scene.emitters.iter_mut().for_each(|emitter| emitter.way = 0.0);
    for id in &scene.reserve.colliders {
        scene.colliders[id.0 as usize] = Collider::waiting();
    }
    for nozzle in &scene.reserve.emitters {
        let Emitter { of, budget, particles, .. } = scene.emitters[nozzle.emitter].clone();
        scene.emitters[nozzle.emitter] = Emitter { budget, particles, ..Emitter::new("", of) };
    }
    for collider in &mut scene.colliders {
        (collider.position, collider.rotation) = Default::default();
        (collider.velocity, collider.angular_velocity, collider.surface_velocity) = Default::default();
        collider.surface = Surface::default();
    }
    for joint in &mut scene.joints {
        let desc = joint.desc;
        joint.desc = JointDesc::new(desc.kind, desc.a, desc.b, desc.pivot, desc.axis, desc.radius);
    }
    for body in &mut scene.bodies {
        body.removed = false;
        (body.mass, body.inertia, body.surface, body.dynamics) = Default::default();
        if body.pooled {
            (body.position, body.rotation) = Default::default();
            (body.velocity, body.angular_velocity) = Default::default();
        }
    }
    for pool in &mut scene.pools {
        pool.present.clear();
        pool.places.clear();
        for i in pool.copies.iter().flat_map(|copy| copy.particles.clone()) {
            let particle = &mut scene.particles[i as usize];
            (particle.position, particle.velocity) = Default::default();
        }
    }
    Ok(hash(&pack::to_bytes(&scene).map_err(SolverError::Unreadable)?))
}

/// A number of everything in a scene but its parameters and its view.
///
/// # Errors
/// [`SolverError::Unreadable`] for lists longer than can be counted.
pub(crate) fn scene_hash(scene: &Scene) -> Result<u64, SolverError> {
    let scene = Scene { params: Params::default(), view: View::default(), ..scene.clone() };
    Ok(hash(&pack::to_bytes(&scene).map_err(SolverError::Unreadable)?))
}

/// A number that changes with every bit of these bytes.
fn hash(bytes: &[u8]) -> u64 {
    let mut sum = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        sum = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        sum ^= sum >> 32;
    }
    sum
}
