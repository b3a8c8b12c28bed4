//! Conversions between model space and the space of the picture, which has +Y up.

use sinew::model::UpAxis;

/// Rotates a vector from model space to the picture's space, with +Y up and the model's front
/// along +Z.
pub(super) fn y_up_from_model(up: UpAxis, [x, y, z]: [f32; 3]) -> [f32; 3] {
    match up {
        UpAxis::Y => [x, y, z],
        // The front of an MD5 model is along +X.
        UpAxis::Z => [y, z, x],
    }
}

/// Rotates a vector from the picture's space to model space.
pub(super) fn model_from_y_up(up: UpAxis, [x, y, z]: [f32; 3]) -> [f32; 3] {
    match up {
        UpAxis::Y => [x, y, z],
        UpAxis::Z => [z, x, y],
    }
}
