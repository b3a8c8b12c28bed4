//! Foot placement: a figure walks over steps, whose height its feet find with rays.
//!
//! Run with `cargo run --release -p sinew --example foot_placement`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use sinew::Matrix;
use sinew::animation::{FootPlacement, GroundHit, Leg};

/// Steps along z, ten centimeters high. A game would cast a ray into its world here.
fn ground([x, y, z]: [f32; 3], _direction: [f32; 3], length: f32) -> Option<GroundHit> {
    let height = 0.1 * (2.0 * z).floor();
    (height <= y && y - height <= length)
        .then_some(GroundHit { point: [x, height, z], normal: [0.0, 1.0, 0.0] })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = sinew_figures::scene("@figure")?.model()?;
    let joint = |name: &str| model.skeleton().joint(name);
    let left = Leg::new([joint("left thigh")?, joint("left shin")?, joint("left foot")?]);
    let right = Leg::new([joint("right thigh")?, joint("right shin")?, joint("right foot")?]);
    let pelvis = model.skeleton().parent(left.hip).ok_or("the legs are below the pelvis")?;
    let mut figure = model.instance();
    figure.play("walk")?;
    figure.modifiers_mut().push(FootPlacement::new(pelvis, &[left, right], ground))?;

    let mut height = 0.0_f32;
    for frame in 0..=120 {
        let z = frame as f32 / 60.0;
        // The character itself climbs smoothly; its feet find the steps.
        height += 0.1 * (0.2 * z - height);
        let mut world = Matrix::IDENTITY;
        (world.rows[1][3], world.rows[2][3]) = (height, z);
        figure.set_world(world);
        figure.step(1.0 / 60.0);
        if frame % 10 == 0 {
            let world_height = |joint: sinew::JointId, figure: &mut sinew::Instance| {
                figure.model_matrices()[joint.index()].translation()[1] + height
            };
            let [left, right] = [left.foot, right.foot].map(|foot| world_height(foot, &mut figure));
            println!("z = {z:.2} m: ankles at {left:.3} m and {right:.3} m");
        }
    }
    Ok(())
}
