//! Meshes and skins on nodes, and the nodes under the scene.

use std::collections::{HashMap, HashSet};

use sinew::{KeyData, Model, Skin, Transform};

use super::attach::Attached;
use super::document::Document;
use super::nodes::Node;
use super::schema;

/// The nodes of a document, in the making.
#[derive(Debug)]
pub(super) struct Hanging<'a> {
    model: &'a Model,
    /// Joints first, then what is added.
    nodes: Vec<Node>,
    of_groups: Vec<usize>,
    /// By the model's skin the number in the document.
    skins: HashMap<usize, usize>,
    /// Joints that clips or skins move.
    busy: HashSet<usize>,
    /// The root above each joint.
    roots: Vec<usize>,
    /// Nodes of meshes with skins: where they stand does not matter, and at the top nobody wonders.
    beside: Vec<usize>,
    /// Whether a skin has joints under different roots.
    apart: bool,
}

impl<'a> Hanging<'a> {
    pub(super) fn new(model: &'a Model, groups: &[Attached]) -> Self {
        let skeleton = model.skeleton();
        let tracks = model.clips().iter().flat_map(|clip| clip.tracks());
        let moved = tracks.filter_map(|track| match track.keys {
            KeyData::Rotations { joint, .. }
            | KeyData::Translations { joint, .. }
            | KeyData::Scales { joint, .. } => Some(joint),
            KeyData::Weights { .. } => None,
        });
        let skins = groups.iter().filter_map(|group| group.skin);
        let hung = skins.flat_map(|skin| model.skins()[skin].joints()).map(|&joint| joint as usize);
        let busy = moved.chain(hung).collect();
        let mut roots: Vec<usize> = Vec::with_capacity(skeleton.len());
        for joint in 0..skeleton.len() {
            // Parents come before their children.
            roots.push(skeleton.parent(joint).map_or(joint, |parent| roots[parent]));
        }
        Self {
            model,
            nodes: Node::of_joints(skeleton),
            of_groups: Vec::new(),
            skins: HashMap::new(),
            busy,
            roots,
            beside: Vec::new(),
            apart: false,
        }
    }

    /// The node of each group that was attached.
    pub(super) fn nodes_of_groups(&self) -> &[usize] {
        &self.of_groups
    }

    /// Puts a mesh on a node, with the skin that moves it.
    pub(super) fn attach(&mut self, group: &Attached, mesh: usize, document: &mut Document) {
        let node = match group.skin {
            None if self.nodes[group.joint].mesh.is_none() => group.joint,
            None => self.child(group.joint, group.name(self.model)),
            Some(_) => self.node_beside(group),
        };
        let skin = group.skin.map(|skin| self.skin(skin, document));
        let weights = &self.model.skeleton().rest().morph_weights()[group.morph_weights.clone()];
        let node_of_mesh = &mut self.nodes[node];
        (node_of_mesh.mesh, node_of_mesh.skin) = (Some(mesh), skin);
        node_of_mesh.weights = weights.to_vec();
        self.of_groups.push(node);
    }

    fn child(&mut self, of: usize, name: &str) -> usize {
        self.nodes.push(Node::new(name));
        let child = self.nodes.len() - 1;
        self.nodes[of].children.push(child);
        child
    }

    /// The group's joint where that is a root and nothing else, or a new node.
    fn node_beside(&mut self, group: &Attached) -> usize {
        let joint = group.joint;
        let Node { rest, children, mesh, .. } = &self.nodes[joint];
        let free = children.is_empty() && mesh.is_none() && *rest == Transform::IDENTITY;
        let node = if free && self.roots[joint] == joint && !self.busy.contains(&joint) {
            joint
        } else {
            self.nodes.push(Node::new(group.name(self.model)));
            self.nodes.len() - 1
        };
        self.beside.push(node);
        node
    }

    fn skin(&mut self, index: usize, document: &mut Document) -> usize {
        if let Some(&written) = self.skins.get(&index) {
            return written;
        }
        let skin: &Skin = &self.model.skins()[index];
        let mut seen = HashSet::new();
        let mut joints = Vec::with_capacity(skin.len());
        for joint in skin.joints().iter().map(|&joint| joint as usize) {
            // The format has a node in a skin once. A child that does not move is in the same place.
            let node = if seen.insert(joint) {
                joint
            } else {
                let name = self.nodes[joint].name.clone();
                self.child(joint, &name)
            };
            joints.push(node);
            self.apart |= self.roots[joint] != self.roots[skin.joints()[0] as usize];
        }
        let binds = document.buffer.matrices(skin.inverse_binds());
        document.skins.push(schema::Skin { inverse_bind_matrices: binds, joints });
        self.skins.insert(index, document.skins.len() - 1);
        document.skins.len() - 1
    }

    /// Hands the nodes over: under one that turns them where that is asked for, and under one where a skin needs it.
    pub(super) fn finish(mut self, rotation: Option<[f32; 4]>, document: &mut Document) {
        let skeleton = self.model.skeleton();
        let beside: HashSet<usize> = self.beside.iter().copied().collect();
        let mut roots: Vec<usize> = skeleton.roots().filter(|root| !beside.contains(root)).collect();
        if rotation.is_some() || self.apart {
            let above = if rotation.is_some() { "to y up" } else { "all" };
            let rest =
                Transform { rotation: rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]), ..Transform::IDENTITY };
            self.nodes.push(Node { rest, children: roots, ..Node::new(above) });
            roots = vec![self.nodes.len() - 1];
        }
        roots.extend(&self.beside);
        document.roots = roots;
        document.nodes = self.nodes.into_iter().map(Node::into_schema).collect();
    }
}
