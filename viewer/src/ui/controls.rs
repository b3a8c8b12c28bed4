//! The rectangles of all controls, for tests that click them.

use eframe::egui::{Button, Rect, Response, Ui};

/// A control of the last frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// What it sets, and to which value: `method:sinew`, `weights:3`, `show:bones`.
    pub name: String,
    /// Its rectangle in points.
    pub rect: Rect,
    /// Whether it is enabled.
    pub enabled: bool,
}

/// All controls of a frame.
#[derive(Clone, Debug, Default)]
pub struct Controls {
    all: Vec<Control>,
    disabled_reason: Option<String>,
}

impl Controls {
    /// Starts a new frame.
    pub fn clear(&mut self) {
        self.all.clear();
        self.disabled_reason = None;
    }

    /// The controls of the frame.
    #[must_use]
    pub fn all(&self) -> &[Control] {
        &self.all
    }

    /// Why the control under the pointer is disabled.
    #[must_use]
    pub fn disabled_reason(&self) -> Option<&str> {
        self.disabled_reason.as_deref()
    }

    /// Records a control and returns its response.
    pub fn record(&mut self, name: impl Into<String>, response: Response) -> Response {
        let (rect, enabled) = (response.interact_rect.intersect(response.rect), response.enabled());
        if rect.is_positive() {
            self.all.push(Control { name: name.into(), rect, enabled });
        }
        response
    }

    /// One of several buttons of which one is selected. Disabled if there is a reason, which
    /// hovering shows.
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
                    self.disabled_reason = Some(reason.to_owned());
                }
                response.on_disabled_hover_text(reason)
            }
            None if about.is_empty() => response,
            None => response.on_hover_text(about),
        };
        self.record(name, response).clicked()
    }

    /// A check box.
    pub fn checkbox(&mut self, ui: &mut Ui, name: &str, label: &str, on: &mut bool) -> Response {
        let response = ui.checkbox(on, label);
        self.record(name, response)
    }
}
