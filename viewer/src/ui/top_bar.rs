//! The bar at the top: what is shown, and buttons that open panels and windows.

use eframe::egui::{Button, Label, RichText, Ui};

use super::controls::Controls;
use super::page_size::PageSize;
use crate::session::Session;
use crate::settings::Settings;

/// Which panels and windows are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenWindows {
    /// The panel of controls.
    pub controls: bool,
    /// The panel of timings.
    pub times: bool,
    /// The window settings.
    pub window: bool,
    /// The list of keys.
    pub help: bool,
}

impl OpenWindows {
    /// The panels that a page of this size has room for.
    pub fn open_panels(&mut self, size: PageSize) {
        (self.controls, self.times) = (size == PageSize::Wide, size == PageSize::Wide);
    }
}

/// Shows the bar. Returns whether the view is to be reset.
pub fn top_bar(
    ui: &mut Ui,
    controls: &mut Controls,
    settings: &mut Settings,
    (open, size): (&mut OpenWindows, PageSize),
    session: &Session,
) -> bool {
    let mut reset = false;
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("sinew").heading().strong());
        panel_buttons(ui, controls, (&mut *open, size));
        reset = controls.record("reset-view", ui.button("Reset view")).clicked();
        let label = if settings.bright { "Dark" } else { "Bright" };
        if controls.record("bright", ui.button(label)).clicked() {
            settings.bright = !settings.bright;
        }
        for (name, label, open) in [("window", "Window", &mut open.window), ("help", "Keys", &mut open.help)]
        {
            if controls.record(name, ui.button(label)).clicked() {
                *open = !*open;
            }
        }
        if size == PageSize::Wide {
            ui.add(Label::new(describe(session)).wrap());
        }
    });
    if size == PageSize::Narrow {
        ui.add(Label::new(describe(session)).wrap());
    }
    reset
}

/// On a narrow page, one panel covers half of it, so that only one is open.
fn panel_buttons(ui: &mut Ui, controls: &mut Controls, (open, size): (&mut OpenWindows, PageSize)) {
    let before = *open;
    for (name, label, on) in
        [("panel:controls", "Controls", &mut open.controls), ("panel:times", "Times", &mut open.times)]
    {
        if controls.record(name, ui.add(Button::selectable(*on, label))).clicked() {
            *on = !*on;
        }
    }
    if size == PageSize::Narrow && open.controls && open.times {
        (open.controls, open.times) = (!before.controls, !before.times);
    }
}

fn describe(session: &Session) -> String {
    let (subject, copies) = (&session.subject, session.copies());
    let joints = subject.model.skeleton().len();
    format!(
        "{}: {copies} x {} vertices, {} triangles, {joints} joints",
        subject.name,
        subject.vertices(),
        subject.triangles()
    )
}
