//! Inverse kinematics: joints turned so that something is where it should be.

mod aim;
mod bend;
mod parent_space;
mod two_bone;

pub use aim::{Aim, AimUp, Aimed};
pub use two_bone::{Pole, Reach, TwoBone};
