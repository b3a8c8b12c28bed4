//! Dual quaternions: a palette in the form that keeps the volume of what twists.

use sinew_kernels::{BLOCK, DualQuaternion, Matrix, PaletteToDualQuaternions, ScalarBlock};

use crate::error::check_len;
use crate::{Error, Mesh, Palette, Skin};

/// A palette whose matrices are smaller than this away from rigid is one: far more than rounding, far less than anybody
/// sees.
const RIGID: f32 = 1e-5;

/// The dual quaternions of a palette, with what these cannot hold: scale, shear and mirrors.
#[derive(Clone, Debug)]
pub struct DualPalette {
    pub(crate) duals: Vec<DualQuaternion>,
    stretches: Vec<Matrix>,
    largest_stretch: f32,
    kernels: &'static sinew_kernels::Kernels,
}

impl DualPalette {
    /// Of the mesh at rest.
    #[must_use]
    pub fn new(skin: &Skin) -> Self {
        Self {
            duals: vec![DualQuaternion::IDENTITY; skin.len()],
            stretches: vec![Matrix::IDENTITY; skin.len()],
            largest_stretch: 0.0,
            kernels: skin.kernels(),
        }
    }

    /// Takes each matrix of the palette apart, into a move and what was stretched before it.
    ///
    /// # Errors
    ///
    /// When the palette was made for a skin of another length.
    pub fn update(&mut self, palette: &Palette) -> Result<(), Error> {
        check_len("palette", self.duals.len(), palette.matrices().len())?;
        self.kernels.palette_to_dual_quaternions(PaletteToDualQuaternions {
            palette: palette.matrices(),
            dual_quaternions: &mut self.duals,
            scale_shears: &mut self.stretches,
            max_deviation: &mut self.largest_stretch,
        });
        Ok(())
    }

    /// How far a stretch is from none at most, element by element.
    pub(crate) fn largest_stretch(&self) -> f32 {
        self.largest_stretch
    }

    /// `None` where every joint only moves and turns.
    pub(crate) fn stretches(&self) -> Option<&[Matrix]> {
        (self.largest_stretch > RIGID).then_some(&self.stretches)
    }
}

/// For each vertex of a mesh the share of dual quaternions; linear blending has the rest.
#[derive(Clone, Debug)]
pub struct DualShares {
    pub(crate) rows: Vec<ScalarBlock>,
}

impl DualShares {
    /// Shares from 0, linear blending, to 1, dual quaternions; one for each vertex of the mesh's source.
    ///
    /// # Errors
    ///
    /// When there are not as many as vertices, or one is not from 0 to 1.
    pub fn new(mesh: &Mesh, by_vertex: &[f32]) -> Result<Self, Error> {
        let outside = |share: &f32| !(0.0..=1.0).contains(share);
        if let Some(vertex) = by_vertex.iter().position(outside) {
            return Err(Error::BadShare { vertex, share: by_vertex[vertex] });
        }
        let by_place = mesh.to_run_order(by_vertex)?;
        let (rows, _) = by_place.as_chunks::<BLOCK>();
        Ok(Self { rows: rows.iter().map(|&row| ScalarBlock(row)).collect() })
    }
}
