//! Tangents that a file leaves out are made where that is asked for, and are those that other files have stored.

use std::path::{Path, PathBuf};

use crate::written::glb::Writer;
use sinew::{Attributes, Mesh, Points, Surface};
use sinew_io::{Options, Tangents};

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
    let vertex = |place: u32| mesh.vertex_of_place()[place as usize];
    let triangles: Vec<[u32; 3]> = mesh.triangles().iter().map(|triangle| triangle.map(vertex)).collect();
    let coordinates = &surface.texture_coordinates[0];
    sinew::tangents(&by_vertex(mesh, 0), &by_vertex(mesh, 1), coordinates, &triangles)
        .expect("a mesh that was read")
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

#[test]
fn tangents_of_md5_models_point_where_coordinates_grow() {
    let Some(data) = std::env::var_os("SINEW_DATA").map(PathBuf::from) else {
        eprintln!("skipped: tangents of MD5, as SINEW_DATA is not set");
        return;
    };
    let (mut folders, mut models) = (vec![data.join("unvanquished-md5"), data.join("redeclipse-md5")], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "md5mesh") {
                models += 1;
                of_md5(&path);
            }
        }
    }
    assert!(models > 0);
}

/// Demands tangents at right angles to normals, along the first texture coordinate, of a model that is else as it was.
fn of_md5(path: &Path) {
    let what = path.display();
    let plain = sinew_io::read(path).unwrap_or_else(|error| panic!("{what}: {error}"));
    let read = sinew_io::read_with(path, &made()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let (mut along, mut all) = (0, 0);
    for (surface, plain) in read.model.surfaces().iter().zip(plain.model.surfaces()) {
        let mesh = &surface.mesh;
        assert_eq!(Attributes::of(&plain.mesh), Attributes::Normals, "{what}");
        assert_eq!(Attributes::of(mesh), Attributes::Tangents, "{what}");
        assert_eq!(mesh.triangles(), plain.mesh.triangles(), "{what}");
        let tangents = tangents_of(mesh);
        let [positions, normals] = [by_vertex(mesh, 0), by_vertex(mesh, 1)];
        assert_eq!([&positions, &normals], [&by_vertex(&plain.mesh, 0), &by_vertex(&plain.mesh, 1)]);
        for (&[x, y, z, sign], normal) in tangents.iter().zip(&normals) {
            assert!((dot([x, y, z], [x, y, z]) - 1.0).abs() < 1e-4 && sign.abs() == 1.0, "{what}");
            assert!(dot([x, y, z], *normal).abs() < 1e-3, "{what}");
        }
        for triangle in mesh.triangles() {
            let corners = triangle.map(|place| mesh.vertex_of_place()[place as usize] as usize);
            let grows =
                growing(corners.map(|c| positions[c]), corners.map(|c| surface.texture_coordinates[0][c]));
            all += 3;
            along += corners.iter().filter(|&&c| dot(first_three(tangents[c]), grows) > 0.0).count();
        }
    }
    // Those of vertices at which coordinates are mirrored cannot please both sides.
    assert!(along as f64 > 0.9 * all as f64, "{what}: {along} of {all}");
}

/// Where the first texture coordinate grows on a triangle; of any length.
fn growing([a, b, c]: [[f32; 3]; 3], [ta, tb, tc]: [[f32; 2]; 3]) -> [f32; 3] {
    let [v1, v2] = [tb[1] - ta[1], tc[1] - ta[1]];
    let turned = ((tb[0] - ta[0]) * v2 - (tc[0] - ta[0]) * v1).signum();
    [0, 1, 2].map(|axis| ((b[axis] - a[axis]) * v2 - (c[axis] - a[axis]) * v1) * turned)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn first_three([x, y, z, _]: [f32; 4]) -> [f32; 3] {
    [x, y, z]
}

/// One of the vectors of a mesh at rest, by vertex.
fn by_vertex(mesh: &Mesh, vector: usize) -> Vec<[f32; 3]> {
    let Points::Blocks { blocks, vectors } = mesh.rest_points() else { panic!("meshes are blocks") };
    let of = |&place: &u32| blocks[place as usize / 8 * vectors + vector].vector(place as usize % 8);
    mesh.place_of_vertex().iter().map(of).collect()
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
