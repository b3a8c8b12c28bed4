//! The user interface: controls on the left, timings on the right, labels and messages over the
//! scene. On a narrow page the panels cover the lower half, one at a time.

mod control_panel;
mod controls;
mod help;
mod message;
mod motion;
mod name_list;
mod page_size;
mod plot;
mod scene_labels;
mod stats_panel;
mod style;
mod thread_profile;
mod top_bar;
mod window_settings;

pub use control_panel::control_panel;
pub use controls::{Control, Controls};
pub use help::key_list;
pub use message::message;
pub use page_size::PageSize;
pub use scene_labels::{hit_label, joint_names, scene_time};
pub use stats_panel::{stats_panel, time_label};
pub use top_bar::{OpenWindows, top_bar};
pub use window_settings::{WindowRequest, window_settings};
