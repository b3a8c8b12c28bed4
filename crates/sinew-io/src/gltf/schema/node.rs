//! Nodes.

use super::index::Index;
use crate::error::BoxedError as Error;
use crate::json::Value;

pub(crate) struct Node<'a> {
    pub(crate) camera: Option<Index>,
    pub(crate) children: Vec<Index>,
    pub(crate) extensions: Option<Value<'a>>,
    pub(crate) extras: Option<Value<'a>>,
    pub(crate) matrix: Option<Box<[f32; 16]>>,
    pub(crate) mesh: Option<Index>,
    pub(crate) name: String,
    pub(crate) rotation: Option<[f32; 4]>,
    pub(crate) scale: Option<[f32; 3]>,
    pub(crate) translation: Option<[f32; 3]>,
    pub(crate) skin: Option<Index>,
    pub(crate) weights: Vec<f32>,
}

impl<'a> Node<'a> {
    pub(super) fn read(value: Value<'a>) -> Result<Self, Error> {
        let [
            camera,
            children,
            extensions,
            extras,
            matrix,
            mesh,
            name,
            rotation,
            scale,
            translation,
            skin,
            weights,
        ] = value.fields(&[
            "camera",
            "children",
            "extensions",
            "extras",
            "matrix",
            "mesh",
            "name",
            "rotation",
            "scale",
            "translation",
            "skin",
            "weights",
        ])?;
        extensions.check_object()?;
        Ok(Self {
            camera: Index::read_some(camera)?,
            children: children.some_array(Index::read)?,
            extensions: extensions.some(),
            extras: extras.some(),
            matrix: matrix.numbers()?.map(Box::new),
            mesh: Index::read_some(mesh)?,
            name: name.string()?,
            rotation: rotation.numbers()?,
            scale: scale.numbers()?,
            translation: translation.numbers()?,
            skin: Index::read_some(skin)?,
            weights: weights.some_array(Value::f32)?,
        })
    }
}
