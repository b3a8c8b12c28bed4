//! Memory and time are justified by the file: small documents that ask for much get an error, or little.

mod written;

use std::time::{Duration, Instant};

use sinew_io::{Error, Options, Read};
use written::glb::glb;

/// Far above what a document here takes, on a busy machine and without optimisation.
const PATIENCE: Duration = Duration::from_secs(60);

/// Reads a document without a buffer of its own, or with this one.
#[track_caller]
fn read(json: &str, buffer: &[u8]) -> Result<Read, Error> {
    let bytes = glb(json.as_bytes(), buffer);
    let start = Instant::now();
    let mut read = None;
    let memory =
        allocation_counter::measure(|| read = Some(sinew_io::read_bytes(&bytes, &Options::default())));
    let limit = (256 << 20) + 4 * bytes.len() as u64;
    eprintln!(
        "{} bytes of file, {} MB of memory, {:?}",
        bytes.len(),
        memory.bytes_max >> 20,
        start.elapsed()
    );
    assert!(memory.bytes_max <= limit, "{} bytes for a file of {}", memory.bytes_max, bytes.len());
    assert!(start.elapsed() < PATIENCE);
    read.expect("it was measured")
}

/// The same text many times, with commas.
fn many(count: usize, text: &str) -> String {
    vec![text; count].join(",")
}

/// A document of nodes and meshes whose accessors are zeros, 3 x `vertices` floats.
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
    let read = read(&document(&many(50_000, r#"{"mesh":0}"#), &mesh, 3), &[]).unwrap();
    assert_eq!((read.model.parts().len(), read.model.surfaces().len()), (50_000, 1));
}

#[test]
fn nodes_times_primitives_are_refused() {
    let mesh = format!(r#"{{"primitives":[{}]}}"#, many(2_000, TRIANGLE));
    assert!(read(&document(&many(20_000, r#"{"mesh":0}"#), &mesh, 3), &[]).is_err());
}

#[test]
fn long_names_times_primitives_are_refused() {
    let mesh = format!(r#"{{"primitives":[{}]}}"#, many(1_000, TRIANGLE));
    let node = format!(r#"{{"mesh":0,"name":"{}"}}"#, "x".repeat(1 << 20));
    assert!(read(&document(&node, &mesh, 3), &[]).is_err());
    let mesh = format!(r#"{{"name":"{}","primitives":[{}]}}"#, "x".repeat(1 << 20), many(1_000, TRIANGLE));
    assert!(read(&document(r#"{"mesh":0}"#, &mesh, 3), &[]).is_err());
}

#[test]
fn vertices_that_no_byte_stands_for_stay_within_memory() {
    let mesh = format!(r#"{{"primitives":[{TRIANGLE}]}}"#);
    for vertices in [1_000_000, 1_200_000, 1_400_000, 5_000_000, 1 << 40] {
        let read = read(&document(r#"{"mesh":0}"#, &mesh, vertices), &[]);
        assert!(vertices < 5_000_000 || read.is_err());
    }
}

#[test]
fn primitives_times_shared_vertices_are_refused() {
    let mesh = format!(r#"{{"primitives":[{}]}}"#, many(1_000, TRIANGLE));
    assert!(read(&document(r#"{"mesh":0}"#, &mesh, 30_000), &[]).is_err());
}

#[test]
fn nodes_times_morph_targets_are_refused() {
    let primitive = format!(r#"{{"attributes":{{"POSITION":0}},"targets":[{}]}}"#, many(20_000, "{}"));
    let mesh = format!(r#"{{"primitives":[{primitive}]}}"#);
    assert!(read(&document(&many(20_000, r#"{"mesh":0}"#), &mesh, 3), &[]).is_err());
}

#[test]
fn clips_times_nodes_take_nothing() {
    let clips = many(2_000, r#"{"samplers":[],"channels":[]}"#);
    let json =
        format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{}],"animations":[{clips}]}}"#, many(20_000, "{}"));
    if let Ok(read) = read(&json, &[]) {
        assert_eq!(read.model.clips().len(), 2_000);
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
    assert!(read(&json, &times).is_err());
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
    assert_eq!(read(&chain(100_000), &[]).unwrap().model.skeleton().len(), 100_000);
}
