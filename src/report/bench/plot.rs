//! The tables as a picture: error against time, a panel a start, then the sizes of the colors and the costs, a panel a table.

use std::io;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Adapter, Bench, BudgetTable, CurveTable, LiquidTable, PartitionTable, ScaleTable, SurfaceTable};

/// Panels side by side.
const COLUMNS: usize = 2;
/// A panel with its labels [px].
pub(super) const PANEL: (u32, u32) = (560, 360);
/// Height of the line that names the adapter [px].
pub(super) const HEADER: u32 = 44;
/// Room on the right of a panel for the names of its curves [px].
const LEGEND: u32 = 120;
/// Room for the numbers and the name of the horizontal axis, and of the vertical one [px].
const LABELS: (u32, u32) = (40, 64);
/// Height of a title or of a name in a legend, and the length of the line before each name [px].
pub(super) const ENTRY: i32 = 20;
/// Between that line and its name [px].
const GAP: i32 = 5;
/// Edge of a panel that stays white [px].
const MARGIN: u32 = 10;
const FONT: &str = "sans-serif";
/// Sizes of the adapter's name, of titles, and of everything else [px].
const SIZES: [i32; 3] = [22, 15, 14];
/// Width of curves and radius of the dots on them [px].
pub(super) const STROKE: u32 = 2;
const DOT: u32 = 3;
/// Dashes and gaps of what is only compared with [px].
const DASH: (i32, i32) = (5, 4);
/// Room between the data and the frame, as part of an axis.
const PADDING: f64 = 0.05;
const INK: RGBColor = RGBColor(0x30, 0x30, 0x30);
const FAINT: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Drawn<T = ()> = Result<T, DrawingAreaErrorKind<io::Error>>;
type Chart<'a, 'b, X, Y> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<<X as AsRangedCoord>::CoordDescType, <Y as AsRangedCoord>::CoordDescType>,
>;
/// A name and points above 0.
type Line<'a> = (&'a str, Vec<[f64; 2]>);

impl Bench {
    /// The curves, the sizes of the colors and the costs as SVG.
    pub fn to_svg(&self) -> String {
        let mut svg = String::new();
        // Writing to a string cannot fail.
        self.draw(&mut svg).expect("memory");
        svg
    }

    /// How many panels the picture has.
    pub(crate) fn panels(&self) -> usize {
        let curves = self.curves.len() + self.surfaces.len() + self.liquids.len() + self.scales.len();
        self.budgets.len() + self.partitions.len() + curves
    }

    fn draw(&self, svg: &mut String) -> Drawn {
        let rows = self.panels().div_ceil(COLUMNS).max(1);
        let root = SVGBackend::with_string(svg, (COLUMNS as u32 * PANEL.0, HEADER + rows as u32 * PANEL.1));
        let root = root.into_drawing_area();
        let body = with_header(&root, &self.adapter)?;
        let areas = body.split_evenly((rows, COLUMNS));
        let mut areas = areas.iter();
        self.budgets.iter().zip(&mut areas).try_for_each(|(table, area)| budgets(area, table))?;
        self.curves.iter().zip(&mut areas).try_for_each(|(table, area)| curves(area, table))?;
        self.partitions.iter().zip(&mut areas).try_for_each(|(table, area)| sizes(area, table))?;
        self.surfaces.iter().zip(&mut areas).try_for_each(|(table, area)| surfaces(area, table))?;
        self.liquids.iter().zip(&mut areas).try_for_each(|(table, area)| liquids(area, table))?;
        self.scales.iter().zip(&mut areas).try_for_each(|(table, area)| scales(area, table))?;
        root.present()
    }
}

/// Draws the line that names the adapter; returns what lies below it.
pub(super) fn with_header<'a>(root: &Area<'a>, adapter: &Adapter) -> Drawn<Area<'a>> {
    root.fill(&WHITE)?;
    let (header, body) = root.split_vertically(HEADER);
    let title = format!("{} ({}, {})", adapter.name, adapter.backend, adapter.kind);
    header.draw_text(&title, &font(SIZES[0]), (2 * MARGIN as i32, MARGIN as i32))?;
    Ok(body)
}

/// An axis from 0 to above `most`.
pub(super) fn scaled(most: f64) -> Range<f64> {
    0.0..most * (1.0 + PADDING)
}

/// The colors of the papers: red phantom, green colors, blue Jacobi, purple hybrid.
pub(super) fn color_of(name: &str) -> RGBColor {
    match name.split(':').next() {
        Some("colors" | "constraints" | "a") => RGBColor(0x2f, 0x8f, 0x4e),
        Some("phantom" | "search" | "b" | "time [ns]") => RGBColor(0xc8, 0x40, 0x2f),
        Some("hybrid" | "surfaces" | "c") => RGBColor(0x8a, 0x52, 0xa8),
        Some("jacobi" | "others" | "d" | "memory [bytes]") => RGBColor(0x2f, 0x62, 0xb0),
        Some("cpu st") => RGBColor(0x90, 0x90, 0x90),
        _ => RGBColor(0x50, 0x50, 0x50),
    }
}

fn font(size: i32) -> TextStyle<'static> {
    (FONT, size).into_font().color(&INK)
}

/// How names in a picture are written.
pub(super) fn small() -> TextStyle<'static> {
    font(SIZES[2])
}

fn curves(area: &Area, table: &CurveTable) -> Drawn {
    let measured = |point: &(u32, f64, f64)| (point.1 > 0.0 && point.2 > 0.0).then_some([point.1, point.2]);
    let line = |c: &'_ super::Curve| c.points.iter().filter_map(measured).collect();
    let lines: Vec<Line> = table.curves.iter().map(|c| (c.name.as_str(), line(c))).collect();
    logarithmic(area, &titled(table.name, table.figure), ["time [ms]", "relative error, rms [1]"], &lines)
}

fn budgets(area: &Area, table: &BudgetTable) -> Drawn {
    let lines: Vec<Line> = table.rows.iter().map(|row| (row.name.as_str(), row.curve())).collect();
    let title = titled(table.name, "a cube lands (paper 1, fig. 5)");
    logarithmic(area, &title, ["time simulated [ms]", "relative error, mean [1]"], &lines)
}

fn surfaces(area: &Area, table: &SurfaceTable) -> Drawn {
    logarithmic(area, &titled(table.name, table.figure), [table.across(), "time of a frame [ms]"], &table.curves())
}

fn liquids(area: &Area, table: &LiquidTable) -> Drawn {
    let names = [table.across(), "time of a frame over particles [ns]"];
    logarithmic(area, &titled(table.name, table.figure), names, &[("dam", table.curve())])
}

fn scales(area: &Area, table: &ScaleTable) -> Drawn {
    let names = ["particles", "time [ns] and memory [bytes] of a particle"];
    logarithmic(area, &titled(table.name, table.figure), names, &table.curves())
}

fn titled(name: &str, figure: &str) -> String {
    format!("{name}: {figure}")
}

/// A panel of named curves on logarithmic axes.
fn logarithmic(area: &Area, title: &str, names: [&str; 2], lines: &[Line]) -> Drawn {
    let axis = |k: usize| {
        let range = range_of(lines.iter().flat_map(|(_, points)| points).map(|point| point[k]));
        range.clone().log_scale().with_key_points(ticks(&range))
    };
    let mut chart = axes(area, title, names, axis(0), axis(1))?;
    for (name, points) in lines {
        let style = color_of(name).stroke_width(STROKE);
        let points = points.iter().map(|[x, y]| (*x, *y));
        if name.starts_with("cpu") {
            chart.draw_series(DashedLineSeries::new(points.clone(), DASH.0, DASH.1, style))?;
        } else {
            chart.draw_series(LineSeries::new(points.clone(), style))?;
        }
        chart.draw_series(points.map(|point| Circle::new(point, DOT, style.filled())))?;
    }
    let drawn = lines.iter().filter(|(_, points)| !points.is_empty());
    legend(area, drawn.map(|(name, _)| *name))
}

/// How many constraints each color has, the largest first, of the partitions that are divided into colors alone.
fn sizes(area: &Area, table: &PartitionTable) -> Drawn {
    // All of Jacobi and the rest of hybrid are solved at once: only the other two are balanced or not.
    let balanced = |name: &str| name == "colors" || name.starts_with("phantom");
    let rows: Vec<_> = table.rows.iter().filter(|row| balanced(&row.partition)).collect();
    let most = rows.iter().flat_map(|row| &row.color_sizes).max().copied().unwrap_or(1);
    let colors = rows.iter().map(|row| row.color_sizes.len()).max().unwrap_or(1);
    let title = titled(table.name, "constraints of each color");
    let names = ["colors, largest first", "constraints"];
    let mut chart = axes(area, &title, names, scaled(colors as f64), scaled(f64::from(most)))?;
    for row in &rows {
        let mut largest_first = row.color_sizes.clone();
        largest_first.sort_unstable_by(|a, b| b.cmp(a));
        let steps =
            largest_first.iter().zip(0..).flat_map(|(size, k)| [k, k + 1].map(|x| (f64::from(x), f64::from(*size))));
        let color = color_of(&row.partition);
        chart.draw_series(AreaSeries::new(steps, 0.0, color.mix(0.2)).border_style(color.stroke_width(STROKE)))?;
    }
    legend(area, rows.iter().map(|row| row.partition.as_str()))
}

/// Titled and named axes with their grid, and room for a legend on the right.
pub(super) fn axes<'a, 'b, X, Y>(
    area: &'a Area<'b>,
    title: &str,
    names: [&str; 2],
    x: X,
    y: Y,
) -> Drawn<Chart<'a, 'b, X, Y>>
where
    X: AsRangedCoord<Value = f64, CoordDescType: ValueFormatter<f64>>,
    Y: AsRangedCoord<Value = f64, CoordDescType: ValueFormatter<f64>>,
{
    area.draw_text(title, &font(SIZES[1]), (2 * MARGIN as i32, MARGIN as i32))?;
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .margin_top(2 * ENTRY)
        .margin_right(LEGEND)
        .x_label_area_size(LABELS.0)
        .y_label_area_size(LABELS.1)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .x_desc(names[0])
        .y_desc(names[1])
        .label_style(font(SIZES[2]))
        .x_label_formatter(&|tick| tick_text(*tick))
        .y_label_formatter(&|tick| tick_text(*tick))
        .axis_style(INK)
        .bold_line_style(FAINT)
        .max_light_lines(0)
        .draw()?;
    Ok(chart)
}

/// Names in the color of their curves, one under the other on the right of a panel.
pub(super) fn legend<'a>(area: &Area, names: impl Iterator<Item = &'a str>) -> Drawn {
    let x = (PANEL.0 - LEGEND + MARGIN) as i32;
    for (name, row) in names.zip(3..) {
        let (y, color) = (row * ENTRY, color_of(name));
        area.draw(&PathElement::new([(x, y), (x + ENTRY, y)], color.stroke_width(STROKE)))?;
        let style = font(SIZES[2]).color(&color).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw_text(name, &style, (x + ENTRY + GAP, y))?;
    }
    Ok(())
}

/// From below the least to above the most of values above 0; around 1 without any.
fn range_of(values: impl Iterator<Item = f64>) -> Range<f64> {
    let bounds = values.map(|v| (v, v)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let (low, high) = bounds.unwrap_or((1.0, 1.0));
    let room = (high / low).powf(PADDING).max(1.0 + PADDING);
    low / room..high * room
}

/// 1, 2 and 5 of every decade in `range`; all digits where it is short.
fn ticks(range: &Range<f64>) -> Vec<f64> {
    let digits: &[f64] =
        if range.end / range.start < 10.0 { &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0] } else { &[1.0, 2.0, 5.0] };
    let decades = range.start.log10().floor() as i32..=range.end.log10().floor() as i32;
    let values = decades.flat_map(|decade| digits.iter().map(move |digit| digit * 10_f64.powi(decade)));
    values.filter(|value| range.contains(value)).collect()
}

/// A number with few digits, without the noise of binary fractions.
fn tick_text(tick: f64) -> String {
    let plain = tick == 0.0 || (1e-3..1e5).contains(&tick);
    if plain { format!("{}", (tick * 1e6).round() / 1e6) } else { format!("{tick:.0e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_lie_in_the_range() {
        let texts = |range: Range<f64>| ticks(&range).into_iter().map(tick_text).collect::<Vec<_>>();
        assert_eq!(texts(0.009..1.1), ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"]);
        assert_eq!(texts(24.0..53.0), ["30", "40", "50"]);
        assert_eq!(texts(9e4..2.1e6), ["1e5", "2e5", "5e5", "1e6", "2e6"]);
    }

    #[test]
    fn ranges_hold_all_values_with_room_around() {
        let range = range_of([1.0, 100.0, 3.0].into_iter());
        assert!(range.start < 1.0 && range.end > 100.0);
        let range = range_of([4.0].into_iter());
        assert!(range.start < 4.0 && range.end > 4.0);
        assert!(!ticks(&range_of([].into_iter())).is_empty());
    }
}
