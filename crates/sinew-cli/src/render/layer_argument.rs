//! The layers of the `--show` argument.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use sinew_render::Layer;

/// A layer of the picture, by its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerArgument(pub(super) Layer);

impl ValueEnum for LayerArgument {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [LayerArgument; 8] = [
            LayerArgument(Layer::Skin),
            LayerArgument(Layer::Wire),
            LayerArgument(Layer::Bones),
            LayerArgument(Layer::Silhouette),
            LayerArgument(Layer::Shadow),
            LayerArgument(Layer::Normals),
            LayerArgument(Layer::Weights),
            LayerArgument(Layer::Bounds),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self.0 {
            Layer::Skin => ("skin", "The surface"),
            Layer::Wire => ("wire", "The edges of all triangles"),
            Layer::Bones => ("bones", "The joints, with lines to their parents"),
            Layer::Silhouette => ("silhouette", "The edges between front-facing and back-facing triangles"),
            Layer::Shadow => ("shadow", "A floor, and the model's shadow volume on it"),
            Layer::Normals => ("normals", "A line along the normal of each vertex"),
            Layer::Weights => ("weights", "The surface, with a color per joint, blended by weight"),
            Layer::Bounds => ("bounds", "The bounds of each joint's vertices, and of the whole model"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}
