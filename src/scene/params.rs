//! World parameters: every number the step depends on, with unit, range and default in one table.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::constraints::{MOST_TYPES, Partition, Stiffness};

/// How shared particles join two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum JointSolver {
    /// Each shared particle is a point constraint between the rigid states of its owners, colored Gauss-Seidel.
    #[default]
    Point,
    /// Shared particles go to the mean of their owners' goals and the bodies are fitted to their particles (paper 5, section 4).
    Average,
    /// All as published in paper 5: contacts move each particle by itself, and bodies are what shape matching makes of their
    /// particles. Bodies do not bounce, limits and motors do not act, and what is pressed together gives way.
    Particles,
}

/// How what constraints join goes from one substep to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Integrator {
    /// First order: the velocity is what a particle has moved in the substep. Swings die away; spin is given back to free objects.
    #[default]
    Euler,
    /// Second order, from two substeps (BDF2, paper 2): swings and spin last. What contacts or the host move, and bodies, liquids,
    /// grains and what has a pressure inside, are of the first order, and so is each first substep of another length than the last.
    Bdf2,
}

/// Parameters of a world. Plain numbers: change any of them between frames.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Acceleration on everything [m/s²], Y up.
    pub gravity: Vec3,
    /// Velocity of the air [m/s].
    pub wind: Vec3,
    /// Part of the wind's speed that comes and goes in gusts [dimensionless]; they repeat with the same start.
    pub gusts: f32,
    /// Time simulated by one frame [s]; 0 pauses the world.
    pub dt: f32,
    /// Substeps a frame.
    pub substeps: u32,
    /// Solver iterations a substep.
    pub iterations: u32,
    /// How constraints between particles are divided into what is solved at once.
    pub partition: Partition,
    /// Part of the correction of a constraint between particles that is made each time: k of papers 1 and 3. 1 leaves all
    /// softness to the compliances; less makes what is rigid soft, the softer the fewer iterations there are.
    pub stiffness: f32,
    /// The same of what keeps how two triangles stand to each other, where it is another part; 0 for the same (paper 4 has such pairs).
    #[serde(default)]
    pub bend_stiffness: f32,
    /// The same for each type of constraint, by its place in [`TYPES`](crate::constraints::TYPES), where it is another part than
    /// `stiffness` and `bend_stiffness` say; 0 for what they say.
    #[serde(default)]
    pub type_stiffness: [f32; MOST_TYPES],
    /// How what constraints join goes from one substep to the next.
    #[serde(default)]
    pub integrator: Integrator,
    /// Levels of the hierarchical solver over the lengths of cloth, flesh and ropes (Müller 2008, paper 2): 1 for the particles alone.
    /// Every level more has about a quarter of the particles of a sheet, an eighth of flesh, half of a rope, until nothing is left to leave
    /// out; what is stiff and large then stretches as little as with hundreds of iterations. Above 1 only with [`Integrator::Euler`].
    #[serde(default = "one")]
    pub levels: u32,
    /// Which joint solver runs.
    pub joints: JointSolver,
    /// Motion in a frame below which bodies stay where they are, with [`JointSolver::Particles`] [radii of the largest particle]: 0 for
    /// none; the half of paper 5 lets nothing move that is slower than that a frame.
    #[serde(default)]
    pub freeze: f32,
    /// Most sweeps over the joints in each iteration, 2 or more, all in one dispatch; joint friction acts in the second. Only
    /// [`JointSolver::Point`] has them.
    pub joint_sweeps: u32,
    /// Static friction coefficient of a pair = mean of both surfaces, or 0 if one of them has 0, times this [dimensionless].
    pub friction_scale: f32,
    /// Dynamic over static friction [dimensionless].
    pub dynamic_friction_ratio: f32,
    /// Speed nothing exceeds [m/s].
    pub max_speed: f32,
    /// Fastest separation of the points of a contact that overlap alone may create [m/s]; deeper overlap is moved out without
    /// velocity.
    pub depenetration_speed: f32,
    /// Approach speed below which nothing bounces [m/s].
    pub restitution_speed: f32,
    /// Rate at which linear velocity dies away [1/s]: after a second e^-rate of it is left.
    pub linear_damping: f32,
    /// Rate at which angular velocity dies away [1/s].
    pub angular_damping: f32,
    /// Growth of effective mass downwards in a settled pile (Macklin 2014, section 5.2) [1/m]; 0 keeps momentum exactly.
    pub mass_scaling: f32,
    /// Bodies that move less far than at this speed within the sleep time fall asleep [m/s].
    pub sleep_speed: f32,
    /// Time all bodies of an assembly must stay near one pose before it sleeps, and a grain near one place [s]; 0 disables sleeping.
    pub sleep_time: f32,
    /// Half extent of the world about the origin [m]; what leaves is stopped at the wall and counted.
    pub world_extent: f32,
    /// Cells of the hash grid of surfaces over the size that suits them [dimensionless] (paper 4, hash resolution). It changes
    /// how long searches take, not what they find.
    pub cell_scale: f32,
    /// Substeps from one search for neighbors in liquid to the next; 0 searches when the fastest particle has gone 3 radii,
    /// and 1 in every substep. With more than a frame has, liquid that flows fast is compressed.
    pub liquid_search: u32,
}

/// What files of before levels mean.
fn one() -> u32 {
    1
}

impl Default for Params {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, -9.81, 0.0),
            wind: Vec3::ZERO,
            gusts: 0.3,
            dt: 1.0 / 60.0,
            substeps: 8,
            iterations: 1,
            partition: Partition::Auto,
            stiffness: 1.0,
            bend_stiffness: 0.0,
            type_stiffness: [0.0; MOST_TYPES],
            integrator: Integrator::Euler,
            levels: 1,
            joints: JointSolver::Point,
            freeze: 0.0,
            joint_sweeps: 8,
            friction_scale: 1.0,
            dynamic_friction_ratio: 0.8,
            max_speed: 60.0,
            depenetration_speed: 2.0,
            restitution_speed: 0.5,
            linear_damping: 0.0,
            angular_damping: 0.0,
            mass_scaling: 0.0,
            sleep_speed: 0.03,
            sleep_time: 0.5,
            world_extent: 500.0,
            cell_scale: 1.0,
            liquid_search: 0,
        }
    }
}

impl Params {
    /// Part of the correction that each type of constraint makes each time.
    pub fn stiffness_by_type(&self) -> Stiffness {
        let bends = if self.bend_stiffness > 0.0 { self.bend_stiffness } else { self.stiffness };
        Stiffness::by_type(self.stiffness, bends, &self.type_stiffness)
    }

    /// Duration of one substep [s].
    pub fn substep_dt(&self) -> f32 {
        self.dt / self.substeps as f32
    }
}

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// A number in `min..=max`.
    Number {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// A whole number in `min..=max`.
    Integer {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// One of the names; its index is the value.
    Choice(&'static [&'static str]),
    /// A [`Partition`]; its code is the value.
    Partition,
}

impl Domain {
    /// The value that `text` means here.
    ///
    /// # Errors
    /// A sentence saying what is allowed.
    pub fn parse(&self, text: &str) -> Result<f64, String> {
        let number = || text.trim().parse::<f64>().ok().filter(|v| v.is_finite());
        let value = match *self {
            Self::Number { min, max } => number().filter(|v| (min..=max).contains(v)),
            Self::Integer { min, max } => number().filter(|v| (min..=max).contains(v) && v.fract() == 0.0),
            Self::Choice(names) => names.iter().position(|n| *n == text.trim()).map(|i| i as f64),
            Self::Partition => Partition::parse(text).map(Partition::code),
        };
        value.ok_or_else(|| format!("must be {}, not `{text}`", self.allowed()))
    }

    /// What is allowed here, in words.
    fn allowed(&self) -> String {
        match *self {
            Self::Number { min, max } => format!("a number from {min} to {max}"),
            Self::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Self::Choice(names) => format!("one of {}", names.join("|")),
            Self::Partition => Partition::ALLOWED.to_owned(),
        }
    }
}

impl Domain {
    /// The text that means this value here: [`Domain::parse`] gives it back.
    pub fn text(&self, value: f64) -> String {
        match *self {
            Self::Number { .. } => {
                // Most numbers are kept as f32, whose own digits are fewer.
                let short = (value as f32).to_string();
                if short.parse::<f32>().is_ok_and(|read| f64::from(read) == value) { short } else { value.to_string() }
            }
            Self::Integer { .. } => format!("{value:.0}"),
            Self::Choice(names) => names.get(value as usize).copied().unwrap_or_default().to_owned(),
            Self::Partition => Partition::from_code(value).unwrap_or_default().to_string(),
        }
    }
}

/// One row of the parameter table: serves `--set`, the panel and the checks.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name in `--set name=value`.
    pub name: &'static str,
    /// Unit in brackets, or "dimensionless".
    pub unit: &'static str,
    /// Allowed values.
    pub domain: Domain,
    /// One line of help.
    pub doc: &'static str,
    /// Reads the value.
    pub get: fn(&Params) -> f64,
    /// Writes the value.
    pub set: fn(&mut Params, f64),
}

macro_rules! number {
    ($name:literal, $unit:literal, $min:literal, $max:literal, $doc:literal, $($field:ident).+) => {
        Parameter {
            name: $name,
            unit: $unit,
            domain: Domain::Number { min: $min, max: $max },
            doc: $doc,
            get: |p| f64::from(p.$($field).+),
            set: |p, v| p.$($field).+ = v as f32,
        }
    };
}

/// k of a type of constraint, by its place among all.
macro_rules! stiffness_of {
    ($place:literal, $kind:literal) => {
        Parameter {
            name: concat!("stiffness_", $kind),
            unit: "dimensionless",
            domain: Domain::Number { min: 0.0, max: 1.0 },
            doc: concat!(
                "fraction of the correction that each ",
                $kind,
                " constraint makes each time; 0 for the general one"
            ),
            get: |p| f64::from(p.type_stiffness[$place]),
            set: |p, v| p.type_stiffness[$place] = v as f32,
        }
    };
}

/// Every world parameter.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "substeps",
        unit: "dimensionless",
        domain: Domain::Integer { min: 1.0, max: 64.0 },
        doc: "substeps per frame; raise first for quality",
        get: |p| f64::from(p.substeps),
        set: |p, v| p.substeps = v as u32,
    },
    Parameter {
        name: "iterations",
        unit: "dimensionless",
        domain: Domain::Integer { min: 1.0, max: 64.0 },
        doc: "solver iterations per substep; raise second",
        get: |p| f64::from(p.iterations),
        set: |p, v| p.iterations = v as u32,
    },
    Parameter {
        name: "partition",
        unit: "dimensionless",
        domain: Domain::Partition,
        doc: "how constraints of cloth and flesh are divided: colors, phantom:Q, cliques:Q, hybrid:Q, jacobi",
        get: |p| p.partition.code(),
        set: |p, v| p.partition = Partition::from_code(v).unwrap_or_default(),
    },
    number!(
        "stiffness",
        "dimensionless",
        0.001,
        1.0,
        "fraction of the correction that constraints of cloth and flesh make each time: k of the papers",
        stiffness
    ),
    number!(
        "bend_stiffness",
        "dimensionless",
        0.0,
        1.0,
        "the same for bending between triangles; 0 for the same fraction",
        bend_stiffness
    ),
    stiffness_of!(0, "dihedral"),
    stiffness_of!(1, "isometric"),
    stiffness_of!(2, "rope_bend"),
    stiffness_of!(3, "rod"),
    stiffness_of!(4, "volume"),
    stiffness_of!(5, "neo_hookean"),
    stiffness_of!(6, "triangle_strain"),
    stiffness_of!(7, "tetrahedron_stretch"),
    stiffness_of!(8, "tetrahedron_shear"),
    stiffness_of!(9, "distance"),
    stiffness_of!(10, "triangle_pin"),
    stiffness_of!(11, "world_pin"),
    Parameter {
        name: "integrator",
        unit: "dimensionless",
        domain: Domain::Choice(&["euler", "bdf2"]),
        doc: "integration of cloth, flesh and ropes: first order, or second order, with which swings persist",
        get: |p| f64::from(u8::from(p.integrator == Integrator::Bdf2)),
        set: |p, v| p.integrator = if v == 0.0 { Integrator::Euler } else { Integrator::Bdf2 },
    },
    Parameter {
        name: "levels",
        unit: "dimensionless",
        domain: Domain::Integer { min: 1.0, max: 16.0 },
        doc: "levels of the hierarchical solver for the lengths of cloth, flesh and ropes; 1 for the particles alone",
        get: |p| f64::from(p.levels),
        set: |p, v| p.levels = v as u32,
    },
    Parameter {
        name: "joints",
        unit: "dimensionless",
        domain: Domain::Choice(&["point", "average", "particles"]),
        doc: "shared particles as point constraints between rigid bodies, averaged, or as published: particles move individually",
        get: |p| f64::from(p.joints as u8),
        set: |p, v| {
            p.joints = match v as u8 {
                0 => JointSolver::Point,
                1 => JointSolver::Average,
                _ => JointSolver::Particles,
            };
        },
    },
    number!(
        "freeze",
        "radii",
        0.0,
        2.0,
        "with joints=particles: motion in a frame below which bodies stay put; 0 for none",
        freeze
    ),
    Parameter {
        name: "joint_sweeps",
        unit: "dimensionless",
        domain: Domain::Integer { min: 2.0, max: 16.0 },
        doc: "maximum sweeps over the joints in an iteration; trees close in two, loops need more",
        get: |p| f64::from(p.joint_sweeps),
        set: |p, v| p.joint_sweeps = v as u32,
    },
    number!("gravity", "m/s²", -100.0, 100.0, "vertical acceleration, negative is down", gravity.y),
    number!("gravity_x", "m/s²", -100.0, 100.0, "acceleration along X", gravity.x),
    number!("gravity_z", "m/s²", -100.0, 100.0, "acceleration along Z", gravity.z),
    number!("wind_x", "m/s", -50.0, 50.0, "velocity of the air along X", wind.x),
    number!("wind_y", "m/s", -50.0, 50.0, "upward velocity of the air", wind.y),
    number!("wind_z", "m/s", -50.0, 50.0, "velocity of the air along Z", wind.z),
    number!("gusts", "dimensionless", 0.0, 1.0, "fraction of the wind's speed that comes in gusts", gusts),
    number!("dt", "s", 0.0001, 0.1, "time simulated by one frame", dt),
    number!("friction_scale", "dimensionless", 0.0, 10.0, "factor on every friction coefficient", friction_scale),
    number!(
        "dynamic_friction_ratio",
        "dimensionless",
        0.0,
        1.0,
        "dynamic over static friction",
        dynamic_friction_ratio
    ),
    number!("max_speed", "m/s", 0.1, 1000.0, "maximum speed of anything", max_speed),
    number!(
        "depenetration_speed",
        "m/s",
        0.0,
        100.0,
        "maximum separation speed created by overlap alone",
        depenetration_speed
    ),
    number!("restitution_speed", "m/s", 0.0, 100.0, "approach speed below which nothing bounces", restitution_speed),
    number!("linear_damping", "1/s", 0.0, 100.0, "rate at which linear velocity dies away", linear_damping),
    number!("angular_damping", "1/s", 0.0, 100.0, "rate at which angular velocity dies away", angular_damping),
    number!("mass_scaling", "1/m", 0.0, 100.0, "growth of effective mass downward; steadies tall stacks", mass_scaling),
    number!(
        "sleep_speed",
        "m/s",
        0.0,
        10.0,
        "bodies that move slower than this over the sleep time fall asleep",
        sleep_speed
    ),
    number!("sleep_time", "s", 0.0, 60.0, "time near one pose before sleep; 0 disables sleep", sleep_time),
    number!(
        "cell_scale",
        "dimensionless",
        0.0,
        8.0,
        "size of the surface hash cells; 1 suits most scenes, 0 for no cells: every pair is examined",
        cell_scale
    ),
    Parameter {
        name: "liquid_search",
        unit: "dimensionless",
        domain: Domain::Integer { min: 0.0, max: 64.0 },
        doc: "substeps between neighbor searches in liquid; 0: decided by its motion",
        get: |p| f64::from(p.liquid_search),
        set: |p, v| p.liquid_search = v as u32,
    },
    number!("world_extent", "m", 1.0, 100000.0, "half extent of the world about the origin", world_extent),
];

impl Params {
    /// Sets the parameter called `name` from text.
    ///
    /// # Errors
    /// `None` when there is no such parameter; inside, a sentence when the value is not allowed.
    pub fn set(&mut self, name: &str, text: &str) -> Option<Result<(), String>> {
        let row = PARAMETERS.iter().find(|p| p.name == name)?;
        Some(row.domain.parse(text).map(|v| (row.set)(self, v)).map_err(|e| format!("`{name}` {e}")))
    }

    /// Names of the parameters that are others than those of `from`, and what [`Params::set`] takes for them.
    pub fn changes(&self, from: &Self) -> Vec<(String, String)> {
        let changed = PARAMETERS.iter().filter(|row| (row.get)(self) != (row.get)(from));
        changed.map(|row| (row.name.to_owned(), row.domain.text((row.get)(self)))).collect()
    }

    /// The first parameter out of its range, or that does not go with another, as a sentence; a `dt` of 0 is a pause.
    pub fn check(&self) -> Result<(), String> {
        for row in PARAMETERS {
            let value = (row.get)(self);
            let allowed = match row.domain {
                Domain::Number { min, max } | Domain::Integer { min, max } => {
                    // f32 fields compared with f64 bounds: allow the rounding of the bound itself.
                    value.is_finite() && value as f32 >= min as f32 && value as f32 <= max as f32
                }
                Domain::Choice(names) => (value as usize) < names.len(),
                Domain::Partition => Partition::from_code(value).is_some(),
            };
            let pauses = row.name == "dt";
            if !(allowed || pauses && value == 0.0) {
                let pause = if pauses { ", or 0 for a pause" } else { "" };
                let given = match row.domain {
                    Domain::Number { .. } | Domain::Integer { .. } => row.domain.text(value),
                    // What is none of them has no name.
                    Domain::Choice(_) | Domain::Partition => value.to_string(),
                };
                return Err(format!("parameter `{}` must be {}{pause}, not {given}", row.name, row.domain.allowed()));
            }
        }
        if self.levels > 1 && self.integrator == Integrator::Bdf2 {
            // What coarse levels move is no force of the second order: what swings would gain energy.
            return Err(
                "parameter `levels` is above 1 with `integrator` bdf2; set levels to 1 or the integrator to euler"
                    .into(),
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_out_of_range_is_told_in_words() {
        let told = |set: fn(&mut Params)| {
            let mut params = Params::default();
            set(&mut params);
            params.check().expect_err("a number out of range")
        };
        let dt = "parameter `dt` must be a number from 0.0001 to 0.1, or 0 for a pause, not ";
        assert_eq!(told(|p| p.dt = 0.5), format!("{dt}0.5"));
        assert_eq!(told(|p| p.dt = f32::NAN), format!("{dt}NaN"));
        let substeps = told(|p| p.substeps = 0);
        assert!(substeps.starts_with("parameter `substeps` must be a whole number from 1 to "), "{substeps}");
        assert!(substeps.ends_with(", not 0"), "{substeps}");
        assert!(Params { dt: 0.0, ..Params::default() }.check().is_ok());
    }

    #[test]
    fn every_parameter_reads_back_what_was_set() {
        for row in PARAMETERS {
            let mut params = Params::default();
            let value = match row.domain {
                Domain::Number { min, max } => f64::from(((min + max) * 0.5) as f32),
                Domain::Integer { max, .. } => max,
                Domain::Choice(names) => names.len() as f64 - 1.0,
                Domain::Partition => Partition::Phantom(6).code(),
            };
            (row.set)(&mut params, value);
            assert_eq!((row.get)(&params), value, "{}", row.name);
            let mut again = Params::default();
            for (name, text) in params.changes(&again) {
                again.set(&name, &text).expect("a parameter").unwrap();
            }
            assert_eq!(again, params, "{}", row.name);
            assert!(!row.unit.is_empty() && !row.doc.is_empty());
        }
        assert_eq!(Params::default().check(), Ok(()));
    }

    #[test]
    fn every_type_of_constraint_has_a_stiffness_of_its_own() {
        for kind in crate::constraints::TYPES {
            let mut params = Params { stiffness: 0.9, ..Params::default() };
            params.set(&format!("stiffness_{}", kind.name), "0.25").expect("a parameter").unwrap();
            let others = crate::constraints::TYPES.iter().filter(|other| !std::ptr::eq(**other, *kind));
            assert!(others.map(|other| params.stiffness_by_type().of(other)).all(|k| k == 0.9), "{}", kind.name);
            assert_eq!(params.stiffness_by_type().of(kind), 0.25, "{}", kind.name);
        }
    }

    #[test]
    fn bad_values_are_sentences() {
        let mut params = Params::default();
        assert!(params.set("substeps", "0").unwrap().is_err());
        assert!(params.set("substeps", "2.5").unwrap().is_err());
        assert!(params.set("gravity", "NaN").unwrap().is_err());
        assert!(params.set("joints", "mean").unwrap().unwrap_err().contains("point|average|particles"));
        assert!(params.set("nonsense", "1").is_none());
        params.dt = f32::NAN;
        assert!(params.check().is_err());
    }
}
