//! Which parts of a model go together on one node, and whether a skin moves them.

use std::collections::HashMap;
use std::ops::Range;

use sinew::{Matrix, Model, Part};

/// Parts that are one mesh of one node.
#[derive(Debug)]
pub(super) struct Attached {
    pub(super) joint: usize,
    /// The model's skin; `None` where the joint alone moves the parts.
    pub(super) skin: Option<usize>,
    pub(super) morph_weights: Range<usize>,
    /// In the model's order.
    pub(super) parts: Vec<usize>,
}

/// All parts that have vertices.
pub(super) fn attached(model: &Model) -> Vec<Attached> {
    let mut all: Vec<Attached> = Vec::new();
    let mut known = HashMap::new();
    for (index, part) in model.parts().iter().enumerate() {
        if model.surface(index).mesh.is_empty() {
            continue;
        }
        let skin = (!is_plain(model, part)).then_some(part.skin);
        let morph_weights = if part.morph_weights.is_empty() { 0..0 } else { part.morph_weights.clone() };
        let place = *known.entry((part.joint, skin, morph_weights.clone())).or_insert(all.len());
        if place == all.len() {
            all.push(Attached { joint: part.joint, skin, morph_weights, parts: Vec::new() });
        }
        all[place].parts.push(index);
    }
    all
}

/// Whether its joint moves all of it, from that joint's space: what files call a mesh without a skin.
fn is_plain(model: &Model, part: &Part) -> bool {
    let skin = &model.skins()[part.skin];
    skin.joints() == [part.joint as u32] && skin.inverse_binds() == [Matrix::IDENTITY]
}

impl Attached {
    /// Its name: that of its first part, or of the joint.
    pub(super) fn name<'a>(&self, model: &'a Model) -> &'a str {
        let part = &model.parts()[self.parts[0]];
        if part.name.is_empty() { model.skeleton().name(self.joint) } else { &part.name }
    }

    /// Its surfaces, in order.
    pub(super) fn surfaces(&self, model: &Model) -> Vec<usize> {
        self.parts.iter().map(|&part| model.parts()[part].surface).collect()
    }
}
