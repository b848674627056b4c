//! Continuous collision detection: at the end of a substep no feature of a surface may have crossed another one. Ways that would are
//! truncated at a plane between the two, and where others rely on a truncated way, theirs are bound again.

use std::mem::offset_of;

use super::ground::World;
use super::stage::{Frame, List, Pass};
use crate::gpu::wgsl::surfaces::lists::SurfaceList;

static PUSH_AHEAD: Pass = Pass::new("ccd/push_ahead");
static FOLLOW: Pass = Pass::new("ccd/follow");

/// Pairs of particles of bodies and triangles.
const BODY_PAIRS: List = List::at("surface_list", offset_of!(SurfaceList, body_pairs));

/// The passes of a round, and the list that says what they run over: all pairs, or none.
struct Round {
    list: &'static str,
    bound: Pass,
    bound_bodies: Pass,
    truncate: Pass,
    truncate_bodies: Pass,
}

/// All ways are bound; then once more if some were truncated, for those that rely on them; then so that nothing relies on another.
static ROUNDS: [Round; 3] = [
    Round {
        list: "surface_list",
        bound: Pass::new("ccd/bound"),
        bound_bodies: Pass::new("ccd/bound_bodies"),
        truncate: Pass::new("ccd/truncate"),
        truncate_bodies: Pass::new("ccd/truncate_bodies"),
    },
    Round {
        list: "surface_list_again",
        bound: Pass::again("ccd/bound_again", "ccd/bound", &[("surface_list", "surface_list_again")]),
        bound_bodies: Pass::again(
            "ccd/bound_bodies_again",
            "ccd/bound_bodies",
            &[("surface_list", "surface_list_again")],
        ),
        truncate: Pass::again("ccd/truncate_again", "ccd/truncate", AGAIN),
        truncate_bodies: Pass::again("ccd/truncate_bodies_again", "ccd/truncate_bodies", AGAIN),
    },
    Round {
        list: "surface_list_last",
        bound: Pass::again("ccd/bound_last", "ccd/bound", &[("surface_list", "surface_list_last")]),
        bound_bodies: Pass::again(
            "ccd/bound_bodies_last",
            "ccd/bound_bodies",
            &[("surface_list", "surface_list_last")],
        ),
        truncate: Pass::again("ccd/truncate_last", "ccd/truncate", LAST),
        truncate_bodies: Pass::again("ccd/truncate_bodies_last", "ccd/truncate_bodies", LAST),
    },
];
const AGAIN: &[(&str, &str)] = &[("surface_list", "surface_list_again"), ("surface_list_again", "surface_list_last")];
const LAST: &[(&str, &str)] = &[("surface_list", "surface_list_last"), ("surface_list_again", "surface_list_end")];

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

    /// Bounds all ways of the substep, and as long as some are truncated those that rely on them.
    pub(super) fn bound(&self, f: &mut Frame) {
        if !self.surfaces {
            return;
        }
        for (round, number) in ROUNDS.iter().zip(0..) {
            f.run_listed(&round.bound, List::at(round.list, offset_of!(SurfaceList, pairs)));
            if self.bodies {
                f.run_listed(&round.bound_bodies, List::at(round.list, offset_of!(SurfaceList, body_pairs)));
            }
            self.truncate(f, round, number == 0);
        }
    }

    /// Ends ways: those of all particles and bodies, or if the GPU says so.
    fn truncate(&self, f: &mut Frame, round: &'static Round, always: bool) {
        if always {
            f.run(&round.truncate, self.world.particles);
        } else {
            f.run_listed(&round.truncate, List::at(round.list, offset_of!(SurfaceList, particle_groups)));
        }
        if always && self.bodies {
            f.run(&round.truncate_bodies, self.world.bodies);
        } else if self.bodies {
            f.run_listed(&round.truncate_bodies, List::at(round.list, offset_of!(SurfaceList, body_groups)));
        }
    }
}
