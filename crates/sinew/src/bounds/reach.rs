//! How far a mesh reaches in a frame, by its palette alone.

use sinew_kernels::Aabb;

use super::frame::Frame;
use super::partners::Turned;
use super::sphere::{Sphere, about};
use crate::error::check_len;
use crate::{Blending, Error, Mesh, Palette};

/// What moves a mesh beside its palette.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoundsOptions<'a> {
    /// What blends the joints of a vertex. Shares of a mix are not looked at: any will be within the bounds.
    pub blending: Blending<'a>,
    /// The weight of each morph target; none at all stands for zeros.
    pub morph_weights: &'a [f32],
}

/// Bounds from joints alone: their cost grows with joints, not with vertices, and they take no memory but the first time.
///
/// They hold every vertex that [`Mesh::skin`] gives for the same palette, dual quaternions and morph weights, with any
/// level of detail, on any instruction set and in either rounding. A mesh without vertices has empty bounds. Where a matrix of
/// a joint that something hangs on, or a morph weight, is infinite, not a number or so large that sums may not fit an `f32`
/// (1e37), they are from minus to plus infinity.
///
/// The smallest box, at the cost of a pass over all vertices, is [`Skinned::bounds`](crate::Skinned::bounds) or
/// [`Target::bounds`](crate::Target::bounds).
impl Mesh {
    /// A box along the axes that holds all vertices where the palette takes them.
    ///
    /// # Errors
    ///
    /// When the palette or the dual quaternions have not as many joints as the mesh's skin, there are weights but not as
    /// many as morph targets, or dual quaternions are to blend influences in joint space.
    pub fn bounds(&self, palette: &Palette, options: &BoundsOptions<'_>) -> Result<Aabb, Error> {
        Ok(self.bounds_frame(palette, options)?.bounds())
    }

    /// A sphere that holds all vertices where the palette takes them, about the middle of the box. Costs about twice as much.
    ///
    /// # Errors
    ///
    /// As [`bounds`](Self::bounds).
    pub fn sphere(&self, palette: &Palette, options: &BoundsOptions<'_>) -> Result<Sphere, Error> {
        let frame = self.bounds_frame(palette, options)?;
        let sphere = about(&frame.bounds());
        Ok(Sphere { radius: frame.radius(sphere.centre), ..sphere })
    }

    /// What is to be added on each side of boxes of joints in this frame, with linear blending and without morph weights, and
    /// what vertices are multiplied by: the lowest and the highest sum of weights. No margin where numbers are lost.
    ///
    /// # Errors
    ///
    /// When the palette has not as many joints as the mesh's skin.
    pub(crate) fn bounds_margin(&self, palette: &Palette) -> Result<(Option<[f32; 3]>, [f32; 2]), Error> {
        let frame = self.bounds_frame(palette, &BoundsOptions::default())?;
        Ok((frame.margin, frame.scale))
    }

    /// How far vertices may be from a centre; negative where there are none.
    pub(crate) fn radius(
        &self,
        centre: [f32; 3],
        palette: &Palette,
        options: &BoundsOptions<'_>,
    ) -> Result<f32, Error> {
        Ok(self.bounds_frame(palette, options)?.radius(centre))
    }

    /// For each joint of the skin a box; a vertex is within the smallest box around those of the joints that it hangs on.
    /// That of a joint on which nothing hangs is empty.
    ///
    /// # Errors
    ///
    /// As [`bounds`](Self::bounds); and when the slice is not as long as the skin.
    pub fn joint_bounds(
        &self,
        palette: &Palette,
        options: &BoundsOptions<'_>,
        to: &mut [Aabb],
    ) -> Result<(), Error> {
        check_len("bounds of joints", self.skin_len, to.len())?;
        let frame = self.bounds_frame(palette, options)?;
        to.fill(Aabb::EMPTY);
        for (place, joint) in frame.boxes.joints.iter().enumerate() {
            to[joint.joint as usize] = frame.bounds_of(place, joint);
        }
        Ok(())
    }

    fn bounds_frame<'a>(
        &'a self,
        palette: &'a Palette,
        options: &BoundsOptions<'a>,
    ) -> Result<Frame<'a>, Error> {
        check_len("palette", self.skin_len, palette.matrices().len())?;
        let weights = options.morph_weights;
        if !weights.is_empty() {
            check_len("weights of morph targets", self.morph_count(), weights.len())?;
        }
        let (duals, mixed) = match options.blending {
            Blending::Linear => (None, true),
            Blending::Duals(duals) => (Some(duals), false),
            Blending::Mixed(duals, _) => (Some(duals), true),
        };
        if let Some(duals) = duals {
            check_len("dual palette", self.skin_len, duals.duals.len())?;
            if self.in_joint_space() {
                return Err(Error::DualsInJointSpace);
            }
        }
        let boxes = self.joint_boxes();
        let [least, most] = boxes.sums;
        let turned = duals.map(|duals| Turned {
            palette: palette.matrices(),
            duals: &duals.duals,
            stretches: duals.stretches(),
            residue: if duals.stretches().is_some() { 0.0 } else { duals.largest_stretch() },
            sums: boxes.sums,
            chord: self.partners().chord(boxes, &duals.duals),
        });
        let frame = Frame {
            boxes,
            palette: palette.matrices(),
            morph_weights: weights.iter().any(|&weight| weight != 0.0).then_some(weights),
            turned: turned.map(|turned| (self.partners(), turned)),
            // Weights that do not sum to one make a linear blend larger or smaller, but no dual quaternion.
            scale: match (duals, mixed) {
                (None, _) => [least, most],
                (Some(_), true) => [least.min(1.0), most.max(1.0)],
                (Some(_), false) => [1.0, 1.0],
            },
            margin: None,
        };
        Ok(frame.with_margin())
    }
}
