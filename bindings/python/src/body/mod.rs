//! Body models: batched linear blend skinning and its gradient.

mod backward;
mod body_model;
mod forward;
mod influences;
mod kinematics;

pub(crate) use body_model::BodyModel;
pub(crate) use influences::{Influences, parent_indices};
