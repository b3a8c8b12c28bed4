//! Nodes: the joints of a model, and what is hung on them or stands beside them.

use sinew::{NO_PARENT, Skeleton, Transform};

use super::json::Object;

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

    pub(super) fn written(&self) -> Object {
        let (rest, none) = (&self.rest, Transform::IDENTITY);
        let mut object = Object::new().name(&self.name);
        if rest.translation != none.translation {
            object = object.floats("translation", &rest.translation);
        }
        if rest.rotation != none.rotation {
            object = object.floats("rotation", &rest.rotation);
        }
        if rest.scale != none.scale {
            object = object.floats("scale", &rest.scale);
        }
        for (key, number) in [("mesh", self.mesh), ("skin", self.skin)] {
            if let Some(number) = number {
                object = object.value(key, number);
            }
        }
        object.floats("weights", &self.weights).list("children", &self.children)
    }
}
