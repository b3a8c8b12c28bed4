//! The controls: scene, method, motion and what is shown.

use eframe::egui::{self, RichText, Ui};
use sinew::backend;

use super::controls::Controls;
use super::motion::motion;
use crate::methods::{Family, KINDS, Kind, no_row, no_threads};
use crate::settings::{CYLINDERS, Layer, MOST_COPIES, Settings, Threads};
use crate::show::Show;

/// All sections, one below the other.
pub fn left(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, show: &Show) {
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        scene(ui, controls, settings, show);
        methods(ui, controls, settings, show);
        work(ui, controls, settings, show);
        motion(ui, controls, settings, show);
        shown(ui, controls, settings, show);
    });
}

/// A heading with air above it.
pub(super) fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(5.0);
    ui.label(RichText::new(text).strong().size(13.0));
}

fn scene(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, show: &Show) {
    heading(ui, "Scene");
    ui.horizontal_wrapped(|ui| {
        for (name, label, model) in [
            ("scene:cylinders", "cylinders", CYLINDERS),
            ("scene:figure", "figure", "@figure"),
            ("scene:twist", "twist", "@twist"),
        ] {
            let chosen = settings.model == model;
            if controls.choice(ui, (name.to_owned(), label), chosen, (None, "")) && !chosen {
                settings.choose_model(model);
            }
        }
        ui.weak("or drop a file");
    });
    let mut copies = show.copies();
    let slider = egui::Slider::new(&mut copies, 1..=MOST_COPIES).logarithmic(true).text("copies");
    if controls.note("copies", ui.add(slider)).changed() {
        settings.copies = Some(copies);
    }
}

fn methods(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, show: &Show) {
    heading(ui, "Method");
    for (family, title) in [
        (Family::Davies, "Davies 2004"),
        (Family::Blended, "van Waveren 2005, blended matrix"),
        (Family::Weighted, "van Waveren 2005, weighted positions"),
        (Family::Sinew, "sinew"),
        (Family::Gpu, "graphics processor"),
    ] {
        ui.label(RichText::new(title).weak().small());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            for kind in KINDS.into_iter().filter(|kind| kind.family() == family) {
                method(ui, controls, settings, (show, kind));
            }
        });
        if family == Family::Sinew {
            rows(ui, controls, settings);
        }
    }
}

fn method(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, (show, kind): (&Show, Kind)) {
    let name = format!("method:{}", kind.name());
    let told = (show.refusals.of(kind), kind.about());
    if controls.choice(ui, (name, kind.label()), settings.kind == kind, told) {
        settings.kind = kind;
    }
}

fn rows(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        for name in backend::NAMES {
            let mut refused = no_row(name);
            if refused.is_none() && !settings.kind.has_rows() {
                refused = Some("only sinew's methods have rows".to_owned());
            }
            let chosen = settings.row.name() == name && settings.kind.has_rows();
            let told = (refused.as_deref(), "The instruction set of sinew's methods");
            let clicked = controls.choice(ui, (format!("isa:{name}"), name), chosen, told);
            if let (true, Some(row)) = (clicked, backend::get(name)) {
                settings.row = row;
            }
        }
    });
}

fn work(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, show: &Show) {
    ui.add_space(4.0);
    egui::Grid::new("work").num_columns(2).show(ui, |ui| {
        ui.label("Weights");
        ui.horizontal(|ui| {
            for (weights, digit) in (1..).zip(["1", "2", "3", "4"]) {
                let (name, label, told) = weight_button(show, weights, digit);
                let told = (told.as_deref(), "The most influences of a vertex");
                if controls.choice(ui, (name, label), settings.weights == weights, told) {
                    settings.weights = weights;
                }
            }
        });
        ui.end_row();
        ui.label("Threads");
        ui.horizontal(|ui| {
            for (threads, about) in Threads::ALL.into_iter().zip(THREADS) {
                let refused = no_threads().filter(|_| threads != Threads::Off);
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

/// Name and label of the button, and why it cannot be used. Four of a model are all that there are.
fn weight_button<'a>(show: &Show, weights: usize, digit: &'a str) -> (String, &'a str, Option<String>) {
    let (own, most) = (show.subject.is_cylinder, show.subject.most_influences().max(1));
    let label = if !own && weights == 4 { "all" } else { digit };
    let beyond = !own && weights > most && weights < 4;
    let refused = beyond.then(|| format!("no vertex has more than {most}"));
    (format!("weights:{weights}"), label, refused)
}

const THREADS: [&str; 3] = [
    "One thread does everything",
    "All threads share the vertices",
    "One thread animates the next frame while another skins this one",
];

fn shown(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, show: &Show) {
    heading(ui, "Show");
    egui::Grid::new("shown").num_columns(3).spacing([10.0, 3.0]).show(ui, |ui| {
        for (index, layer) in Layer::ALL.into_iter().enumerate() {
            let mut on = settings.shown.has(layer);
            let name = format!("show:{}", layer.name());
            if controls.tick(ui, &name, layer.name(), &mut on).changed() {
                settings.shown.set(layer, on);
            }
            if index % 3 == 2 {
                ui.end_row();
            }
        }
    });
    joints(ui, controls, settings, show);
    let mut off = !settings.drawing;
    let text =
        "Nothing is drawn: the method runs as often as it can, and is measured as sinew bench measures it";
    if controls.tick(ui, "drawing-off", "drawing off: only skin", &mut off).on_hover_text(text).changed() {
        settings.drawing = !off;
    }
}

/// Whose weights are painted.
fn joints(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, show: &Show) {
    let skeleton = show.subject.model.skeleton();
    let name = |joint: Option<usize>| joint.map_or("all joints", |joint| skeleton.name(joint)).to_owned();
    settings.joint = settings.joint.filter(|&joint| joint < skeleton.len());
    ui.horizontal(|ui| {
        ui.label("Joint");
        for (label, step, control) in [("<", -1, "joint:previous"), (">", 1, "joint:next")] {
            if controls.note(control, ui.small_button(label)).clicked() {
                settings.joint = stepped(settings.joint, step, skeleton.len());
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
                    controls.note(format!("joint:{name}"), response);
                }
            });
        controls.note("joint", response.response);
    });
}

/// The next or the one before, with all of them before the first.
fn stepped(joint: Option<usize>, step: i64, len: usize) -> Option<usize> {
    let place = joint.map_or(0, |joint| joint as i64 + 1) + step;
    let place = place.rem_euclid(len as i64 + 1);
    (place > 0).then(|| place as usize - 1)
}
