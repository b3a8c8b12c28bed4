//! Every file loads or is refused with a reason; poses against ufbx's own evaluation, with other
//! options than the importer's.

use std::time::{Duration, Instant};

use sinew::Model;
use ufbx::{CoordinateAxes, EvaluateOpts, LoadOpts, SkinningMethod};

use crate::support::{diagonal, distance, fbx_folder, files_below, load, positions, to_f64};

/// Far more than any of the files needs, even on a busy machine without optimization.
const PATIENCE: Duration = Duration::from_secs(60);

fn check_finite(model: &Model) {
    for clip in [None].into_iter().chain((0..model.clips().len().min(2)).map(|clip| Some((clip, 0.1)))) {
        if let Ok(points) = positions(model, clip, None) {
            assert!(points.iter().flatten().all(|number| number.is_finite()));
        }
    }
}

#[test]
fn every_file_loads_or_is_refused_with_a_reason() {
    let Some(folder) = fbx_folder() else { return };
    let (mut loaded, mut refused) = (0, Vec::new());
    for path in files_below(&folder, "fbx") {
        let start = Instant::now();
        match load(&path) {
            Ok(import) => {
                loaded += 1;
                check_finite(&import.model);
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("expected") && !text.contains('\n'), "{text}");
                if !path.starts_with(folder.join("fuzz")) {
                    refused.push(text);
                }
            }
        }
        assert!(start.elapsed() < PATIENCE, "{}: {:?}", path.display(), start.elapsed());
    }
    eprintln!("{loaded} loaded; refused outside fuzz: {refused:#?}");
    assert!(loaded > 150);
}

/// The corners of all shown meshes, as ufbx evaluates them.
fn evaluated(scene: &ufbx::Scene, model: &Model) -> Vec<[f64; 3]> {
    let shown: Vec<&str> = model.mesh_instances().iter().map(|instance| &*instance.name).collect();
    let mut points = Vec::new();
    for mesh in &scene.meshes {
        for node in mesh.element.instances.iter().filter(|node| shown.contains(&&*node.element.name)) {
            let mut triangles = Vec::new();
            for face in &mesh.faces {
                let count = ufbx::triangulate_face_vec(&mut triangles, mesh, *face) as usize;
                for &corner in triangles.iter().take(3 * count) {
                    let at = &mesh.skinned_position;
                    let mut point = at.values[at.indices[corner as usize] as usize];
                    if mesh.skinned_is_local {
                        point = ufbx::transform_position(&node.geometry_to_world, point);
                    }
                    points.push([point.x, point.y, point.z]);
                }
            }
        }
    }
    points
}

#[test]
fn poses_match_the_evaluation_of_ufbx() {
    let Some(folder) = fbx_folder() else { return };
    let (mut compared, mut wrong, mut largest) = (0, Vec::new(), 0.0_f64);
    for path in files_below(&folder, "fbx").into_iter().filter(|path| !path.starts_with(folder.join("fuzz")))
    {
        let Ok(import) = load(&path) else { continue };
        let bytes = std::fs::read(&path).expect("valid data");
        let options = LoadOpts {
            target_axes: CoordinateAxes::right_handed_y_up(),
            target_unit_meters: 1.0,
            evaluate_skinning: true,
            ..LoadOpts::default()
        };
        let scene = ufbx::load_memory(&bytes, options).expect("valid data");
        let other_methods = |skin: &ufbx::SkinDeformer| {
            matches!(skin.skinning_method, SkinningMethod::DualQuaternion | SkinningMethod::BlendedDqLinear)
        };
        let many_skins = scene.meshes.iter().any(|mesh| mesh.skin_deformers.len() > 1);
        if scene.skin_deformers.iter().any(|skin| other_methods(skin)) || many_skins {
            continue;
        }
        let mut poses = vec![(None, None)];
        for stack in &scene.anim_stacks {
            // Stacks that move nothing become no clip.
            let Some(clip) = import.model.clips().iter().position(|clip| clip.name() == &*stack.element.name)
            else {
                continue;
            };
            // At keys: between them, a clip has straight lines where the file may have curves.
            let mut keys: Vec<f32> =
                import.model.clips()[clip].tracks().flat_map(|track| track.times).collect();
            keys.sort_by(f32::total_cmp);
            keys.dedup_by(|a, b| *a - *b < 1e-4);
            for slot in [0, 1, 7, 13].into_iter().filter(|&slot| slot < keys.len()) {
                let seconds = f64::from(keys[slot]);
                poses.push((Some((clip, seconds)), Some((stack, stack.time_begin + seconds))));
            }
        }
        for (pose, at) in poses {
            let evaluate = EvaluateOpts { evaluate_skinning: true, ..EvaluateOpts::default() };
            let expected = match at {
                None => evaluated(&scene, &import.model),
                Some((stack, time)) => evaluated(
                    &ufbx::evaluate_scene(&scene, &stack.anim, time, evaluate).expect("valid data"),
                    &import.model,
                ),
            };
            if !expected.iter().flatten().all(|number| number.is_finite()) {
                continue;
            }
            let found = to_f64(&positions(&import.model, pose, None).expect("valid data"));
            let size = diagonal(&expected).max(1e-9);
            // Also the distance from the origin, which `f32` rounds relative to.
            let far = expected.iter().flatten().fold(size, |far, x| far.max(x.abs()));
            compared += 1;
            match distance(&found, &expected, 1e-5 * far) {
                Some(distance) => largest = largest.max(distance / far),
                None => wrong.push(format!(
                    "{} {pose:?}: {} and {} corners; {}",
                    path.file_name().expect("valid data").to_string_lossy(),
                    found.len(),
                    expected.len(),
                    import.report,
                )),
            }
        }
    }
    eprintln!("{compared} poses, largest distance {largest:.2e}");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}
