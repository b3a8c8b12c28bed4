//! OBJ, MTL, PLY, PC2, MDD and NPZ files contain what was baked. Each format is parsed by a small
//! independent parser.

use std::fs;

use sinew::model::{Image, Material, MeshInstance, ModelSource, Primitive, Texture};
use sinew::{Bone, Influences, JointId, Mesh, MeshSource, Model, Skeleton, Skin, Transform};
use sinew_io::{
    BakedModel, Error, MddWriter, OverwritePolicy, Pc2Writer, TextureFiles, save_obj, write_mtl, write_npz,
    write_obj, write_ply,
};

use crate::support::temp_folder::TempFolder;

fn figure() -> Model {
    sinew_figures::scene("@figure:2000").expect("a generated scene").model().expect("a valid model")
}

/// Two mesh instances that share a primitive without normals, and a mesh instance with colors and
/// texture coordinates, with unusual names.
fn unusual_model() -> Model {
    Model::new(unusual_source()).expect("a valid model")
}

fn unusual_source() -> ModelSource {
    let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)]).expect("a root");
    let root = JointId::new(0);
    let skin = Skin::new(&skeleton, &[root]).expect("a skin");
    let positions = [[0.1, 0.0, 0.0], [1.0, 0.0, -0.0], [0.0, 1e-7, 3.0e8], [5.0; 3]];
    let influences = Influences::Variable { counts: &[1; 4], joints: &[0; 4], weights: &[1.0; 4] };
    let source = MeshSource {
        triangles: &[[0, 1, 2], [2, 1, 0], [0, 1, 2]],
        ..MeshSource::new(&positions, influences)
    };
    let mesh = Mesh::new(&source, &skin).expect("a valid mesh");
    let plain = Primitive::new("plain", mesh.clone());
    let colored = Primitive {
        name: String::new(),
        mesh,
        texture_coordinates: vec![Vec::new(), vec![[0.25, 0.75]; 4]],
        colors: vec![vec![[0.0, 0.5, 1.0, 2.0]; 4]],
        material: Some(1),
    };
    let instance = |name: &str, primitive| MeshInstance { primitive, ..MeshInstance::new(name, root) };
    let texture = Some(Texture { image: 0, set: 1, ..Texture::default() });
    ModelSource {
        skins: vec![skin],
        primitives: vec![plain, colored],
        mesh_instances: vec![instance("left\narm", 0), instance("", 0), instance("left\narm", 1)],
        materials: vec![
            Material::default(),
            Material {
                name: "red paint".into(),
                base_color: [1.0, 0.1, 0.0, 0.5],
                base_texture: texture,
                ..Material::default()
            },
        ],
        images: vec![Image { uri: "paint.png".into(), ..Image::default() }],
        ..ModelSource::new(skeleton)
    }
}

#[test]
fn parts_are_concatenated_in_model_order() {
    let model = unusual_model();
    let baked = BakedModel::new(&model).expect("few vertices");
    assert_eq!(baked.positions().len(), 12);
    assert_eq!(baked.triangles()[3..6], [[4, 5, 6], [6, 5, 4], [4, 5, 6]]);
    let ranges: Vec<_> = baked
        .mesh_instances()
        .iter()
        .map(|mesh_instance| (mesh_instance.vertices.clone(), mesh_instance.triangles.clone()))
        .collect();
    assert_eq!(ranges, [(0..4, 0..3), (4..8, 3..6), (8..12, 6..9)]);
    assert_eq!(baked.mesh_instances()[1].name, "plain");
    assert_eq!(baked.texture_coordinates()[7..9], [[0.0; 2], [0.25, 0.75]]);
    assert_eq!(baked.colors()[7..9], [[1.0; 4], [0.0, 0.5, 1.0, 2.0]]);
    assert_eq!(baked.normals()[3], [0.0, 1.0, 0.0]);
}

#[test]
fn update_copies_the_skinned_vertices_of_the_instance() {
    let model = figure();
    let mut baked = BakedModel::new(&model).expect("few vertices");
    let at_rest = baked.positions().to_vec();
    let mut instance = model.instance();
    instance.start(0);
    instance.step(0.4);
    baked.update(&mut instance).expect("the same model");
    let skinned = instance.skin();
    for (vertex, position) in baked.positions().iter().enumerate() {
        assert_eq!(*position, skinned.position(0, vertex));
    }
    assert_ne!(baked.positions(), at_rest);
    for normal in baked.normals() {
        assert!((normal.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-6);
    }
    let other = BakedModel::new(&unusual_model()).expect("few vertices").update(&mut instance);
    assert!(matches!(other, Err(Error::Invalid { .. })));
}

#[test]
fn infinite_positions_are_an_error() {
    let model = figure();
    let mut baked = BakedModel::new(&model).expect("few vertices");
    let mut instance = model.instance();
    for joint in model.skeleton().joints() {
        instance.pose_mut().set_translation(joint, [f32::MAX; 3]);
    }
    let error = baked.update(&mut instance).expect_err("infinite positions").to_string();
    assert!(error.starts_with("mesh instance 0 \"body\": expected finite positions"), "{error}");
}

#[test]
fn obj_numbers_parse_to_the_same_floats() {
    let baked = BakedModel::new(&unusual_model()).expect("few vertices");
    let mut bytes = Vec::new();
    write_obj(&mut bytes, &baked, Some("odd.mtl")).expect("memory");
    let text = String::from_utf8(bytes).expect("text");
    let of = |kind: &str| -> Vec<Vec<&str>> {
        let words = text.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        words.filter(|words| words[0] == kind).map(|words| words[1..].to_vec()).collect()
    };
    let numbers = |kind: &str| -> Vec<Vec<f32>> {
        of(kind)
            .iter()
            .map(|words| words.iter().map(|word| word.parse().expect("a number")).collect())
            .collect()
    };
    assert!(numbers("v").iter().zip(baked.positions()).all(|(a, b)| a[..] == b[..]));
    assert!(numbers("vn").iter().zip(baked.normals()).all(|(a, b)| a[..] == b[..]));
    assert_eq!((numbers("v").len(), numbers("vn").len(), numbers("vt")), (12, 12, vec![vec![0.25, 0.25]; 4]));
    assert_eq!(of("o"), [["left_arm"], ["plain"], ["left_arm_1"]]);
    assert_eq!((of("mtllib"), of("usemtl")), (vec![vec!["odd.mtl"]], vec![vec!["red_paint"]]));
    let faces = of("f");
    assert_eq!(
        (faces.len(), &faces[3], &faces[7]),
        (9, &vec!["5//5", "6//6", "7//7"], &vec!["11/3/11", "10/2/10", "9/1/9"])
    );
}

#[test]
fn mtl_has_every_material_under_a_unique_name() {
    let mut bytes = Vec::new();
    let model = unusual_model();
    write_mtl(&mut bytes, &model, &TextureFiles::beside("a.obj", &model)).expect("memory");
    let expected =
        "newmtl material_0\nKd 1 1 1\nd 1\nnewmtl red_paint\nKd 1 0.1 0\nd 0.5\nmap_Kd paint.png\n";
    assert_eq!(String::from_utf8(bytes).expect("text"), expected);
}

#[test]
fn save_obj_writes_both_files_and_respects_the_overwrite_policy() {
    let folder = TempFolder::new("obj");
    let baked = BakedModel::new(&unusual_model()).expect("few vertices");
    save_obj(folder.join("a.obj"), &baked, OverwritePolicy::Refuse).expect("new files");
    assert_eq!(folder.names(), ["a.mtl", "a.obj"]);
    assert!(
        fs::read_to_string(folder.join("a.obj")).expect("an existing file").starts_with("mtllib a.mtl\n")
    );
    assert!(matches!(
        save_obj(folder.join("a.obj"), &baked, OverwritePolicy::Refuse),
        Err(Error::Exists { .. })
    ));
    save_obj(folder.join("a.obj"), &baked, OverwritePolicy::Replace).expect("replaced");
}

#[test]
fn embedded_pictures_are_written_beside_the_obj_file() {
    let folder = TempFolder::new("pictures");
    let mut source = unusual_source();
    source.images = vec![Image { bytes: b"\x89PNG and more".to_vec(), ..Image::default() }];
    let baked = BakedModel::new(&Model::new(source).expect("a valid model")).expect("few vertices");
    save_obj(folder.join("a.obj"), &baked, OverwritePolicy::Refuse).expect("new files");
    assert_eq!(folder.names(), ["a.0.png", "a.mtl", "a.obj"]);
    assert_eq!(fs::read(folder.join("a.0.png")).expect("a picture"), b"\x89PNG and more");
    let materials = fs::read_to_string(folder.join("a.mtl")).expect("text");
    assert!(materials.ends_with("map_Kd a.0.png\n"), "{materials}");
}

#[test]
fn ply_data_has_the_layout_of_its_header() {
    let baked = BakedModel::new(&unusual_model()).expect("few vertices");
    let mut bytes = Vec::new();
    write_ply(&mut bytes, &baked, &TextureFiles::beside("a.ply", baked.model())).expect("memory");
    let end = bytes.windows(11).position(|window| window == b"end_header\n").expect("a header") + 11;
    let header = std::str::from_utf8(&bytes[..end]).expect("text");
    assert!(header.contains("\ncomment TextureFile paint.png\n"), "{header}");
    let properties: Vec<&str> = header.lines().filter_map(|line| line.strip_prefix("property ")).collect();
    assert_eq!(
        properties[6..],
        [
            "float s",
            "float t",
            "uchar red",
            "uchar green",
            "uchar blue",
            "uchar alpha",
            "list uchar uint vertex_indices"
        ]
    );
    assert!(header.contains("element vertex 12\n") && header.contains("element face 9\n"));
    let (vertices, faces) = bytes[end..].split_at(12 * 36);
    let float = |vertex: usize, i: usize| {
        f32::from_le_bytes(vertices[vertex * 36 + 4 * i..][..4].try_into().expect("four bytes"))
    };
    for (vertex, position) in baked.positions().iter().enumerate() {
        assert_eq!([0, 1, 2].map(|i| float(vertex, i)), *position);
        assert_eq!([3, 4, 5].map(|i| float(vertex, i)), baked.normals()[vertex]);
    }
    assert_eq!(
        ([float(8, 6), float(8, 7)], &vertices[8 * 36 + 32..][..4]),
        ([0.25, 0.25], &[0, 128, 255, 255][..])
    );
    assert_eq!(faces.len(), 9 * 13);
    assert_eq!(faces[4 * 13..][..13], [3, 6, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0]);
}

#[test]
fn point_caches_have_a_header_and_every_frame() {
    let frames = [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, 0.5, 0.0]; 2]];
    let mut pc2 = Pc2Writer::new(Vec::new(), 2, 2, 3.0, 0.5).expect("memory");
    let mut mdd = MddWriter::new(Vec::new(), 2, &[0.0, 0.25]).expect("memory");
    for frame in &frames {
        pc2.write_frame(frame).expect("a writable file");
        mdd.write_frame(frame).expect("a writable file");
    }
    let (pc2, mdd) = (pc2.finish().expect("all frames"), mdd.finish().expect("all frames"));
    assert_eq!(pc2[..12], *b"POINTCACHE2\0");
    let little = |at: usize| <[u8; 4]>::try_from(&pc2[at..at + 4]).expect("four bytes");
    let (counts, floats) = (
        [12, 16, 28].map(|at| i32::from_le_bytes(little(at))),
        [20, 24].map(|at| f32::from_le_bytes(little(at))),
    );
    assert_eq!((counts, floats), ([1, 2, 2], [3.0, 0.5]));
    let expected: Vec<u8> =
        frames.as_flattened().as_flattened().iter().flat_map(|x: &f32| x.to_le_bytes()).collect();
    assert_eq!(pc2[32..], expected);
    assert_eq!(mdd[..16], [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0x3E, 0x80, 0, 0]);
    let expected: Vec<u8> =
        frames.as_flattened().as_flattened().iter().flat_map(|x: &f32| x.to_be_bytes()).collect();
    assert_eq!(mdd[16..], expected);
}

#[test]
fn point_caches_refuse_frames_that_differ_from_the_header() {
    let mut pc2 = Pc2Writer::new(Vec::new(), 2, 1, 0.0, 1.0).expect("memory");
    assert!(matches!(pc2.write_frame(&[[0.0; 3]]), Err(Error::Invalid { .. })));
    pc2.write_frame(&[[0.0; 3]; 2]).expect("a writable file");
    assert!(matches!(pc2.write_frame(&[[0.0; 3]; 2]), Err(Error::Invalid { .. })));
    let mdd = MddWriter::new(Vec::new(), 2, &[0.0]).expect("memory");
    assert!(matches!(mdd.finish(), Err(Error::Invalid { .. })));
    assert!(matches!(Pc2Writer::new(Vec::new(), usize::MAX, 1, 0.0, 1.0), Err(Error::Invalid { .. })));
}

/// The files of a ZIP archive, found through its central directory, which must agree with the local
/// headers and data descriptors.
fn files_of(zip: &[u8]) -> Vec<(String, Vec<u8>)> {
    let short = |at: usize| usize::from(u16::from_le_bytes([zip[at], zip[at + 1]]));
    let long = |at: usize| u32::from_le_bytes(zip[at..at + 4].try_into().expect("four bytes")) as usize;
    let end = zip.len() - 22;
    assert_eq!(&zip[end..end + 4], b"PK\x05\x06");
    let (count, mut at) = (short(end + 10), long(end + 16));
    assert_eq!(at + long(end + 12), end);
    let mut files = Vec::new();
    for _ in 0..count {
        assert_eq!((&zip[at..at + 4], short(at + 10)), (&b"PK\x01\x02"[..], 0));
        let (crc, size, name_len, local) = (long(at + 16), long(at + 24), short(at + 28), long(at + 42));
        let name = String::from_utf8(zip[at + 46..at + 46 + name_len].to_vec()).expect("text");
        assert_eq!((&zip[local..local + 4], short(local + 6)), (&b"PK\x03\x04"[..], 8));
        let start = local + 30 + short(local + 26) + short(local + 28);
        let bytes = zip[start..start + size].to_vec();
        let behind = start + size;
        assert_eq!(&zip[behind..behind + 4], b"PK\x07\x08");
        assert_eq!([long(behind + 4), long(behind + 8), long(behind + 12)], [crc, size, size]);
        assert_eq!(crc, slow_crc(&bytes));
        files.push((name, bytes));
        at += 46 + name_len + short(at + 30);
    }
    files
}

fn slow_crc(bytes: &[u8]) -> usize {
    let byte = |crc: u32, &byte: &u8| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 },
        )
    };
    !bytes.iter().fold(!0, byte) as usize
}

/// The text of the header, and the elements.
fn array(npy: &[u8]) -> (String, &[u8]) {
    assert_eq!(npy[..8], *b"\x93NUMPY\x01\x00");
    let len = 10 + usize::from(u16::from_le_bytes([npy[8], npy[9]]));
    assert!(len % 64 == 0 && npy[len - 1] == b'\n');
    (std::str::from_utf8(&npy[10..len]).expect("text").trim_end().to_owned(), &npy[len..])
}

#[test]
fn npz_has_every_frame_of_every_array() {
    let model = figure();
    let mut baked = BakedModel::new(&model).expect("few vertices");
    let (vertices, triangles) = (baked.positions().len(), baked.triangles().len());
    let mut instance = model.instance();
    let seconds = [0.0, 0.1, 0.2];
    let (mut zip, mut positions, mut normals, mut calls) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    write_npz(&mut zip, &mut baked, &seconds, |frame, baked| {
        instance.stop();
        instance.start(0);
        instance.step(seconds[frame] as f32);
        baked.update(&mut instance)?;
        if calls.len() < 3 {
            positions.extend(baked.positions().as_flattened().iter().flat_map(|x| x.to_le_bytes()));
            normals.extend(baked.normals().as_flattened().iter().flat_map(|x| x.to_le_bytes()));
        }
        calls.push(frame);
        Ok(())
    })
    .expect("memory");
    assert_eq!(calls, [0, 1, 2, 0, 1, 2]);
    let files = files_of(&zip);
    let names: Vec<&str> = files.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["times.npy", "indices.npy", "positions.npy", "normals.npy"]);
    let [times, indices, p, n] = [0, 1, 2, 3].map(|file: usize| array(&files[file].1));
    let header =
        |kind, shape| format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}, ), }}");
    assert_eq!(times.0, header("<f8", "3".to_owned()));
    assert_eq!(times.1, seconds.map(f64::to_le_bytes).as_flattened());
    assert_eq!((indices.0, indices.1.len()), (header("<u4", format!("{triangles}, 3")), triangles * 12));
    let shape = format!("3, {vertices}, 3");
    assert_eq!((p.0, p.1), (header("<f4", shape.clone()), &positions[..]));
    assert_eq!((n.0, n.1), (header("<f4", shape), &normals[..]));
}
