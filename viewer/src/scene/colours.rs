//! The colours of vertices: of materials, or painted by weight.

use sinew::{InfluenceData, Mesh};
use sinew_figures::colours::{heat_colour, joint_colour};
use sinew_figures::methods::Demands;

use super::Subject;
use super::textures::{Textures, is_textured};
use crate::draw::{Layout, Rigged, Surface};

/// What a model has that says nothing about its colour.
const CLAY: [f32; 3] = [0.42, 0.52, 0.62];

/// The shader takes so many.
const MOST_INFLUENCES: usize = 4;
/// Three pixels each are as wide a texture as every browser has.
const MOST_JOINTS: usize = 682;

/// What colours vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Painting {
    /// Materials.
    Own,
    /// The colours of all joints, mixed as the weights are.
    Mixed,
    /// How much one joint of the skeleton has of each.
    Joint(usize),
}

/// All surfaces, ready to be uploaded, with the influences that are skinned.
#[must_use]
pub fn surfaces(subject: &Subject, max_influences: usize, painting: Painting) -> Vec<Surface> {
    let textures = Textures::new(&subject.model);
    let of_part = |part: usize| {
        let (set, texture) = textures.of_part(&subject.model, part).unzip();
        let coordinates = set.map_or(&[][..], |set: &Vec<[f32; 2]>| set);
        let made = surface(subject, part, (max_influences, painting), coordinates);
        Surface { texture, ..made }
    };
    (0..subject.parts()).map(of_part).collect()
}

/// Paints the same surfaces anew.
pub fn paint(subject: &Subject, painting: Painting, surfaces: &mut [Surface]) {
    for (part, surface) in surfaces.iter_mut().enumerate() {
        surface.source.colours = colours(subject, part, painting);
        surface.run.colours = in_run_order(subject.mesh(part), &surface.source.colours);
    }
}

fn surface(
    subject: &Subject,
    part: usize,
    (max_influences, painting): (usize, Painting),
    coordinates: &[[f32; 2]],
) -> Surface {
    let mesh = subject.mesh(part);
    let run = mesh.triangles();
    let vertex = |place: u32| mesh.vertex_of_place()[place as usize];
    let source: Vec<[u32; 3]> = run.iter().map(|triangle| triangle.map(vertex)).collect();
    let colours = colours(subject, part, painting);
    Surface {
        run: Layout {
            edges: edges(run),
            triangles: run.to_vec(),
            colours: in_run_order(mesh, &colours),
            coordinates: in_run_order(mesh, coordinates),
        },
        source: Layout {
            edges: edges(&source),
            triangles: source,
            colours,
            coordinates: coordinates.to_vec(),
        },
        rigged: rigged(mesh, max_influences),
        texture: None,
    }
}

/// Nothing where there is not something for each vertex.
fn in_run_order<T: Copy>(mesh: &Mesh, by_vertex: &[T]) -> Vec<T> {
    mesh.to_run_order(by_vertex).unwrap_or_default()
}

/// Each side of a triangle once.
fn edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Why the shader cannot skin a part; `None` where it can.
#[must_use]
pub fn unshaded(demands: &Demands, max_influences: usize) -> Option<String> {
    let (most, joints) = (demands.influences.min(max_influences), demands.joints);
    if demands.morphs {
        Some("the shader has no morph targets".to_owned())
    } else if demands.joint_space {
        Some("this surface has a position of its own in the space of each joint".to_owned())
    } else if most > MOST_INFLUENCES {
        Some(format!("the shader takes {MOST_INFLUENCES} weights, a vertex has {most}"))
    } else {
        (joints > MOST_JOINTS)
            .then(|| format!("the shader takes {MOST_JOINTS} joints, the skin has {joints}"))
    }
}

fn rigged(mesh: &Mesh, max_influences: usize) -> Option<Rigged> {
    if unshaded(&Demands::of(mesh), max_influences).is_some() {
        return None;
    }
    let rest = |attributes| mesh.rest(attributes).unwrap_or_else(|| vec![[0.0; 3]; mesh.len()]);
    let (positions, normals) = (rest(sinew::Attributes::Positions), rest(sinew::Attributes::Normals));
    let both = positions.iter().zip(&normals);
    let mut rigged = Rigged {
        rest: both.map(|(&[x, y, z], &[u, v, w])| [x, y, z, u, v, w]).collect(),
        ..Rigged::default()
    };
    each_vertex(&mesh.influences(), |own| {
        let kept = &own[..own.len().min(max_influences).min(MOST_INFLUENCES)];
        let [all, left] = [own, kept].map(|some| some.iter().map(|influence| influence.1).sum::<f32>());
        let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
        for (slot, &(joint, weight)) in kept.iter().enumerate() {
            joints[slot] = joint as u16;
            weights[slot] = if kept.len() < own.len() && left > 0.0 { weight * all / left } else { weight };
        }
        rigged.joints.push(joints);
        rigged.weights.push(weights);
    });
    Some(rigged)
}

/// Calls with the joints and weights of each vertex, the strongest first.
fn each_vertex(data: &InfluenceData, mut act: impl FnMut(&[(u32, f32)])) {
    let mut all = data.joints.iter().copied().zip(data.weights.iter().copied());
    for &count in &data.counts {
        let own: Vec<(u32, f32)> = all.by_ref().take(count as usize).collect();
        act(&own);
    }
}

/// A colour for each vertex, in the order of the source.
fn colours(subject: &Subject, part: usize, painting: Painting) -> Vec<[u8; 4]> {
    let own = match painting {
        Painting::Own if subject.is_cylinder => banded(subject.mesh(part)),
        Painting::Own => of_material(subject, part),
        Painting::Mixed | Painting::Joint(_) => painted(subject, part, painting),
    };
    own.into_iter().map(|[r, g, b]| [byte(r), byte(g), byte(b), 255]).collect()
}

fn byte(value: f32) -> u8 {
    (255.0 * value.clamp(0.0, 1.0) + 0.5) as u8
}

/// Rings around a cylinder, so that its bends are seen.
fn banded(mesh: &Mesh) -> Vec<[f32; 3]> {
    let band = |&[_, y, _]: &[f32; 3]| if (y * 5.0 + 0.5).floor() as i32 % 2 == 0 { 1.0 } else { 0.72 };
    let positions = mesh.rest(sinew::Attributes::Positions).unwrap_or_default();
    positions.iter().map(|position| [band(position); 3]).collect()
}

fn of_material(subject: &Subject, part: usize) -> Vec<[f32; 3]> {
    let (model, surface) = (&subject.model, subject.model.surface(part));
    let factor = surface.material.map_or([1.0; 4], |material| model.materials()[material].base_colour);
    let factor = [factor[0], factor[1], factor[2]];
    match surface.colours.first().filter(|colours| !colours.is_empty()) {
        Some(colours) => {
            colours.iter().map(|&[r, g, b, _]| [r * factor[0], g * factor[1], b * factor[2]]).collect()
        }
        // A picture brings its own colours.
        None if is_textured(model, part) => vec![factor; surface.mesh.len()],
        None => vec![if factor == [1.0; 3] { CLAY } else { factor }; surface.mesh.len()],
    }
}

fn painted(subject: &Subject, part: usize, painting: Painting) -> Vec<[f32; 3]> {
    let joints = subject.skin(part).joints();
    let mut colours = Vec::with_capacity(subject.mesh(part).len());
    each_vertex(&subject.mesh(part).influences(), |own| {
        let joint = |slot: u32| joints[slot as usize] as usize;
        let weight = |&(slot, weight): &(u32, f32)| (joint(slot), weight);
        colours.push(match painting {
            Painting::Joint(chosen) => {
                let of_chosen = own.iter().map(weight).filter(|&(joint, _)| joint == chosen);
                heat_colour(of_chosen.map(|(_, weight)| weight).sum())
            }
            _ => mixed(own.iter().map(weight)),
        });
    });
    colours
}

fn mixed(influences: impl Iterator<Item = (usize, f32)>) -> [f32; 3] {
    let (mut sum, mut all) = ([0.0; 3], 0.0);
    for (joint, weight) in influences {
        let colour = joint_colour(joint);
        sum = [0, 1, 2].map(|i| sum[i] + colour[i] * weight);
        all += weight;
    }
    if all > 0.0 { sum.map(|light| light / all) } else { CLAY }
}
