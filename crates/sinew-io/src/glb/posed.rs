//! A posed model as it stands: a mesh for each part, without joints.

use std::io::Write;

use super::buffer::View;
use super::document::{Document, Turn};
use super::look::Look;
use super::schema::{Attributes, Mesh, Node, Primitive};
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
        let mut node = Node { name: part.name.clone(), ..Node::default() };
        if !part.vertices.is_empty() {
            let primitives = vec![primitive(baked, part, &mut look, &mut document)];
            document.meshes.push(Mesh { name: part.name.clone(), primitives, extras: None });
            node.mesh = Some(document.meshes.len() - 1);
        }
        let node = document.node(node);
        document.roots.push(node);
    }
    if let Some(rotation) = turn.rotation(baked.model()) {
        let children = std::mem::take(&mut document.roots);
        let name = "to y up".to_owned();
        let root = document.node(Node { name, rotation: Some(rotation), children, ..Node::default() });
        document.roots.push(root);
    }
    document.write(&mut to)
}

fn primitive(baked: &Baked, part: &BakedPart, look: &mut Look, document: &mut Document) -> Primitive {
    let vertices = part.vertices.clone();
    let buffer = &mut document.buffer;
    let mut attributes = Attributes::default();
    attributes.add("POSITION", buffer.positions(&baked.positions()[vertices.clone()]));
    attributes.add("NORMAL", buffer.vectors(&baked.normals()[vertices.clone()], View::Vertices));
    if part.has_texture_coordinates {
        let coordinates = &baked.texture_coordinates()[vertices.clone()];
        attributes.add("TEXCOORD_0", buffer.vectors(coordinates, View::Vertices));
    }
    if part.has_colours {
        let colours: Vec<_> =
            baked.colours()[vertices.clone()].iter().map(|&colour| within_unit(colour)).collect();
        attributes.add("COLOR_0", buffer.vectors(&colours, View::Vertices));
    }
    let own = baked.triangles()[part.triangles.clone()].iter();
    let triangles: Vec<_> =
        own.map(|triangle| triangle.map(|vertex| vertex - vertices.start as u32)).collect();
    let mut primitive = Primitive { attributes, ..Primitive::default() };
    primitive.set_triangles(&triangles, vertices.len(), document);
    if let Some(index) = part.material {
        let model = baked.model();
        // The only set is that of the picture.
        let set = model.materials()[index].base_texture.map_or(0, |texture| texture.set);
        let sets = if part.has_texture_coordinates { vec![set] } else { Vec::new() };
        primitive.material = Some(look.material(model, index, &sets, document));
    }
    primitive
}

impl Primitive {
    /// Adds the indices of triangles; without any, the vertices are points.
    pub(super) fn set_triangles(&mut self, triangles: &[[u32; 3]], vertices: usize, document: &mut Document) {
        match triangles {
            [] => self.mode = Some(POINTS),
            triangles => self.indices = Some(document.buffer.triangles(triangles, vertices)),
        }
    }
}

const POINTS: u32 = 0;
