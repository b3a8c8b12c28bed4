//! Tangents that a file leaves out are made where that is asked for, and are those that other files have stored.

mod written;

use std::path::{Path, PathBuf};

use sinew::{Attributes, Mesh, Points, Surface};
use sinew_io::{Options, Tangents};
use written::glb::Writer;

fn made() -> Options {
    Options { tangents: Tangents::Made, ..Options::default() }
}

/// A square with normals and two sets of texture coordinates, the second mirrored.
fn square(material: &str) -> Vec<u8> {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let mut writer = Writer::default();
    let positions = writer.bounded("VEC3", &corners);
    let normals = writer.floats("VEC3", [[0.0, 0.0, 1.0]; 4].as_flattened());
    let upright = writer.floats("VEC2", corners.map(|[x, y, _]| [x, 1.0 - y]).as_flattened());
    let mirrored = writer.floats("VEC2", corners.map(|[x, y, _]| [-x, 1.0 - y]).as_flattened());
    let indices = writer.add("SCALAR", 5121, 6, &[0, 1, 2, 0, 2, 3], "");
    let attributes = format!(
        r#""POSITION":{positions},"NORMAL":{normals},"TEXCOORD_0":{upright},"TEXCOORD_1":{mirrored}"#
    );
    let primitive = format!(r#"{{"attributes":{{{attributes}}},"indices":{indices}{material}}}"#);
    let materials = r#","materials":[{},{"normalTexture":{"index":0,"texCoord":1}},
        {"normalTexture":{"index":0,"texCoord":7}}],"textures":[{}]"#;
    writer.finish(&format!(r#""nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{primitive}]}}]{materials}"#))
}

/// Tangents with their signs, by vertex.
fn tangents_of(mesh: &Mesh) -> Vec<[f32; 4]> {
    let Points::Blocks { blocks, vectors } = mesh.rest_points() else { panic!("meshes are blocks") };
    let tangent = |&place: &u32| {
        let (block, lane) = (place as usize / 8, place as usize % 8);
        let [x, y, z] = blocks[block * vectors + 2].vector(lane);
        [x, y, z, mesh.tangent_signs()[place as usize]]
    };
    mesh.place_of_vertex().iter().map(tangent).collect()
}

#[test]
fn tangents_are_made_by_the_coordinates_of_the_normal_map() {
    for (material, expected) in [("", 1.0), (r#","material":0"#, 1.0), (r#","material":1"#, -1.0)] {
        let read = sinew_io::read_bytes(&square(material), &made()).unwrap();
        let mesh = &read.model.surfaces()[0].mesh;
        assert_eq!(tangents_of(mesh), [[expected, 0.0, 0.0, expected]; 4], "{material}");
        assert!(read.report.is_empty());
    }
}

#[test]
fn tangents_are_not_made_unasked_or_without_coordinates() {
    let read = sinew_io::read_bytes(&square(""), &Options::default()).unwrap();
    assert_eq!(Attributes::of(&read.model.surfaces()[0].mesh), Attributes::Normals);
    let read = sinew_io::read_bytes(&square(r#","material":2"#), &made()).unwrap();
    assert_eq!(Attributes::of(&read.model.surfaces()[0].mesh), Attributes::Normals);
}

#[test]
fn making_tangents_counts_as_decoding() {
    let least = |tangents| {
        let enough = |&budget: &u64| {
            let options = Options { tangents, budget: Some(budget), ..Options::default() };
            sinew_io::read_bytes(&square(""), &options).is_ok()
        };
        (0..10_000).step_by(20).find(enough).expect("a budget that is enough")
    };
    let more = least(Tangents::Made) - least(Tangents::AsStored);
    assert!((1060..1100).contains(&more), "two triangles took {more} bytes");
}

/// The rest of a surface, by vertex.
fn made_again(surface: &Surface) -> Vec<[f32; 4]> {
    let mesh = &surface.mesh;
    let Points::Blocks { blocks, vectors } = mesh.rest_points() else { panic!("meshes are blocks") };
    let by_vertex = |vector: usize| -> Vec<[f32; 3]> {
        let of = |&place: &u32| blocks[place as usize / 8 * vectors + vector].vector(place as usize % 8);
        mesh.place_of_vertex().iter().map(of).collect()
    };
    let vertex = |place: u32| mesh.vertex_of_place()[place as usize];
    let triangles: Vec<[u32; 3]> = mesh.triangles().iter().map(|triangle| triangle.map(vertex)).collect();
    let coordinates = &surface.texture_coordinates[0];
    sinew::tangents(&by_vertex(0), &by_vertex(1), coordinates, &triangles).expect("a mesh that was read")
}

#[test]
fn stored_tangents_are_made_again() {
    let Some(data) = std::env::var_os("SINEW_DATA").map(PathBuf::from) else {
        eprintln!("skipped: stored tangents, as SINEW_DATA is not set");
        return;
    };
    let folder = data.join("khronos-asset-generator/Positive");
    for (file, surfaces) in [
        ("Mesh_PrimitiveAttribute/Mesh_PrimitiveAttribute_06.gltf", 1),
        ("Node_NegativeScale/Node_NegativeScale_10.gltf", 2),
        ("Node_NegativeScale/Node_NegativeScale_12.gltf", 2),
    ] {
        let stored = compare(&folder.join(file));
        assert_eq!(stored, surfaces, "{file}");
    }
}

/// How many surfaces have tangents, all of which must be those that are made.
fn compare(path: &Path) -> usize {
    let read = sinew_io::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let stored = |surface: &&Surface| Attributes::of(&surface.mesh) >= Attributes::Tangents;
    let surfaces: Vec<&Surface> = read.model.surfaces().iter().filter(stored).collect();
    for surface in &surfaces {
        let (stored, made) = (tangents_of(&surface.mesh), made_again(surface));
        // Many of their vertices have no triangles.
        for &place in surface.mesh.triangles().as_flattened() {
            let vertex = surface.mesh.vertex_of_place()[place as usize] as usize;
            let (expected, found) = (stored[vertex], made[vertex]);
            let near = expected.iter().zip(found).all(|(a, b)| (a - b).abs() < 1e-3);
            assert!(near, "{}: stored {expected:?}, made {found:?}", path.display());
        }
    }
    surfaces.len()
}
