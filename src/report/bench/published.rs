//! Published measurements, with their hardware: the papers' tables, and other solvers on the machine of our own figures.

use serde::Serialize;

/// A figure that somebody published.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Published {
    /// Who, and on what hardware.
    pub source: &'static str,
    /// Time of a frame [ms].
    pub frame_ms: f64,
}

const fn figure(source: &'static str, frame_ms: f64) -> Published {
    Published { source, frame_ms }
}

// Frames per second of table 2 of paper 5 as milliseconds; the solvers on two CPU cores ran the same scenes.
const P6000: &str = "particle joints, Quadro P6000 (paper 5)";
const GTX: &str = "particle joints, GTX 1080 (paper 5)";
const UE4: &str = "PhysX in UE4, i7-6800K (paper 5)";
const RAPIER: &str = "rapier3d 0.36, 2 cores";
const NEXUS: &str = "nexus3d 0.3, llvmpipe on 2 cores";

pub(super) const PAIRS_300: &[Published] =
    &[figure(P6000, 3.7), figure(GTX, 4.3), figure(UE4, 5.1), figure(RAPIER, 0.64), figure(NEXUS, 32.5)];
pub(super) const PAIRS_600: &[Published] =
    &[figure(P6000, 7.5), figure(GTX, 10.5), figure(UE4, 10.5), figure(RAPIER, 1.2), figure(NEXUS, 44.8)];
pub(super) const PAIRS_1200: &[Published] =
    &[figure(P6000, 25.0), figure(GTX, 27.8), figure(UE4, 25.6), figure(RAPIER, 4.12), figure(NEXUS, 49.4)];
pub(super) const RAGDOLLS_100: &[Published] = &[figure(RAPIER, 1.63), figure(NEXUS, 59.5)];

// Frames per second of table 1 of paper 1: no contacts, no drawing, all of the scene.
const GTX_780: &str = "colors, GTX 780 Ti (paper 1)";
const I7_ALL: &str = "cpu mt, i7-5930K (paper 1)";
const I7_ONE: &str = "cpu st, i7-5930K (paper 1)";

pub(super) const S0: &[Published] = &[figure(GTX_780, 0.905), figure(I7_ALL, 13.7), figure(I7_ONE, 40.0)];
pub(super) const S1: &[Published] = &[figure(GTX_780, 3.07), figure(I7_ALL, 22.2), figure(I7_ONE, 66.7)];
pub(super) const S2: &[Published] = &[figure(GTX_780, 1.43), figure(I7_ALL, 200.0), figure(I7_ONE, 333.0)];

// Frames per second of table 2 of paper 3. Jacobi had as many iterations as it took to the others' residual.
const K6000: &str = "colors, Quadro K6000 (paper 3)";
const K6000_PHANTOM: &str = "phantom, Quadro K6000 (paper 3)";

pub(super) const SQUISHY: &[Published] =
    &[figure(K6000, 4.88), figure(K6000_PHANTOM, 2.47), figure("jacobi, 110 iterations, Quadro K6000 (paper 3)", 28.6)];
pub(super) const OMOTONDO: &[Published] =
    &[figure(K6000, 3.57), figure(K6000_PHANTOM, 2.60), figure("jacobi, 74 iterations, Quadro K6000 (paper 3)", 5.13)];
pub(super) const TORI: &[Published] =
    &[figure(K6000, 4.44), figure(K6000_PHANTOM, 4.17), figure("jacobi, 43 iterations, Quadro K6000 (paper 3)", 35.7)];
