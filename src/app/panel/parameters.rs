//! World parameters as sliders and choices, in groups, each of which can be reset to the scene's values.

use egui::{Align, CollapsingHeader, ComboBox, DragValue, Layout, RichText, Slider, SliderClamping, Ui};

use super::theme::INNER_WIDTH;

use crate::constraints::Partition;
use crate::scene::{Domain, PARAMETERS, Parameter, Params};

/// Groups in the order shown.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Step",
        &[
            "substeps",
            "iterations",
            "dt",
            "levels",
            "integrator",
            "joints",
            "joint_sweeps",
            "freeze",
            "partition",
            "stiffness",
            "bend_stiffness",
            "mass_scaling",
        ],
    ),
    (
        "Stiffness by type",
        &[
            "stiffness_distance",
            "stiffness_dihedral",
            "stiffness_isometric",
            "stiffness_volume",
            "stiffness_neo_hookean",
            "stiffness_triangle_strain",
            "stiffness_tetrahedron_stretch",
            "stiffness_tetrahedron_shear",
            "stiffness_rope_bend",
            "stiffness_rod",
            "stiffness_triangle_pin",
            "stiffness_world_pin",
        ],
    ),
    ("World", &["gravity", "gravity_x", "gravity_z", "max_speed", "world_extent"]),
    ("Air", &["wind_x", "wind_y", "wind_z", "gusts"]),
    (
        "Contact",
        &[
            "friction_scale",
            "dynamic_friction_ratio",
            "restitution_speed",
            "depenetration_speed",
            "cell_scale",
            "liquid_search",
        ],
    ),
    ("Damping and sleep", &["linear_damping", "angular_damping", "sleep_speed", "sleep_time"]),
];
const LABEL_WIDTH: f32 = 108.0;
/// Sliders keep four decimals.
const DECIMALS: f64 = 1e4;
/// Room for the number beside a slider.
const VALUE_WIDTH: f32 = 96.0;
/// Narrowest slider.
const LEAST_SLIDER: f32 = 30.0;

/// Shows every parameter; `start` holds the values that the scene began with.
pub(super) fn show(ui: &mut Ui, params: &mut Params, start: &Params) {
    for (group, names) in GROUPS {
        let rows: Vec<_> = names.iter().filter_map(|n| PARAMETERS.iter().find(|p| p.name == *n)).collect();
        let changed = rows.iter().any(|p| (p.get)(params) != (p.get)(start));
        let title = if changed { RichText::new(format!("{group} (changed)")) } else { RichText::new(*group) };
        CollapsingHeader::new(title).id_salt(group).show_unindented(ui, |ui| {
            for row in &rows {
                parameter(ui, row, params);
            }
            if changed && ui.small_button("reset to the scene's values").clicked() {
                rows.iter().for_each(|row| (row.set)(params, (row.get)(start)));
            }
        });
    }
}

fn parameter(ui: &mut Ui, row: &Parameter, params: &mut Params) {
    let old = (row.get)(params);
    let mut value = old;
    control(ui, row.name, row.unit, row.domain, row.doc, &mut value);
    if value != old {
        (row.set)(params, value);
    }
}

/// One labeled control: a slider or a choice with unit, range and help as its tooltip. True when it was let go.
pub(super) fn control(ui: &mut Ui, name: &str, unit: &str, domain: Domain, doc: &str, value: &mut f64) -> bool {
    let unit = if unit == "dimensionless" { "" } else { unit };
    let help = format!("{doc}\n{}", range(domain, unit));
    let mut shown = *value;
    let response = row(ui, &name.replace('_', " "), &help, |ui| match domain {
        Domain::Choice(names) => choice(ui, name, names, &mut shown),
        Domain::Partition => partition(ui, name, &mut shown),
        Domain::Integer { min, max } => ui.add(slider(&mut shown, min, max, unit).integer()),
        Domain::Number { min, max } => ui.add(slider(&mut shown, min, max, unit)),
    });
    // A slider rounds what it is given; only what the player chose counts.
    if shown != *value && shown != (*value * DECIMALS).round() / DECIMALS {
        *value = shown;
    }
    response.drag_stopped() || (response.changed() && !response.dragged())
}

/// A name with a control that fills the rest of the line; `help` shows over both.
pub(super) fn row(
    ui: &mut Ui,
    name: &str,
    help: &str,
    control: impl FnOnce(&mut Ui) -> egui::Response,
) -> egui::Response {
    ui.horizontal(|ui| {
        let size = egui::vec2(LABEL_WIDTH, ui.spacing().interact_size.y);
        let label = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(LABEL_WIDTH);
            ui.add(egui::Label::new(RichText::new(name).weak()).truncate()).on_hover_text(help).id
        });
        // What was too wide above has made room that is not there.
        let between = ui.spacing().item_spacing.x;
        let room = ui.available_width().min(INNER_WIDTH - LABEL_WIDTH - between);
        ui.spacing_mut().slider_width = (room - between - VALUE_WIDTH).max(LEAST_SLIDER);
        control(ui).labelled_by(label.inner).on_hover_text(help)
    })
    .inner
}

/// A slider that shows what is beyond its range as it is, and takes no text that is no number.
pub(super) fn chosen(slider: Slider<'_>) -> Slider<'_> {
    slider.clamping(SliderClamping::Edits).custom_parser(number)
}

/// The same of a number without a slider.
pub(super) fn typed(value: DragValue<'_>) -> DragValue<'_> {
    value.clamp_existing_to_range(false).custom_parser(number)
}

/// The number that somebody types, if it is one.
fn number(text: &str) -> Option<f64> {
    let letters = text.chars().filter(|letter| !letter.is_whitespace());
    let text: String = letters.map(|letter| if letter == '−' { '-' } else { letter }).collect();
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

fn slider<'a>(value: &'a mut f64, min: f64, max: f64, unit: &str) -> Slider<'a> {
    let wide = max - min >= 20.0 || (min > 0.0 && max / min >= 100.0);
    let suffix = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    chosen(Slider::new(value, min..=max))
        .logarithmic(wide)
        .smallest_positive(1e-3_f64.max(min))
        .max_decimals(4)
        .update_while_editing(false)
        .suffix(suffix)
}

fn choice(ui: &mut Ui, name: &str, names: &[&str], value: &mut f64) -> egui::Response {
    let mut index = (*value as usize).min(names.len().saturating_sub(1));
    let before = index;
    let mut response = ComboBox::from_id_salt(name).width(ui.available_width()).truncate().show_index(
        ui,
        &mut index,
        names.len(),
        |i| names[i],
    );
    if index != before {
        *value = index as f64;
        response.mark_changed();
    }
    response
}

fn range(domain: Domain, unit: &str) -> String {
    match domain {
        Domain::Number { min, max } => format!("from {min} to {max} {unit}").trim_end().to_owned(),
        Domain::Integer { min, max } => format!("a whole number from {min} to {max} {unit}").trim_end().to_owned(),
        Domain::Choice(names) => format!("one of {}", names.join(", ")),
        Domain::Partition => Partition::ALLOWED.to_owned(),
    }
}

/// A choice among partitions of a few sizes.
fn partition(ui: &mut Ui, name: &str, value: &mut f64) -> egui::Response {
    const SHOWN: [&str; 8] = ["auto", "colors", "clusters", "phantom:4", "phantom:8", "hybrid:4", "hybrid:8", "jacobi"];
    let codes = SHOWN.map(|text| Partition::parse(text).map_or(0.0, Partition::code));
    let mut index = codes.iter().position(|code| code == value).map_or(f64::NAN, |i| i as f64);
    let response = choice(ui, name, &SHOWN, &mut index);
    *value = codes.get(index as usize).filter(|_| index.is_finite()).copied().unwrap_or(*value);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_in_one_group() {
        let mut grouped: Vec<_> = GROUPS.iter().flat_map(|g| g.1).copied().collect();
        let mut all: Vec<_> = PARAMETERS.iter().map(|p| p.name).collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    #[test]
    fn only_numbers_are_typed() {
        assert_eq!(["1.5", " 1 000", "−2", "1e3"].map(number), [Some(1.5), Some(1000.0), Some(-2.0), Some(1000.0)]);
        assert_eq!(["nan", "inf", "-infinity", "1e999", "abc", ""].map(number), [None; 6]);
    }

    #[test]
    fn every_parameter_gets_a_row_that_keeps_its_value() {
        let ctx = egui::Context::default();
        let mut params = Params::default();
        let before = params;
        let output = ctx.run_ui(egui::RawInput::default(), |ui| {
            for row in PARAMETERS {
                parameter(ui, row, &mut params);
            }
        });
        output.drop_without_applying_deltas();
        assert_eq!(params, before, "showing a parameter must not change it");
    }
}
