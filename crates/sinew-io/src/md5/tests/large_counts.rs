//! Large files, and small files with large counts.

use std::fmt::Write as _;

use super::support::{import, mesh_text};

#[test]
fn products_of_counts_are_refused_before_allocation() {
    // Every vertex uses all weights.
    let many = 20_000;
    let mut mesh = mesh_text(1).split("mesh {").next().expect("a head").to_owned();
    let _ = writeln!(mesh, "mesh {{ numverts {many}");
    for vertex in 0..many {
        let _ = writeln!(mesh, "vert {vertex} ( 0 0 ) 0 {many}");
    }
    let _ = writeln!(mesh, "numweights {many}");
    for weight in 0..many {
        let _ = writeln!(mesh, "weight {weight} 0 1 ( 0 0 0 )");
    }
    mesh += "}";
    let found = import(mesh.as_bytes(), &[]).expect_err("a product").to_string();
    assert!(found.contains("expected influences of at most") && found.contains("found 400000000"), "{found}");

    // Every joint uses the same component of every frame.
    let mut mesh = format!("MD5Version 10 numJoints {many} numMeshes 0 joints {{");
    let mut hierarchy = String::new();
    let base = "( 0 0 0 ) ( 0 0 0 ) ".repeat(many);
    for joint in 0..many {
        let _ = writeln!(mesh, "{joint} -1 ( 0 0 0 ) ( 0 0 0 )");
        let _ = writeln!(hierarchy, "{joint} -1 1 0");
    }
    mesh += "}";
    let mut clip =
        format!("MD5Version 10 numFrames {many} numJoints {many} frameRate 24 numAnimatedComponents 1 ");
    let _ = write!(clip, "hierarchy {{ {hierarchy} }} baseframe {{ {base} }}");
    for frame in 0..many {
        let _ = writeln!(clip, "frame {frame} {{ 0 }}");
    }
    let found = import(mesh.as_bytes(), clip.as_bytes()).expect_err("a product").to_string();
    assert!(found.contains("expected keys of at most") && found.contains("found 400000000"), "{found}");
}

#[test]
fn long_chains_and_many_meshes_are_imported() {
    let many = 20_000_i32;
    let mut mesh = format!("MD5Version 10 numJoints {many} numMeshes 0 joints {{");
    for joint in 0..many {
        let _ = writeln!(mesh, "\"{joint}\" {} ( 0 0 0 ) ( 0 0 0 )", joint - 1);
    }
    let (model, report) = import((mesh.clone() + "}").as_bytes(), &[]).expect("valid text");
    assert!(model.skeleton().len() == 20_000 && report.is_empty(), "{report}");

    let head = format!("MD5Version 10 numJoints 1 numMeshes {many} joints {{ a -1 ( 0 0 0 ) ( 0 0 0 ) }}");
    let meshes = "mesh{}".repeat(many as usize);
    let (model, report) = import((head + &meshes).as_bytes(), &[]).expect("valid text");
    assert!(model.mesh_instances().len() == 20_000 && report.warnings().len() == 1, "{report}");

    // Both together would take time in proportion to their product.
    let both = mesh.replacen("numMeshes 0", &format!("numMeshes {many}"), 1) + "}" + &meshes;
    let found = import(both.as_bytes(), &[]).expect_err("a product").to_string();
    assert!(found.contains("expected meshes of at most"), "{found}");
}
