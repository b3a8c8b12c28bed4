//! What a user sees around the scene: controls on the left, figures on the right, and what lies over it.

mod controls;
mod figures;
mod help;
mod left;
mod message;
mod motion;
mod names;
mod plot;
mod style;
mod top;
mod window;

pub use controls::{Control, Controls};
pub use figures::figures;
pub use help::help;
pub use left::left;
pub use message::message;
pub use names::{hit, names};
pub use style::style;
pub use top::{Open, top};
pub use window::{Ask, window};
