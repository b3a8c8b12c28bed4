//! Planes, silhouettes, shadow volumes, BVHs and ray casts read vertices where skinning wrote them,
//! in any layout and either order, and find what they find in blocks.

use sinew::geometry::{Light, MeshFacing, PlaneNormals, Planes, PositionView, Triangles};
use sinew::query::{LazyBvh, MeshBvh, TriangleHit};
use sinew::skinning::{
    SkinMethod, Target, VertexAttribute, VertexFormat, VertexLayout, VertexLayoutError, VertexOrder,
    VertexWriter,
};
use sinew::{Instance, InstanceOptions, Mesh, Palette, Ray, SkinOptions};
use sinew_testkit::random::Random;

use crate::support::backends::fast_runtime;
use crate::support::one_vertex_model::{SlideKeys, one_vertex_model};
use crate::support::posed_figure::PosedFigure;
use crate::support::scene_cache::scene_model;

const ORDERS: [VertexOrder; 2] = [VertexOrder::Run, VertexOrder::Source];

/// Layouts of positions, with other attributes before, behind and around them.
fn layouts() -> Vec<VertexLayout> {
    use VertexAttribute::{Normal, Position};
    use VertexFormat::{Float16x4, Float32x3, Float32x4, Snorm8x4};
    let interleaved = VertexLayout::interleaved;
    vec![
        VertexLayout::packed(1),
        VertexLayout::separate().with(Position, Float32x3, 8).with_stride(Position, 20),
        interleaved(16).with(Position, Float32x4, 0),
        interleaved(24).with(Position, Float32x3, 12).with(Normal, Float32x3, 0),
        interleaved(32).with(Position, Float32x3, 4).with(Normal, Float16x4, 16),
        interleaved(48).with(Position, Float32x3, 36).with(Normal, Snorm8x4, 3),
        interleaved(96).with(Position, Float32x4, 80),
    ]
}

/// A buffer that begins at a multiple of four bytes.
struct Buffer {
    layout: VertexLayout,
    words: Vec<u32>,
    vertices: usize,
}

impl Buffer {
    fn new(layout: VertexLayout, vertices: usize) -> Self {
        let words = vec![0x7fc0_1234; layout.buffer_len(0, vertices).div_ceil(4)];
        Self { layout, words, vertices }
    }

    fn skinned(mesh: &Mesh, palette: &Palette, layout: VertexLayout, order: VertexOrder) -> Self {
        let mut buffer = Self::new(layout, mesh.len_in(order));
        let target = buffer.target(order);
        mesh.skin_into(palette, &SkinOptions::default(), target).expect("a sound target");
        buffer
    }

    fn target(&mut self, order: VertexOrder) -> Target<'_> {
        let writer = VertexWriter::new(&self.layout, [&mut self.words], self.vertices).expect("sound");
        Target::vertices(writer).in_order(order)
    }

    fn view(&self) -> PositionView<'_> {
        PositionView::in_layout(&self.layout, &self.words, self.vertices).expect("a sound buffer")
    }
}

fn bits(positions: PositionView<'_>) -> Vec<[u32; 3]> {
    (0..positions.len()).map(|vertex| positions.position(vertex).map(f32::to_bits)).collect()
}

#[test]
fn every_layout_in_run_order_gives_the_same_bits_as_blocks() {
    let mut figure = PosedFigure::with_vertices(1000);
    let mut random = Random::new(600);
    let mesh = figure.mesh.clone();
    let list = mesh.triangle_list();
    for round in 0..3 {
        figure.pose_randomly(&mut random);
        let light = figure.random_light(&mut random);
        let rays: Vec<Ray> = (0..100).map(|_| figure.random_ray(&mut random)).collect();
        let expected = Answers::new(&mesh, VertexOrder::Run, figure.position_view(), &list, light, &rays);
        assert!(round > 0 || expected.hits.iter().flatten().count() > 20, "rays must hit");
        for layout in layouts() {
            let buffer = Buffer::skinned(&mesh, &figure.palette, layout, VertexOrder::Run);
            assert_eq!(bits(buffer.view()), bits(figure.position_view()), "{layout:?}");
            let found = Answers::new(&mesh, VertexOrder::Run, buffer.view(), &list, light, &rays);
            assert_eq!(found, expected, "{layout:?}");
        }
    }
}

#[test]
fn source_order_gives_the_same_triangles_as_run_order() {
    let mut figure = PosedFigure::with_vertices(1000);
    let mut random = Random::new(601);
    let mesh = figure.mesh.clone();
    let source = mesh.triangles_in(VertexOrder::Source);
    assert_eq!(source[5].map(|vertex| mesh.remap()[vertex as usize]), mesh.triangles()[5]);
    figure.pose_randomly(&mut random);
    let light = figure.random_light(&mut random);
    let rays: Vec<Ray> = (0..300).map(|_| figure.random_ray(&mut random)).collect();
    let in_runs =
        Answers::new(&mesh, VertexOrder::Run, figure.position_view(), &mesh.triangle_list(), light, &rays);
    let list = Triangles::narrowest(&source);
    let mut expected: Option<Answers> = None;
    for layout in layouts() {
        let buffer = Buffer::skinned(&mesh, &figure.palette, layout, VertexOrder::Source);
        let found = Answers::new(&mesh, VertexOrder::Source, buffer.view(), &list, light, &rays);
        // Positions differ from those in run order by rounding.
        for (a, b) in found.planes.iter().zip(&in_runs.planes) {
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 2e-3), "{a:?} {b:?}");
        }
        for (a, b) in found.hits.iter().zip(&in_runs.hits) {
            let distance = |hit: &Option<TriangleHit>| hit.as_ref().map_or(f32::MAX, |hit| hit.distance);
            assert!((distance(a) - distance(b)).abs() < 1e-4, "{a:?} {b:?}");
        }
        let lengths = [found.silhouette.len(), in_runs.silhouette.len()].map(|len| len as f64);
        assert!((lengths[0] - lengths[1]).abs() <= 0.02 * lengths[1], "edges of silhouettes: {lengths:?}");
        assert_eq!(expected.get_or_insert_with(|| found.clone()), &found, "{layout:?}");
    }
}

/// What algorithms find in posed vertices.
#[derive(Clone, Debug, PartialEq)]
struct Answers {
    planes: Vec<[f32; 4]>,
    silhouette: Vec<[u32; 2]>,
    shadow: (Vec<[u32; 4]>, Vec<[u32; 3]>),
    hits: Vec<Option<TriangleHit>>,
}

impl Answers {
    fn new(
        mesh: &Mesh,
        order: VertexOrder,
        positions: PositionView<'_>,
        triangles: &Triangles,
        light: Light,
        rays: &[Ray],
    ) -> Self {
        let mut planes = Planes::new(triangles, mesh.runtime());
        planes.derive(positions, triangles, PlaneNormals::Unit).expect("sound input");
        let mut facing = MeshFacing::in_order(mesh, order).expect("sound input");
        let (mut vertices, mut shadow) = (Vec::new(), Vec::new());
        facing.append_shadow(positions, light, &mut vertices, &mut shadow).expect("sound input");
        let silhouette = facing.silhouette(positions, light).expect("sound input").edges().to_vec();
        let mut bvh = MeshBvh::build_in(mesh, order);
        bvh.refit(positions).expect("sound input");
        let built = MeshBvh::from_triangles(positions, &mesh.triangles_in(order)).expect("sound input");
        let hits: Vec<_> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
        assert_eq!(hits, rays.iter().map(|ray| built.closest_hit(ray)).collect::<Vec<_>>());
        Self {
            planes: planes
                .planes()
                .iter()
                .map(|plane| [plane.normal[0], plane.normal[1], plane.normal[2], plane.distance])
                .collect(),
            silhouette,
            shadow: (vertices.iter().map(|vertex| vertex.map(f32::to_bits)).collect(), shadow),
            hits,
        }
    }
}

#[test]
fn a_lazy_bvh_reads_skinned_vertices_of_either_order() {
    let mut figure = PosedFigure::with_vertices(2000);
    let mut random = Random::new(602);
    let mesh = figure.mesh.clone();
    let mut lazy = LazyBvh::build(&mesh);
    for frame in 0..6 {
        figure.pose_randomly(&mut random);
        let rays: Vec<Ray> = (0..80).map(|_| figure.random_ray(&mut random)).collect();
        for order in ORDERS {
            let layout = layouts()[frame];
            let buffer = Buffer::skinned(&mesh, &figure.palette, layout, order);
            let mut expected = MeshBvh::build_in(&mesh, order);
            expected.refit(buffer.view()).unwrap();
            let mut cast = lazy
                .begin(&mesh, &figure.palette, &SkinOptions::default())
                .and_then(|cast| cast.reading(buffer.view(), order))
                .unwrap();
            // After 64 rays all vertices are read.
            for ray in &rays {
                assert_eq!(cast.closest_hit(ray), expected.closest_hit(ray), "{order:?}");
            }
            assert_eq!(cast.bvh().closest_hit(&rays[0]), expected.closest_hit(&rays[0]));
        }
    }
}

/// A figure in the middle of a walk.
fn walking(skin_method: SkinMethod) -> Instance {
    let model = scene_model("@figure:2000");
    let mut instance = model.instance_with(&InstanceOptions::default().with_skin_method(skin_method));
    instance.play("walk").expect("sound input");
    instance
}

fn random_rays(random: &mut Random, len: usize) -> Vec<Ray> {
    let ray = |_| {
        let ([x, _, z], height) = (random.vector(3.0), random.between(0.0, 1.8));
        let [a, b, c] = random.vector(0.3);
        Ray::new([x, height, z], [a - x, b, c - z])
    };
    (0..len).map(ray).collect()
}

#[test]
fn casting_after_skinning_gives_the_hits_of_casting_alone() {
    for skin_method in [SkinMethod::Linear, SkinMethod::DualQuaternion] {
        let mut random = Random::new(603);
        let (mut alone, mut after, mut between) =
            (walking(skin_method), walking(skin_method), walking(skin_method));
        let mut hits = 0;
        for _ in 0..10 {
            for instance in [&mut alone, &mut after, &mut between] {
                instance.step(0.07);
            }
            after.skin();
            for (i, ray) in random_rays(&mut random, 10).iter().enumerate() {
                if i == 5 {
                    between.skin();
                }
                let expected = alone.cast(ray);
                hits += usize::from(expected.is_some());
                assert_eq!(after.cast(ray), expected, "{skin_method:?}");
                assert_eq!(between.cast(ray), expected, "{skin_method:?}");
            }
            assert!(after.skin().mesh_instances()[0].blocks() == alone.skin().mesh_instances()[0].blocks());
        }
        assert!(hits > 20, "{hits} hits");
    }
}

#[test]
fn casting_in_skinned_vertices_reads_them() {
    for skin_method in [SkinMethod::Linear, SkinMethod::DualQuaternion] {
        let mut random = Random::new(604);
        let (mut instance, mut alone) = (walking(skin_method), walking(skin_method));
        let mesh = instance.model().primitive(0).mesh.clone();
        for frame in 0..7 {
            for instance in [&mut instance, &mut alone] {
                instance.step(0.05);
            }
            for order in ORDERS {
                let mut buffer = Buffer::new(layouts()[frame], mesh.len_in(order));
                // So that vertices of this order are read, not those of the order before.
                instance.joint_mut(sinew::JointId::new(0)).translate([0.0; 3]);
                instance.skin_into(0, buffer.target(order)).unwrap();
                let mut expected = MeshBvh::build_in(&mesh, order);
                expected.refit(buffer.view()).unwrap();
                for ray in random_rays(&mut random, 20) {
                    let found = instance.cast_in(0, buffer.view(), order, &ray).unwrap();
                    let expected = expected.closest_hit(&ray);
                    let at = |hit: &TriangleHit| (hit.triangle, hit.point, hit.distance, hit.side);
                    let found_at = found.map(|hit| (hit.triangle, hit.point, hit.distance, hit.side));
                    assert_eq!(found_at, expected.as_ref().map(at), "{skin_method:?} {order:?}");
                    if order == VertexOrder::Run {
                        assert_eq!(found, alone.cast(&ray), "{skin_method:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn skinning_again_follows_every_change_of_the_pose() {
    let model = one_vertex_model(&SlideKeys {
        times: [0.0, 2.0],
        translations: [[0.0; 3], [4.0, 0.0, 0.0]],
        morph_weights: [0.0, 2.0],
    });
    let mut instance = model.instance();
    let start = instance.skin().position(0, 0);
    assert_eq!(instance.skin().position(0, 0), start);
    // Morph weights alone move the vertex, too.
    instance.pose_mut().morph_weights_mut()[0] = 1.0;
    assert_ne!(instance.skin().position(0, 0), start);
    instance.pose_mut().morph_weights_mut()[0] = 0.0;
    assert_eq!(instance.skin().position(0, 0), start);
    instance.play("slide").unwrap();
    instance.step(1.0);
    assert_ne!(instance.skin().position(0, 0), start);
}

#[test]
fn vertices_that_are_not_finite_are_not_hit_and_have_no_plane() {
    let layout = VertexLayout::interleaved(20).with(VertexAttribute::Position, VertexFormat::Float32x3, 4);
    let mut buffer = Buffer::new(layout, 4);
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0_f32]];
    for (vertex, corner) in buffer.words.chunks_mut(5).zip(corners) {
        vertex[1..4].copy_from_slice(&corner.map(f32::to_bits));
    }
    let triangles = [[0, 1, 2], [0, 2, 3]];
    let list = Triangles::narrowest(&triangles);
    let rays = [[0.7, 0.2], [0.2, 0.7]].map(|[x, y]| Ray::new([x, y, 1.0], [0.0, 0.0, -1.0]));
    let mut bvh = MeshBvh::from_triangles(buffer.view(), &triangles).unwrap();
    assert!(rays.iter().all(|ray| bvh.any_hit(ray)));
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for axis in 0..3 {
            let good = std::mem::replace(&mut buffer.words[5 * 3 + 1 + axis], bad.to_bits());
            bvh.refit(buffer.view()).unwrap();
            assert_eq!(rays.map(|ray| bvh.any_hit(&ray)), [true, false]);
            let mut planes = Planes::new(&list, fast_runtime());
            planes.derive(buffer.view(), &list, PlaneNormals::Unit).unwrap();
            assert_eq!(planes.planes()[1], sinew::geometry::Plane::NONE);
            assert_ne!(planes.planes()[0], sinew::geometry::Plane::NONE);
            buffer.words[5 * 3 + 1 + axis] = good;
        }
    }
}

#[test]
fn unsuited_layouts_and_buffers_are_errors() {
    use VertexAttribute::{Normal, Position};
    use VertexFormat::{Float16x4, Float32x3, Snorm8x4, Snorm16x2Octahedral, Snorm16x4};
    let interleaved = VertexLayout::interleaved;
    let fault = |layout: &VertexLayout, bytes: &[u32], vertices: usize| {
        PositionView::in_layout(layout, bytes, vertices).expect_err("a fault")
    };
    let words = [0_u32; 64];
    for format in [Float16x4, Snorm16x4, Snorm8x4] {
        let error = fault(&interleaved(16).with(Position, format, 0), &words, 3);
        assert_eq!(error, VertexLayoutError::QuantizedPosition { found: format });
        let expected =
            format!("vertex layout: expected a position of three or four f32 to read, found {format:?}");
        assert_eq!(error.to_string(), expected);
    }
    let octahedral = interleaved(16).with(Position, Snorm16x2Octahedral, 0);
    assert_eq!(fault(&octahedral, &words, 3), VertexLayoutError::OctahedralPosition);
    let none = fault(&interleaved(12).with(Normal, Float32x3, 0), &words, 3);
    assert_eq!(none.to_string(), "vertex layout: expected a position to read, found none");
    for layout in [
        interleaved(8).with(Position, Float32x3, 0),
        interleaved(18).with(Position, Float32x3, 0),
        interleaved(24).with(Position, Float32x3, 2),
        interleaved(24).with(Position, Float32x3, 0).with(Normal, Float32x3, 8),
        interleaved(0).with(Position, Float32x3, 0),
    ] {
        assert_eq!(Err(fault(&layout, &words, 1)), layout.check());
    }
    let layout = interleaved(32).with(Position, Float32x3, 4).with(Normal, Float32x3, 16);
    // The buffer of vertices ends with the last attribute of the last one.
    assert!(PositionView::in_layout(&layout, &words[..16 + 7], 3).is_ok());
    for (len, vertices) in [(22, 3), (0, 1), (64, 9), (64, usize::MAX)] {
        let expected = VertexLayoutError::BufferTooShort {
            buffer: 0,
            expected: layout.buffer_len(0, vertices),
            found: 4 * len,
        };
        assert_eq!(fault(&layout, &words[..len], vertices), expected);
    }
    let bytes = [0_u8; 200];
    let aligned = bytes.as_ptr().align_offset(4);
    for shift in 1..4 {
        let view = PositionView::in_layout(&layout, &bytes[aligned + shift..], 3);
        assert_eq!(view.err(), Some(VertexLayoutError::BufferMisaligned { buffer: 0, multiple: 4 }));
    }
    assert!(PositionView::in_layout(&layout, &bytes[aligned..], 3).is_ok());
    assert!(PositionView::in_layout(&layout, &bytes[..0], 0).is_ok_and(|view| view.is_empty()));
}

#[test]
fn views_of_other_lengths_are_errors() {
    let mut instance = walking(SkinMethod::Linear);
    let mesh = instance.model().primitive(0).mesh.clone();
    let ray = Ray::new([0.0, 1.2, 10.0], [0.0, 0.0, -1.0]);
    for order in ORDERS {
        let len = mesh.len_in(order);
        for other in [0, len - 1, len + 1] {
            let positions = vec![[0.0; 3]; other];
            let view = PositionView::Packed(&positions);
            let message = instance.cast_in(0, view, order, &ray).unwrap_err().to_string();
            assert_eq!(message, format!("skinned positions: expected {len}, found {other}"));
            assert!(MeshBvh::build_in(&mesh, order).refit(view).is_err());
            let light = Light::Direction([1.0; 3]);
            assert!(MeshFacing::in_order(&mesh, order).unwrap().update(view, light).is_err());
        }
        let positions = vec![[0.0; 3]; len];
        let error = instance.cast_in(1, PositionView::Packed(&positions), order, &ray).unwrap_err();
        assert_eq!(error.to_string(), "expected a mesh instance below 1, found 1");
    }
}
