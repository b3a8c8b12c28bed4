//! Pictures of materials: files beside the model that are named like the material.

use std::fs;
use std::path::Path;

use sinew_io::{
    ExternalFiles, ImageFiles, Import, ImportOptions, RepairPolicy, UpAxisConversion, dropped_by_glb,
    load_bytes, load_with, write_model_glb,
};

use crate::support::temp_folder::TempFolder;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\npicture";

/// A model with a triangle for each material.
fn model(materials: &[&str]) -> String {
    let mesh = |shader: &&str| {
        format!(
            "mesh {{ shader \"{shader}\" numverts 3 vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 1
            numtris 1 tri 0 0 1 2 numweights 3
            weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 1 0 0 ) weight 2 0 1 ( 0 0 1 ) }}\n"
        )
    };
    let meshes: String = materials.iter().map(mesh).collect();
    let count = materials.len();
    format!("MD5Version 10 numJoints 1 numMeshes {count} joints {{ a -1 ( 0 0 0 ) ( 0 0 0 ) }}\n{meshes}")
}

fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
    fs::write(path, bytes).expect("a writable file");
}

/// Imports `game/a.md5mesh` with these materials.
fn load(folder: &TempFolder, materials: &[&str], options: &ImportOptions) -> Import {
    let path = folder.join("game/a.md5mesh");
    write(&path, model(materials));
    load_with(path, options).expect("a valid model")
}

fn load_images() -> ImportOptions {
    ImportOptions::default().image_files(ImageFiles::Load).repairs(RepairPolicy::Refuse)
}

#[test]
fn a_picture_beside_the_model_becomes_the_texture_of_its_material() {
    for (material, file) in [
        ("skin", "skin.png"),
        ("models/weapons/rifle/rifle", "rifle.png"),
        ("models/weapons/rifle/rifle", "rifle_d.jpg"),
        ("models/imp/imp.tga", "imp.jpeg"),
        ("models/imp/imp", "imp_diffuse.webp"),
        ("C:\\Users\\someone\\a b\\the skin.PNG", "the skin.png"),
        ("textures/skin", "textures/skin.png"),
        ("hand.001", "hand.001.png"),
        ("100%", "100%.png"),
        ("imp.tga", "imp.tga"),
        ("skin.PNG", "skin.PNG"),
        ("models/Skin.Tga", "Skin.Tga"),
        ("skin.bmp", "skin.bmp"),
    ] {
        let folder = TempFolder::new("pictures");
        write(&folder.join("game").join(file), PNG);
        let import = load(&folder, &[material], &load_images());
        let texture = import.model.materials()[0].base_texture.unwrap_or_else(|| panic!("{material}"));
        let image = &import.model.images()[texture.image];
        assert_eq!((&*image.bytes, &*image.name, texture.set), (PNG, file, 0), "{material}");
        assert!(import.missing_pictures.is_empty(), "{material}");
        assert_eq!(import.files.len(), 2, "{:?}", import.files);
        // Without loading, the picture is named and not read.
        let named = load(&folder, &[material], &ImportOptions::default());
        assert_eq!(named.files.len(), 1, "{:?}", named.files);
        assert!(named.model.images()[0].bytes.is_empty());
    }
}

#[test]
fn materials_without_a_picture_are_listed_and_need_no_repair() {
    let folder = TempFolder::new("missing-pictures");
    write(&folder.join("game/b.png"), PNG);
    let import = load(&folder, &["a", "b", "x/b", "", "a"], &load_images());
    assert_eq!(import.missing_pictures, [0, 3]);
    let textures: Vec<_> = import.model.materials().iter().map(|material| material.base_texture).collect();
    // Two materials share the image.
    assert_eq!(textures.iter().flatten().map(|texture| texture.image).collect::<Vec<_>>(), [0, 0]);
    assert_eq!(import.model.images().len(), 1);
    // Bytes have no folder, so there is nowhere to look.
    let import = load_bytes(model(&["b", "c"]).as_bytes(), &load_images()).expect("a valid model");
    assert_eq!((import.missing_pictures, import.model.images().len()), (vec![], 0));
}

#[test]
fn no_picture_outside_the_folder_is_opened() {
    let folder = TempFolder::new("outside-pictures");
    let outside = folder.join("secret.png");
    write(&outside, PNG);
    write(&folder.join("game/dir.png/file"), "a folder, no file");
    let absolute = outside.display().to_string();
    let absolute = absolute.trim_end_matches(".png");
    let materials = [
        "../secret",
        "x/../../secret",
        absolute,
        "/secret",
        "..",
        "../",
        ".",
        "/",
        "\\",
        "dir",
        "NUL",
        "a:b",
    ];
    for external in [ExternalFiles::WithinFolder, ExternalFiles::Anywhere] {
        let import = load(&folder, &materials, &load_images().external_files(external));
        assert_eq!(import.missing_pictures.len(), materials.len());
        assert_eq!(import.files.len(), 1, "{:?}", import.files);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, folder.join("game/link.png")).expect("a link");
        let import = load(&folder, &["link"], &load_images());
        assert_eq!(import.missing_pictures, [0]);
    }
}

#[test]
fn many_materials_are_read_in_bounded_time() {
    let folder = TempFolder::new("many-pictures");
    let names: Vec<String> = (0..3000).map(|index| format!("some/long/path/{index}")).collect();
    let materials: Vec<&str> = names.iter().map(String::as_str).collect();
    write(&folder.join("game/255.png"), PNG);
    write(&folder.join("game/256.png"), PNG);
    let import = load(&folder, &materials, &load_images());
    // Pictures of the first 256 materials are looked for. Those of the others are not missing.
    assert_eq!(import.model.images().len(), 1);
    assert_eq!(import.missing_pictures, (0..255).collect::<Vec<_>>());
    let expected = "pictures of 2744 materials: they are looked for only for the first 256";
    assert_eq!(import.dropped, [expected]);
    assert!(load(&folder, &materials[..256], &load_images()).dropped.is_empty());
}

#[test]
fn a_picture_that_is_drawn_precedes_one_that_is_not() {
    for (material, files, expected) in [
        ("imp", &["imp.tga", "imp_d.png"][..], "imp_d.png"),
        ("imp", &["imp.tga", "imp_diffuse.webp", "imp_d.webp"], "imp_d.webp"),
        ("imp.tga", &["imp.tga", "imp.jpg"], "imp.tga"),
        ("imp.bmp", &["imp.bmp", "imp.tga"], "imp.tga"),
        ("x/imp", &["x/imp.tga", "imp.png"], "imp.png"),
        ("imp", &["imp_d.png", "imp.jpg"], "imp_d.png"),
        ("imp.jpg", &["imp.png", "imp.jpg"], "imp.jpg"),
    ] {
        let folder = TempFolder::new("drawn-pictures");
        files.iter().for_each(|file| write(&folder.join("game").join(file), PNG));
        let import = load(&folder, &[material], &load_images());
        assert_eq!(import.model.images()[0].name, expected, "{material} {files:?}");
    }
}

#[test]
fn a_glb_has_no_picture_of_a_format_that_gltf_does_not_have() {
    let folder = TempFolder::new("bmp-pictures");
    write(&folder.join("game/imp.bmp"), "BM, a picture");
    write(&folder.join("game/skin.png"), PNG);
    let import = load(&folder, &["imp.bmp", "skin"], &load_images());
    let dropped = dropped_by_glb(&import.model);
    assert_eq!(dropped, ["image 0 \"imp.bmp\", whose format glTF does not have"]);
    let again = through_glb(&import);
    assert_eq!(again.model.images().len(), 1);
    assert_eq!(again.model.images()[0].bytes, PNG);
}

/// The model, written to a GLB and imported again.
fn through_glb(import: &Import) -> Import {
    let mut glb = Vec::new();
    write_model_glb(&mut glb, &import.model, UpAxisConversion::None).expect("a valid model");
    load_bytes(&glb, &load_images()).expect("a valid file")
}

/// A TGA of two by one pixels: blue and red.
const TGA: &[u8] = &[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 24, 32, 255, 0, 0, 0, 0, 255];

#[test]
fn a_tga_becomes_a_png_that_a_glb_keeps() {
    for (material, file) in [("models/imp", "imp.tga"), ("imp.tga", "imp_d.tga"), ("Imp.TGA", "Imp.TGA")] {
        let folder = TempFolder::new("tga-pictures");
        write(&folder.join("game").join(file), TGA);
        let import = load(&folder, &[material], &load_images());
        let [image] = import.model.images() else { panic!("{material}: one image") };
        assert_eq!(image.name, file);
        assert!(image.bytes.starts_with(b"\x89PNG") && image.bytes.ends_with(b"IEND\xAE\x42\x60\x82"));
        assert!(dropped_by_glb(&import.model).is_empty());
        assert_eq!(through_glb(&import).model.images()[0].bytes, image.bytes);
    }
}

#[test]
fn a_broken_tga_is_a_warning_and_its_picture_missing() {
    let folder = TempFolder::new("broken-tga");
    write(&folder.join("game/imp.tga"), &TGA[..TGA.len() - 1]);
    let import = load(&folder, &["imp"], &load_images().repairs(RepairPolicy::Repair));
    assert_eq!((import.missing_pictures.as_slice(), import.model.images().len()), (&[0][..], 0));
    let [warning] = import.warnings() else { panic!("{}", import.report) };
    let expected =
        "picture \"imp.tga\": expected a TGA picture with all its pixels, found an end after 23 bytes; ";
    assert!(warning.to_string().starts_with(expected), "{warning}");
}

#[test]
fn a_picture_that_exceeds_the_memory_budget_is_missing() {
    let folder = TempFolder::new("large-pictures");
    write(&folder.join("game/skin.png"), PNG);
    let large = fs::File::create(folder.join("game/large.png")).expect("a writable file");
    // The file takes no space.
    large.set_len(64 << 30).expect("a sparse file");
    let materials = ["large", "skin", "x/large"];
    let import = load(&folder, &materials, &load_images().repairs(RepairPolicy::Repair));
    assert_eq!(import.missing_pictures, [0, 2]);
    assert_eq!(import.model.images().len(), 1);
    let [warning] = import.warnings() else { panic!("{}", import.report) };
    assert!(warning.location.contains("large.png") && warning.found.contains("memory budget"), "{warning}");
    let strict = load_with(folder.join("game/a.md5mesh"), &load_images()).expect_err("a strict import");
    assert!(strict.to_string().contains("large.png"), "{strict}");
    // Many pictures share the budget.
    large.set_len(20 << 20).expect("a sparse file");
    let names: Vec<String> = (0..8).map(|index| format!("copy{index}")).collect();
    for name in &names {
        let copy = fs::File::create(folder.join(&format!("game/{name}.png"))).expect("a writable file");
        copy.set_len(20 << 20).expect("a sparse file");
    }
    let materials: Vec<&str> = names.iter().map(String::as_str).collect();
    let import = load(&folder, &materials, &load_images().repairs(RepairPolicy::Repair));
    let read: usize = import.model.images().iter().map(|image| image.bytes.len()).sum();
    assert!((20 << 20..=64 << 20).contains(&read), "{read} bytes");
    assert_eq!(import.model.images().len() + import.missing_pictures.len(), materials.len());
}
