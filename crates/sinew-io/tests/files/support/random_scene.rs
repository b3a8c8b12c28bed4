//! Random scenes with all that glTF allows of nodes, skins, meshes and animations.

use sinew_testkit::clips::{self, KeyInterpolation};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

pub(crate) struct Scene {
    pub(crate) nodes: Vec<Node>,
    /// The roots of the default scene.
    pub(crate) roots: Vec<usize>,
    pub(crate) skins: Vec<SceneSkin>,
    pub(crate) meshes: Vec<SceneMesh>,
    pub(crate) clips: Vec<Vec<Channel>>,
}

pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    pub(crate) transform: LocalTransform,
    pub(crate) mesh: Option<usize>,
    pub(crate) skin: Option<usize>,
    pub(crate) weights: Option<Vec<f32>>,
}

pub(crate) enum LocalTransform {
    Trs {
        translation: [f32; 3],
        rotation: [f32; 4],
        scale: [f32; 3],
    },
    /// In column-major order.
    Matrix([f32; 16]),
}

pub(crate) struct SceneSkin {
    pub(crate) joints: Vec<usize>,
    /// In column-major order.
    pub(crate) inverse_binds: Option<Vec<[f32; 16]>>,
}

pub(crate) struct SceneMesh {
    pub(crate) primitives: Vec<Primitive>,
    pub(crate) targets: usize,
    pub(crate) weights: Option<Vec<f32>>,
}

pub(crate) struct Primitive {
    pub(crate) positions: Vec<[f32; 3]>,
    /// Influence sets; none if the mesh has no skin.
    pub(crate) influences: Vec<Set>,
    pub(crate) targets: Vec<Vec<[f32; 3]>>,
    pub(crate) indices: Option<Vec<u32>>,
}

/// Joints and weights of each vertex.
pub(crate) type Set = (Vec<[u16; 4]>, Vec<[f32; 4]>);

pub(crate) struct Channel {
    pub(crate) node: usize,
    pub(crate) keys: ChannelKeys,
    pub(crate) between: KeyInterpolation,
    pub(crate) times: Vec<f32>,
}

pub(crate) enum ChannelKeys {
    Rotation(Vec<[f32; 4]>),
    Translation(Vec<[f32; 3]>),
    Scale(Vec<[f32; 3]>),
    Weights(Vec<f32>),
}

impl Scene {
    /// Three nodes, a skin, a triangle with a morph target, and a channel of each interpolation: a
    /// small file that contains everything.
    pub(crate) fn small() -> Self {
        let random = &mut Random::new(1);
        let joint = |parent| {
            let transform = LocalTransform::Trs {
                translation: [0.0, 1.0, 0.0],
                rotation: [0.0, 0.0, 0.0, 1.0],
                scale: [1.0; 3],
            };
            Node { parent, transform, mesh: None, skin: None, weights: None }
        };
        let skinned = Node { mesh: Some(0), skin: Some(0), ..joint(None) };
        let bind = |y: f32| matrix([0.0, y, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0; 3]);
        let skin = SceneSkin { joints: vec![1, 2], inverse_binds: Some(vec![bind(-1.0), bind(-2.0)]) };
        let weights = vec![[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.25, 0.75, 0.0, 0.0]];
        let triangle = Primitive {
            positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            influences: vec![(vec![[0, 1, 0, 0]; 3], weights)],
            targets: vec![vec![[0.0, 0.0, 1.0]; 3]],
            indices: Some(vec![0, 1, 2]),
        };
        let mesh = SceneMesh { primitives: vec![triangle], targets: 1, weights: Some(vec![0.5]) };
        let rotations = clips::rotations(2, KeyInterpolation::Cubic, random);
        let channel = |node, between, keys| Channel { node, keys, between, times: vec![0.0, 1.0] };
        let clip = vec![
            channel(2, KeyInterpolation::Cubic, ChannelKeys::Rotation(rotations)),
            channel(1, KeyInterpolation::Linear, ChannelKeys::Translation(vec![[0.0; 3], [0.0, 1.0, 0.0]])),
            channel(0, KeyInterpolation::Step, ChannelKeys::Weights(vec![0.0, 1.0])),
        ];
        Self {
            nodes: vec![skinned, joint(None), joint(Some(1))],
            roots: vec![0, 1],
            skins: vec![skin],
            meshes: vec![mesh],
            clips: vec![clip],
        }
    }

    pub(crate) fn new(seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let nodes = nodes(2 + random.below(14), random);
        let mut scene =
            Self { nodes, roots: Vec::new(), skins: Vec::new(), meshes: Vec::new(), clips: Vec::new() };
        // One root may be left out of the scene.
        let left_out = random.below(8);
        let roots = (0..scene.nodes.len()).filter(|&node| scene.nodes[node].parent.is_none());
        scene.roots =
            roots.enumerate().filter(|(i, _)| *i == 0 || *i != left_out).map(|(_, node)| node).collect();
        for _ in 0..random.below(3) {
            let skin = scene.skin(random);
            scene.skins.push(skin);
        }
        for _ in 0..1 + random.below(3) {
            scene.add_mesh(random);
        }
        for _ in 0..random.below(3) {
            let clip = scene.clip(random);
            // glTF has no animation without channels.
            if !clip.is_empty() {
                scene.clips.push(clip);
            }
        }
        scene
    }

    fn skin(&self, random: &mut Random) -> SceneSkin {
        let joints: Vec<_> = (0..1 + random.below(6)).map(|_| random.below(self.nodes.len())).collect();
        let matrix = |random: &mut Random| matrix(random.vector(1.0), rigs::rotation(random), scale(random));
        let inverse_binds = (!random.once_in(4)).then(|| joints.iter().map(|_| matrix(random)).collect());
        SceneSkin { joints, inverse_binds }
    }

    /// Adds a mesh, and assigns it to some nodes.
    fn add_mesh(&mut self, random: &mut Random) {
        let skin = if self.skins.is_empty() { None } else { Some(random.below(self.skins.len() + 1)) };
        let skin = skin.filter(|&skin| skin < self.skins.len());
        let joints = skin.map_or(0, |skin| self.skins[skin].joints.len());
        let targets = random.below(4);
        let primitives = (0..1 + random.below(2)).map(|_| primitive(joints, targets, random)).collect();
        let weights = |random: &mut Random| {
            (targets > 0 && random.once_in(2))
                .then(|| (0..targets).map(|_| random.between(-1.0, 1.0)).collect())
        };
        self.meshes.push(SceneMesh { primitives, targets, weights: weights(random) });
        for _ in 0..1 + random.below(3) {
            let node = random.below(self.nodes.len());
            let node = &mut self.nodes[node];
            (node.mesh, node.skin, node.weights) = (Some(self.meshes.len() - 1), skin, weights(random));
        }
    }

    fn clip(&self, random: &mut Random) -> Vec<Channel> {
        let mut channels = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            for kind in 0..4 {
                let targets = node.mesh.map_or(0, |mesh| self.meshes[mesh].targets);
                let movable = if kind == 3 {
                    targets > 0
                } else {
                    matches!(node.transform, LocalTransform::Trs { .. })
                };
                if !movable || random.once_in(2) {
                    continue;
                }
                channels.push(channel(index, kind, targets, random));
            }
        }
        channels
    }
}

/// A random forest, with its nodes in random order.
fn nodes(count: usize, random: &mut Random) -> Vec<Node> {
    let mut order: Vec<_> = (0..count).collect();
    for index in (1..count).rev() {
        order.swap(index, random.below(index + 1));
    }
    let mut nodes: Vec<Option<Node>> = (0..count).map(|_| None).collect();
    for (rank, &node) in order.iter().enumerate() {
        let parent = (rank > 0 && !random.once_in(5)).then(|| order[random.below(rank)]);
        let (translation, rotation, scale) = (random.vector(1.0), rigs::rotation(random), scale(random));
        let transform = match random.once_in(4) {
            true => LocalTransform::Matrix(matrix(translation, rotation, scale)),
            false => LocalTransform::Trs { translation, rotation, scale },
        };
        nodes[node] = Some(Node { parent, transform, mesh: None, skin: None, weights: None });
    }
    nodes.into_iter().flatten().collect()
}

/// Mostly one; sometimes non-uniform or mirrored.
fn scale(random: &mut Random) -> [f32; 3] {
    match random.below(4) {
        0 => [0; 3].map(|_| random.between(0.5, 1.5)),
        1 => [0; 3].map(|_| if random.once_in(2) { -1.0 } else { 1.0 }),
        _ => [1.0; 3],
    }
}

fn matrix(translation: [f32; 3], rotation: [f32; 4], scale: [f32; 3]) -> [f32; 16] {
    super::scene_oracle::matrix(translation.map(f64::from), rotation.map(f64::from), scale.map(f64::from))
        .as_flattened()
        .iter()
        .map(|&element| element as f32)
        .collect::<Vec<_>>()
        .try_into()
        .expect("four columns of four")
}

fn primitive(joints: usize, targets: usize, random: &mut Random) -> Primitive {
    let vertices = 3 + 3 * random.below(13);
    let vectors =
        |reach: f32, random: &mut Random| (0..vertices).map(|_| random.vector(reach)).collect::<Vec<_>>();
    let positions = vectors(2.0, random);
    let sets = if joints == 0 { 0 } else { 1 + random.below(3) };
    let mut influences = vec![(vec![[0_u16; 4]; vertices], vec![[0.0_f32; 4]; vertices]); sets];
    for vertex in 0..vertices {
        let mut parts: Vec<_> =
            (0..sets * 4).map(|_| if random.once_in(2) { 0.0 } else { random.fraction() }).collect();
        if let Some(first) = parts.first_mut() {
            *first += 0.1;
        }
        let sum: f32 = parts.iter().sum();
        for (slot, part) in parts.iter().enumerate() {
            influences[slot / 4].0[vertex][slot % 4] = random.below(joints) as u16;
            influences[slot / 4].1[vertex][slot % 4] = part / sum;
        }
    }
    let targets = (0..targets).map(|_| vectors(0.5, random)).collect();
    let indices = random.once_in(2).then(|| (0..vertices).map(|_| random.below(vertices) as u32).collect());
    Primitive { positions, influences, targets, indices }
}

fn channel(node: usize, kind: usize, targets: usize, random: &mut Random) -> Channel {
    let between = KeyInterpolation::ALL[random.below(3)];
    // A cubic spline needs at least two keys.
    let key_count = 1 + usize::from(between == KeyInterpolation::Cubic) + random.below(6);
    let times = clips::times(key_count, random);
    let values = key_count * between.width();
    let keys = match kind {
        0 => ChannelKeys::Rotation(clips::rotations(key_count, between, random)),
        1 => ChannelKeys::Translation((0..values).map(|_| random.vector(1.0)).collect()),
        2 => ChannelKeys::Scale((0..values).map(|_| [0; 3].map(|_| random.between(0.5, 1.5))).collect()),
        _ => ChannelKeys::Weights((0..values * targets).map(|_| random.between(-1.0, 1.0)).collect()),
    };
    Channel { node, keys, between, times }
}
