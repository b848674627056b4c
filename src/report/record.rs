//! What a report holds, as JSON with stable keys and as a table for the terminal.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::gpu::AdapterInfo;
use crate::solver::Dropped;

/// Graphics adapter that was measured.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Adapter {
    /// Name as the driver gives it.
    pub name: String,
    /// Graphics interface, such as "vulkan".
    pub backend: String,
    /// "discrete", "integrated", "software" or another kind.
    pub kind: String,
    /// Driver name and version.
    pub driver: String,
}

impl From<&AdapterInfo> for Adapter {
    fn from(info: &AdapterInfo) -> Self {
        let AdapterInfo { name, backend, kind, driver } = info.clone();
        Self { name, backend, kind, driver }
    }
}

/// Sizes of the scene and of the work.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Counts {
    /// Particles.
    pub particles: u32,
    /// Bodies.
    pub bodies: u32,
    /// Joints.
    pub joints: u32,
    /// Triangles drawn.
    pub triangles: u32,
    /// Constraints by type.
    pub constraints: BTreeMap<String, u32>,
    /// Colors by constraint type.
    pub colors: BTreeMap<String, u32>,
    /// Compute dispatches a frame.
    pub dispatches_per_frame: u32,
}

/// Wall-clock time of one frame: encode, submit and wait, without reading back or measuring [ms].
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct FrameTime {
    /// Median [ms].
    pub median: Option<f64>,
    /// 95 of 100 frames are faster [ms].
    pub p95: Option<f64>,
}

/// Times.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Timing {
    /// A whole frame.
    pub frame_ms: FrameTime,
    /// Median of each pass on the GPU [ms]; empty when the adapter has no timestamps.
    pub passes_ms: BTreeMap<String, f64>,
    /// Median time to encode and submit a frame on the CPU [ms].
    pub host_ms: Option<f64>,
}

/// What must stay 0; the most that any frame had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct Health {
    /// Bodies and particles with a number that is not finite.
    pub non_finite: u32,
    /// Contacts that found no room.
    pub contacts_dropped: u32,
    /// Neighbours that found no room.
    pub neighbors_dropped: u32,
    /// Both of these, by the list that was full.
    pub dropped: Dropped,
    /// Bodies and free particles outside the world.
    pub out_of_bounds: u32,
    /// Vertices of cloth that should have split and found no spare particle.
    pub tears_dropped: u32,
    /// Pairs of surface triangles that pass through one another, beyond those that did at the start: counted in every tenth frame
    /// and the last.
    pub crossings: u32,
}

impl Health {
    /// What was dropped, in words.
    fn dropped(&self) -> String {
        let Self { contacts_dropped, neighbors_dropped, tears_dropped, dropped, .. } = self;
        let tears = if *tears_dropped > 0 { format!(", {tears_dropped} tears") } else { String::new() };
        let full = if *dropped == Dropped::default() { String::new() } else { format!(" (full lists: {dropped})") };
        format!("{contacts_dropped} contacts, {neighbors_dropped} neighbors{tears}{full}")
    }
}

/// How well the constraints were met. A measure that does not apply is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Quality {
    /// Largest relative stretch of a distance constraint in the last frame.
    pub stretch_max: Option<f64>,
    /// Root mean square of the relative stretch in the last frame.
    pub stretch_rms: Option<f64>,
    /// Mean of the relative stretch, shortening counted as well, in the last frame.
    pub stretch_mean: Option<f64>,
    /// What 99 of 100 distance constraints are below of it.
    pub stretch_p99: Option<f64>,
    /// Largest relative error of the volume of a soft body in the last frame.
    pub volume_error_max: Option<f64>,
    /// Largest distance between the two places of a shared particle, in any frame [m].
    pub joint_gap_max_m: Option<f64>,
    /// The same in the last frame [m].
    pub joint_gap_end_m: Option<f64>,
    /// Mean over the shared particles in the last frame [m].
    pub joint_gap_end_mean_m: Option<f64>,
    /// Deepest overlap in any frame, in radii of the particle.
    pub penetration_max_radii: Option<f64>,
    /// The same in the last frame.
    pub penetration_end_radii: Option<f64>,
    /// Speed below which 99 of 100 particles are in the last frame [m/s].
    pub speed_end_p99: Option<f64>,
    /// Kinetic and potential energy at the start [J].
    pub energy_start: Option<f64>,
    /// The same after the last frame [J].
    pub energy_end: Option<f64>,
    /// Largest change of linear or angular momentum, as a fraction of what the parts carried at the start; only when
    /// nothing outside acts.
    pub momentum_drift: Option<f64>,
    /// Mean compression of liquid: how much denser than at rest, where it is; mean over particles and frames.
    pub density_error_mean: Option<f64>,
    /// Pairs of surface triangles that pass through one another: most of them in every tenth frame and the last.
    pub self_intersections: Option<u32>,
}

/// The measures of one run.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Report {
    /// Demo or model.
    pub target: String,
    /// What it ran on.
    pub adapter: Adapter,
    /// Frames simulated.
    pub frames: u32,
    /// Time a frame simulates [s].
    pub dt: f32,
    /// Substeps a frame.
    pub substeps: u32,
    /// Iterations a substep.
    pub iterations: u32,
    /// Sizes.
    pub counts: Counts,
    /// Bytes of each buffer on the device at the end; empty where a build did not tell.
    #[serde(default)]
    pub memory: BTreeMap<String, u64>,
    /// Times.
    pub timing: Timing,
    /// What must stay 0.
    pub health: Health,
    /// How well the constraints were met.
    pub quality: Quality,
    /// FNV-1a of the last state's bits, 16 hexadecimal digits.
    pub state_hash: String,
}

/// How many buffers the table names.
const LARGEST_BUFFERS: usize = 4;

impl Report {
    /// Whether every number stayed finite, nothing was dropped, nothing left the world and no surface passed through another.
    pub fn healthy(&self) -> bool {
        let q = &self.quality;
        let measures = [
            q.stretch_max,
            q.volume_error_max,
            q.joint_gap_max_m,
            q.penetration_max_radii,
            q.speed_end_p99,
            q.energy_start,
            q.energy_end,
            q.momentum_drift,
            q.density_error_mean,
        ];
        self.health == Health::default() && measures.into_iter().flatten().all(f64::is_finite)
    }

    /// The report as indented JSON. Keys are stable; a measure that does not apply is null.
    pub fn to_json(&self) -> String {
        // Only maps with keys that are not text can fail.
        serde_json::to_string_pretty(self).expect("a report is plain data")
    }

    /// The report as a table of about thirty short lines.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut row = |name: &str, value: String| {
            let _ = writeln!(text, "{name:<28}{value}");
        };
        let (a, c, h, q) = (&self.adapter, &self.counts, &self.health, &self.quality);
        row("target", self.target.clone());
        row("adapter", format!("{} ({}, {}, {})", a.name, a.backend, a.kind, a.driver));
        let seconds = f64::from(self.frames) * f64::from(self.dt);
        row("frames", format!("{} = {seconds:.1} s, {} x {}", self.frames, self.substeps, self.iterations));
        row("scene", format!("{} particles, {} bodies, {} joints", c.particles, c.bodies, c.joints));
        if !c.constraints.is_empty() {
            let list = |of: &BTreeMap<String, u32>| {
                of.iter().map(|(name, n)| format!("{n} {name}")).collect::<Vec<_>>().join(", ")
            };
            row("constraints", list(&c.constraints));
            row("colors", list(&c.colors));
        }
        row("dispatches a frame", c.dispatches_per_frame.to_string());
        let bytes: u64 = self.memory.values().sum();
        let each = bytes as f64 / f64::from(c.particles.max(1));
        row("memory", format!("{:.1} MB, {each:.0} bytes a particle", bytes as f64 / 1e6));
        let mut largest: Vec<_> = self.memory.iter().collect();
        largest.sort_by_key(|(_, bytes)| std::cmp::Reverse(**bytes));
        for (name, bytes) in largest.into_iter().take(LARGEST_BUFFERS) {
            row(&format!("  {name}"), format!("{:.1} MB", *bytes as f64 / 1e6));
        }
        let t = &self.timing;
        row("frame", format!("{} median, {} p95", unit(t.frame_ms.median, "ms"), unit(t.frame_ms.p95, "ms")));
        row("encode and submit", unit(t.host_ms, "ms"));
        for (pass, ms) in &t.passes_ms {
            row(&format!("  {pass}"), format!("{ms:.3} ms"));
        }
        let in_mm = |m: Option<f64>| unit(m.map(|m| m * 1e3), "mm");
        let mean = in_mm(q.joint_gap_end_mean_m);
        row(
            "joint gap",
            format!("{} worst, {} at the end, {mean} mean", in_mm(q.joint_gap_max_m), in_mm(q.joint_gap_end_m)),
        );
        if q.stretch_max.is_some() || q.volume_error_max.is_some() {
            let percent = |v: Option<f64>| unit(v.map(|v| v * 100.0), "%");
            row("stretch", format!("{} worst, {} rms", percent(q.stretch_max), percent(q.stretch_rms)));
            row("volume error", percent(q.volume_error_max));
        }
        let (most, end) = (unit(q.penetration_max_radii, "radii"), unit(q.penetration_end_radii, "radii"));
        row("penetration", format!("{most} worst, {end} at the end"));
        row("speed at the end", format!("{} p99", unit(q.speed_end_p99, "m/s")));
        row("energy", format!("{} to {}", unit(q.energy_start, "J"), unit(q.energy_end, "J")));
        row("momentum drift", unit(q.momentum_drift.map(|d| d * 100.0), "%"));
        if q.density_error_mean.is_some() {
            row("compression", unit(q.density_error_mean.map(|d| d * 100.0), "%"));
        }
        row("not finite", h.non_finite.to_string());
        row("dropped", h.dropped());
        row("out of bounds", h.out_of_bounds.to_string());
        if q.self_intersections.is_some() {
            row("crossings", format!("{} pairs of triangles beyond those of the start", h.crossings));
        }
        row("state hash", self.state_hash.clone());
        row("healthy", if self.healthy() { "yes" } else { "NO" }.to_owned());
        text
    }
}

/// Four digits and a unit; a dash when the measure does not apply.
pub(super) fn unit(value: Option<f64>, unit: &str) -> String {
    match value {
        None => "-".to_owned(),
        Some(v) if v != 0.0 && v.abs() < 1e-3 => format!("{v:.1e} {unit}"),
        Some(v) if v.abs() >= 100.0 => format!("{v:.0} {unit}"),
        Some(v) => format!("{v:.3} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let text = || "x".to_owned();
        Report {
            target: text(),
            adapter: Adapter { name: text(), backend: text(), kind: text(), driver: text() },
            frames: 1,
            dt: 0.1,
            substeps: 8,
            iterations: 1,
            counts: Counts::default(),
            memory: BTreeMap::new(),
            timing: Timing::default(),
            health: Health::default(),
            quality: Quality::default(),
            state_hash: format!("{:016x}", 7),
        }
    }

    fn keys(value: &serde_json::Value) -> Vec<&str> {
        let mut keys: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        keys
    }

    fn words(list: &str) -> Vec<&str> {
        let mut words: Vec<_> = list.split_whitespace().collect();
        words.sort_unstable();
        words
    }

    #[test]
    fn json_has_exactly_the_promised_keys_and_null_for_what_does_not_apply() {
        let json: serde_json::Value = serde_json::from_str(&report().to_json()).unwrap();
        let top = "target adapter frames dt substeps iterations counts memory timing health quality state_hash";
        assert_eq!(keys(&json), words(top));
        assert_eq!(keys(&json["adapter"]), words("name backend kind driver"));
        let counts = "particles bodies joints triangles constraints colors dispatches_per_frame";
        assert_eq!(keys(&json["counts"]), words(counts));
        assert_eq!(keys(&json["timing"]), words("frame_ms passes_ms host_ms"));
        assert_eq!(keys(&json["timing"]["frame_ms"]), words("median p95"));
        assert_eq!(
            keys(&json["health"]),
            words("non_finite contacts_dropped neighbors_dropped dropped out_of_bounds tears_dropped crossings")
        );
        let quality = "stretch_max stretch_rms stretch_mean stretch_p99 volume_error_max joint_gap_max_m joint_gap_end_m \
            joint_gap_end_mean_m \
            penetration_max_radii penetration_end_radii speed_end_p99 energy_start energy_end momentum_drift \
            density_error_mean self_intersections";
        assert_eq!(keys(&json["quality"]), words(quality));
        assert!(json["quality"]["stretch_max"].is_null());
    }

    #[test]
    fn health_needs_zero_counters_and_finite_measures() {
        assert!(report().healthy());
        let mut lost = report();
        lost.health.out_of_bounds = 1;
        let mut crossed = report();
        crossed.health.crossings = 3;
        crossed.quality.self_intersections = Some(3);
        assert!(!crossed.healthy() && crossed.to_text().contains("3 pairs of triangles"));
        let mut mad = report();
        mad.quality.energy_end = Some(f64::NAN);
        assert!(!lost.healthy() && !mad.healthy());
        assert!(lost.to_text().contains("NO") && report().to_text().contains("yes"));
    }

    #[test]
    fn numbers_have_units_and_absent_ones_a_dash() {
        assert_eq!(unit(None, "ms"), "-");
        assert_eq!(unit(Some(1.23456), "ms"), "1.235 ms");
        assert_eq!(unit(Some(0.000_012), "m"), "1.2e-5 m");
        assert_eq!(unit(Some(1234.5), "J"), "1234 J");
    }
}
