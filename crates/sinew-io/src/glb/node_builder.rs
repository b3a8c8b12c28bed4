//! Builds the nodes of an exported model: joints, meshes with their skins, and the scene's roots.

use std::collections::{HashMap, HashSet};

use sinew::animation::KeyData;
use sinew::{JointId, Model, Skin, Transform};

use super::document::Document;
use super::mesh_groups::MeshGroup;
use super::node::Node;
use super::schema;

/// The nodes of a document while it is built.
#[derive(Debug)]
pub(super) struct NodeBuilder<'a> {
    model: &'a Model,
    /// The joints first, then added nodes.
    nodes: Vec<Node>,
    group_nodes: Vec<usize>,
    /// The document's skin for each skin of the model.
    skins: HashMap<usize, usize>,
    /// Joints that clips or skins use.
    occupied: HashSet<usize>,
    /// The root above each joint.
    roots: Vec<usize>,
    /// The nodes of skinned meshes. Their transforms have no effect, so they are roots of the
    /// scene.
    skinned_nodes: Vec<usize>,
    /// Whether a skin has joints under different roots.
    has_split_skin: bool,
}

impl<'a> NodeBuilder<'a> {
    pub(super) fn new(model: &'a Model, groups: &[MeshGroup]) -> Self {
        let skeleton = model.skeleton();
        let tracks = model.clips().iter().flat_map(|clip| clip.tracks());
        let animated = tracks.filter_map(|track| match track.keys {
            KeyData::Rotations { joint, .. }
            | KeyData::Translations { joint, .. }
            | KeyData::Scales { joint, .. } => Some(joint.index()),
            KeyData::Weights { .. } => None,
        });
        let skins = groups.iter().filter_map(|group| group.skin);
        let skinned = skins.flat_map(|skin| model.skins()[skin].joints()).map(JointId::index);
        let occupied = animated.chain(skinned).collect();
        let mut roots: Vec<usize> = Vec::with_capacity(skeleton.len());
        for joint in skeleton.joints() {
            // Parents come before their children.
            roots.push(skeleton.parent(joint).map_or(joint.index(), |parent| roots[parent.index()]));
        }
        Self {
            model,
            nodes: Node::from_joints(skeleton),
            group_nodes: Vec::new(),
            skins: HashMap::new(),
            occupied,
            roots,
            skinned_nodes: Vec::new(),
            has_split_skin: false,
        }
    }

    /// The node of each group that was attached.
    pub(super) fn group_nodes(&self) -> &[usize] {
        &self.group_nodes
    }

    /// Attaches a mesh, and its skin, to a node, which is returned.
    pub(super) fn attach(&mut self, group: &MeshGroup, mesh: usize, document: &mut Document) -> usize {
        let node = match group.skin {
            None if self.keeps_order(group.joint.index()) => group.joint.index(),
            None => self.add_child(group.joint.index(), group.name(self.model)),
            Some(_) => self.node_for_skinned_mesh(group),
        };
        let skin = group.skin.map(|skin| self.skin(skin, document));
        let weights = &self.model.skeleton().rest().morph_weights()[group.morph_weights.clone()];
        let mesh_node = &mut self.nodes[node];
        (mesh_node.mesh, mesh_node.skin) = (Some(mesh), skin);
        mesh_node.weights = weights.to_vec();
        self.group_nodes.push(node);
        node
    }

    /// Whether a node is free, and after the nodes of all groups so far: importers number mesh
    /// instances in the order of nodes.
    fn keeps_order(&self, node: usize) -> bool {
        self.nodes[node].mesh.is_none() && self.group_nodes.last().is_none_or(|&last| last < node)
    }

    fn add_child(&mut self, parent: usize, name: &str) -> usize {
        self.nodes.push(Node::new(name));
        let child = self.nodes.len() - 1;
        self.nodes[parent].children.push(child);
        child
    }

    /// The group's joint if it is a root without another use; otherwise a new node.
    fn node_for_skinned_mesh(&mut self, group: &MeshGroup) -> usize {
        let joint = group.joint.index();
        let Node { rest, children, .. } = &self.nodes[joint];
        let unused = children.is_empty() && self.keeps_order(joint) && *rest == Transform::IDENTITY;
        let node = if unused && self.roots[joint] == joint && !self.occupied.contains(&joint) {
            joint
        } else {
            self.nodes.push(Node::new(group.name(self.model)));
            self.nodes.len() - 1
        };
        self.skinned_nodes.push(node);
        node
    }

    fn skin(&mut self, index: usize, document: &mut Document) -> usize {
        if let Some(&written) = self.skins.get(&index) {
            return written;
        }
        let skin: &Skin = &self.model.skins()[index];
        let mut seen = HashSet::new();
        let mut joints = Vec::with_capacity(skin.len());
        let first_root = skin.joints().next().map(|joint| self.roots[joint.index()]);
        for joint in skin.joints().map(JointId::index) {
            // glTF allows a node only once per skin. A child with an identity transform is at the
            // same place.
            let node = if seen.insert(joint) {
                joint
            } else {
                let name = self.nodes[joint].name.clone();
                self.add_child(joint, &name)
            };
            joints.push(node);
            self.has_split_skin |= Some(self.roots[joint]) != first_root;
        }
        let binds = document.buffer.matrices(skin.inverse_binds());
        document.root.skins.push(schema::Skin { inverse_bind_matrices: binds, joints });
        self.skins.insert(index, document.root.skins.len() - 1);
        document.root.skins.len() - 1
    }

    /// Moves the nodes into the document. They get a common root if the up axis is converted, or if
    /// the joints of a skin have different roots.
    pub(super) fn finish(mut self, rotation: Option<[f32; 4]>, document: &mut Document) {
        let skeleton = self.model.skeleton();
        let skinned_nodes: HashSet<usize> = self.skinned_nodes.iter().copied().collect();
        let mut roots: Vec<usize> =
            skeleton.roots().map(JointId::index).filter(|root| !skinned_nodes.contains(root)).collect();
        if rotation.is_some() || self.has_split_skin {
            let name = if rotation.is_some() { "to y up" } else { "all" };
            let rest =
                Transform { rotation: rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]), ..Transform::IDENTITY };
            self.nodes.push(Node { rest, children: roots, ..Node::new(name) });
            roots = vec![self.nodes.len() - 1];
        }
        roots.extend(&self.skinned_nodes);
        document.root.roots = roots;
        document.root.nodes = self.nodes.into_iter().map(Node::into_schema).collect();
    }
}
