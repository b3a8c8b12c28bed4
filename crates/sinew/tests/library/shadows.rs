//! Shadow volumes are closed, and hold exactly the points that the light does not reach.

use crate::crossings::{Between, between, stencil};
use crate::solids::{Solid, open_edges, random_facing};
use crate::walkers::Walker;
use sinew::{
    Casters, Edges, Error, Facing, Light, Points, ShadowBuffers, ShadowCast, ShadowSize, ShadowVolume,
    VectorBlock,
};
use sinew_testkit::backends::EMULATED;
use sinew_testkit::random::Random;

const CASTERS: [Casters; 2] = [Casters::Front, Casters::All];
const LIGHTS: [Light; 2] = [Light::Point([3.0, 4.0, 5.0]), Light::Direction([1.0, -2.0, 0.5])];
/// What a point must be away from a boundary, in parts of the size.
const MARGIN: f64 = 1e-5;

/// A volume with memory of its own.
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
        stencil(&vertices, &self.triangles, eye, point)
    }
}

#[test]
fn volumes_are_closed_for_any_surface_and_any_bits() {
    let random = &mut Random::new(1);
    for solid in Solid::every(random) {
        let edges = solid.edges();
        for round in 0..20 {
            let facing = random_facing(solid.triangles.len(), random);
            for (light, casters) in
                LIGHTS.into_iter().flat_map(|light| CASTERS.map(|casters| (light, casters)))
            {
                let points = Points::Packed(&solid.points);
                let cast = Cast::new(&edges, &ShadowCast { points, light, facing: &facing, casters });
                let open = open_edges(&cast.triangles);
                assert!(open.is_empty(), "{}, round {round}, {light:?}, {casters:?}: {open:?}", solid.name);
                let vertices = cast.vertices.len() as u32;
                assert!(cast.triangles.as_flattened().iter().all(|&vertex| vertex < vertices));
            }
        }
    }
}

#[test]
fn parts_follow_each_other() {
    let solid = Solid::cube();
    let points = Points::Packed(&solid.points);
    for (light, casters) in LIGHTS.into_iter().flat_map(|light| CASTERS.map(|casters| (light, casters))) {
        let facing = &solid.facing(light);
        let Cast { volume, .. } = Cast::new(&solid.edges(), &ShadowCast { points, light, facing, casters });
        // Three faces are seen, and six edges around them part them from the others.
        let (cap, ends) = if casters == Casters::All { (12, 12) } else { (6, 6) };
        let point = matches!(light, Light::Point(_));
        let (sides, back, vertices) = if point { (2 * ends, cap, 48) } else { (ends, 0, 25) };
        assert_eq!(volume.front_cap, 0..cap);
        assert_eq!(volume.sides, cap..cap + sides);
        assert_eq!(volume.back_cap, cap + sides..cap + sides + back);
        assert_eq!(volume.vertices, vertices);
    }
}

/// Compares the count of random points with what stands between them and the light; tells how many were not too near.
fn compare(solid: &Solid, edges: &Edges, light: Light, tries: usize, random: &mut Random) -> usize {
    let facing = solid.facing(light);
    let points = Points::Packed(&solid.points);
    let casts =
        CASTERS.map(|casters| Cast::new(edges, &ShadowCast { points, light, facing: &facing, casters }));
    let vertices = casts
        .each_ref()
        .map(|cast| cast.vertices.iter().map(|vertex| vertex.map(f64::from)).collect::<Vec<_>>());
    let exact: Vec<[f64; 3]> = solid.points.iter().map(|point| point.map(f64::from)).collect();
    let (low, high) = bounds(&solid.points);
    let size = (0..3).map(|axis| f64::from(high[axis] - low[axis])).fold(0.0, f64::max);
    let mut counted = 0;
    for _ in 0..tries {
        let [eye, point] = [0; 2].map(|_| near(low, high, random).map(f64::from));
        let Some(Between { fronts, all }) = between(&exact, &solid.triangles, point, light, MARGIN * size)
        else {
            continue;
        };
        counted += 1;
        for ((cast, vertices), expected) in casts.iter().zip(&vertices).zip([fronts, all]) {
            let found = stencil(vertices, &cast.triangles, eye, point);
            assert_eq!(found, expected, "{}, {light:?}, {eye:?}, {point:?}", solid.name);
        }
        if edges.report().casters() == Casters::Front {
            assert_eq!(fronts > 0, all > 0, "{}: in front of what is closed is a front", solid.name);
        }
    }
    counted
}

/// Anywhere around a box, half of the time within it.
fn near(low: [f32; 3], high: [f32; 3], random: &mut Random) -> [f32; 3] {
    let more = if random.once_in(2) { 0.0 } else { 2.0 };
    std::array::from_fn(|axis| {
        let reach = high[axis] - low[axis];
        random.between(low[axis] - more * reach, high[axis] + more * reach)
    })
}

fn bounds(points: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    let least = |axis: usize| points.iter().map(|point| point[axis]).fold(f32::INFINITY, f32::min);
    let most = |axis: usize| points.iter().map(|point| point[axis]).fold(f32::NEG_INFINITY, f32::max);
    (std::array::from_fn(least), std::array::from_fn(most))
}

#[test]
fn the_count_is_what_stands_between_a_point_and_the_light() {
    let random = &mut Random::new(2);
    let (rounds, tries) = if EMULATED { (2, 40) } else { (10, 400) };
    let mut counted = 0;
    for _ in 0..rounds {
        for solid in Solid::every(random).into_iter().filter(|solid| !solid.points.is_empty()) {
            let edges = solid.edges();
            let [x, y, z] = random.vector(4.0);
            // Outside of all that is closed.
            let outside = [x + 5.0 * x.signum(), y, z];
            for light in [Light::Point(outside), Light::Direction([x, y, z])] {
                counted += compare(&solid, &edges, light, tries, random);
            }
        }
    }
    assert!(counted > rounds * tries * 10, "{counted} points were not too near");
}

#[test]
fn points_in_the_shadow_of_a_walking_figure_are_those_that_are_blocked() {
    let random = &mut Random::new(3);
    let (name, frames, tries) = if EMULATED { ("@figure:600", 3, 10) } else { ("@figure", 20, 502) };
    let mut figure = Walker::new(name);
    let edges = Edges::new(&figure.mesh).unwrap();
    let mut counted = 0;
    for frame in 0..frames {
        figure.walk(frame as f32 / frames as f32);
        let points = figure.points();
        let points = (0..points.len()).map(|place| points.point(place)).collect();
        let solid = Solid { name: name.to_owned(), points, triangles: figure.mesh.triangles().to_vec() };
        counted += compare(&solid, &edges, figure.light(random), tries, random);
    }
    assert!(counted >= frames * tries * 99 / 100, "{counted} points were not too near");
}

#[test]
fn a_light_within_needs_all_casters() {
    let solid = Solid::cube();
    let light = Light::Point([0.25, 0.5, 0.125]);
    let facing = &solid.facing(light);
    assert!((0..12).all(|triangle| !facing.is_front(triangle)));
    let points = Points::Packed(&solid.points);
    let counts = CASTERS.map(|casters| {
        let cast = Cast::new(&solid.edges(), &ShadowCast { points, light, facing, casters });
        [cast.count([0.5, 0.25, 0.0], [3.0, 2.0, 1.0]), cast.count([0.5, 0.25, 0.0], [0.75, -0.5, 0.5])]
    });
    assert_eq!(counts, [[0, 0], [1, 0]]);
}

#[test]
fn vertices_are_points_and_where_light_takes_them() {
    let random = &mut Random::new(4);
    let packed: Vec<[f32; 3]> = (0..24).map(|_| random.vector(2.0)).collect();
    let padded: Vec<[f32; 4]> = packed.iter().map(|&[x, y, z]| [x, y, z, f32::NAN]).collect();
    let mut blocks = vec![VectorBlock { rows: [[f32::NAN; 8]; 3] }; 6];
    for (place, &point) in packed.iter().enumerate() {
        blocks[place / 8 * 2].set_vector(place % 8, point);
    }
    let triangles = [[0, 9, 23]];
    let solid = Solid::new("triangle", &packed, &triangles);
    for points in
        [Points::Packed(&packed), Points::Padded(&padded), Points::Blocks { blocks: &blocks, vectors: 2 }]
    {
        for light in LIGHTS {
            let facing = &solid.facing(light);
            let cast = ShadowCast { points, light, facing, casters: Casters::All };
            let Cast { vertices, .. } = Cast::new(&solid.edges(), &cast);
            for (place, &[x, y, z]) in packed.iter().enumerate() {
                assert_eq!(vertices[place], [x, y, z, 1.0]);
                if let Light::Point([lx, ly, lz]) = light {
                    assert_eq!(vertices[24 + place], [x - lx, y - ly, z - lz, 0.0]);
                }
            }
            if let Light::Direction([x, y, z]) = light {
                assert_eq!(vertices[24..], [[-x, -y, -z, 0.0]]);
            }
        }
    }
}

#[test]
fn odd_lights_and_points_give_closed_volumes() {
    let mut solid = Solid::cube();
    let odd = [f32::NAN, f32::INFINITY, f32::MAX, 0.0, 1.0];
    let lights = odd.into_iter().flat_map(|x| [Light::Point([x, 1.0, 1.0]), Light::Direction([x, 0.0, 0.0])]);
    let lights: Vec<Light> = lights.collect();
    for broken in [None, Some([f32::NAN; 3]), Some([f32::INFINITY; 3]), Some([f32::MAX; 3])] {
        let edges = Solid::cube().edges();
        if let Some(point) = broken {
            solid.points[5] = point;
        }
        for (light, casters) in lights.iter().flat_map(|&light| CASTERS.map(|casters| (light, casters))) {
            let facing = &solid.facing(light);
            let points = Points::Packed(&solid.points);
            let cast = Cast::new(&edges, &ShadowCast { points, light, facing, casters });
            assert!(open_edges(&cast.triangles).is_empty(), "{broken:?}, {light:?}");
            if let (Some([x, ..]), Light::Point([lx, ..])) = (broken, light) {
                let touched = cast.vertices.iter().filter(|vertex| vertex[1].is_nan()).count();
                assert!(x.is_nan() || lx.is_nan() || touched <= 1, "{broken:?}, {light:?}");
            }
        }
    }
}

#[test]
fn a_light_on_a_vertex_leaves_the_rest_of_the_shadow_as_it_is() {
    let solid = Solid::cube();
    // On a corner: three faces have the light in their planes, and the other three turn away.
    let light = Light::Point([1.0, 1.0, 1.0]);
    let facing = &solid.facing(light);
    let points = Points::Packed(&solid.points);
    let cast = Cast::new(&solid.edges(), &ShadowCast { points, light, facing, casters: Casters::All });
    assert_eq!(cast.vertices[24..].iter().filter(|vertex| **vertex == [1.0; 4]).count(), 3);
    // Within, nothing is before the light; on the far side one face is.
    assert_eq!(cast.count([0.3, -0.2, 0.6], [0.1, 0.2, -0.3]), 0);
    assert_eq!(cast.count([0.3, -0.2, 0.6], [-2.1, -1.9, -3.3]), 1);
    assert_eq!(cast.count([0.3, -0.2, 0.6], [3.0, 2.0, 4.0]), 0);
}

#[test]
fn lengths_that_do_not_fit_are_refused() {
    let solid = Solid::cube();
    let (edges, facing) = (solid.edges(), Facing::new(12));
    let cast = ShadowCast {
        points: Points::Packed(&solid.points),
        light: LIGHTS[0],
        facing: &facing,
        casters: Casters::Front,
    };
    let size = edges.shadow_size(Casters::Front);
    assert_eq!(size, ShadowSize { vertices: 48, triangles: 2 * (12 + 18) });
    assert_eq!(edges.shadow_size(Casters::All), ShadowSize { vertices: 48, triangles: 2 * (12 + 36) });
    let refused = |cast: &ShadowCast<'_>, vertices: usize, triangles: usize| {
        let (mut vertices, mut triangles) = (vec![[0.0; 4]; vertices], vec![[0; 3]; triangles]);
        let buffers = ShadowBuffers { vertices: &mut vertices, triangles: &mut triangles };
        edges.cast_shadow(cast, buffers).expect_err("a length that does not fit")
    };
    let what = "vertices of a shadow volume";
    assert_eq!(refused(&cast, 47, 60), Error::TooShort { what, least: 48, found: 47 });
    let what = "triangles of a shadow volume";
    assert_eq!(refused(&cast, 48, 59), Error::TooShort { what, least: 60, found: 59 });
    let few = ShadowCast { points: Points::Packed(&solid.points[1..]), ..cast };
    assert_eq!(refused(&few, 48, 60), Error::Length { what: "points", expected: 24, found: 23 });
    let few = ShadowCast { facing: &Facing::new(11), ..cast };
    assert_eq!(refused(&few, 48, 60), Error::Length { what: "facing bits", expected: 12, found: 11 });
}

#[test]
fn shadows_allocate_nothing() {
    let random = &mut Random::new(5);
    for solid in Solid::every(random) {
        let edges = solid.edges();
        let ShadowSize { vertices, triangles } = edges.shadow_size(Casters::All);
        let (mut vertices, mut triangles) = (vec![[0.0; 4]; vertices], vec![[0; 3]; triangles]);
        let facing = &random_facing(solid.triangles.len(), random);
        for (light, casters) in LIGHTS.into_iter().flat_map(|light| CASTERS.map(|casters| (light, casters))) {
            let counted = allocation_counter::measure(|| {
                let cast = ShadowCast { points: Points::Packed(&solid.points), light, facing, casters };
                let buffers = ShadowBuffers { vertices: &mut vertices, triangles: &mut triangles };
                edges.cast_shadow(&cast, buffers).expect("memory of that size");
            });
            assert_eq!(counted.count_total, 0, "{}", solid.name);
        }
    }
}
