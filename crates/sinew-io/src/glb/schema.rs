//! The JSON of a glTF document, as far as sinew writes it. Fields are written in the order of
//! declaration. Empty arrays, which glTF forbids, and empty names are left out.

use super::material_schema::{Image, Material, Texture, TextureSampler};
use crate::json::JsonWriter;

/// The document. Indices count from zero, in the order in which elements were added.
#[derive(Debug, Default)]
pub(super) struct Root {
    pub(super) asset: Asset,
    pub(super) extensions_used: Vec<&'static str>,
    pub(super) extensions_required: Vec<&'static str>,
    /// The root nodes of the only scene.
    pub(super) roots: Vec<usize>,
    pub(super) nodes: Vec<Node>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) skins: Vec<Skin>,
    pub(super) animations: Vec<Animation>,
    pub(super) materials: Vec<Material>,
    pub(super) textures: Vec<Texture>,
    pub(super) samplers: Vec<TextureSampler>,
    pub(super) images: Vec<Image>,
    pub(super) accessors: Vec<Accessor>,
    pub(super) buffer_views: Vec<BufferView>,
    /// The JSON of the extensions of the document; empty for none.
    pub(super) extensions: String,
    /// The length of the only buffer; zero if there is none.
    pub(super) byte_length: usize,
}

impl Root {
    pub(super) fn to_json(&self) -> String {
        let json = &mut JsonWriter::default();
        json.begin_object();
        self.asset.write(json);
        json.array("extensionsUsed", &self.extensions_used, |name, json| json.value_str(name));
        json.array("extensionsRequired", &self.extensions_required, |name, json| json.value_str(name));
        json.usize("scene", 0);
        json.name("scenes");
        json.begin_array();
        json.begin_object();
        json.usizes("nodes", &self.roots);
        json.end_object();
        json.end_array();
        json.array("nodes", &self.nodes, Node::write);
        json.array("meshes", &self.meshes, Mesh::write);
        json.array("skins", &self.skins, Skin::write);
        json.array("animations", &self.animations, Animation::write);
        json.array("materials", &self.materials, Material::write);
        json.array("textures", &self.textures, Texture::write);
        json.array("samplers", &self.samplers, TextureSampler::write);
        json.array("images", &self.images, Image::write);
        json.array("accessors", &self.accessors, Accessor::write);
        json.array("bufferViews", &self.buffer_views, BufferView::write);
        json.raw("extensions", &self.extensions);
        if self.byte_length > 0 {
            json.name("buffers");
            json.begin_array();
            json.begin_object();
            json.usize("byteLength", self.byte_length);
            json.end_object();
            json.end_array();
        }
        json.end_object();
        std::mem::take(json).into_text()
    }
}

/// What the file says about itself.
#[derive(Debug, Default)]
pub(super) struct Asset {
    pub(super) copyright: String,
    /// JSON text.
    pub(super) extras: String,
}

impl Asset {
    fn write(&self, json: &mut JsonWriter) {
        json.name("asset");
        json.begin_object();
        json.str("version", "2.0");
        json.str("generator", concat!("sinew ", env!("CARGO_PKG_VERSION")));
        json.str("copyright", &self.copyright);
        json.raw("extras", &self.extras);
        json.end_object();
    }
}

/// Fields that are `None` have the default of the format.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) translation: Option<[f32; 3]>,
    pub(super) rotation: Option<[f32; 4]>,
    pub(super) scale: Option<[f32; 3]>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    pub(super) weights: Vec<f32>,
    pub(super) children: Vec<usize>,
    /// JSON text.
    pub(super) extensions: String,
    /// JSON text.
    pub(super) extras: String,
}

impl Node {
    fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        json.str("name", &self.name);
        json.floats("translation", self.translation.as_ref().map_or(&[], |parts| parts));
        json.floats("rotation", self.rotation.as_ref().map_or(&[], |parts| parts));
        json.floats("scale", self.scale.as_ref().map_or(&[], |parts| parts));
        json.some_usize("mesh", self.mesh);
        json.some_usize("skin", self.skin);
        json.floats("weights", &self.weights);
        json.usizes("children", &self.children);
        json.raw("extensions", &self.extensions);
        json.raw("extras", &self.extras);
        json.end_object();
    }
}

#[derive(Debug)]
pub(super) struct Mesh {
    pub(super) name: String,
    pub(super) primitives: Vec<Primitive>,
    /// The names of morph targets. They are extras, where importers look for them by convention.
    pub(super) target_names: Vec<String>,
}

impl Mesh {
    fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        json.str("name", &self.name);
        json.array("primitives", &self.primitives, Primitive::write);
        if !self.target_names.is_empty() {
            json.name("extras");
            json.begin_object();
            json.array("targetNames", &self.target_names, |name, json| json.value_str(name));
            json.end_object();
        }
        json.end_object();
    }
}

#[derive(Debug, Default)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    /// `None` for triangles.
    pub(super) mode: Option<usize>,
    pub(super) indices: Option<usize>,
    pub(super) targets: Vec<Attributes>,
    pub(super) material: Option<usize>,
}

impl Primitive {
    fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        json.name("attributes");
        self.attributes.write(json);
        json.some_usize("mode", self.mode);
        json.some_usize("indices", self.indices);
        json.array("targets", &self.targets, Attributes::write);
        json.some_usize("material", self.material);
        json.end_object();
    }
}

/// Accessors by their semantic, in the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Attributes(Vec<(String, usize)>);

impl Attributes {
    pub(super) fn add(&mut self, semantic: impl Into<String>, accessor: usize) {
        self.0.push((semantic.into(), accessor));
    }

    fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        for (semantic, accessor) in &self.0 {
            json.usize(semantic, *accessor);
        }
        json.end_object();
    }
}

#[derive(Debug)]
pub(super) struct Skin {
    pub(super) inverse_bind_matrices: usize,
    pub(super) joints: Vec<usize>,
}

impl Skin {
    fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        json.usize("inverseBindMatrices", self.inverse_bind_matrices);
        json.usizes("joints", &self.joints);
        json.end_object();
    }
}

#[derive(Debug)]
pub(super) struct Animation {
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

impl Animation {
    fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        json.str("name", &self.name);
        json.name("samplers");
        json.begin_array();
        self.samplers.iter().for_each(|sampler| sampler.write(json));
        json.end_array();
        json.name("channels");
        json.begin_array();
        self.channels.iter().for_each(|channel| channel.write(json));
        json.end_array();
        json.end_object();
    }
}

#[derive(Debug)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) interpolation: &'static str,
    pub(super) output: usize,
}

impl Sampler {
    fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        json.usize("input", self.input);
        json.str("interpolation", self.interpolation);
        json.usize("output", self.output);
        json.end_object();
    }
}

#[derive(Debug)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: ChannelTarget,
}

#[derive(Debug)]
pub(super) struct ChannelTarget {
    pub(super) node: usize,
    pub(super) path: &'static str,
}

impl Channel {
    fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        json.usize("sampler", self.sampler);
        json.name("target");
        json.begin_object();
        json.usize("node", self.target.node);
        json.str("path", self.target.path);
        json.end_object();
        json.end_object();
    }
}

#[derive(Debug)]
pub(super) struct Accessor {
    pub(super) buffer_view: usize,
    pub(super) component_type: usize,
    pub(super) count: usize,
    pub(super) kind: &'static str,
    pub(super) min: Vec<f32>,
    pub(super) max: Vec<f32>,
}

impl Accessor {
    fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        json.usize("bufferView", self.buffer_view);
        json.usize("componentType", self.component_type);
        json.usize("count", self.count);
        json.str("type", self.kind);
        json.floats("min", &self.min);
        json.floats("max", &self.max);
        json.end_object();
    }
}

#[derive(Debug)]
pub(super) struct BufferView {
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) target: Option<usize>,
}

impl BufferView {
    fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        json.usize("buffer", 0);
        json.usize("byteOffset", self.byte_offset);
        json.usize("byteLength", self.byte_length);
        json.some_usize("target", self.target);
        json.end_object();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_fields_are_left_out_and_others_keep_their_order() {
        let text = |write: &dyn Fn(&mut JsonWriter)| {
            let mut json = JsonWriter::default();
            write(&mut json);
            json.into_text()
        };
        let mut attributes = Attributes::default();
        attributes.add("POSITION", 1);
        attributes.add("COLOR_0", 0);
        let primitive = Primitive { attributes, indices: Some(2), ..Primitive::default() };
        let expected = "{\"attributes\":{\"POSITION\":1,\"COLOR_0\":0},\"indices\":2}";
        assert_eq!(text(&|json| primitive.write(json)), expected);
        assert_eq!(text(&|json| Node::default().write(json)), "{}");
        let view = BufferView { byte_offset: 4, byte_length: 8, target: None };
        assert_eq!(text(&|json| view.write(json)), "{\"buffer\":0,\"byteOffset\":4,\"byteLength\":8}");
    }
}
