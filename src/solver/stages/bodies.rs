//! Rigid bodies: their state, the start and the end of a substep, the point that a hand drags, and the shape-matching fit.

use glam::Mat3;

use super::ground::NONE;
use super::rows::{BodyProperties, BodyState, Link, quat, tensor, vec4};
use super::stage::{Frame, Pass};
pub(in crate::solver) use crate::gpu::wgsl::bodies::drag::Drag as DragRow;
pub(in crate::solver) use crate::gpu::wgsl::bodies::held::HeldPose;
pub(in crate::solver) use crate::gpu::wgsl::bodies::pull::Pull;
use crate::gpu::wgsl::common::body::{
    BODY_KINEMATIC, BODY_REMOVED, BODY_TIED, LOCKED_BITS, MOST_DAMPING, Pose, PseudoMotion, UPRIGHT_BITS,
};
use crate::gpu::wgsl::common::workgroup_sum::SUM_WIDTH;
pub(in crate::solver) use crate::gpu::wgsl::contacts::hold::Hold;
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};
use crate::scene::{Body, Dynamics, Scene};

static HOLD: Pass = Pass::new("bodies/hold");
static RIDE: Pass = Pass::new("bodies/ride");
static PULL: Pass = Pass::new("bodies/pull");
static PREDICT: Pass = Pass::new("bodies/predict");
static DRAG: Pass = Pass::new("bodies/drag");
static FIT: Pass = Pass::new("bodies/fit");
static MOVE_SINGLY: Pass = Pass::new("bodies/move_singly");
static FIT_SINGLY: Pass = Pass::new("bodies/fit_singly");
static FINISH: Pass = Pass::new("bodies/finish");

/// Most balls that the host disturbs in a frame, and their words.
pub(in crate::solver) const MOST_DISTURBED: usize = 512;
const DISTURBED_WORDS: usize = 4 * MOST_DISTURBED;

/// Bodies in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    pub(in crate::solver) bodies: u32,
}

impl Stage {
    /// Begins the frame of so many held bodies that move.
    pub(in crate::solver) fn hold(&self, f: &mut Frame, moved: u32) {
        f.run(&HOLD, moved.min(self.bodies));
    }

    /// Takes held bodies along with walkers, if there are any among so many that move.
    pub(in crate::solver) fn ride(&self, f: &mut Frame, lifted: u32) {
        f.run(&RIDE, lifted.min(self.bodies));
    }

    /// Pulls at so many bodies.
    pub(in crate::solver) fn pull(&self, f: &mut Frame, pulled: u32) {
        f.run(&PULL, pulled.min(self.bodies));
    }

    /// Starts a substep; `dragging` pulls at the dragged point.
    pub(in crate::solver) fn predict(&self, f: &mut Frame) {
        f.run(&PREDICT, self.bodies);
    }

    /// Pulls at the dragged point.
    pub(in crate::solver) fn drag(&self, f: &mut Frame, dragging: bool) {
        f.run(&DRAG, u32::from(dragging));
    }

    /// Puts bodies where their particles are (paper 5, section 3.3).
    pub(in crate::solver) fn fit(&self, f: &mut Frame) {
        f.run(&FIT, self.bodies);
    }

    /// Moves so many particles by their own contacts, and puts bodies where their particles are, all as published.
    pub(in crate::solver) fn move_singly(&self, f: &mut Frame, particles: u32) {
        f.run(&MOVE_SINGLY, particles);
        f.run(&FIT_SINGLY, SUM_WIDTH * self.bodies);
    }

    /// Ends the frame.
    pub(in crate::solver) fn finish(&self, f: &mut Frame) {
        f.run(&FINISH, self.bodies);
    }
}

/// Rows of bodies that follow from the scene.
pub(in crate::solver) struct Tables {
    pub(in crate::solver) states: Vec<BodyState>,
    pub(in crate::solver) properties: Vec<BodyProperties>,
    ignored: Vec<u32>,
    pub(in crate::solver) links: Vec<Link>,
    /// First link of each particle, `NONE` for free ones; shape [particle_count].
    pub(in crate::solver) link_of: Vec<u32>,
}

impl Tables {
    /// `assemblies` has that of each body.
    pub(in crate::solver) fn new(scene: &Scene, assemblies: &[u32]) -> Self {
        let mut tables = Self {
            states: scene.bodies.iter().map(state).collect(),
            properties: Vec::with_capacity(scene.bodies.len()),
            ignored: Vec::new(),
            links: Vec::new(),
            link_of: vec![NONE; scene.particles.len()],
        };
        let mut last_link = vec![NONE; scene.particles.len()];
        let ties = ties(assemblies);
        for (index, body) in scene.bodies.iter().enumerate() {
            let first_link = tables.links.len() as u32;
            tables.link(index, body, &mut last_link);
            let radius = |link: &crate::scene::Link| scene.particles[link.particle.0 as usize].radius;
            let reach = body.links.iter().map(|link| link.local.length() + radius(link)).fold(0.0, f32::max);
            let first_ignored = tables.ignored.len() as u32;
            tables.ignored.extend(body.ignores.iter().map(|b| b.0));
            let row = properties(body, reach);
            tables.properties.push(BodyProperties {
                flags: row.flags | ties[index],
                first_link,
                link_count: body.links.len() as u32,
                first_ignored,
                ignored_count: body.ignores.len() as u32,
                assembly: assemblies[index],
                ..row
            });
        }
        tables
    }

    /// Ties the particles of a body to it; the first body of a particle answers for its contacts.
    fn link(&mut self, index: usize, body: &Body, last_link: &mut [u32]) {
        let share = body.mass / body.links.len() as f32;
        for link in &body.links {
            let particle = link.particle.0 as usize;
            let here = self.links.len() as u32;
            let primary = last_link[particle] == NONE;
            if primary {
                self.link_of[particle] = here;
            } else {
                self.links[last_link[particle] as usize].next = here;
            }
            last_link[particle] = here;
            self.links.push(Link {
                local: vec4(link.local, share),
                particle: link.particle.0,
                body: index as u32,
                next: NONE,
                primary: u32::from(primary),
            });
        }
    }

    /// Sets the share of its mass [kg] that a body has in one of its particles.
    pub(in crate::solver) fn put_share(&mut self, body: usize, place: usize, share: f32) {
        self.links[self.properties[body].first_link as usize + place].local[3] = share;
    }

    /// Makes the buffers of bodies, with room for so many more that ignore each other.
    pub(in crate::solver) fn create(&self, b: &mut Buffers, ignored_room: usize) -> Result<(), GpuError> {
        let (count, none) = (self.states.len(), BufferUsages::empty());
        b.create_with("bodies", &self.states)?; // [body_count] pose and velocity
        b.create_with("saved_bodies", &self.states)?; // [body_count] state at the end of the last frame
        let poses: Vec<_> =
            self.states.iter().map(|b| Pose { center: b.center, rotation: b.rotation, ..Pose::default() }).collect();
        b.create_with("rest_poses", &poses)?; // [body_count] pose that the body has stayed near
        b.create_with("body_origins", &poses)?; // [body_count] pose when this substep began
        b.create::<PseudoMotion>("body_pseudo_motions", count, none)?; // [body_count] motion without velocity
        b.create_with("body_properties", &self.properties)?; // [body_count]
        b.create::<u32>("ignored_bodies", self.ignored.len() + ignored_room, none)?; // bodies that each body never touches
        b.upload("ignored_bodies", 0, &self.ignored)?;
        b.create::<HeldPose>("held_poses", count, none)?; // held bodies that the host moves in this frame
        b.create::<Pull>("pulls", count, none)?; // bodies that the host pulls in this frame
        b.create::<Hold>("holds", count + 1, none)?; // held bodies that can be struck out of their holds, by group
        b.create::<u32>("posed_bodies", count + 2 + DISTURBED_WORDS, none)?; // `sleep/posed`: what the host has posed since the last frame
        b.create_with("links", &self.links)?; // particles of each body, contiguous per body
        b.create_with("drag", &[DragRow::default()])
    }
}

/// Words that lists of ignored bodies may need beyond those of the scene, for joints that are added.
pub(in crate::solver) fn ignored_room(scene: &Scene) -> usize {
    let most = scene.bodies.iter().map(|body| body.ignores.len()).max().unwrap_or(0);
    2 * scene.reserve.joints as usize * (most + 1)
}

/// What does not depend on other bodies; `reach` is that of its particles from the center [m].
pub(in crate::solver) fn properties(body: &Body, reach: f32) -> BodyProperties {
    let inverse = if body.kinematic { Mat3::ZERO } else { inverse(body.inertia) };
    let (inverse_inertia, inverse_inertia_off) = tensor(inverse);
    let (inertia, inertia_off) = tensor(body.inertia);
    BodyProperties {
        inverse_inertia,
        inv_mass: if body.kinematic { 0.0 } else { 1.0 / body.mass },
        inverse_inertia_off,
        reach,
        inertia,
        friction: body.surface.friction,
        inertia_off,
        restitution: body.surface.restitution,
        shape: body.shape as u32,
        flags: flags(body),
        gravity_scale: body.dynamics.gravity_scale,
        damping: damping(body.dynamics),
        // Infinity is not safe in WGSL.
        push_speed: 1e30,
        ..BodyProperties::default()
    }
}

/// Of an inertia: as `inverse` of `shaders/common/inverse.wgsl`.
fn inverse(inertia: Mat3) -> Mat3 {
    let largest = inertia.diagonal().max_element();
    let scale = f32::from_bits(0x7f00_0000 - (largest.to_bits() & 0x7f80_0000));
    (inertia * scale).inverse() * scale
}

/// Of each body the flag that it shares its assembly with others.
pub(in crate::solver) fn ties(assemblies: &[u32]) -> Vec<u32> {
    let mut members = vec![0_u32; assemblies.len()];
    assemblies.iter().for_each(|assembly| members[*assembly as usize] += 1);
    assemblies.iter().map(|assembly| if members[*assembly as usize] > 1 { BODY_TIED } else { 0 }).collect()
}

fn flags(body: &Body) -> u32 {
    let if_so = |so: bool, flag: u32| if so { flag } else { 0 };
    let (locked, upright) = (body.dynamics.locked.bitmask(), body.dynamics.upright.bitmask());
    let axes = (locked << LOCKED_BITS) | (upright << UPRIGHT_BITS);
    if_so(body.kinematic, BODY_KINEMATIC) | if_so(body.removed, BODY_REMOVED) | axes
}

/// Of the way and of the spin, as `own_damping` of `shaders/common/body.wgsl` reads it.
fn damping(dynamics: Dynamics) -> u32 {
    let root = |value: f32| (f32::from(u16::MAX) * (value / MOST_DAMPING).sqrt()).round() as u32;
    root(dynamics.linear_damping) | (root(dynamics.angular_damping) << 16)
}

/// A body as the scene has it.
pub(in crate::solver) fn state(body: &Body) -> BodyState {
    let inv_mass = if body.kinematic || body.removed { 0.0 } else { 1.0 / body.mass };
    BodyState {
        center: body.position.to_array(),
        inv_mass,
        rotation: if body.removed { [0.0; 4] } else { quat(body.rotation) },
        velocity: body.velocity.to_array(),
        angular_velocity: body.angular_velocity.to_array(),
        ..BodyState::default()
    }
}
