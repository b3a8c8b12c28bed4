//! The unlit colors of a model's vertices.

use sinew::skeleton::SkinJoint;
use sinew::{Mesh, Skin};
use sinew_figures::colors::joint_color;
use sinew_io::BakedModel;

use crate::textures::Textures;

/// The linear color of meshes without material or vertex colors.
const DEFAULT_COLOR: [f32; 4] = [0.36, 0.46, 0.56, 1.0];

/// The linear base color and alpha of each vertex, without the texture, in the order of
/// [`BakedModel`].
pub(crate) fn base_colors(baked: &BakedModel, textures: &Textures) -> Vec<[f32; 4]> {
    let model = baked.model();
    let mut colors = vec![DEFAULT_COLOR; baked.positions().len()];
    for instance in baked.mesh_instances() {
        let material = instance.material.map(|material| &model.materials()[material]);
        let factor = material.map_or([1.0; 4], |material| material.base_color);
        let drawn = instance.material.and_then(|material| textures.material(material));
        let textured = drawn.is_some_and(|material| material.base_texture.is_some());
        let plain = factor == [1.0; 4] && !textured && !instance.has_colors;
        if plain {
            continue;
        }
        for vertex in instance.vertices.clone() {
            let own = if instance.has_colors { baked.colors()[vertex] } else { [1.0; 4] };
            colors[vertex] = [0, 1, 2, 3].map(|i| (factor[i] * own[i]).clamp(0.0, 1.0));
        }
    }
    colors
}

/// For each vertex, the colors of its joints blended by its weights.
pub(crate) fn weight_colors(baked: &BakedModel) -> Vec<[f32; 4]> {
    let model = baked.model();
    let mut colors = Vec::with_capacity(baked.positions().len());
    for (index, instance) in model.mesh_instances().iter().enumerate() {
        push_blended(&model.skins()[instance.skin], &model.primitive(index).mesh, &mut colors);
    }
    colors
}

fn push_blended(skin: &Skin, mesh: &Mesh, colors: &mut Vec<[f32; 4]>) {
    let influences = mesh.influences();
    let mut next = 0;
    for &count in &influences.counts {
        let own = next..next + count as usize;
        next = own.end;
        let (mut sum, mut total) = ([0.0; 3], 0.0);
        for (&joint, &weight) in influences.joints[own.clone()].iter().zip(&influences.weights[own]) {
            let color = joint_color(skin.joint(SkinJoint::new(joint as usize)).index());
            sum = [0, 1, 2].map(|i| sum[i] + color[i] * weight);
            total += weight;
        }
        let [r, g, b] = sum.map(|channel| channel / total);
        colors.push(if total > 0.0 { [r, g, b, 1.0] } else { DEFAULT_COLOR });
    }
}
