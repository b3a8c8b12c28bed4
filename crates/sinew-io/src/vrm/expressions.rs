//! Applies expressions to a pose.

use sinew::{Model, Pose};

use super::vrm::{MorphBind, Vrm, VrmExpression};

impl Vrm {
    /// The expression with a name.
    #[must_use]
    pub fn expression(&self, name: &str) -> Option<&VrmExpression> {
        self.expressions.iter().find(|expression| expression.name == name)
    }
}

impl VrmExpression {
    /// The morph weights of a pose that the expression moves, each with its weight when the
    /// expression has the weight one.
    ///
    /// Joints that the model does not have, as of another model, move nothing.
    pub fn morph_weights<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = (usize, f32)> + 'a {
        self.binds.iter().filter_map(|bind| Some((bind.morph_weight(model)?, bind.weight)))
    }

    /// Adds the expression to the morph weights of a pose. An expression that is on or off is on
    /// above a weight of one half.
    pub fn add_to(&self, pose: &mut Pose, weight: f32, model: &Model) {
        let weight = match self.is_binary {
            true => f32::from(u8::from(weight > 0.5)),
            false => weight.clamp(0.0, 1.0),
        };
        let weights = pose.morph_weights_mut();
        for (index, own) in self.morph_weights(model) {
            if let Some(found) = weights.get_mut(index) {
                *found += weight * own;
            }
        }
    }
}

impl MorphBind {
    /// The index of the target's weight in a pose. All primitives of a mesh share it.
    #[must_use]
    pub fn morph_weight(&self, model: &Model) -> Option<usize> {
        let mut instances = model.mesh_instances().iter();
        let instance = instances.find(|instance| instance.joint == self.joint)?;
        Some(instance.morph_weights.start + self.target)
            .filter(|index| instance.morph_weights.contains(index))
    }
}
