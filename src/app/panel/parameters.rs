//! World parameters as sliders and choices, in groups, each of which can be reset to the scene's values.

use std::ops::RangeInclusive;

use egui::emath::format_with_decimals_in_range;
use egui::{
    Align, CollapsingHeader, Color32, ComboBox, DragValue, Layout, RichText, Slider, SliderClamping, TextStyle, Ui,
};

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
/// Room for the name of a row, and the most of a group with long ones.
const LABEL_WIDTH: f32 = 108.0;
const MOST_LABEL: f32 = INNER_WIDTH - VALUE_WIDTH - LEAST_SLIDER - 12.0;
/// Decimals that sliders keep.
const DECIMALS: i32 = 9;
/// Decimals that they show, but for numbers too small for them.
const SHOWN: usize = 4;
const SMALL: f64 = 1e-3;
/// What the parameters of the types of constraints begin with, in a group that says so.
const OF_TYPE: &str = "stiffness_";
/// More parameters, and options, whose least value lets the program choose.
const AUTO: [&str; 3] = ["bend_stiffness", "liquid_search", "scale"];
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
            let width = label_width(ui, names);
            for row in &rows {
                parameter(ui, row, width, params);
            }
            if changed && ui.small_button("reset to the scene's values").clicked() {
                rows.iter().for_each(|row| (row.set)(params, (row.get)(start)));
            }
        });
    }
}

fn parameter(ui: &mut Ui, row: &Parameter, width: f32, params: &mut Params) {
    let old = (row.get)(params);
    let mut value = old;
    control(ui, row.name, width, row.unit, row.domain, row.doc, &mut value);
    if value != old {
        (row.set)(params, value);
    }
}

/// What a parameter or an option is called in its row.
fn label(name: &str) -> String {
    name.strip_prefix(OF_TYPE).unwrap_or(name).replace('_', " ")
}

/// Room for the names of a group [points].
pub(super) fn label_width(ui: &Ui, names: &[&str]) -> f32 {
    let font = TextStyle::Body.resolve(ui.style());
    let width = |name: &&str| ui.painter().layout_no_wrap(label(name), font.clone(), Color32::WHITE).size().x;
    // A word more would be cut for a fraction of a pixel.
    (names.iter().map(width).fold(0.0, f32::max) + 1.0).clamp(LABEL_WIDTH, MOST_LABEL)
}

/// Whether the least value of a parameter or an option lets the program choose.
fn chooses(name: &str, domain: Domain) -> bool {
    let zero = matches!(domain, Domain::Number { min: 0.0, .. } | Domain::Integer { min: 0.0, .. });
    zero && (name.starts_with(OF_TYPE) || AUTO.contains(&name))
}

/// One control with a label so wide [points]: a slider or a choice with unit, range and help as its tooltip. True when it was let go.
pub(super) fn control(
    ui: &mut Ui,
    name: &str,
    width: f32,
    unit: &str,
    domain: Domain,
    doc: &str,
    value: &mut f64,
) -> bool {
    let unit = if unit == "dimensionless" { "" } else { unit };
    let help = format!("{doc}\n{}", range(domain, unit));
    let mut shown = *value;
    let auto = chooses(name, domain);
    let response = wide_row(ui, &label(name), width, &help, |ui| match domain {
        Domain::Choice(names) => choice(ui, name, names, &mut shown),
        Domain::Partition => partition(ui, name, &mut shown),
        Domain::Integer { min, max } => ui.add(slider(&mut shown, [min, max], unit, auto).integer()),
        Domain::Number { min, max } => ui.add(slider(&mut shown, [min, max], unit, auto)),
    });
    // A slider rounds what it is given; only what the player chose counts.
    let ones = 10_f64.powi(DECIMALS);
    if shown != *value && shown != (*value * ones).round() / ones {
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
    wide_row(ui, name, LABEL_WIDTH, help, control)
}

/// The same with a name so wide [points].
pub(super) fn wide_row(
    ui: &mut Ui,
    name: &str,
    width: f32,
    help: &str,
    control: impl FnOnce(&mut Ui) -> egui::Response,
) -> egui::Response {
    ui.horizontal(|ui| {
        let size = egui::vec2(width, ui.spacing().interact_size.y);
        let label = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(width);
            ui.add(egui::Label::new(RichText::new(name).weak()).truncate()).on_hover_text(help).id
        });
        // What was too wide above has made room that is not there.
        let between = ui.spacing().item_spacing.x;
        let room = ui.available_width().min(INNER_WIDTH - width - between);
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

/// A number as sliders show it: with few decimals, or with its power of ten where they would leave nothing of it.
fn digits(value: f64, decimals: RangeInclusive<usize>) -> String {
    if value == 0.0 || value.abs() >= SMALL {
        let most = SHOWN.min(*decimals.end());
        return format_with_decimals_in_range(value, most.min(*decimals.start())..=most);
    }
    let text = format!("{value:.2e}");
    let (ones, power) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{power}", ones.trim_end_matches('0').trim_end_matches('.'))
}

/// A slider; where it is `auto`, 0 is shown as that word.
fn slider<'a>(value: &'a mut f64, [min, max]: [f64; 2], unit: &str, auto: bool) -> Slider<'a> {
    let wide = max - min >= 20.0 || (min > 0.0 && max / min >= 100.0);
    let suffix = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let is_auto = move |value: f64| auto && value == 0.0;
    chosen(Slider::new(value, min..=max))
        .custom_formatter(
            move |value, decimals| if is_auto(value) { "auto".to_owned() } else { digits(value, decimals) },
        )
        .custom_parser(move |text| if auto && text.trim() == "auto" { Some(0.0) } else { number(text) })
        .logarithmic(wide)
        .smallest_positive(1e-3_f64.max(min))
        .max_decimals(DECIMALS as usize)
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
    fn small_numbers_are_shown_as_they_are() {
        let shown = [0.0, 1e-6, f64::from(1e-6_f32), 2.5e-4, -3e-5, 0.02, 0.016_666, 5.0, 1e4];
        let told = shown.map(|value| digits(value, 0..=9));
        assert_eq!(told, ["0", "1e-6", "1e-6", "2.5e-4", "-3e-5", "0.02", "0.0167", "5", "10000"]);
        assert!(told.iter().all(|text| number(text).is_some()));
    }

    #[test]
    fn rows_of_a_group_are_told_apart_and_have_room_for_a_slider() {
        let ctx = egui::Context::default();
        crate::app::panel::theme::apply(&ctx);
        let output = ctx.run_ui(egui::RawInput::default(), |ui| {
            let font = TextStyle::Body.resolve(ui.style());
            let wide = |name: &str| ui.painter().layout_no_wrap(label(name), font.clone(), Color32::WHITE).size().x;
            for (group, names) in GROUPS {
                let width = label_width(ui, names);
                let cut: Vec<_> = names.iter().filter(|name| wide(name) > width).collect();
                println!("{group}: {width} of {MOST_LABEL}, cut are {cut:?}");
                assert!(cut.len() <= 1 && width <= MOST_LABEL, "{group}: {cut:?}");
            }
        });
        output.drop_without_applying_deltas();
    }

    #[test]
    fn every_parameter_gets_a_row_that_keeps_its_value() {
        let ctx = egui::Context::default();
        let mut params = Params::default();
        let before = params;
        let output = ctx.run_ui(egui::RawInput::default(), |ui| {
            for row in PARAMETERS {
                parameter(ui, row, LABEL_WIDTH, &mut params);
            }
        });
        output.drop_without_applying_deltas();
        assert_eq!(params, before, "showing a parameter must not change it");
    }
}
