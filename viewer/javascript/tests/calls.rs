//! The functions of the ABI, called as from C: vertices match the library, and wrong calls return
//! errors.
//!
//! `module.mjs` makes the same calls in Node and compares with the same list.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sinew_c_abi::*;
use sinew_testkit::checksum::Checksum;

/// Checksums of the vertices of each figure after [`step_through`].
const CHECKSUMS: &str = include_str!("checksums.txt");

/// Serializes the tests, which share one inbox and one text.
fn lock() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

fn fill(bytes: &[u8]) {
    let inbox = sinew_inbox(bytes.len());
    assert!(!inbox.is_null());
    // SAFETY: the inbox has the requested number of bytes, and is valid until it is opened.
    unsafe { inbox.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
}

fn open(bytes: &[u8]) -> u32 {
    fill(bytes);
    let figure = sinew_open(1);
    assert_ne!(figure, 0, "{}", text());
    figure
}

fn text() -> String {
    let (start, len) = (sinew_text(), sinew_text_len());
    // SAFETY: the text and its terminator are valid until the next call.
    let bytes = unsafe { std::slice::from_raw_parts(start, len + 1) };
    assert_eq!(bytes[len], 0);
    String::from_utf8(bytes[..len].to_vec()).expect("text is UTF-8")
}

fn vertices(figure: u32) -> Vec<f32> {
    let len = 8 * usize::try_from(sinew_vertices_len(figure)).expect("the figure is there");
    // SAFETY: eight floats per vertex, valid until the figure is closed.
    unsafe { std::slice::from_raw_parts(sinew_vertices(figure), len) }.to_vec()
}

/// Three steps, and a fourth in the middle of a cross-fade if there is a second clip.
fn step_through(figure: u32) {
    for _ in 0..3 {
        assert_eq!(sinew_step(figure, 0.25), 0);
    }
    if sinew_clips_len(figure) > 1 {
        assert_eq!(sinew_play(figure, 1, 0.5), 0);
    }
    assert_eq!(sinew_step(figure, 0.25), 0);
}

fn read_input(name: &str) -> Option<Vec<u8>> {
    if name.starts_with('@') {
        return Some(name.as_bytes().to_vec());
    }
    if let Some(path) = name.strip_prefix("SINEW_DATA/") {
        let Some(data) = std::env::var_os("SINEW_DATA") else {
            eprintln!("skipped: {path} (SINEW_DATA is not set)");
            return None;
        };
        return Some(std::fs::read(Path::new(&data).join(path)).expect("the model is in SINEW_DATA"));
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    Some(std::fs::read(file).expect("the file is beside this one"))
}

#[test]
fn vertices_have_the_listed_checksums() {
    let _lock = lock();
    let mut wrong = Vec::new();
    for line in CHECKSUMS.lines() {
        let (expected, name) = line.split_once(' ').unwrap();
        let Some(bytes) = read_input(name) else { continue };
        let figure = open(&bytes);
        step_through(figure);
        let mut sum = Checksum::new();
        sum.add(&vertices(figure));
        let found = format!("{:016x}", sum.value());
        if found != expected {
            wrong.push(format!("{found} {name}"));
        }
        assert_eq!(sinew_close(figure), 0);
    }
    assert!(wrong.is_empty(), "found\n{}", wrong.join("\n"));
}

#[test]
fn vertices_match_the_library() {
    let _lock = lock();
    let figure = open(b"@figure:2000");
    step_through(figure);

    let mut scene = sinew_figures::scene("@figure:2000").unwrap();
    let reproducible = sinew::Runtime::new(sinew::FloatMode::Reproducible).unwrap();
    scene.skeleton = scene.skeleton.with_runtime(reproducible);
    let model = scene.model().unwrap();
    let mut instance = model.instance();
    instance.play("walk").unwrap();
    for _ in 0..3 {
        instance.step(0.25);
    }
    instance.fade_to("wave", 0.5).unwrap();
    instance.step(0.25);
    let skinned = instance.skin();
    let mesh = &model.primitive(0).mesh;
    let found = vertices(figure);
    assert_eq!(found.len(), 8 * mesh.padded_len());
    for (vertex, &slot) in mesh.remap().iter().enumerate() {
        let floats = &found[8 * slot as usize..][..8];
        assert_eq!(floats[..3], skinned.position(0, vertex));
        assert_eq!(floats[6..], scene.mesh.texture_coordinates[vertex]);
    }
    assert_eq!(sinew_close(figure), 0);
}

#[test]
fn triangles_colors_and_bounds_match_the_vertices() {
    let _lock = lock();
    let figure = open(&read_input("bar.gltf").unwrap());
    let vertices = usize::try_from(sinew_vertices_len(figure)).unwrap();
    let indices = usize::try_from(sinew_indices_len(figure)).unwrap();
    assert_eq!(indices, 3 * 60);
    // SAFETY: as many indices as the call above returned, valid until the figure is closed.
    let indices = unsafe { std::slice::from_raw_parts(sinew_indices(figure), indices) };
    assert!(indices.iter().all(|&index| (index as usize) < vertices));
    // SAFETY: four floats per vertex, valid until the figure is closed.
    let colors = unsafe { std::slice::from_raw_parts(sinew_colors(figure), 4 * vertices) };
    assert!(colors.as_chunks::<4>().0.iter().all(|color| *color == [0.2, 0.5, 0.8, 1.0]));
    // SAFETY: six floats, valid until the figure is closed.
    let bounds = unsafe { std::slice::from_raw_parts(sinew_bounds(figure), 6) };
    assert!((bounds[1].abs() < 1e-4) && (bounds[4] - 2.0).abs() < 1e-4, "{bounds:?}");
    assert_eq!((sinew_up(figure), sinew_joints_len(figure)), (1, 3));
    assert_eq!((sinew_clip_name(figure, 0), text().as_str()), (0, "bend"));
    assert_eq!(sinew_clip_seconds(figure, 0), 2.0);
    assert_eq!(sinew_close(figure), 0);
}

#[test]
fn calls_on_missing_figures_return_an_error() {
    let _lock = lock();
    let closed = open(b"@twist");
    assert_eq!(sinew_close(closed), 0);
    for figure in [0, closed, closed + 1, u32::MAX] {
        let numbers =
            [sinew_vertices_len, sinew_indices_len, sinew_up, sinew_joints_len, sinew_clips_len, sinew_close];
        for number in numbers {
            assert_eq!(number(figure), -1);
            assert_eq!(text(), format!("no figure has the number {figure}"));
        }
        for array in [sinew_vertices, sinew_colors, sinew_bounds] {
            assert!(array(figure).is_null());
        }
        assert!(sinew_indices(figure).is_null());
        assert_eq!(sinew_clip_name(figure, 0), -1);
        assert_eq!(sinew_clip_seconds(figure, 0), -1.0);
        assert_eq!(sinew_play(figure, 0, 0.0), -1);
        assert_eq!(sinew_step(figure, 0.1), -1);
    }
}

#[test]
fn wrong_clips_times_and_float_modes_return_an_error() {
    let _lock = lock();
    let figure = open(b"@twist");
    for clip in [1, u32::MAX] {
        assert_eq!(sinew_play(figure, clip, 0.0), -1);
        assert_eq!(text(), format!("clip: expected an index below 1, found {clip}"));
        assert_eq!((sinew_clip_name(figure, clip), sinew_clip_seconds(figure, clip)), (-1, -1.0));
    }
    let before = vertices(figure);
    for seconds in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(sinew_step(figure, seconds), 0);
        assert_eq!(sinew_play(figure, 0, seconds), 0);
    }
    assert_eq!(sinew_step(figure, f32::MAX), 0);
    assert!(vertices(figure).iter().all(|float| float.is_finite()) && before.len() == vertices(figure).len());
    fill(b"@twist");
    assert_eq!(sinew_open(2), 0);
    assert_eq!(text(), "float mode: expected 0 or 1, found 2");
    assert_eq!(sinew_close(figure), 0);
}

#[test]
fn invalid_files_are_rejected_with_the_position_of_the_error() {
    let _lock = lock();
    assert!(sinew_inbox(usize::MAX).is_null());
    assert!(text().starts_with("inbox: expected at most "), "{}", text());
    let bar = read_input("bar.gltf").unwrap();
    let cases: [(&[u8], &str); 5] = [
        (b"", "expected a file of the format glTF or MD5 or BVH, found nothing"),
        (b"no model", "found \"no model\""),
        (b"@fig", "unknown scene \"@fig\""),
        (b"@figure:99999999", "from 1 to 1000000"),
        (&bar[..bar.len() / 2], "line 12, column "),
    ];
    for (bytes, expected) in cases {
        fill(bytes);
        assert_eq!(sinew_open(0), 0);
        assert!(text().contains(expected), "{}", text());
    }
    // A failed call has emptied the inbox.
    assert_eq!(sinew_open(0), 0);
    assert!(text().contains("found nothing"), "{}", text());
}
