//! Play a clip: load a model, play, step, skin, read a vertex.
//!
//! Run with `cargo run --release -p sinew --example play_clip`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use sinew::Aabb;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Once. `sinew_io::load("fox.glb")?.model` loads a model from a file.
    let model = sinew_figures::scene("@figure")?.model()?;
    for clip in model.clips() {
        println!("clip {:?}: {:.2} s, {} tracks", clip.name(), clip.end(), clip.track_count());
    }
    let mut figure = model.instance();
    figure.play("walk")?.set_speed(1.5);

    // Every frame: nothing is allocated.
    let foot = model.skeleton().joint("left foot")?;
    for frame in 0..=30 {
        figure.step(1.0 / 60.0);
        if frame % 10 != 0 {
            continue;
        }
        let height = figure.model_matrices()[foot.index()].translation()[1];
        let skinned = figure.skin();
        let [x, y, z] = skinned.position(0, 0);
        let Aabb { min, max } = skinned.bounds();
        println!(
            "frame {frame:2}: left foot at {height:.3} m, vertex 0 at ({x:.3}, {y:.3}, {z:.3}), {:.2} m long",
            max[2] - min[2]
        );
    }
    Ok(())
}
