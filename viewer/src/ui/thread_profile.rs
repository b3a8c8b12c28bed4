//! Davies' Figures 19 and 20: how long each thread works in a frame, and how long it waits.

use eframe::egui::{CornerRadius, Rect, RichText, Sense, Ui, pos2, vec2};

use super::control_panel::heading;
use super::plot::STAGES;
use crate::session::Session;
use crate::settings::{Settings, Threads};

const HEIGHT: f32 = 12.0;

/// A bar for each thread: animating, skinning, and the rest of the frame waiting.
pub(super) fn thread_profile(ui: &mut Ui, settings: &Settings, session: &Session) {
    heading(ui, "Figures 19 and 20: each thread in a frame");
    for (index, shares) in session.thread_shares().iter().enumerate() {
        ui.label(RichText::new(format!(
            "thread {}: animates {:.0} %, skins {:.0} %, waits {:.0} %",
            index + 1,
            100.0 * shares.animate,
            100.0 * shares.skin,
            100.0 * shares.wait()
        )));
        let (bar, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
        ui.painter().rect_filled(bar, CornerRadius::same(2), ui.visuals().extreme_bg_color);
        let mut left = bar.left();
        for (share, (_, color, _)) in [shares.animate, shares.skin].into_iter().zip(STAGES) {
            let right = (left + share as f32 * bar.width()).min(bar.right());
            let part = Rect::from_min_max(pos2(left, bar.top()), pos2(right, bar.bottom()));
            ui.painter().rect_filled(part, CornerRadius::ZERO, color);
            left = right;
        }
    }
    if settings.threads == Threads::Off {
        ui.label(RichText::new("Choose the threads data or task to see them wait.").weak().small());
    }
}
