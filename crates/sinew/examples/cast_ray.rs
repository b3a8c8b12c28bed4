//! Ray casts against a walking figure: where they hit, and which joint.
//!
//! Run with `cargo run -p sinew --example cast_ray`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use sinew::query::{LazyBvh, OverlapShape};
use sinew::{Mesh, Palette, Ray, Skin, SkinOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The high-level API: an instance skins only the vertices near the ray.
    let scene = sinew_figures::scene("@figure:2000")?;
    let model = scene.model()?;
    let mut figure = model.instance();
    figure.play("walk")?;
    let shot = Ray::between([0.1, 1.3, 4.0], [0.0, 1.2, -4.0]);
    for _ in 0..4 {
        figure.step(0.25);
        match figure.cast(&shot) {
            Some(hit) => {
                let [x, y, z] = hit.point;
                let joint = model.skeleton().name(hit.joint);
                println!("hit {joint} at {x:.3} {y:.3} {z:.3}, {:.3} m away", hit.distance);
            }
            None => println!("no hit"),
        }
    }

    // The low-level API, with memory of the caller: a palette, a lazy BVH, and other queries.
    let skin = Skin::new(&scene.skeleton, &scene.skin_joints)?;
    let mesh = Mesh::new(&scene.mesh.source(), &skin)?;
    let mut pose = scene.skeleton.rest_pose();
    let mut model_from_joint = scene.skeleton.identity_matrices();
    let mut palette = Palette::new(&skin);
    scene.motions[0].pose(&scene.skeleton, 0.5, &mut pose)?;
    scene.skeleton.to_model(&pose, .., &mut model_from_joint)?;
    palette.update(&model_from_joint, &skin)?;

    let mut lazy = LazyBvh::build(&mesh);
    let options = SkinOptions::default();
    let mut frame = lazy.begin(&mesh, &palette, &options)?;
    let hit = frame.closest_hit(&shot).ok_or("the shot is aimed at the chest")?;
    println!("triangle {}, skin joint {}", hit.triangle, mesh.dominant_joint(hit.triangle, hit.barycentrics));
    let tree = frame.bvh();
    let near = tree.closest_point([0.0, 1.2, 1.0], 2.0).ok_or("the chest is within two meters")?;
    println!("the surface is {:.3} m away", near.distance);
    let below_skin: [f32; 3] = std::array::from_fn(|axis| hit.point[axis] - 0.02 * hit.normal[axis]);
    assert!(
        tree.contains(below_skin) && !tree.contains([0.0, 1.2, 1.0]),
        "two centimeters below the skin is inside"
    );
    let mut touched = Vec::new();
    tree.overlapping_triangles(&OverlapShape::Sphere { center: hit.point, radius: 0.05 }, &mut touched);
    println!("{} triangles are within 5 cm of the hit", touched.len());
    assert!(touched.contains(&hit.triangle));
    Ok(())
}
