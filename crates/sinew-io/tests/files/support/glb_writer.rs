//! Writes a scene as GLB.

use sinew_testkit::clips::KeyInterpolation;

use super::random_scene::{ChannelKeys, LocalTransform, Node, Scene};

/// The JSON and the buffer of a scene.
pub(crate) struct SceneFile {
    pub(crate) json: String,
    pub(crate) buffer: Vec<u8>,
}

impl SceneFile {
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut writer = GlbWriter::default();
        let nodes = list(scene.nodes.iter().enumerate().map(|(index, node)| writer.node(scene, index, node)));
        let skins = list(scene.skins.iter().map(|skin| {
            let binds = skin.inverse_binds.as_ref().map_or(String::new(), |binds| {
                format!(r#","inverseBindMatrices":{}"#, writer.floats("MAT4", binds.as_flattened()))
            });
            format!(r#"{{"joints":{:?}{binds}}}"#, skin.joints)
        }));
        let meshes = list((0..scene.meshes.len()).map(|mesh| writer.mesh(scene, mesh)));
        let clips = list((0..scene.clips.len()).map(|clip| writer.clip(scene, clip)));
        let GlbWriter { accessors, views, buffer } = writer;
        let mut json = format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":{:?}}}],"nodes":{nodes}"#,
            scene.roots
        );
        let (accessors, views) = (list(accessors.into_iter()), list(views.into_iter()));
        for (name, items) in [
            ("skins", skins),
            ("meshes", meshes),
            ("animations", clips),
            ("accessors", accessors),
            ("bufferViews", views),
        ] {
            if items != "[]" {
                json += &format!(r#","{name}":{items}"#);
            }
        }
        json += &format!(r#","buffers":[{{"byteLength":{}}}]}}"#, buffer.len());
        Self { json, buffer }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        glb(self.json.as_bytes(), &self.buffer)
    }
}

/// A GLB with this JSON and this buffer.
pub(crate) fn glb(json: &[u8], buffer: &[u8]) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], bytes: &[u8], pad: u8| {
        let mut padded = bytes.to_vec();
        padded.resize(bytes.len().next_multiple_of(4), pad);
        [&(padded.len() as u32).to_le_bytes()[..], kind, &padded].concat()
    };
    let chunks = [chunk(b"JSON", json, b' '), chunk(b"BIN\0", buffer, 0)].concat();
    let len = chunks.len() as u32 + 12;
    [b"glTF", &2_u32.to_le_bytes()[..], &len.to_le_bytes(), &chunks].concat()
}

/// Accessors, each with its own view into one buffer.
#[derive(Default)]
pub(crate) struct GlbWriter {
    accessors: Vec<String>,
    views: Vec<String>,
    buffer: Vec<u8>,
}

impl GlbWriter {
    /// A GLB with these arrays of a document and everything written so far.
    pub(crate) fn finish(self, arrays: &str) -> Vec<u8> {
        let Self { accessors, views, buffer } = self;
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},{arrays},"accessors":{},"bufferViews":{},"buffers":[{{"byteLength":{}}}]}}"#,
            list(accessors.into_iter()),
            list(views.into_iter()),
            buffer.len()
        );
        glb(json.as_bytes(), &buffer)
    }

    /// A view of bytes without an accessor.
    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        self.buffer.resize(self.buffer.len().next_multiple_of(4), 0);
        let offset = self.buffer.len();
        self.views.push(format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{}}}"#, bytes.len()));
        self.buffer.extend_from_slice(bytes);
        self.views.len() - 1
    }

    pub(crate) fn add(
        &mut self,
        kind: &str,
        component: u32,
        count: usize,
        bytes: &[u8],
        more: &str,
    ) -> usize {
        let view = self.view(bytes);
        self.accessors.push(format!(
            r#"{{"bufferView":{view},"componentType":{component},"count":{count},"type":"{kind}"{more}}}"#
        ));
        self.accessors.len() - 1
    }

    pub(crate) fn floats(&mut self, kind: &str, floats: &[f32]) -> usize {
        self.floats_with(kind, floats, "")
    }

    fn floats_with(&mut self, kind: &str, floats: &[f32], more: &str) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<_> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
        self.add(kind, 5126, floats.len() / width, &bytes, more)
    }

    /// Adds an accessor with the bounds that positions and key times must have.
    pub(crate) fn bounded<const N: usize>(&mut self, kind: &str, values: &[[f32; N]]) -> usize {
        let bound = |pick: fn(f32, f32) -> f32| {
            let bounds: [f32; N] =
                std::array::from_fn(|i| values.iter().map(|value| value[i]).reduce(pick).unwrap_or_default());
            format!("{bounds:?}")
        };
        let more = format!(r#","min":{},"max":{}"#, bound(f32::min), bound(f32::max));
        self.floats_with(kind, values.as_flattened(), &more)
    }

    fn node(&mut self, scene: &Scene, index: usize, node: &Node) -> String {
        let mut text = format!(r#"{{"name":"node {index}""#);
        let children: Vec<_> =
            (0..scene.nodes.len()).filter(|&child| scene.nodes[child].parent == Some(index)).collect();
        if !children.is_empty() {
            text += &format!(r#","children":{children:?}"#);
        }
        text += &match node.transform {
            LocalTransform::Trs { translation, rotation, scale } => {
                format!(r#","translation":{translation:?},"rotation":{rotation:?},"scale":{scale:?}"#)
            }
            LocalTransform::Matrix(elements) => format!(r#","matrix":{elements:?}"#),
        };
        for (name, value) in [("mesh", node.mesh), ("skin", node.skin)] {
            if let Some(value) = value {
                text += &format!(r#","{name}":{value}"#);
            }
        }
        if let Some(weights) = &node.weights {
            text += &format!(r#","weights":{weights:?}"#);
        }
        text + "}"
    }

    fn mesh(&mut self, scene: &Scene, mesh: usize) -> String {
        let mesh = &scene.meshes[mesh];
        let primitives = list(mesh.primitives.iter().map(|primitive| {
            let mut text =
                format!(r#"{{"attributes":{{"POSITION":{}"#, self.bounded("VEC3", &primitive.positions));
            for (set, (joints, weights)) in primitive.influences.iter().enumerate() {
                let bytes: Vec<_> =
                    joints.as_flattened().iter().flat_map(|joint| joint.to_le_bytes()).collect();
                let joints = self.add("VEC4", 5123, joints.len(), &bytes, "");
                let weights = self.floats("VEC4", weights.as_flattened());
                text += &format!(r#","JOINTS_{set}":{joints},"WEIGHTS_{set}":{weights}"#);
            }
            text += "}";
            if let Some(indices) = &primitive.indices {
                let bytes: Vec<_> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
                text += &format!(r#","indices":{}"#, self.add("SCALAR", 5125, indices.len(), &bytes, ""));
            }
            if !primitive.targets.is_empty() {
                let targets = primitive.targets.iter();
                let targets =
                    list(targets.map(|target| format!(r#"{{"POSITION":{}}}"#, self.bounded("VEC3", target))));
                text += &format!(r#","targets":{targets}"#);
            }
            text + "}"
        }));
        let weights =
            mesh.weights.as_ref().map_or(String::new(), |weights| format!(r#","weights":{weights:?}"#));
        format!(r#"{{"primitives":{primitives}{weights},"extras":{{"targetNames":["smile","frown"]}}}}"#)
    }

    fn clip(&mut self, scene: &Scene, clip: usize) -> String {
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for channel in &scene.clips[clip] {
            let (path, output) = match &channel.keys {
                ChannelKeys::Rotation(values) => ("rotation", self.floats("VEC4", values.as_flattened())),
                ChannelKeys::Translation(values) => {
                    ("translation", self.floats("VEC3", values.as_flattened()))
                }
                ChannelKeys::Scale(values) => ("scale", self.floats("VEC3", values.as_flattened())),
                ChannelKeys::Weights(values) => ("weights", self.floats("SCALAR", values)),
            };
            let times: Vec<_> = channel.times.iter().map(|&time| [time]).collect();
            let input = self.bounded("SCALAR", &times);
            let between = match channel.between {
                KeyInterpolation::Step => "STEP",
                KeyInterpolation::Linear => "LINEAR",
                KeyInterpolation::Cubic => "CUBICSPLINE",
            };
            let sampler = samplers.len();
            samplers.push(format!(r#"{{"input":{input},"output":{output},"interpolation":"{between}"}}"#));
            let node = channel.node;
            channels.push(format!(r#"{{"sampler":{sampler},"target":{{"node":{node},"path":"{path}"}}}}"#));
        }
        let (samplers, channels) = (list(samplers.into_iter()), list(channels.into_iter()));
        format!(r#"{{"name":"clip {clip}","samplers":{samplers},"channels":{channels}}}"#)
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}
