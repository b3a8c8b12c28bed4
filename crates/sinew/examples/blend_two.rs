//! Masks and blending: a walking figure waves with one arm, then fades to the whole wave.
//!
//! Run with `cargo run --release -p sinew --example blend_two`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use sinew::JointId;
use sinew::animation::Mask;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = sinew_figures::scene("@figure")?.model()?;
    let skeleton = model.skeleton();
    let (hand, foot) = (skeleton.joint("right hand")?, skeleton.joint("right foot")?);
    let mut figure = model.instance();

    // The wave alone animates the right arm; the walk animates everything else.
    let arm = Mask::subtree(skeleton, skeleton.joint("right collar")?)?;
    figure.play("walk")?.set_mask(arm.complement())?;
    figure.blend("wave")?.set_mask(arm)?.fade_in(0.5);
    show(&mut figure, "waving while walking", hand, foot);

    // Fade to the wave on all joints within half a second.
    figure.fade_to("wave", 0.5)?;
    show(&mut figure, "standing still, waving", hand, foot);
    Ok(())
}

/// Steps one second and prints the positions of hand and foot.
fn show(figure: &mut sinew::Instance, title: &str, hand: JointId, foot: JointId) {
    println!("{title}:");
    for frame in 1..=60 {
        figure.step(1.0 / 60.0);
        let matrices = figure.model_matrices();
        let (hand, foot) = (matrices[hand.index()].translation(), matrices[foot.index()].translation());
        if frame % 15 == 0 {
            println!("  after {frame} frames: hand {:.3} m high, foot {:+.3} m ahead", hand[1], foot[2]);
        }
    }
}
