//! A local transform: rotation, translation and scale.

use sinew_kernels::{Joint, MatricesToScaledJoints, Matrix, Scale};

use crate::math::flush;
use crate::runtime::Runtime;
use crate::skeleton::{JointName, SkeletonError};

/// A joint's transform in its parent's space. Scale is applied first, then rotation, then
/// translation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Transform {
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f32; 4],
    /// Meters along the parent's axes.
    pub translation: [f32; 3],
    /// Factors along the joint's own axes. A negative factor mirrors.
    pub scale: [f32; 3],
}

impl Transform {
    /// The identity transform.
    pub const IDENTITY: Self =
        Self { rotation: [0.0, 0.0, 0.0, 1.0], translation: [0.0; 3], scale: [1.0; 3] };

    /// The equivalent matrix.
    #[must_use]
    pub fn matrix(&self) -> Matrix {
        Matrix::from_joint(&self.joint(), Scale::new(self.scale))
    }

    pub(crate) fn new(joint: &Joint, scale: Scale) -> Self {
        Self { rotation: joint.rotation, translation: joint.translation, scale: scale.factors }
    }

    /// Rotation, translation and scale of a matrix. Shear is dropped.
    pub(crate) fn decompose(matrix: &Matrix, runtime: Runtime) -> Self {
        let (mut joint, mut scale) = ([Joint::IDENTITY], [Scale::ONE]);
        runtime.kernels().matrices_to_scaled_joints(MatricesToScaledJoints {
            matrices: &[*matrix],
            joints: &mut joint,
            scales: &mut scale,
            residuals: &mut [0.0],
        });
        Self::new(&joint[0], scale[0])
    }

    pub(crate) fn joint(&self) -> Joint {
        Joint::new(self.rotation, self.translation)
    }

    /// Checks that all numbers are finite and normalizes the rotation.
    pub(crate) fn validate(self, joint: usize, name: &str) -> Result<Self, SkeletonError> {
        self.validate_with(joint, name, RotationPolicy::UnitLength)
    }

    /// Checks that all numbers are finite and applies a policy to the rotation.
    pub(crate) fn validate_with(
        self,
        joint: usize,
        name: &str,
        policy: RotationPolicy,
    ) -> Result<Self, SkeletonError> {
        let mut elements = self.rotation.iter().chain(&self.translation).chain(&self.scale);
        if !elements.all(|element| element.is_finite()) {
            return Err(SkeletonError::NotFinite { joint: JointName::new(joint, name), found: self });
        }
        match policy.apply(self.rotation) {
            Some(rotation) => Ok(Self { rotation, ..self }),
            None => Err(SkeletonError::ZeroRotation { joint: JointName::new(joint, name) }),
        }
    }

    /// Flushes insignificant numbers to zero. The rotation must have unit length.
    pub(crate) fn flush_small(self) -> Self {
        Self {
            rotation: flush::rotation(self.rotation),
            translation: flush::vector(self.translation),
            scale: flush::vector(self.scale),
        }
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// How rotations that are not exactly unit length are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RotationPolicy {
    /// Every rotation is normalized.
    #[default]
    UnitLength,
    /// Rotations whose length is within 1/64 of one are stored unchanged; others are normalized.
    /// Files round rotations to a few digits or to eight bits. Such a rotation also scales
    /// slightly, as its matrix does, which matches programs that use the numbers of the file
    /// directly.
    AsStored,
}

impl RotationPolicy {
    /// The rotation to store, or `None` for length zero. Uses exactly rounded `f64` operations
    /// only: the same bits on every machine.
    pub(crate) fn apply(self, rotation: [f32; 4]) -> Option<[f32; 4]> {
        if self == Self::AsStored && (0.9689..1.0315).contains(&squared_length(rotation)) {
            return Some(rotation);
        }
        normalize(rotation)
    }
}

/// Whether a rotation has unit length up to rounding.
pub(crate) fn is_normalized(rotation: [f32; 4]) -> bool {
    (squared_length(rotation) - 1.0).abs() <= ROUNDING
}

fn squared_length(rotation: [f32; 4]) -> f64 {
    let [x, y, z, w] = rotation.map(f64::from);
    x * x + y * y + z * z + w * w
}

/// The largest difference of a squared length from one that counts as rounding: twice what rounding
/// to `f32` can cause.
///
/// Normalized rotations keep their bits, so that writing and reading a pose changes nothing.
const ROUNDING: f64 = 1.0 / (1 << 22) as f64;

/// Normalizes, or returns `None` for length zero. Uses exactly rounded `f64` operations only: the
/// same bits on every machine.
fn normalize(rotation: [f32; 4]) -> Option<[f32; 4]> {
    if is_normalized(rotation) {
        return Some(rotation);
    }
    let length = squared_length(rotation).sqrt();
    (length > 0.0).then(|| rotation.map(|element| (f64::from(element) / length) as f32))
}

/// Conversions for one version of glam.
#[cfg(any(feature = "glam", feature = "glam032"))]
macro_rules! convert_glam {
    ($glam:ident) => {
        /// In the order of `Affine3A::to_scale_rotation_translation`.
        impl From<($glam::Vec3, $glam::Quat, $glam::Vec3)> for Transform {
            fn from((scale, rotation, translation): ($glam::Vec3, $glam::Quat, $glam::Vec3)) -> Self {
                Self {
                    rotation: rotation.to_array(),
                    translation: translation.to_array(),
                    scale: scale.to_array(),
                }
            }
        }

        /// In the order of `Affine3A::from_scale_rotation_translation`.
        impl From<Transform> for ($glam::Vec3, $glam::Quat, $glam::Vec3) {
            fn from(transform: Transform) -> Self {
                (
                    $glam::Vec3::from_array(transform.scale),
                    $glam::Quat::from_array(transform.rotation),
                    $glam::Vec3::from_array(transform.translation),
                )
            }
        }
    };
}

#[cfg(feature = "glam")]
convert_glam!(glam);
#[cfg(feature = "glam032")]
convert_glam!(glam032);

/// In the order scale, rotation, translation.
#[cfg(feature = "mint")]
impl From<(mint::Vector3<f32>, mint::Quaternion<f32>, mint::Vector3<f32>)> for Transform {
    fn from(parts: (mint::Vector3<f32>, mint::Quaternion<f32>, mint::Vector3<f32>)) -> Self {
        let (scale, rotation, translation) = parts;
        Self { rotation: rotation.into(), translation: translation.into(), scale: scale.into() }
    }
}

/// In the order scale, rotation, translation.
#[cfg(feature = "mint")]
impl From<Transform> for (mint::Vector3<f32>, mint::Quaternion<f32>, mint::Vector3<f32>) {
    fn from(transform: Transform) -> Self {
        (transform.scale.into(), transform.rotation.into(), transform.translation.into())
    }
}

#[cfg(test)]
mod tests {
    use super::normalize;

    #[test]
    fn normalizing_twice_equals_normalizing_once() {
        let mut state = 1_u32;
        let mut element = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 20) as f32 - 8.0
        };
        for _ in 0..100_000 {
            let once = normalize([element(), element(), element(), element()]).unwrap();
            assert_eq!(normalize(once), Some(once));
        }
    }

    #[test]
    fn the_longest_and_the_shortest_rotations_are_normalized() {
        for length in [f32::MAX, f32::from_bits(1)] {
            assert_eq!(normalize([0.0, length, 0.0, 0.0]), Some([0.0, 1.0, 0.0, 0.0]));
        }
        assert_eq!(normalize([0.0; 4]), None);
    }
}
