//! Skins a mesh by a palette.

use sinew_kernels::{BLOCK, DirectionLength, NormalTransform};

use super::skin_groups::{DualQuaternions, SkinContext};
use super::skin_job::SkinJob;
use crate::length::check_len;
use crate::mesh::layout::Groups;
use crate::mesh::{Attributes, LevelIndex, Mesh, Morphed, VertexOrder};
use crate::skinning::target::{Target, VertexOutput};
use crate::skinning::{DualQuaternionPalette, DualQuaternionWeights, Palette, Skinned, SkinningError};

/// How a mesh is skinned. The default is linear blending with all influences, without
/// renormalization.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SkinOptions<'a> {
    /// Whether normals and tangents are renormalized.
    pub directions: DirectionLength,
    /// Which matrix transforms normals. Non-uniform scale needs cofactors.
    pub normals: NormalTransform,
    /// How the joints of a vertex are blended.
    pub blending: Blending<'a>,
    /// The morphed vertices, which are skinned instead of the mesh at rest.
    pub morphed: Option<&'a Morphed>,
    /// The level of detail: the maximum number of influences per vertex. It must be a level that
    /// the mesh was built with, or at least the largest number of influences of a vertex.
    pub max_influences: usize,
}

/// How the joints of a vertex are blended, with the data that this needs.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub enum Blending<'a> {
    /// Matrices are blended linearly. The fastest method; twisted joints lose volume.
    #[default]
    Linear,
    /// Dual quaternions of the same palette are blended. Twisted joints keep their volume. Scale
    /// and shear are blended linearly and applied first.
    DualQuaternion(&'a DualQuaternionPalette),
    /// Dual-quaternion and linear blending are mixed by a weight per vertex.
    Mixed(&'a DualQuaternionPalette, &'a DualQuaternionWeights),
}

impl Default for SkinOptions<'_> {
    fn default() -> Self {
        Self {
            directions: DirectionLength::default(),
            normals: NormalTransform::default(),
            blending: Blending::default(),
            morphed: None,
            max_influences: usize::MAX,
        }
    }
}

impl<'a> SkinOptions<'a> {
    /// Sets whether normals and tangents are renormalized.
    #[must_use]
    pub fn with_directions(mut self, directions: DirectionLength) -> Self {
        self.directions = directions;
        self
    }

    /// Sets which matrix transforms normals.
    #[must_use]
    pub fn with_normals(mut self, normals: NormalTransform) -> Self {
        self.normals = normals;
        self
    }

    /// Sets how the joints of a vertex are blended.
    #[must_use]
    pub fn with_blending(mut self, blending: Blending<'a>) -> Self {
        self.blending = blending;
        self
    }

    /// Skins morphed vertices instead of the mesh at rest.
    #[must_use]
    pub fn with_morphed(mut self, morphed: &'a Morphed) -> Self {
        self.morphed = Some(morphed);
        self
    }

    /// Sets the level of detail: the maximum number of influences per vertex.
    #[must_use]
    pub fn with_max_influences(mut self, max_influences: usize) -> Self {
        self.max_influences = max_influences;
        self
    }

    /// Adapts the options to what a mesh supports: blends dual quaternions only if they are given
    /// and the influences are not in joint space, and uses all influences if the mesh was not built
    /// with the level of detail.
    pub(crate) fn adapted_to(self, mesh: &Mesh, dual_quaternions: Option<&'a DualQuaternionPalette>) -> Self {
        let max_influences =
            if mesh.has_level(self.max_influences) { self.max_influences } else { usize::MAX };
        Self { blending: Blending::for_mesh(mesh, dual_quaternions), max_influences, ..self }
    }
}

impl<'a> Blending<'a> {
    /// Dual-quaternion blending if a palette is given and the influences are not in joint space;
    /// otherwise linear blending.
    pub(crate) fn for_mesh(mesh: &Mesh, dual_quaternions: Option<&'a DualQuaternionPalette>) -> Self {
        match dual_quaternions {
            Some(dual_quaternions) if !mesh.has_joint_space_influences() => {
                Self::DualQuaternion(dual_quaternions)
            }
            _ => Self::Linear,
        }
    }
}

impl Mesh {
    /// Skins the vertices into blocks in run order.
    ///
    /// # Errors
    ///
    /// If the palette, the dual-quaternion palette, its weights, the morphed vertices or the output
    /// were created for a mesh or skin of another size; if the mesh does not have the attributes;
    /// if the mesh was not built with the level of detail; or if dual quaternions would blend
    /// joint-space influences.
    pub fn skin(
        &self,
        palette: &Palette,
        options: &SkinOptions<'_>,
        to: &mut Skinned,
    ) -> Result<(), SkinningError> {
        to.check(self)?;
        let attributes = to.attributes();
        self.skin_into(palette, options, Target::new(attributes, VertexOutput::Blocks(&mut to.blocks)))
    }

    /// Skins the vertices into any vertex layout. See [`Target`]. Allocates nothing, but for what
    /// source order needs once: [`prepare_source_order`](Self::prepare_source_order).
    ///
    /// # Errors
    ///
    /// As [`skin`](Self::skin). Also if the output has the wrong number of vertices, or blocks are
    /// requested in source order, or vertices morphed in source order are to be skinned in run
    /// order or by dual quaternions.
    pub fn skin_into(
        &self,
        palette: &Palette,
        options: &SkinOptions<'_>,
        mut target: Target<'_>,
    ) -> Result<(), SkinningError> {
        let window = target.check(self)?;
        let context = self.context(palette, options, target.attributes())?;
        let level = self.level(options.max_influences)?;
        // Dual quaternions are blended in run order, whatever the order of the output.
        let skins_runs = target.order == VertexOrder::Run || context.dual_quaternions.is_some();
        if skins_runs && options.morphed.is_some_and(|morphed| morphed.order() == VertexOrder::Source) {
            return Err(SkinningError::MorphedInSourceOrder);
        }
        SkinJob { mesh: self, level, context, options, window }.run(&mut target);
        Ok(())
    }

    /// Builds what the first skinning in source order with these options would build, so that it
    /// does not allocate either: segments of all influences or of a level of detail, both of all
    /// attributes and of positions alone, and groups for normals by cofactors, stored bitangents or
    /// a level of vertices morphed in source order. Dual quaternions and joint-space influences
    /// need nothing.
    ///
    /// # Errors
    ///
    /// If the mesh was not built with the level of detail.
    pub fn prepare_source_order(&self, options: &SkinOptions<'_>) -> Result<(), SkinningError> {
        let level = self.level(options.max_influences)?;
        if self.has_joint_space_influences() || !matches!(options.blending, Blending::Linear) {
            return Ok(());
        }
        self.source_signs();
        if options.morphed.is_none() {
            self.source_segments(level);
            self.unique_positions(level);
        }
        let cofactors = options.normals == NormalTransform::Cofactor;
        let morphed = options.morphed.is_some_and(|morphed| morphed.order() == VertexOrder::Source);
        if cofactors || (morphed && level.is_some()) || self.base_vectors > 3 {
            self.source_groups(level);
            self.source_base();
        }
        Ok(())
    }

    /// The largest distance that a level of detail moves a vertex from its position with all
    /// influences, in units of the model. NaN if the palette contains NaN. Allocates.
    ///
    /// # Errors
    ///
    /// If the palette does not have one matrix per joint of the skin, or the mesh was not built
    /// with the level.
    pub fn displacement(&self, palette: &Palette, max_influences: usize) -> Result<f32, SkinningError> {
        let mut full = Skinned::new(self, Attributes::Positions)?;
        let mut level = full.clone();
        self.skin(palette, &SkinOptions::default(), &mut full)?;
        self.skin(palette, &SkinOptions { max_influences, ..SkinOptions::default() }, &mut level)?;
        let mut largest = 0.0_f32;
        for (full, level) in full.blocks.iter().zip(&level.blocks) {
            for lane in 0..BLOCK {
                let (a, b) = (full.vector(lane), level.vector(lane));
                let squared: f32 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
                let distance = squared.sqrt();
                // A NaN must not be lost.
                if largest.is_nan() || distance <= largest {
                    continue;
                }
                largest = distance;
            }
        }
        Ok(largest)
    }

    /// Whether the mesh can be skinned with at most this number of influences per vertex.
    pub(crate) fn has_level(&self, max_influences: usize) -> bool {
        self.level(max_influences).is_ok()
    }

    /// The level of detail for at most this number of influences per vertex.
    #[inline(always)]
    fn level(&self, max_influences: usize) -> Result<LevelIndex, SkinningError> {
        if max_influences >= self.layout.max_influences.max(1) {
            return Ok(None);
        }
        let level = self.layout.levels.iter().position(|level| level.max_influences == max_influences);
        level.map(Some).ok_or(SkinningError::NoLevel { requested: max_influences })
    }

    #[inline(always)]
    fn context<'a>(
        &'a self,
        palette: &'a Palette,
        options: &SkinOptions<'a>,
        attributes: Attributes,
    ) -> Result<SkinContext<'a>, SkinningError> {
        check_len("palette", self.skin_len, palette.matrices().len())?;
        let (dual_palette, weights) = match options.blending {
            Blending::Linear => (None, None),
            Blending::DualQuaternion(palette) => (Some(palette), None),
            Blending::Mixed(palette, weights) => (Some(palette), Some(weights)),
        };
        if dual_palette.is_some() && matches!(self.layout.full, Groups::PreWeighted(_)) {
            return Err(SkinningError::DualQuaternionsInJointSpace);
        }
        if let Some(palette) = dual_palette {
            check_len("dual-quaternion palette", self.skin_len, palette.dual_quaternions.len())?;
        }
        if let Some(weights) = weights {
            check_len("blocks of dual-quaternion weights", self.blocks(), weights.rows.len())?;
        }
        if let Some(morphed) = options.morphed {
            morphed.check(self)?;
        }
        let dual_quaternions = dual_palette.map(|palette| DualQuaternions {
            dual_quaternions: &palette.dual_quaternions,
            scale_shears: palette.scale_shears(),
            mix: weights.map(|weights| weights.rows.as_slice()),
        });
        Ok(SkinContext {
            kernels: self.runtime.kernels(),
            palette: palette.matrices(),
            dual_quaternions,
            base: options.morphed.map_or(&self.base, Morphed::blocks),
            base_vectors: self.base_vectors,
            vectors: attributes.skinned_vectors(self),
            directions: options.directions,
            normals: options.normals,
        })
    }
}
