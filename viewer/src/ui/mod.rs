//! The user interface: controls on the left, statistics on the right, labels and messages over the
//! scene.

mod control_panel;
mod controls;
mod help;
mod message;
mod motion;
mod plot;
mod scene_labels;
mod stats_panel;
mod style;
mod top_bar;
mod window_settings;

pub use control_panel::control_panel;
pub use controls::{Control, Controls};
pub use help::key_list;
pub use message::message;
pub use scene_labels::{hit_label, joint_names};
pub use stats_panel::stats_panel;
pub use style::style;
pub use top_bar::{OpenWindows, top_bar};
pub use window_settings::{WindowRequest, window_settings};
