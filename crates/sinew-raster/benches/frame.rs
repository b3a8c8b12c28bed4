//! A picture of the figure with its shadow, 960 by 600 pixels: milliseconds on one thread, and how much faster two are.
//!
//! `cargo bench -p sinew-raster`. A frame is everything from vertices in clip space to pixels: collecting, cutting, sorting into
//! tiles, filling, counting shadow volumes. The first and the last two are timed too; what is missing is cutting and sorting.

use std::error::Error;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::Duration;

use sinew::{Edges, Facing, Light, Points, ShadowBuffers, ShadowCast, Side};
use sinew_raster::{Canvas, Eye, Picture, Sides, Size, Triangles, Vertex, View, Volume};
use sinew_testkit::timer::{Length, Race};

const LENGTH: Length = Length { rounds: 41, sample: Duration::from_millis(20) };
const LIGHT: [f32; 3] = [-0.5, 0.75, 0.45];

/// What is drawn.
struct Scene {
    skin: Vec<Vertex>,
    skin_triangles: Vec<[u32; 3]>,
    floor: Vec<Vertex>,
    floor_triangles: Vec<[u32; 3]>,
    volume: Vec<[f32; 4]>,
    volume_triangles: Vec<[u32; 3]>,
}

impl Scene {
    fn new(size: Size) -> Result<Self, Box<dyn Error>> {
        let eye =
            Eye { at: [2.1, 1.75, 3.6], target: [0.0, 0.9, 0.0], slope: 0.268, near: 0.04, ..Eye::default() };
        let view = View::new(&eye, size)?;
        let model = sinew_figures::scene("@figure")?.model()?;
        let mesh = &model.surface(0).mesh;
        let mut figure = model.instance();
        figure.play("walk")?;
        figure.step(0.3);
        let skinned = figure.skin().parts()[0].clone();
        let points = skinned.points();
        let edges = Edges::new(mesh)?;
        let (volume, volume_triangles) = volume(&edges, points, &view)?;
        let (floor, floor_triangles) = floor(&view);
        let skin = (0..points.len()).map(|place| {
            let normal = skinned.blocks()[place / 8 * skinned.attributes().vectors() + 1].vector(place % 8);
            lit(view.point(points.point(place)), normal)
        });
        Ok(Self {
            skin: skin.collect(),
            skin_triangles: mesh.triangles().to_vec(),
            floor,
            floor_triangles,
            volume,
            volume_triangles,
        })
    }

    /// Surfaces and shadow into a canvas.
    fn put(&self, canvas: &mut Canvas) -> Result<(), sinew_raster::Error> {
        canvas.clear([0.75, 0.79, 0.82]);
        canvas.triangles(&Triangles { triangles: &self.skin_triangles, ..Triangles::of(&self.skin) })?;
        let floor = Triangles { triangles: &self.floor_triangles, ..Triangles::of(&self.floor) };
        canvas.triangles(&Triangles { sides: Sides::Front, ..floor })?;
        canvas.volume(&Volume { places: &self.volume, triangles: &self.volume_triangles })
    }
}

fn lit(place: [f32; 4], normal: [f32; 3]) -> Vertex {
    let along = (normal[0] * LIGHT[0] + normal[1] * LIGHT[1] + normal[2] * LIGHT[2]).max(0.0);
    Vertex { place, lit: [0.2 + 0.6 * along; 3], shaded: [0.2; 3], texture: [0.0; 2] }
}

/// Places in clip space, and triangles.
type Solid = (Vec<[f32; 4]>, Vec<[u32; 3]>);

/// What of space the light does not reach.
fn volume(edges: &Edges, points: Points<'_>, view: &View) -> Result<Solid, sinew::Error> {
    let mut facing = Facing::new(edges.triangles().len());
    for (triangle, corners) in edges.triangles().iter().enumerate() {
        let [a, b, c] = corners.map(|place| points.point(place as usize));
        let [u, v] = [b, c].map(|to| [to[0] - a[0], to[1] - a[1], to[2] - a[2]]);
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        if normal[0] * LIGHT[0] + normal[1] * LIGHT[1] + normal[2] * LIGHT[2] > 0.0 {
            facing.set(triangle, Side::Front);
        }
    }
    let casters = edges.report().casters();
    let size = edges.shadow_size(casters);
    let (mut vertices, mut triangles) = (vec![[0.0; 4]; size.vertices], vec![[0; 3]; size.triangles]);
    let cast = ShadowCast { points, light: Light::Direction(LIGHT), facing: &facing, casters };
    let to = ShadowBuffers { vertices: &mut vertices, triangles: &mut triangles };
    let made = edges.cast_shadow(&cast, to)?;
    triangles.truncate(made.triangles());
    Ok((vertices[..made.vertices].iter().map(|&vertex| view.homogeneous(vertex)).collect(), triangles))
}

/// A floor of a few thousand triangles.
fn floor(view: &View) -> (Vec<Vertex>, Vec<[u32; 3]>) {
    const SIDE: u32 = 32;
    let at = |step: u32| 6.0 * (step as f32 / SIDE as f32 - 0.5);
    let vertex = |index: u32| {
        let place = view.point([at(index % (SIDE + 1)), 0.0, at(index / (SIDE + 1))]);
        Vertex { place, lit: [0.85; 3], shaded: [0.4; 3], texture: [0.0; 2] }
    };
    let square = |index: u32| {
        let corner = index / SIDE * (SIDE + 1) + index % SIDE;
        let [a, b, c, d] = [corner, corner + 1, corner + SIDE + 1, corner + SIDE + 2];
        [[a, c, d], [a, d, b]]
    };
    ((0..(SIDE + 1) * (SIDE + 1)).map(vertex).collect(), (0..SIDE * SIDE).flat_map(square).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    // As a test it only has to run.
    let length = if std::env::args().any(|argument| argument == "--bench") { LENGTH } else { Length::SMOKE };
    let size = Size::new(960, 600)?;
    let scene = Scene::new(size)?;
    let frame = |threads: usize| {
        let (mut canvas, mut picture) = (Canvas::new(size), Picture::new(size));
        let scene = &scene;
        move || {
            scene.put(&mut canvas).expect("all corners are there");
            canvas.draw(&[], threads, &mut picture);
            black_box(&picture);
        }
    };
    let mut collected = Canvas::new(size);
    let mut full = Canvas::new(size);
    scene.put(&mut full)?;
    let mut picture = Picture::new(size);
    let mut race = Race::new();
    race.add("frame, one thread", frame(1));
    race.add("frame, two threads", frame(2));
    race.add("collected", || scene.put(&mut collected).expect("all corners are there"));
    race.add("filled, one thread", || full.draw(&[], 1, &mut picture));
    let mut out = stdout().lock();
    for timing in race.run(length) {
        let (low, high) = timing.spread;
        writeln!(
            out,
            "{:<22}{:>8.2} ms{:>8.2} times as fast ({low:.2} to {high:.2})",
            timing.name,
            timing.seconds * 1e3,
            timing.speed
        )?;
    }
    Ok(())
}
