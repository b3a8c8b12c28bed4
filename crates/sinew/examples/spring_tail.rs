//! Spring bones: a ponytail swings after a head that turns, while the whole character runs.
//!
//! Run with `cargo run --release -p sinew --example spring_tail`. For a picture of the same hair:
//! `cargo run --release -- render @ponytail -o ponytail.gif`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use sinew::Matrix;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = sinew_figures::scene("@ponytail")?.model()?;
    let springs = model.springs().ok_or("the ponytail has springs")?;
    let [root, tip] = [model.skeleton().joint("hair 1")?, model.skeleton().joint("hair tip")?];
    let mut head = model.instance();
    head.play("shake")?;
    head.modifiers_mut().push(springs.clone())?;

    for frame in 0..=90 {
        // Two meters per second toward +z: the hair stays behind.
        let mut world = Matrix::IDENTITY;
        world.rows[2][3] = 2.0 * frame as f32 / 60.0;
        head.set_world(world);
        head.step(1.0 / 60.0);
        if frame % 10 == 0 {
            let position = |joint: sinew::JointId, head: &mut sinew::Instance| {
                head.model_matrices()[joint.index()].translation()
            };
            let (root, tip) = (position(root, &mut head), position(tip, &mut head));
            let [x, y, z]: [f32; 3] = std::array::from_fn(|axis| tip[axis] - root[axis]);
            println!("{:.2} s: the tip is at ({x:+.3}, {y:+.3}, {z:+.3}) from the root", frame as f32 / 60.0);
        }
    }
    // After a jump to another place, the hair would fly behind: forget its motion instead.
    head.set_world(Matrix::IDENTITY);
    head.modifiers_mut().reset();
    head.step(1.0 / 60.0);
    head.skin();
    Ok(())
}
