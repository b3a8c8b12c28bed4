//! The motion controls: what is played, and when.

use eframe::egui::{self, Ui};

use super::control_panel::heading;
use super::controls::Controls;
use super::name_list::name_list;
use crate::session::Session;
use crate::settings::{MAX_OCTAVES, Motion, Settings};

/// Motions of the cylinders or clips of a model, and the time controls.
pub(super) fn motion_controls(
    ui: &mut Ui,
    controls: &mut Controls,
    settings: &mut Settings,
    session: &Session,
) {
    heading(ui, "Motion");
    if session.subject.is_cylinder {
        cylinder_motions(ui, controls, settings);
    } else {
        clip_lists(ui, controls, settings, session);
    }
    time_controls(ui, controls, settings, session);
}

fn cylinder_motions(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings) {
    ui.horizontal(|ui| {
        for (motion, label) in [(Motion::Sine, "sine"), (Motion::Noise, "Perlin noise")] {
            let name = format!("motion:{}", motion.name());
            if controls.choice(ui, (name, label), settings.motion == motion, (None, "")) {
                settings.motion = motion;
            }
        }
    });
    let slider = egui::Slider::new(&mut settings.octaves, 1..=MAX_OCTAVES).text("octaves");
    let response = ui.add_enabled(settings.motion == Motion::Noise, slider);
    controls.record("octaves", response.on_disabled_hover_text("the sine has no octaves"));
}

fn clip_lists(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, session: &Session) {
    let clips = session.subject.model.clips();
    if clips.is_empty() {
        ui.weak("This model has no clips and stays in its rest pose.");
        return;
    }
    let names: Vec<&str> = clips.iter().map(|clip| clip.name()).collect();
    for (label, control, chosen) in
        [("Clip", "clip", &mut settings.clip), ("Blend with", "second", &mut settings.second)]
    {
        name_list(ui, controls, (label, control), &names, chosen);
    }
    let slider = egui::Slider::new(&mut settings.blend, 0.0..=1.0).text("blend");
    let response = ui.add_enabled(settings.second.is_some(), slider);
    controls.record("blend", response.on_disabled_hover_text("choose a second clip first"));
}

fn time_controls(ui: &mut Ui, controls: &mut Controls, settings: &mut Settings, session: &Session) {
    let length = session.animation_source(settings).seconds(&session.subject).unwrap_or(10.0);
    ui.horizontal_wrapped(|ui| {
        let label = if settings.playing { "pause" } else { "play" };
        if controls.record("play", ui.button(label)).on_hover_text("Space").clicked() {
            settings.playing = !settings.playing;
        }
        let mut seconds = settings.seconds.rem_euclid(f64::from(length)) as f32;
        let slider = egui::Slider::new(&mut seconds, 0.0..=length).fixed_decimals(2).suffix(" s");
        let response = controls.record("time", ui.add(slider));
        // While the animation plays, the slider changes by itself.
        if response.dragged() || (response.changed() && response.has_focus()) {
            (settings.seconds, settings.playing) = (f64::from(seconds), false);
        }
    });
    let slider = egui::Slider::new(&mut settings.speed, 0.0..=3.0).fixed_decimals(2).text("speed");
    controls.record("speed", ui.add(slider));
}
