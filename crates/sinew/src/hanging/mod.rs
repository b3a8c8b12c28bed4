//! Checked influences: what layouts are made of.

mod adding;
mod checked;

pub(crate) use checked::{Hanging, Strongest};
