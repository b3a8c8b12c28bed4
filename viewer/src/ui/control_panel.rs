//! The control panel on the left: scene, method, motion and layers.

use eframe::egui::{self, RichText, Ui};
use sinew::JointId;
use sinew::runtime::backend;

use super::controls::Controls;
use super::motion::motion_controls;
use crate::draw::GlKind;
use crate::methods::{Family, MethodKind, isa_unavailable_reason, threads_unavailable_reason};
use crate::session::Session;
use crate::settings::{CYLINDERS, FIGURE, Layer, MAX_COPIES, Settings, Threads, Weights};

/// All sections of the panel.
pub fn control_panel(
    ui: &mut Ui,
    controls: &mut Controls,
    settings: &mut Settings,
    (session, gl): (&Session, GlKind),
) {
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        scene_list(ui, controls, settings, session);
        method_list(ui, controls, settings, (session, gl));
        weights_and_threads(ui, controls, settings, session);
        motion_controls(ui, controls, settings, session);
        layers(ui, controls, settings, session);
    });
}

/// A heading with space above it.
pub(super) fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(5.0);
    ui.label(RichText::new(text).strong().size(13.0));
}

fn scene_list(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, session: &Session) {
    heading(ui, "Scene");
    ui.horizontal_wrapped(|ui| {
        for (name, label, model) in [
            ("scene:figure", "figure", FIGURE),
            ("scene:cylinders", "cylinders", CYLINDERS),
            ("scene:twist", "twist", "@twist"),
        ] {
            let chosen = settings.model == model;
            if controls.choice(ui, (name.to_owned(), label), chosen, (None, "")) && !chosen {
                settings.choose_model(model);
            }
        }
        ui.weak("or drop a file");
    });
    let mut copies = session.copies();
    let slider = egui::Slider::new(&mut copies, 1..=MAX_COPIES).logarithmic(true).text("copies");
    if controls.record("copies", ui.add(slider)).changed() {
        settings.copies = Some(copies);
    }
}

fn method_list(
    ui: &mut Ui,
    controls: &mut Controls,
    settings: &mut Settings,
    (session, gl): (&Session, GlKind),
) {
    heading(ui, "Method");
    for (family, title) in [
        (Family::Davies, "Davies 2004"),
        (Family::Blended, "van Waveren 2005, blended matrix"),
        (Family::Weighted, "van Waveren 2005, weighted positions"),
        (Family::Sinew, "sinew"),
        (Family::Gpu, gl.heading()),
    ] {
        ui.label(RichText::new(title).weak().small());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            for method in MethodKind::ALL.into_iter().filter(|method| method.family() == family) {
                method_button(ui, controls, settings, (session, method));
            }
        });
        if family == Family::Sinew {
            instruction_sets(ui, controls, settings);
        }
    }
}

fn method_button(
    ui: &mut Ui,
    controls: &mut Controls,
    settings: &mut Settings,
    (session, method): (&Session, MethodKind),
) {
    let name = format!("method:{}", method.name());
    let hover = (session.availability.unavailable_reason(method), method.about());
    if controls.choice(ui, (name, method.label()), settings.method == method, hover) {
        settings.method = method;
    }
}

fn instruction_sets(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        for name in backend::NAMES {
            let mut refused = isa_unavailable_reason(name);
            if refused.is_none() && !settings.method.has_isa_choice() {
                refused = Some("only sinew's methods have a choice of instruction sets".to_owned());
            }
            let chosen = settings.backend.name() == name && settings.method.has_isa_choice();
            let hover = (refused.as_deref(), "The instruction set of sinew's methods");
            let clicked = controls.choice(ui, (format!("isa:{name}"), name), chosen, hover);
            if let (true, Some(backend)) = (clicked, backend::get(name)) {
                settings.backend = backend;
            }
        }
    });
}

fn weights_and_threads(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, session: &Session) {
    ui.add_space(4.0);
    egui::Grid::new("work").num_columns(2).show(ui, |ui| {
        ui.label("Weights");
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            for weights in Weights::ALL {
                let (name, label, refused) = weight_button(session, weights);
                let hover = (refused.as_deref(), weights_help(weights));
                if controls.choice(ui, (name, label), settings.weights == weights, hover) {
                    settings.weights = weights;
                }
            }
        });
        ui.end_row();
        ui.label("Threads");
        ui.horizontal(|ui| {
            for (threads, about) in Threads::ALL.into_iter().zip(THREADS_HELP) {
                let refused = threads_unavailable_reason().filter(|_| threads != Threads::Off);
                let name = format!("threads:{}", threads.name());
                let chosen = settings.threads == threads;
                if controls.choice(ui, (name, threads.name()), chosen, (refused, about)) {
                    settings.threads = threads;
                }
            }
        });
        ui.end_row();
    });
}

/// Name and label of a button, and why it is disabled. For models other than the cylinders, 4 is
/// labeled "all".
fn weight_button(session: &Session, weights: Weights) -> (String, &'static str, Option<String>) {
    let (is_cylinder, most) = (session.subject.is_cylinder, session.subject.max_influences().max(1));
    let label = if !is_cylinder && weights == Weights::AtMost(4) { "all" } else { weights.name() };
    let refused = match weights {
        _ if is_cylinder => None,
        Weights::Varying => Some("only the cylinders have varying weights to choose".to_owned()),
        Weights::AtMost(limit) => {
            (limit > most && limit < 4).then(|| format!("no vertex has more than {most} weights"))
        }
    };
    (format!("weights:{}", weights.name()), label, refused)
}

fn weights_help(weights: Weights) -> &'static str {
    match weights {
        Weights::AtMost(_) => "Maximum influences per vertex",
        Weights::Varying => "One influence per vertex at the bottom of a cylinder, up to four at its top",
    }
}

const THREADS_HELP: [&str; 3] = [
    "One thread does all the work",
    "All threads share the vertices of each copy",
    "One thread animates the next frame while another skins this one",
];

fn layers(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, session: &Session) {
    heading(ui, "Show");
    egui::Grid::new("shown").num_columns(3).spacing([10.0, 3.0]).show(ui, |ui| {
        for (index, layer) in Layer::ALL.into_iter().enumerate() {
            let mut on = settings.layers.contains(layer);
            let name = format!("show:{}", layer.name());
            if controls.checkbox(ui, &name, layer.name(), &mut on).changed() {
                settings.layers.set(layer, on);
            }
            if index % 3 == 2 {
                ui.end_row();
            }
        }
    });
    joint_list(ui, controls, settings, session);
    let mut off = !settings.drawing;
    let text = "Draws nothing: the method runs as often as possible, timed as sinew bench does";
    if controls.checkbox(ui, "drawing-off", "drawing off: skin only", &mut off).on_hover_text(text).changed()
    {
        settings.drawing = !off;
    }
}

/// Selection of the joint whose weights are shown.
fn joint_list(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, session: &Session) {
    let skeleton = session.subject.model.skeleton();
    let name = |joint: Option<usize>| {
        joint.map_or("all joints", |joint| skeleton.name(JointId::new(joint))).to_owned()
    };
    settings.joint = settings.joint.filter(|&joint| joint < skeleton.len());
    ui.horizontal(|ui| {
        ui.label("Joint");
        for (label, step, control) in [("<", -1, "joint:previous"), (">", 1, "joint:next")] {
            if controls.record(control, ui.small_button(label)).clicked() {
                settings.joint = step_joint(settings.joint, step, skeleton.len());
            }
        }
        let response = egui::ComboBox::from_id_salt("joint")
            .selected_text(name(settings.joint))
            .width(150.0)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut settings.joint, None, name(None));
                for joint in 0..skeleton.len() {
                    let name = name(Some(joint));
                    let response = ui.selectable_value(&mut settings.joint, Some(joint), name.as_str());
                    controls.record(format!("joint:{name}"), response);
                }
            });
        controls.record("joint", response.response);
    });
}

/// The next or previous joint. "All joints" comes before the first.
fn step_joint(joint: Option<usize>, step: i64, len: usize) -> Option<usize> {
    let index = joint.map_or(0, |joint| joint as i64 + 1) + step;
    let index = index.rem_euclid(len as i64 + 1);
    (index > 0).then(|| index as usize - 1)
}
