//! How far an instance reaches, by its joints alone.

use super::Instance;
use crate::model::PosedParts;
use crate::{Aabb, Sphere};

impl Instance {
    /// A box along the axes that holds all vertices where the joints are now, without skinning them: see
    /// [`Mesh::bounds`](crate::Mesh::bounds). From minus to plus infinity where the pose has what is not a number.
    ///
    /// The smallest box, after skinning, is [`SkinnedModel::bounds`](crate::SkinnedModel::bounds).
    pub fn bounds(&mut self) -> Aabb {
        self.posed_parts().bounds()
    }

    /// A sphere that holds all vertices where the joints are now, about the middle of the box, without skinning them.
    pub fn sphere(&mut self) -> Sphere {
        self.posed_parts().sphere()
    }

    fn posed_parts(&mut self) -> PosedParts<'_> {
        self.update_palettes();
        PosedParts {
            model: &self.model,
            palettes: &self.skinning.moved.palettes,
            morph_weights: self.posed.pose.morph_weights(),
        }
    }
}
