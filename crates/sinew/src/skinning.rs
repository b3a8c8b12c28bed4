//! Skinning: a mesh, where a palette takes it.

use sinew_kernels::{BLOCK, Directions, Normals, SkinRuns, SkinVertices, VectorBlock};

use crate::error::check_len;
use crate::layout::Groups;
use crate::{Error, Mesh, Palette};

/// What to skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attributes {
    /// Positions.
    Positions,
    /// Positions and normals.
    Normals,
    /// Positions, normals and tangents.
    Tangents,
}

impl Attributes {
    /// Vectors of each vertex.
    fn vectors(self) -> usize {
        match self {
            Self::Positions => 1,
            Self::Normals => 2,
            Self::Tangents => 3,
        }
    }

    /// Demands that the mesh has them.
    fn check(self, mesh: &Mesh) -> Result<(), Error> {
        if self.vectors() > mesh.base_vectors {
            return Err(Error::MissingAttributes { asked: self });
        }
        Ok(())
    }
}

/// A mesh's vertices where a palette took them, in run order: memory that is taken once and written each frame.
#[derive(Clone, Debug)]
pub struct Skinned {
    attributes: Attributes,
    blocks: Vec<VectorBlock>,
    len: usize,
}

impl Skinned {
    /// Memory for some of a mesh's attributes.
    ///
    /// # Errors
    ///
    /// When the mesh does not have the attributes.
    pub fn new(mesh: &Mesh, attributes: Attributes) -> Result<Self, Error> {
        attributes.check(mesh)?;
        let blocks = vec![VectorBlock::default(); mesh.padded_len() / BLOCK * attributes.vectors()];
        Ok(Self { attributes, blocks, len: mesh.len() })
    }

    /// What is skinned.
    #[must_use]
    pub fn attributes(&self) -> Attributes {
        self.attributes
    }

    /// The vectors of each block of eight places: position, then normal and tangent where asked for.
    #[must_use]
    pub fn blocks(&self) -> &[VectorBlock] {
        &self.blocks
    }

    /// The positions in the order of the mesh's source.
    ///
    /// # Errors
    ///
    /// When the mesh does not fit, or the slice is not as long as the mesh.
    pub fn positions(&self, mesh: &Mesh, to: &mut [[f32; 3]]) -> Result<(), Error> {
        self.in_source_order(mesh, 0, to)
    }

    /// The normals in the order of the mesh's source.
    ///
    /// # Errors
    ///
    /// When normals were not skinned, the mesh does not fit, or the slice is not as long as the mesh.
    pub fn normals(&self, mesh: &Mesh, to: &mut [[f32; 3]]) -> Result<(), Error> {
        self.in_source_order(mesh, 1, to)
    }

    /// The tangents in the order of the mesh's source; their signs are as they were.
    ///
    /// # Errors
    ///
    /// When tangents were not skinned, the mesh does not fit, or the slice is not as long as the mesh.
    pub fn tangents(&self, mesh: &Mesh, to: &mut [[f32; 3]]) -> Result<(), Error> {
        self.in_source_order(mesh, 2, to)
    }

    fn in_source_order(&self, mesh: &Mesh, vector: usize, to: &mut [[f32; 3]]) -> Result<(), Error> {
        let vectors = self.attributes.vectors();
        if vector >= vectors {
            let asked = if vector == 1 { Attributes::Normals } else { Attributes::Tangents };
            return Err(Error::MissingAttributes { asked });
        }
        self.check(mesh)?;
        check_len("vectors by vertex", mesh.len(), to.len())?;
        for (to, &place) in to.iter_mut().zip(mesh.place_of_vertex()) {
            let place = place as usize;
            *to = self.blocks[place / BLOCK * vectors + vector].vector(place % BLOCK);
        }
        Ok(())
    }

    fn check(&self, mesh: &Mesh) -> Result<(), Error> {
        self.attributes.check(mesh)?;
        check_len("skinned vertices", mesh.len(), self.len)?;
        let blocks = mesh.padded_len() / BLOCK * self.attributes.vectors();
        check_len("skinned blocks", blocks, self.blocks.len())
    }
}

impl Mesh {
    /// Takes the vertices where the palette's matrices, blended by their weights, take them.
    ///
    /// # Errors
    ///
    /// When the palette has not as many matrices as the mesh's skin has joints, or the memory does not fit the mesh:
    /// another number of vertices or places, or attributes that the mesh does not have.
    pub fn skin(&self, palette: &Palette, directions: Directions, to: &mut Skinned) -> Result<(), Error> {
        check_len("palette", self.skin_len, palette.matrices().len())?;
        to.check(self)?;
        let vectors = to.attributes.vectors();
        // The one place that takes the layout's other forms when they have kernels.
        let Groups::Runs(groups) = &self.layout.full else {
            unreachable!("no kernel takes this form yet");
        };
        for group in groups {
            self.kernels.skin_runs(SkinRuns {
                palette: palette.matrices(),
                influences: group.influences,
                runs: &group.runs,
                joints: &group.joints,
                weights: &group.weights,
                vertices: SkinVertices {
                    base: &self.base,
                    base_vectors: self.base_vectors,
                    window: 0..self.padded_len() / BLOCK,
                    output: &mut to.blocks,
                    vectors,
                    directions,
                    normals: Normals::AsDirections,
                },
            });
        }
        Ok(())
    }
}
