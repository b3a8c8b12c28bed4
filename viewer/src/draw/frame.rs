//! The description of a frame, in CPU memory.

use super::camera::{Mat4, OrbitCamera};

/// Everything that a frame draws.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Samples per pixel; 0 for no antialiasing.
    pub samples: u32,
    /// The camera.
    pub camera: OrbitCamera,
    /// Unit vector towards the key light.
    pub to_key_light: [f32; 3],
    /// Colors of the background, the floor and the wireframe.
    pub colors: SceneColors,
    /// Transform from model space to the scene, before the offset of a copy.
    pub world_from_model: Mat4,
    /// The copies of the model. Each draws all surfaces.
    pub copies: Vec<ModelCopy>,
    /// What each surface is drawn from.
    pub surfaces: Vec<SurfaceInput>,
    /// Whether surfaces are filled.
    pub solid: bool,
    /// Whether surfaces use their textures.
    pub textured: bool,
    /// Whether surfaces have few tones, as drawn by hand.
    pub toon: bool,
    /// Whether the edges of triangles are drawn.
    pub wireframe: bool,
    /// For each surface and copy, whether its pose mirrors it, which turns front faces over.
    pub mirrored: Vec<Vec<bool>>,
    /// Surfaces that are blended with what is behind them, the farthest first.
    pub blended: Vec<BlendedSurface>,
    /// The floor, if there is one.
    pub floor: Option<Floor>,
    /// Shadow volumes of the key light.
    pub volumes: ShadowVolumes,
    /// Lines with depth test: two vertices per line, in the scene.
    pub lines: Vec<LineVertex>,
    /// Thick lines with depth test: the silhouette of toon shading.
    pub outlines: Vec<LineVertex>,
    /// Lines without depth test.
    pub lines_on_top: Vec<LineVertex>,
}

impl Default for Frame {
    fn default() -> Self {
        let identity = [0, 1, 2, 3].map(|i| [0, 1, 2, 3].map(|k| if i == k { 1.0 } else { 0.0 }));
        Self {
            size: [1, 1],
            samples: 4,
            camera: OrbitCamera::default(),
            to_key_light: [0.0, 1.0, 0.0],
            colors: SceneColors::DARK,
            world_from_model: identity,
            copies: Vec::new(),
            surfaces: Vec::new(),
            solid: true,
            textured: true,
            toon: false,
            wireframe: false,
            mirrored: Vec::new(),
            blended: Vec::new(),
            floor: None,
            volumes: ShadowVolumes::default(),
            lines: Vec::new(),
            outlines: Vec::new(),
            lines_on_top: Vec::new(),
        }
    }
}

/// A copy of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelCopy {
    /// Position in the scene.
    pub offset: [f32; 3],
    /// Linear factor of its colors.
    pub tint: [f32; 3],
}

/// The order of vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Sinew's run order, including padding.
    Run,
    /// The order of the file.
    Source,
}

/// What a surface is drawn from. Holds all copies, one after the other.
#[derive(Clone, Debug)]
pub enum SurfaceInput {
    /// Vertices skinned on the CPU.
    Skinned {
        /// Their order.
        order: Order,
        /// Position and normal: six floats per vertex.
        floats: Vec<f32>,
    },
    /// Matrices with which the vertex shader skins.
    Palette {
        /// Number of joints of the skin.
        joints: usize,
        /// Three rows of four floats per joint.
        floats: Vec<f32>,
    },
}

/// A surface of a copy that is blended with what is behind it.
#[derive(Clone, Debug, Default)]
pub struct BlendedSurface {
    /// Index of the surface.
    pub surface: usize,
    /// Index of the copy.
    pub copy: usize,
    /// Its triangles in the order of its vertices, the farthest first; empty draws them as stored.
    pub triangles: Vec<[u32; 3]>,
}

/// A disc below the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// Its center.
    pub center: [f32; 3],
    /// Radius at which it has faded out.
    pub radius: f32,
    /// Distance between its grid lines.
    pub step: f32,
}

/// Shadow volumes.
#[derive(Clone, Debug, Default)]
pub struct ShadowVolumes {
    /// Homogeneous positions in model space; w = 0 is infinitely far away.
    pub vertices: Vec<[f32; 4]>,
    /// Indices, relative to the first vertex of the volume.
    pub triangles: Vec<[u32; 3]>,
    /// The ranges of the volumes in these arrays.
    pub volumes: Vec<ShadowVolume>,
}

/// The shadow volume of one surface of one copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShadowVolume {
    /// Index of the copy.
    pub copy: usize,
    /// Index of its first vertex.
    pub first_vertex: usize,
    /// Index of its first triangle.
    pub first_triangle: usize,
    /// Number of triangles.
    pub triangles: usize,
}

impl ShadowVolumes {
    /// Removes all volumes.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.triangles.clear();
        self.volumes.clear();
    }
}

/// An end of a line.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct LineVertex {
    /// Position in the scene.
    pub position: [f32; 3],
    /// Red, green, blue and alpha, sRGB encoded.
    pub color: [u8; 4],
}

/// Colors of the background, the floor and the wireframe, sRGB encoded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneColors {
    /// Background at the bottom and at the top.
    pub background: [[f32; 3]; 2],
    /// The lit floor, the floor in shadow, and its grid lines.
    pub floor: [[f32; 3]; 3],
    /// Wireframe over a surface, and without one.
    pub wireframe: [[f32; 4]; 2],
}

impl SceneColors {
    /// The dark theme.
    pub const DARK: Self = Self {
        background: [[0.085, 0.095, 0.115], [0.16, 0.185, 0.225]],
        floor: [[0.235, 0.255, 0.285], [0.105, 0.115, 0.135], [0.34, 0.37, 0.42]],
        wireframe: [[0.02, 0.03, 0.05, 0.55], [0.62, 0.74, 0.86, 0.9]],
    };
    /// The bright theme.
    pub const LIGHT: Self = Self {
        background: [[0.90, 0.91, 0.93], [0.80, 0.84, 0.89]],
        floor: [[0.94, 0.945, 0.95], [0.70, 0.73, 0.77], [0.82, 0.84, 0.87]],
        wireframe: [[0.02, 0.03, 0.05, 0.5], [0.14, 0.22, 0.32, 0.9]],
    };
}
