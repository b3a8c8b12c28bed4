//! Loading, posing and comparing models.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use sinew::animation::Repeat;
use sinew::{Instance, Model};
use sinew_fbx::FbxImporter;
use sinew_io::{BakedModel, Error, Import, ImportOptions, Loader};

/// The folder of FBX files. Without it, prints that the test is skipped.
pub(crate) fn fbx_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("SINEW_DATA").map(|data| PathBuf::from(data).join("ufbx"));
    if folder.is_none() {
        let thread = std::thread::current();
        eprintln!("skipped: {}, as SINEW_DATA is not set", thread.name().unwrap_or("a test"));
    }
    folder
}

/// All files of a folder and below it with an extension, sorted.
pub(crate) fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

pub(crate) fn loader() -> Loader {
    Loader::default().with(FbxImporter)
}

pub(crate) fn load(path: &Path) -> Result<Import, Error> {
    loader().load(path, &ImportOptions::default())
}

/// Imports bytes, and measures the most memory that was in use at once. Without that of ufbx, which
/// has a limit of its own.
pub(crate) fn load_measured(bytes: &[u8], options: &ImportOptions) -> (Result<Import, Error>, u64) {
    let mut import = None;
    let memory = allocation_counter::measure(|| import = Some(loader().load_bytes(bytes, options)));
    (import.expect("it was measured"), memory.bytes_max)
}

/// The positions of all vertices of triangles, at rest or at a time of a clip; of skinned meshes
/// with a transform, and that of their node on top, if given.
pub(crate) fn positions(
    model: &Model,
    clip: Option<(usize, f64)>,
    transform_skin: Option<&HashMap<String, [[f64; 4]; 3]>>,
) -> Result<Vec<[f32; 3]>, Error> {
    let mut instance: Instance = model.instance();
    if let Some((clip, seconds)) = clip {
        instance.start(clip).set_repeat(Repeat::Clamp).seek(seconds).set_speed(0.0);
        instance.step(0.0);
    }
    let mut baked = BakedModel::new(model)?;
    baked.update(&mut instance)?;
    let mut positions = baked.positions().to_vec();
    let matrices = instance.model_matrices();
    let sources = model.mesh_instances().iter().zip(baked.mesh_instances());
    for (source, instance) in sources {
        let is_rigid = model.skins()[source.skin].joints().eq([source.joint]);
        let inner = transform_skin.and_then(|all| all.get(&source.name));
        let Some(&inner) = inner.filter(|_| !is_rigid) else { continue };
        let outer = matrices[source.joint.index()].rows.map(|row| row.map(f64::from));
        for point in &mut positions[instance.vertices.clone()] {
            let apply = |rows: [[f64; 4]; 3], [x, y, z]: [f64; 3]| {
                rows.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
            };
            *point = apply(outer, apply(inner, point.map(f64::from))).map(|x| x as f32);
        }
    }
    Ok(baked.triangles().iter().flatten().map(|&vertex| positions[vertex as usize]).collect())
}

/// The diagonal of the bounds.
pub(crate) fn diagonal(points: &[[f64; 3]]) -> f64 {
    let (mut least, mut most) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in points {
        for axis in 0..3 {
            least[axis] = least[axis].min(point[axis]);
            most[axis] = most[axis].max(point[axis]);
        }
    }
    (0..3).map(|axis| (most[axis] - least[axis]).powi(2)).sum::<f64>().sqrt()
}

/// The largest distance of a point of one set to the nearest of the other, both ways, as far as it
/// is below `limit`; `None` if a point has none that near.
pub(crate) fn distance(a: &[[f64; 3]], b: &[[f64; 3]], limit: f64) -> Option<f64> {
    Some(one_way(a, b, limit)?.max(one_way(b, a, limit)?))
}

/// The largest distance of a point of one set to the nearest of the other, as [`distance`].
pub(crate) fn one_way(from: &[[f64; 3]], to: &[[f64; 3]], limit: f64) -> Option<f64> {
    let sorted = |points: &[[f64; 3]]| {
        let mut points = points.to_vec();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).then(a[2].total_cmp(&b[2])));
        points.dedup();
        points
    };
    let (from, to) = (sorted(from), sorted(to));
    let mut largest = 0.0_f64;
    for point in from {
        let first = to.partition_point(|other| other[0] < point[0] - limit);
        let near = to[first..].iter().take_while(|other| other[0] <= point[0] + limit);
        let squared = |other: &[f64; 3]| (0..3).map(|axis| (point[axis] - other[axis]).powi(2)).sum::<f64>();
        let nearest = near.map(squared).fold(f64::INFINITY, f64::min).sqrt();
        if nearest > limit {
            return None;
        }
        largest = largest.max(nearest);
    }
    Some(largest)
}

pub(crate) fn to_f64(points: &[[f32; 3]]) -> Vec<[f64; 3]> {
    points.iter().map(|point| point.map(f64::from)).collect()
}
