//! A comparison as a picture: the time of a frame block by block, and the passes side by side.

use std::collections::BTreeMap;

use plotters::prelude::*;

use super::super::plot::{
    Area, Drawn, ENTRY, HEADER, PANEL, STROKE, axes, color_of, legend, scaled, small, with_header,
};
use super::record::Comparison;

/// Passes that are drawn: those that take longest.
const MOST_PASSES: usize = 8;
/// Where the names of passes begin [px].
const NAMES: i32 = 230;
/// Part of the room of a pass that its bars take.
const BARS: f64 = 0.8;

impl Comparison {
    /// The comparison as SVG.
    pub fn to_svg(&self) -> String {
        let mut svg = String::new();
        // Writing to a string cannot fail.
        self.draw(&mut svg).expect("memory");
        svg
    }

    fn draw(&self, svg: &mut String) -> Drawn {
        let root = SVGBackend::with_string(svg, (2 * PANEL.0, HEADER + PANEL.1)).into_drawing_area();
        let body = with_header(&root, &self.adapter)?;
        let areas = body.split_evenly((1, 2));
        self.draw_blocks(&areas[0])?;
        self.draw_passes(&areas[1])?;
        root.present()
    }

    fn named(&self, what: &str) -> String {
        format!("{} {}: {what}", self.target, self.shared)
    }

    fn draw_blocks(&self, area: &Area) -> Drawn {
        let most = self.sides.iter().flat_map(|side| &side.blocks_ms).copied().fold(0.0, f64::max);
        let rounds = self.sides.iter().map(|side| side.blocks_ms.len()).max().unwrap_or(1);
        let title = self.named("median of each block of frames");
        let mut chart = axes(area, &title, ["rounds", "time of a frame [ms]"], scaled(rounds as f64), scaled(most))?;
        for side in &self.sides {
            let points = side.blocks_ms.iter().zip(1..).map(|(ms, round)| (f64::from(round), *ms));
            chart.draw_series(LineSeries::new(points, color_of(&side.name).stroke_width(STROKE)))?;
        }
        legend(area, self.sides.iter().map(|side| side.name.as_str()))
    }

    fn draw_passes(&self, area: &Area) -> Drawn {
        let mut most: BTreeMap<&str, f64> = BTreeMap::new();
        for (name, ms) in self.sides.iter().flat_map(|side| &side.passes_ms) {
            let longest = most.entry(name).or_default();
            *longest = longest.max(*ms);
        }
        let mut longest: Vec<(&str, f64)> = most.into_iter().collect();
        longest.sort_by(|a, b| b.1.total_cmp(&a.1));
        longest.truncate(MOST_PASSES);
        let top = longest.first().map_or(1.0, |(_, ms)| *ms);
        let title = self.named("longest passes");
        let across = scaled(longest.len().max(1) as f64);
        let mut chart = axes(area, &title, ["passes, longest first", "time in a frame [ms]"], across, scaled(top))?;
        let width = BARS / self.sides.len().max(1) as f64;
        for (k, side) in self.sides.iter().enumerate() {
            let bars = longest.iter().zip(0..).filter_map(|((name, _), i)| {
                let ms = side.passes_ms.get(*name)?;
                let left = f64::from(i) + 0.5 * (1.0 - BARS) + width * k as f64;
                Some(Rectangle::new([(left, 0.0), (left + width, *ms)], color_of(&side.name).filled()))
            });
            chart.draw_series(bars)?;
        }
        // The bars get shorter to the right: above them is room.
        for ((name, _), row) in longest.iter().zip(1..) {
            area.draw_text(&format!("{row} {name}"), &small(), (NAMES, (row + 1) * ENTRY))?;
        }
        legend(area, self.sides.iter().map(|side| side.name.as_str()))
    }
}
