//! Cloth that tears, as the GPU holds it: corners of triangles, the vertices that they are, and what follows them.

use std::collections::{BTreeMap, HashMap};

use super::Place;
use crate::constraints::UNBOUNDED;
use crate::gpu::wgsl::common::workgroup_sum::SUM_WIDTH;
use crate::gpu::wgsl::constraints::seams::{
    ALWAYS, PARTED, TearFollower as FollowerRow, TearPlan as PlanRow, TearSide as SideRow, WHOLE,
};
pub(in crate::solver) use crate::gpu::wgsl::constraints::seams::{TearFabric as FabricRow, TearVertex as VertexRow};
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};
use crate::scene::{Follower, Scene, Seams, When};
use crate::solver::stages::ground::NONE;
use crate::solver::stages::stage::{Frame, Pass, Trigger};

static TEAR: Pass = Pass::new("constraints/tear");
static DECIDE: Pass = Pass::new("constraints/tear_decide");
static PLAN: Pass = Pass::new("constraints/tear_plan");
static CHOOSE: Pass = Pass::new("constraints/tear_choose");
static ALLOT: Pass = Pass::new("constraints/tear_allot");
static PART: Pass = Pass::new("constraints/tear_part");
static SHARE: Pass = Pass::new("constraints/tear_share");
static COPY: Pass = Pass::new("constraints/tear_copy");
static FOLLOW: Pass = Pass::new("constraints/tear_follow");
static FACES: Pass = Pass::new("constraints/tear_faces");

/// How much there is of what tears.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::solver) struct Sizes {
    pub(in crate::solver) corners: u32,
    pub(in crate::solver) vertices: u32,
    pub(in crate::solver) fabrics: u32,
    pub(in crate::solver) followers: u32,
}

impl Sizes {
    /// Splits what is stretched too far, at the end of a substep.
    pub(in crate::solver) fn run(&self, f: &mut Frame) {
        if self.corners == 0 {
            return;
        }
        f.run(&TEAR, self.corners);
        f.run(&DECIDE, 1);
        let vertices = [&PLAN, &CHOOSE].into_iter().map(|pass| (pass, self.vertices));
        let moved = [&PART, &SHARE, &COPY].into_iter().map(|pass| (pass, self.vertices));
        let passes = vertices.chain([(&ALLOT, SUM_WIDTH * self.fabrics)]).chain(moved);
        for (pass, threads) in passes.chain(self.following()) {
            f.run_when(Trigger::Tears, pass, threads);
        }
    }

    /// Passes and threads of what follows from the corners of triangles.
    pub(in crate::solver) fn following(&self) -> [(&'static Pass, u32); 2] {
        [(&FOLLOW, self.followers.max(self.fabrics)), (&FACES, self.corners / 3)]
    }
}

/// What has torn, to be kept while buffers are made anew.
#[derive(Clone, Debug, Default)]
pub(in crate::solver) struct Torn {
    corners: Vec<u32>,
    vertices: Vec<VertexRow>,
    fabrics: Vec<FabricRow>,
    /// Vertices that are still to be looked at.
    needs: Vec<u32>,
    /// Inverse masses of what is pinned for a while.
    inverses: Vec<f32>,
}

impl Torn {
    /// Reads it back.
    ///
    /// # Errors
    /// [`GpuError`] when the device is lost.
    pub(in crate::solver) fn read(buffers: &Buffers) -> Result<Self, GpuError> {
        buffers.foresee(&["tear_corners", "tear_vertices", "tear_fabrics", "tear_needs", "tear_inverses"]);
        Ok(Self {
            corners: buffers.read("tear_corners")?,
            vertices: buffers.read("tear_vertices")?,
            fabrics: buffers.read("tear_fabrics")?,
            needs: buffers.read("tear_needs")?,
            inverses: buffers.read("tear_inverses")?,
        })
    }

    /// Keeps the inverse mass of a particle that is pinned [1/kg].
    pub(in crate::solver) fn keep_inverse(&mut self, particle: usize, inverse: f32) {
        self.inverses.get_mut(particle).iter_mut().for_each(|kept| **kept = inverse);
    }

    /// Whether it keeps the inverse mass of a particle, if that is pinned.
    pub(in crate::solver) fn keeps_inverse(&self, particle: usize) -> bool {
        particle < self.inverses.len()
    }

    /// Whether anything has torn.
    pub(in crate::solver) fn is_any(&self) -> bool {
        self.fabrics.iter().any(|fabric| fabric.taken > 0)
    }

    /// Each vertex that has come into the world, after the one whose corners it has taken.
    pub(in crate::solver) fn copies(&self) -> Vec<[usize; 2]> {
        let spares = |fabric: &FabricRow| fabric.spare as usize..(fabric.spare + fabric.taken) as usize;
        let whole = |fabric: &FabricRow| fabric.first as usize..fabric.spare as usize;
        let roots: HashMap<u32, usize> = self
            .fabrics
            .iter()
            .flat_map(whole)
            .filter(|i| self.vertices[*i].count > 0)
            .map(|i| (self.vertices[i].first, i))
            .collect();
        let root = |copy: usize| Some([*roots.get(&self.vertices[copy].first)?, copy]);
        self.fabrics.iter().flat_map(spares).filter_map(root).collect()
    }

    /// Lets these corners of a particle become a spare one, which is returned; nothing happens to what never splits, or finds no spare.
    pub(in crate::solver) fn split(&mut self, particle: u32, leaving: &[u32]) -> Option<u32> {
        for fabric in &mut self.fabrics {
            let offset = self.vertices[fabric.first as usize].offset;
            let (vertex, end) = (particle.wrapping_sub(offset), fabric.first + fabric.count);
            if !(fabric.first..end).contains(&vertex) {
                continue;
            }
            let given = fabric.spare + fabric.taken;
            let whole = self.vertices[vertex as usize];
            if whole.held != 0 || given >= end {
                return None;
            }
            fabric.taken += 1;
            let spare = &mut self.vertices[given as usize];
            (spare.first, spare.count) = (whole.first, whole.count);
            leaving.iter().for_each(|corner| self.corners[*corner as usize] = given.wrapping_add(offset));
            return Some(given.wrapping_add(offset));
        }
        None
    }

    /// Mass of each particle that has some of these corners [kg]: `shares` has that of each.
    pub(in crate::solver) fn masses(&self, shares: &[f32]) -> HashMap<u32, f32> {
        let mut masses = HashMap::new();
        for (particle, share) in self.corners.iter().zip(shares) {
            *masses.entry(*particle).or_default() += share;
        }
        masses
    }

    /// Puts it back over the rows of `tables`; objects that were added since come after those that were there.
    ///
    /// # Errors
    /// [`GpuError`] where there is more than fits.
    pub(in crate::solver) fn restore(&self, tables: &Tables, buffers: &Buffers) -> Result<(), GpuError> {
        // What holds a vertex may be new.
        let vertex = |(old, new): (&VertexRow, &VertexRow)| VertexRow {
            first: old.first,
            count: old.count,
            held: old.held.max(new.held),
            ..*new
        };
        let vertices: Vec<_> = self.vertices.iter().zip(&tables.vertices).map(vertex).collect();
        let fabric = |(old, new): (&FabricRow, &FabricRow)| FabricRow { taken: old.taken, ..*new };
        let fabrics: Vec<_> = self.fabrics.iter().zip(&tables.fabrics).map(fabric).collect();
        buffers.upload("tear_corners", 0, &self.corners)?;
        buffers.upload("tear_vertices", 0, &vertices)?;
        buffers.upload("tear_fabrics", 0, &fabrics)?;
        buffers.upload("tear_needs", 0, &self.needs)?;
        buffers.upload("tear_inverses", 0, &self.inverses)
    }
}

/// Rows that follow from the scene.
#[derive(Clone, Debug, Default)]
pub(in crate::solver) struct Tables {
    corners: Vec<u32>,
    sides: Vec<SideRow>,
    vertices: Vec<VertexRow>,
    fans: Vec<u32>,
    faces: Vec<u32>,
    fabrics: Vec<FabricRow>,
    followers: Vec<FollowerRow>,
    /// Rows of global constraints that end where their object tears.
    globals: Vec<u32>,
    /// Edges of the scene that can part.
    tears: usize,
    particles: usize,
}

impl Tables {
    /// `places` says where the words of each follower's row are, `global` the row of each global constraint.
    pub(in crate::solver) fn new(
        scene: &Scene,
        seams: &Seams,
        followers: &[Follower],
        places: &[Place],
        global: &[u32],
    ) -> Self {
        let mut tables = Self { tears: scene.tears.len(), ..Self::default() };
        if seams.faces.is_empty() {
            return tables;
        }
        tables.particles = scene.particles.len();
        tables.corners.clone_from(&seams.roots);
        tables.faces.clone_from(&seams.faces);
        tables.add_vertices(scene, seams);
        tables.add_sides(scene, seams);
        tables.add_globals(scene, global);
        tables.followers = followers.iter().zip(places).map(|(follower, place)| row(follower, *place)).collect();
        tables
    }

    fn add_vertices(&mut self, scene: &Scene, seams: &Seams) {
        let held = seams.held(scene);
        for fabric in &seams.fabrics {
            let first = self.vertices.len() as u32;
            for particle in fabric.first_particle..fabric.first_particle + fabric.particles {
                let fan = seams.fans.get(&particle).map_or(&[][..], |fan| fan);
                let spare = particle >= fabric.first_particle + fabric.particles - fabric.spares;
                self.vertices.push(VertexRow {
                    first: self.fans.len() as u32,
                    count: fan.len() as u32,
                    offset: fabric.first_particle.wrapping_sub(first),
                    held: u32::from(held[particle as usize] && !spare),
                });
                self.fans.extend(fan);
            }
            self.fabrics.push(FabricRow {
                first,
                count: fabric.particles,
                spare: first + fabric.particles - fabric.spares,
                ..FabricRow::default()
            });
        }
    }

    fn add_sides(&mut self, scene: &Scene, seams: &Seams) {
        let rows = seams.fabrics.iter().zip(&self.fabrics);
        let own: BTreeMap<u32, _> = rows.map(|(fabric, row)| (fabric.first_particle, (fabric, row))).collect();
        let offset = |particle: u32| {
            let last = own.range(..=particle).next_back().map(|(_, own)| *own);
            let own = last.filter(|(fabric, _)| particle - fabric.first_particle < fabric.particles);
            own.map_or(0, |(fabric, row)| fabric.first_particle.wrapping_sub(row.first))
        };
        let side = |corner: u32| {
            let root = seams.root(corner);
            let offset = offset(root);
            // What keeps no length never breaks; infinity is not safe in WGSL.
            let tear = seams.tears[corner as usize].map(|tear| &scene.tears[tear as usize]);
            let kept = tear.and_then(|tear| Some((tear, scene.constraints[tear.constraint as usize].stretch()?)));
            let place = seams.fans[&root].iter().position(|own| *own == corner).unwrap_or(0);
            SideRow {
                most: kept.map_or(UNBOUNDED as f32, |(tear, kept)| kept.rest_length * (1.0 + tear.strain)),
                across: seams.across[corner as usize],
                vertex: root.wrapping_sub(offset),
                place: place as u32,
                share: seams.shares[corner as usize],
                offset,
            }
        };
        self.sides = (0..seams.corners()).map(side).collect();
    }

    /// What needs whole objects: pressure inside and a shape to match end where an object tears.
    fn add_globals(&mut self, scene: &Scene, places: &[u32]) {
        for fabric in 0..self.fabrics.len() {
            let offset = self.vertices[self.fabrics[fabric].first as usize].offset;
            let (first, count) = (self.fabrics[fabric].first.wrapping_add(offset), self.fabrics[fabric].count);
            self.fabrics[fabric].globals = self.globals.len() as u32;
            for (global, place) in scene.global_constraints.iter().zip(places) {
                let own = global.joined().next().is_some_and(|i| (first..first + count).contains(&i));
                if own {
                    self.globals.push(*place);
                }
            }
            self.fabrics[fabric].global_count = self.globals.len() as u32 - self.fabrics[fabric].globals;
        }
    }

    /// Whether a particle waits for a vertex to split. Waits for the GPU.
    ///
    /// # Errors
    /// [`GpuError`] when the device is lost.
    pub(in crate::solver) fn waits(&self, buffers: &Buffers, particle: u32) -> Result<bool, GpuError> {
        let fabrics: Vec<FabricRow> = buffers.read("tear_fabrics")?;
        let waits = |fabric: &FabricRow| {
            let vertex = particle.wrapping_sub(self.vertices[fabric.first as usize].offset);
            (fabric.spare + fabric.taken..fabric.first + fabric.count).contains(&vertex)
        };
        Ok(fabrics.iter().any(waits))
    }

    /// Triangle of the scene of each face.
    pub(in crate::solver) fn faces(&self) -> &[u32] {
        &self.faces
    }

    /// What is left of them in a frame.
    pub(in crate::solver) fn sizes(&self) -> Sizes {
        Sizes {
            corners: self.corners.len() as u32,
            vertices: self.vertices.len() as u32,
            fabrics: self.fabrics.len() as u32,
            followers: self.followers.len() as u32,
        }
    }

    /// Makes the buffers of what tears.
    pub(in crate::solver) fn create(&self, b: &mut Buffers) -> Result<(), GpuError> {
        let none = BufferUsages::empty();
        b.create_with("torn_edges", &vec![0u32; self.tears])?; // [tear_count] 1 once parted
        b.create_with("tear_corners", &self.corners)?; // particle at each corner of what tears
        b.create_with("tear_sides", &self.sides)?; // by corner: what stays as it was
        b.create_with("tear_vertices", &self.vertices)?; // particles of what tears, spares of each object last
        b.create_with("tear_fans", &self.fans)?; // corners by vertex
        b.create_with("tear_faces", &self.faces)?; // triangle of the scene of each face
        b.create_with("tear_fabrics", &self.fabrics)?; // objects that tear
        b.create_with("tear_followers", &self.followers)?; // constraints that follow corners
        b.create_with("tear_globals", &self.globals)?; // rows of those that need their object whole
        b.create::<u32>("tear_needs", self.vertices.len(), none)?; // by vertex: 1 to look at it
        b.create::<PlanRow>("tear_plans", self.vertices.len(), none)?; // by vertex: how it splits
        b.create::<f32>("tear_inverses", self.particles, none) // [particle_count] inverse mass of what is pinned meanwhile [1/kg]
    }
}

fn row(follower: &Follower, place: Place) -> FollowerRow {
    let mut corners = [NONE; 4];
    corners.iter_mut().zip(&follower.corners).for_each(|(slot, corner)| *slot = *corner);
    FollowerRow {
        corners,
        across: follower.across,
        first: place.word,
        stride: place.stride,
        count: follower.corners.len() as u32,
        mode: match follower.when {
            When::Always => ALWAYS,
            When::Parted => PARTED,
            When::Whole => WHOLE,
        },
        tear: follower.tear.unwrap_or(NONE),
        ..FollowerRow::default()
    }
}
