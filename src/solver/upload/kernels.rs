//! The compiled kernels of a solver: those that its scene needs, each for what the scene has.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use crate::gpu::{Context, GpuError, Kernel, shader};
use crate::solver::stages::constraints::{self, global};
use crate::solver::stages::ground::World;
use crate::solver::stages::narrow_phase::WIDEN;
use crate::solver::stages::stage::Pass;

/// The kernels that some scene of this solver needed.
#[derive(Debug, Default)]
pub(in crate::solver) struct Kernels {
    pub(in crate::solver) compiled: HashMap<&'static str, Kernel>,
    /// Text of those that solve a type of constraint: it is made for what the scene has.
    texts: HashMap<&'static str, String>,
    /// Values of the `override` constants of the others.
    constants: HashMap<&'static str, Vec<(String, f64)>>,
}

/// A kernel that has to be compiled.
struct Job {
    name: &'static str,
    source: Source,
}

enum Source {
    /// Made for the types of constraints that a scene has.
    Text(String),
    /// The shader of a pass, with these values of its constants.
    Pass(&'static Pass, Vec<(String, f64)>),
}

impl Job {
    fn compile(&self, context: &Context) -> Result<Kernel, GpuError> {
        match &self.source {
            Source::Text(text) => Kernel::from_source(context, &constraints::composed_as(self.name), text, &[]),
            Source::Pass(pass, constants) => {
                let values: Vec<_> = constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
                global::kernel(context, pass).unwrap_or_else(|| Kernel::new(context, pass.kernel, &values))
            }
        }
    }
}

impl Kernels {
    /// Compiles what these passes need and is not there yet, all at once: a driver takes some milliseconds for each.
    pub(in crate::solver) fn compile(
        &mut self,
        context: &Context,
        passes: &[&'static Pass],
        types: Vec<(&'static str, String)>,
        world: &World,
    ) -> Result<(), GpuError> {
        let typed: HashSet<&str> = types.iter().map(|(name, _)| *name).collect();
        let mut jobs: Vec<Job> = Vec::new();
        for (name, text) in types {
            if self.texts.get(name) != Some(&text) {
                jobs.push(Job { name, source: Source::Text(text) });
            }
        }
        // At once, so that growing makes none.
        let growing = world.meets.then_some(&WIDEN);
        for pass in passes.iter().copied().chain(growing) {
            let name = pass.kernel;
            if typed.contains(name) || self.texts.contains_key(name) || jobs.iter().any(|job| job.name == name) {
                continue;
            }
            let constants = Self::constants_of(pass, world)?;
            if self.constants.get(name) != Some(&constants) {
                jobs.push(Job { name, source: Source::Pass(pass, constants) });
            }
        }
        let kernels: Vec<Kernel> = jobs.par_iter().map(|job| job.compile(context)).collect::<Result<_, _>>()?;
        for (Job { name, source }, kernel) in jobs.into_iter().zip(kernels) {
            self.compiled.insert(name, kernel);
            match source {
                Source::Text(text) => drop(self.texts.insert(name, text)),
                Source::Pass(_, constants) => drop(self.constants.insert(name, constants)),
            }
        }
        Ok(())
    }

    /// The `override` constants of a pass and their values in this world.
    fn constants_of(pass: &Pass, world: &World) -> Result<Vec<(String, f64)>, GpuError> {
        let names = if global::is_of(pass) { Vec::new() } else { shader::overrides(pass.kernel)? };
        let value = |name: String| {
            let value = world.constant(&name).unwrap_or(0.0);
            (name, value)
        };
        Ok(names.into_iter().map(value).collect())
    }
}
