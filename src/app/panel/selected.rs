//! The selected thing: what it is, and its editable properties.

use std::ops::RangeInclusive;

use egui::{ComboBox, DragValue, Response, Ui};

use super::characters::clip;
use super::parameters::{chosen, row, typed};
use super::theme::section;
use crate::animation::Performer;
use crate::app::keys::Action;
use crate::app::select::{Edit, Selected};
use crate::app::world::World;
use crate::constraints::{Compliance, Give};
use crate::scene::{BodyId, ColliderId, DeformableId, JointId, Limits, Shape, Surface, Thing};

/// Ways in which cloth, flesh and ropes give.
const GIVES: [Give; 8] =
    [Give::Stretch, Give::Shear, Give::Bend, Give::Volume, Give::Elastic, Give::Shape, Give::Pin, Give::Tether];

/// Farthest that a collider is put by its numbers [m].
const FARTHEST: f32 = 1e4;

/// The thing that was clicked; nothing while nothing is.
pub(super) fn show(ui: &mut Ui, world: &World, actions: &mut Vec<Action>) {
    let Some(selected) = world.selected else { return };
    section(ui, "Selected", true, |ui| {
        match selected.thing {
            Thing::Body(id) => body(ui, world, id, &selected, actions),
            Thing::Collider(id) => collider(ui, world, id, actions),
            Thing::Deformable(id) => {
                deformable(ui, world, id, actions);
                air(ui, world, id, actions);
            }
            Thing::Liquid(id) => {
                let liquid = &world.solver.scene().liquids[id.0 as usize];
                named(ui, &liquid.name);
                ui.weak(format!("liquid of {} kg/m³, {} Pa s", liquid.density, liquid.viscosity));
            }
            Thing::Grains(_) => {
                ui.label("grains");
            }
        }
        surface(ui, world, selected.thing, actions);
    });
}

fn named(ui: &mut Ui, name: &str) {
    ui.add(egui::Label::new(name).truncate()).on_hover_text(name);
}

fn drag<'a>(value: &'a mut f32, range: RangeInclusive<f32>, speed: f64, suffix: &str) -> DragValue<'a> {
    typed(DragValue::new(value)).range(range).speed(speed).max_decimals(4).suffix(suffix.to_owned())
}

fn body(ui: &mut Ui, world: &World, id: BodyId, selected: &Selected, actions: &mut Vec<Action>) {
    let scene = world.solver.scene();
    let body = scene.body(id);
    named(ui, &body.name);
    if body.removed {
        ui.weak("is no longer in the world");
        return;
    }
    let mut mass = body.mass;
    let speed = 0.01 * f64::from(mass.max(0.01));
    if row(ui, "mass", "of the body [kg]", |ui| ui.add(drag(&mut mass, 1e-3..=1e5, speed, " kg"))).changed() {
        actions.push(Action::Edit(Edit::Mass(id, mass)));
    }
    let mut dynamics = body.dynamics;
    let mut changed = false;
    for (name, help, value, range) in [
        ("gravity", "factor on gravity; 0 floats, below 0 rises", &mut dynamics.gravity_scale, -10.0..=10.0),
        ("damping", "fraction of its velocity lost per second", &mut dynamics.linear_damping, 0.0..=100.0),
        ("spin damping", "fraction of its spin lost per second", &mut dynamics.angular_damping, 0.0..=100.0),
    ] {
        changed |= row(ui, name, help, |ui| ui.add(drag(value, range, 0.02, ""))).changed();
    }
    if changed {
        actions.push(Action::Edit(Edit::Dynamics(id, dynamics)));
    }
    joints(ui, world, id, selected.joint, actions);
}

/// The joints of a body, and the range of the one that is looked at.
fn joints(ui: &mut Ui, world: &World, id: BodyId, looked_at: Option<JointId>, actions: &mut Vec<Action>) {
    let scene = world.solver.scene();
    let all = scene.joints.iter().zip((0..).map(JointId));
    let own: Vec<JointId> =
        all.filter(|(joint, _)| [joint.desc.a, joint.desc.b].contains(&id)).map(|(_, joint)| joint).collect();
    let Some(shown) = looked_at.filter(|joint| own.contains(joint)) else { return };
    let name = |joint: JointId| {
        let desc = &scene.joint(joint).desc;
        format!("{} – {}", scene.body(desc.a).name, scene.body(desc.b).name)
    };
    row(ui, "joint", "of this body with its neighbors", |ui| {
        let combo = ComboBox::from_id_salt("joint").width(ui.available_width()).truncate().selected_text(name(shown));
        let shown = combo.show_ui(ui, |ui| {
            for joint in &own {
                if ui.selectable_label(*joint == shown, name(*joint)).clicked() {
                    actions.push(Action::Joint(*joint));
                }
            }
        });
        shown.response
    });
    let desc = &scene.joint(shown).desc;
    ui.weak(format!("{:?}", desc.kind).to_lowercase());
    if let Some(load) = world.carried(shown) {
        let carries = format!("carries {:.1} N, {:.1} N m", load.force.length(), load.torque.length());
        ui.weak(carries).on_hover_text("what one body does to the other through the joint, averaged over a frame");
    }
    if let Some(limits) = limits(ui, desc.limits) {
        actions.push(Action::Edit(Edit::Limits(shown, limits)));
    }
    let mut friction = desc.friction;
    let speed = 0.02 * f64::from(friction.max(0.1));
    if row(ui, "joint friction", "torque needed to turn it [N m]", |ui| {
        ui.add(drag(&mut friction, 0.0..=1e4, speed, " N m"))
    })
    .changed()
    {
        actions.push(Action::Edit(Edit::JointFriction(shown, friction)));
    }
    let mut damping = desc.damping;
    let help = "fraction of its angular velocity lost per second";
    if row(ui, "damping", help, |ui| ui.add(drag(&mut damping, 0.0..=100.0, 0.05, " 1/s"))).changed() {
        actions.push(Action::Edit(Edit::JointDamping(shown, damping)));
    }
    if let Some(performer) = world.cast.performers.iter().find(|performer| performer.bodies().contains(&id)) {
        limb(ui, performer, id, actions);
        let help = "save the current masses and ranges to out/, as a file that --ragdoll takes";
        if ui.button("write the ragdoll").on_hover_text(help).clicked() {
            actions.push(Action::WriteRagdoll);
        }
    }
}

/// What a character does, whose limb is selected, and the limb by itself.
fn limb(ui: &mut Ui, performer: &Performer, id: BodyId, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        actions.extend(clip(ui, "own clip", performer).map(|clip| Action::ClipOf(id, clip)));
        let word = if performer.is_limp() || performer.has_fallen() { "get up alone" } else { "go limp alone" };
        if ui.button(word).on_hover_text("only this character; key L: all of them").clicked() {
            actions.push(Action::LimpOf(id));
        }
    });
    if performer.is_powered() {
        let limb = performer.bodies().iter().position(|own| *own == id);
        let mut strength = limb.map_or(performer.drive_strength(), |limb| performer.limb_strength(limb));
        let slider = chosen(egui::Slider::new(&mut strength, 0.0..=1.0)).max_decimals(2);
        if row(ui, "strength", "of this limb and everything attached to it", |ui| ui.add(slider)).changed() {
            actions.push(Action::DriveLimb(id, strength));
        }
    } else if !performer.is_limp() {
        let help = "this limb and everything attached to it, while the rest plays on; key L: the whole character";
        if ui.button("limp limb").on_hover_text(help).clicked() {
            actions.push(Action::Loosen(id));
        }
    }
}

/// The range of a joint in degrees; another one if it was changed.
fn limits(ui: &mut Ui, now: Limits) -> Option<Limits> {
    let mut limits = now;
    let angle = |ui: &mut Ui, name: &str, help: &str, value: &mut f32, low: f32, high: f32| {
        let mut degrees = value.to_degrees();
        let help = format!("{help}, from {low:.0} to {high:.0}°");
        let shown = row(ui, name, &help, |ui| {
            ui.add(typed(DragValue::new(&mut degrees)).range(low..=high).speed(0.5).max_decimals(1).suffix("°"))
        });
        if shown.changed() {
            *value = degrees.to_radians();
        }
    };
    match &mut limits {
        Limits::Free => {
            ui.weak("free, or fixed");
        }
        Limits::SwingTwist { swing_y, swing_z, twist_min, twist_max } => {
            angle(ui, "swing side", "half angle of the cone about the frame's Y axis", swing_y, 0.0, 180.0);
            angle(ui, "swing forward", "half angle of the cone about the frame's Z axis", swing_z, 0.0, 180.0);
            angle(ui, "twist from", "minimum turn about the axis", twist_min, -180.0, 0.0);
            angle(ui, "twist to", "maximum turn about the axis", twist_max, 0.0, 180.0);
        }
        Limits::Hinge { min, max } => {
            let (low, high) = (min.to_degrees(), max.to_degrees());
            angle(ui, "from", "minimum angle", min, -180.0, high);
            angle(ui, "to", "maximum angle", max, low, 180.0);
        }
    }
    (limits != now).then_some(limits)
}

fn collider(ui: &mut Ui, world: &World, id: ColliderId, actions: &mut Vec<Action>) {
    let Some(there) = world.solver.scene().colliders.get(id.0 as usize) else { return };
    let kind = match there.shape {
        Shape::Plane => "plane",
        Shape::Cuboid(_) => "box",
        Shape::Sphere(_) => "ball",
        Shape::Capsule { .. } => "capsule",
        Shape::Cylinder { .. } => "cylinder",
        Shape::Hull(_) => "hull",
        Shape::Grid(_) => "solid",
        Shape::Mesh(_) => "mesh",
        Shape::Heightfield(_) => "ground of heights",
        Shape::Compound(_) => "compound",
    };
    ui.label(format!("collider {}: {kind}", id.0));
    let Ok((mut position, rotation)) = world.solver.collider_place(id) else { return };
    let mut moved = false;
    ui.horizontal(|ui| {
        for (axis, value) in ["x ", "y ", "z "].into_iter().zip(position.as_mut()) {
            let place = typed(DragValue::new(value)).range(-FARTHEST..=FARTHEST).speed(0.01).max_decimals(3);
            moved |= ui.add(place.prefix(axis)).changed();
        }
    });
    if moved && position.is_finite() {
        actions.push(Action::Edit(Edit::put(id, position, rotation)));
    }
    let present = world.solver.is_collider_present(id).unwrap_or(true);
    let mut shown = present;
    if ui.checkbox(&mut shown, "in the world").changed() {
        actions.push(Action::Edit(Edit::Present(id, shown)));
    }
}

fn deformable(ui: &mut Ui, world: &World, id: DeformableId, actions: &mut Vec<Action>) {
    let extent = &world.solver.scene().deformables[id.0 as usize];
    named(ui, &extent.name);
    ui.weak("compliance over the original").on_hover_text("a compliance of zero stays zero");
    for give in GIVES {
        let Ok(now) = world.solver.compliance(id, give) else { continue };
        let mut times = match now {
            Compliance::Times(times) => times,
            Compliance::Each(_) => continue,
        };
        let slider = chosen(egui::Slider::new(&mut times, 0.01..=100.0)).logarithmic(true).max_decimals(2).suffix(" ×");
        if row(ui, give.name(), "how far it yields this way", |ui| ui.add(slider)).changed() {
            actions.push(Action::Edit(Edit::Compliance(id, give, Compliance::Times(times))));
        }
    }
}

/// The pressure inside, if it has any.
fn air(ui: &mut Ui, world: &World, id: DeformableId, actions: &mut Vec<Action>) {
    let Ok(mut times) = world.solver.pressure(id) else { return };
    let slider = chosen(egui::Slider::new(&mut times, 0.1..=8.0)).logarithmic(true).max_decimals(2).suffix(" ×");
    if row(ui, "pressure", "factor on its original pressure", |ui| ui.add(slider)).changed() {
        actions.push(Action::Edit(Edit::Compliance(id, Give::Pressure, Compliance::Times(times))));
    }
}

/// Friction, and restitution where there is any.
fn surface(ui: &mut Ui, world: &World, thing: Thing, actions: &mut Vec<Action>) {
    if matches!(thing, Thing::Liquid(_)) {
        return;
    }
    let Ok(now) = world.solver.surface(thing) else { return };
    let mut surface: Surface = now;
    let slider = |ui: &mut Ui, name: &str, help: &str, value: &mut f32, most: f32| -> Response {
        row(ui, name, help, |ui| ui.add(chosen(egui::Slider::new(value, 0.0..=most)).max_decimals(2)))
    };
    let mut changed =
        slider(ui, "friction", "friction coefficient; a pair uses the mean", &mut surface.friction, 2.0).changed();
    if matches!(thing, Thing::Body(_) | Thing::Collider(_)) {
        changed |=
            slider(ui, "restitution", "restitution; a pair uses the larger", &mut surface.restitution, 1.0).changed();
    }
    if changed {
        actions.push(Action::Edit(Edit::Surface(thing, surface)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn showing_limits_changes_none() {
        let ctx = egui::Context::default();
        for shown in [
            Limits::Free,
            Limits::SwingTwist { swing_y: 0.3, swing_z: 1.234_567, twist_min: -0.2, twist_max: 0.7 },
            Limits::Hinge { min: -0.123_456, max: 2.1 },
        ] {
            let mut changed = None;
            let output = ctx.run_ui(egui::RawInput::default(), |ui| changed = limits(ui, shown));
            output.drop_without_applying_deltas();
            assert_eq!(changed, None, "{shown:?}");
        }
    }
}
