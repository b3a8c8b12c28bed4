//! A pose modifier of one's own: a figure that breathes while it walks, and looks at a ball.
//!
//! Run with `cargo run --release -p sinew --example own_modifier`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use sinew::animation::{ModifierContext, PoseModifier};
use sinew::{Aim, JointId};

/// Raises and lowers a joint, once every four seconds.
#[derive(Clone, Debug)]
struct Breathe {
    joint: JointId,
    phase: f32,
}

impl PoseModifier for Breathe {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        self.phase = (self.phase + context.seconds() / 4.0).fract();
        let [x, y, z] = context.pose().translation(self.joint);
        let rise = 0.02 * (self.phase * std::f32::consts::TAU).sin();
        context.set_translation(self.joint, [x, y + rise, z]);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = sinew_figures::scene("@figure")?.model()?;
    let (chest, head) = (model.skeleton().joint("spine 4")?, model.skeleton().joint("head")?);
    let mut figure = model.instance();
    figure.play("walk")?;
    // Modifiers run in this order in every step: the aim sees the raised chest.
    let breath = figure.modifiers_mut().push(Breathe { joint: chest, phase: 0.0 })?;
    let look = figure.modifiers_mut().push(Aim::new(head, [0.0, 0.0, 1.0], [0.0, 1.6, 3.0]))?;

    for frame in 0..=8 {
        if let Some(aim) = figure.modifiers_mut().get_mut::<Aim>(look) {
            aim.target = [2.0 - 0.5 * frame as f32, 1.6, 3.0];
        }
        // The figure stops breathing slowly.
        figure.modifiers_mut().set_weight(breath, 1.0 - 0.125 * frame as f32)?;
        figure.step(0.25);
        let [_, height, _] = figure.model_matrices()[chest.index()].translation();
        let [x, _, z] = figure.model_matrices()[head.index()].transform_vector([0.0, 0.0, 1.0]);
        println!("chest at {height:.3} m, the head looks toward ({x:+.2}, {z:+.2})");
    }
    Ok(())
}
