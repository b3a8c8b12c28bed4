//! Normal textures of models that were loaded without tangents.

use sinew_io::{ImageFiles, ImportOptions, Tangents, load_bytes};
use sinew_raster::{Picture, Size};
use sinew_render::{Layer, Orbit, RenderOptions, Renderer};

/// A square that faces +z. A pattern is turned by a quarter on it if `u` runs upward. The material
/// has a normal texture if there is an image.
fn square(u_is_up: bool, image: Option<&[u8]>) -> Vec<u8> {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0_f32]];
    let mut numbers: Vec<f32> = corners.iter().flat_map(|&[x, y]| [x, y, 0.0]).collect();
    numbers.extend([0.0, 0.0, 1.0].repeat(4));
    numbers.extend(corners.iter().flat_map(|&[x, y]| if u_is_up { [y, x] } else { [x, -y] }));
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    bytes.extend([0_u16, 1, 2, 0, 2, 3].iter().flat_map(|corner| corner.to_le_bytes()));
    let image_start = bytes.len();
    bytes.extend(image.unwrap_or(&[0; 4]));
    let (len, image_len) = (bytes.len(), bytes.len() - image_start);
    let normal = if image.is_some() { r#","normalTexture":{"index":0}"# } else { "" };
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"NORMAL":1,"TEXCOORD_0":2}},"indices":3,"material":0}}]}}],
        "materials":[{{"pbrMetallicRoughness":{{"metallicFactor":0}}{normal}}}],
        "textures":[{{"source":0}}],"images":[{{"bufferView":1,"mimeType":"image/png"}}],
        "accessors":[
        {{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[-1,-1,0],"max":[1,1,0]}},
        {{"bufferView":0,"byteOffset":48,"componentType":5126,"count":4,"type":"VEC3"}},
        {{"bufferView":0,"byteOffset":96,"componentType":5126,"count":4,"type":"VEC2"}},
        {{"bufferView":0,"byteOffset":128,"componentType":5123,"count":6,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{image_start}}},
        {{"buffer":0,"byteOffset":{image_start},"byteLength":{image_len}}}],"buffers":[{{"byteLength":{len}}}]}}"#
    );
    glb(json, bytes)
}

fn glb(mut json: String, mut bytes: Vec<u8>) -> Vec<u8> {
    json.extend(std::iter::repeat_n(' ', json.len().next_multiple_of(4) - json.len()));
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let total = 28 + json.len() + bytes.len();
    let number = |number: usize| (number as u32).to_le_bytes();
    [
        &b"glTF\x02\0\0\0"[..],
        &number(total),
        &number(json.len()),
        b"JSON",
        json.as_bytes(),
        &number(bytes.len()),
        b"BIN\0",
        &bytes,
    ]
    .concat()
}

/// One texel: a normal that leans by 45 degrees towards increasing u.
fn leaning_png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&[218, 128, 218]).expect("a texel");
    writer.finish().expect("an end");
    bytes
}

fn picture(file: &[u8], tangents: Tangents) -> Picture {
    let options = ImportOptions::default().tangents(tangents).image_files(ImageFiles::Load);
    let model = load_bytes(file, &options).expect("a valid model").model;
    let mut options = RenderOptions::new(Size::new(64, 64).expect("a small size"));
    options.layers = vec![Layer::Skin];
    options.camera = "0,0".parse::<Orbit>().expect("a camera");
    let mut renderer = Renderer::new(&options, &model, None, &mut [0.0].into_iter()).expect("a renderer");
    renderer.picture(0.0).expect("a picture").clone()
}

#[test]
fn a_model_without_tangents_looks_like_one_with_generated_tangents() {
    let png = leaning_png();
    let flat = picture(&square(false, None), Tangents::AsStored);
    for u_is_up in [false, true] {
        let file = square(u_is_up, Some(&png));
        let [stored, generated] =
            [Tangents::AsStored, Tangents::Generate].map(|tangents| picture(&file, tangents));
        assert_eq!(stored.pixel(32, 32), generated.pixel(32, 32), "u is up: {u_is_up}");
        assert_ne!(stored.pixel(32, 32), flat.pixel(32, 32), "u is up: {u_is_up}");
    }
    // The light comes from the left and from above: the texture says which way the surface leans.
    let brightness = |u_is_up| {
        let [r, g, b] =
            picture(&square(u_is_up, Some(&png)), Tangents::AsStored).pixel(32, 32).map(u32::from);
        r + g + b
    };
    assert!(brightness(true) > brightness(false));
}
