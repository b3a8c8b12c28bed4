//! Inverse kinematics: aim and two-bone IK.

mod aim;
mod bend;
mod parent_space;
mod two_bone;

pub use aim::{Aim, AimUp, Aimed};
pub use two_bone::{Pole, Reach, TwoBone};
