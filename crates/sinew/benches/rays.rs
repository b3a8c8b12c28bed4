//! Rays at the figure in its walk: refitting a tree and casting rays, and skinning only what a ray comes by.
//!
//! `cargo bench -p sinew --bench rays`. The first table is of 30,000 triangles, in microseconds per call. Then, on 100,000
//! vertices, one ray in a frame of its own beside skinning all positions and all attributes: the median over rays that hit,
//! each measured shortly before or after a skin.

use std::env;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use sinew::{Attributes, Error, LazyTree, Mesh, Palette, Ray, Skin, SkinOptions, Skinned, Tree, TriangleHit};
use sinew_figures::Scene;
use sinew_testkit::random::Random;
use sinew_testkit::timer::{Length, Race};

const RAYS: usize = 100;
/// Rays that hit, for the median.
const HITS: usize = 1000;
const FULL: Length = Length { rounds: 101, sample: Duration::from_millis(1) };

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo bench` says so; `cargo test` only wants to see it run.
    let full = env::args().any(|argument| argument == "--bench");
    let (refit, lazy) =
        if full { ("@figure:16600", "@figure:100000") } else { ("@figure:1000", "@figure:1000") };
    refitted(refit, if full { FULL } else { Length::SMOKE })?;
    lazily(lazy, if full { HITS } else { 3 })?;
    Ok(())
}

/// The figure somewhere in its walk.
struct Posed {
    mesh: Mesh,
    palettes: Vec<Palette>,
}

impl Posed {
    fn new(name: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let scene: Scene = sinew_figures::scene(name)?;
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints)?;
        let mesh = Mesh::new(&scene.shape.source(), &skin)?;
        let mut palettes = Vec::new();
        for frame in 0..32_u8 {
            let mut pose = scene.skeleton.rest_pose();
            let mut matrices = scene.skeleton.model_matrices();
            scene.motions[0].pose(&scene.skeleton, f32::from(frame) / 30.0, &mut pose)?;
            scene.skeleton.to_model(&pose, .., &mut matrices)?;
            let mut palette = Palette::new(&skin);
            palette.update(&matrices, &skin)?;
            palettes.push(palette);
        }
        Ok(Self { mesh, palettes })
    }
}

/// From three metres away, to somewhere about the figure's middle.
fn ray(random: &mut Random) -> Ray {
    let [x, y, z] = random.vector(1.0);
    let length = (x * x + y * y + z * z).sqrt().max(0.1);
    let from = [3.0 * x / length, 1.0 + 3.0 * y / length, 3.0 * z / length];
    let to = [random.between(-0.4, 0.4), random.between(0.1, 1.7), random.between(-0.2, 0.2)];
    Ray::new(from, [0, 1, 2].map(|axis: usize| to[axis] - from[axis]))
}

fn refitted(name: &str, length: Length) -> Result<(), Box<dyn std::error::Error>> {
    let Posed { mesh, palettes } = Posed::new(name)?;
    let started = Instant::now();
    let mut tree = Tree::new(&mesh);
    let built = started.elapsed();
    let options = SkinOptions::default();
    let mut skinned = Skinned::new(&mesh, Attributes::Positions)?;
    let mut skinned_too = skinned.clone();
    mesh.skin(&palettes[7], &options, &mut skinned)?;
    let (mut cast, mut alone) = (tree.clone(), tree.clone());
    alone.refit(skinned.points())?;
    let random = &mut Random::new(1);
    let rays: Vec<Ray> = (0..RAYS).map(|_| ray(random)).collect();
    let mut hits: Vec<Option<TriangleHit>> = vec![None; RAYS];
    alone.closest_hits(&rays, &mut hits)?;
    let hit = hits.iter().flatten().count();
    say(&format!(
        "{name}: {} triangles, a tree built in {:.1} ms; {hit} of {RAYS} rays hit",
        tree.len(),
        1e3 * built.as_secs_f64()
    ));
    let mut race = Race::new();
    let (mesh, palette, points) = (&mesh, &palettes[7], &skinned);
    race.add("skin positions", move || {
        let _: Result<(), Error> = mesh.skin(black_box(palette), &options, &mut skinned_too);
    });
    race.add("refit", move || {
        let _ = tree.refit(black_box(points).points());
    });
    race.add("100 rays, closest", || {
        let _ = alone.closest_hits(black_box(&rays), &mut hits);
    });
    let (rays_too, mut hits_too) = (rays.clone(), vec![None; RAYS]);
    race.add("refit and 100 rays, closest", move || {
        let _ = cast.refit(black_box(points).points());
        let _ = cast.closest_hits(black_box(&rays_too), &mut hits_too);
    });
    for timing in race.run(length) {
        say(&format!("    {:<30} {:9.1} us", timing.name, 1e6 * timing.seconds));
    }
    Ok(())
}

fn lazily(name: &str, wanted: usize) -> Result<(), Box<dyn std::error::Error>> {
    let Posed { mesh, palettes } = Posed::new(name)?;
    let mut lazy = LazyTree::new(&mesh);
    let options = SkinOptions::default();
    let mut positions = Skinned::new(&mesh, Attributes::Positions)?;
    let mut all = Skinned::new(&mesh, Attributes::of(&mesh))?;
    let random = &mut Random::new(2);
    let mut seconds: [Vec<f64>; 3] = Default::default();
    while seconds[0].len() < wanted {
        let palette = &palettes[random.below(palettes.len())];
        let ray = ray(random);
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
    say(&format!("{name}: medians over {wanted} rays that hit, each in a frame of its own"));
    say(&format!("    one lazy ray            {ray:9.2} us"));
    say(&format!("    skin positions          {positions:9.2} us {:7.1} x a ray", positions / ray));
    say(&format!("    skin all attributes     {all:9.2} us {:7.1} x a ray", all / ray));
    Ok(())
}

fn say(line: &str) {
    // Nobody is left to tell when the output is closed.
    let _ = writeln!(stdout(), "{line}");
}
