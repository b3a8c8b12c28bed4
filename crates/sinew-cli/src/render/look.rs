//! The colours of a model's vertices before light falls on them.

use sinew::{Model, Surface};
use sinew_figures::colours::joint_colour;
use sinew_io::Baked;

use super::textures::Textures;

/// What a model has that says nothing about its colour.
const CLAY: [f32; 3] = [0.36, 0.46, 0.56];

/// A colour for each vertex, linear, in the order of [`Baked`]; where a texture is, it is still to be multiplied.
pub(super) fn base_colours(baked: &Baked, textures: &Textures) -> Vec<[f32; 3]> {
    let model = baked.model();
    let mut colours = vec![CLAY; baked.positions().len()];
    for part in baked.parts() {
        let material = part.material.map(|material| &model.materials()[material]);
        let factor = material.map_or([1.0; 4], |material| material.base_colour);
        let textured = part.material.is_some_and(|material| textures.of_material(material).is_some());
        let plain = factor[..3] == [1.0; 3] && !textured && !part.has_colours;
        if plain {
            continue;
        }
        for vertex in part.vertices.clone() {
            let own = if part.has_colours { baked.colours()[vertex] } else { [1.0; 4] };
            colours[vertex] = [0, 1, 2].map(|i| (factor[i] * own[i]).clamp(0.0, 1.0));
        }
    }
    colours
}

/// A colour for each vertex, mixed from those of its joints as its weights are.
pub(super) fn weight_colours(baked: &Baked) -> Vec<[f32; 3]> {
    let model = baked.model();
    let mut colours = Vec::with_capacity(baked.positions().len());
    for (index, part) in model.parts().iter().enumerate() {
        let surface = model.surface(index);
        push_mixed(model, part.skin, surface, &mut colours);
    }
    colours
}

fn push_mixed(model: &Model, skin: usize, surface: &Surface, colours: &mut Vec<[f32; 3]>) {
    let joints = model.skins()[skin].joints();
    let influences = surface.mesh.influences();
    let mut next = 0;
    for &count in &influences.counts {
        let own = next..next + count as usize;
        next = own.end;
        let (mut sum, mut all) = ([0.0; 3], 0.0);
        for (&joint, &weight) in influences.joints[own.clone()].iter().zip(&influences.weights[own]) {
            let colour = joint_colour(joints[joint as usize] as usize);
            sum = [0, 1, 2].map(|i| sum[i] + colour[i] * weight);
            all += weight;
        }
        colours.push(if all > 0.0 { sum.map(|light| light / all) } else { CLAY });
    }
}
