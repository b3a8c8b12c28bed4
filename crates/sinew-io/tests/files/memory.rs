//! Memory and time stay in proportion to the file: small documents that would need much are
//! refused.

use crate::support::glb_writer::glb;
use sinew_io::{Error, Import, ImportOptions};

/// Imports a document with a buffer, and checks the memory that this takes. An import that takes
/// too much time shows as a test that does not end.
#[track_caller]
fn import(json: &str, buffer: &[u8]) -> Result<Import, Error> {
    let bytes = glb(json.as_bytes(), buffer);
    let mut import = None;
    let memory = allocation_counter::measure(|| {
        import = Some(sinew_io::load_bytes(&bytes, &ImportOptions::default()))
    });
    let limit = (256 << 20) + 4 * bytes.len() as u64;
    eprintln!("{} bytes of file, {} MB of memory", bytes.len(), memory.bytes_max >> 20);
    assert!(memory.bytes_max <= limit, "{} bytes for a file of {}", memory.bytes_max, bytes.len());
    import.expect("it was measured")
}

/// The same text many times, separated by commas.
fn many(count: usize, text: &str) -> String {
    vec![text; count].join(",")
}

/// A document with nodes and meshes, whose accessor has `vertices` positions of zero and no buffer.
fn document(nodes: &str, meshes: &str, vertices: usize) -> String {
    let accessor =
        format!(r#"{{"componentType":5126,"type":"VEC3","count":{vertices},"min":[0,0,0],"max":[0,0,0]}}"#);
    format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],"meshes":[{meshes}],"accessors":[{accessor}]}}"#
    )
}

const TRIANGLE: &str = r#"{"attributes":{"POSITION":0}}"#;

#[test]
fn many_nodes_share_one_surface() {
    let mesh = format!(r#"{{"primitives":[{TRIANGLE}]}}"#);
    let import = import(&document(&many(50_000, r#"{"mesh":0}"#), &mesh, 3), &[]).unwrap();
    assert_eq!((import.model.mesh_instances().len(), import.model.primitives().len()), (50_000, 1));
}

#[test]
fn nodes_times_primitives_are_refused() {
    let mesh = format!(r#"{{"primitives":[{}]}}"#, many(2_000, TRIANGLE));
    assert!(import(&document(&many(20_000, r#"{"mesh":0}"#), &mesh, 3), &[]).is_err());
}

#[test]
fn long_names_times_primitives_are_refused() {
    let mesh = format!(r#"{{"primitives":[{}]}}"#, many(1_000, TRIANGLE));
    let node = format!(r#"{{"mesh":0,"name":"{}"}}"#, "x".repeat(1 << 20));
    assert!(import(&document(&node, &mesh, 3), &[]).is_err());
    let mesh = format!(r#"{{"name":"{}","primitives":[{}]}}"#, "x".repeat(1 << 20), many(1_000, TRIANGLE));
    assert!(import(&document(r#"{"mesh":0}"#, &mesh, 3), &[]).is_err());
}

#[test]
fn vertices_without_a_buffer_stay_within_memory() {
    let mesh = format!(r#"{{"primitives":[{TRIANGLE}]}}"#);
    for vertices in [1_000_000, 1_200_000, 1_400_000, 5_000_000, 1 << 40] {
        let import = import(&document(r#"{"mesh":0}"#, &mesh, vertices), &[]);
        assert!(vertices < 5_000_000 || import.is_err());
    }
}

#[test]
fn primitives_times_shared_vertices_are_refused() {
    let mesh = format!(r#"{{"primitives":[{}]}}"#, many(1_000, TRIANGLE));
    assert!(import(&document(r#"{"mesh":0}"#, &mesh, 30_000), &[]).is_err());
}

#[test]
fn nodes_times_morph_targets_are_refused() {
    let primitive = format!(r#"{{"attributes":{{"POSITION":0}},"targets":[{}]}}"#, many(20_000, "{}"));
    let mesh = format!(r#"{{"primitives":[{primitive}]}}"#);
    assert!(import(&document(&many(20_000, r#"{"mesh":0}"#), &mesh, 3), &[]).is_err());
}

#[test]
fn clips_times_nodes_take_no_memory() {
    let clips = many(2_000, r#"{"samplers":[],"channels":[]}"#);
    let json =
        format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{}],"animations":[{clips}]}}"#, many(20_000, "{}"));
    if let Ok(import) = import(&json, &[]) {
        assert_eq!(import.model.clips().len(), 2_000);
    }
}

#[test]
fn channels_times_keys_are_refused() {
    let keys = 100_000;
    let channels: Vec<_> = (0..2_000)
        .map(|node| format!(r#"{{"sampler":0,"target":{{"node":{node},"path":"translation"}}}}"#))
        .collect();
    let times: Vec<u8> = (0..keys).flat_map(|key| (key as f32).to_le_bytes()).collect();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{}],"buffers":[{{"byteLength":{len}}}],
        "bufferViews":[{{"buffer":0,"byteLength":{len}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"type":"SCALAR","count":{keys},"min":[0],"max":[{last}]}},
        {{"componentType":5126,"type":"VEC3","count":{keys}}}],
        "animations":[{{"samplers":[{{"input":0,"output":1}}],"channels":[{}]}}]}}"#,
        many(2_000, "{}"),
        channels.join(","),
        len = times.len(),
        last = keys - 1,
    );
    assert!(import(&json, &times).is_err());
}

#[test]
fn a_deep_chain_of_nodes_takes_linear_time() {
    let chain = |depth: usize| {
        let node = |index: usize| match index + 1 < depth {
            true => format!(r#"{{"children":[{}]}}"#, index + 1),
            false => "{}".to_owned(),
        };
        let nodes: Vec<_> = (0..depth).map(node).collect();
        format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{}]}}"#, nodes.join(","))
    };
    assert_eq!(import(&chain(100_000), &[]).unwrap().model.skeleton().len(), 100_000);
}

#[test]
fn nodes_times_primitives_without_positions_take_linear_time() {
    let nodes = |node: &str| many(50_000, node);
    for (attributes, node) in [("", r#"{"mesh":0}"#), (r#""JOINTS_0":0"#, r#"{"mesh":0,"skin":0}"#)] {
        let primitive = format!(r#"{{"attributes":{{{attributes}}}}}"#);
        let mesh = format!(r#"{{"primitives":[{}]}}"#, many(50_000, &primitive));
        let json = document(&nodes(node), &mesh, 3).replacen('{', r#"{"skins":[{"joints":[0]}],"#, 1);
        let import = import(&json, &[]).unwrap();
        assert!(import.model.mesh_instances().is_empty());
        assert_eq!(import.report.warnings().len(), 50_000);
    }
}

#[test]
fn primitives_times_mesh_extras_take_linear_time() {
    let extras = many(100_000, r#""x""#);
    for targets in ["", r#","targets":[{}]"#] {
        let primitive = format!(r#"{{"attributes":{{"POSITION":0}}{targets}}}"#);
        let primitives = many(5_000, &primitive);
        let mesh = format!(r#"{{"primitives":[{primitives}],"extras":{{"targetNames":[{extras}]}}}}"#);
        let import = import(&document(r#"{"mesh":0}"#, &mesh, 3), &[]).unwrap();
        assert_eq!(import.model.primitives().len(), 5_000);
    }
}

#[test]
fn long_morph_target_names_times_primitives_are_refused() {
    let primitives = many(1_000, r#"{"attributes":{"POSITION":0},"targets":[{}]}"#);
    let name = "x".repeat(1 << 20);
    let mesh = format!(r#"{{"primitives":[{primitives}],"extras":{{"targetNames":["{name}"]}}}}"#);
    assert!(import(&document(r#"{"mesh":0}"#, &mesh, 3), &[]).is_err());
}

#[test]
fn names_of_missing_morph_targets_stay_within_memory() {
    let primitives = r#"{"attributes":{"POSITION":0},"targets":[{}]}"#;
    for names in [800_000, 3_000_000, 6_000_000] {
        let names = many(names, r#""""#);
        let mesh = format!(r#"{{"primitives":[{primitives}],"extras":{{"targetNames":[{names}]}}}}"#);
        let _ = import(&document(r#"{"mesh":0}"#, &mesh, 3), &[]);
    }
}

#[test]
fn required_times_used_extensions_take_linear_time() {
    let names = |mark: &str| {
        let names: Vec<_> = (0..100_000).map(|i| format!(r#""KHR_materials_{mark}{i}""#)).collect();
        names.join(",")
    };
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsUsed":[{}],"extensionsRequired":[{}]}}"#,
        names("a"),
        names("b")
    );
    assert_eq!(import(&json, &[]).unwrap().report.warnings().len(), 1);
}

#[test]
fn quantized_accessors_times_extensions_take_linear_time() {
    let names = many(100_000, r#""KHR_materials_x""#);
    let accessor = r#"{"componentType":5120,"type":"VEC3","count":3,"min":[0,0,0],"max":[0,0,0]}"#;
    let primitives: Vec<_> = (0..20_000).map(|i| format!(r#"{{"attributes":{{"POSITION":{i}}}}}"#)).collect();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsUsed":[{names}],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{}]}}],"accessors":[{}]}}"#,
        primitives.join(","),
        many(20_000, accessor)
    );
    assert_eq!(import(&json, &[]).unwrap().report.warnings().len(), 20_000);
}

/// A document with a skin of `joints` joints, all of them node 0, and a skinned mesh of these
/// primitives.
fn skinned(joints: usize, primitives: &str) -> String {
    let joints = many(joints, "0");
    let accessors = r#"{"componentType":5126,"type":"VEC3","count":1,"min":[0,0,0],"max":[0,0,0]},
        {"componentType":5121,"type":"VEC4","count":1},
        {"bufferView":0,"componentType":5126,"type":"VEC4","count":1}"#;
    format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0,"skin":0}}],"skins":[{{"joints":[{joints}]}}],
        "meshes":[{{"primitives":[{primitives}]}}],"accessors":[{accessors}],
        "buffers":[{{"byteLength":16}}],"bufferViews":[{{"buffer":0,"byteLength":16}}]}}"#
    )
}

const POINT: &str = r#"{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}"#;

/// The weights 1 0 0 0.
fn weights() -> Vec<u8> {
    [1.0_f32, 0.0, 0.0, 0.0].iter().flat_map(|weight| weight.to_le_bytes()).collect()
}

#[test]
fn joints_of_skins_stay_within_memory() {
    for (joints, sound) in [(100_000, true), (2_000_000, false), (5_000_000, false)] {
        assert_eq!(import(&skinned(joints, POINT), &weights()).is_ok(), sound, "{joints}");
    }
}

#[test]
fn primitives_times_joints_of_a_skin_are_refused() {
    assert!(import(&skinned(200_000, &many(20_000, POINT)), &weights()).is_err());
    assert!(import(&skinned(200, &many(5_000, POINT)), &weights()).is_ok());
}
