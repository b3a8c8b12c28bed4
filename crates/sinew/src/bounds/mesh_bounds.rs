//! Bounds of a posed mesh, computed from its palette.

use std::sync::OnceLock;

use sinew_kernels::Aabb;

use super::dual_quaternion_margin::{DualQuaternionMargin, DualQuaternionPose};
use super::joint_boxes::JointBoxes;
use super::posed_joint_boxes::PosedJointBoxes;
use super::sphere::Sphere;
use crate::bounds::BoundsError;
use crate::length::check_len;
use crate::mesh::Mesh;
use crate::skinning::{Blending, DualQuaternionPalette, Palette};

/// What deforms a mesh in addition to its palette.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct BoundsOptions<'a> {
    /// How the joints of a vertex are blended. The weights of [`Blending::Mixed`] are ignored: the
    /// bounds hold for any.
    pub blending: Blending<'a>,
    /// The weight of each morph target; empty for all zeros.
    pub morph_weights: &'a [f32],
}

impl<'a> BoundsOptions<'a> {
    /// Sets how the joints of a vertex are blended.
    #[must_use]
    pub fn with_blending(mut self, blending: Blending<'a>) -> Self {
        self.blending = blending;
        self
    }

    /// Sets the weight of each morph target.
    #[must_use]
    pub fn with_morph_weights(mut self, morph_weights: &'a [f32]) -> Self {
        self.morph_weights = morph_weights;
        self
    }
}

/// Conservative bounds of a mesh, computed from boxes of the vertices that each joint influences.
/// The boxes are built once; the cost per frame depends on the number of joints, not vertices, and
/// nothing is allocated.
///
/// The bounds contain every vertex that [`Mesh::skin`] writes for the same palette, dual
/// quaternions and morph weights, at any level of detail, on any backend and in either float mode.
/// A mesh without vertices has empty bounds. The bounds are infinite if a morph weight, or the
/// matrix of a joint that influences vertices, is infinite, NaN or so large that sums may overflow
/// `f32` (1e37).
///
/// The tight AABB, which needs a pass over all vertices, is
/// [`Skinned::bounds`](crate::skinning::Skinned::bounds) or
/// [`Target::bounds`](crate::skinning::Target::bounds).
#[derive(Clone, Debug)]
pub struct JointBounds {
    boxes: JointBoxes,
    /// Takes longer to build than the boxes, and linear blending does not need it.
    dual_quaternion_margin: OnceLock<DualQuaternionMargin>,
    skin_len: usize,
    morph_count: usize,
    in_joint_space: bool,
}

impl JointBounds {
    /// Builds the boxes. Reads every vertex once per level of detail.
    #[must_use]
    pub fn build(mesh: &Mesh) -> Self {
        let bounds = Self::build_linear(mesh);
        bounds.prepare_dual_quaternions(mesh);
        bounds
    }

    /// Builds the boxes alone, which is enough for linear blending. Dual quaternions need
    /// [`prepare_dual_quaternions`](Self::prepare_dual_quaternions) as well.
    pub(crate) fn build_linear(mesh: &Mesh) -> Self {
        Self {
            boxes: JointBoxes::new(mesh),
            dual_quaternion_margin: OnceLock::new(),
            skin_len: mesh.skin_len(),
            morph_count: mesh.morph_count(),
            in_joint_space: mesh.has_joint_space_influences(),
        }
    }

    /// Builds what bounds under dual-quaternion blending need, unless it is already built. `mesh`
    /// is the one that these bounds were built for.
    pub(crate) fn prepare_dual_quaternions(&self, mesh: &Mesh) {
        // Dual quaternions do not blend joint-space influences.
        if !self.in_joint_space {
            self.dual_quaternion_margin.get_or_init(|| DualQuaternionMargin::new(mesh, &self.boxes));
        }
    }

    /// An AABB that contains all vertices of the posed mesh.
    ///
    /// # Errors
    ///
    /// If the palette or the dual quaternions do not match the mesh's skin in length, if there are
    /// morph weights but not one per morph target, or if dual quaternions would blend joint-space
    /// influences.
    pub fn aabb(&self, palette: &Palette, options: &BoundsOptions<'_>) -> Result<Aabb, BoundsError> {
        Ok(self.posed(palette, options)?.aabb())
    }

    /// A sphere that contains all vertices of the posed mesh, centered on the AABB. Costs about
    /// twice as much as [`aabb`](Self::aabb).
    ///
    /// # Errors
    ///
    /// As [`aabb`](Self::aabb).
    pub fn sphere(&self, palette: &Palette, options: &BoundsOptions<'_>) -> Result<Sphere, BoundsError> {
        let posed = self.posed(palette, options)?;
        let sphere = Sphere::empty_at_center(&posed.aabb());
        Ok(Sphere { radius: posed.radius(sphere.center), ..sphere })
    }

    /// The rounding margin of joint boxes for linear blending without morph targets, and the
    /// smallest and largest weight sum, by which vertices are scaled. The margin is `None` if a
    /// value is not finite or too large.
    ///
    /// # Errors
    ///
    /// If the palette does not match the mesh's skin in length.
    pub(crate) fn margin(&self, palette: &Palette) -> Result<(Option<[f32; 3]>, [f32; 2]), BoundsError> {
        let posed = self.posed(palette, &BoundsOptions::default())?;
        Ok((posed.margin, posed.scale))
    }

    /// Upper bound of the distance of vertices from a center; negative if there are no vertices.
    pub(crate) fn radius(
        &self,
        center: [f32; 3],
        palette: &Palette,
        options: &BoundsOptions<'_>,
    ) -> Result<f32, BoundsError> {
        Ok(self.posed(palette, options)?.radius(center))
    }

    /// Writes one AABB per joint of the skin. A vertex is inside the union of the AABBs of its
    /// joints. The AABB of a joint without vertices is empty.
    ///
    /// # Errors
    ///
    /// As [`aabb`](Self::aabb), and if `to` does not match the skin in length.
    pub fn joint_aabbs(
        &self,
        palette: &Palette,
        options: &BoundsOptions<'_>,
        to: &mut [Aabb],
    ) -> Result<(), BoundsError> {
        check_len("bounds of joints", self.skin_len, to.len())?;
        let posed = self.posed(palette, options)?;
        to.fill(Aabb::EMPTY);
        for (index, joint) in posed.boxes.joints.iter().enumerate() {
            to[joint.joint as usize] = posed.joint_aabb(index, joint);
        }
        Ok(())
    }

    fn posed<'a>(
        &'a self,
        palette: &'a Palette,
        options: &BoundsOptions<'a>,
    ) -> Result<PosedJointBoxes<'a>, BoundsError> {
        check_len("palette", self.skin_len, palette.matrices().len())?;
        let weights = options.morph_weights;
        if !weights.is_empty() {
            check_len("weights of morph targets", self.morph_count, weights.len())?;
        }
        let (dual_palette, mixed) = match options.blending {
            Blending::Linear => (None, true),
            Blending::DualQuaternion(dual_palette) => (Some(dual_palette), false),
            Blending::Mixed(dual_palette, _) => (Some(dual_palette), true),
        };
        let Self { boxes, .. } = self;
        let [min_sum, max_sum] = boxes.weight_sums;
        let dual_quaternions =
            dual_palette.map(|dual_palette| self.dual_quaternion_pose(palette, dual_palette)).transpose()?;
        let posed = PosedJointBoxes {
            boxes,
            palette: palette.matrices(),
            morph_weights: weights.iter().any(|&weight| weight != 0.0).then_some(weights),
            dual_quaternions,
            // Weights that do not sum to one scale a linear blend, but not a dual-quaternion blend.
            scale: match (dual_palette, mixed) {
                (None, _) => [min_sum, max_sum],
                (Some(_), true) => [min_sum.min(1.0), max_sum.max(1.0)],
                (Some(_), false) => [1.0, 1.0],
            },
            margin: None,
        };
        Ok(posed.with_margin())
    }

    fn dual_quaternion_pose<'a>(
        &'a self,
        palette: &'a Palette,
        dual_palette: &'a DualQuaternionPalette,
    ) -> Result<(&'a DualQuaternionMargin, DualQuaternionPose<'a>), BoundsError> {
        check_len("dual-quaternion palette", self.skin_len, dual_palette.dual_quaternions.len())?;
        if self.in_joint_space {
            return Err(BoundsError::DualQuaternionsInJointSpace);
        }
        let margin = self.dual_quaternion_margin.get().expect("built for dual quaternions");
        let pose = DualQuaternionPose {
            palette: palette.matrices(),
            dual_quaternions: &dual_palette.dual_quaternions,
            scale_shears: dual_palette.scale_shears(),
            ignored_scale_shear: if dual_palette.scale_shears().is_some() {
                0.0
            } else {
                dual_palette.max_deviation()
            },
            weight_sums: self.boxes.weight_sums,
            max_chord_squared: margin.max_chord_squared(&self.boxes, &dual_palette.dual_quaternions),
        };
        Ok((margin, pose))
    }
}
