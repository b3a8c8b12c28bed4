//! Ranges of joints, with changes in between: a crane whose hook hangs straight down, whatever the arms do.
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
        pose.set_rotation(lower, about_z(-angle));
        pose.set_rotation(upper, about_z(-angle));

        // Down to the hook, which now leans with the arms.
        skeleton.to_model(&pose, ..=hook, &mut model_from_joint)?;
        // It keeps its place and hangs straight; the matrix is in model space already.
        let place @ [x, y, z] = model_from_joint[hook.index()].translation();
        model_from_joint[hook.index()] = Transform { translation: place, ..Transform::IDENTITY }.matrix();
        // The load follows the hook as it is now.
        skeleton.to_model(&pose, load.., &mut model_from_joint)?;

        let below = model_from_joint[load.index()].translation();
        println!("arms at {angle:.1}: hook at {x:.2} {y:.2}, load at {:.2} {:.2}", below[0], below[1]);
        assert_eq!(below, [x, y - 1.0, z]);
    }

    // The way back: local matrices, and the joints that make them.
    skeleton.to_local(.., &mut model_from_joint)?;
    let shear = pose.set_from_local(.., &model_from_joint)?;
    assert!(shear < 1e-5);
    println!("the hook's joint now turns by {:.1}", 2.0 * pose.rotation(hook)[2].abs().asin());
    Ok(())
}

/// So many metres along y.
fn up(metres: f32) -> Transform {
    Transform { translation: [0.0, metres, 0.0], ..Transform::IDENTITY }
}

/// A turn about the z axis.
fn about_z(radians: f32) -> [f32; 4] {
    let (sine, cosine) = (0.5 * radians).sin_cos();
    [0.0, 0.0, sine, cosine]
}
