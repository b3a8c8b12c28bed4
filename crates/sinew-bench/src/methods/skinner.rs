//! One mesh, or a part of it for each thread, prepared for one method.

use std::ops::Range;

use sinew::Runtime;
use sinew::mesh::{Attributes, Morphed};
use sinew::runtime::Backend;
use sinew::skinning::{
    Blending, DirectionLength, DualQuaternionPalette, NormalTransform, Skinned, Target, VertexAttribute,
    VertexFormat, VertexLayout, VertexOrder, VertexOutput, VertexWriter,
};
use sinew::{FloatMode, Matrix, Mesh, Palette, Skin, SkinOptions};
use sinew_kernels::{BLOCK, VectorBlock};
use sinew_papers::{
    BindPose, Influences, PositionNormal, TransposedMatrix, Vertex, WeightedPositions, plain,
};
#[cfg(target_arch = "x86_64")]
use sinew_papers::{sse2, sse3};

use super::source_arrays::SourceArrays;
use super::{Method, Output, Requirements, Simd};

const FITS: &str = "palette, scratch and output were made for this mesh";

/// The mesh to skin, and how.
#[derive(Clone, Copy, Debug)]
pub struct SkinInput<'a> {
    /// The mesh, on any kernels.
    pub mesh: &'a Mesh,
    /// The skin of the mesh.
    pub skin: &'a Skin,
    /// The maximum number of influences per vertex. For sinew it must be a level of detail of the
    /// mesh, or `usize::MAX` for all.
    pub max_influences: usize,
    /// What transforms normals, where the method has a choice.
    pub normals: NormalTransform,
}

/// Skins one mesh with one method. Holds the constant data in the layout of the method; copies of
/// the mesh and threads share it.
#[derive(Debug)]
pub struct Skinner {
    kernel: Kernel,
}

/// The function to call, with its constant data.
#[derive(Debug)]
enum Kernel {
    Plain(sinew_papers::Mesh, fn(&sinew_papers::Mesh, &[TransposedMatrix], &mut [PositionNormal])),
    #[cfg(target_arch = "x86_64")]
    Friendly(sinew_papers::FriendlyMesh),
    Blended(BindPose, fn(&BindPose, &[Matrix], &mut [Vertex])),
    Weighted(WeightedPositions, fn(&WeightedPositions, &[Matrix], &mut [Vertex])),
    Sinew(Box<SinewSkinner>),
}

/// Sinew's mesh on one backend.
#[derive(Debug)]
struct SinewSkinner {
    mesh: Mesh,
    skin: Skin,
    attributes: Attributes,
    normals: NormalTransform,
    max_influences: usize,
    kind: OutputKind,
    /// The blocks that are skinned.
    window: Range<usize>,
}

/// What sinew writes, and from which palette.
#[derive(Clone, Copy, Debug)]
enum OutputKind {
    Blocks,
    Vertices,
    DualQuaternions,
}

/// Temporary memory of one thread, allocated once.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    transposed: Vec<TransposedMatrix>,
    #[cfg(target_arch = "x86_64")]
    friendly: Vec<Matrix>,
    dual_quaternions: Option<DualQuaternionPalette>,
}

impl Skinner {
    /// Converts the mesh to the layout of the method.
    ///
    /// # Errors
    ///
    /// The reason, as text, why the method cannot skin the mesh (too many influences or joints,
    /// morph targets or joint-space influences that it does not support) or why the machine lacks
    /// it.
    pub fn new(input: &SkinInput<'_>, method: Method) -> Result<Self, String> {
        let mut parts = Self::parts(input, method, 1)?;
        Ok(parts.remove(0))
    }

    /// As [`new`](Self::new), for threads that share the vertices: as many skinners as asked for,
    /// each with about as many vertices. Their outputs, one after the other, are the output of the
    /// whole mesh.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn parts(input: &SkinInput<'_>, method: Method, count: usize) -> Result<Vec<Self>, String> {
        if let Some(reason) = Requirements::new(input.mesh).refusal(method, input.max_influences) {
            return Err(reason);
        }
        let own = match method {
            Method::Blocks(backend) => Some((backend, OutputKind::Blocks)),
            Method::Vertices(backend) => Some((backend, OutputKind::Vertices)),
            Method::DualQuaternions(backend) => Some((backend, OutputKind::DualQuaternions)),
            _ => None,
        };
        let Some(own) = own else {
            let arrays = SourceArrays::new(input.mesh, input.max_influences);
            let part =
                |vertices| Self { kernel: Kernel::from_paper(&arrays.part(vertices), input.skin, method) };
            return Ok(ranges(input.mesh.len(), count).map(part).collect());
        };
        let part = |window| {
            let kernel = Kernel::Sinew(Box::new(SinewSkinner::new(input, own, window)?));
            Ok(Self { kernel })
        };
        ranges(input.mesh.blocks(), count).map(part).collect()
    }

    /// Allocates the output for one copy of the mesh.
    #[must_use]
    pub fn output(&self) -> Output {
        match &self.kernel {
            Kernel::Plain(mesh, _) => {
                Output::PositionNormals(vec![PositionNormal::default(); mesh.vertices()])
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Friendly(mesh) => {
                Output::PositionNormals(vec![PositionNormal::default(); mesh.vertices()])
            }
            Kernel::Blended(bind, _) => Output::Vertices(vec![Vertex::default(); bind.vertices()]),
            Kernel::Weighted(positions, _) => Output::Vertices(vec![Vertex::default(); positions.vertices()]),
            Kernel::Sinew(sinew) => sinew.output(),
        }
    }

    /// Skins the mesh with a palette. The papers' methods ignore `morphed`.
    ///
    /// # Panics
    ///
    /// When palette, morphed vertices or output were made for another mesh.
    pub fn skin(&self, palette: &Palette, morphed: Option<&Morphed>, scratch: &mut Scratch, to: &mut Output) {
        let matrices = palette.matrices();
        match (&self.kernel, to) {
            (Kernel::Plain(mesh, skin), Output::PositionNormals(to)) => {
                transpose(matrices, &mut scratch.transposed);
                skin(mesh, &scratch.transposed, to);
            }
            #[cfg(target_arch = "x86_64")]
            (Kernel::Friendly(mesh), Output::PositionNormals(to)) => {
                transpose(matrices, &mut scratch.transposed);
                scratch.friendly.resize(matrices.len(), Matrix::IDENTITY);
                sse2::friendly_matrices(&scratch.transposed, &mut scratch.friendly);
                sse2::skin_friendly(mesh, &scratch.friendly, to);
            }
            (Kernel::Blended(bind, skin), Output::Vertices(to)) => skin(bind, matrices, to),
            (Kernel::Weighted(positions, skin), Output::Vertices(to)) => skin(positions, matrices, to),
            (Kernel::Sinew(sinew), to) => sinew.skin(palette, morphed, scratch, to),
            _ => panic!("{FITS}"),
        }
    }
}

impl Kernel {
    fn from_paper(arrays: &SourceArrays, skin: &Skin, method: Method) -> Self {
        match method {
            Method::Blended(simd) => {
                let SourceArrays { positions, normals, tangents, influences } = arrays;
                let list = Influences::from_lists(influences);
                Self::Blended(BindPose::new(list, positions, normals, tangents), skin_vertices_fn(simd))
            }
            Method::Weighted(simd) => {
                let list = Influences::from_lists(&arrays.influences);
                let identity = vec![Matrix::IDENTITY; skin.len()];
                let positions = WeightedPositions::in_bind_pose(list, &arrays.positions, &identity);
                Self::Weighted(positions, skin_positions_fn(simd))
            }
            _ => Self::from_davies(arrays, method),
        }
    }

    fn from_davies(arrays: &SourceArrays, method: Method) -> Self {
        let mesh = sinew_papers::Mesh::new(&arrays.positions, &arrays.normals, &arrays.influences);
        match method {
            Method::Collapsed => Self::Plain(mesh, plain::skin_collapsed),
            #[cfg(target_arch = "x86_64")]
            Method::Gathered => Self::Plain(mesh, sse2::skin_gathered),
            #[cfg(target_arch = "x86_64")]
            Method::Friendly => Self::Friendly(sinew_papers::FriendlyMesh::new(&mesh)),
            _ => Self::Plain(mesh, plain::skin_standard),
        }
    }
}

impl SinewSkinner {
    fn new(
        input: &SkinInput<'_>,
        (backend, kind): (&'static Backend, OutputKind),
        window: Range<usize>,
    ) -> Result<Self, String> {
        let &SkinInput { mesh, skin, max_influences, normals } = input;
        let runtime = Runtime::with_backend(backend, FloatMode::Fast);
        let (mesh, skin) = (mesh.clone().with_runtime(runtime), skin.clone().with_runtime(runtime));
        let attributes = Attributes::stored_in(&mesh).min(Attributes::Normals);
        let skinner = Self { mesh, skin, attributes, normals, max_influences, kind, window };
        // The first call reports every mismatch; later calls have the same arguments.
        let mut memory = Skinned::new(&skinner.mesh, attributes).map_err(|error| error.to_string())?;
        let options = skinner.options(Blending::Linear, None);
        skinner
            .mesh
            .skin(&Palette::new(&skinner.skin), &options, &mut memory)
            .map_err(|error| error.to_string())?;
        Ok(skinner)
    }

    fn output(&self) -> Output {
        let (attributes, blocks) = (self.attributes, self.window.len());
        match self.kind {
            OutputKind::Blocks | OutputKind::DualQuaternions => {
                let blocks = vec![VectorBlock::default(); blocks * attributes.vectors()];
                Output::Blocks { attributes, blocks }
            }
            OutputKind::Vertices => Output::Floats(vec![0.0; 6 * BLOCK * blocks]),
        }
    }

    fn options<'a>(&self, blending: Blending<'a>, morphed: Option<&'a Morphed>) -> SkinOptions<'a> {
        let options = SkinOptions::default()
            .with_directions(DirectionLength::Unit)
            .with_normals(self.normals)
            .with_blending(blending)
            .with_max_influences(self.max_influences);
        match morphed {
            Some(morphed) => options.with_morphed(morphed),
            None => options,
        }
    }

    fn skin(&self, palette: &Palette, morphed: Option<&Morphed>, scratch: &mut Scratch, to: &mut Output) {
        let blending = match self.kind {
            OutputKind::DualQuaternions => {
                let dual_quaternions =
                    scratch.dual_quaternions.get_or_insert_with(|| DualQuaternionPalette::new(&self.skin));
                if dual_quaternions.update(palette).is_err() {
                    *dual_quaternions = DualQuaternionPalette::new(&self.skin);
                    dual_quaternions.update(palette).expect(FITS);
                }
                Blending::DualQuaternion(dual_quaternions)
            }
            _ => Blending::Linear,
        };
        let options = self.options(blending, morphed);
        match to {
            Output::Blocks { attributes, blocks } => {
                let target = Target::new(*attributes, VertexOutput::Blocks(blocks));
                let target = target.with_window(self.window.clone());
                self.mesh.skin_into(palette, &options, target).expect(FITS);
            }
            Output::Floats(floats) => {
                let layout = VertexLayout::interleaved(24)
                    .with(VertexAttribute::Position, VertexFormat::Float32x3, 0)
                    .with(VertexAttribute::Normal, VertexFormat::Float32x3, 12);
                let writer = VertexWriter::new(&layout, [floats], BLOCK * self.window.len()).expect(FITS);
                let target = Target::vertices(writer).in_order(VertexOrder::Run);
                let target = target.with_window(self.window.clone());
                self.mesh.skin_into(palette, &options, target).expect(FITS);
            }
            _ => panic!("{FITS}"),
        }
    }
}

/// Divides `0..len` into ranges of about the same length.
fn ranges(len: usize, count: usize) -> impl Iterator<Item = Range<usize>> {
    let count = count.max(1);
    (0..count).map(move |part| len * part / count..len * (part + 1) / count)
}

fn transpose(matrices: &[Matrix], to: &mut Vec<TransposedMatrix>) {
    to.clear();
    to.extend(matrices.iter().map(TransposedMatrix::from));
}

fn skin_vertices_fn(simd: Simd) -> fn(&BindPose, &[Matrix], &mut [Vertex]) {
    match simd {
        #[cfg(target_arch = "x86_64")]
        Simd::Sse2 => sse2::skin_vertices,
        #[cfg(target_arch = "x86_64")]
        Simd::Sse3 => sse3::skin_vertices,
        _ => plain::skin_vertices,
    }
}

fn skin_positions_fn(simd: Simd) -> fn(&WeightedPositions, &[Matrix], &mut [Vertex]) {
    match simd {
        #[cfg(target_arch = "x86_64")]
        Simd::Sse2 => sse2::skin_positions,
        #[cfg(target_arch = "x86_64")]
        Simd::Sse3 => sse3::skin_positions,
        _ => plain::skin_positions,
    }
}

#[cfg(test)]
mod tests {
    use sinew_figures::Motion;
    use sinew_figures::cylinder::{Weighting, cylinder};

    use super::*;

    #[test]
    fn parts_give_the_bits_of_the_whole() {
        let scene = cylinder(Weighting::Varying).expect("a cylinder");
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints).expect("a skin");
        let mesh = Mesh::new(&scene.mesh.source(), &skin).expect("a mesh");
        let (mut pose, mut matrices) = (scene.skeleton.rest_pose(), scene.skeleton.identity_matrices());
        Motion::Sine.pose(&scene.skeleton, 0.7, &mut pose).expect("a pose");
        scene.skeleton.to_model(&pose, .., &mut matrices).expect("matrices");
        let mut palette = Palette::new(&skin);
        palette.update(&matrices, &skin).expect("a palette");
        let normals = NormalTransform::BlendedMatrix;
        let input = SkinInput { mesh: &mesh, skin: &skin, max_influences: usize::MAX, normals };
        let skinned = |method: Method, count: usize| {
            let mut all = Vec::new();
            for skinner in Skinner::parts(&input, method, count).expect("a supported method") {
                let mut output = skinner.output();
                skinner.skin(&palette, None, &mut Scratch::default(), &mut output);
                let first = all.len();
                all.resize(first + 6 * output.len(), 0.0);
                output.copy_to(&mut all[first..]);
            }
            all.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        for method in Method::supported() {
            let whole = skinned(method, 1);
            assert!(whole.len() >= 6 * mesh.len());
            for count in [2, 3, 7] {
                assert!(skinned(method, count) == whole, "{} {}, {count}", method.name(), method.isa());
            }
        }
    }
}
