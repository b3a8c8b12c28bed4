//! Foot placement: a figure climbs stairs, whose height its feet find with rays. Draws it on six
//! steps into `foot_placement.png`.
//!
//! Run with `cargo run --release -p sinew-render --example foot_placement`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod support;

use std::error::Error;

use sinew::animation::{FootPlacement, GroundHit, Leg};
use sinew::{Instance, JointId, Matrix};
use sinew_raster::Camera;
use support::Stage;

/// Steps along z: half a meter long, ten centimeters high.
const STEP: [f32; 2] = [0.5, 0.1];

/// The height of the steps. A game would cast a ray into its world here.
fn ground([x, y, z]: [f32; 3], _direction: [f32; 3], length: f32) -> Option<GroundHit> {
    let height = STEP[1] * (z / STEP[0]).floor();
    (height <= y && y - height <= length)
        .then_some(GroundHit { point: [x, height, z], normal: [0.0, 1.0, 0.0] })
}

fn main() -> Result<(), Box<dyn Error>> {
    let model = sinew_figures::scene("@figure")?.model()?;
    let joint = |name: &str| model.skeleton().joint(name);
    let left = Leg::new([joint("left thigh")?, joint("left shin")?, joint("left foot")?]);
    let right = Leg::new([joint("right thigh")?, joint("right shin")?, joint("right foot")?]);
    let pelvis = model.skeleton().parent(left.hip).ok_or("the legs are below the pelvis")?;
    let mut figure = model.instance();
    figure.play("walk")?;
    figure.modifiers_mut().push(FootPlacement::new(pelvis, &[left, right], ground))?;

    let (position, target) = ([9.0, 3.0, 4.5], [0.0, 1.2, 2.6]);
    let camera = Camera { position, target, tan_half_fov: 0.2, ..Camera::default() };
    let mut stage = Stage::new(&camera, 1200, 520)?;
    for step in -1..12_i8 {
        let (z, height) = (STEP[0] * f32::from(step), STEP[1] * f32::from(step));
        let across = [1.6, 0.0, 0.0];
        stage.add_rectangle([-0.8, height, z], [across, [0.0, 0.0, STEP[0]]], [0.0, 1.0, 0.0])?;
        stage.add_rectangle([-0.8, height - STEP[1], z], [across, [0.0, STEP[1], 0.0]], [0.0, 0.0, -1.0])?;
        // The side of the stairs.
        stage.add_rectangle(
            [0.8, -0.4, z],
            [[0.0, 0.0, STEP[0]], [0.0, height + 0.4, 0.0]],
            [1.0, 0.0, 0.0],
        )?;
    }
    let mut height = 0.0_f32;
    for frame in 0..=300_u16 {
        let z = f32::from(frame) / 60.0;
        // The character itself climbs smoothly; its feet find the steps.
        height += 0.1 * (0.2 * z - height);
        let mut world = Matrix::IDENTITY;
        (world.rows[1][3], world.rows[2][3]) = (height, z);
        figure.set_world(world);
        figure.step(1.0 / 60.0);
        if frame % 20 == 0 {
            let world_height = |foot: JointId, figure: &mut Instance| {
                figure.model_matrices()[foot.index()].translation()[1] + height
            };
            let [left, right] = [left.foot, right.foot].map(|foot| world_height(foot, &mut figure));
            println!("z = {z:.2} m: ankles at {left:.3} m and {right:.3} m");
        }
        if frame % 55 == 25 {
            stage.add_figure(&mut figure, [0.0, height, z])?;
        }
    }
    stage.write_png("foot_placement.png", &[([20, 20], "feet on steps that rays find")])?;
    println!("wrote foot_placement.png");
    Ok(())
}
