//! One surface, ready to be skinned by one method.

use sinew::{
    Attributes, Backend, Blending, DirectionLength, DualPalette, FloatMode, Matrix, Mesh, Morphed,
    NormalTransform, Palette, Skin, SkinOptions, Skinned, Target, VertexLayout,
};
use sinew_kernels::papers::{
    self, BindPose, Influences, LitVertex, Transposed, Vertex, WeightedPositions, plain,
};
#[cfg(target_arch = "x86_64")]
use sinew_kernels::papers::{sse2, sse3};

use super::lists::Lists;
use super::{Demands, Method, Output, Simd};

const FITS: &str = "all of it was made for this surface";

/// What is skinned.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The surface, on any kernels.
    pub mesh: &'a Mesh,
    /// The skin that it hangs on.
    pub skin: &'a Skin,
    /// The most influences of a vertex. For sinew it must be a level of the mesh, or all.
    pub max_influences: usize,
    /// What turns normals, where the method leaves a choice.
    pub normals: NormalTransform,
}

/// Skins one surface by one method: what does not change is arranged as the method wants it. Copies and threads share it.
#[derive(Debug)]
pub struct Skinner {
    way: Way,
}

#[derive(Debug)]
enum Way {
    Plain(papers::Mesh, fn(&papers::Mesh, &[Transposed], &mut [LitVertex])),
    #[cfg(target_arch = "x86_64")]
    Friendly(papers::FriendlyMesh),
    Blended(BindPose, fn(&BindPose, &[Matrix], &mut [Vertex])),
    Weighted(WeightedPositions, fn(&WeightedPositions, &[Matrix], &mut [Vertex])),
    Own(Box<Own>),
}

#[derive(Debug)]
struct Own {
    mesh: Mesh,
    skin: Skin,
    attributes: Attributes,
    normals: NormalTransform,
    max_influences: usize,
    to: To,
}

#[derive(Clone, Copy, Debug)]
enum To {
    Blocks,
    Vertices,
    Duals,
}

/// What a thread needs for itself: memory that is taken once.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    transposed: Vec<Transposed>,
    #[cfg(target_arch = "x86_64")]
    friendly: Vec<Matrix>,
    duals: Option<DualPalette>,
}

impl Skinner {
    /// Arranges the surface.
    ///
    /// # Errors
    ///
    /// Why the surface cannot be skinned so, in words: more influences or joints than the method has room for, morph
    /// targets or influences in joint space that it does not know; or why the machine cannot.
    pub fn new(subject: &Subject<'_>, method: Method) -> Result<Self, String> {
        if let Some(reason) = Demands::of(subject.mesh).refusal(method, subject.max_influences) {
            return Err(reason);
        }
        let way = match method {
            Method::Blocks(row) => Way::Own(Box::new(Own::new(subject, row, To::Blocks)?)),
            Method::Vertices(row) => Way::Own(Box::new(Own::new(subject, row, To::Vertices)?)),
            Method::Duals(row) => Way::Own(Box::new(Own::new(subject, row, To::Duals)?)),
            _ => Way::of_papers(subject, method),
        };
        Ok(Self { way })
    }

    /// Memory for one copy of the surface.
    #[must_use]
    pub fn output(&self) -> Output {
        match &self.way {
            Way::Plain(mesh, _) => Output::Lit(vec![LitVertex::default(); mesh.vertices()]),
            #[cfg(target_arch = "x86_64")]
            Way::Friendly(mesh) => Output::Lit(vec![LitVertex::default(); mesh.vertices()]),
            Way::Blended(bind, _) => Output::Wide(vec![Vertex::default(); bind.vertices()]),
            Way::Weighted(positions, _) => Output::Wide(vec![Vertex::default(); positions.vertices()]),
            Way::Own(own) => own.output(),
        }
    }

    /// Takes the vertices where a palette takes them. Methods of the papers know no morph targets.
    ///
    /// # Panics
    ///
    /// When palette, morphed vertices or memory were made for another surface.
    pub fn skin(&self, palette: &Palette, morphed: Option<&Morphed>, scratch: &mut Scratch, to: &mut Output) {
        let matrices = palette.matrices();
        match (&self.way, to) {
            (Way::Plain(mesh, skin), Output::Lit(to)) => {
                transpose(matrices, &mut scratch.transposed);
                skin(mesh, &scratch.transposed, to);
            }
            #[cfg(target_arch = "x86_64")]
            (Way::Friendly(mesh), Output::Lit(to)) => {
                transpose(matrices, &mut scratch.transposed);
                scratch.friendly.resize(matrices.len(), Matrix::IDENTITY);
                sse2::friendly_matrices(&scratch.transposed, &mut scratch.friendly);
                sse2::skin_friendly(mesh, &scratch.friendly, to);
            }
            (Way::Blended(bind, skin), Output::Wide(to)) => skin(bind, matrices, to),
            (Way::Weighted(positions, skin), Output::Wide(to)) => skin(positions, matrices, to),
            (Way::Own(own), to) => own.run(palette, morphed, scratch, to),
            _ => panic!("{FITS}"),
        }
    }
}

impl Way {
    fn of_papers(subject: &Subject<'_>, method: Method) -> Self {
        let lists = Lists::new(subject.mesh, subject.max_influences);
        match method {
            Method::Blended(simd) => {
                let Lists { positions, normals, tangents, influences } = &lists;
                let list = Influences::of_vertices(influences);
                Self::Blended(BindPose::new(list, positions, normals, tangents), blended(simd))
            }
            Method::Weighted(simd) => {
                let list = Influences::of_vertices(&lists.influences);
                let identity = vec![Matrix::IDENTITY; subject.skin.len()];
                let positions = WeightedPositions::in_bind_pose(list, &lists.positions, &identity);
                Self::Weighted(positions, weighted(simd))
            }
            _ => Self::of_davies(&lists, method),
        }
    }

    fn of_davies(lists: &Lists, method: Method) -> Self {
        let mesh = papers::Mesh::new(&lists.positions, &lists.normals, &lists.influences);
        match method {
            Method::Collapsed => Self::Plain(mesh, plain::skin_collapsed),
            #[cfg(target_arch = "x86_64")]
            Method::Gathered => Self::Plain(mesh, sse2::skin_gathered),
            #[cfg(target_arch = "x86_64")]
            Method::Friendly => Self::Friendly(papers::FriendlyMesh::new(&mesh)),
            _ => Self::Plain(mesh, plain::skin_standard),
        }
    }
}

impl Own {
    fn new(subject: &Subject<'_>, row: &'static Backend, to: To) -> Result<Self, String> {
        let &Subject { mesh, skin, max_influences, normals } = subject;
        let kernels = row.kernels(FloatMode::Fast);
        let (mesh, skin) = (mesh.clone().with_kernels(kernels), skin.clone().with_kernels(kernels));
        let attributes = Attributes::of(&mesh).min(Attributes::Normals);
        let own = Self { mesh, skin, attributes, normals, max_influences, to };
        // The first call tells what does not fit: all others are alike.
        let mut memory = Skinned::new(&own.mesh, attributes).map_err(|error| error.to_string())?;
        let options = own.options(Blending::Linear, None);
        own.mesh.skin(&Palette::new(&own.skin), &options, &mut memory).map_err(|error| error.to_string())?;
        Ok(own)
    }

    fn output(&self) -> Output {
        match self.to {
            To::Blocks | To::Duals => Output::Blocks(Skinned::new(&self.mesh, self.attributes).expect(FITS)),
            To::Vertices => Output::Floats(vec![0.0; 6 * self.mesh.padded_len()]),
        }
    }

    fn options<'a>(&self, blending: Blending<'a>, morphed: Option<&'a Morphed>) -> SkinOptions<'a> {
        SkinOptions {
            directions: DirectionLength::Unit,
            normals: self.normals,
            blending,
            morphed,
            max_influences: self.max_influences,
        }
    }

    fn run(&self, palette: &Palette, morphed: Option<&Morphed>, scratch: &mut Scratch, to: &mut Output) {
        let blending = match self.to {
            To::Duals => {
                let duals = scratch.duals.get_or_insert_with(|| DualPalette::new(&self.skin));
                if duals.update(palette).is_err() {
                    *duals = DualPalette::new(&self.skin);
                    duals.update(palette).expect(FITS);
                }
                Blending::Duals(duals)
            }
            _ => Blending::Linear,
        };
        let options = self.options(blending, morphed);
        match to {
            Output::Blocks(memory) => self.mesh.skin(palette, &options, memory).expect(FITS),
            Output::Floats(floats) => {
                let form = VertexLayout::Interleaved { floats, stride: 6, offsets: [0, 3, 0, 0] };
                let target = Target::new(self.attributes, form);
                self.mesh.skin_into(palette, &options, target).expect(FITS);
            }
            _ => panic!("{FITS}"),
        }
    }
}

fn transpose(matrices: &[Matrix], to: &mut Vec<Transposed>) {
    to.clear();
    to.extend(matrices.iter().map(Transposed::from));
}

fn blended(simd: Simd) -> fn(&BindPose, &[Matrix], &mut [Vertex]) {
    match simd {
        #[cfg(target_arch = "x86_64")]
        Simd::Sse2 => sse2::skin_vertices,
        #[cfg(target_arch = "x86_64")]
        Simd::Sse3 => sse3::skin_vertices,
        _ => plain::skin_vertices,
    }
}

fn weighted(simd: Simd) -> fn(&WeightedPositions, &[Matrix], &mut [Vertex]) {
    match simd {
        #[cfg(target_arch = "x86_64")]
        Simd::Sse2 => sse2::skin_positions,
        #[cfg(target_arch = "x86_64")]
        Simd::Sse3 => sse3::skin_positions,
        _ => plain::skin_positions,
    }
}
