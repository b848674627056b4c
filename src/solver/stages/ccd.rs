//! Continuous collision detection: at the end of a substep no feature of a surface may have crossed another one. Ways that would are
//! truncated at a plane between the two that moves as what crosses does in the mean, and where others rely on a truncated way,
//! theirs are bound again.

use std::mem::offset_of;

use super::ground::World;
use super::stage::{Frame, List, Pass};
use crate::gpu::wgsl::surfaces::lists::SurfaceList;

static PUSH_AHEAD: Pass = Pass::new("ccd/push_ahead");
static FOLLOW: Pass = Pass::new("ccd/follow");
static DETECT: Pass = Pass::new("ccd/detect");
static DETECT_BODIES: Pass = Pass::new("ccd/detect_bodies");
static OPEN: Pass = Pass::new("ccd/open");
static FRAME: Pass = Pass::new("ccd/frame");
static FRAME_BODIES: Pass = Pass::new("ccd/frame_bodies");

/// Pairs of features of free particles.
const FREE_PAIRS: List = List::at("surface_list", offset_of!(SurfaceList, pairs));
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

/// All ways are bound if some cross; then once more if some were truncated, for those that rely on them; then so that nothing relies on another.
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
pub(in crate::solver) struct Stage {
    pub(in crate::solver) world: World,
    /// Whether there is any surface.
    pub(in crate::solver) surfaces: bool,
    /// Whether bodies meet it.
    pub(in crate::solver) bodies: bool,
}

impl Stage {
    /// What is on the way of a body goes ahead of it.
    pub(in crate::solver) fn push_ahead(&self, f: &mut Frame) {
        if self.bodies {
            f.run_listed(&PUSH_AHEAD, BODY_PAIRS);
            f.run(&FOLLOW, self.world.particles);
        }
    }

    /// Bounds all ways of the substep if some cross, and as long as some are truncated those that rely on them.
    pub(in crate::solver) fn bound(&self, f: &mut Frame) {
        if !self.surfaces {
            return;
        }
        f.run_listed(&DETECT, FREE_PAIRS);
        if self.bodies {
            f.run_listed(&DETECT_BODIES, BODY_PAIRS);
        }
        f.run(&OPEN, 1);
        f.run_listed(&FRAME, List::at("surface_list", offset_of!(SurfaceList, particle_groups)));
        if self.bodies {
            f.run_listed(&FRAME_BODIES, List::at("surface_list", offset_of!(SurfaceList, body_groups)));
        }
        for round in &ROUNDS {
            let list = |offset| List::at(round.list, offset);
            f.run_listed(&round.bound, list(offset_of!(SurfaceList, bound)));
            if self.bodies {
                f.run_listed(&round.bound_bodies, list(offset_of!(SurfaceList, bound_bodies)));
            }
            f.run_listed(&round.truncate, list(offset_of!(SurfaceList, particle_groups)));
            if self.bodies {
                f.run_listed(&round.truncate_bodies, list(offset_of!(SurfaceList, body_groups)));
            }
        }
    }
}
