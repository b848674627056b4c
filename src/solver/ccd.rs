//! Continuous collision detection: at the end of a substep no feature of a surface may have crossed another one. Ways that would are
//! truncated at a plane between the two, and as long as others rely on a truncated way, theirs are bound again.

use std::mem::offset_of;

use super::ground::World;
use super::stage::{Frame, List, Pass};
use crate::gpu::wgsl::surfaces::lists::{LAST_ROUND, ROUNDS, SurfaceList};

static PUSH_AHEAD: Pass = Pass::new("ccd/push_ahead");
static FOLLOW: Pass = Pass::new("ccd/follow");
static BOUND: Pass = Pass::new("ccd/bound");
static BOUND_BODIES: Pass = Pass::new("ccd/bound_bodies");
static TRUNCATE: Pass = Pass::new("ccd/truncate");
static TRUNCATE_BODIES: Pass = Pass::new("ccd/truncate_bodies");
static BOUND_AGAIN: Pass = Pass::new("ccd/bound_again");
static CHECK_MARGIN: Pass = Pass::new("ccd/check_margin");
static CHECK_MARGIN_BODIES: Pass = Pass::new("ccd/check_margin_bodies");
static REBUILD: Pass = Pass::new("ccd/rebuild");
static RESET: Pass = Pass::new("ccd/reset");

/// Pairs of features of free particles, and of particles of bodies and triangles.
const FREE_PAIRS: List = List::at("surface_list", offset_of!(SurfaceList, pairs));
const BODY_PAIRS: List = List::at("surface_list", offset_of!(SurfaceList, body_pairs));
/// What is bound again: the same pairs as before and all particles, or nothing.
const FREE_PAIRS_AGAIN: List = List::at("surface_list", offset_of!(SurfaceList, pairs_again));
const BODY_PAIRS_AGAIN: List = List::at("surface_list", offset_of!(SurfaceList, body_pairs_again));
const PARTICLES_AGAIN: List = List::at("surface_list", offset_of!(SurfaceList, particle_groups_again));

/// Continuous collision detection in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stage {
    pub(super) world: World,
    /// Whether there is any surface.
    pub(super) surfaces: bool,
    /// Whether bodies meet it.
    pub(super) bodies: bool,
}

impl Stage {
    /// What is on the way of a body goes ahead of it.
    pub(super) fn push_ahead(&self, f: &mut Frame) {
        if self.bodies {
            f.run_listed(&PUSH_AHEAD, BODY_PAIRS);
            f.run(&FOLLOW, self.world.particles);
        }
    }

    /// Bounds all ways of the substep, then those that rely on truncated ones, and sees who left its margin.
    pub(super) fn bound(&self, f: &mut Frame) {
        if !self.surfaces {
            return;
        }
        f.run_listed(&BOUND, FREE_PAIRS);
        if self.bodies {
            f.run_listed(&BOUND_BODIES, BODY_PAIRS);
        }
        f.run(&TRUNCATE, self.world.particles);
        f.run(&TRUNCATE_BODIES, self.met());
        self.bound_again(f, ROUNDS);
        f.run(&CHECK_MARGIN, self.world.particles);
        f.run(&CHECK_MARGIN_BODIES, self.met());
        f.run(&REBUILD, 1);
    }

    /// Once more with what a search at the end of the substep found, until nobody relies on another.
    pub(super) fn settle(&self, f: &mut Frame) {
        if self.surfaces {
            self.bound_again(f, LAST_ROUND - ROUNDS);
            f.run(&RESET, self.world.particles.max(self.world.bodies));
        }
    }

    /// Bounds ways again for those that others rely on, as long as there are any.
    fn bound_again(&self, f: &mut Frame, rounds: u32) {
        for _ in 0..rounds {
            f.run(&BOUND_AGAIN, 1);
            f.run_listed(&BOUND, FREE_PAIRS_AGAIN);
            if self.bodies {
                f.run_listed(&BOUND_BODIES, BODY_PAIRS_AGAIN);
            }
            f.run_listed(&TRUNCATE, PARTICLES_AGAIN);
            f.run(&TRUNCATE_BODIES, self.met());
        }
    }

    /// Bodies that meet surfaces.
    fn met(&self) -> u32 {
        if self.bodies { self.world.bodies } else { 0 }
    }
}
