//! The JSON of a glTF document, as far as sinew writes it. Fields are written in the order of
//! declaration. Empty arrays, which glTF forbids, and empty names are left out.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::{CharEscape, Formatter};
use serde_json::value::RawValue;

use super::materials::{KTX2, WEBP};

/// The document. Indices count from zero, in the order in which elements were added.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    pub(super) asset: Asset,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) extensions_used: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) extensions_required: Vec<&'static str>,
    /// The default scene.
    pub(super) scene: usize,
    pub(super) scenes: Vec<Scene>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) samplers: Vec<TextureSampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffers: Vec<Buffer>,
}

#[derive(Debug, Serialize)]
pub(super) struct Asset {
    version: &'static str,
    generator: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) copyright: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Option<Box<RawValue>>,
}

impl Default for Asset {
    fn default() -> Self {
        let generator = concat!("sinew ", env!("CARGO_PKG_VERSION"));
        Self { version: "2.0", generator, copyright: String::new(), extras: None }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Scene {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<usize>,
}

/// Fields that are `None` have the default of the format.
#[derive(Debug, Default, Serialize)]
pub(super) struct Node {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skin: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) weights: Vec<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct Mesh {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    pub(super) primitives: Vec<Primitive>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Option<MeshExtras>,
}

/// The names of morph targets, in the place where importers look for them by convention.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MeshExtras {
    pub(super) target_names: Vec<String>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    /// `None` for triangles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) indices: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) targets: Vec<Attributes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) material: Option<usize>,
}

/// Accessors by their semantic, in the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Attributes(Vec<(String, usize)>);

impl Attributes {
    pub(super) fn add(&mut self, semantic: impl Into<String>, accessor: usize) {
        self.0.push((semantic.into(), accessor));
    }
}

impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(semantic, accessor)| (semantic, accessor)))
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) inverse_bind_matrices: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) joints: Vec<usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct Animation {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    pub(super) samplers: Vec<Sampler>,
    pub(super) channels: Vec<Channel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Option<AnimationExtras>,
}

/// The events of a clip: glTF has no place of its own for them.
#[derive(Debug, Serialize)]
pub(super) struct AnimationExtras {
    pub(super) events: Vec<AnimationEvent>,
}

#[derive(Debug, Serialize)]
pub(super) struct AnimationEvent {
    pub(super) name: String,
    pub(super) seconds: f32,
}

#[derive(Debug, Serialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) interpolation: &'static str,
    pub(super) output: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: ChannelTarget,
}

#[derive(Debug, Serialize)]
pub(super) struct ChannelTarget {
    pub(super) node: usize,
    pub(super) path: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    pub(super) pbr_metallic_roughness: PbrMetallicRoughness,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) normal_texture: Option<TextureInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) occlusion_texture: Option<TextureInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) emissive_texture: Option<TextureInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) emissive_factor: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_cutoff: Option<f32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) double_sided: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PbrMetallicRoughness {
    pub(super) base_color_factor: [f32; 4],
    pub(super) metallic_factor: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) roughness_factor: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base_color_texture: Option<TextureInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) metallic_roughness_texture: Option<TextureInfo>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureInfo {
    pub(super) index: usize,
    pub(super) tex_coord: usize,
    /// Of a normal texture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<f32>,
    /// Of an occlusion texture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) strength: Option<f32>,
}

impl TextureInfo {
    pub(super) fn new(index: usize, tex_coord: usize) -> Self {
        Self { index, tex_coord, scale: None, strength: None }
    }
}

/// A texture has its image as source, or in an extension.
#[derive(Debug, Serialize)]
pub(super) struct Texture {
    #[serde(skip_serializing_if = "Option::is_none")]
    sampler: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<TextureExtensions>,
}

#[derive(Debug, Serialize)]
struct TextureExtensions {
    #[serde(rename = "EXT_texture_webp", skip_serializing_if = "Option::is_none")]
    webp: Option<Source>,
    #[serde(rename = "KHR_texture_basisu", skip_serializing_if = "Option::is_none")]
    basisu: Option<Source>,
}

#[derive(Debug, Serialize)]
struct Source {
    source: usize,
}

impl Texture {
    /// A texture with an image of this media type, or with one that is external.
    pub(super) fn new(image: usize, media_type: Option<&str>, sampler: Option<usize>) -> Self {
        let extension = |name: &str| (media_type == Some(name)).then_some(Source { source: image });
        let (webp, basisu) = (extension(WEBP), extension(KTX2));
        if webp.is_none() && basisu.is_none() {
            return Self { sampler, source: Some(image), extensions: None };
        }
        Self { sampler, source: None, extensions: Some(TextureExtensions { webp, basisu }) }
    }

    /// The extension that the texture needs.
    pub(super) fn extension(&self) -> Option<&'static str> {
        let extensions = self.extensions.as_ref()?;
        Some(if extensions.webp.is_some() { "EXT_texture_webp" } else { "KHR_texture_basisu" })
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureSampler {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mag_filter: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min_filter: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wrap_s: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wrap_t: Option<u32>,
}

/// An image has either a URI, or a buffer view with a media type.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) buffer_view: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mime_type: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: usize,
    pub(super) component_type: u32,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) min: Vec<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) max: Vec<f32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) byte_length: usize,
}

/// The JSON text of a part of a document.
pub(super) fn to_json(part: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    part.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Decimal))?;
    Ok(text)
}

/// Compact JSON whose bytes do not depend on the version of `serde_json`: numbers have no
/// exponents, and control characters are written as `\uXXXX`.
struct Decimal;

impl Formatter for Decimal {
    /// All digits of the value, so that a parser of any precision gets the same number.
    fn write_f32<W: ?Sized + Write>(&mut self, to: &mut W, value: f32) -> io::Result<()> {
        write!(to, "{}", f64::from(value))
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, to: &mut W, escape: CharEscape) -> io::Result<()> {
        let code = match escape {
            CharEscape::Quote => return to.write_all(b"\\\""),
            CharEscape::ReverseSolidus => return to.write_all(b"\\\\"),
            CharEscape::Solidus => return to.write_all(b"\\/"),
            CharEscape::Backspace => 0x08,
            CharEscape::Tab => 0x09,
            CharEscape::LineFeed => 0x0A,
            CharEscape::FormFeed => 0x0C,
            CharEscape::CarriageReturn => 0x0D,
            CharEscape::AsciiControl(code) => code,
        };
        write!(to, "\\u{code:04x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(part: &impl Serialize) -> String {
        String::from_utf8(to_json(part).expect("memory")).expect("text")
    }

    #[test]
    fn empty_fields_are_left_out_and_others_keep_their_order() {
        let mut attributes = Attributes::default();
        attributes.add("POSITION", 1);
        attributes.add("COLOR_0", 0);
        let primitive = Primitive { attributes, indices: Some(2), ..Primitive::default() };
        assert_eq!(text(&primitive), "{\"attributes\":{\"POSITION\":1,\"COLOR_0\":0},\"indices\":2}");
        assert_eq!(text(&Node::default()), "{}");
        let view = BufferView { buffer: 0, byte_offset: 4, byte_length: 8, target: None };
        assert_eq!(text(&view), "{\"buffer\":0,\"byteOffset\":4,\"byteLength\":8}");
    }

    #[test]
    fn names_may_contain_any_character() {
        let name = "q\"\\/\n\r\t\u{8}\u{c}\u{1}\u{7f}\u{e9}".to_owned();
        let expected = "{\"name\":\"q\\\"\\\\/\\u000a\\u000d\\u0009\\u0008\\u000c\\u0001\u{7f}\u{e9}\"}";
        assert_eq!(text(&Node { name, ..Node::default() }), expected);
    }

    #[test]
    fn numbers_have_all_digits_and_no_exponent() {
        let cases = [
            (0.1, "0.10000000149011612"),
            (1.0, "1"),
            (-0.0, "-0"),
            (f32::EPSILON / 2.0, "0.00000005960464477539063"),
            (2_f32.powi(70), "1180591620717411300000"),
        ];
        for (number, expected) in cases {
            let weights = vec![number];
            assert_eq!(text(&Node { weights, ..Node::default() }), format!("{{\"weights\":[{expected}]}}"));
        }
    }
}
