//! Scenes as meshes: memory use, levels of detail and their displacement.

use sinew::mesh::Grouping;
use sinew::{Mesh, MeshSource, Palette, Skin};
use sinew_figures::{Motion, figure, scene};

/// Bytes per vertex of the input: position, normal, tangent, four weights and four 16-bit joints.
const INPUT_BYTES: usize = 64;

#[test]
fn a_mesh_takes_little_more_memory_than_its_input_arrays() {
    for name in ["@figure", "@figure:50000", "@cylinder:1", "@cylinder:4", "@cylinder:varying"] {
        let scene = scene(name).unwrap();
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints).unwrap();
        let mesh = Mesh::new(&scene.mesh.source(), &skin).unwrap();
        assert_eq!(mesh.layout().grouping, Grouping::SharedJoints, "{name}");
        let (found, input) = (mesh.bytes(), INPUT_BYTES * mesh.len());
        assert!(10 * found <= 13 * input, "{name}: {found} bytes for {input}");
        assert_eq!((mesh.level_bytes(), mesh.joint_space_bytes()), (0, 0), "{name}");
    }
}

#[test]
fn a_level_of_detail_reduces_the_cost() {
    let scene = scene("@figure").unwrap();
    let skin = Skin::new(&scene.skeleton, &scene.skin_joints).unwrap();
    let source = MeshSource { levels: &[1, 2], ..scene.mesh.source() };
    let mesh = Mesh::new(&source, &skin).unwrap();
    let report = mesh.layout();
    let full = report.shared_joints_cost.unwrap();
    assert!(report.levels[0].cost < 0.9 * full);
    assert!(report.levels[0].cost < report.levels[1].cost && report.levels[1].cost < full);
    assert!(mesh.level_bytes() > 0);
}

#[test]
fn finer_levels_displace_a_walking_figure_less() {
    const TIMES: usize = 16;
    let scene = scene("@figure").unwrap();
    let skin = Skin::new(&scene.skeleton, &scene.skin_joints).unwrap();
    let levels = [1, 2, 3];
    let mesh = Mesh::new(&MeshSource { levels: &levels, ..scene.mesh.source() }, &skin).unwrap();
    let mut pose = scene.skeleton.rest_pose();
    let mut model_from_joint = scene.skeleton.identity_matrices();
    let mut palette = Palette::new(&skin);
    let mut largest = [0.0_f32; 3];
    for time in 0..TIMES {
        let seconds = figure::WALK_SECONDS * time as f32 / TIMES as f32;
        Motion::Walk.pose(&scene.skeleton, seconds, &mut pose).unwrap();
        scene.skeleton.to_model(&pose, .., &mut model_from_joint).unwrap();
        palette.update(&model_from_joint, &skin).unwrap();
        let found = levels.map(|level| mesh.displacement(&palette, level).unwrap());
        assert!(found[0] > 0.0 && found.is_sorted_by(|a, b| a >= b), "{seconds} s: {found:?}");
        largest = [0, 1, 2].map(|level| largest[level].max(found[level]));
    }
    for (level, largest) in levels.iter().zip(largest) {
        eprintln!("@figure walking, at most {level} influences: displaced by up to {largest:.4} m");
    }
    // The radius of a limb: a larger displacement would be visible from afar.
    assert!(largest[0] < 0.1, "{largest:?}");
}
