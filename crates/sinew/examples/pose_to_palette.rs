//! From a skeleton to a palette: a waving tentacle with thirty joints.
//!
//! Run with `cargo run -p sinew --example pose_to_palette`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use sinew::{Bone, Error, Palette, Pose, Skeleton, Skin, Transform};

const JOINTS: usize = 30;
/// Meters from one joint to the next.
const SPACING: f32 = 0.1;

fn main() -> Result<(), Error> {
    // Once: all input is checked and all memory is allocated here.
    let skeleton = Skeleton::new(&tentacle())?;
    let skin = Skin::new(&skeleton, &skeleton.joints().collect::<Vec<_>>())?;
    let mut pose = Pose::new(&skeleton);
    let mut model_from_joint = skeleton.identity_matrices();
    let mut palette = Palette::new(&skin);

    // The tip in the bind pose.
    let tip = [0.0, SPACING * JOINTS as f32, 0.0];
    for frame in 0..5 {
        let seconds = 0.25 * frame as f32;
        for joint in skeleton.joints() {
            let angle = 0.1 * (2.0 * seconds + 0.2 * joint.index() as f32).sin();
            pose.set_rotation(joint, rotation_z(angle));
        }
        skeleton.to_model(&pose, .., &mut model_from_joint)?;
        palette.update(&model_from_joint, &skin)?;

        // The palette matrix of a joint moves a vertex that has only this joint as influence.
        let [x, y, z] = palette.matrices()[JOINTS - 1].transform_point(tip);
        println!("{seconds:.2} s: the tip is at {x:6.3} {y:6.3} {z:6.3}");
        assert!((x * x + y * y).sqrt() <= tip[1] + 1e-4, "no tentacle is longer than its joints");
        assert_eq!(z, 0.0);
    }
    Ok(())
}

/// A vertical chain of joints.
fn tentacle() -> Vec<Bone> {
    let bone = |joint: usize| {
        let height = if joint == 0 { 0.0 } else { SPACING };
        let rest = Transform { translation: [0.0, height, 0.0], ..Transform::IDENTITY };
        Bone::new(&format!("joint {joint}"), joint.checked_sub(1), rest)
    };
    (0..JOINTS).map(bone).collect()
}

/// A rotation about the z axis.
fn rotation_z(radians: f32) -> [f32; 4] {
    let (sine, cosine) = (0.5 * radians).sin_cos();
    [0.0, 0.0, sine, cosine]
}
