//! Exports posed geometry: one mesh for each mesh instance, without joints.

use std::io::Write;

use super::buffer::View;
use super::document::Document;
use super::materials::MaterialWriter;
use super::schema::{Attributes, Mesh, Node, Primitive};
use super::up_axis::UpAxisConversion;
use crate::bake::clamp_color;
use crate::{BakedMeshInstance, BakedModel, Error};

/// Writes a posed model as GLB: a node and a mesh for each mesh instance, with unit normals,
/// texture coordinates, colors clamped to 0..1, and materials with their images. A mesh instance
/// without vertices becomes a node without a mesh.
///
/// # Errors
///
/// When the file would be larger than the format allows, or when the system cannot write.
pub fn write_posed_glb(
    mut to: impl Write,
    baked: &BakedModel,
    up_axis: UpAxisConversion,
) -> Result<(), Error> {
    Ok(posed_document(baked, up_axis).write(&mut to)?)
}

fn posed_document(baked: &BakedModel, up_axis: UpAxisConversion) -> Document {
    let mut document = Document::default();
    let mut materials = MaterialWriter::default();
    for mesh_instance in baked.mesh_instances() {
        let mut node = Node { name: mesh_instance.name.clone(), ..Node::default() };
        if !mesh_instance.vertices.is_empty() {
            let primitives = vec![primitive(baked, mesh_instance, &mut materials, &mut document)];
            let (name, target_names) = (mesh_instance.name.clone(), Vec::new());
            document.root.meshes.push(Mesh { name, primitives, target_names });
            node.mesh = Some(document.root.meshes.len() - 1);
        }
        let node = document.node(node);
        document.root.roots.push(node);
    }
    if let Some(rotation) = up_axis.rotation(baked.model()) {
        let children = std::mem::take(&mut document.root.roots);
        let name = "to y up".to_owned();
        let root = document.node(Node { name, rotation: Some(rotation), children, ..Node::default() });
        document.root.roots.push(root);
    }
    document
}

fn primitive(
    baked: &BakedModel,
    mesh_instance: &BakedMeshInstance,
    materials: &mut MaterialWriter,
    document: &mut Document,
) -> Primitive {
    let vertices = mesh_instance.vertices.clone();
    let buffer = &mut document.buffer;
    let mut attributes = Attributes::default();
    attributes.add("POSITION", buffer.positions(&baked.positions()[vertices.clone()]));
    attributes.add("NORMAL", buffer.vectors(&baked.normals()[vertices.clone()], View::Vertices));
    if mesh_instance.has_texture_coordinates {
        let coordinates = &baked.texture_coordinates()[vertices.clone()];
        attributes.add("TEXCOORD_0", buffer.vectors(coordinates, View::Vertices));
    }
    if mesh_instance.has_colors {
        let colors: Vec<_> =
            baked.colors()[vertices.clone()].iter().map(|&color| clamp_color(color)).collect();
        attributes.add("COLOR_0", buffer.vectors(&colors, View::Vertices));
    }
    let own = baked.triangles()[mesh_instance.triangles.clone()].iter();
    let triangles: Vec<_> =
        own.map(|triangle| triangle.map(|vertex| vertex - vertices.start as u32)).collect();
    let mut primitive = Primitive { attributes, ..Primitive::default() };
    primitive.set_triangles(&triangles, vertices.len(), document);
    if let Some(index) = mesh_instance.material {
        let model = baked.model();
        // The only set that is written is the set of the texture.
        let set = model.materials()[index].base_texture.map_or(0, |texture| texture.set);
        let sets = if mesh_instance.has_texture_coordinates { vec![set] } else { Vec::new() };
        primitive.material = Some(materials.material(model, index, &sets, document));
    }
    primitive
}

impl Primitive {
    /// Adds the triangle indices. Without triangles, the vertices become points.
    pub(super) fn set_triangles(&mut self, triangles: &[[u32; 3]], vertices: usize, document: &mut Document) {
        match triangles {
            [] => self.mode = Some(POINTS),
            triangles => self.indices = Some(document.buffer.triangles(triangles, vertices)),
        }
    }
}

const POINTS: usize = 0;
