//! Alpha and double-sided materials, judged by rule on a generated model: panels side by side
//! before a red wall, each with a material of its own.

#![cfg(target_os = "linux")]

use sinew_viewer::methods::MethodKind;
use sinew_viewer::offscreen::{Offscreen, render_frames};
use sinew_viewer::settings::Settings;

/// The picture is wide enough for a panel to cover tens of pixels.
const SIZE: [u32; 2] = [420, 300];

/// A panel: its material, its x, and whether its corners turn clockwise as seen from the front.
struct Panel {
    material: &'static str,
    x: f32,
    z: f32,
    turned: bool,
    half: f32,
}

const GREEN: &str = r#""pbrMetallicRoughness":{"baseColorFactor":[0,1,0,A]}"#;

/// A document with a red wall at z = -1 and panels before it.
fn document(panels: &[Panel]) -> String {
    let (mut bytes, mut meshes, mut nodes, mut materials) = (Vec::new(), vec![], vec![], vec![]);
    let (mut views, mut accessors) = (vec![], vec![]);
    for (index, Panel { material, x, z, turned, half }) in panels.iter().enumerate() {
        let first = bytes.len();
        for [u, v] in [[-1.0_f32, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
            let position = [x + half * u, half * v, *z];
            position.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        let corners: [u16; 6] = if *turned { [0, 2, 1, 0, 3, 2] } else { [0, 1, 2, 0, 2, 3] };
        corners.iter().for_each(|corner| bytes.extend(corner.to_le_bytes()));
        views.push(format!(r#"{{"buffer":0,"byteOffset":{first},"byteLength":48}}"#));
        views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":12}}"#, first + 48));
        let (low, high) = ([x - half, -half, *z], [x + half, *half, *z]);
        accessors.push(format!(
            r#"{{"bufferView":{},"componentType":5126,"count":4,"type":"VEC3","min":{low:?},"max":{high:?}}}"#,
            2 * index
        ));
        accessors.push(format!(
            r#"{{"bufferView":{},"componentType":5123,"count":6,"type":"SCALAR"}}"#,
            2 * index + 1
        ));
        meshes.push(format!(
            r#"{{"primitives":[{{"attributes":{{"POSITION":{}}},"indices":{},"material":{index}}}]}}"#,
            2 * index,
            2 * index + 1
        ));
        nodes.push(format!(r#"{{"mesh":{index}}}"#));
        materials.push(format!("{{{material}}}"));
    }
    let data = base64(&bytes);
    let list: Vec<usize> = (0..panels.len()).collect();
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":{list:?}}}],"nodes":[{}],"meshes":[{}],
        "materials":[{}],"accessors":[{}],"bufferViews":[{}],
        "buffers":[{{"byteLength":{},"uri":"data:application/octet-stream;base64,{data}"}}]}}"#,
        nodes.join(","),
        meshes.join(","),
        materials.join(","),
        accessors.join(","),
        views.join(","),
        bytes.len()
    )
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    assert!(bytes.len().is_multiple_of(3), "no padding is needed");
    let group = |&[a, b, c]: &[u8; 3]| {
        let bits = u32::from(a) << 16 | u32::from(b) << 8 | u32::from(c);
        [18, 12, 6, 0].map(|shift| char::from(DIGITS[(bits >> shift & 63) as usize]))
    };
    bytes.as_chunks::<3>().0.iter().flat_map(group).collect()
}

/// Draws the wall and one panel from the front. Returns the color in the middle of the picture.
fn middle(material: &'static str, turned: bool, method: MethodKind) -> Option<[u8; 3]> {
    if let Err(reason) = Offscreen::new() {
        eprintln!("skipped: materials ({reason})");
        return None;
    }
    let wall = r#""doubleSided":true,"pbrMetallicRoughness":{"baseColorFactor":[1,0,0,1]}"#;
    let panels = [
        // First in the file, so that drawing in the order of the file would be wrong.
        Panel { material, x: 0.0, z: 0.0, turned, half: 0.6 },
        Panel { material: wall, x: 0.0, z: -1.0, turned: false, half: 1.5 },
    ];
    let name = format!("sinew-materials-{}-{:?}.gltf", std::process::id(), std::thread::current().id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, document(&panels)).expect("a file");
    let mut settings = Settings { playing: false, method, ..Settings::default() };
    for (option, value) in [("turn", "0,0"), ("samples", "0"), ("show", "surface")] {
        settings.set(option, value).expect("a known option");
    }
    settings.model = path.display().to_string();
    let pixels = render_frames(settings, SIZE, 1);
    std::fs::remove_file(&path).expect("the file again");
    let pixels = pixels.expect("a picture");
    let at = 4 * (SIZE[1] / 2 * SIZE[0] + SIZE[0] / 2) as usize;
    Some([pixels[at], pixels[at + 1], pixels[at + 2]])
}

/// Which of red (the wall) and green (the panel) is seen: both if the other has a fifth of it.
fn seen([red, green, _]: [u8; 3]) -> &'static str {
    match (u32::from(red), u32::from(green)) {
        (red, green) if 5 * green < red => "the wall",
        (red, green) if 5 * red < green => "the panel",
        _ => "both",
    }
}

#[test]
fn alpha_hides_cuts_and_blends() {
    for (extra, alpha, expected) in [
        ("", "0.1", "the panel"),
        (r#""alphaMode":"MASK","#, "0.4", "the wall"),
        (r#""alphaMode":"MASK","#, "0.6", "the panel"),
        (r#""alphaMode":"MASK","alphaCutoff":0.7,"#, "0.6", "the wall"),
        (r#""alphaMode":"BLEND","#, "0.0", "the wall"),
        (r#""alphaMode":"BLEND","#, "0.5", "both"),
        (r#""alphaMode":"BLEND","#, "1.0", "the panel"),
    ] {
        let material: &'static str =
            format!(r#"{extra}"doubleSided":true,{}"#, GREEN.replace('A', alpha)).leak();
        for method in [MethodKind::Blocks, MethodKind::Gpu] {
            let Some(color) = middle(material, false, method) else { return };
            assert_eq!(seen(color), expected, "{extra} {alpha}, {}: {color:?}", method.name());
        }
    }
}

#[test]
fn a_face_seen_from_behind_is_drawn_if_the_material_is_double_sided() {
    for (double_sided, turned, expected) in [
        (false, false, "the panel"),
        (false, true, "the wall"),
        (true, false, "the panel"),
        (true, true, "the panel"),
    ] {
        let material: &'static str =
            format!(r#""doubleSided":{double_sided},{}"#, GREEN.replace('A', "1")).leak();
        let Some(color) = middle(material, turned, MethodKind::Blocks) else { return };
        assert_eq!(seen(color), expected, "double-sided {double_sided}, turned {turned}: {color:?}");
    }
}
