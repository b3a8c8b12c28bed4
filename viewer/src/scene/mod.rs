//! What moves: Davies' cylinders or any model, many copies of it, and where they stand.

mod animate;
mod colours;
mod grid;
mod load;
mod plan;
mod stage;
mod subject;
mod textures;

pub use animate::{Animated, Poser};
pub use colours::{Painting, paint, surfaces, unshaded};
pub use grid::Grid;
pub use load::{File, load, load_bytes};
pub use plan::Plan;
pub use stage::{floor, frame_view, reach, spacing, towards_key};
pub use subject::Subject;
