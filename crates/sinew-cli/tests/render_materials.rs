//! `sinew render` draws alpha, normal textures and both sides as glTF says: generated equivalents of
//! Khronos' AlphaBlendModeTest and NormalTangentTest, judged by rules.

mod support;

use std::fmt::Write;
use std::io::Cursor;

use support::TestFolder;

/// A square in the plane z = `z`, from `min` to `max`.
struct Square {
    min: [f32; 2],
    max: [f32; 2],
    z: f32,
    normal: [f32; 3],
    /// The texture coordinates of the corners at the top left, bottom left, bottom right, top
    /// right.
    uv: [[f32; 2]; 4],
    is_reversed: bool,
    /// JSON of the material.
    material: String,
}

const UPRIGHT: [[f32; 2]; 4] = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]];

impl Square {
    fn new(min: [f32; 2], max: [f32; 2], material: &str) -> Self {
        let (material, normal) = (material.to_owned(), [0.0, 0.0, 1.0]);
        Self { min, max, z: 0.0, normal, uv: UPRIGHT, is_reversed: false, material }
    }

    fn numbers(&self) -> Vec<f32> {
        let ([left, bottom], [right, top]) = (self.min, self.max);
        let corners = [[left, top], [left, bottom], [right, bottom], [right, top]];
        let vertex = |corner: usize| {
            let [x, y] = corners[corner];
            [[x, y, self.z].as_slice(), &self.normal, &self.uv[corner]].concat()
        };
        (0..4).flat_map(vertex).collect()
    }
}

/// Writes `a.gltf` with squares, each a mesh with one material. Images are files in the folder.
fn write_gltf(folder: &TestFolder, squares: &[Square], images: &[&str]) {
    let mut bytes: Vec<u8> = Vec::new();
    let (mut accessors, mut meshes, mut nodes, mut materials) =
        (String::new(), String::new(), String::new(), String::new());
    for (index, square) in squares.iter().enumerate() {
        let start = bytes.len();
        bytes.extend(square.numbers().iter().flat_map(|x| x.to_le_bytes()));
        let indices: [u8; 8] =
            if square.is_reversed { [0, 2, 1, 0, 3, 2, 0, 0] } else { [0, 1, 2, 0, 2, 3, 0, 0] };
        bytes.extend(indices);
        let comma = if index == 0 { "" } else { "," };
        let ([left, bottom], [right, top], z) = (square.min, square.max, square.z);
        write!(
            accessors,
            r#"{comma}{{"bufferView":0,"byteOffset":{start},"componentType":5126,"count":4,"type":"VEC3","min":[{left},{bottom},{z}],"max":[{right},{top},{z}]}},
            {{"bufferView":0,"byteOffset":{},"componentType":5126,"count":4,"type":"VEC3"}},
            {{"bufferView":0,"byteOffset":{},"componentType":5126,"count":4,"type":"VEC2"}},
            {{"bufferView":1,"byteOffset":{},"componentType":5121,"count":6,"type":"SCALAR"}}"#,
            start + 12,
            start + 24,
            start + 128,
        )
        .expect("text");
        let first = 4 * index;
        let attributes =
            format!(r#"{{"POSITION":{first},"NORMAL":{},"TEXCOORD_0":{}}}"#, first + 1, first + 2);
        write!(
            meshes,
            r#"{comma}{{"primitives":[{{"attributes":{attributes},"indices":{},"material":{index}}}]}}"#,
            first + 3
        )
        .expect("text");
        write!(nodes, r#"{comma}{{"mesh":{index}}}"#).expect("text");
        write!(materials, "{comma}{{{}}}", square.material).expect("text");
    }
    let list = |text: &dyn Fn(usize) -> String| (0..images.len()).map(text).collect::<Vec<_>>().join(",");
    let numbers = (0..squares.len()).map(|index| index.to_string()).collect::<Vec<_>>().join(",");
    let len = bytes.len();
    let mut gltf = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[{numbers}]}}],
        "nodes":[{nodes}],"meshes":[{meshes}],"materials":[{materials}],"accessors":[{accessors}],
        "buffers":[{{"uri":"a.bin","byteLength":{len}}}],
        "bufferViews":[{{"buffer":0,"byteLength":{len},"byteStride":32}},{{"buffer":0,"byteLength":{len}}}]"#
    );
    if !images.is_empty() {
        let images_json = list(&|i| format!(r#"{{"uri":"{}"}}"#, images[i]));
        let textures = list(&|i| format!(r#"{{"source":{i},"sampler":0}}"#));
        write!(
            gltf,
            r#","samplers":[{{"wrapS":33071,"wrapT":33071}}],"images":[{images_json}],"textures":[{textures}]"#
        )
        .expect("text");
    }
    folder.write("a.gltf", gltf + "}");
    folder.write("a.bin", bytes);
}

fn rgba_png(width: u32, texels: &[[u8; 4]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, texels.len() as u32 / width);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(texels.as_flattened()).expect("pixels");
    writer.finish().expect("an end");
    bytes
}

/// The width and the pixels of a picture.
fn decode(png: &[u8]) -> (usize, Vec<[u8; 3]>) {
    let mut reader = png::Decoder::new(Cursor::new(png)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    (info.width as usize, pixels.as_chunks().0.to_vec())
}

/// A picture from the front, without floor, cropped to what is drawn.
struct Crop {
    width: usize,
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
    pixels: Vec<u8>,
}

impl Crop {
    fn render(folder: &TestFolder, size: &str) -> Self {
        let options = ["--show", "skin", "--camera", "0,0", "--size", size, "--force", "-o", "a.png"];
        folder.run(&[&["render", "a.gltf"], &options[..]].concat());
        let (width, pixels) = decode(&folder.read("a.png"));
        let pixels = pixels.as_flattened().to_vec();
        let drawn: Vec<(usize, usize)> = (0..pixels.len() / 3)
            .filter(|at| pixels[3 * at..][..3] != pixels[..3])
            .map(|at| (at % width, at / width))
            .collect();
        let xs = || drawn.iter().map(|at| at.0);
        let ys = || drawn.iter().map(|at| at.1);
        let (left, right) = (xs().min().expect("a pixel"), xs().max().expect("a pixel") + 1);
        let (top, bottom) = (ys().min().expect("a pixel"), ys().max().expect("a pixel") + 1);
        Self { width, left, top, right, bottom, pixels }
    }

    /// The color at a fraction of the width and of the height, from the top left.
    fn at(&self, x: f32, y: f32) -> [u8; 3] {
        let x = self.left + (x * (self.right - self.left) as f32) as usize;
        let y = self.top + (y * (self.bottom - self.top) as f32) as usize;
        let at = 3 * (y * self.width + x);
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]]
    }
}

/// Emits one color and reflects almost nothing.
fn glowing(color: &str, more: &str) -> String {
    format!(
        r#""emissiveFactor":[{color}],"pbrMetallicRoughness":{{"baseColorFactor":[0,0,0,1],"metallicFactor":0{more}}}"#
    )
}

#[test]
fn alpha_modes_are_drawn_as_gltf_says() {
    let folder = TestFolder::new();
    // Alpha grows from the top to the bottom.
    let ramp: Vec<[u8; 4]> = (0..128).map(|row| [255, 255, 255, row * 2]).collect();
    folder.write("ramp.png", rgba_png(1, &ramp));
    let modes = [
        (r#""alphaMode":"OPAQUE""#, Some(0.0)),
        (r#""alphaMode":"BLEND""#, None),
        (r#""alphaMode":"MASK""#, Some(0.5)),
        (r#""alphaMode":"MASK","alphaCutoff":0.25"#, Some(0.25)),
        (r#""alphaMode":"MASK","alphaCutoff":0.75"#, Some(0.75)),
    ];
    // A red wall behind green squares.
    let mut wall = Square::new([0.0, 0.0], [5.0, 1.0], &glowing("1,0,0", ""));
    wall.z = -0.001;
    let mut squares = vec![wall];
    for (index, (mode, _)) in modes.iter().enumerate() {
        let x = index as f32;
        let green = glowing("0,1,0", r#","baseColorTexture":{"index":0}"#);
        squares.push(Square::new([x + 0.1, 0.0], [x + 0.9, 1.0], &format!("{green},{mode}")));
    }
    // Transparent squares must be drawn last, wherever they are in the file.
    squares.rotate_left(1);
    write_gltf(&folder, &squares, &["ramp.png"]);
    let picture = Crop::render(&folder, "400x120");
    for (index, (mode, cutoff)) in modes.iter().enumerate() {
        for step in 1..20 {
            let alpha = step as f32 / 20.0;
            let [red, green, _] = picture.at((index as f32 + 0.5) / 5.0, alpha).map(i32::from);
            match cutoff {
                Some(cutoff) if (alpha - cutoff).abs() < 0.04 => {}
                Some(cutoff) if alpha > *cutoff => assert!(green > 230 && red < 60, "{mode} {alpha}"),
                Some(_) => assert!(red > 230 && green < 60, "{mode} {alpha}"),
                None => {
                    let expected = [1.0 - alpha, alpha].map(srgb);
                    assert!((red - expected[0]).abs() < 24, "{alpha} {red} {expected:?}");
                    assert!((green - expected[1]).abs() < 24, "{alpha} {green} {expected:?}");
                }
            }
        }
        // The wall is seen between the squares.
        assert!(picture.at((index as f32 + 0.98) / 5.0, 0.5)[0] > 230, "{mode}");
    }
}

fn srgb(linear: f32) -> i32 {
    i32::from(sinew_raster::linear_to_srgb(linear))
}

#[test]
fn only_double_sided_materials_show_their_backs() {
    let folder = TestFolder::new();
    let mut squares = vec![Square::new([0.0, 0.0], [4.0, 1.0], &glowing("1,0,0", ""))];
    squares[0].z = -0.001;
    for (index, (is_reversed, double_sided)) in
        [(false, false), (true, false), (false, true), (true, true)].into_iter().enumerate()
    {
        let x = index as f32;
        let material = format!(r#"{},"doubleSided":{double_sided}"#, glowing("0,1,0", ""));
        let mut square = Square::new([x + 0.2, 0.0], [x + 0.8, 1.0], &material);
        // Normals follow the winding: such a square faces away.
        (square.is_reversed, square.normal[2]) = (is_reversed, if is_reversed { -1.0 } else { 1.0 });
        squares.push(square);
    }
    write_gltf(&folder, &squares, &[]);
    let picture = Crop::render(&folder, "400x120");
    let green = [0, 1, 2, 3].map(|index| picture.at((index as f32 + 0.5) / 4.0, 0.5)[1] > 200);
    assert_eq!(green, [true, false, true, true]);
}

/// How texture coordinates lie on a square: the corners' coordinates, and the directions of its
/// texture's x (to the right) and y (up) on the square.
type Mapping = ([[f32; 2]; 4], [[f32; 2]; 2]);

const MAPPINGS: [Mapping; 4] = [
    (UPRIGHT, [[1.0, 0.0], [0.0, 1.0]]),
    // Turned by a quarter.
    ([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]], [[0.0, -1.0], [1.0, 0.0]]),
    // Mirrored.
    ([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]], [[-1.0, 0.0], [0.0, 1.0]]),
    // Upside down.
    ([[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], [[1.0, 0.0], [0.0, -1.0]]),
];

#[test]
fn a_normal_texture_lights_a_flat_square_like_a_tilted_one() {
    let folder = TestFolder::new();
    // Tilted by half a right angle to the right, up, left and down in the texture.
    let tilts: [[f32; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    let half = 0.5_f32.sqrt();
    let names = ["right.png", "up.png", "left.png", "down.png"];
    for (name, [x, y]) in names.iter().zip(tilts) {
        let code = |value: f32| (127.5 + 127.5 * value * half).round() as u8;
        folder.write(name, rgba_png(2, &[[code(x), code(y), code(1.0), 255]; 4]));
    }
    let plain = r#""pbrMetallicRoughness":{"baseColorFactor":[0.6,0.5,0.4,1],"metallicFactor":0.3,"roughnessFactor":0.9}"#;
    let mut squares = Vec::new();
    for (row, (uv, [along_x, along_y])) in MAPPINGS.into_iter().enumerate() {
        for (tilt, [x, y]) in tilts.into_iter().enumerate() {
            let textured = format!(r#"{plain},"normalTexture":{{"index":{tilt}}}"#);
            for (side, material) in [plain, &textured].into_iter().enumerate() {
                let corner = [(2 * tilt + side) as f32, row as f32];
                let mut square = Square::new(corner, corner.map(|x| x + 1.0), material);
                if side == 0 {
                    let [x, y] = [0, 1].map(|i| half * (x * along_x[i] + y * along_y[i]));
                    square.normal = [x, y, half];
                } else {
                    square.uv = uv;
                }
                squares.push(square);
            }
        }
    }
    write_gltf(&folder, &squares, &names);
    let picture = Crop::render(&folder, "480x240");
    let mut seen = Vec::new();
    for row in 0..4 {
        for tilt in 0..4 {
            let y = (3.5 - row as f32) / 4.0;
            let [tilted, textured] =
                [0, 1].map(|side| picture.at((2 * tilt + side) as f32 / 8.0 + 1.0 / 16.0, y).map(i32::from));
            // The highlight changes a little from square to square.
            assert!(
                (0..3).all(|i| (tilted[i] - textured[i]).abs() <= 8),
                "mapping {row}, tilt {tilt}: {tilted:?} {textured:?}"
            );
            seen.push(textured[0]);
        }
    }
    // The directions differ by much more than that.
    let (low, high) = (seen.iter().min().expect("a color"), seen.iter().max().expect("a color"));
    assert!(high - low > 60, "{seen:?}");
}

/// An MD5 square that faces a camera at its right, with its material's name.
fn md5_square(material: &str) -> String {
    let corner = |index: usize| [[0, 0], [1, 0], [1, 1], [0, 1]][index];
    let list = |line: &dyn Fn(usize) -> String| (0..4).map(line).collect::<Vec<_>>().join("\n");
    // +z is up, and v runs down.
    let vertices = list(&|index| {
        let [u, up] = corner(index);
        format!("vert {index} ( {u} {} ) {index} 1", 1 - up)
    });
    let weights = list(&|index| {
        let [x, z] = corner(index);
        format!("weight {index} 0 1 ( {x} 0 {z} )")
    });
    format!(
        "MD5Version 10\nnumJoints 1\nnumMeshes 1\njoints {{ \"a\" -1 ( 0 0 0 ) ( 0 0 0 ) }}
        mesh {{ shader \"{material}\" numverts 4\n{vertices}
        numtris 2 tri 0 0 1 2 tri 1 0 2 3 numweights 4\n{weights} }}"
    )
}

#[test]
fn an_md5_model_is_drawn_with_the_picture_beside_it() {
    let folder = TestFolder::new();
    let note = |folder: &TestFolder| {
        let options = ["--show", "skin", "--camera", "90,0", "--size", "60x60", "--force", "-o", "a.png"];
        let output = folder.output(&[&["render", "a.md5mesh"], &options[..]].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    folder.write("a.md5mesh", md5_square("models/imp/imp"));
    let message = note(&folder);
    let expected = "note: no picture beside the model for material \"models/imp/imp\" (imp.png); ";
    assert!(message.contains(expected) && message.lines().count() == 1, "{message}");
    let plain = folder.read("a.png");
    // Red at the top, blue at the bottom.
    folder.write("imp_d.png", rgba_png(1, &[[255, 0, 0, 255], [0, 0, 255, 255]]));
    assert_eq!(note(&folder), "");
    assert_ne!(folder.read("a.png"), plain);
    let (_, pixels) = decode(&folder.read("a.png"));
    let count = |from: usize, to: usize, color: usize| {
        let strong = |pixel: &&[u8; 3]| pixel[color] > pixel[2 - color].saturating_add(80);
        pixels[60 * from..60 * to].iter().filter(strong).count()
    };
    assert!(count(0, 28, 0) > 200 && count(32, 60, 0) == 0, "red is at the top");
    assert!(count(32, 60, 2) > 200 && count(0, 28, 2) == 0, "blue is at the bottom");
    // The same picture as TGA, which starts with the lowest row.
    let textured = folder.read("a.png");
    std::fs::remove_file(folder.path.join("imp_d.png")).expect("it exists");
    let mut tga = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 24, 0];
    tga.extend([255, 0, 0, 0, 0, 255]);
    folder.write("imp.tga", &tga);
    assert_eq!(note(&folder), "");
    assert_eq!(folder.read("a.png"), textured);
    // A picture that cannot be drawn is said.
    folder.write("imp.tga", "a picture");
    assert!(note(&folder).contains("note: no picture beside the model"), "a broken TGA is a missing picture");
    folder.write("imp.jpg", "a picture");
    let message = note(&folder);
    assert!(message.contains("1 image skipped: not a valid PNG, JPEG or WebP"), "{message}");
    assert_eq!(folder.read("a.png"), plain);
    // Meshes without a material.
    folder.write("a.md5mesh", md5_square(""));
    assert!(note(&folder).contains("note: no picture for meshes that name no material"));
}
