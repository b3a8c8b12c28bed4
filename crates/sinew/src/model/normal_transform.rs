//! The cheapest correct transform of a model's normals.

use sinew_kernels::NormalTransform;

use super::Model;
use crate::animation::KeyData;

/// Scale factors that differ by less, relative to the first, count as equal: files round them.
const UNIFORM: f32 = 1e-4;

impl Model {
    /// How to transform normals: by cofactors if any joint has a non-uniform scale, at rest or in a
    /// clip; otherwise by the blended matrix, which is faster. Reads all scale tracks, so call it
    /// once per model.
    ///
    /// ```
    /// use sinew::model::ModelSource;
    /// use sinew::skinning::NormalTransform;
    /// use sinew::{Bone, Model, Skeleton, Transform};
    ///
    /// let squashed = Transform { scale: [1.0, 0.5, 1.0], ..Transform::IDENTITY };
    /// let skeleton = Skeleton::new(&[Bone::new("root", None, squashed)])?;
    /// let model = Model::new(ModelSource::new(skeleton))?;
    /// assert_eq!(model.normal_transform(), NormalTransform::Cofactor);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    #[must_use]
    pub fn normal_transform(&self) -> NormalTransform {
        if self.has_nonuniform_scale() { NormalTransform::Cofactor } else { NormalTransform::BlendedMatrix }
    }

    /// Whether any joint has different scale factors along its axes, at rest or in a clip.
    #[must_use]
    pub fn has_nonuniform_scale(&self) -> bool {
        let nonuniform = |[x, y, z]: [f32; 3]| (x - y).abs().max((x - z).abs()) > UNIFORM * x.abs();
        let mut tracks = self.clips().iter().flat_map(|clip| clip.tracks());
        self.skeleton().rest().transforms().any(|transform| nonuniform(transform.scale))
            || tracks.any(|track| match track.keys {
                KeyData::Scales { values, .. } => values.into_iter().any(nonuniform),
                _ => false,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::{Clip, Interpolation, Keys, Track};
    use crate::model::ModelSource;
    use crate::skeleton::{Bone, JointId, Skeleton, Transform};

    fn model(rest: [f32; 3], keys: [[f32; 3]; 2]) -> Model {
        let bone = Bone::new("", None, Transform { scale: rest, ..Transform::IDENTITY });
        let skeleton = Skeleton::new(&[bone]).expect("a root");
        let keys = Keys::Scales { joint: JointId::new(0), values: &keys };
        let track = Track { times: &[0.0, 1.0], keys, interpolation: Interpolation::Linear };
        let clips = vec![Clip::new("", &skeleton, &[track]).expect("a valid clip")];
        Model::new(ModelSource { clips, ..ModelSource::new(skeleton) }).expect("a valid model")
    }

    #[test]
    fn uniform_scale_needs_no_cofactors() {
        let uniform = model([2.0; 3], [[1.0; 3], [3.0, 3.0001, 3.0]]);
        assert_eq!(uniform.normal_transform(), NormalTransform::BlendedMatrix);
    }

    #[test]
    fn nonuniform_scale_at_rest_or_in_a_clip_needs_cofactors() {
        for model in [model([1.0, 1.0, 1.5], [[1.0; 3]; 2]), model([1.0; 3], [[1.0; 3], [1.0, 1.1, 1.0]])] {
            assert_eq!(model.normal_transform(), NormalTransform::Cofactor);
        }
    }
}
