//! The tables as a picture: error against time, a panel a start, and under them the sizes of the colors, a panel a scene.

use super::svg::{Anchor, Svg};
use super::{Bench, CurveTable, LiquidTable, PartitionTable, SurfaceTable};

/// Panels side by side.
const COLUMNS: usize = 2;
/// A panel with its labels [px].
const PANEL: [f64; 2] = [560.0, 360.0];
/// Space in a panel on the left, on top, on the right and below its axes [px].
const MARGIN: [f64; 4] = [70.0, 50.0, 100.0, 50.0];
const HEADER: f64 = 50.0;
const INK: &str = "#303030";
const FAINT: &str = "#dddddd";

impl Bench {
    /// The curves and the sizes of the colors as SVG.
    pub fn to_svg(&self) -> String {
        let panels = self.curves.len() + self.partitions.len() + self.surfaces.len() + self.liquids.len();
        let place = |i: usize| [(i % COLUMNS) as f64 * PANEL[0], HEADER + (i / COLUMNS) as f64 * PANEL[1]];
        let rows = panels.div_ceil(COLUMNS) as f64;
        let mut svg = Svg::new(COLUMNS as f64 * PANEL[0], HEADER + rows * PANEL[1]);
        let title = format!("{} ({}, {})", self.adapter.name, self.adapter.backend, self.adapter.kind);
        svg.text([20.0, 32.0], 18.0, INK, Anchor::Start, &title);
        for (i, table) in self.curves.iter().enumerate() {
            curves(&mut svg, place(i), table);
        }
        for (i, table) in self.partitions.iter().enumerate() {
            sizes(&mut svg, place(self.curves.len() + i), table);
        }
        for (i, table) in self.surfaces.iter().enumerate() {
            surfaces(&mut svg, place(self.curves.len() + self.partitions.len() + i), table);
        }
        for (i, table) in self.liquids.iter().enumerate() {
            liquids(&mut svg, place(panels - self.liquids.len() + i), table);
        }
        svg.finish()
    }
}

/// The colors of the papers: red phantom, green colors, blue Jacobi, purple hybrid.
fn color_of(name: &str) -> &'static str {
    match name.split(':').next() {
        Some("colors") => "#2f8f4e",
        Some("phantom") => "#c8402f",
        Some("hybrid") => "#8a52a8",
        Some("jacobi") => "#2f62b0",
        Some("cpu st") => "#909090",
        Some("search") => "#c8402f",
        Some("surfaces") => "#8a52a8",
        Some("constraints") => "#2f8f4e",
        Some("others") => "#2f62b0",
        _ => "#505050",
    }
}

/// Axes of logarithms from a box of values to a box of pixels.
struct Axes {
    low: [f64; 2],
    high: [f64; 2],
    corner: [f64; 2],
    size: [f64; 2],
}

impl Axes {
    /// Axes that hold all `points`, which are above 0, in a panel at `corner`.
    fn around(points: impl Iterator<Item = [f64; 2]>, [x, y]: [f64; 2]) -> Self {
        let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
        for point in points {
            for k in 0..2 {
                low[k] = low[k].min(point[k].log10());
                high[k] = high[k].max(point[k].log10());
            }
        }
        let size = [PANEL[0] - MARGIN[0] - MARGIN[2], PANEL[1] - MARGIN[1] - MARGIN[3]];
        Self { low, high, corner: [x + MARGIN[0], y + MARGIN[1]], size }
    }

    fn part(&self, k: usize, logarithm: f64) -> f64 {
        (logarithm - self.low[k]) / (self.high[k] - self.low[k]).max(1e-9)
    }

    fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [across, up] = [self.part(0, x.log10()), self.part(1, y.log10())];
        [self.corner[0] + across * self.size[0], self.corner[1] + (1.0 - up) * self.size[1]]
    }

    /// 1, 2 and 5 of every decade in reach of axis `k`.
    fn ticks(&self, k: usize) -> impl Iterator<Item = f64> + '_ {
        let decades = self.low[k].floor() as i32..=self.high[k].ceil() as i32;
        let values = decades.flat_map(|d| [1.0, 2.0, 5.0].map(|m| m * 10_f64.powi(d)));
        values.filter(move |v| (-1e-9..=1.0 + 1e-9).contains(&self.part(k, v.log10())))
    }

    fn draw(&self, svg: &mut Svg, horizontal: &str, vertical: &str) {
        let [left, top] = self.corner;
        let [right, bottom] = [left + self.size[0], top + self.size[1]];
        for tick in self.ticks(0) {
            let [x, _] = self.place([tick, 1.0]);
            svg.line([x, top], [x, bottom], FAINT);
            svg.text([x, bottom + 16.0], 11.0, INK, Anchor::Middle, &tick_text(tick));
        }
        for tick in self.ticks(1) {
            let [_, y] = self.place([1.0, tick]);
            svg.line([left, y], [right, y], FAINT);
            svg.text([left - 6.0, y + 4.0], 11.0, INK, Anchor::End, &tick_text(tick));
        }
        svg.line([left, bottom], [right, bottom], INK);
        svg.line([left, top], [left, bottom], INK);
        svg.text([0.5 * (left + right), bottom + 34.0], 12.0, INK, Anchor::Middle, horizontal);
        svg.text([left - 50.0, top - 8.0], 12.0, INK, Anchor::Start, vertical);
    }
}

/// A number of the kind 1, 2 or 5 times a power of ten, without the noise of binary fractions.
fn tick_text(tick: f64) -> String {
    if (1e-3..1e5).contains(&tick) { format!("{}", (tick * 1e6).round() / 1e6) } else { format!("{tick:.0e}") }
}

fn curves(svg: &mut Svg, corner: [f64; 2], table: &CurveTable) {
    let measured = |point: &(u32, f64, f64)| (point.1 > 0.0 && point.2 > 0.0).then_some([point.1, point.2]);
    let lines = table.curves.iter().map(|c| (c.name.as_str(), c.points.iter().filter_map(measured).collect()));
    panel(
        svg,
        corner,
        &format!("{}: {}", table.name, table.figure),
        ["time [ms]", "error"],
        &lines.collect::<Vec<_>>(),
    );
}

fn surfaces(svg: &mut Svg, corner: [f64; 2], table: &SurfaceTable) {
    panel(svg, corner, &format!("{}: {}", table.name, table.figure), [table.across(), "time [ms]"], &table.curves());
}

fn liquids(svg: &mut Svg, corner: [f64; 2], table: &LiquidTable) {
    let title = format!("{}: {}", table.name, table.figure);
    panel(svg, corner, &title, [table.across(), "time [ns]"], &[("a particle", table.curve())]);
}

/// A panel of named curves of points above 0.
fn panel(svg: &mut Svg, corner: [f64; 2], title: &str, names: [&str; 2], lines: &[(&str, Vec<[f64; 2]>)]) {
    let axes = Axes::around(lines.iter().flat_map(|(_, points)| points.iter().copied()), corner);
    svg.text([corner[0] + 20.0, corner[1] + 20.0], 12.0, INK, Anchor::Start, title);
    axes.draw(svg, names[0], names[1]);
    let mut labels: Vec<([f64; 2], &str)> = Vec::new();
    for (name, points) in lines {
        let points: Vec<_> = points.iter().map(|p| axes.place(*p)).collect();
        svg.curve(&points, color_of(name), name.starts_with("cpu"));
        labels.extend(points.last().map(|end| (*end, *name)));
    }
    // Labels stand in a column on the right, in the order of the ends of their curves, with room for each.
    labels.sort_by(|a, b| a.0[1].total_cmp(&b.0[1]));
    let mut lowest = f64::MIN;
    for ([_, y], name) in labels {
        lowest = y.max(lowest + 15.0);
        let x = axes.corner[0] + axes.size[0] + 10.0;
        svg.text([x, lowest + 4.0], 12.0, color_of(name), Anchor::Start, name);
    }
}

/// Bars as high as the colors are large, the largest first, the partitions side by side.
fn sizes(svg: &mut Svg, [x, y]: [f64; 2], table: &PartitionTable) {
    let title = format!("{}: constraints of each color", table.name);
    svg.text([x + 20.0, y + 20.0], 14.0, INK, Anchor::Start, &title);
    // All of Jacobi and the rest of hybrid are solved at once: only the other two are balanced or not.
    let balanced = |name: &str| name == "colors" || name.starts_with("phantom");
    let rows: Vec<_> = table.rows.iter().filter(|row| balanced(&row.partition)).collect();
    let most = rows.iter().flat_map(|row| &row.color_sizes).max().copied().unwrap_or(1);
    let (left, bottom) = (x + MARGIN[0], y + PANEL[1] - MARGIN[3]);
    let height = PANEL[1] - MARGIN[1] - MARGIN[3] - 10.0;
    let room = (PANEL[0] - MARGIN[0] - 20.0) / rows.len().max(1) as f64;
    svg.text([left - 6.0, bottom - height + 4.0], 11.0, INK, Anchor::End, &most.to_string());
    svg.text([left - 6.0, bottom + 4.0], 11.0, INK, Anchor::End, "0");
    for (i, row) in rows.iter().enumerate() {
        let mut largest_first = row.color_sizes.clone();
        largest_first.sort_unstable_by(|a, b| b.cmp(a));
        let first = left + i as f64 * room;
        let step = (room - 14.0) / largest_first.len() as f64;
        for (k, size) in largest_first.iter().enumerate() {
            let tall = height * f64::from(*size) / f64::from(most);
            svg.bar([first + k as f64 * step, bottom - tall], [0.85 * step, tall], color_of(&row.partition));
        }
        let label = format!("{}, {} colors", row.partition, row.colors);
        svg.text([first, bottom + 18.0], 11.0, color_of(&row.partition), Anchor::Start, &label);
    }
    svg.line([left, bottom], [x + PANEL[0] - 20.0, bottom], INK);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_go_from_the_least_to_the_most_in_logarithms() {
        let axes = Axes::around([[1.0, 0.01], [100.0, 1.0]].into_iter(), [0.0, 0.0]);
        let [left, top] = axes.corner;
        assert_eq!(axes.place([1.0, 1.0]), [left, top]);
        assert_eq!(axes.place([10.0, 0.1]), [left + 0.5 * axes.size[0], top + 0.5 * axes.size[1]]);
        let ticks: Vec<String> = axes.ticks(1).map(tick_text).collect();
        assert_eq!(ticks, ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"]);
    }
}
