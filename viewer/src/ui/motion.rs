//! What moves the scene, and when.

use eframe::egui::{self, Ui};

use super::controls::Controls;
use super::left::heading;
use crate::settings::{MOST_OCTAVES, Motion, Settings};
use crate::show::Show;

/// Motions of the cylinders, or clips of a model; time and pace.
pub(super) fn motion(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, show: &Show) {
    heading(ui, "Motion");
    if show.subject.is_cylinder {
        rules(ui, controls, settings);
    } else {
        clips(ui, controls, settings, show);
    }
    time(ui, controls, settings, show);
}

fn rules(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings) {
    ui.horizontal(|ui| {
        for (motion, label) in [(Motion::Sine, "sine"), (Motion::Noise, "Perlin noise")] {
            let name = format!("motion:{}", motion.name());
            if controls.choice(ui, (name, label), settings.motion == motion, (None, "")) {
                settings.motion = motion;
            }
        }
    });
    let slider = egui::Slider::new(&mut settings.octaves, 1..=MOST_OCTAVES).text("octaves");
    let response = ui.add_enabled(settings.motion == Motion::Noise, slider);
    controls.note("octaves", response.on_disabled_hover_text("the sine has none"));
}

fn clips(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, show: &Show) {
    let clips = show.subject.model.clips();
    if clips.is_empty() {
        ui.weak("This model has no clips: it stands at rest.");
        return;
    }
    let names = || clips.iter().map(|clip| clip.name());
    egui::Grid::new("clips").num_columns(2).show(ui, |ui| {
        ui.label("Clip");
        list(ui, controls, "clip", names(), &mut settings.clip);
        ui.end_row();
        ui.label("Blend with");
        list(ui, controls, "second", names(), &mut settings.second);
        ui.end_row();
    });
    let slider = egui::Slider::new(&mut settings.blend, 0.0..=1.0).text("blend");
    let response = ui.add_enabled(settings.second.is_some(), slider);
    controls.note("blend", response.on_disabled_hover_text("choose a second clip first"));
}

/// Buttons where they are few, and a list where they are many.
fn list<'a>(
    ui: &mut Ui,
    controls: &mut Controls,
    control: &str,
    names: impl ExactSizeIterator<Item = &'a str>,
    chosen: &mut Option<String>,
) {
    let mut button = |ui: &mut Ui, name: &str| {
        let is = chosen.as_deref() == Some(name);
        if controls.choice(ui, (format!("{control}:{name}"), name), is, (None, "")) {
            // The second clip can be put away again.
            *chosen = if is && control == "second" { None } else { Some(name.to_owned()) };
        }
    };
    if names.len() <= 4 {
        ui.horizontal_wrapped(|ui| names.for_each(|name| button(ui, name)));
        return;
    }
    egui::ScrollArea::vertical().id_salt(control).max_height(84.0).show(ui, |ui| {
        ui.vertical(|ui| names.for_each(|name| button(ui, name)));
    });
}

fn time(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, show: &Show) {
    let length = show.plan(settings).seconds(&show.subject).unwrap_or(10.0);
    ui.horizontal(|ui| {
        let label = if settings.playing { "pause" } else { "play" };
        if controls.note("play", ui.button(label)).on_hover_text("Space").clicked() {
            settings.playing = !settings.playing;
        }
        let mut seconds = settings.seconds.rem_euclid(f64::from(length)) as f32;
        let slider = egui::Slider::new(&mut seconds, 0.0..=length).fixed_decimals(2).suffix(" s");
        let response = controls.note("time", ui.add(slider));
        // Time that passes changes the slider as well.
        if response.dragged() || (response.changed() && response.has_focus()) {
            (settings.seconds, settings.playing) = (f64::from(seconds), false);
        }
    });
    let slider = egui::Slider::new(&mut settings.speed, 0.0..=3.0).fixed_decimals(2).text("speed");
    controls.note("speed", ui.add(slider));
}
