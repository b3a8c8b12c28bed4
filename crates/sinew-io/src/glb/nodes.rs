//! Nodes: the joints of a model, and what is hung on them or stands beside them.

use sinew::{NO_PARENT, Skeleton, Transform};

use super::schema;

/// A node that others may still be hung on.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) rest: Transform,
    pub(super) children: Vec<usize>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    /// Of morph targets, at rest.
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

    /// A node for each joint, of the same number.
    pub(super) fn of_joints(skeleton: &Skeleton) -> Vec<Self> {
        let node = |joint| Self { rest: skeleton.rest().transform(joint), ..Self::new(skeleton.name(joint)) };
        let mut nodes: Vec<Self> = (0..skeleton.len()).map(node).collect();
        for (joint, &parent) in skeleton.parents().iter().enumerate() {
            if parent != NO_PARENT {
                nodes[parent as usize].children.push(joint);
            }
        }
        nodes
    }

    /// The node as the document has it: a transform that is the identity is left out.
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
        }
    }
}
