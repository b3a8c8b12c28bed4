//! Shadow volumes are closed, and contain exactly the points that the light does not reach.

use sinew::LengthError;
use sinew::geometry::{
    Casters, Edges, Facing, GeometryError, Light, PositionView, ShadowBuffers, ShadowCast, ShadowSize,
    ShadowVolume,
};
use sinew::mesh::VectorBlock;
use sinew_testkit::backends::EMULATED;
use sinew_testkit::random::Random;

use crate::support::posed_figure::PosedFigure;
use crate::support::shadow_oracle::{Occluders, count_occluders, stencil_count};
use crate::support::triangle_meshes::{TriangleMesh, random_facing, unbalanced_edges};

const CASTERS: [Casters; 2] = [Casters::Front, Casters::All];
const LIGHTS: [Light; 2] = [Light::Point([3.0, 4.0, 5.0]), Light::Direction([1.0, -2.0, 0.5])];
/// The least distance of a tested point from a shadow boundary, relative to the mesh's size.
const MARGIN: f64 = 1e-5;

/// A volume with its buffers.
struct Cast {
    vertices: Vec<[f32; 4]>,
    triangles: Vec<[u32; 3]>,
    volume: ShadowVolume,
}

impl Cast {
    fn new(edges: &Edges, cast: &ShadowCast<'_>) -> Self {
        let ShadowSize { vertices, triangles } = edges.shadow_size(cast.casters);
        let (mut vertices, mut triangles) = (vec![[0.0; 4]; vertices], vec![[0; 3]; triangles]);
        let buffers = ShadowBuffers { vertices: &mut vertices, triangles: &mut triangles };
        let volume = edges.cast_shadow(cast, buffers).expect("memory of that size");
        vertices.truncate(volume.vertices);
        triangles.truncate(volume.triangles());
        Self { vertices, triangles, volume }
    }

    fn count(&self, eye: [f64; 3], point: [f64; 3]) -> i32 {
        let vertices: Vec<[f64; 4]> = self.vertices.iter().map(|vertex| vertex.map(f64::from)).collect();
        stencil_count(&vertices, &self.triangles, eye, point)
    }
}

#[test]
fn volumes_are_closed_for_any_mesh_and_any_facing_bits() {
    let random = &mut Random::new(1);
    for mesh in TriangleMesh::every_topology(random) {
        let edges = mesh.edges();
        for round in 0..20 {
            let facing = random_facing(mesh.triangles.len(), random);
            for (light, casters) in
                LIGHTS.into_iter().flat_map(|light| CASTERS.map(|casters| (light, casters)))
            {
                let points = PositionView::Packed(&mesh.points);
                let cast =
                    Cast::new(&edges, &ShadowCast { positions: points, light, facing: &facing, casters });
                let open = unbalanced_edges(&cast.triangles);
                assert!(open.is_empty(), "{}, round {round}, {light:?}, {casters:?}: {open:?}", mesh.name);
                let vertices = cast.vertices.len() as u32;
                assert!(cast.triangles.as_flattened().iter().all(|&vertex| vertex < vertices));
            }
        }
    }
}

#[test]
fn front_cap_sides_and_back_cap_are_consecutive() {
    let mesh = TriangleMesh::cube();
    let points = PositionView::Packed(&mesh.points);
    for (light, casters) in LIGHTS.into_iter().flat_map(|light| CASTERS.map(|casters| (light, casters))) {
        let facing = &mesh.facing(light);
        let Cast { volume, .. } =
            Cast::new(&mesh.edges(), &ShadowCast { positions: points, light, facing, casters });
        // Three faces are lit, and six edges separate them from the others.
        let (cap, ends) = if casters == Casters::All { (12, 12) } else { (6, 6) };
        let point = matches!(light, Light::Point(_));
        let (sides, back, vertices) = if point { (2 * ends, cap, 48) } else { (ends, 0, 25) };
        assert_eq!(volume.front_cap, 0..cap);
        assert_eq!(volume.sides, cap..cap + sides);
        assert_eq!(volume.back_cap, cap + sides..cap + sides + back);
        assert_eq!(volume.vertices, vertices);
    }
}

/// Compares the stencil counts of random points with their occluders. Returns how many points were
/// far enough from a shadow boundary to be compared.
fn compare_with_occluders(
    mesh: &TriangleMesh,
    edges: &Edges,
    light: Light,
    tries: usize,
    random: &mut Random,
) -> usize {
    let facing = mesh.facing(light);
    let points = PositionView::Packed(&mesh.points);
    let casts = CASTERS
        .map(|casters| Cast::new(edges, &ShadowCast { positions: points, light, facing: &facing, casters }));
    let vertices = casts
        .each_ref()
        .map(|cast| cast.vertices.iter().map(|vertex| vertex.map(f64::from)).collect::<Vec<_>>());
    let exact: Vec<[f64; 3]> = mesh.points.iter().map(|point| point.map(f64::from)).collect();
    let (low, high) = min_max(&mesh.points);
    let size = (0..3).map(|axis| f64::from(high[axis] - low[axis])).fold(0.0, f64::max);
    let mut counted = 0;
    for _ in 0..tries {
        let [eye, point] = [0; 2].map(|_| random_point_around(low, high, random).map(f64::from));
        let Some(Occluders { front, all }) =
            count_occluders(&exact, &mesh.triangles, point, light, MARGIN * size)
        else {
            continue;
        };
        counted += 1;
        for ((cast, vertices), expected) in casts.iter().zip(&vertices).zip([front, all]) {
            let found = stencil_count(vertices, &cast.triangles, eye, point);
            assert_eq!(found, expected, "{}, {light:?}, {eye:?}, {point:?}", mesh.name);
        }
        if edges.report().casters() == Casters::Front {
            assert_eq!(front > 0, all > 0, "{}: a closed mesh occludes with a front face, too", mesh.name);
        }
    }
    counted
}

/// A random point around a box; half of them are inside.
fn random_point_around(low: [f32; 3], high: [f32; 3], random: &mut Random) -> [f32; 3] {
    let more = if random.once_in(2) { 0.0 } else { 2.0 };
    std::array::from_fn(|axis| {
        let reach = high[axis] - low[axis];
        random.between(low[axis] - more * reach, high[axis] + more * reach)
    })
}

fn min_max(points: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    let least = |axis: usize| points.iter().map(|point| point[axis]).fold(f32::INFINITY, f32::min);
    let most = |axis: usize| points.iter().map(|point| point[axis]).fold(f32::NEG_INFINITY, f32::max);
    (std::array::from_fn(least), std::array::from_fn(most))
}

#[test]
fn the_stencil_count_equals_the_number_of_occluders() {
    let random = &mut Random::new(2);
    let (rounds, tries) = if EMULATED { (2, 40) } else { (10, 400) };
    let mut counted = 0;
    for _ in 0..rounds {
        for mesh in TriangleMesh::every_topology(random).into_iter().filter(|mesh| !mesh.points.is_empty()) {
            let edges = mesh.edges();
            let [x, y, z] = random.vector(4.0);
            // Outside of all closed meshes.
            let outside = [x + 5.0 * x.signum(), y, z];
            for light in [Light::Point(outside), Light::Direction([x, y, z])] {
                counted += compare_with_occluders(&mesh, &edges, light, tries, random);
            }
        }
    }
    assert!(counted > rounds * tries * 10, "{counted} points were not too near");
}

#[test]
fn the_shadow_of_a_walking_figure_contains_exactly_the_occluded_points() {
    let random = &mut Random::new(3);
    let (name, frames, tries) = if EMULATED { ("@figure:600", 3, 10) } else { ("@figure", 20, 502) };
    let mut figure = PosedFigure::load(name);
    let edges = Edges::new(&figure.mesh).unwrap();
    let mut counted = 0;
    for frame in 0..frames {
        figure.walk_to(frame as f32 / frames as f32);
        let points = figure.position_view();
        let points = (0..points.len()).map(|vertex| points.position(vertex)).collect();
        let mesh =
            TriangleMesh { name: name.to_owned(), points, triangles: figure.mesh.triangles().to_vec() };
        counted += compare_with_occluders(&mesh, &edges, figure.random_light(random), tries, random);
    }
    assert!(counted >= frames * tries * 99 / 100, "{counted} points were not too near");
}

#[test]
fn a_light_inside_the_mesh_needs_all_casters() {
    let mesh = TriangleMesh::cube();
    let light = Light::Point([0.25, 0.5, 0.125]);
    let facing = &mesh.facing(light);
    assert!((0..12).all(|triangle| !facing.is_front(triangle)));
    let points = PositionView::Packed(&mesh.points);
    let counts = CASTERS.map(|casters| {
        let cast = Cast::new(&mesh.edges(), &ShadowCast { positions: points, light, facing, casters });
        [cast.count([0.5, 0.25, 0.0], [3.0, 2.0, 1.0]), cast.count([0.5, 0.25, 0.0], [0.75, -0.5, 0.5])]
    });
    assert_eq!(counts, [[0, 0], [1, 0]]);
}

#[test]
fn volume_vertices_are_positions_and_their_projections_to_infinity() {
    let random = &mut Random::new(4);
    let packed: Vec<[f32; 3]> = (0..24).map(|_| random.vector(2.0)).collect();
    let padded: Vec<[f32; 4]> = packed.iter().map(|&[x, y, z]| [x, y, z, f32::NAN]).collect();
    let mut blocks = vec![VectorBlock { rows: [[f32::NAN; 8]; 3] }; 6];
    for (vertex, &point) in packed.iter().enumerate() {
        blocks[vertex / 8 * 2].set_vector(vertex % 8, point);
    }
    let triangles = [[0, 9, 23]];
    let mesh = TriangleMesh::new("triangle", &packed, &triangles);
    for points in [
        PositionView::Packed(&packed),
        PositionView::Padded(&padded),
        PositionView::Blocks { blocks: &blocks, vectors: 2 },
    ] {
        for light in LIGHTS {
            let facing = &mesh.facing(light);
            let cast = ShadowCast { positions: points, light, facing, casters: Casters::All };
            let Cast { vertices, .. } = Cast::new(&mesh.edges(), &cast);
            for (vertex, &[x, y, z]) in packed.iter().enumerate() {
                assert_eq!(vertices[vertex], [x, y, z, 1.0]);
                if let Light::Point([lx, ly, lz]) = light {
                    assert_eq!(vertices[24 + vertex], [x - lx, y - ly, z - lz, 0.0]);
                }
            }
            if let Light::Direction([x, y, z]) = light {
                assert_eq!(vertices[24..], [[-x, -y, -z, 0.0]]);
            }
        }
    }
}

#[test]
fn non_finite_lights_and_positions_give_closed_volumes() {
    let mut mesh = TriangleMesh::cube();
    let odd = [f32::NAN, f32::INFINITY, f32::MAX, 0.0, 1.0];
    let lights = odd.into_iter().flat_map(|x| [Light::Point([x, 1.0, 1.0]), Light::Direction([x, 0.0, 0.0])]);
    let lights: Vec<Light> = lights.collect();
    for broken in [None, Some([f32::NAN; 3]), Some([f32::INFINITY; 3]), Some([f32::MAX; 3])] {
        let edges = TriangleMesh::cube().edges();
        if let Some(point) = broken {
            mesh.points[5] = point;
        }
        for (light, casters) in lights.iter().flat_map(|&light| CASTERS.map(|casters| (light, casters))) {
            let facing = &mesh.facing(light);
            let points = PositionView::Packed(&mesh.points);
            let cast = Cast::new(&edges, &ShadowCast { positions: points, light, facing, casters });
            assert!(unbalanced_edges(&cast.triangles).is_empty(), "{broken:?}, {light:?}");
            if let (Some([x, ..]), Light::Point([lx, ..])) = (broken, light) {
                let touched = cast.vertices.iter().filter(|vertex| vertex[1].is_nan()).count();
                assert!(x.is_nan() || lx.is_nan() || touched <= 1, "{broken:?}, {light:?}");
            }
        }
    }
}

#[test]
fn a_light_on_a_vertex_does_not_change_the_rest_of_the_shadow() {
    let mesh = TriangleMesh::cube();
    // A light on a corner is in the planes of three faces, and behind the other three.
    let light = Light::Point([1.0, 1.0, 1.0]);
    let facing = &mesh.facing(light);
    let points = PositionView::Packed(&mesh.points);
    let cast =
        Cast::new(&mesh.edges(), &ShadowCast { positions: points, light, facing, casters: Casters::All });
    assert_eq!(cast.vertices[24..].iter().filter(|vertex| **vertex == [1.0; 4]).count(), 3);
    // Inside the cube nothing occludes the light; on the far side one face does.
    assert_eq!(cast.count([0.3, -0.2, 0.6], [0.1, 0.2, -0.3]), 0);
    assert_eq!(cast.count([0.3, -0.2, 0.6], [-2.1, -1.9, -3.3]), 1);
    assert_eq!(cast.count([0.3, -0.2, 0.6], [3.0, 2.0, 4.0]), 0);
}

#[test]
fn wrong_lengths_are_rejected() {
    let mesh = TriangleMesh::cube();
    let (edges, facing) = (mesh.edges(), Facing::new(12));
    let cast = ShadowCast {
        positions: PositionView::Packed(&mesh.points),
        light: LIGHTS[0],
        facing: &facing,
        casters: Casters::Front,
    };
    let size = edges.shadow_size(Casters::Front);
    assert_eq!(size, ShadowSize { vertices: 48, triangles: 2 * (12 + 18) });
    assert_eq!(edges.shadow_size(Casters::All), ShadowSize { vertices: 48, triangles: 2 * (12 + 36) });
    let rejection = |cast: &ShadowCast<'_>, vertices: usize, triangles: usize| {
        let (mut vertices, mut triangles) = (vec![[0.0; 4]; vertices], vec![[0; 3]; triangles]);
        let buffers = ShadowBuffers { vertices: &mut vertices, triangles: &mut triangles };
        edges.cast_shadow(cast, buffers).expect_err("a length that does not fit")
    };
    let what = "vertices of a shadow volume";
    assert_eq!(rejection(&cast, 47, 60), GeometryError::TooShort { what, least: 48, found: 47 });
    let what = "triangles of a shadow volume";
    assert_eq!(rejection(&cast, 48, 59), GeometryError::TooShort { what, least: 60, found: 59 });
    let few = ShadowCast { positions: PositionView::Packed(&mesh.points[1..]), ..cast };
    assert_eq!(rejection(&few, 48, 60), LengthError { what: "positions", expected: 24, found: 23 }.into());
    let few = ShadowCast { facing: &Facing::new(11), ..cast };
    assert_eq!(rejection(&few, 48, 60), LengthError { what: "facing bits", expected: 12, found: 11 }.into());
}

#[test]
fn casting_shadows_allocates_nothing() {
    let random = &mut Random::new(5);
    for mesh in TriangleMesh::every_topology(random) {
        let edges = mesh.edges();
        let ShadowSize { vertices, triangles } = edges.shadow_size(Casters::All);
        let (mut vertices, mut triangles) = (vec![[0.0; 4]; vertices], vec![[0; 3]; triangles]);
        let facing = &random_facing(mesh.triangles.len(), random);
        for (light, casters) in LIGHTS.into_iter().flat_map(|light| CASTERS.map(|casters| (light, casters))) {
            let counted = allocation_counter::measure(|| {
                let cast =
                    ShadowCast { positions: PositionView::Packed(&mesh.points), light, facing, casters };
                let buffers = ShadowBuffers { vertices: &mut vertices, triangles: &mut triangles };
                edges.cast_shadow(&cast, buffers).expect("memory of that size");
            });
            assert_eq!(counted.count_total, 0, "{}", mesh.name);
        }
    }
}
