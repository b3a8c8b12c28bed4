//! Missing tangents are generated on request, and match the tangents that other files store.

use std::path::Path;

use crate::support::data::{data_folder, files_below};
use crate::support::glb_writer::GlbWriter;
use sinew::Mesh;
use sinew::geometry::PositionView;
use sinew::mesh::Attributes;
use sinew::model::Primitive;
use sinew_io::{ImportOptions, Tangents};

fn generate_tangents() -> ImportOptions {
    ImportOptions::default().tangents(Tangents::Generate)
}

/// A square with normals and two sets of texture coordinates, of which the second is mirrored.
fn square(material: &str) -> Vec<u8> {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let mut writer = GlbWriter::default();
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

/// Tangents with their signs, in source order.
fn tangents_of(mesh: &Mesh) -> Vec<[f32; 4]> {
    let PositionView::Blocks { blocks, vectors } = mesh.rest_positions() else { panic!("meshes are blocks") };
    let tangent = |&slot: &u32| {
        let (block, lane) = (slot as usize / 8, slot as usize % 8);
        let [x, y, z] = blocks[block * vectors + 2].vector(lane);
        [x, y, z, mesh.tangent_signs()[slot as usize]]
    };
    mesh.remap().iter().map(tangent).collect()
}

#[test]
fn tangents_follow_the_coordinates_of_the_normal_map() {
    for (material, expected) in [("", 1.0), (r#","material":0"#, 1.0), (r#","material":1"#, -1.0)] {
        let import = sinew_io::load_bytes(&square(material), &generate_tangents()).unwrap();
        let mesh = &import.model.primitives()[0].mesh;
        assert_eq!(tangents_of(mesh), [[expected, 0.0, 0.0, expected]; 4], "{material}");
        assert!(import.report.is_empty());
    }
}

#[test]
fn tangents_are_generated_only_on_request_and_with_coordinates() {
    let import = sinew_io::load_bytes(&square(""), &ImportOptions::default()).unwrap();
    assert_eq!(Attributes::stored_in(&import.model.primitives()[0].mesh), Attributes::Normals);
    let import = sinew_io::load_bytes(&square(r#","material":2"#), &generate_tangents()).unwrap();
    assert_eq!(Attributes::stored_in(&import.model.primitives()[0].mesh), Attributes::Normals);
}

#[test]
fn generating_tangents_counts_towards_the_memory_budget() {
    let least = |tangents| {
        let enough = |&budget: &u64| {
            let options = ImportOptions::default().tangents(tangents).memory_budget(Some(budget));
            sinew_io::load_bytes(&square(""), &options).is_ok()
        };
        (0..10_000).step_by(20).find(enough).expect("a budget that is enough")
    };
    let more = least(Tangents::Generate) - least(Tangents::AsStored);
    assert!((1060..1100).contains(&more), "two triangles took {more} bytes");
}

/// Tangents generated from the primitive's own data, in source order.
fn generated_tangents(primitive: &Primitive) -> Vec<[f32; 4]> {
    let mesh = &primitive.mesh;
    let vertex = |slot: u32| mesh.inverse_remap()[slot as usize];
    let triangles: Vec<[u32; 3]> = mesh.triangles().iter().map(|triangle| triangle.map(vertex)).collect();
    let coordinates = &primitive.texture_coordinates[0];
    sinew::geometry::tangents(&by_vertex(mesh, 0), &by_vertex(mesh, 1), coordinates, &triangles)
        .expect("a mesh that was read")
}

#[test]
fn generated_tangents_match_stored_ones() {
    let Some(data) = data_folder() else { return };
    let folder = data.join("khronos-asset-generator/Positive");
    for (file, primitives) in [
        ("Mesh_PrimitiveAttribute/Mesh_PrimitiveAttribute_06.gltf", 1),
        ("Node_NegativeScale/Node_NegativeScale_10.gltf", 2),
        ("Node_NegativeScale/Node_NegativeScale_12.gltf", 2),
    ] {
        let stored = compare(&folder.join(file));
        assert_eq!(stored, primitives, "{file}");
    }
}

#[test]
fn tangents_of_md5_models_follow_the_texture_coordinates() {
    let Some(data) = data_folder() else { return };
    let folders = ["unvanquished-md5", "redeclipse-md5"].map(|folder| data.join(folder));
    let models: Vec<_> = folders.iter().flat_map(|folder| files_below(folder, &["md5mesh"])).collect();
    models.iter().for_each(|path| of_md5(path));
    assert!(!models.is_empty());
}

/// Checks that generated tangents are perpendicular to normals, follow the first texture
/// coordinate, and change nothing else in the model.
fn of_md5(path: &Path) {
    let what = path.display();
    let plain = sinew_io::load(path).unwrap_or_else(|error| panic!("{what}: {error}"));
    let import =
        sinew_io::load_with(path, &generate_tangents()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let (mut along, mut all) = (0, 0);
    for (primitive, plain) in import.model.primitives().iter().zip(plain.model.primitives()) {
        let mesh = &primitive.mesh;
        assert_eq!(Attributes::stored_in(&plain.mesh), Attributes::Normals, "{what}");
        assert_eq!(Attributes::stored_in(mesh), Attributes::Tangents, "{what}");
        assert_eq!(mesh.triangles(), plain.mesh.triangles(), "{what}");
        let tangents = tangents_of(mesh);
        let [positions, normals] = [by_vertex(mesh, 0), by_vertex(mesh, 1)];
        assert_eq!([&positions, &normals], [&by_vertex(&plain.mesh, 0), &by_vertex(&plain.mesh, 1)]);
        for (&[x, y, z, sign], normal) in tangents.iter().zip(&normals) {
            assert!((dot([x, y, z], [x, y, z]) - 1.0).abs() < 1e-4 && sign.abs() == 1.0, "{what}");
            assert!(dot([x, y, z], *normal).abs() < 1e-3, "{what}");
        }
        for triangle in mesh.triangles() {
            let corners = triangle.map(|slot| mesh.inverse_remap()[slot as usize] as usize);
            let grows =
                growing(corners.map(|c| positions[c]), corners.map(|c| primitive.texture_coordinates[0][c]));
            all += 3;
            along += corners.iter().filter(|&&c| dot(first_three(tangents[c]), grows) > 0.0).count();
        }
    }
    // At mirrored texture coordinates, a tangent cannot fit both sides.
    assert!(along as f64 > 0.9 * all as f64, "{what}: {along} of {all}");
}

/// The direction in which the first texture coordinate grows on a triangle; of any length.
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

/// One attribute of a mesh at rest, in source order.
fn by_vertex(mesh: &Mesh, vector: usize) -> Vec<[f32; 3]> {
    let PositionView::Blocks { blocks, vectors } = mesh.rest_positions() else { panic!("meshes are blocks") };
    let of = |&slot: &u32| blocks[slot as usize / 8 * vectors + vector].vector(slot as usize % 8);
    mesh.remap().iter().map(of).collect()
}

/// Checks that all stored tangents of a file equal generated ones. Returns the number of primitives
/// with tangents.
fn compare(path: &Path) -> usize {
    let import = sinew_io::load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let stored = |primitive: &&Primitive| Attributes::stored_in(&primitive.mesh) >= Attributes::Tangents;
    let primitives: Vec<&Primitive> = import.model.primitives().iter().filter(stored).collect();
    for primitive in &primitives {
        let (stored, made) = (tangents_of(&primitive.mesh), generated_tangents(primitive));
        // Many vertices of these files have no triangles.
        for &slot in primitive.mesh.triangles().as_flattened() {
            let vertex = primitive.mesh.inverse_remap()[slot as usize] as usize;
            let (expected, found) = (stored[vertex], made[vertex]);
            let near = expected.iter().zip(found).all(|(a, b)| (a - b).abs() < 1e-3);
            assert!(near, "{}: stored {expected:?}, made {found:?}", path.display());
        }
    }
    primitives.len()
}
