//! Conversion of a model's up axis to glTF's.

use sinew::Model;
use sinew::model::UpAxis;

/// Whether the exported file is converted to glTF's up axis, +Y.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxisConversion {
    /// The file has the up axis of the model.
    #[default]
    None,
    /// A model with +Z up gets a root node that rotates it to +Y up.
    ToYUp,
}

/// A rotation of a quarter turn about x, from +Z up to +Y up.
const Z_UP_TO_Y_UP: [f32; 4] = [-std::f32::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2];

impl UpAxisConversion {
    /// The rotation of the root node; `None` if the model needs none.
    pub(super) fn rotation(self, model: &Model) -> Option<[f32; 4]> {
        (self == Self::ToYUp && model.up_axis() == UpAxis::Z).then_some(Z_UP_TO_Y_UP)
    }
}
