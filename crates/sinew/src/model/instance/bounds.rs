//! The bounds of an instance, computed from joints alone.

use sinew_kernels::Aabb;

use super::Instance;
use crate::bounds::Sphere;
use crate::model::PosedMeshes;

impl Instance {
    /// An AABB of all vertices in the current pose, computed without skinning. See
    /// [`JointBounds::aabb`](crate::bounds::JointBounds::aabb). It is infinite if the pose contains
    /// NaN.
    ///
    /// [`SkinnedModel::bounds`](crate::model::SkinnedModel::bounds) gives the smallest AABB, after
    /// skinning.
    pub fn bounds(&mut self) -> Aabb {
        self.posed_meshes().bounds()
    }

    /// A bounding sphere of all vertices in the current pose, centered on the AABB, computed
    /// without skinning.
    pub fn sphere(&mut self) -> Sphere {
        self.posed_meshes().sphere()
    }

    fn posed_meshes(&mut self) -> PosedMeshes<'_> {
        self.update_palettes();
        PosedMeshes {
            model: &self.model,
            palettes: &self.skinning.state.palettes,
            morph_weights: self.posed.pose.morph_weights(),
        }
    }
}
