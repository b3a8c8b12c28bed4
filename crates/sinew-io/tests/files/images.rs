//! Images in separate files: only named, or loaded and written into a GLB.

use std::fs;
use std::path::PathBuf;

use sinew::Model;
use sinew_io::{
    ExternalFiles, ImageFiles, ImportOptions, RepairPolicy, UpAxisConversion, dropped_by_glb, load_bytes,
    load_with, write_model_glb,
};

use crate::support::temp_folder::TempFolder;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nbeside";

/// A triangle with a material that uses the image at a URI.
fn model(folder: &TempFolder, uri: &str) -> PathBuf {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"scenes":[{{"nodes":[0]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":1}},"material":0}}]}}],
        "accessors":[{{"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[0,0,0]}},
        {{"componentType":5126,"type":"VEC2","count":3}}],
        "materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}}],
        "textures":[{{"source":0}}],"images":[{{"uri":"{uri}"}}]}}"#
    );
    let path = folder.join("inner/model.gltf");
    fs::create_dir_all(folder.join("inner")).expect("a writable file");
    fs::write(&path, json).expect("a writable file");
    path
}

fn load_images() -> ImportOptions {
    ImportOptions::default().image_files(ImageFiles::Load)
}

#[test]
fn image_files_are_loaded_only_on_request() {
    let folder = TempFolder::new("images");
    fs::create_dir_all(folder.join("inner/deep")).expect("a writable file");
    fs::write(folder.join("inner/deep/a b.png"), PNG).expect("a writable file");
    let path = model(&folder, "deep/a%20b.png");
    let named = load_with(&path, &ImportOptions::default()).expect("a valid model");
    assert!(named.model.images()[0].bytes.is_empty());
    assert_eq!(named.files, std::slice::from_ref(&path));
    let import = load_with(&path, &load_images()).expect("a valid model");
    assert_eq!((&*import.model.images()[0].bytes, &*import.model.images()[0].uri), (PNG, "deep/a%20b.png"));
    assert_eq!(import.files, [path, folder.join("inner/deep/a b.png")]);
    assert!(import.report.is_empty(), "{}", import.report);
}

#[test]
fn loaded_images_are_written_into_the_glb() {
    let folder = TempFolder::new("embedded");
    fs::create_dir(folder.join("inner")).expect("a writable file");
    fs::write(folder.join("inner/a.png"), PNG).expect("a writable file");
    let import = load_with(model(&folder, "a.png"), &load_images()).expect("a valid model");
    let again = read_again(&import.model);
    let image = &again.images()[0];
    assert_eq!((&*image.bytes, &*image.uri), (PNG, ""));
    assert!(dropped_by_glb(&import.model).is_empty());
}

#[test]
fn images_of_other_formats_are_left_out_of_the_glb_and_named() {
    let folder = TempFolder::new("foreign");
    fs::create_dir(folder.join("inner")).expect("a writable file");
    // No viewer shows any of these: a TGA, a file that is not what its name says, a missing one.
    for name in ["skin.tga", "skin.ktx2", "skin.png"] {
        fs::write(folder.join("inner").join(name), "other").expect("a writable file");
    }
    for uri in ["skin.tga", "skin.ktx2", "skin.png", "missing.tga"] {
        let import = load_with(model(&folder, uri), &load_images()).expect("a valid model");
        let again = read_again(&import.model);
        assert_eq!((again.images().len(), again.materials().len()), (0, 1), "{uri}");
        assert_eq!(again.materials()[0].base_texture, None, "{uri}");
        let named = format!("image 0 {uri:?}, whose format glTF does not have");
        assert_eq!(dropped_by_glb(&import.model), [named]);
    }
}

#[test]
fn a_missing_picture_of_gltf_keeps_its_uri_in_the_glb() {
    let folder = TempFolder::new("named");
    for (uri, extension) in [("a%20b.png", ""), ("a.webp", "EXT_texture_webp"), ("a", "")] {
        let import = load_with(model(&folder, uri), &load_images()).expect("a valid model");
        let again = read_again(&import.model);
        assert_eq!(&*again.images()[0].uri, uri);
        assert!(again.materials()[0].base_texture.is_some(), "{uri}");
        let named = format!("image 0 {uri:?}, which stays a file of its own");
        assert_eq!(dropped_by_glb(&import.model), [named]);
        let mut glb = Vec::new();
        write_model_glb(&mut glb, &import.model, UpAxisConversion::None).expect("memory");
        assert!(String::from_utf8_lossy(&glb).contains(extension), "{uri}");
    }
}

/// The model, written as GLB and read again.
fn read_again(model: &Model) -> Model {
    let mut glb = Vec::new();
    write_model_glb(&mut glb, model, UpAxisConversion::None).expect("memory");
    load_bytes(&glb, &ImportOptions::default()).expect("a valid model").model
}

#[test]
fn an_unreadable_image_keeps_its_uri_with_a_warning() {
    let folder = TempFolder::new("lost");
    fs::write(folder.join("outside.png"), PNG).expect("a writable file");
    for uri in ["missing.png", "../outside.png", "https://example.org/a.png", "%00"] {
        let path = model(&folder, uri);
        let import = load_with(&path, &load_images()).expect("a valid model");
        let image = &import.model.images()[0];
        assert_eq!((image.bytes.len(), &*image.uri), (0, uri));
        assert_eq!(import.report.warnings().len(), 1, "{uri}");
        assert!(load_with(&path, &load_images().repairs(RepairPolicy::Refuse)).is_err());
    }
    let allowed = load_images().external_files(ExternalFiles::Anywhere);
    let import = load_with(model(&folder, "../outside.png"), &allowed).expect("a valid model");
    assert_eq!(&*import.model.images()[0].bytes, PNG);
    assert_eq!(folder.names(), ["inner", "outside.png"]);
}
