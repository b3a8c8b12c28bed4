//! Spring bones: a ponytail swings after a head that turns, while the whole character runs. Draws
//! nine moments into `spring_tail.png`.
//!
//! Run with `cargo run --release -p sinew-render --example spring_tail`. The program draws the same
//! hair: `cargo run --release -- render @ponytail -o ponytail.gif`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod support;

use std::error::Error;

use sinew::{Instance, JointId, Matrix};
use sinew_raster::Camera;
use support::Stage;

fn main() -> Result<(), Box<dyn Error>> {
    let model = sinew_figures::scene("@ponytail")?.model()?;
    let springs = model.springs().ok_or("the ponytail has springs")?;
    let [root, tip] = [model.skeleton().joint("hair 1")?, model.skeleton().joint("hair tip")?];
    let mut head = model.instance();
    head.play("shake")?;
    head.modifiers_mut().push(springs.clone())?;

    let (position, target) = ([1.6, 1.2, -5.0], [0.0, 0.0, 0.0]);
    let camera = Camera { position, target, tan_half_fov: 0.066, ..Camera::default() };
    let mut stage = Stage::new(&camera, 1350, 300)?;
    for frame in 0..=80 {
        // Two meters per second toward +z: the hair stays behind.
        let mut world = Matrix::IDENTITY;
        world.rows[2][3] = 2.0 * frame as f32 / 60.0;
        head.set_world(world);
        head.step(1.0 / 60.0);
        if frame % 10 == 0 {
            let position =
                |joint: JointId, head: &mut Instance| head.model_matrices()[joint.index()].translation();
            let (root, tip) = (position(root, &mut head), position(tip, &mut head));
            let [x, y, z]: [f32; 3] = std::array::from_fn(|axis| tip[axis] - root[axis]);
            println!("{:.2} s: the tip is at ({x:+.3}, {y:+.3}, {z:+.3}) from the root", frame as f32 / 60.0);
            // Side by side, the first one on the left.
            let shift = 0.05 * (frame as f32 - 40.0);
            stage.add_figure(&mut head, [-0.6 * shift, -0.2, -0.2 * shift])?;
        }
    }
    stage.write_png("spring_tail.png", &[([20, 270], "0 s"), ([1260, 270], "1.33 s")])?;
    println!("wrote spring_tail.png: every tenth of 81 frames");

    // After a jump to another place, the hair would fly behind: forget its motion instead.
    head.set_world(Matrix::IDENTITY);
    head.modifiers_mut().reset();
    head.step(1.0 / 60.0);
    Ok(())
}
