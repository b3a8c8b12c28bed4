//! Layouts: the vertices of a mesh in the order, and with the data, that kernels take.

mod arrange;
mod build;
mod costs;
mod each;
mod fold;
mod groups;
mod levels;
mod place;
mod report;
mod sets;
mod skin;

pub(crate) use build::Layout;
pub(crate) use each::Held;
pub(crate) use groups::Groups;
pub use report::{Grouping, LayoutReport, LevelReport};
pub(crate) use skin::{Duals, Frame, part};

#[cfg(test)]
mod listed;
#[cfg(test)]
mod tests;
