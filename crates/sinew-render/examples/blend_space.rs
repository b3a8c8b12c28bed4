//! A blend space with three clips at the corners of a triangle: the figure stands, walks and waves.
//! Draws it at fifteen positions, all in the same phase, into `blend_space.png`. Then it changes
//! from standing to walking, and to waving by an inertialized transition, and prints the events.
//!
//! Run with `cargo run --release -p sinew-render --example blend_space`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod support;

use std::error::Error;

use sinew::animation::{BlendSpace, ClipEvent};
use sinew::model::ModelSource;
use sinew::{Clip, Model};
use sinew_raster::Camera;
use support::Stage;

/// The figure with another clip, a still pose, and events when its feet touch the ground.
fn figure() -> Result<Model, Box<dyn Error>> {
    let figure = sinew_figures::scene("@figure")?.model()?;
    let [walk, wave] = [figure.clip("walk")?, figure.clip("wave")?].map(|clip| figure.clips()[clip].clone());
    let half = 0.5 * walk.end();
    let walk =
        walk.with_events(vec![ClipEvent::new("left foot", 0.0), ClipEvent::new("right foot", half)])?;
    let stand = Clip::new("stand", figure.skeleton(), &[])?;
    Ok(Model::new(ModelSource {
        skins: figure.skins().to_vec(),
        primitives: figure.primitives().to_vec(),
        mesh_instances: figure.mesh_instances().to_vec(),
        materials: figure.materials().to_vec(),
        clips: vec![stand, walk, wave],
        ..ModelSource::new(figure.skeleton().clone())
    })?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let model = figure()?;
    let points = [("stand", [0.0, 0.0]), ("walk", [1.0, 0.0]), ("wave", [0.0, 1.0])];
    let space = BlendSpace::plane(model.clip_set(), &points)?;
    let mut figure = model.instance();

    let (position, target) = ([0.0, 5.5, 10.0], [0.0, 0.6, 0.0]);
    let camera = Camera { position, target, tan_half_fov: 0.32, ..Camera::default() };
    let mut stage = Stage::new(&camera, 900, 600)?;
    for (walking, waving) in (0..=4).flat_map(|row| (0..=4 - row).map(move |column| (column, row))) {
        let position = [walking as f32 / 4.0, waving as f32 / 4.0];
        figure.play_space(&space)?.set_blend_position(&position)?.seek_phase(0.4);
        figure.step(0.0);
        let at = [1.5 * walking as f32 + 0.75 * waving as f32 - 3.0, 0.0, 2.5 - 1.7 * waving as f32];
        stage.add_figure(&mut figure, at)?;
    }
    stage.write_png("blend_space.png", &[([90, 500], "stand"), ([760, 500], "walk"), ([425, 60], "wave")])?;
    println!("wrote blend_space.png: 15 positions between 3 clips");

    figure.play_space(&space)?;
    for frame in 0..180_u8 {
        let seconds = f32::from(frame) / 60.0;
        if frame < 120 {
            figure.playbacks_mut()[0].set_blend_position(&[seconds, 0.0])?;
        } else if frame == 120 {
            // From one step to the next, and yet no joint jumps.
            figure.inertialize_to("wave", 0.4)?;
        }
        figure.step(1.0 / 60.0);
        for fired in figure.events() {
            println!("{seconds:.2} s: {} at weight {:.2}", fired.event.name, fired.weight);
        }
    }
    Ok(())
}
