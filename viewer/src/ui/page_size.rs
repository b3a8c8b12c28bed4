//! Whether the page has room for panels beside the scene, as a desk has, or not, as a phone.

use eframe::egui::{Context, Vec2};

use super::style::style;

/// Narrower pages show panels below the scene, one at a time.
const NARROW_WIDTH: f32 = 700.0;

/// How much room the page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageSize {
    /// Panels stand beside the scene.
    Wide,
    /// A panel covers the lower half; controls are large enough for fingers.
    Narrow,
}

impl PageSize {
    /// The size of the page of this frame.
    #[must_use]
    pub fn new(context: &Context) -> Self {
        if context.viewport_rect().width() < NARROW_WIDTH { Self::Narrow } else { Self::Wide }
    }

    /// Sets fonts and spacing for it.
    pub fn set_style(self, context: &Context) {
        style(context);
        if self == Self::Narrow {
            context.all_styles_mut(|style| {
                style.text_styles.values_mut().for_each(|font| font.size *= 1.15);
                style.spacing.item_spacing = Vec2::new(7.0, 6.0);
                style.spacing.button_padding = Vec2::new(9.0, 5.0);
                style.spacing.interact_size.y = 30.0;
                style.spacing.icon_width = 20.0;
                style.spacing.slider_width = 170.0;
            });
        }
    }
}
