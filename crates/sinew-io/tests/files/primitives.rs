//! Triangles, vertex attributes and materials of glTF primitives.

use crate::support::glb_writer::GlbWriter;
use sinew::mesh::Attributes;
use sinew::model::Texture;
use sinew::skinning::Skinned;
use sinew::{JointId, Matrix, Mesh, Palette, SkinOptions};
use sinew_io::{Import, ImportOptions};

const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];

/// The mode of points, for which any number of vertices is valid.
const POINTS: &str = r#","mode":0"#;

/// Imports a node with a mesh of one primitive, with additional attributes and fields.
fn import(mut writer: GlbWriter, attributes: &str, fields: &str, arrays: &str) -> Import {
    let positions = writer.bounded("VEC3", &CORNERS);
    let primitive = format!(r#"{{"attributes":{{"POSITION":{positions}{attributes}}}{fields}}}"#);
    let arrays = format!(r#""nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{primitive}]}}]{arrays}"#);
    sinew_io::load_bytes(&writer.finish(&arrays), &ImportOptions::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The triangles with vertex indices of the source.
fn triangles(mesh: &Mesh) -> Vec<[u32; 3]> {
    let vertex = |slot: u32| mesh.inverse_remap()[slot as usize];
    mesh.triangles().iter().map(|triangle| triangle.map(vertex)).collect()
}

#[test]
fn every_mode_gives_its_triangles() {
    let expected: [&[[u32; 3]]; 7] =
        [&[], &[], &[], &[], &[[3, 2, 1]], &[[3, 2, 1], [2, 0, 1]], &[[2, 1, 3], [1, 0, 3]]];
    for (mode, expected) in expected.into_iter().enumerate() {
        let mut writer = GlbWriter::default();
        let corners: &[u8] = if mode == 4 { &[3, 2, 1] } else { &[3, 2, 1, 0] };
        let indices = writer.add("SCALAR", 5121, corners.len(), corners, "");
        let import = import(writer, "", &format!(r#","indices":{indices},"mode":{mode}"#), "");
        assert_eq!(triangles(&import.model.primitives()[0].mesh), expected, "mode {mode}");
        assert!(import.report.is_empty());
    }
}

#[test]
fn texture_coordinates_and_colors_keep_their_sets() {
    let mut writer = GlbWriter::default();
    let coordinates = [0.0, 0.25, 0.5, 0.75, 1.0, 0.0, 0.0, 1.0];
    let set = writer.floats("VEC2", &coordinates);
    let rgb = writer.floats("VEC3", &[0.5; 12]);
    let rgba = writer.add("VEC4", 5121, 4, &[255, 0, 255, 51].repeat(4), r#","normalized":true"#);
    let attributes = format!(r#","TEXCOORD_2":{set},"COLOR_0":{rgb},"COLOR_1":{rgba}"#);
    let import = import(writer, &attributes, "", "");
    let primitive = &import.model.primitives()[0];
    assert_eq!(primitive.texture_coordinates.iter().map(Vec::len).collect::<Vec<_>>(), [0, 0, 4]);
    assert_eq!(primitive.texture_coordinates[2].as_flattened(), coordinates);
    assert_eq!(primitive.colors, [[[0.5, 0.5, 0.5, 1.0]; 4], [[1.0, 0.0, 1.0, 51.0 / 255.0]; 4]]);
}

#[test]
fn a_huge_set_index_takes_no_memory() {
    let mut writer = GlbWriter::default();
    let set = writer.floats("VEC2", &[0.0; 8]);
    let import = import(writer, &format!(r#","TEXCOORD_4000000000":{set}"#), POINTS, "");
    assert!(import.model.primitives()[0].texture_coordinates.is_empty());
    assert_eq!(import.report.warnings().len(), 1);
}

/// Normals and tangents in the rest pose.
fn directions(mesh: &Mesh) -> [Vec<[f32; 3]>; 2] {
    let bone = sinew::Bone::new("", None, sinew::Transform::IDENTITY);
    let skeleton = sinew::Skeleton::new(&[bone]).expect("a bone");
    let skin =
        sinew::Skin::with_inverse_binds(&skeleton, &[JointId::new(0)], &[Matrix::IDENTITY]).expect("a joint");
    let mut skinned = Skinned::new(mesh, Attributes::Tangents).expect("tangents");
    mesh.skin(&Palette::new(&skin), &SkinOptions::default(), &mut skinned).expect("a skin of one joint");
    let mut vectors = [vec![[0.0; 3]; mesh.len()], vec![[0.0; 3]; mesh.len()]];
    skinned.normals(mesh, &mut vectors[0]).expect("normals");
    skinned.tangents(mesh, &mut vectors[1]).expect("tangents");
    vectors
}

#[test]
fn invalid_normals_are_repaired_and_tangents_need_normals() {
    let (z, bad) = ([0.0, 0.0, 1.0], [f32::NAN, 0.0, 0.0]);
    let tangents = [[1.0, 0.0, 0.0, -1.0]; 4];
    let mut writer = GlbWriter::default();
    let normals = writer.floats("VEC3", [z, [0.0, 3.0, 0.0], bad, [0.0; 3]].as_flattened());
    let along = writer.floats("VEC4", tangents.as_flattened());
    let both = import(writer, &format!(r#","NORMAL":{normals},"TANGENT":{along}"#), POINTS, "");
    let mesh = &both.model.primitives()[0].mesh;
    assert_eq!(directions(mesh), [vec![z, [0.0, 1.0, 0.0], z, z], vec![[1.0, 0.0, 0.0]; 4]]);
    assert_eq!(mesh.tangent_signs()[..4], [-1.0; 4]);
    assert_eq!(both.report.warnings().len(), 2);

    let mut writer = GlbWriter::default();
    let along = writer.floats("VEC4", tangents.as_flattened());
    let alone = import(writer, &format!(r#","TANGENT":{along}"#), POINTS, "");
    assert!(Skinned::new(&alone.model.primitives()[0].mesh, Attributes::Normals).is_err());
    assert!(alone.report.is_empty());
}

#[test]
fn materials_and_images_are_imported_unchanged() {
    let mut writer = GlbWriter::default();
    let view = writer.view(b"picture");
    let arrays = format!(
        r#","materials":[{{}},{{"name":"skin","pbrMetallicRoughness":{{"baseColorFactor":[1,0.5,0.25,1],
        "baseColorTexture":{{"index":0,"texCoord":1}}}}}}],"textures":[{{"source":2}}],
        "images":[{{"uri":"a%20b.png"}},{{"bufferView":{view},"mimeType":"image/png","name":"face"}},
        {{"uri":"data:image/jpeg;base64,cGljdHVyZQ=="}}]"#
    );
    let import = import(writer, "", r#","material":1"#, &arrays);
    let model = &import.model;
    assert_eq!(model.primitives()[0].material, Some(1));
    let metallic = sinew::model::Material { metallic: 1.0, ..Default::default() };
    assert_eq!(model.materials()[0], metallic);
    let skin = &model.materials()[1];
    assert_eq!((&skin.name[..], skin.base_color), ("skin", [1.0, 0.5, 0.25, 1.0]));
    assert_eq!(skin.base_texture, Some(Texture { image: 2, set: 1, ..Texture::default() }));
    let [outside, inside, written] = model.images() else { panic!("{} images", model.images().len()) };
    assert_eq!((&outside.uri[..], outside.bytes.len()), ("a%20b.png", 0));
    assert_eq!(
        (&inside.name[..], &inside.media_type[..], &inside.bytes[..]),
        ("face", "image/png", &b"picture"[..])
    );
    assert_eq!(
        (&written.media_type[..], &written.bytes[..], &written.uri[..]),
        ("image/jpeg", &b"picture"[..], "")
    );
}

#[test]
fn a_document_without_nodes_has_one_joint() {
    let bytes = br#"{"asset":{"version":"2.0"}}"#;
    let import = sinew_io::load_bytes(bytes, &ImportOptions::default()).unwrap();
    assert_eq!((import.model.skeleton().len(), import.model.skeleton().name(JointId::new(0))), (1, "root"));
    assert!(import.model.mesh_instances().is_empty() && import.report.is_empty());
}
