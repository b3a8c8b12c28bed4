//! Where each control is, for tests that click it.

use eframe::egui::{Button, Rect, Response, Ui};

/// Where a control was drawn in the last frame, in points.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// What it sets, and to what: `method:sinew`, `weights:3`, `show:bones`.
    pub name: String,
    /// Where.
    pub rect: Rect,
    /// Whether it can be used.
    pub enabled: bool,
}

/// All controls of a frame.
#[derive(Clone, Debug, Default)]
pub struct Controls {
    all: Vec<Control>,
    told: Option<String>,
}

impl Controls {
    /// Begins a frame.
    pub fn clear(&mut self) {
        self.all.clear();
        self.told = None;
    }

    /// Those of the frame.
    #[must_use]
    pub fn all(&self) -> &[Control] {
        &self.all
    }

    /// Why the control under the pointer is greyed.
    #[must_use]
    pub fn told(&self) -> Option<&str> {
        self.told.as_deref()
    }

    /// Takes a control, and gives it back.
    pub fn note(&mut self, name: impl Into<String>, response: Response) -> Response {
        let (rect, enabled) = (response.interact_rect.intersect(response.rect), response.enabled());
        if rect.is_positive() {
            self.all.push(Control { name: name.into(), rect, enabled });
        }
        response
    }

    /// One of several buttons of which one is down. Greyed where there is a reason, which is told.
    pub fn choice(
        &mut self,
        ui: &mut Ui,
        (name, label): (String, &str),
        chosen: bool,
        (refused, about): (Option<&str>, &str),
    ) -> bool {
        let button = Button::selectable(chosen, label);
        let response = ui.add_enabled(refused.is_none(), button);
        let response = match refused {
            Some(reason) => {
                if response.contains_pointer() {
                    self.told = Some(reason.to_owned());
                }
                response.on_disabled_hover_text(reason)
            }
            None if about.is_empty() => response,
            None => response.on_hover_text(about),
        };
        self.note(name, response).clicked()
    }

    /// A box to tick.
    pub fn tick(&mut self, ui: &mut Ui, name: &str, label: &str, on: &mut bool) -> Response {
        let response = ui.checkbox(on, label);
        self.note(name, response)
    }
}
