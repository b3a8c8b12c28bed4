//! Scenes as meshes: how they are laid out, and how much memory that takes.

use sinew::{Grouping, Mesh, MeshSource, Skin};
use sinew_figures::scene;

/// Position, normal, tangent with sign, four weights and four joints of two bytes.
const INPUT_BYTES: usize = 64;

#[test]
fn a_figure_takes_little_more_memory_than_its_arrays() {
    for name in ["@figure", "@figure:50000", "@cylinder:1", "@cylinder:4", "@cylinder:varying"] {
        let scene = scene(name).unwrap();
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints).unwrap();
        let mesh = Mesh::new(&scene.shape.source(), &skin).unwrap();
        assert_eq!(mesh.layout().form, Grouping::Runs, "{name}");
        let (found, input) = (mesh.bytes(), INPUT_BYTES * mesh.len());
        assert!(10 * found <= 13 * input, "{name}: {found} bytes for {input}");
        assert_eq!((mesh.level_bytes(), mesh.joint_space_bytes()), (0, 0), "{name}");
    }
}

#[test]
fn a_level_of_detail_of_a_figure_pays() {
    let scene = scene("@figure").unwrap();
    let skin = Skin::new(&scene.skeleton, &scene.skin_joints).unwrap();
    let source = MeshSource { levels: &[1, 2], ..scene.shape.source() };
    let mesh = Mesh::new(&source, &skin).unwrap();
    let report = mesh.layout();
    let full = report.cost_of_runs.unwrap();
    assert!(report.levels[0].cost < 0.9 * full);
    assert!(report.levels[0].cost < report.levels[1].cost && report.levels[1].cost < full);
    assert!(mesh.level_bytes() > 0);
}
