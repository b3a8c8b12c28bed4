//! Davies' application without its window: 64 cylinders of over 2000 vertices and 30 bones, animated and skinned.

use sinew::kernels::papers::{self, LitVertex, Transposed, plain};
use sinew::{
    Attributes, Directions, Form, Matrix, Mesh, Palette, Pose, Rounding, Row, Skin, SkinOptions, Skinned,
    Target, isa,
};
use sinew_figures::cylinder::{Weighting, cylinder};
use sinew_figures::{Motion, Scene};

use crate::Failure;

/// As many as in the paper.
pub(super) const CYLINDERS: usize = 64;

const CHECKED: &str = "all of it was made for this cylinder";

/// One cylinder as sinew and as the paper has it; all 64 are alike but for their poses.
pub(super) struct Cylinders {
    scene: Scene,
    skin: Skin,
    mesh: papers::Mesh,
    #[cfg(target_arch = "x86_64")]
    friendly: papers::FriendlyMesh,
}

/// What skins a cylinder: position, and normal at length one.
#[derive(Clone, Copy)]
pub(super) enum Skinning {
    /// The paper's standard loop in plain numbers.
    Standard,
    /// The paper's collapsed matrices in plain numbers.
    Collapsed,
    /// The paper's SSE, four vertices at a time from unfriendly data.
    Gathered,
    /// The same from friendly data.
    Friendly,
    /// Sinew into blocks.
    Blocks(&'static Row),
    /// Sinew into vertices of 24 bytes, as the paper's.
    Vertices(&'static Row),
}

/// Takes the number of a cylinder and its palette.
pub(super) type Skinner<'a> = Box<dyn FnMut(usize, &Palette) + Send + 'a>;

impl Skinning {
    /// All that this machine can run, the paper's fastest first where there is one.
    pub(super) fn present() -> Vec<Self> {
        let sse: &[Self] = if cfg!(target_arch = "x86_64") { &[Self::Friendly, Self::Gathered] } else { &[] };
        let own = isa::rows().flat_map(|row| [Self::Blocks(row), Self::Vertices(row)]);
        sse.iter().copied().chain([Self::Standard, Self::Collapsed]).chain(own).collect()
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Standard => "plain",
            Self::Collapsed => "plain-collapsed",
            Self::Gathered => "papers-sse2-gathered",
            Self::Friendly => "papers-sse2",
            Self::Blocks(_) => "sinew",
            Self::Vertices(_) => "sinew-vertices",
        }
    }

    pub(super) fn isa(self) -> &'static str {
        match self {
            Self::Standard | Self::Collapsed => "plain",
            Self::Gathered | Self::Friendly => "sse2",
            Self::Blocks(row) | Self::Vertices(row) => row.name(),
        }
    }
}

impl Cylinders {
    pub(super) fn new(weights: usize) -> Result<Self, Failure> {
        let weighting = match weights {
            1 => Weighting::One,
            2 => Weighting::Two,
            3 => Weighting::Three,
            _ => Weighting::Four,
        };
        let scene = cylinder(weighting)?;
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints)?;
        let mut influences = scene.shape.influences();
        let counts = scene.shape.influence_counts.iter();
        let lists: Vec<Vec<_>> =
            counts.map(|&count| influences.by_ref().take(count as usize).collect()).collect();
        drop(influences);
        let mesh = papers::Mesh::new(&scene.shape.positions, &scene.shape.normals, &lists);
        Ok(Self {
            scene,
            skin,
            #[cfg(target_arch = "x86_64")]
            friendly: papers::FriendlyMesh::new(&mesh),
            mesh,
        })
    }

    /// Vertices of all cylinders.
    pub(super) fn vertices(&self) -> usize {
        CYLINDERS * self.mesh.vertices()
    }

    /// A palette for each cylinder.
    pub(super) fn palettes(&self) -> Vec<Palette> {
        vec![Palette::new(&self.skin); CYLINDERS]
    }

    /// What writes the palettes of all cylinders.
    pub(super) fn animator(&self, motion: Motion) -> Animator<'_> {
        let skeleton = &self.scene.skeleton;
        Animator {
            cylinders: self,
            motion,
            pose: skeleton.rest_pose(),
            model_from_joint: skeleton.model_matrices(),
        }
    }

    /// What writes the vertices of cylinders, each into memory of its own.
    pub(super) fn skinner(&self, skinning: Skinning) -> Result<Skinner<'_>, Failure> {
        match skinning {
            Skinning::Standard => Ok(self.plain_skinner(plain::skin_standard)),
            Skinning::Collapsed => Ok(self.plain_skinner(plain::skin_collapsed)),
            #[cfg(target_arch = "x86_64")]
            Skinning::Gathered => Ok(self.plain_skinner(papers::sse2::skin_gathered)),
            #[cfg(target_arch = "x86_64")]
            Skinning::Friendly => Ok(self.friendly_skinner()),
            #[cfg(not(target_arch = "x86_64"))]
            Skinning::Gathered | Skinning::Friendly => Ok(self.plain_skinner(plain::skin_standard)),
            Skinning::Blocks(row) => self.block_skinner(row),
            Skinning::Vertices(row) => self.vertex_skinner(row),
        }
    }

    fn plain_skinner(&self, skin: fn(&papers::Mesh, &[Transposed], &mut [LitVertex])) -> Skinner<'_> {
        let (mut memory, mut palette) = (self.lit_vertices(), Vec::new());
        Box::new(move |cylinder, matrices| {
            transpose(matrices.matrices(), &mut palette);
            skin(&self.mesh, &palette, &mut memory[cylinder]);
        })
    }

    #[cfg(target_arch = "x86_64")]
    fn friendly_skinner(&self) -> Skinner<'_> {
        let (mut memory, mut palette) = (self.lit_vertices(), Vec::new());
        let mut friendly = vec![Matrix::IDENTITY; self.skin.len()];
        Box::new(move |cylinder, matrices| {
            transpose(matrices.matrices(), &mut palette);
            papers::sse2::friendly_matrices(&palette, &mut friendly);
            papers::sse2::skin_friendly(&self.friendly, &friendly, &mut memory[cylinder]);
        })
    }

    fn block_skinner(&self, row: &'static Row) -> Result<Skinner<'_>, Failure> {
        let mesh = self.mesh_on(row)?;
        let mut memory = vec![Skinned::new(&mesh, Attributes::Normals)?; CYLINDERS];
        Ok(Box::new(move |cylinder, palette| {
            mesh.skin(palette, &OPTIONS, &mut memory[cylinder]).expect(CHECKED);
        }))
    }

    fn vertex_skinner(&self, row: &'static Row) -> Result<Skinner<'_>, Failure> {
        let mesh = self.mesh_on(row)?;
        let mut memory = vec![vec![0.0; 6 * mesh.padded_len()]; CYLINDERS];
        Ok(Box::new(move |cylinder, palette| {
            let floats = memory[cylinder].as_mut_slice();
            let form = Form::Interleaved { floats, stride: 6, offsets: [0, 3, 0, 0] };
            mesh.skin_into(palette, &OPTIONS, Target::new(Attributes::Normals, form)).expect(CHECKED);
        }))
    }

    fn mesh_on(&self, row: &'static Row) -> Result<Mesh, Failure> {
        let skin = self.skin.clone().with_kernels(row.kernels(Rounding::Fast));
        Ok(Mesh::new(&self.scene.shape.source(), &skin)?)
    }

    fn lit_vertices(&self) -> Vec<Vec<LitVertex>> {
        vec![vec![LitVertex::default(); self.mesh.vertices()]; CYLINDERS]
    }
}

/// The paper brings normals back to length one.
const OPTIONS: SkinOptions<'static> = SkinOptions {
    directions: Directions::Unit,
    normals: sinew::Normals::AsDirections,
    blending: sinew::Blending::Linear,
    morphed: None,
    max_influences: usize::MAX,
};

fn transpose(matrices: &[Matrix], to: &mut Vec<Transposed>) {
    to.clear();
    to.extend(matrices.iter().map(Transposed::from));
}

/// What writes the palettes of a frame.
pub(super) struct Animator<'a> {
    cylinders: &'a Cylinders,
    motion: Motion,
    pose: Pose,
    model_from_joint: Vec<Matrix>,
}

impl Animator<'_> {
    /// The palettes of all cylinders in a frame, a sixtieth of a second after the one before; no two cylinders stand alike.
    pub(super) fn animate(&mut self, frame: usize, palettes: &mut [Palette]) {
        let skeleton = &self.cylinders.scene.skeleton;
        for (cylinder, palette) in palettes.iter_mut().enumerate() {
            let seconds = (frame % 6000) as f32 / 60.0 + cylinder as f32 * 0.37;
            self.motion.pose(skeleton, seconds, &mut self.pose).expect(CHECKED);
            skeleton.to_model(&self.pose, .., &mut self.model_from_joint).expect(CHECKED);
            palette.update(&self.model_from_joint, &self.cylinders.skin).expect(CHECKED);
        }
    }
}
