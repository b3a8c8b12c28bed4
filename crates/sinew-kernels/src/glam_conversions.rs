//! Joints, scales and matrices from and to glam's types, for each version of glam that is a
//! feature.

use crate::{Joint, Matrix, Scale};

/// Conversions for one version of glam.
macro_rules! convert_glam {
    ($glam:ident) => {
        impl From<($glam::Quat, $glam::Vec3)> for Joint {
            fn from((rotation, translation): ($glam::Quat, $glam::Vec3)) -> Self {
                Self::new(rotation.to_array(), translation.to_array())
            }
        }

        impl From<Joint> for ($glam::Quat, $glam::Vec3) {
            fn from(joint: Joint) -> Self {
                ($glam::Quat::from_array(joint.rotation), $glam::Vec3::from_array(joint.translation))
            }
        }

        impl From<$glam::Vec3> for Scale {
            fn from(factors: $glam::Vec3) -> Self {
                Self::new(factors.to_array())
            }
        }

        impl From<Scale> for $glam::Vec3 {
            fn from(scale: Scale) -> Self {
                Self::from_array(scale.factors)
            }
        }

        impl From<$glam::Affine3A> for Matrix {
            fn from(affine: $glam::Affine3A) -> Self {
                $glam::Mat4::from(affine).into()
            }
        }

        impl From<Matrix> for $glam::Affine3A {
            fn from(matrix: Matrix) -> Self {
                Self::from_mat4(matrix.into())
            }
        }

        impl From<$glam::Mat4> for Matrix {
            /// The affine part: drops the last row.
            fn from(matrix: $glam::Mat4) -> Self {
                let [x, y, z, _] = matrix.transpose().to_cols_array_2d();
                Self { rows: [x, y, z] }
            }
        }

        impl From<Matrix> for $glam::Mat4 {
            /// With (0, 0, 0, 1) as the last row.
            fn from(matrix: Matrix) -> Self {
                let [x, y, z] = matrix.rows;
                Self::from_cols_array_2d(&[x, y, z, [0.0, 0.0, 0.0, 1.0]]).transpose()
            }
        }
    };
}

#[cfg(feature = "glam")]
convert_glam!(glam);
#[cfg(feature = "glam032")]
convert_glam!(glam032);
