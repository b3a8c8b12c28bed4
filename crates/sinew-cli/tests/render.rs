//! `sinew render`: golden pictures, reproducible bytes, and what is rejected.

mod support;

use std::io::Cursor;
use std::path::Path;

use support::{MD5_ANIM, MD5_MESH, TestFolder, command, stdout};

/// Width, height and pixels of a PNG.
fn decode_png(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    (info.width, info.height, pixels)
}

/// Width, height and the delay of each frame of a GIF.
fn decode_gif(bytes: &[u8]) -> (u16, u16, Vec<u16>) {
    let mut reader = gif::DecodeOptions::new().read_info(bytes).expect("a GIF");
    assert_eq!(reader.global_palette().map(<[u8]>::len), Some(3 * 256));
    let mut delays = Vec::new();
    while let Some(frame) = reader.read_next_frame().expect("a frame") {
        delays.push(frame.delay);
    }
    (reader.width(), reader.height(), delays)
}

/// Renders a picture of 96 x 60 pixels.
fn render_small(folder: &TestFolder, arguments: &[&str]) -> Vec<u8> {
    let rest = ["--size", "96x60", "--force", "-o", "small.png"];
    folder.run(&[&["render"], arguments, &rest].concat());
    folder.read("small.png")
}

/// The path of a golden picture, which a person has checked. `SINEW_GOLDEN=write` rewrites them.
fn golden_path(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures").join(format!("{name}.png"))
}

/// The name of each golden picture, and the arguments that draw it.
const GOLDEN: [(&str, &[&str]); 6] = [
    ("figure", &["@figure:1000", "--at", "0.3"]),
    ("bones", &["@figure:1000", "--at", "0.3", "--show", "skin,bones,bounds,shadow", "--camera", "75,20"]),
    (
        "weights",
        &["@figure:1000", "--clip", "wave", "--at", "1", "--show", "weights,silhouette", "--camera", "-20,0"],
    ),
    ("lines", &["@cylinder", "--at", "0.4", "--show", "wire,normals"]),
    ("twist", &["@twist", "--at", "1.5", "--compare", "linear,dual"]),
    ("heat", &["@twist", "--at", "1.5", "--compare", "linear,dual", "--heat"]),
];

#[test]
fn pictures_match_the_golden_pictures() {
    let folder = TestFolder::new();
    for (name, arguments) in GOLDEN {
        let found = render_small(&folder, arguments);
        if std::env::var_os("SINEW_GOLDEN").is_some_and(|value| value == "write") {
            std::fs::write(golden_path(name), &found).expect("the picture can be written");
        }
        let expected = std::fs::read(golden_path(name)).expect("the golden picture");
        assert!(
            decode_png(&found) == decode_png(&expected),
            "{name} differs from {}",
            golden_path(name).display()
        );
    }
}

#[test]
fn the_pictures_of_the_readme_are_what_the_commands_beside_them_draw() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the README");
    let folder = TestFolder::new();
    let mut pictures = 0;
    for command in readme.split('`').filter(|text| text.starts_with("sinew render ")) {
        let arguments: Vec<&str> = command.split(' ').skip(1).collect();
        let name = arguments.last().expect("the name of a file");
        let path = root.join("docs/pictures").join(name);
        if !path.exists() {
            continue;
        }
        folder.run(&arguments);
        if std::env::var_os("SINEW_GOLDEN").is_some_and(|value| value == "write") {
            std::fs::write(&path, folder.read(name)).expect("the picture can be written");
        }
        let expected = std::fs::read(&path).expect("a picture");
        assert!(folder.read(name) == expected, "docs/pictures/{name} is not what {command:?} draws");
        pictures += 1;
    }
    assert!(pictures >= 3, "{pictures} pictures with commands");
}

#[test]
fn another_pose_changes_the_picture() {
    let folder = TestFolder::new();
    for (name, arguments) in GOLDEN {
        let other: Vec<&str> = arguments
            .iter()
            .map(|argument| if ["0.3", "1", "0.4", "1.5"].contains(argument) { "0.2" } else { argument })
            .collect();
        let expected = std::fs::read(golden_path(name)).expect("the golden picture");
        assert!(decode_png(&render_small(&folder, &other)) != decode_png(&expected), "{name} shows no pose");
    }
}

#[test]
fn bytes_do_not_depend_on_instruction_set_or_number_of_threads() {
    let folder = TestFolder::new();
    let render = |isa: &str, threads: &str, out: &str, more: &[&str]| {
        let start = ["render", "--size", "64x80", "--threads", threads, "--force", "-o", out];
        let mut command = command(&folder.path, &[&start, more].concat());
        stdout(&command.env("SINEW_ISA", isa).output().expect("the program starts"));
        folder.read(out)
    };
    for (out, more) in [
        ("a.png", &["@figure:500", "--at", "0.3"][..]),
        ("b.png", &["@cylinder", "--compare", "dual,influences:2"]),
        ("a.gif", &["@twist", "--fps", "2"]),
    ] {
        let expected = render("plain", "1", out, more);
        assert!(render("", "1", out, more) == expected, "{out}: instruction sets");
        assert!(render("", "3", out, more) == expected, "{out}: threads");
        assert!(render("plain", "1", out, more) == expected, "{out}: runs");
    }
}

#[test]
fn a_gif_loops_without_repeating_the_first_frame() {
    let folder = TestFolder::new();
    folder.write("a.md5mesh", MD5_MESH);
    folder.write("rise.md5anim", MD5_ANIM);
    for (rate, delays) in [("2", vec![50, 50]), ("3", vec![33, 34, 33]), ("1", vec![100])] {
        let with = ["render", "a.md5mesh", "--with", "rise.md5anim", "--size", "20x10", "--fps", rate];
        folder.run_with_note(&[&with[..], &["--force", "-o", "a.gif"]].concat());
        assert_eq!(decode_gif(&folder.read("a.gif")), (20, 10, delays), "{rate}");
    }
    folder.run_with_note(&["render", "a.md5mesh", "--size", "20x10", "--force", "-o", "a.gif"]);
    assert_eq!(decode_gif(&folder.read("a.gif")).2.len(), 1);
}

#[test]
fn pictures_have_the_requested_size() {
    let folder = TestFolder::new();
    for size in ["1x1", "2x1", "64x64", "33x77"] {
        folder.run(&["render", "@twist", "--size", size, "--force", "-o", "a.png"]);
        let (width, height, _) = decode_png(&folder.read("a.png"));
        assert_eq!(format!("{width}x{height}"), size);
    }
    folder.run(&[
        "render",
        "@twist",
        "--size",
        "65x40",
        "--compare",
        "linear,dual",
        "--heat",
        "--force",
        "-o",
        "a.png",
    ]);
    assert_eq!(decode_png(&folder.read("a.png")).0, 65);
}

#[test]
fn shadows_and_layers_are_not_cut_by_the_border() {
    let folder = TestFolder::new();
    for (model, show) in [
        ("@figure:500", "skin,shadow"),
        ("@figure:500", "skin,bones,bounds,normals,shadow"),
        ("@twist", "skin,shadow,bounds"),
        ("@cylinder", "normals,bones,shadow"),
    ] {
        for (camera, size) in [("30,12", "90x60"), ("-60,40", "60x90"), ("170,-5", "80x80")] {
            let options = ["--show", show, "--camera", camera, "--size", size, "--force", "-o", "a.png"];
            folder.run(&[&["render", model, "--at", "0.3"], &options[..]].concat());
            let (width, height, pixels) = decode_png(&folder.read("a.png"));
            for (at, pixel) in pixels.as_chunks::<3>().0.iter().enumerate() {
                let (x, y) = (at as u32 % width, at as u32 / width);
                // The background and the lit floor are brighter than all that is drawn on them.
                let is_border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
                assert!(!is_border || pixel.iter().all(|&code| code > 215), "{model} {show} {camera} {size}");
            }
        }
    }
}

#[test]
fn the_up_axis_of_the_model_points_up() {
    let folder = TestFolder::new();
    folder.write("a.md5mesh", MD5_MESH);
    // The camera sees the front of the only triangle; its tip is up.
    folder.run_with_note(&[
        "render",
        "a.md5mesh",
        "--size",
        "40x40",
        "--show",
        "skin",
        "--camera",
        "60,10",
        "-o",
        "a.png",
    ]);
    let (_, _, pixels) = decode_png(&folder.read("a.png"));
    let differs = |row: usize| (0..40).filter(|x| pixels[3 * (40 * row + x)..][..3] != pixels[..3]).count();
    let rows: Vec<usize> = (0..40).map(differs).collect();
    let (above, below): (usize, usize) = (rows[..20].iter().sum(), rows[20..].iter().sum());
    assert!(above > 0 && above < below, "{rows:?}");
}

#[test]
fn invalid_options_are_bad_usage() {
    let folder = TestFolder::new();
    for (bad, message) in [
        (&["--size", "0x600"][..], "4096"),
        (&["--size", "100000x100000"], "4096"),
        (&["--size", "wide"], "WIDTHxHEIGHT"),
        (&["--size", "1x9", "--compare", "linear,dual"], "--size"),
        (&["--camera", "NaN,0"], "YAW,PITCH"),
        (&["--camera", "0,inf"], "YAW,PITCH"),
        (&["--camera", "0,90"], "89"),
        (&["--camera", "0,0,0"], "distance"),
        (&["--camera", "0,0,-1"], "distance"),
        (&["--camera", "0,0,1e-60"], "distance"),
        (&["--camera", "0"], "YAW,PITCH"),
        (&["--show", "skin,teeth"], "teeth"),
        (&["--show", ""], "skin"),
        (&["--compare", "linear"], "influences:N"),
        (&["--compare", "linear,cubic"], "influences:N"),
        (&["--heat"], "--compare"),
        (&["--clip", "swim"], "swim"),
        (&["--at", "NaN"], "--at"),
        (&["--fps", "10"], "--fps"),
        (&["--threads", "0"], "--threads"),
    ] {
        let text = folder.run_error(2, &[&["render", "@twist", "-o", "a.png"], bad].concat());
        assert!(text.contains(message), "{bad:?}: {text}");
    }
    for (out, more) in
        [("a.bmp", &[][..]), ("png", &[]), ("a.gif", &["--fps", "51"]), ("a.gif", &["--fps", "0"])]
    {
        folder.run_error(2, &[&["render", "@twist", "-o", out], more].concat());
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn failed_output_is_reported_and_leaves_no_file() {
    let folder = TestFolder::new();
    for out in ["nowhere/a.png", "nowhere/a.gif"] {
        let text = folder.run_error(1, &["render", "@twist", "--size", "9x9", "-o", out]);
        assert!(text.contains("nowhere"), "{text}");
    }
    std::fs::create_dir(folder.path.join("d.png")).expect("a folder");
    folder.run_error(1, &["render", "@twist", "--force", "-o", "d.png"]);
    for out in ["a.png", "a.gif"] {
        let render = ["render", "@twist", "--size", "9x9", "-o", out];
        folder.run(&render);
        let before = folder.read(out);
        assert!(folder.run_error(1, &render).contains("--force"));
        assert_eq!(folder.read(out), before);
    }
    assert_eq!(folder.names(), ["a.gif", "a.png", "d.png"]);
}

#[test]
fn an_empty_model_can_be_rendered() {
    let folder = TestFolder::new();
    folder.write("a.gltf", r#"{"asset":{"version":"2.0"}}"#);
    folder.run(&[
        "render",
        "a.gltf",
        "--size",
        "40x30",
        "--show",
        "skin,wire,bones,silhouette,shadow,normals,weights,bounds",
        "-o",
        "a.png",
    ]);
    assert_eq!(decode_png(&folder.read("a.png")).2.len(), 3 * 40 * 30);
}

/// A glTF model with materials only, each with one of these images.
fn textured_gltf(images: &[&str]) -> String {
    let list = |text: &dyn Fn(usize) -> String| (0..images.len()).map(text).collect::<Vec<_>>().join(",");
    format!(
        r#"{{"asset":{{"version":"2.0"}},"images":[{}],"textures":[{}],"materials":[{}]}}"#,
        list(&|i| format!(r#"{{"uri":"{}"}}"#, images[i])),
        list(&|i| format!(r#"{{"source":{i}}}"#)),
        list(&|i| format!(r#"{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":{i}}}}}}}"#)),
    )
}

/// A black PNG with one bit per texel.
fn black_png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&vec![0; (width.div_ceil(8) * height) as usize]).expect("pixels");
    writer.finish().expect("an end");
    bytes
}

#[test]
fn skipped_images_are_counted() {
    let folder = TestFolder::new();
    folder.write("photo.jpg", [0xFF, 0xD8, 0xFF, 0xE0]);
    folder.write("small.png", black_png(16, 16));
    folder.write("vast.png", black_png(8192, 4097));
    let messages = |images: &[&str], more: &[&str]| {
        folder.write("a.gltf", textured_gltf(images));
        let render = ["render", "a.gltf", "--size", "9x9", "--force", "-o", "a.png"];
        let output = folder.output(&[&render, more].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    assert_eq!(messages(&["small.png", "small.png"], &[]), "");
    let text = messages(&["photo.jpg", "small.png", "vast.png", "photo.jpg"], &["--compare", "linear,dual"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 2 && lines.iter().all(|line| line.contains("a.gltf")), "{text}");
    assert!(lines[0].contains("2 images") && lines[0].contains("PNG"), "{text}");
    assert!(lines[1].contains("1 image ") && lines[1].contains("33554432"), "{text}");
    // Each is named, and one that is not there is not called invalid.
    assert!(
        lines[0].ends_with(": \"photo.jpg\", \"photo.jpg\"") && lines[1].ends_with(": \"vast.png\""),
        "{text}"
    );
    let text = messages(&["absent.png"], &[]);
    assert!(text.contains("1 image skipped: missing, or not readable: \"absent.png\""), "{text}");
    let text = folder.run(&["check", "a.gltf"]);
    assert!(
        text.contains("warning: images[0]: expected a regular file in the document's folder, "),
        "{text}"
    );
    assert_eq!(messages(&["photo.jpg"], &["--show", "bones"]), "");
}

#[test]
fn downloaded_models_are_drawn_with_their_textures() {
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        eprintln!("skipped: SINEW_DATA is not set");
        return;
    };
    let folder = TestFolder::new();
    for (file, least) in
        [("khronos-sample-assets/Fox/glTF-Binary/Fox.glb", 50), ("kaykit-adventurers/Knight.glb", 2)]
    {
        let path = Path::new(&data).join(file);
        let path = path.to_str().expect("a path in UTF-8");
        folder.run(&["render", path, "--size", "192x120", "--force", "-o", "a.png"]);
        let (_, _, pixels) = decode_png(&folder.read("a.png"));
        let colored =
            pixels.as_chunks::<3>().0.iter().filter(|[r, g, b]| r.abs_diff(*g).max(g.abs_diff(*b)) > 60);
        assert!(colored.count() > least, "{file}: expected the colors of its texture");
    }
}
