//! Pictures that lie beside a model: named, or read and written into a GLB.

use std::fs;
use std::path::PathBuf;

use sinew_io::{Oddities, Options, Outside, Pictures, Turn, read_bytes, read_with, write_model_glb};

use crate::places::Folder;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nbeside";

/// A triangle whose material has the picture that a URI names.
fn model(folder: &Folder, uri: &str) -> PathBuf {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"scenes":[{{"nodes":[0]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":1}},"material":0}}]}}],
        "accessors":[{{"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[0,0,0]}},
        {{"componentType":5126,"type":"VEC2","count":3}}],
        "materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}}],
        "textures":[{{"source":0}}],"images":[{{"uri":"{uri}"}}]}}"#
    );
    let path = folder.join("inner/model.gltf");
    fs::create_dir_all(folder.join("inner")).expect("room");
    fs::write(&path, json).expect("room");
    path
}

fn reading() -> Options {
    Options { pictures: Pictures::Read, ..Options::default() }
}

#[test]
fn a_picture_is_read_only_when_that_is_asked_for() {
    let folder = Folder::new("pictures");
    fs::create_dir_all(folder.join("inner/deep")).expect("room");
    fs::write(folder.join("inner/deep/a b.png"), PNG).expect("room");
    let path = model(&folder, "deep/a%20b.png");
    let named = read_with(&path, &Options::default()).expect("a sound model");
    assert!(named.model.images()[0].bytes.is_empty());
    assert_eq!(named.files, std::slice::from_ref(&path));
    let read = read_with(&path, &reading()).expect("a sound model");
    assert_eq!((&*read.model.images()[0].bytes, &*read.model.images()[0].uri), (PNG, "deep/a%20b.png"));
    assert_eq!(read.files, [path, folder.join("inner/deep/a b.png")]);
    assert!(read.report.is_empty(), "{}", read.report);
}

#[test]
fn a_picture_that_was_read_is_in_the_glb() {
    let folder = Folder::new("embedded");
    fs::create_dir(folder.join("inner")).expect("room");
    fs::write(folder.join("inner/a.png"), PNG).expect("room");
    // Neither PNG nor JPEG, which is all that glTF takes: it stays outside.
    fs::write(folder.join("inner/a.ktx2"), "other").expect("room");
    for (uri, bytes, left) in [("a.png", PNG, ""), ("a.ktx2", &[], "a.ktx2")] {
        let read = read_with(model(&folder, uri), &reading()).expect("a sound model");
        let mut glb = Vec::new();
        write_model_glb(&mut glb, &read.model, Turn::None).expect("memory");
        let again = read_bytes(&glb, &Options::default()).expect("a sound model");
        let image = &again.model.images()[0];
        assert_eq!((&*image.bytes, &*image.uri), (bytes, left));
    }
}

#[test]
fn a_picture_that_cannot_be_read_keeps_its_name_and_is_noted() {
    let folder = Folder::new("lost");
    fs::write(folder.join("outside.png"), PNG).expect("room");
    for uri in ["missing.png", "../outside.png", "https://example.org/a.png", "%00"] {
        let path = model(&folder, uri);
        let read = read_with(&path, &reading()).expect("a sound model");
        let image = &read.model.images()[0];
        assert_eq!((image.bytes.len(), &*image.uri), (0, uri));
        assert_eq!(read.report.oddities().len(), 1, "{uri}");
        assert!(read_with(&path, &Options { oddities: Oddities::Refuse, ..reading() }).is_err());
    }
    let allowed = Options { outside: Outside::Allow, ..reading() };
    let read = read_with(model(&folder, "../outside.png"), &allowed).expect("a sound model");
    assert_eq!(&*read.model.images()[0].bytes, PNG);
    assert_eq!(folder.names(), ["inner", "outside.png"]);
}
