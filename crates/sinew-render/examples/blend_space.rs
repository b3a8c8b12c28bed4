//! A blend space with three clips at the corners of a triangle: the figure stands, walks and waves.
//! Draws it at fifteen positions, all in the same phase, into `blend_space.png`. Then it changes
//! from standing to walking, and to waving by an inertialized transition, and prints the events.
//!
//! Run with `cargo run --release -p sinew-render --example blend_space`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::fs::File;

use sinew::animation::{BlendSpace, ClipEvent};
use sinew::model::ModelSource;
use sinew::{Clip, Instance, Model};
use sinew_raster::{Camera, Canvas, CullMode, Picture, Size, Triangles, Vertex, ViewProjection};

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

    let size = Size::new(900, 600)?;
    let (position, target) = ([0.0, 5.5, 10.0], [0.0, 0.6, 0.0]);
    let camera = Camera { position, target, tan_half_fov: 0.32, ..Camera::default() };
    let (view, mut canvas) = (ViewProjection::new(&camera, size)?, Canvas::new(size));
    canvas.clear([0.9, 0.9, 0.88]);
    for (walking, waving) in (0..=4).flat_map(|row| (0..=4 - row).map(move |column| (column, row))) {
        let position = [walking as f32 / 4.0, waving as f32 / 4.0];
        figure.play_space(&space)?.set_blend_position(&position)?.seek_phase(0.4);
        figure.step(0.0);
        let at = [1.5 * walking as f32 + 0.75 * waving as f32 - 3.0, 0.0, 2.5 - 1.7 * waving as f32];
        draw(&mut figure, at, &view, &mut canvas)?;
    }
    let mut picture = Picture::new(size);
    canvas.render(&[], 1, &mut picture);
    for (at, name) in [([90, 500], "stand"), ([760, 500], "walk"), ([425, 60], "wave")] {
        picture.draw_text(at, 2, [40; 3], name);
    }
    sinew_render::write_png(&mut File::create("blend_space.png")?, &picture)?;
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

/// Adds the skinned figure to the picture, lit from above.
fn draw(
    figure: &mut Instance,
    at: [f32; 3],
    view: &ViewProjection,
    canvas: &mut Canvas,
) -> Result<(), sinew_raster::Error> {
    let mut vertices = Vec::new();
    // Blocks of positions, normals and tangents.
    for [positions, normals, _] in figure.skin().mesh_instances()[0].blocks().as_chunks().0 {
        for lane in 0..8 {
            let (position, [x, y, z]) = (positions.vector(lane), normals.vector(lane));
            let light = 0.25 + 0.6 * (0.3 * x + 0.7 * y + 0.6 * z).max(0.0);
            let world = [0, 1, 2].map(|axis| position[axis] + at[axis]);
            let color = [light, 0.8 * light, 0.65 * light];
            vertices.push(Vertex::with_color(view.transform_point(world), color));
        }
    }
    let triangles = figure.model().primitive(0).mesh.triangles();
    let cull_mode = CullMode::Back;
    canvas.add_triangles(&Triangles { triangles, cull_mode, ..Triangles::new(&vertices) })
}
