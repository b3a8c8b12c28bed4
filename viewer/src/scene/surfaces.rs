//! Builds the surfaces that are drawn: vertex colors, both vertex orders, and the GPU's skin data.

use sinew::JointId;
use sinew::Mesh;
use sinew::mesh::InfluenceData;
use sinew::model::AlphaMode;
use sinew_bench::methods::Requirements;
use sinew_figures::colors::{heat_color, joint_color};

use super::Subject;
use super::textures::{Textures, is_textured};
use crate::draw::{GpuSkin, Surface, SurfaceLayout};

/// Color of models that define none.
const DEFAULT_COLOR: [f32; 3] = [0.42, 0.52, 0.62];

/// Influences per vertex that the vertex shader supports.
const MAX_INFLUENCES: usize = 4;
/// Joints that the vertex shader supports: three texels each fit a texture 2048 texels wide, the
/// minimum that WebGL 2 guarantees.
const MAX_JOINTS: usize = 682;

/// How vertices are colored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VertexColoring {
    /// By material.
    Material,
    /// By the colors of their joints, mixed by weight.
    AllJoints,
    /// By the weight of one joint of the skeleton.
    Joint(usize),
}

/// Builds all surfaces for upload, with at most `max_influences` influences per vertex.
#[must_use]
pub fn surfaces(subject: &Subject, max_influences: usize, coloring: VertexColoring) -> Vec<Surface> {
    let textures = Textures::new(&subject.model);
    let build = |mesh_instance: usize| {
        let (set, texture) = textures.for_mesh_instance(&subject.model, mesh_instance).unzip();
        let coordinates = set.map_or(&[][..], |set: &Vec<[f32; 2]>| set);
        let plain = surface(subject, mesh_instance, (max_influences, coloring), coordinates);
        let (alpha_mode, double_sided) = sides(subject, mesh_instance);
        Surface { texture, alpha_mode, double_sided, ..plain }
    };
    (0..subject.mesh_instances()).map(build).collect()
}

/// Replaces the colors of the surfaces.
pub fn recolor(subject: &Subject, coloring: VertexColoring, surfaces: &mut [Surface]) {
    for (mesh_instance, surface) in surfaces.iter_mut().enumerate() {
        surface.source.colors = vertex_colors(subject, mesh_instance, coloring);
        surface.run.colors = in_run_order(subject.mesh(mesh_instance), &surface.source.colors);
    }
}

fn surface(
    subject: &Subject,
    mesh_instance: usize,
    (max_influences, coloring): (usize, VertexColoring),
    coordinates: &[[f32; 2]],
) -> Surface {
    let mesh = subject.mesh(mesh_instance);
    let run = mesh.triangles();
    let vertex = |slot: u32| mesh.inverse_remap()[slot as usize];
    let source: Vec<[u32; 3]> = run.iter().map(|triangle| triangle.map(vertex)).collect();
    let colors = vertex_colors(subject, mesh_instance, coloring);
    Surface {
        run: SurfaceLayout {
            edges: unique_edges(run),
            triangles: run.to_vec(),
            colors: in_run_order(mesh, &colors),
            coordinates: in_run_order(mesh, coordinates),
        },
        source: SurfaceLayout {
            edges: unique_edges(&source),
            triangles: source,
            colors,
            coordinates: coordinates.to_vec(),
        },
        gpu_skin: build_gpu_skin(mesh, max_influences),
        ..Surface::default()
    }
}

/// What the material says about alpha and about triangles that face away. Without a material, both
/// sides are drawn.
fn sides(subject: &Subject, mesh_instance: usize) -> (AlphaMode, bool) {
    let material = subject.model.primitive(mesh_instance).material;
    material.map_or((AlphaMode::Opaque, true), |material| {
        let material = &subject.model.materials()[material];
        (material.alpha_mode, material.double_sided)
    })
}

/// Reorders per-vertex data; empty if its length is not the number of vertices.
fn in_run_order<T: Copy>(mesh: &Mesh, by_vertex: &[T]) -> Vec<T> {
    mesh.to_run_order(by_vertex).unwrap_or_default()
}

/// The edges of all triangles, each once.
fn unique_edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Why the vertex shader cannot skin a mesh instance; `None` if it can.
#[must_use]
pub fn gpu_unavailable_reason(demands: &Requirements, max_influences: usize) -> Option<String> {
    let (most, joints) = (demands.influences.min(max_influences), demands.joints);
    if demands.morphs {
        Some("the vertex shader does not support morph targets".to_owned())
    } else if demands.joint_space {
        Some("this mesh stores a position in the space of each joint".to_owned())
    } else if most > MAX_INFLUENCES {
        Some(format!("the vertex shader supports {MAX_INFLUENCES} weights, a vertex has {most}"))
    } else {
        (joints > MAX_JOINTS)
            .then(|| format!("the vertex shader supports {MAX_JOINTS} joints, the skin has {joints}"))
    }
}

fn build_gpu_skin(mesh: &Mesh, max_influences: usize) -> Option<GpuSkin> {
    if gpu_unavailable_reason(&Requirements::new(mesh), max_influences).is_some() {
        return None;
    }
    let rest = |attributes| mesh.rest(attributes).unwrap_or_else(|| vec![[0.0; 3]; mesh.len()]);
    let (positions, normals) =
        (rest(sinew::mesh::Attributes::Positions), rest(sinew::mesh::Attributes::Normals));
    let both = positions.iter().zip(&normals);
    let mut gpu_skin = GpuSkin {
        rest: both.map(|(&[x, y, z], &[u, v, w])| [x, y, z, u, v, w]).collect(),
        ..GpuSkin::default()
    };
    for_each_vertex(&mesh.influences(), |own| {
        let kept = &own[..own.len().min(max_influences).min(MAX_INFLUENCES)];
        let [total, kept_total] =
            [own, kept].map(|some| some.iter().map(|influence| influence.1).sum::<f32>());
        let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
        for (slot, &(joint, weight)) in kept.iter().enumerate() {
            joints[slot] = joint as u16;
            weights[slot] =
                if kept.len() < own.len() && kept_total > 0.0 { weight * total / kept_total } else { weight };
        }
        gpu_skin.joints.push(joints);
        gpu_skin.weights.push(weights);
    });
    Some(gpu_skin)
}

/// Calls a function with the influences of each vertex, strongest first.
fn for_each_vertex(data: &InfluenceData, mut act: impl FnMut(&[(u32, f32)])) {
    let mut all = data.joints.iter().copied().zip(data.weights.iter().copied());
    for &count in &data.counts {
        let own: Vec<(u32, f32)> = all.by_ref().take(count as usize).collect();
        act(&own);
    }
}

/// Vertex colors, in the order of the file.
fn vertex_colors(subject: &Subject, mesh_instance: usize, coloring: VertexColoring) -> Vec<[u8; 4]> {
    let opaque = |colors: Vec<[f32; 3]>| colors.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect();
    let own: Vec<[f32; 4]> = match coloring {
        VertexColoring::Material if subject.is_cylinder => opaque(band_colors(subject.mesh(mesh_instance))),
        VertexColoring::Material => material_colors(subject, mesh_instance),
        VertexColoring::AllJoints | VertexColoring::Joint(_) => {
            opaque(weight_colors(subject, mesh_instance, coloring))
        }
    };
    own.into_iter().map(|color| color.map(to_byte)).collect()
}

fn to_byte(value: f32) -> u8 {
    (255.0 * value.clamp(0.0, 1.0) + 0.5) as u8
}

/// Alternating bands around a cylinder, which make its bends visible.
fn band_colors(mesh: &Mesh) -> Vec<[f32; 3]> {
    let band = |&[_, y, _]: &[f32; 3]| if (y * 5.0 + 0.5).floor() as i32 % 2 == 0 { 1.0 } else { 0.72 };
    let positions = mesh.rest(sinew::mesh::Attributes::Positions).unwrap_or_default();
    positions.iter().map(|position| [band(position); 3]).collect()
}

fn material_colors(subject: &Subject, mesh_instance: usize) -> Vec<[f32; 4]> {
    let (model, surface) = (&subject.model, subject.model.primitive(mesh_instance));
    let factor = surface.material.map_or([1.0; 4], |material| model.materials()[material].base_color);
    let [red, green, blue] = DEFAULT_COLOR;
    match surface.colors.first().filter(|colors| !colors.is_empty()) {
        Some(colors) => colors.iter().map(|color| [0, 1, 2, 3].map(|i| color[i] * factor[i])).collect(),
        // The texture supplies the colors.
        None if is_textured(model, mesh_instance) => vec![factor; surface.mesh.len()],
        None if factor[..3] == [1.0; 3] => vec![[red, green, blue, factor[3]]; surface.mesh.len()],
        None => vec![factor; surface.mesh.len()],
    }
}

fn weight_colors(subject: &Subject, mesh_instance: usize, coloring: VertexColoring) -> Vec<[f32; 3]> {
    let joints: Vec<usize> = subject.skin(mesh_instance).joints().map(JointId::index).collect();
    let mut colors = Vec::with_capacity(subject.mesh(mesh_instance).len());
    for_each_vertex(&subject.mesh(mesh_instance).influences(), |own| {
        let joint = |slot: u32| joints[slot as usize];
        let weight = |&(slot, weight): &(u32, f32)| (joint(slot), weight);
        colors.push(match coloring {
            VertexColoring::Joint(chosen) => {
                let chosen_weights = own.iter().map(weight).filter(|&(joint, _)| joint == chosen);
                heat_color(chosen_weights.map(|(_, weight)| weight).sum())
            }
            _ => mix_joint_colors(own.iter().map(weight)),
        });
    });
    colors
}

fn mix_joint_colors(influences: impl Iterator<Item = (usize, f32)>) -> [f32; 3] {
    let (mut sum, mut all) = ([0.0; 3], 0.0);
    for (joint, weight) in influences {
        let color = joint_color(joint);
        sum = [0, 1, 2].map(|i| sum[i] + color[i] * weight);
        all += weight;
    }
    if all > 0.0 { sum.map(|light| light / all) } else { DEFAULT_COLOR }
}
