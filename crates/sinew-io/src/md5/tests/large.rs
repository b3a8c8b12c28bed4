//! Large files, and small ones that ask for much.

use std::fmt::Write as _;

use super::texts::{mesh_text, read};

#[test]
fn counts_that_multiply_are_refused_before_anything_is_made() {
    // Each of many vertices has all of many weights.
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
    let found = read(mesh.as_bytes(), &[]).expect_err("a product").to_string();
    assert!(found.contains("expected influences of at most") && found.contains("found 400000000"), "{found}");

    // Each of many joints has the same component of many frames.
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
    let found = read(mesh.as_bytes(), clip.as_bytes()).expect_err("a product").to_string();
    assert!(found.contains("expected keys of at most") && found.contains("found 400000000"), "{found}");
}

#[test]
fn many_joints_in_a_chain_are_read_and_so_are_many_meshes() {
    let many = 20_000_i32;
    let mut mesh = format!("MD5Version 10 numJoints {many} numMeshes 0 joints {{");
    for joint in 0..many {
        let _ = writeln!(mesh, "\"{joint}\" {} ( 0 0 0 ) ( 0 0 0 )", joint - 1);
    }
    let (model, report) = read((mesh.clone() + "}").as_bytes(), &[]).expect("sound");
    assert!(model.skeleton().len() == 20_000 && report.is_empty(), "{report}");

    let head = format!("MD5Version 10 numJoints 1 numMeshes {many} joints {{ a -1 ( 0 0 0 ) ( 0 0 0 ) }}");
    let meshes = "mesh{}".repeat(many as usize);
    let (model, report) = read((head + &meshes).as_bytes(), &[]).expect("sound");
    assert!(model.parts().len() == 20_000 && report.oddities().len() == 1, "{report}");

    // Both at once would take their product in time.
    let both = mesh.replacen("numMeshes 0", &format!("numMeshes {many}"), 1) + "}" + &meshes;
    let found = read(both.as_bytes(), &[]).expect_err("a product").to_string();
    assert!(found.contains("expected meshes of at most"), "{found}");
}
