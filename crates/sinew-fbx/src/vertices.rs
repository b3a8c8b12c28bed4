//! Corners of faces to vertices: FBX indexes each attribute on its own.

use std::collections::HashMap;

use sinew_io::RawPrimitive;
use ufbx::Mesh;

/// The vertices of a part of a mesh: corners with equal attributes are one vertex.
pub(crate) struct Vertices {
    pub(crate) primitive: RawPrimitive<'static>,
    /// The control point of each vertex, which has its influences and offsets.
    pub(crate) control_points: Vec<u32>,
}

/// Triangulates the faces of a part, and joins their corners.
pub(crate) fn vertices(mesh: &Mesh, faces: &[u32]) -> Vertices {
    let mut joined = Vertices { primitive: RawPrimitive::default(), control_points: Vec::new() };
    let mut corners = Vec::new();
    // The first corner of each vertex, which has its attributes.
    let mut first_corners = Vec::new();
    let mut known: HashMap<Box<[u32]>, u32> = HashMap::new();
    let (mut triangles, mut key) = (Vec::new(), Vec::new());
    for face in faces.iter().filter_map(|&face| mesh.faces.get(face as usize)) {
        let count = ufbx::triangulate_face_vec(&mut triangles, mesh, *face) as usize;
        for &corner in triangles.iter().take(3 * count) {
            let corner = corner as usize;
            let Some(&control_point) = mesh.vertex_indices.get(corner) else { continue };
            key.clear();
            key.push(control_point);
            key.extend(normal(mesh, corner).iter().flatten().map(|number| number.to_bits()));
            for set in &mesh.uv_sets {
                let uv = attribute(&set.vertex_uv.values, &set.vertex_uv.indices, corner);
                key.extend(uv.iter().flat_map(|uv| [uv.x, uv.y]).map(|number| (number as f32).to_bits()));
            }
            for set in &mesh.color_sets {
                let color = attribute(&set.vertex_color.values, &set.vertex_color.indices, corner);
                let parts = color.iter().flat_map(|color| [color.x, color.y, color.z, color.w]);
                key.extend(parts.map(|number| (number as f32).to_bits()));
            }
            if let Some(&vertex) = known.get(&key[..]) {
                corners.push(vertex);
                continue;
            }
            let vertex = first_corners.len() as u32;
            known.insert(key.clone().into_boxed_slice(), vertex);
            corners.push(vertex);
            joined.control_points.push(control_point);
            first_corners.push(corner);
        }
    }
    drop(known);
    joined.primitive.corners = Some(corners.into());
    add_attributes(&mut joined.primitive, mesh, &first_corners);
    joined
}

/// Adds the attributes of corners, each of which is a vertex.
fn add_attributes(primitive: &mut RawPrimitive<'_>, mesh: &Mesh, corners: &[usize]) {
    let position = |&corner: &usize| {
        let position = attribute(&mesh.vertex_position.values, &mesh.vertex_position.indices, corner);
        position.map_or([0.0; 3], |v| [v.x, v.y, v.z].map(|x| x as f32))
    };
    primitive.positions = corners.iter().map(position).collect();
    let normal = |&corner: &usize| normal(mesh, corner).unwrap_or([0.0, 0.0, 1.0]);
    primitive.normals = mesh.vertex_normal.exists.then(|| corners.iter().map(normal).collect());
    for set in &mesh.uv_sets {
        let uv = |&corner: &usize| {
            let uv = attribute(&set.vertex_uv.values, &set.vertex_uv.indices, corner);
            // In FBX, v goes up.
            uv.map_or([0.0; 2], |uv| [uv.x as f32, 1.0 - uv.y as f32])
        };
        primitive.texture_coordinates.push(corners.iter().map(uv).collect());
    }
    for set in &mesh.color_sets {
        let color = |&corner: &usize| {
            let color = attribute(&set.vertex_color.values, &set.vertex_color.indices, corner);
            color.map_or([1.0; 4], |c| [c.x, c.y, c.z, c.w].map(|x| x as f32))
        };
        primitive.colors.push(corners.iter().map(color).collect());
    }
}

fn normal(mesh: &Mesh, corner: usize) -> Option<[f32; 3]> {
    let normal = attribute(&mesh.vertex_normal.values, &mesh.vertex_normal.indices, corner);
    normal.map(|v| [v.x as f32, v.y as f32, v.z as f32])
}

/// The value of an attribute at a corner.
fn attribute<'a, T>(values: &'a [T], indices: &[u32], corner: usize) -> Option<&'a T> {
    indices.get(corner).and_then(|&index| values.get(index as usize))
}
