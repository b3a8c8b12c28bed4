//! Bounds computed from joints alone: their time relative to skinning, and their size relative to
//! the exact box.
//!
//! `cargo bench -p sinew --bench bounds` uses the fastest backend; `SINEW_ISA` names another.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use sinew::bounds::{BoundsOptions, JointBounds};
use sinew::mesh::Attributes;
use sinew::skinning::{Blending, DualQuaternionPalette, SkinMethod, Skinned};
use sinew::{Aabb, InstanceOptions, Mesh, Model, Palette, SkinOptions};
use sinew_bench::timer::{AlternatingTimer, Length};

const FULL: Length = Length { rounds: 41, sample: Duration::from_micros(500) };
const MODELS: [&str; 4] = ["@figure:1000", "@figure", "@figure:100000", "@cylinder"];

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` passes `--bench`; `cargo test` only checks that the program runs.
    let bench = env::args().any(|argument| argument == "--bench");
    let (length, rate) = if bench { (Length::FULL, 60.0) } else { (Length::SMOKE, 2.0) };
    let length = if bench { FULL } else { length };
    for name in MODELS.into_iter().take(if bench { MODELS.len() } else { 1 }) {
        let model = sinew_figures::scene(name)?.model()?;
        time_bounds(name, &model, length)?;
        for blend in [SkinMethod::Linear, SkinMethod::DualQuaternion] {
            for clip in 0..model.clips().len() {
                print_tightness(&model, clip, rate, blend);
            }
        }
    }
    Ok(())
}

/// Times box and sphere, and a pass over all vertices.
fn time_bounds(name: &str, model: &Model, length: Length) -> Result<(), Box<dyn Error>> {
    let (skin, mesh) = (&model.skins()[0], &model.primitive(0).mesh);
    let mut instance = model.instance();
    instance.start(0);
    instance.step(0.3);
    let mut palette = Palette::new(skin);
    palette.update(instance.model_matrices(), skin)?;
    let mut dual_quaternions = DualQuaternionPalette::new(skin);
    dual_quaternions.update(&palette)?;
    let start = Instant::now();
    let linear = BoundsOptions::default();
    let dual_quaternion = linear.with_blending(Blending::DualQuaternion(&dual_quaternions));
    let bounds = JointBounds::build(mesh);
    bounds.aabb(&palette, &linear)?;
    let first = start.elapsed();
    print_line(&format!("{name}: {} vertices, {} joints, first call {first:?}", mesh.len(), mesh.skin_len()));
    let mut joints = vec![Aabb::EMPTY; mesh.skin_len()];
    let mut timer = AlternatingTimer::new();
    timer.add("box", || drop(black_box(bounds.aabb(&palette, &linear))));
    timer.add("sphere", || drop(black_box(bounds.sphere(&palette, &linear))));
    timer.add("boxes of all joints", || drop(black_box(bounds.joint_aabbs(&palette, &linear, &mut joints))));
    timer.add("box, dual quaternions", || drop(black_box(bounds.aabb(&palette, &dual_quaternion))));
    add_exact(&mut timer, mesh, &palette)?;
    for timing in timer.run(length) {
        print_line(&format!("    {:<24} {:>12.3} us", timing.name, timing.seconds * 1e6));
    }
    Ok(())
}

fn add_exact<'a>(
    timer: &mut AlternatingTimer<'a>,
    mesh: &'a Mesh,
    palette: &'a Palette,
) -> Result<(), sinew::Error> {
    let mut skinned = Skinned::new(mesh, Attributes::Positions)?;
    timer.add("skinning, exact box", move || {
        // The sizes match, so that this cannot fail.
        let _ = mesh.skin(palette, &SkinOptions::default(), &mut skinned);
        black_box(skinned.bounds());
    });
    Ok(())
}

/// Prints the size of the bounds relative to the exact box, over a clip.
fn print_tightness(model: &Model, clip: usize, rate: f32, skin_method: SkinMethod) {
    let options =
        InstanceOptions::default().with_skin_method(skin_method).with_attributes(Attributes::Positions);
    let mut instance = model.instance_with(&options);
    instance.start(clip);
    let frames = (model.clips()[clip].end() * rate).ceil().max(1.0) as u32;
    let (mut boxes, mut spheres, mut worst) = (0.0, 0.0, 0.0_f64);
    for _ in 0..frames {
        instance.step(1.0 / rate);
        let (found, sphere) = (instance.bounds(), instance.sphere());
        let exact = instance.skin().bounds();
        let ratio = volume(&found) / volume(&exact);
        boxes += ratio;
        worst = worst.max(ratio);
        spheres += f64::from(sphere.radius) / half_diagonal(&exact);
    }
    let (boxes, spheres) = (boxes / f64::from(frames), spheres / f64::from(frames));
    let name = model.clips()[clip].name();
    print_line(&format!(
        "    {name:<12} {skin_method:?}: volume {boxes:.3} x the exact box, at most {worst:.3} x; \
         sphere {spheres:.3} x half the box's diagonal"
    ));
}

fn volume(bounds: &Aabb) -> f64 {
    (0..3).map(|axis| f64::from(bounds.max[axis] - bounds.min[axis])).product()
}

/// The radius of a box's bounding sphere.
fn half_diagonal(bounds: &Aabb) -> f64 {
    let squared = (0..3).map(|axis| f64::from(bounds.max[axis] - bounds.min[axis]).powi(2)).sum::<f64>();
    squared.sqrt() / 2.0
}

fn print_line(line: &str) {
    // A closed output cannot be reported anywhere.
    let _ = writeln!(stdout(), "{line}");
}
