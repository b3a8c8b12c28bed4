//! Ray casts at a walking figure: with a refitted BVH, and with a lazy BVH that skins only the
//! vertices near a ray.
//!
//! `cargo bench -p sinew --bench rays`. The first table is for 30,000 triangles, in microseconds
//! per call. The second compares one lazy ray in a frame of its own, on 100,000 vertices, with
//! skinning all positions and all attributes: medians over rays that hit, each timed right before
//! skinning.

use std::env;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use sinew::mesh::Attributes;
use sinew::query::{LazyBvh, MeshBvh, TriangleHit};
use sinew::skinning::Skinned;
use sinew::{Mesh, Palette, Ray, Skin, SkinOptions};
use sinew_bench::timer::{AlternatingTimer, Length};
use sinew_figures::Scene;
use sinew_testkit::random::Random;

const RAYS: usize = 100;
/// The number of rays that hit, for the median.
const HITS: usize = 1000;
const FULL: Length = Length { rounds: 101, sample: Duration::from_millis(1) };

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo bench` passes `--bench`; `cargo test` only checks that the program runs.
    let full = env::args().any(|argument| argument == "--bench");
    let (refit, lazy) =
        if full { ("@figure:16600", "@figure:100000") } else { ("@figure:1000", "@figure:1000") };
    time_refit(refit, if full { FULL } else { Length::SMOKE })?;
    time_lazy_rays(lazy, if full { HITS } else { 3 })?;
    Ok(())
}

/// The figure with palettes of its walk.
struct WalkingFigure {
    mesh: Mesh,
    palettes: Vec<Palette>,
}

impl WalkingFigure {
    fn new(name: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let scene: Scene = sinew_figures::scene(name)?;
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints)?;
        let mesh = Mesh::new(&scene.mesh.source(), &skin)?;
        let mut palettes = Vec::new();
        for frame in 0..32_u8 {
            let mut pose = scene.skeleton.rest_pose();
            let mut matrices = scene.skeleton.identity_matrices();
            scene.motions[0].pose(&scene.skeleton, f32::from(frame) / 30.0, &mut pose)?;
            scene.skeleton.to_model(&pose, .., &mut matrices)?;
            let mut palette = Palette::new(&skin);
            palette.update(&matrices, &skin)?;
            palettes.push(palette);
        }
        Ok(Self { mesh, palettes })
    }
}

/// A ray from three meters away towards the figure.
fn random_ray(random: &mut Random) -> Ray {
    let [x, y, z] = random.vector(1.0);
    let length = (x * x + y * y + z * z).sqrt().max(0.1);
    let from = [3.0 * x / length, 1.0 + 3.0 * y / length, 3.0 * z / length];
    let to = [random.between(-0.4, 0.4), random.between(0.1, 1.7), random.between(-0.2, 0.2)];
    Ray::new(from, [0, 1, 2].map(|axis: usize| to[axis] - from[axis]))
}

/// Times refitting and casting.
fn time_refit(name: &str, length: Length) -> Result<(), Box<dyn std::error::Error>> {
    let WalkingFigure { mesh, palettes } = WalkingFigure::new(name)?;
    let started = Instant::now();
    let mut bvh = MeshBvh::build(&mesh);
    let built = started.elapsed();
    let options = SkinOptions::default();
    let mut skinned = Skinned::new(&mesh, Attributes::Positions)?;
    let mut skinned_again = skinned.clone();
    mesh.skin(&palettes[7], &options, &mut skinned)?;
    let (mut cast, mut alone) = (bvh.clone(), bvh.clone());
    alone.refit(skinned.position_view())?;
    let random = &mut Random::new(1);
    let rays: Vec<Ray> = (0..RAYS).map(|_| random_ray(random)).collect();
    let mut hits: Vec<Option<TriangleHit>> = vec![None; RAYS];
    alone.closest_hits(&rays, &mut hits)?;
    let hit = hits.iter().flatten().count();
    print_line(&format!(
        "{name}: {} triangles, BVH built in {:.1} ms; {hit} of {RAYS} rays hit",
        bvh.len(),
        1e3 * built.as_secs_f64()
    ));
    let mut timer = AlternatingTimer::new();
    let (mesh, palette, points) = (&mesh, &palettes[7], &skinned);
    timer.add("skin positions", move || {
        let _ = mesh.skin(black_box(palette), &options, &mut skinned_again);
    });
    timer.add("refit", move || {
        let _ = bvh.refit(black_box(points).position_view());
    });
    timer.add("100 rays, closest", || {
        let _ = alone.closest_hits(black_box(&rays), &mut hits);
    });
    let (same_rays, mut same_hits) = (rays.clone(), vec![None; RAYS]);
    timer.add("refit and 100 rays, closest", move || {
        let _ = cast.refit(black_box(points).position_view());
        let _ = cast.closest_hits(black_box(&same_rays), &mut same_hits);
    });
    for timing in timer.run(length) {
        print_line(&format!("    {:<30} {:9.1} us", timing.name, 1e6 * timing.seconds));
    }
    Ok(())
}

/// Times lazy rays.
fn time_lazy_rays(name: &str, wanted: usize) -> Result<(), Box<dyn std::error::Error>> {
    let WalkingFigure { mesh, palettes } = WalkingFigure::new(name)?;
    let mut lazy = LazyBvh::build(&mesh);
    let options = SkinOptions::default();
    let mut positions = Skinned::new(&mesh, Attributes::Positions)?;
    let mut all = Skinned::new(&mesh, Attributes::stored_in(&mesh))?;
    let random = &mut Random::new(2);
    let mut seconds: [Vec<f64>; 3] = Default::default();
    while seconds[0].len() < wanted {
        let palette = &palettes[random.below(palettes.len())];
        let ray = random_ray(random);
        let started = Instant::now();
        let hit = lazy.begin(&mesh, palette, &options)?.closest_hit(black_box(&ray));
        let took = started.elapsed().as_secs_f64();
        if black_box(hit).is_none() {
            continue;
        }
        seconds[0].push(took);
        for (to, times) in [&mut positions, &mut all].into_iter().zip(1..) {
            let started = Instant::now();
            mesh.skin(palette, &options, to)?;
            seconds[times].push(started.elapsed().as_secs_f64());
        }
    }
    let [ray, positions, all] = seconds.map(|mut times| {
        times.sort_by(f64::total_cmp);
        1e6 * times[times.len() / 2]
    });
    print_line(&format!("{name}: medians over {wanted} rays that hit, each in a frame of its own"));
    print_line(&format!("    one lazy ray            {ray:9.2} us"));
    print_line(&format!("    skin positions          {positions:9.2} us {:7.1} x a ray", positions / ray));
    print_line(&format!("    skin all attributes     {all:9.2} us {:7.1} x a ray", all / ray));
    Ok(())
}

fn print_line(line: &str) {
    // A closed output cannot be reported anywhere.
    let _ = writeln!(stdout(), "{line}");
}
