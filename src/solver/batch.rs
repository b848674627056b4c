//! Many copies of a scene side by side in one world, for learning and for experiments: each is asked and set back by its number.

use glam::{Vec3, vec3};

use super::{BodyState, Poses, Solver, SolverError};
use crate::gpu::Context;
use crate::scene::{BodyId, DeformableId, Part, Placement, PoolId, Scene, SceneError};

/// Farthest that a world reaches [m]: the most that the parameter `world_extent` takes.
const FARTHEST: f32 = 1e5;

/// Copies of a scene in one solver, on a square of cells in the level plane. They are simulated together, and each is its own world
/// as long as what belongs to it stays in its cell.
#[derive(Debug)]
pub struct Batch {
    solver: Solver,
    pool: PoolId,
    origins: Vec<Vec3>,
    spacing: f32,
}

/// The bodies of all copies after some frame.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchPoses {
    /// The frame, counted from 0.
    pub frame: u64,
    /// Simulated time after it [s].
    pub time: f64,
    /// Of each copy its bodies, in the order of its scene, seen from the origin of the copy; shape [copy_count][body_count].
    pub copies: Vec<Vec<BodyState>>,
}

impl Batch {
    /// Puts `count` copies of `one` into `world`, which has what all of them share: the ground, fields, parameters. Cells are
    /// `spacing` [m] wide, and the origin of each copy is in the middle of its own. `world_extent` grows to hold them.
    ///
    /// # Errors
    /// [`SceneError::Number`] for a spacing that a copy does not fit into or that is too wide for so many, [`SceneError::NotPooled`] for what copies cannot have
    /// (see [`Scene::add_pool`]): planes, emitters, drains and fields belong to the world; otherwise as [`Solver::new`].
    pub fn new(context: &Context, world: &Scene, one: &Scene, count: u32, spacing: f32) -> Result<Self, SolverError> {
        let reach = reach(one);
        if !spacing.is_finite() || spacing < 2.0 * reach {
            let (item, field) = ("batch".into(), "spacing");
            let allowed = "finite, and twice as far as anything in the copied scene is from its origin";
            return Err(SceneError::Number { item, field, value: spacing, allowed }.into());
        }
        let mut scene = world.clone();
        let pool = scene.add_pool(one, count)?;
        let side = f64::from(count).sqrt().ceil() as u32;
        let extent = 0.5 * spacing * (side + 1) as f32;
        if extent > FARTHEST {
            let (item, field) = (format!("batch of {count} copies"), "spacing");
            let allowed = "so small that half a row of them is 100 km long at most";
            return Err(SceneError::Number { item, field, value: spacing, allowed }.into());
        }
        scene.params.world_extent = scene.params.world_extent.max(extent);
        let solver = Solver::new(context, &scene)?;
        let place =
            |i: u32| vec3((i % side) as f32, 0.0, (i / side) as f32) - 0.5 * (side - 1) as f32 * vec3(1.0, 0.0, 1.0);
        let origins: Vec<Vec3> = (0..count).map(|i| spacing * place(i)).collect();
        let mut batch = Self { solver, pool, origins, spacing };
        (0..count as usize).try_for_each(|copy| batch.enter(copy))?;
        Ok(batch)
    }

    fn enter(&mut self, copy: usize) -> Result<(), SolverError> {
        let at = Placement { position: self.origins[copy], ..Placement::IDENTITY };
        self.solver.spawn_copy(self.pool, copy as u32, at, Vec3::ZERO).map(drop)
    }

    /// Number of copies.
    pub fn len(&self) -> usize {
        self.origins.len()
    }

    /// Whether there are none: never.
    pub fn is_empty(&self) -> bool {
        self.origins.is_empty()
    }

    /// The world that all are in, to step it, to push what is in it, to draw it.
    pub fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// Simulates a frame of all copies: [`Solver::step`].
    pub fn step(&mut self) {
        self.solver.step();
    }

    /// Where the origin of a copy is in the world [m].
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a copy that is not there.
    pub fn origin(&self, copy: usize) -> Result<Vec3, SolverError> {
        self.part(copy).map(|_| self.origins[copy])
    }

    /// What a copy has in the world's scene.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a copy that is not there.
    pub fn part(&self, copy: usize) -> Result<&Part, SolverError> {
        let copies = &self.solver.scene().pools[self.pool.0 as usize].copies;
        copies.get(copy).ok_or(SolverError::Missing { what: "copy", index: copy, count: copies.len() })
    }

    /// What a body of the copied scene is in one copy. It stays the same when the copy is set back.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a copy or a body that is not there.
    pub fn body(&self, copy: usize, body: BodyId) -> Result<BodyId, SolverError> {
        let part = self.part(copy)?;
        let (index, count) = (body.0 as usize, part.bodies.len());
        if index < count { Ok(part.body(body)) } else { Err(SolverError::Missing { what: "body", index, count }) }
    }

    /// What a deformable object of the copied scene is in one copy. It stays the same when the copy is set back.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a copy or an object that is not there.
    pub fn deformable(&self, copy: usize, object: DeformableId) -> Result<DeformableId, SolverError> {
        let part = self.part(copy)?;
        let (index, count) = (object.0 as usize, part.deformables.len());
        let what = "deformable object";
        if index < count { Ok(part.deformable(object)) } else { Err(SolverError::Missing { what, index, count }) }
    }

    /// Begins one copy anew, as it was at first, whether it is in the world or has left it; the others go on. Unless it has left, sensors on its
    /// bodies stay, and its walkers stand until they are told to walk. Nothing waits for the GPU.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a copy that is not there.
    pub fn reset(&mut self, copy: usize) -> Result<(), SolverError> {
        self.part(copy)?;
        self.solver.empty_copy(self.pool, copy as u32)?;
        self.enter(copy)
    }

    /// Waits for the GPU and reads the bodies of all copies; those of a copy that has left the world are where they are kept.
    ///
    /// # Errors
    /// As [`Solver::read_bodies`].
    pub fn read(&self) -> Result<Vec<Vec<BodyState>>, SolverError> {
        let all = self.solver.read_bodies()?;
        let of = |copy: usize| {
            let part = self.part(copy)?;
            Ok(self.seen(copy, &all[part.bodies.start as usize..part.bodies.end as usize]))
        };
        (0..self.len()).map(of).collect()
    }

    /// Asks for the bodies of all copies as they are now, without waiting: [`Solver::request_poses`].
    ///
    /// # Errors
    /// As there.
    pub fn request(&mut self) -> Result<(), SolverError> {
        let mut bodies = Vec::new();
        for copy in 0..self.len() {
            bodies.extend(self.part(copy)?.bodies.clone().map(BodyId));
        }
        self.solver.request_poses(&bodies)
    }

    /// The answer to the oldest request that was not taken yet, some frames later: [`Solver::take_poses`], which serves no others
    /// meanwhile.
    pub fn take(&mut self) -> Option<BatchPoses> {
        let Poses { frame, time, states, .. } = self.solver.take_poses()?;
        let each = states.len() / self.len();
        let copies = (0..self.len()).map(|copy| self.seen(copy, &states[copy * each..(copy + 1) * each])).collect();
        Some(BatchPoses { frame, time, copies })
    }

    /// Copies some of whose bodies, as [`Batch::read`] and [`Batch::take`] give them, have left their cell: they may meet others, and
    /// should be set back.
    pub fn strayed(&self, copies: &[Vec<BodyState>]) -> Vec<usize> {
        let out = |body: &BodyState| body.center[0].abs().max(body.center[2].abs()) > 0.5 * self.spacing;
        let left = copies.iter().enumerate().filter(|(_, bodies)| bodies.iter().any(out));
        left.map(|(copy, _)| copy).collect()
    }

    /// Bodies seen from the origin of their copy.
    fn seen(&self, copy: usize, bodies: &[BodyState]) -> Vec<BodyState> {
        let origin = self.origins[copy];
        let from = |body: &BodyState| BodyState { center: (body.center() - origin).to_array(), ..*body };
        bodies.iter().map(from).collect()
    }
}

/// How far anything in a scene is from its origin across the level plane at most [m].
fn reach(scene: &Scene) -> f32 {
    let level = |at: Vec3| at.x.abs().max(at.z.abs());
    let particles = scene.particles.iter().map(|p| level(p.position) + p.radius);
    let colliders = scene.colliders.iter().map(|c| level(c.position) + c.shape.bounding_radius());
    // What has no end is refused as such.
    particles.chain(colliders).filter(|far| far.is_finite()).fold(0.0, f32::max)
}
