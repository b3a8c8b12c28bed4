//! Renders the figure with its shadow at 960 by 600 pixels: milliseconds on one thread, and the
//! speedup of two.
//!
//! Run with `cargo bench -p sinew-raster`. A frame is everything from vertices in clip space to
//! pixels: submission, clipping, binning, rasterization and shadow volumes. Submission, and
//! rasterization with shadow volumes, are also timed alone; the difference is clipping and binning.

use std::error::Error;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::Duration;

use sinew::geometry::{Edges, Facing, Light, PositionView, ShadowBuffers, ShadowCast, Side};
use sinew_bench::timer::{AlternatingTimer, Length};
use sinew_raster::{
    Camera, Canvas, CullMode, Picture, ShadowVolume, Size, Triangles, Vertex, ViewProjection,
};

const LENGTH: Length = Length { rounds: 41, sample: Duration::from_millis(20) };
const LIGHT: [f32; 3] = [-0.5, 0.75, 0.45];

/// The geometry that is rendered.
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
        let camera = Camera {
            position: [2.1, 1.75, 3.6],
            target: [0.0, 0.9, 0.0],
            tan_half_fov: 0.268,
            near: 0.04,
            ..Camera::default()
        };
        let view = ViewProjection::new(&camera, size)?;
        let model = sinew_figures::scene("@figure")?.model()?;
        let mesh = &model.primitive(0).mesh;
        let mut figure = model.instance();
        figure.play("walk")?;
        figure.step(0.3);
        let skinned = figure.skin().mesh_instances()[0].clone();
        let points = skinned.position_view();
        let edges = Edges::new(mesh)?;
        let (volume, volume_triangles) = shadow_volume(&edges, points, &view)?;
        let (floor, floor_triangles) = floor(&view);
        let skin = (0..points.len()).map(|slot| {
            let normal = skinned.blocks()[slot / 8 * skinned.attributes().vectors() + 1].vector(slot % 8);
            lit_vertex(view.transform_point(points.position(slot)), normal)
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

    /// Submits surfaces and shadow to a canvas.
    fn submit(&self, canvas: &mut Canvas) -> Result<(), sinew_raster::Error> {
        canvas.clear([0.75, 0.79, 0.82]);
        canvas.add_triangles(&Triangles { triangles: &self.skin_triangles, ..Triangles::new(&self.skin) })?;
        let floor = Triangles { triangles: &self.floor_triangles, ..Triangles::new(&self.floor) };
        canvas.add_triangles(&Triangles { cull_mode: CullMode::Back, ..floor })?;
        canvas.add_shadow_volume(&ShadowVolume { positions: &self.volume, triangles: &self.volume_triangles })
    }
}

fn lit_vertex(position: [f32; 4], normal: [f32; 3]) -> Vertex {
    let diffuse = (normal[0] * LIGHT[0] + normal[1] * LIGHT[1] + normal[2] * LIGHT[2]).max(0.0);
    Vertex { position, lit: [0.2 + 0.6 * diffuse; 3], shadowed: [0.2; 3] }
}

/// Vertices in clip space, and triangles.
type VolumeMesh = (Vec<[f32; 4]>, Vec<[u32; 3]>);

/// The shadow volume of the figure.
fn shadow_volume(
    edges: &Edges,
    points: PositionView<'_>,
    view: &ViewProjection,
) -> Result<VolumeMesh, sinew::Error> {
    let mut facing = Facing::new(edges.triangles().len());
    for (triangle, corners) in edges.triangles().iter().enumerate() {
        let [a, b, c] = corners.map(|slot| points.position(slot as usize));
        let [u, v] = [b, c].map(|to| [to[0] - a[0], to[1] - a[1], to[2] - a[2]]);
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        if normal[0] * LIGHT[0] + normal[1] * LIGHT[1] + normal[2] * LIGHT[2] > 0.0 {
            facing.set(triangle, Side::Front);
        }
    }
    let casters = edges.report().casters();
    let size = edges.shadow_size(casters);
    let (mut vertices, mut triangles) = (vec![[0.0; 4]; size.vertices], vec![[0; 3]; size.triangles]);
    let cast = ShadowCast { positions: points, light: Light::Direction(LIGHT), facing: &facing, casters };
    let to = ShadowBuffers { vertices: &mut vertices, triangles: &mut triangles };
    let written = edges.cast_shadow(&cast, to)?;
    triangles.truncate(written.triangles());
    Ok((vertices[..written.vertices].iter().map(|&vertex| view.transform(vertex)).collect(), triangles))
}

/// A floor of a few thousand triangles.
fn floor(view: &ViewProjection) -> (Vec<Vertex>, Vec<[u32; 3]>) {
    const SIDE: u32 = 32;
    let at = |step: u32| 6.0 * (step as f32 / SIDE as f32 - 0.5);
    let vertex = |index: u32| {
        let position = view.transform_point([at(index % (SIDE + 1)), 0.0, at(index / (SIDE + 1))]);
        Vertex { position, lit: [0.85; 3], shadowed: [0.4; 3] }
    };
    let square = |index: u32| {
        let corner = index / SIDE * (SIDE + 1) + index % SIDE;
        let [a, b, c, d] = [corner, corner + 1, corner + SIDE + 1, corner + SIDE + 2];
        [[a, c, d], [a, d, b]]
    };
    ((0..(SIDE + 1) * (SIDE + 1)).map(vertex).collect(), (0..SIDE * SIDE).flat_map(square).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    // Under `cargo test` it only has to run.
    let length = if std::env::args().any(|argument| argument == "--bench") { LENGTH } else { Length::SMOKE };
    let size = Size::new(960, 600)?;
    let scene = Scene::new(size)?;
    let frame = |threads: usize| {
        let (mut canvas, mut picture) = (Canvas::new(size), Picture::new(size));
        let scene = &scene;
        move || {
            scene.submit(&mut canvas).expect("vertex indices are in range");
            canvas.render(&[], threads, &mut picture);
            black_box(&picture);
        }
    };
    let mut submitted = Canvas::new(size);
    let mut full = Canvas::new(size);
    scene.submit(&mut full)?;
    let mut picture = Picture::new(size);
    let mut race = AlternatingTimer::new();
    race.add("frame, one thread", frame(1));
    race.add("frame, two threads", frame(2));
    race.add("submission", || scene.submit(&mut submitted).expect("vertex indices are in range"));
    race.add("rasterization, one thread", || full.render(&[], 1, &mut picture));
    let mut out = stdout().lock();
    for timing in race.run(length) {
        let (low, high) = timing.spread;
        writeln!(
            out,
            "{:<28}{:>8.2} ms{:>8.2} times as fast ({low:.2} to {high:.2})",
            timing.name,
            timing.seconds * 1e3,
            timing.speed
        )?;
    }
    Ok(())
}
