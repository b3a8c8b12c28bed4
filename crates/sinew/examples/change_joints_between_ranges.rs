//! Local to model in ranges of joints, with changes in between: the hook of a crane stays upright
//! while the arms move.
//!
//! Run with `cargo run -p sinew --example change_joints_between_ranges`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use sinew::{Bone, Error, Pose, Skeleton, Transform};

fn main() -> Result<(), Error> {
    let skeleton = Skeleton::new(&[
        Bone::new("mast", None, Transform::IDENTITY),
        Bone::new("lower arm", Some(0), up(2.0)),
        Bone::new("upper arm", Some(1), up(3.0)),
        Bone::new("hook", Some(2), up(3.0)),
        Bone::new("load", Some(3), up(-1.0)),
    ])?;
    let (lower, upper) = (skeleton.joint("lower arm")?, skeleton.joint("upper arm")?);
    let (hook, load) = (skeleton.joint("hook")?, skeleton.joint("load")?);
    let mut pose = Pose::new(&skeleton);
    let mut model_from_joint = skeleton.identity_matrices();

    for step in 1..=4 {
        let angle = 0.2 * step as f32;
        pose.set_rotation(lower, rotation_z(-angle));
        pose.set_rotation(upper, rotation_z(-angle));

        // All joints up to the hook, which now leans with the arms.
        skeleton.to_model(&pose, ..=hook, &mut model_from_joint)?;
        // Keep the hook's position and reset its rotation, in model space.
        let position @ [x, y, z] = model_from_joint[hook.index()].translation();
        model_from_joint[hook.index()] = Transform { translation: position, ..Transform::IDENTITY }.matrix();
        // The load follows the changed hook.
        skeleton.to_model(&pose, load.., &mut model_from_joint)?;

        let load_position = model_from_joint[load.index()].translation();
        println!(
            "arms at {angle:.1}: hook at {x:.2} {y:.2}, load at {:.2} {:.2}",
            load_position[0], load_position[1]
        );
        assert_eq!(load_position, [x, y - 1.0, z]);
    }

    // The inverse: from model matrices to local matrices and joints.
    skeleton.to_local(.., &mut model_from_joint)?;
    let shear = pose.set_from_local(.., &model_from_joint)?;
    assert!(shear < 1e-5);
    println!("the hook's joint now turns by {:.1}", 2.0 * pose.rotation(hook)[2].abs().asin());
    Ok(())
}

/// A translation along y.
fn up(meters: f32) -> Transform {
    Transform { translation: [0.0, meters, 0.0], ..Transform::IDENTITY }
}

/// A rotation about the z axis.
fn rotation_z(radians: f32) -> [f32; 4] {
    let (sine, cosine) = (0.5 * radians).sin_cos();
    [0.0, 0.0, sine, cosine]
}
