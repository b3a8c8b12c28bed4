//! A node of an exported model.

use sinew::skeleton::NO_PARENT;
use sinew::{Skeleton, Transform};

use super::schema;

/// A node to which children can still be added.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) rest: Transform,
    pub(super) children: Vec<usize>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    /// The morph weights at rest.
    pub(super) weights: Vec<f32>,
}

impl Node {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            rest: Transform::IDENTITY,
            children: Vec::new(),
            mesh: None,
            skin: None,
            weights: Vec::new(),
        }
    }

    /// One node per joint, with the same index.
    pub(super) fn from_joints(skeleton: &Skeleton) -> Vec<Self> {
        let node = |joint| Self { rest: skeleton.rest().transform(joint), ..Self::new(skeleton.name(joint)) };
        let mut nodes: Vec<Self> = skeleton.joints().map(node).collect();
        for (joint, &parent) in skeleton.parents().iter().enumerate() {
            if parent != NO_PARENT {
                nodes[parent as usize].children.push(joint);
            }
        }
        nodes
    }

    /// Converts the node to its JSON form. An identity transform is left out.
    pub(super) fn into_schema(self) -> schema::Node {
        let (rest, none) = (self.rest, Transform::IDENTITY);
        schema::Node {
            name: self.name,
            translation: Some(rest.translation).filter(|&translation| translation != none.translation),
            rotation: Some(rest.rotation).filter(|&rotation| rotation != none.rotation),
            scale: Some(rest.scale).filter(|&scale| scale != none.scale),
            mesh: self.mesh,
            skin: self.skin,
            weights: self.weights,
            children: self.children,
            extensions: String::new(),
            extras: String::new(),
        }
    }
}
