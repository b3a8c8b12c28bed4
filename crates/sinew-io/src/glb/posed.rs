//! A posed model as it stands: a mesh for each part, without joints.

use std::io::Write;

use super::buffer::View;
use super::document::{Document, Turn};
use super::json::{Object, listed};
use super::look::Look;
use crate::bake::within_unit;
use crate::{Baked, BakedPart, Error};

/// Writes a posed model as GLB: a node and a mesh for each part, with normals of length one, texture coordinates, colours
/// within 0 and 1, and materials with their pictures. A part without vertices is a node alone.
///
/// # Errors
///
/// When the file would be larger than the format allows, or the system cannot write.
pub fn write_posed_glb(mut to: impl Write, baked: &Baked, turn: Turn) -> Result<(), Error> {
    let mut document = Document::default();
    let mut look = Look::default();
    for part in baked.parts() {
        let node = Object::new().name(&part.name);
        let node = if part.vertices.is_empty() {
            node
        } else {
            let primitive = primitive(baked, part, &mut look, &mut document);
            let mesh = Object::new().name(&part.name).value("primitives", listed(&[primitive]));
            document.meshes.push(mesh.end());
            node.value("mesh", document.meshes.len() - 1)
        };
        let node = document.node(node);
        document.roots.push(node);
    }
    if let Some(rotation) = turn.rotation(baked.model()) {
        let children = std::mem::take(&mut document.roots);
        let root = Object::new().text("name", "to y up").floats("rotation", &rotation);
        let root = document.node(root.list("children", &children));
        document.roots.push(root);
    }
    document.write(&mut to)
}

fn primitive(baked: &Baked, part: &BakedPart, look: &mut Look, document: &mut Document) -> String {
    let vertices = part.vertices.clone();
    let buffer = &mut document.buffer;
    let mut attributes = Object::new()
        .value("POSITION", buffer.positions(&baked.positions()[vertices.clone()]))
        .value("NORMAL", buffer.vectors(&baked.normals()[vertices.clone()], View::Vertices));
    if part.has_texture_coordinates {
        let coordinates = &baked.texture_coordinates()[vertices.clone()];
        attributes = attributes.value("TEXCOORD_0", buffer.vectors(coordinates, View::Vertices));
    }
    if part.has_colours {
        let colours: Vec<_> =
            baked.colours()[vertices.clone()].iter().map(|&colour| within_unit(colour)).collect();
        attributes = attributes.value("COLOR_0", buffer.vectors(&colours, View::Vertices));
    }
    let own = baked.triangles()[part.triangles.clone()].iter();
    let triangles: Vec<_> =
        own.map(|triangle| triangle.map(|vertex| vertex - vertices.start as u32)).collect();
    let mut object = with_triangles(
        Object::new().value("attributes", attributes.end()),
        &triangles,
        vertices.len(),
        document,
    );
    if let Some(index) = part.material {
        let model = baked.model();
        // The only set is that of the picture.
        let set = model.materials()[index].base_texture.map_or(0, |texture| texture.set);
        let sets = if part.has_texture_coordinates { vec![set] } else { Vec::new() };
        object = object.value("material", look.material(model, index, &sets, document));
    }
    object.end()
}

/// A primitive's triangles; points where there are none.
pub(super) fn with_triangles(
    primitive: Object,
    triangles: &[[u32; 3]],
    vertices: usize,
    document: &mut Document,
) -> Object {
    match triangles {
        [] => primitive.value("mode", 0),
        triangles => primitive.value("indices", document.buffer.triangles(triangles, vertices)),
    }
}
