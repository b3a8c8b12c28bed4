//! Skinning: a mesh, where a palette takes it.

use std::ops::Range;

use sinew_kernels::{
    BLOCK, BitangentSource, DirectionLength, FusedLayout, NormalTransform, RunGroup, SkinIntoLayout,
    StoreVertices, VectorBlock, VertexLayout,
};

use crate::error::check_len;
use crate::layout::{Duals, Frame, Groups, part};
use crate::target::Target;
use crate::{Attributes, DualPalette, DualShares, Error, Mesh, Morphed, Order, Palette, Skinned};

/// How to skin. What is usual is the default: linear blending with all influences, directions as they are blended.
#[derive(Clone, Copy, Debug)]
pub struct SkinOptions<'a> {
    /// What length directions have afterwards.
    pub directions: DirectionLength,
    /// What turns normals: cofactors, where joints scale unevenly.
    pub normals: NormalTransform,
    /// What blends the joints of a vertex.
    pub blending: Blending<'a>,
    /// The mesh after morph targets, which is then skinned in place of the mesh at rest.
    pub morphed: Option<&'a Morphed>,
    /// The level of detail: each vertex is moved by its strongest influences only, at most so many. Must be one of the
    /// levels that the mesh was built with, or as many as any of its vertices has.
    pub max_influences: usize,
}

/// What blends the joints of a vertex.
#[derive(Clone, Copy, Debug, Default)]
pub enum Blending<'a> {
    /// Matrices: the fastest; what twists gets thinner.
    #[default]
    Linear,
    /// Dual quaternions, made of the same palette: what twists keeps its volume. Scale and shear are blended linearly,
    /// before them.
    Duals(&'a DualPalette),
    /// For each vertex so much of dual quaternions.
    Mixed(&'a DualPalette, &'a DualShares),
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
    /// The same as far as a mesh can be skinned so: dual quaternions, where there are any, not in joint space; and a level
    /// of detail that it was built with.
    pub(crate) fn fitted(self, mesh: &Mesh, duals: Option<&'a DualPalette>) -> Self {
        let max_influences =
            if mesh.has_level(self.max_influences) { self.max_influences } else { usize::MAX };
        Self { blending: Blending::fitting(mesh, duals), max_influences, ..self }
    }
}

impl<'a> Blending<'a> {
    /// Dual quaternions, where there are any and the mesh's influences are not in joint space.
    pub(crate) fn fitting(mesh: &Mesh, duals: Option<&'a DualPalette>) -> Self {
        match duals {
            Some(duals) if !mesh.in_joint_space() => Self::Duals(duals),
            _ => Self::Linear,
        }
    }
}

/// Blocks that are skinned at a time where they go on into another form: few enough for the nearest cache.
const TILE: usize = 16;
/// Blocks at a time on the way past the caches, where every tile ends with a wait for memory.
const LARGE_TILE: usize = 256;

impl Mesh {
    /// Takes the vertices where the palette takes them.
    ///
    /// # Errors
    ///
    /// When the palette or the dual quaternions have not as many joints as the mesh's skin; when the memory, the dual
    /// shares or the morphed vertices are not of the mesh's size, or it does not have the attributes; when the level of
    /// detail was not asked for at build; when dual quaternions are to blend influences in joint space.
    pub fn skin(&self, palette: &Palette, options: &SkinOptions<'_>, to: &mut Skinned) -> Result<(), Error> {
        to.check(self)?;
        let attributes = to.attributes();
        self.skin_into(palette, options, Target::new(attributes, VertexLayout::Blocks(&mut to.blocks)))
    }

    /// Takes the vertices where the palette takes them, into memory of any form: see [`Target`].
    ///
    /// # Errors
    ///
    /// As [`skin`](Self::skin); and when the form has not the length that it must have (an interleaved buffer may be
    /// longer), its stride does not hold a vertex, its vectors overlap, or it cannot be in the order asked for.
    pub fn skin_into(
        &self,
        palette: &Palette,
        options: &SkinOptions<'_>,
        mut target: Target<'_>,
    ) -> Result<(), Error> {
        let window = target.check(self)?;
        let attributes = target.attributes;
        let frame = self.frame(palette, options, attributes)?;
        let groups = self.groups(options.max_influences)?;
        let made = attributes.vectors() > frame.vectors;
        if let (VertexLayout::Blocks(output), None, false) = (&mut target.form, &target.bounds, made) {
            groups.skin(&frame, &window, output);
            return Ok(());
        }
        if !made && self.skin_drawn(groups, &frame, &window, &mut target) {
            return Ok(());
        }
        match target.form {
            VertexLayout::NonTemporalBlocks(_) if window.len() > LARGE_TILE => {
                self.skin_in_tiles::<{ 3 * LARGE_TILE }>(groups, &frame, &window, &mut target);
            }
            _ => self.skin_in_tiles::<{ 3 * TILE }>(groups, &frame, &window, &mut target),
        }
        Ok(())
    }

    /// Skins a few blocks at a time into a tile of `N` vectors, and puts those into the target.
    fn skin_in_tiles<const N: usize>(
        &self,
        groups: &Groups,
        frame: &Frame<'_>,
        window: &Range<usize>,
        target: &mut Target<'_>,
    ) {
        let mut tile = [VectorBlock::default(); N];
        let blocks = N / frame.vectors;
        let mut start = window.start;
        while start < window.end {
            let part = start..window.end.min(start + blocks);
            let skinned = &mut tile[..part.len() * frame.vectors];
            groups.skin(frame, &part, skinned);
            self.put(frame, skinned, &part, window, target);
            start = part.end;
        }
    }

    /// The largest distance between where all influences take a vertex and where a level of detail takes it, in the
    /// units of the model; not a number where the palette is not. Allocates.
    ///
    /// # Errors
    ///
    /// When the palette has not as many matrices as the mesh's skin has joints, or the level was not asked for at build.
    pub fn displacement(&self, palette: &Palette, max_influences: usize) -> Result<f32, Error> {
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
                // What is not a number stays in sight.
                if largest.is_nan() || distance <= largest {
                    continue;
                }
                largest = distance;
            }
        }
        Ok(largest)
    }

    /// Whether it can be skinned with so many influences at most.
    pub(crate) fn has_level(&self, max_influences: usize) -> bool {
        self.groups(max_influences).is_ok()
    }

    /// What skins with so many influences at most.
    fn groups(&self, max_influences: usize) -> Result<&Groups, Error> {
        if max_influences >= self.layout.most_influences.max(1) {
            return Ok(&self.layout.full);
        }
        let level = self.layout.levels.iter().find(|level| level.max_influences == max_influences);
        level.map(|level| &level.groups).ok_or(Error::NoLevel { asked: max_influences })
    }

    fn frame<'a>(
        &'a self,
        palette: &'a Palette,
        options: &SkinOptions<'a>,
        attributes: Attributes,
    ) -> Result<Frame<'a>, Error> {
        check_len("palette", self.skin_len, palette.matrices().len())?;
        let (dual_palette, shares) = match options.blending {
            Blending::Linear => (None, None),
            Blending::Duals(palette) => (Some(palette), None),
            Blending::Mixed(palette, shares) => (Some(palette), Some(shares)),
        };
        if dual_palette.is_some() && matches!(self.layout.full, Groups::Weighted(_)) {
            return Err(Error::DualsInJointSpace);
        }
        if let Some(palette) = dual_palette {
            check_len("dual palette", self.skin_len, palette.duals.len())?;
        }
        if let Some(shares) = shares {
            check_len("blocks of dual shares", self.blocks(), shares.rows.len())?;
        }
        if let Some(morphed) = options.morphed {
            morphed.check(self)?;
        }
        let duals = dual_palette.map(|palette| Duals {
            duals: &palette.duals,
            stretches: palette.stretches(),
            mix: shares.map(|shares| shares.rows.as_slice()),
        });
        Ok(Frame {
            kernels: self.kernels,
            palette: palette.matrices(),
            duals,
            base: options.morphed.map_or(&self.base, Morphed::blocks),
            base_vectors: self.base_vectors,
            vectors: attributes.skinned(self),
            directions: options.directions,
            normals: options.normals,
        })
    }

    /// Skins straight into the target, where that is a form that programs draw from and all runs have up to four joints.
    fn skin_drawn(
        &self,
        groups: &Groups,
        frame: &Frame<'_>,
        window: &Range<usize>,
        target: &mut Target<'_>,
    ) -> bool {
        let Groups::Runs(groups) = groups else { return false };
        if groups.iter().any(|group| group.influences > 4) {
            return false;
        }
        let Some(to) = self.drawn(frame, window, target) else { return false };
        let mut parts = [RunGroup::default(); 4];
        let Some(parts) = parts.get_mut(..groups.len()) else { return false };
        for (group, to) in groups.iter().zip(parts.iter_mut()) {
            let part = part(&group.runs, window);
            *to = RunGroup {
                influences: group.influences,
                joints: &group.joints[group.influences * part.start..group.influences * part.end],
                runs: &group.runs[part],
                weights: &group.weights,
            };
        }
        frame.kernels.skin_into_layout(SkinIntoLayout {
            palette: frame.palette,
            groups: parts,
            base: frame.base,
            base_vectors: frame.base_vectors,
            window: window.clone(),
            vectors: frame.vectors,
            layout: to,
        });
        true
    }

    /// The target as one of the forms that a kernel writes without a detour; `None` for all others.
    fn drawn<'b>(
        &'b self,
        frame: &Frame<'_>,
        window: &Range<usize>,
        target: &'b mut Target<'_>,
    ) -> Option<FusedLayout<'b>> {
        let plain =
            frame.directions == DirectionLength::AsBlended && frame.normals == NormalTransform::BlendedMatrix;
        let plain = plain || frame.vectors == 1;
        if frame.duals.is_some() || !plain || target.bounds.is_some() || target.order == Order::Source {
            return None;
        }
        let places = BLOCK * window.len();
        match (&mut target.form, frame.vectors) {
            (VertexLayout::Packed([positions, normals, tangents, _]), 1..=3) => {
                Some(FusedLayout::Packed([positions, normals, tangents]))
            }
            (VertexLayout::NonTemporalBlocks(blocks), 1..=3) => Some(FusedLayout::NonTemporalBlocks(blocks)),
            (VertexLayout::Interleaved { floats, stride: 8, offsets: [0, 3, ..] }, 2) => {
                Some(FusedLayout::Interleaved32(&mut floats.as_chunks_mut().0[..places]))
            }
            (VertexLayout::Interleaved { floats, stride: 12, offsets: [0, 3, 6, _] }, 3) => {
                Some(FusedLayout::Interleaved48 {
                    vertices: &mut floats.as_chunks_mut().0[..places],
                    signs: &self.signs,
                })
            }
            _ => None,
        }
    }

    /// Puts a part of the window into its form.
    fn put(
        &self,
        frame: &Frame<'_>,
        blocks: &[VectorBlock],
        part: &Range<usize>,
        window: &Range<usize>,
        target: &mut Target<'_>,
    ) {
        let made = target.attributes.vectors() > frame.vectors;
        let bitangents =
            if made { BitangentSource::FromSigns(frame.directions) } else { BitangentSource::AsSkinned };
        let places = BLOCK * part.start..BLOCK * part.end;
        let order = match target.order {
            Order::Run => None,
            Order::Source => Some(&self.layout.vertex_of_place[places]),
        };
        let (to, bounds) = target.part(part.start - window.start..part.end - window.start);
        frame.kernels.store_vertices(StoreVertices {
            blocks,
            vectors: frame.vectors,
            signs: self.signs.get(part.clone()).unwrap_or_default(),
            bitangents,
            layout: to,
            remap: order,
            bounds,
        });
    }
}
