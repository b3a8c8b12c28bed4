//! A crowd: many instances of one model, animated together.
//!
//! Run with `cargo run --release -p sinew --features parallel --example crowd`. Without the feature
//! it uses one thread.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::atomic::{AtomicUsize, Ordering};

use sinew::crowd::CrowdOptions;
use sinew::{Aim, Crowd, InstanceOptions};

const ROWS: usize = 20;

/// The view frustum of a camera at the origin that looks along +Z: 90 degrees wide, from 0.1 to 60
/// m.
const VIEW: [[f32; 4]; 6] = [
    [1.0, 0.0, 1.0, 0.0],
    [-1.0, 0.0, 1.0, 0.0],
    [0.0, 1.0, 1.0, 0.0],
    [0.0, -1.0, 1.0, 0.0],
    [0.0, 0.0, 1.0, -0.1],
    [0.0, 0.0, -1.0, 60.0],
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Once. `sinew_io::load("fox.glb")?.model` loads a model from a file. This model has a level of
    // detail with one influence per vertex.
    let model = sinew_figures::scene("@figure")?.model_with_levels(&[1])?;
    let head = model.skeleton().joint("head")?;
    let mut crowd = Crowd::new(CrowdOptions::default().with_view(VIEW));
    let figures = crowd.add_model(&model, &InstanceOptions::default());
    for (row, column) in (0..ROWS).flat_map(|row| (0..ROWS).map(move |column| (row, column))) {
        let id = crowd.add(figures)?;
        let Some(member) = crowd.member_mut(id) else { continue };
        let (x, z) = (3.0 * column as f32 - 30.0, 5.0 + 3.0 * row as f32);
        member.world.rows[0][3] = x;
        member.world.rows[2][3] = z;
        // Each walks with its own time offset; some wave as well.
        member.animator_mut().play("walk")?.seek(0.1 * (row * 7 + column) as f64);
        if column % 4 == 0 {
            member.animator_mut().blend("wave")?.set_weight(0.5);
        }
        // All look at the camera.
        let look = Aim::new(head, [0.0, 0.0, 1.0], [-x, 1.6, -z]);
        member.modifiers_mut().push(Aim { limit: 0.5, ..look })?;
        // Far away, an update every third frame and one influence suffice.
        if z > 30.0 {
            (member.update_interval, member.phase, member.max_influences) = (3, column as u32, 1);
        }
    }

    // Every frame: the next frame is animated while this one is skinned.
    crowd.step(1.0 / 60.0);
    for frame in 0..=30 {
        let (seen, vertices) = (AtomicUsize::new(0), AtomicUsize::new(0));
        crowd.skin_each_and_step(1.0 / 60.0, &|member| {
            // Upload the vertices here.
            seen.fetch_add(1, Ordering::Relaxed);
            vertices.fetch_add(member.model.primitive(0).mesh.len(), Ordering::Relaxed);
        });
        if frame % 10 == 0 {
            let (seen, vertices) = (seen.into_inner(), vertices.into_inner());
            println!("frame {frame:2}: {seen} of {} figures in view, {vertices} vertices", crowd.len());
        }
    }
    Ok(())
}
