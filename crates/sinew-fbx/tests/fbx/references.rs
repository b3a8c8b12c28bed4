//! Poses against what the authors' programs exported of the same scenes, as OBJ.

use std::collections::HashMap;
use std::path::Path;

use ufbx::{CoordinateAxes, CoordinateAxis, LoadOpts, SpaceConversion};

use crate::support::{diagonal, distance, fbx_folder, files_below, load, one_way, positions, to_f64};

/// References that are not compared, and why. Subdivision surfaces and geometry caches are named in
/// a warning, and their control mesh is imported.
const LEFT_OUT: [(&str, &str); 6] = [
    ("lefthanded", "mirrored axes, which nobody asked for"),
    ("cache", "a geometry cache"),
    ("maya_axes_anim", "a geometry cache"),
    ("subsurf", "a subdivision surface"),
    ("subdiv", "a subdivision surface"),
    ("dual_quaternion", "skinned with dual quaternions"),
];

/// A group of a reference that a file has in another pose: FBX 6 has no instances of a mesh, so
/// Maya wrote a copy of the second cube without its skin. The other group is compared.
const WITHOUT_SKIN: (&str, &str) = ("maya_instanced_skin_6100", "pCube2");

/// An OBJ of the scene, at a frame if it has one.
struct Reference {
    points: Vec<[f64; 3]>,
    /// The names of groups, and the first point of each.
    groups: Vec<(String, usize)>,
    tolerance: Option<f64>,
    frame: Option<f64>,
    /// What differences are multiplied with before they are judged.
    position_scale: f64,
    /// The node of a skinned mesh moves it too, away from where it was bound.
    transform_skin: bool,
}

fn read_obj(path: &Path) -> Reference {
    let text = String::from_utf8_lossy(&std::fs::read(path).expect("valid data")).into_owned();
    let mut reference = Reference {
        points: Vec::new(),
        groups: Vec::new(),
        tolerance: None,
        position_scale: 1.0,
        frame: None,
        transform_skin: false,
    };
    let mut vertices: Vec<[f64; 3]> = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["#", option] if option.starts_with("ufbx:") => {
                let (name, value) = option.split_once('=').unwrap_or((option, ""));
                let number = || value.parse::<f64>().ok();
                match name {
                    "ufbx:tolerance" => reference.tolerance = number(),
                    "ufbx:position_scale" => reference.position_scale = number().unwrap_or(1.0),
                    "ufbx:transform_skin" => reference.transform_skin = true,
                    "ufbx:frame" => reference.frame = number(),
                    _ => {}
                }
            }
            ["v", x, y, z, ..] => vertices.push([x, y, z].map(|number| number.parse().expect("valid data"))),
            ["g", name, ..] => reference.groups.push((name.to_owned(), reference.points.len())),
            ["f", ref corners @ ..] => {
                for corner in corners {
                    let index: i64 =
                        corner.split('/').next().expect("valid data").parse().expect("valid data");
                    let index = if index < 0 { vertices.len() as i64 + index } else { index - 1 };
                    reference.points.push(vertices[index as usize]);
                }
            }
            _ => {}
        }
    }
    reference
}

impl Reference {
    /// The points of all groups but one.
    fn points_outside(&self, group: &str) -> Vec<[f64; 3]> {
        let ends = self.groups.iter().skip(1).map(|(_, first)| *first).chain([self.points.len()]);
        let others = self.groups.iter().zip(ends).filter(|((name, _), _)| name != group);
        let points: Vec<_> =
            others.flat_map(|((_, first), end)| &self.points[*first..end]).copied().collect();
        assert!(!points.is_empty() && points.len() < self.points.len(), "a group {group} and others");
        points
    }
}

/// The unit vector of an axis of the file.
fn axis(axis: CoordinateAxis) -> Option<[f64; 3]> {
    Some(match axis {
        CoordinateAxis::PositiveX => [1.0, 0.0, 0.0],
        CoordinateAxis::NegativeX => [-1.0, 0.0, 0.0],
        CoordinateAxis::PositiveY => [0.0, 1.0, 0.0],
        CoordinateAxis::NegativeY => [0.0, -1.0, 0.0],
        CoordinateAxis::PositiveZ => [0.0, 0.0, 1.0],
        CoordinateAxis::NegativeZ => [0.0, 0.0, -1.0],
        CoordinateAxis::Unknown => return None,
    })
}

/// What one file is compared with.
struct FileSpace {
    axes: [[f64; 3]; 3],
    meters: f64,
    rate: f64,
    first_second: f64,
}

fn file_space(bytes: &[u8]) -> FileSpace {
    let scene = ufbx::load_memory(bytes, LoadOpts::default()).expect("a file that was imported");
    let settings = &scene.settings;
    let found = [settings.axes.right, settings.axes.up, settings.axes.front].map(axis);
    let axes = match found {
        [Some(right), Some(up), Some(front)] => [right, up, front],
        _ => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    };
    let meters = if settings.unit_meters > 0.0 { settings.unit_meters } else { 1.0 };
    let first_second = scene.anim_stacks.first().map_or(0.0, |stack| stack.time_begin);
    FileSpace { axes, meters, rate: settings.frames_per_second, first_second }
}

/// From where skinned meshes were bound to the space of their nodes, in model space, by node.
fn mesh_from_bind(bytes: &[u8]) -> HashMap<String, [[f64; 4]; 3]> {
    let options = LoadOpts {
        target_axes: CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: SpaceConversion::ModifyGeometry,
        ..LoadOpts::default()
    };
    let scene = ufbx::load_memory(bytes, options).expect("a file that was imported");
    let mut all = HashMap::new();
    for node in &scene.nodes {
        let skin = node.mesh.as_ref().and_then(|mesh| mesh.skin_deformers.first());
        let Some(cluster) = skin.and_then(|skin| skin.clusters.first()) else { continue };
        let bound = ufbx::matrix_mul(&cluster.bind_to_world, &cluster.geometry_to_bone);
        let m = ufbx::matrix_invert(&bound);
        let rows = [[m.m00, m.m01, m.m02, m.m03], [m.m10, m.m11, m.m12, m.m13], [m.m20, m.m21, m.m22, m.m23]];
        all.insert(node.element.name.to_string(), rows);
    }
    all
}

impl FileSpace {
    fn to_model(&self, point: [f64; 3]) -> [f64; 3] {
        self.axes.map(|axis| self.meters * (0..3).map(|i| axis[i] * point[i]).sum::<f64>())
    }
}

#[test]
fn poses_match_the_references() {
    let Some(folder) = fbx_folder() else { return };
    let (mut compared, mut left_out, mut wrong) = (0, 0, Vec::new());
    let mut largest = 0.0_f64;
    for obj in files_below(&folder, "obj") {
        let stem = obj.file_stem().expect("valid data").to_string_lossy().into_owned();
        if LEFT_OUT.iter().any(|(part, _)| stem.contains(part)) {
            left_out += 1;
            continue;
        }
        let reference = read_obj(&obj);
        let (base, frame) = match stem.rsplit_once('_') {
            Some((base, frame)) if frame.parse::<f64>().is_ok() => (base.to_owned(), frame.parse().ok()),
            _ => (stem.clone(), None),
        };
        let is_version = |path: &Path, base: &str| {
            let name = path.file_stem().expect("valid data").to_string_lossy().into_owned();
            let rest = name.strip_prefix(base).and_then(|rest| rest.strip_prefix('_'));
            let parts: Vec<&str> = rest.map_or_else(Vec::new, |rest| rest.split('_').collect());
            matches!(parts[..], [version, "ascii" | "binary"] if version.parse::<u32>().is_ok())
        };
        let files: Vec<_> = files_below(&folder, "fbx");
        let mut versions: Vec<_> = files.iter().filter(|path| is_version(path, &base)).collect();
        let mut frame = frame;
        if versions.is_empty() {
            // A name that ends with a number of its own.
            versions = files.iter().filter(|path| is_version(path, &stem)).collect();
            frame = None;
        }
        for path in versions {
            let Ok(import) = load(path) else { continue };
            let bytes = std::fs::read(path).expect("valid data");
            let space = file_space(&bytes);
            let seconds = reference.frame.or(frame).map(|frame| frame / space.rate - space.first_second);
            let is_partial = path.to_string_lossy().contains(WITHOUT_SKIN.0);
            let expected =
                if is_partial { reference.points_outside(WITHOUT_SKIN.1) } else { reference.points.clone() };
            let expected: Vec<_> = expected.iter().map(|&point| space.to_model(point)).collect();
            let transform_skin = reference.transform_skin.then(|| mesh_from_bind(&bytes));
            let limit = 1e-4 * diagonal(&expected) / reference.position_scale;
            let limit = limit.max(reference.tolerance.unwrap_or(0.0) * space.meters);
            let clips = (0..import.model.clips().len()).map(|clip| seconds.map(|time| (clip, time.max(0.0))));
            let poses: Vec<_> = clips.flatten().map(Some).chain([None]).collect();
            let found = poses.into_iter().find_map(|clip| {
                let points = positions(&import.model, clip, transform_skin.as_ref()).ok()?;
                let points = to_f64(&points);
                if is_partial {
                    one_way(&expected, &points, limit)
                } else {
                    distance(&points, &expected, limit)
                }
            });
            compared += 1;
            match found {
                Some(found) => largest = largest.max(found / diagonal(&expected)),
                None => wrong.push(format!(
                    "{} against {stem}: {} clips, {} mesh instances, warnings: {}",
                    path.file_name().expect("valid data").to_string_lossy(),
                    import.model.clips().len(),
                    import.model.mesh_instances().len(),
                    import.report,
                )),
            }
        }
    }
    eprintln!("{compared} compared, {left_out} left out, largest distance {largest:.2e} of the diagonal");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 100);
}
