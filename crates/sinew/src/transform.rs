//! A local transform as people write it.

use sinew_kernels::{Joint, Matrix, Scale};

use crate::{Error, JointName};

/// Where a joint stands in its parent's space: first scale, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Transform {
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f32; 4],
    /// Metres along the parent's axes.
    pub translation: [f32; 3],
    /// Factors along the joint's own axes; a mirror is a negative factor.
    pub scale: [f32; 3],
}

impl Transform {
    /// The transform that changes nothing.
    pub const IDENTITY: Self =
        Self { rotation: [0.0, 0.0, 0.0, 1.0], translation: [0.0; 3], scale: [1.0; 3] };

    /// The same as a matrix.
    #[must_use]
    pub fn matrix(&self) -> Matrix {
        Matrix::from_joint(&self.joint(), Scale::new(self.scale))
    }

    pub(crate) fn new(joint: &Joint, scale: Scale) -> Self {
        Self { rotation: joint.rotation, translation: joint.translation, scale: scale.factors }
    }

    pub(crate) fn joint(&self) -> Joint {
        Joint::new(self.rotation, self.translation)
    }

    /// The same with a rotation of length one, for what comes from outside.
    pub(crate) fn checked(self, joint: usize, name: &str) -> Result<Self, Error> {
        self.checked_as(joint, name, Rotations::UnitLength)
    }

    /// The same with a rotation as it is to be kept.
    pub(crate) fn checked_as(self, joint: usize, name: &str, rotations: Rotations) -> Result<Self, Error> {
        let mut elements = self.rotation.iter().chain(&self.translation).chain(&self.scale);
        if !elements.all(|element| element.is_finite()) {
            return Err(Error::NotFinite { joint: JointName::new(joint, name), found: self });
        }
        match rotations.kept(self.rotation) {
            Some(rotation) => Ok(Self { rotation, ..self }),
            None => Err(Error::ZeroRotation { joint: JointName::new(joint, name) }),
        }
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// What becomes of rotations that are not quite of length one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Rotations {
    /// They are brought to it.
    #[default]
    UnitLength,
    /// Those that rounding may have made so, within 1/64 of length one, stay as they are stored, to a few digits or to eight
    /// bits; others are brought to it. What such a rotation does to a vector is what its matrix does: it also scales
    /// a little, as in every program that takes the numbers of the file.
    AsStored,
}

impl Rotations {
    /// A rotation as it is kept; `None` for length zero. Only exact operations of `f64`: the same bits everywhere.
    pub(crate) fn kept(self, rotation: [f32; 4]) -> Option<[f32; 4]> {
        if self == Self::AsStored && (0.9689..1.0315).contains(&squared_length(rotation)) {
            return Some(rotation);
        }
        normalised(rotation)
    }
}

/// Whether a rotation has length one, but for rounding.
pub(crate) fn is_unit(rotation: [f32; 4]) -> bool {
    (squared_length(rotation) - 1.0).abs() <= ROUNDING
}

fn squared_length(rotation: [f32; 4]) -> f64 {
    let [x, y, z, w] = rotation.map(f64::from);
    x * x + y * y + z * z + w * w
}

/// How far a squared length may be from one and count as one: twice what rounding to `f32` can cause.
///
/// What is normalised already keeps its bits, so that writing and reading a pose changes nothing.
const ROUNDING: f64 = 1.0 / (1 << 22) as f64;

/// The rotation at length one, `None` for zero. Only exact operations of `f64`: the same bits everywhere.
fn normalised(rotation: [f32; 4]) -> Option<[f32; 4]> {
    if is_unit(rotation) {
        return Some(rotation);
    }
    let length = squared_length(rotation).sqrt();
    (length > 0.0).then(|| rotation.map(|element| (f64::from(element) / length) as f32))
}

/// In the order of [`glam::Affine3A::to_scale_rotation_translation`].
#[cfg(feature = "glam")]
impl From<(glam::Vec3, glam::Quat, glam::Vec3)> for Transform {
    fn from((scale, rotation, translation): (glam::Vec3, glam::Quat, glam::Vec3)) -> Self {
        Self { rotation: rotation.to_array(), translation: translation.to_array(), scale: scale.to_array() }
    }
}

/// In the order of [`glam::Affine3A::from_scale_rotation_translation`].
#[cfg(feature = "glam")]
impl From<Transform> for (glam::Vec3, glam::Quat, glam::Vec3) {
    fn from(transform: Transform) -> Self {
        (
            glam::Vec3::from_array(transform.scale),
            glam::Quat::from_array(transform.rotation),
            glam::Vec3::from_array(transform.translation),
        )
    }
}

/// Scale, rotation, translation.
#[cfg(feature = "mint")]
impl From<(mint::Vector3<f32>, mint::Quaternion<f32>, mint::Vector3<f32>)> for Transform {
    fn from(parts: (mint::Vector3<f32>, mint::Quaternion<f32>, mint::Vector3<f32>)) -> Self {
        let (scale, rotation, translation) = parts;
        Self { rotation: rotation.into(), translation: translation.into(), scale: scale.into() }
    }
}

/// Scale, rotation, translation.
#[cfg(feature = "mint")]
impl From<Transform> for (mint::Vector3<f32>, mint::Quaternion<f32>, mint::Vector3<f32>) {
    fn from(transform: Transform) -> Self {
        (transform.scale.into(), transform.rotation.into(), transform.translation.into())
    }
}

#[cfg(test)]
mod tests {
    use super::normalised;

    #[test]
    fn normalising_twice_is_normalising_once() {
        let mut state = 1_u32;
        let mut element = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 20) as f32 - 8.0
        };
        for _ in 0..100_000 {
            let once = normalised([element(), element(), element(), element()]).unwrap();
            assert_eq!(normalised(once), Some(once));
        }
    }

    #[test]
    fn the_longest_and_the_shortest_rotations_come_to_length_one() {
        for length in [f32::MAX, f32::from_bits(1)] {
            assert_eq!(normalised([0.0, length, 0.0, 0.0]), Some([0.0, 1.0, 0.0, 0.0]));
        }
        assert_eq!(normalised([0.0; 4]), None);
    }
}
