//! Runs scenes of the bench in rapier3d and in sinew, in turn on the same machine, and prints both in one table.

mod ours;
mod scenes;
mod table;
mod theirs;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, ValueEnum};

use table::{Row, print};

/// A scene that both have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scene {
    /// Pairs of boxes with one joint each, kinds in turn, fall into a pit
    Pairs,
    /// Figures of 11 bodies and 10 joints with limits fall into a pit
    Ragdolls,
    /// A square of cloth falls on a sphere
    Cloth,
    /// A soft body of tetrahedra: a block that falls there, the flattened animal of s1 here
    Tets,
}

/// Compares rapier3d with sinew.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Args {
    /// What to run
    scene: Scene,
    /// Pairs, ragdolls, or particles along a side of the cloth [default: 300, 100 or 100]
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=5000))]
    count: Option<u32>,
    /// Frames of 1/60 s of each run, from the start of the scene
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(8..=100_000))]
    frames: u32,
    /// Runs of each row; all rows take turns, there and back
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// Threads of rapier3d beside one [default: all there are]
    #[arg(long)]
    threads: Option<usize>,
    /// The built program
    #[arg(long, default_value = "target/release/sinew", value_name = "PATH")]
    sinew: PathBuf,
}

/// Who fills a row.
enum Engine {
    Rapier { threads: usize, stiff: bool },
    Sinew,
}

impl Scene {
    fn count(self, asked: Option<u32>) -> u32 {
        asked.unwrap_or(if self == Self::Pairs { 300 } else { 100 })
    }

    fn is_soft(self) -> bool {
        matches!(self, Self::Cloth | Self::Tets)
    }
}

fn run(engine: &Engine, args: &Args) -> Result<Row> {
    let count = args.scene.count(args.count);
    match engine {
        Engine::Rapier { threads, stiff } => theirs::run(args.scene, count, args.frames, *threads, *stiff),
        Engine::Sinew => ours::run(args.scene, count, args.frames, &args.sinew),
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    let all = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let threads = if all > 1 { vec![all, 1] } else { vec![1] };
    let mut engines: Vec<Engine> =
        threads.iter().map(|threads| Engine::Rapier { threads: *threads, stiff: false }).collect();
    if args.scene.is_soft() {
        engines.push(Engine::Rapier { threads: all, stiff: true });
    }
    engines.push(Engine::Sinew);
    let mut runs: Vec<Vec<Row>> = engines.iter().map(|_| Vec::new()).collect();
    for round in 0..args.rounds {
        for index in table::turns(engines.len(), round) {
            runs[index].push(run(&engines[index], &args)?);
        }
    }
    let rows: Vec<Row> = runs.into_iter().filter_map(table::together).collect();
    let what = format!("{:?}, {} frames, {} runs of each in turn", args.scene, args.frames, args.rounds);
    print(&what.to_lowercase(), &rows)
}
