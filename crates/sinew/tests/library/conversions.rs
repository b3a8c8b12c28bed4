//! Conversions from and to types of other libraries, each behind its feature.

/// The tests of one version of glam.
#[cfg(any(feature = "glam", feature = "glam032"))]
macro_rules! test_glam {
    ($module:ident, $glam:ident) => {
        mod $module {
            use sinew::skeleton::{Joint, Scale};
            use sinew::{Matrix, Transform};
            use $glam::{Affine3A, Mat4, Quat, Vec3, Vec4};

            fn parts() -> (Vec3, Quat, Vec3) {
                (Vec3::new(1.0, 2.0, -3.0), Quat::from_rotation_y(0.7), Vec3::new(4.0, 5.0, 6.0))
            }

            #[test]
            fn a_glam_matrix_transforms_points_like_its_conversion() {
                let (scale, rotation, translation) = parts();
                let affine = Affine3A::from_scale_rotation_translation(scale, rotation, translation);
                let matrix = Matrix::from(affine);
                let (found, expected) = (matrix.transform_point([1.0, 2.0, 3.0]), Vec3::new(1.0, 2.0, 3.0));
                assert!((Vec3::from_array(found) - affine.transform_point3(expected)).length() < 1e-5);
                assert_eq!(Affine3A::from(matrix), affine);
                assert_eq!(Mat4::from(matrix), Mat4::from(affine));
                assert_eq!(Matrix::from(Mat4::from(affine)), matrix);
            }

            #[test]
            fn the_last_row_of_a_glam_matrix_is_dropped() {
                let mut matrix = Mat4::IDENTITY;
                matrix.w_axis = Vec4::new(1.0, 2.0, 3.0, 9.0);
                matrix.x_axis.w = 8.0;
                assert_eq!(Matrix::from(matrix).translation(), [1.0, 2.0, 3.0]);
                assert_eq!(Mat4::from(Matrix::from(matrix)).row(3), Vec4::W);
            }

            #[test]
            fn glam_scale_rotation_and_translation_give_the_matrix_that_glam_gives() {
                let (scale, rotation, translation) = parts();
                let transform = Transform::from(parts());
                let expected = Affine3A::from_scale_rotation_translation(scale, rotation, translation);
                assert!(Affine3A::from(transform.matrix()).abs_diff_eq(expected, 1e-6));
                assert_eq!(<(Vec3, Quat, Vec3)>::from(transform), parts());
            }

            #[test]
            fn joints_and_scales_convert_to_glam_and_back() {
                let (scale, rotation, translation) = parts();
                let joint = Joint::from((rotation, translation));
                assert_eq!(joint, Joint::new(rotation.to_array(), translation.to_array()));
                assert_eq!(<(Quat, Vec3)>::from(joint), (rotation, translation));
                assert_eq!(Vec3::from(Scale::from(scale)), scale);
            }
        }
    };
}

#[cfg(feature = "glam")]
test_glam!(glam_types, glam);
#[cfg(feature = "glam032")]
test_glam!(glam032_types, glam032);

#[cfg(feature = "mint")]
mod mint_types {
    use mint::{Quaternion, RowMatrix3x4, Vector3};
    use sinew::skeleton::{Joint, Scale};
    use sinew::{Matrix, Transform};

    type Parts = (Vector3<f32>, Quaternion<f32>, Vector3<f32>);

    fn parts() -> Parts {
        let rotation = Quaternion { v: Vector3 { x: 0.0, y: 0.6, z: 0.0 }, s: 0.8 };
        (Vector3 { x: 1.0, y: 2.0, z: 3.0 }, rotation, Vector3 { x: 4.0, y: 5.0, z: 6.0 })
    }

    #[test]
    fn matrices_convert_to_mint_and_back_row_by_row() {
        let matrix = Matrix { rows: [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]] };
        let there = RowMatrix3x4::from(matrix);
        assert_eq!((there.x.w, there.y.x, there.z.z), (4.0, 5.0, 11.0));
        assert_eq!(Matrix::from(there), matrix);
    }

    #[test]
    fn transforms_joints_and_scales_convert_to_mint_and_back() {
        let (scale, rotation, translation) = parts();
        let transform = Transform::from(parts());
        assert_eq!(transform.rotation, [0.0, 0.6, 0.0, 0.8]);
        assert_eq!((transform.scale, transform.translation), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]));
        assert_eq!(Parts::from(transform), parts());
        let joint = Joint::from((rotation, translation));
        assert_eq!(<(Quaternion<f32>, Vector3<f32>)>::from(joint), (rotation, translation));
        assert_eq!(Vector3::from(Scale::from(scale)), scale);
    }
}

#[cfg(feature = "bytemuck")]
mod bytes {
    use sinew::Matrix;
    use sinew::skeleton::{Joint, Scale};

    #[test]
    fn joints_scales_and_matrices_cast_to_their_documented_bytes() {
        let matrices = [Matrix::IDENTITY; 2];
        let elements: &[f32] = bytemuck::cast_slice(&matrices);
        assert_eq!(elements.len(), 24);
        assert_eq!(elements[12..16], [1.0, 0.0, 0.0, 0.0]);
        let joint = Joint::new([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0]);
        assert_eq!(bytemuck::cast::<_, [f32; 8]>(joint), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.0]);
        assert_eq!(bytemuck::cast::<_, [f32; 4]>(Scale::new([1.0, 2.0, 3.0])), [1.0, 2.0, 3.0, 0.0]);
    }
}
