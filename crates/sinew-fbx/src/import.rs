//! Loads a file with ufbx, and reads its scene.

use sinew::model::UpAxis;
use sinew_io::{Error, ImportContext, Importer, RawScene};
use ufbx::{
    AllocatorOpts, CoordinateAxes, FileFormat, GeometryTransformHandling, InheritModeHandling, LoadOpts,
    Scene, SceneRoot, SpaceConversion, Warning,
};

use crate::{animations, materials, meshes, nodes};

/// FBX, binary or text, of the versions 3.0 to 7.7.
#[derive(Clone, Copy, Debug, Default)]
pub struct FbxImporter;

/// The deepest nesting of elements in a file.
const MAX_DEPTH: u32 = 1000;

/// How far into a text file its header may be.
const HEADER: usize = 4096;

impl Importer for FbxImporter {
    fn name(&self) -> &'static str {
        "FBX"
    }

    fn detect(&self, bytes: &[u8]) -> bool {
        let start = &bytes[..bytes.len().min(HEADER)];
        let text = start.trim_ascii_start();
        let has = |word: &[u8]| start.windows(word.len()).any(|window| window == word);
        start.starts_with(b"Kaydara FBX Binary") || text.starts_with(b"; FBX") || has(b"FBXHeaderExtension")
    }

    fn read<'a>(&self, bytes: &'a [u8], context: &mut ImportContext<'_>) -> Result<RawScene<'a>, Error> {
        let scene = load(bytes, context)?;
        context.spend(scene.metadata.result_memory_used as u64, "the scene")?;
        add_warnings(&scene, context)?;
        let mut raw = RawScene { up: UpAxis::Y, ..RawScene::default() };
        raw.nodes = nodes::nodes(&scene, context)?;
        raw.dropped = dropped(&scene);
        (raw.materials, raw.images) = materials::materials(&scene, context)?;
        meshes::meshes(&scene, &mut raw, context)?;
        raw.animations = animations::animations(&scene, &raw, context)?;
        Ok(raw)
    }
}

fn load(bytes: &[u8], context: &ImportContext<'_>) -> Result<SceneRoot, Error> {
    let memory_limit = usize::try_from(context.memory_left()).unwrap_or(usize::MAX);
    let limited = || AllocatorOpts { memory_limit, ..AllocatorOpts::default() };
    let options = LoadOpts {
        temp_allocator: limited(),
        result_allocator: limited(),
        file_format: FileFormat::Fbx,
        node_depth_limit: MAX_DEPTH,
        generate_missing_normals: true,
        normalize_normals: true,
        target_axes: CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: SpaceConversion::ModifyGeometry,
        geometry_transform_handling: GeometryTransformHandling::ModifyGeometry,
        inherit_mode_handling: InheritModeHandling::HelperNodes,
        ..LoadOpts::default()
    };
    ufbx::load_memory(bytes, options).map_err(|error| {
        let description = match &*error.description {
            // What ufbx says if it has no better words.
            "Failed to load" => "damaged data",
            description => description,
        };
        let found = match error.info() {
            "" => description.to_owned(),
            info => format!("{description}: {info}"),
        };
        Error::invalid("", "a valid FBX file", found)
    })
}

/// Adds the warnings of ufbx, one for each kind: a file may give any number of them, and each names
/// an element.
fn add_warnings(scene: &Scene, context: &mut ImportContext<'_>) -> Result<(), Error> {
    let mut kinds: Vec<(&Warning, usize)> = Vec::new();
    for warning in &scene.metadata.warnings {
        match kinds.iter_mut().find(|(first, _)| first.type_ == warning.type_) {
            Some((_, count)) => *count = count.saturating_add(warning.count),
            None => kinds.push((warning, warning.count)),
        }
    }
    for (first, count) in kinds {
        let name = scene.elements.get(first.element_id as usize).map_or("", |element| &element.name);
        context.spend((name.len() + first.description.len()) as u64, "warnings")?;
        let more = if count > 1 { format!(", the first of {count}") } else { String::new() };
        context.warn(name, format!("{}{more}", &*first.description), "it was repaired")?;
    }
    Ok(())
}

/// What the file has and a model does not keep.
fn dropped(scene: &Scene) -> Vec<String> {
    let counts = [
        (scene.lights.len(), "light"),
        (scene.cameras.len() + scene.stereo_cameras.len(), "camera"),
        (scene.line_curves.len() + scene.nurbs_curves.len(), "curve"),
        (scene.nurbs_surfaces.len() + scene.nurbs_trim_surfaces.len(), "NURBS surface"),
        (scene.procedural_geometries.len(), "procedural geometry"),
        (scene.constraints.len(), "constraint"),
        (scene.audio_clips.len(), "audio clip"),
        (scene.lod_groups.len(), "LOD group"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, what)| format!("{count} {what}{}", if count == 1 { "" } else { "s" })).collect()
}
