//! The skinned meshes of a binary glTF file, as one surface.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use gltf::mesh::Mode;

use crate::surface::Surface;

type Vector = [f32; 3];

/// Reads the triangles of every node that has a skin. Normals and tangents that are not in the file are made.
pub(crate) fn read(name: &str, path: &Path) -> Result<Surface, Box<dyn Error>> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let gltf = gltf::Gltf::from_slice(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    let data = gltf.blob.as_deref().ok_or("the file has no binary part")?;
    let mut surface = Surface { name: name.to_owned(), ..Surface::default() };
    // Skins follow one another in one list of joints.
    let mut first_joints = HashMap::new();
    for node in gltf.nodes() {
        let (Some(mesh), Some(skin)) = (node.mesh(), node.skin()) else { continue };
        let first_joint = *first_joints.entry(skin.index()).or_insert_with(|| {
            let first = surface.skin_len;
            surface.skin_len += skin.joints().count();
            first as u32
        });
        for primitive in mesh.primitives().filter(|primitive| primitive.mode() == Mode::Triangles) {
            surface.add(&primitive, data, first_joint)?;
        }
    }
    if surface.positions.is_empty() { Err("nothing in the file has a skin".into()) } else { Ok(surface) }
}

impl Surface {
    fn add(
        &mut self,
        primitive: &gltf::Primitive<'_>,
        data: &[u8],
        first_joint: u32,
    ) -> Result<(), Box<dyn Error>> {
        let reader = primitive.reader(|buffer| (buffer.index() == 0).then_some(data));
        let positions: Vec<Vector> = reader.read_positions().ok_or("a mesh has no positions")?.collect();
        let normals = match reader.read_normals() {
            Some(normals) => normals.collect(),
            None => {
                let corners: Vec<u32> = match reader.read_indices() {
                    Some(indices) => indices.into_u32().collect(),
                    None => (0..positions.len() as u32).collect(),
                };
                normals_of(&positions, &corners)?
            }
        };
        match reader.read_tangents() {
            Some(tangents) => self.tangents.extend(tangents),
            None => self.tangents.extend(normals.iter().map(|&normal| tangent_of(normal))),
        }
        let mut lists = vec![Vec::new(); positions.len()];
        let sets = (0..).map_while(|set| Some((reader.read_joints(set)?, reader.read_weights(set)?)));
        for (joints, weights) in sets {
            let influences = joints.into_u16().zip(weights.into_f32());
            for (list, (joints, weights)) in lists.iter_mut().zip(influences) {
                let pairs = joints.into_iter().zip(weights).filter(|&(_, weight)| weight != 0.0);
                list.extend(pairs.map(|(joint, weight)| (first_joint + u32::from(joint), weight)));
            }
        }
        for list in lists {
            self.counts.push(list.len() as u32);
            self.joints.extend(list.iter().map(|&(joint, _)| joint));
            self.weights.extend(list.iter().map(|&(_, weight)| weight));
        }
        self.positions.extend(positions);
        self.normals.extend(normals);
        Ok(())
    }
}

/// Of each vertex the direction of its triangles, the larger ones counting more.
fn normals_of(positions: &[Vector], corners: &[u32]) -> Result<Vec<Vector>, Box<dyn Error>> {
    let mut sums = vec![[0.0; 3]; positions.len()];
    for &[a, b, c] in corners.as_chunks().0 {
        let corner = |vertex: u32| positions.get(vertex as usize).ok_or("a triangle has a vertex too many");
        let (from, to) = (corner(a)?, [corner(b)?, corner(c)?]);
        let [u, v] = to.map(|to| std::array::from_fn(|axis| to[axis] - from[axis]));
        let across = cross(u, v);
        for vertex in [a, b, c] {
            for (sum, component) in sums[vertex as usize].iter_mut().zip(across) {
                *sum += component;
            }
        }
    }
    Ok(sums.into_iter().map(unit).collect())
}

/// Some direction at right angles to a normal, always the same.
fn tangent_of(normal: Vector) -> [f32; 4] {
    let axis = if normal[0].abs() < 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let [x, y, z] = unit(cross(axis, normal));
    [x, y, z, 1.0]
}

fn cross([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

/// At length one; what has no direction points along z.
fn unit(vector: Vector) -> Vector {
    let length = vector.iter().map(|component| component * component).sum::<f32>().sqrt();
    if length > 0.0 { vector.map(|component| component / length) } else { [0.0, 0.0, 1.0] }
}
