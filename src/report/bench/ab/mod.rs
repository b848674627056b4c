//! The same scene with different settings, or in another program: all sides take turns, block by block.

mod against;
mod plot;
mod question;
mod record;
mod start;
mod statistics;
mod text;
mod world;

use self::question::typed;
use self::world::World;
use super::super::ReportError;
use super::super::record::Adapter;
use crate::demos::Stage;
use crate::gpu::Context;
use crate::scene_file::stage_for;

pub use against::{Program, against};
pub use question::Question;
pub use record::{Comparison, Side};
pub use statistics::{Ratio, Times};

/// Frames of each side that are timed pass by pass after the others.
const PASS_FRAMES: u32 = 24;

/// "a" for the first, "b" for the second.
fn letter(side: usize) -> String {
    char::from(b'a' + (side % 26) as u8).to_string()
}

/// Runs all sides of `question` in this process in turn. `on_round` gets the number of rounds done, and of all.
///
/// # Errors
/// [`ReportError`] when a side cannot be built or the device fails.
pub fn compare(
    context: &Context,
    question: &Question,
    on_round: &mut dyn FnMut(u32, u32),
) -> Result<Comparison, ReportError> {
    let stages: Vec<Stage> = question
        .sides
        .iter()
        .map(|side| stage_for(&question.target, &question.sets(side)))
        .collect::<Result<_, _>>()?;
    let copy = context.copy_bandwidth()?;
    let mut worlds = stages.iter().map(|s| World::new(context, &s.scene, &s.cast)).collect::<Result<Vec<_>, _>>()?;
    let start = question.start();
    worlds.iter_mut().try_for_each(|world| world.skip(start))?;
    let (block, rounds) = statistics::blocks(question.frames);
    for round in 0..rounds {
        for side in statistics::turns(worlds.len(), round) {
            worlds[side].block(block)?;
            worlds[side].judge()?;
        }
        on_round(round + 1, rounds);
    }
    if context.has_timestamps() {
        worlds.iter_mut().try_for_each(|world| world.passes(PASS_FRAMES.min(question.frames)))?;
    }
    // The device may have been warming up before.
    let copy = copy.max(context.copy_bandwidth()?);
    let first = worlds.first().map(|world| world.blocks_ms().to_vec()).unwrap_or_default();
    let sides = worlds.into_iter().enumerate().map(|(i, world)| {
        let compared = (i > 0).then_some(&first[..]);
        world.finish(letter(i), typed(&question.sides[i]), compared, copy)
    });
    Ok(Comparison {
        adapter: Adapter::from(context.info()),
        target: question.target.clone(),
        shared: typed(&question.shared),
        start,
        frames: block * rounds,
        block,
        copy_bytes_per_second: copy,
        sides: sides.collect(),
    })
}
