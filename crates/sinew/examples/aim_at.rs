//! Aim and two-bone IK: a walking figure looks at a passing ball and reaches for it.
//!
//! Run with `cargo run --release -p sinew --example aim_at`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use sinew::Aim;
use sinew::animation::{AimUp, TwoBone};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = sinew_figures::scene("@figure")?.model()?;
    let skeleton = model.skeleton();
    let joint = |name: &str| skeleton.joint(name);
    let (head, hand) = (joint("head")?, joint("left hand")?);
    let (upper_arm, forearm) = (joint("left upper arm")?, joint("left forearm")?);
    let mut figure = model.instance();
    figure.play("walk")?;
    let up = AimUp { axis: [0.0, 1.0, 0.0], toward: [0.0, 1.0, 0.0] };

    for frame in 0..=6 {
        figure.step(1.0 / 15.0);
        // The ball moves from left to right in front of the chest.
        let ball = [0.45 - 0.15 * frame as f32, 1.3, 0.45];
        figure.aim(&Aim { up: Some(up), ..Aim::new(head, [0.0, 0.0, 1.0], ball) })?;
        let reached = figure.reach(&TwoBone::new([upper_arm, forearm, hand], ball))?;
        let [x, y, z] = figure.model_matrices()[hand.index()].translation();
        println!("ball at {:+.2} m: hand at ({x:+.3}, {y:.3}, {z:.3}), {reached:?}", ball[0]);
    }
    figure.skin(); // Skinning uses the adjusted pose.
    Ok(())
}
