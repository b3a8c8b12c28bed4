//! Bounds from joints alone: what they cost beside skinning, and how much larger they are than the smallest box.
//!
//! `cargo bench -p sinew --bench bounds` takes the fastest row; `SINEW_ISA` names another.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use sinew::{
    Aabb, Attributes, Blending, BoundsOptions, DualPalette, InstanceOptions, JointBlend, Mesh, Model,
    Palette, SkinOptions, Skinned,
};
use sinew_testkit::timer::{Length, Race};

const FULL: Length = Length { rounds: 41, sample: Duration::from_micros(500) };
const MODELS: [&str; 4] = ["@figure:1000", "@figure", "@figure:100000", "@cylinder"];

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` says so; `cargo test` only wants to see it run.
    let bench = env::args().any(|argument| argument == "--bench");
    let (length, rate) = if bench { (Length::FULL, 60.0) } else { (Length::SMOKE, 2.0) };
    let length = if bench { FULL } else { length };
    for name in MODELS.into_iter().take(if bench { MODELS.len() } else { 1 }) {
        let model = sinew_figures::scene(name)?.model()?;
        time(name, &model, length)?;
        for blend in [JointBlend::Linear, JointBlend::Duals] {
            for clip in 0..model.clips().len() {
                measure(&model, clip, rate, blend);
            }
        }
    }
    Ok(())
}

/// Box and sphere beside a pass over all vertices.
fn time(name: &str, model: &Model, length: Length) -> Result<(), Box<dyn Error>> {
    let (skin, mesh) = (&model.skins()[0], &model.surface(0).mesh);
    let mut instance = model.instance();
    instance.start(0);
    instance.step(0.3);
    let mut palette = Palette::new(skin);
    palette.update(instance.model_matrices(), skin)?;
    let mut duals = DualPalette::new(skin);
    duals.update(&palette)?;
    let start = Instant::now();
    let linear = BoundsOptions::default();
    let turned = BoundsOptions { blending: Blending::Duals(&duals), ..linear };
    mesh.clone().bounds(&palette, &linear)?;
    let first = start.elapsed();
    say(&format!("{name}: {} vertices, {} joints, the first time {first:?}", mesh.len(), mesh.skin_len()));
    let mut joints = vec![Aabb::EMPTY; mesh.skin_len()];
    let mut race = Race::new();
    race.add("box", || drop(black_box(mesh.bounds(&palette, &linear))));
    race.add("sphere", || drop(black_box(mesh.sphere(&palette, &linear))));
    race.add("boxes of joints", || drop(black_box(mesh.joint_bounds(&palette, &linear, &mut joints))));
    race.add("box, duals", || drop(black_box(mesh.bounds(&palette, &turned))));
    add_exact(&mut race, mesh, &palette)?;
    for timing in race.run(length) {
        say(&format!("    {:<24} {:>12.3} us", timing.name, timing.seconds * 1e6));
    }
    Ok(())
}

fn add_exact<'a>(race: &mut Race<'a>, mesh: &'a Mesh, palette: &'a Palette) -> Result<(), sinew::Error> {
    let mut skinned = Skinned::new(mesh, Attributes::Positions)?;
    race.add("skinning, smallest box", move || {
        // What was not refused by new is not refused here.
        let _ = mesh.skin(palette, &SkinOptions::default(), &mut skinned);
        black_box(skinned.bounds());
    });
    Ok(())
}

/// How much larger than the smallest the bounds are, over a clip.
fn measure(model: &Model, clip: usize, rate: f32, joint_blend: JointBlend) {
    let options = InstanceOptions { joint_blend, attributes: Attributes::Positions, ..Default::default() };
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
    say(&format!(
        "    {name:<12} {joint_blend:?}: volume {boxes:.3} of the smallest box, at most {worst:.3}; \
         sphere {spheres:.3} of half the diagonal of that"
    ));
}

fn volume(bounds: &Aabb) -> f64 {
    (0..3).map(|axis| f64::from(bounds.max[axis] - bounds.min[axis])).product()
}

/// The radius of the sphere that a box gives.
fn half_diagonal(bounds: &Aabb) -> f64 {
    let squared = (0..3).map(|axis| f64::from(bounds.max[axis] - bounds.min[axis]).powi(2)).sum::<f64>();
    squared.sqrt() / 2.0
}

fn say(line: &str) {
    // Nobody is left to tell when the output is closed.
    let _ = writeln!(stdout(), "{line}");
}
