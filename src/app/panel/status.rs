//! What the simulation is doing: speed, counts, health, time of each pass.

use egui::{Align, CollapsingHeader, Grid, Layout, RichText, ScrollArea, Ui};

use super::icons;
use super::theme::{BAD, GOOD};
use crate::app::clock::Late;
use crate::app::world::World;
use crate::solver::{Counts, Health};

/// Numbers of the window itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pace {
    /// Time between two drawn frames [ms], smoothed.
    pub(crate) frame_ms: f64,
    /// Simulated over real time [dimensionless], smoothed.
    pub(crate) speed: f64,
    /// A simulated frame [ms]; 0 before it was measured.
    pub(crate) step_ms: f64,
    /// A drawn frame [ms]; 0 before it was measured.
    pub(crate) draw_ms: f64,
    /// What keeps the world from the speed that was asked for.
    pub(crate) late: Option<Late>,
}

/// Speed, counts and health; always visible.
pub(super) fn show(ui: &mut Ui, world: &World, pace: &Pace, paused: bool) {
    let fps = 1000.0 / pace.frame_ms.max(0.1);
    let motion = if paused { "paused".to_owned() } else { format!("{:.2}× real time", pace.speed) };
    ui.label(RichText::new(format!("{fps:.0} fps   {:.1} ms   {motion}", pace.frame_ms)).monospace());
    late_line(ui, pace);
    let (health, counts) = (world.solver.health(), world.solver.counts());
    let bodies = world.solver.scene().bodies.iter().filter(|body| !body.removed).count();
    health_line(ui, &health, world.crossings());
    table(
        ui,
        "counts",
        0.56,
        &[
            ("bodies".into(), grouped(bodies as u64)),
            ("particles".into(), grouped(counts.particles.into())),
            ("joints".into(), grouped(counts.joints.into())),
            ("assemblies awake".into(), grouped(health.awake.into())),
        ],
    );
}

/// What a simulated and a drawn frame take, and which of them is late.
fn late_line(ui: &mut Ui, pace: &Pace) {
    let part = |name: &str, ms: f64, late: bool| {
        let text = RichText::new(format!("{name} {ms:.1} ms{}", if late { ", late" } else { "" })).monospace();
        if late { text.color(BAD) } else { text.weak() }
    };
    ui.horizontal(|ui| {
        ui.label(part("step", pace.step_ms, pace.late == Some(Late::Simulation)))
            .on_hover_text("time of a simulated frame; late: simulation alone is slower than real time");
        ui.label(part("draw", pace.draw_ms, pace.late == Some(Late::Drawing)))
            .on_hover_text("time of a drawn frame; late: drawing keeps the world from the requested speed");
    });
}

/// Counts that few need and pass times; closed at first. Returns whether the times are looked at.
pub(super) fn details(ui: &mut Ui, world: &World, adapter: &str) -> bool {
    let timings = CollapsingHeader::new("Timings").id_salt("timings").show_unindented(ui, |ui| {
        let (physics, drawing) = (world.solver.pass_times(), world.renderer.pass_times());
        let times: Vec<_> = physics.into_iter().chain(drawing).collect();
        if times.is_empty() {
            ui.weak("waiting for the first times, or this adapter has none");
        }
        let total: f64 = times.iter().map(|t| t.1).sum();
        let all = (!times.is_empty()).then(|| ("all passes".to_owned(), total));
        let rows = all.into_iter().chain(times).map(|(name, ms)| (name, format!("{ms:.3} ms")));
        let rows: Vec<_> = rows.collect();
        ScrollArea::vertical().id_salt("times").max_height(180.0).auto_shrink([false, true]).show(ui, |ui| {
            table(ui, "times", 0.66, &rows);
        });
    });
    CollapsingHeader::new("Counts").id_salt("more counts").show_unindented(ui, |ui| {
        table(ui, "more counts", 0.68, &count_rows(&world.solver.counts()));
        ui.add(egui::Label::new(RichText::new(adapter).weak().small()).truncate()).on_hover_text(adapter);
    });
    timings.openness > 0.0
}

fn count_rows(counts: &Counts) -> Vec<(String, String)> {
    let mut rows = vec![
        ("triangles drawn".to_owned(), grouped(counts.triangles.into())),
        ("dispatches a frame".to_owned(), grouped(counts.dispatches_per_frame.into())),
    ];
    rows.extend(counts.constraints.iter().map(|(name, n)| (format!("{name} constraints"), grouped(u64::from(*n)))));
    rows.extend(counts.colors.iter().map(|(name, n)| (format!("{name} colors"), grouped(u64::from(*n)))));
    rows
}

fn health_line(ui: &mut Ui, health: &Health, crossings: u32) {
    let full = format!("dropped in the last search for lack of room, by list: {}", health.dropped);
    let faults = [
        ("not finite", u64::from(health.non_finite), "bodies and particles put back after a non-finite position"),
        ("contacts dropped", u64::from(health.contacts_dropped), full.as_str()),
        ("neighbors dropped", u64::from(health.neighbors_dropped), full.as_str()),
        (
            "tears dropped",
            u64::from(health.tears_dropped),
            "cloth vertices that should have split but found no spare particle",
        ),
        ("out of bounds", u64::from(health.out_of_bounds), "bodies and particles stopped at the edge of the world"),
        (
            "crossings",
            u64::from(crossings),
            "pairs of cloth and flesh triangles that pass through one another, counted once a second",
        ),
    ];
    if faults.iter().all(|f| f.1 == 0) {
        ui.horizontal(|ui| {
            icons::light(ui, GOOD);
            ui.colored_label(GOOD, "healthy");
        });
    }
    for (name, count, help) in faults.into_iter().filter(|f| f.1 > 0) {
        ui.horizontal(|ui| {
            icons::light(ui, BAD);
            ui.colored_label(BAD, format!("{} {name}", grouped(count))).on_hover_text(help);
        });
    }
    if health.broken_joints > 0 {
        ui.weak(format!("{} joints broken", grouped(u64::from(health.broken_joints))));
    }
}

/// Names and values in two columns; names get `share` of the width.
fn table(ui: &mut Ui, id: &str, share: f32, rows: &[(String, String)]) {
    let width = ui.available_width();
    Grid::new(id).num_columns(2).striped(true).spacing([6.0, 2.0]).min_col_width(0.0).show(ui, |ui| {
        for (name, value) in rows {
            ui.scope(|ui| {
                ui.set_width(share * width);
                ui.add(egui::Label::new(RichText::new(name).weak()).truncate());
            });
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.set_width((0.98 - share) * width);
                ui.monospace(value);
            });
            ui.end_row();
        }
    });
}

/// A number with thin spaces between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1234), "1\u{2009}234");
        assert_eq!(grouped(12_345_678), "12\u{2009}345\u{2009}678");
    }
}
