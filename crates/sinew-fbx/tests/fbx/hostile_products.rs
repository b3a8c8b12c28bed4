//! Files whose counts are small, but whose products are large: each element is in the file once,
//! and is used by many others.

use std::time::Instant;

use crate::hostile::{File, PATIENCE, POINT, import, layer, with_long_name};

/// Adds animation stacks that share the layer of the generated file.
fn add_stacks(file: &mut File, count: usize) {
    for id in 1000..1000 + count {
        file.object("AnimationStack", id, "more", "", "");
        file.connect(10, id);
    }
}

/// Adds meshes of one point that share a blend deformer with many channels.
fn add_meshes(file: &mut File, meshes: usize, channels: usize) {
    for id in 100_000..100_000 + channels {
        file.object("Deformer", id, "", "BlendShapeChannel", "");
        file.connect(id, 6);
        file.connect(8, id);
    }
    for id in 200_000..200_000 + meshes {
        file.object("Geometry", id, "", "Mesh", POINT);
        file.connect(6, id);
    }
}

#[test]
fn stacks_do_not_multiply_the_meshes_and_their_channels() {
    let mut file = File::default();
    add_stacks(&mut file, 1000);
    add_meshes(&mut file, 4000, 1000);
    let start = Instant::now();
    let model =
        import(&file.text(), 1024).map(|import| import.model).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(model.clips().len(), 1001);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}

/// Each stack bakes every property of its layers, whether it is kept or not.
#[test]
fn stacks_count_for_every_property_of_their_layers() {
    let mut file = File::default();
    add_stacks(&mut file, 2000);
    for id in 10_000..30_000 {
        file.object("Material", id, "", "", "");
        file.connections += &format!("C: \"OP\",11,{id}, \"DiffuseColor\"\n");
    }
    let start = Instant::now();
    let error = import(&file.text(), 256).map(drop).expect_err("40 million properties").to_string();
    assert!(error.to_lowercase().contains("memory"), "{error}");
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}

/// ufbx gives a warning for each set, and each names the mesh.
#[test]
fn warnings_of_one_kind_are_counted() {
    let mut file = File::default();
    file.set_triangles(1, 0);
    for set in 0..2000 {
        file.geometry += &layer("LayerElementUV", set, "BySomething", "Direct", "UV: *2 {\na: 0,0\n}\n");
    }
    let import = import(&with_long_name(&file, "Geometry::shape"), 64);
    let report = import.unwrap_or_else(|error| panic!("{}", &error.to_string()[..200])).report;
    let texts: Vec<_> = report.warnings().iter().map(|warning| &*warning.found).collect();
    assert!(texts.len() < 20, "{} warnings", texts.len());
    assert!(texts.iter().any(|text| text.ends_with("the first of 2000")), "{texts:?}");
}
