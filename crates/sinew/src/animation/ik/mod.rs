//! Inverse kinematics: aim and two-bone IK.

mod aim;
mod bend;
mod chain;
mod parent_space;
mod two_bone;

pub use aim::{Aim, AimUp, Aimed};
pub use chain::{ChainIk, ChainReach};
pub(crate) use parent_space::parent_rotation;
pub use two_bone::{Pole, Reach, TwoBone};
