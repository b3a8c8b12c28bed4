//! All that a frame shows, on the processor's side.

use super::view::{Columns, View};

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Frame {
    /// In pixels, width and height.
    pub size: [u32; 2],
    /// For each pixel; none at all for hard edges.
    pub samples: u32,
    /// From where.
    pub view: View,
    /// Towards the key light, of length one.
    pub towards_key: [f32; 3],
    /// Which colours.
    pub look: Look,
    /// From the model's space to the world's, before a copy is put where it stands.
    pub world_from_model: Columns,
    /// Each shows all surfaces.
    pub copies: Vec<Copy>,
    /// Where the vertices of each surface are.
    pub moved: Vec<Moved>,
    /// Whether surfaces are filled.
    pub solid: bool,
    /// Whether surfaces show their pictures.
    pub textured: bool,
    /// Whether the edges of triangles are drawn.
    pub wireframe: bool,
    /// Below everything.
    pub floor: Option<Floor>,
    /// What the key light does not reach.
    pub volumes: Volumes,
    /// Two ends for each line, in the world; hidden by surfaces before them.
    pub lines: Vec<Point>,
    /// The same, hidden by nothing.
    pub lines_on_top: Vec<Point>,
}

impl Default for Frame {
    fn default() -> Self {
        let identity = [0, 1, 2, 3].map(|i| [0, 1, 2, 3].map(|k| if i == k { 1.0 } else { 0.0 }));
        Self {
            size: [1, 1],
            samples: 4,
            view: View::default(),
            towards_key: [0.0, 1.0, 0.0],
            look: Look::DARK,
            world_from_model: identity,
            copies: Vec::new(),
            moved: Vec::new(),
            solid: true,
            textured: true,
            wireframe: false,
            floor: None,
            volumes: Volumes::default(),
            lines: Vec::new(),
            lines_on_top: Vec::new(),
        }
    }
}

/// A copy of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Copy {
    /// Where it stands.
    pub offset: [f32; 3],
    /// What its colours are multiplied with, linear.
    pub tint: [f32; 3],
}

/// Which vertex comes after which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As sinew has them, pads included.
    Run,
    /// As the file has them.
    Source,
}

/// Where the vertices of a surface are, one copy after the other.
#[derive(Clone, Debug)]
pub enum Moved {
    /// Position and normal of each vertex.
    Vertices {
        /// In which they are.
        order: Order,
        /// Six for each vertex.
        floats: Vec<f32>,
    },
    /// Not skinned yet: the vertex shader does it.
    Palette {
        /// Of the surface's skin.
        joints: usize,
        /// Three rows of four for each joint.
        floats: Vec<f32>,
    },
}

/// A disc under the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// Its middle.
    pub centre: [f32; 3],
    /// Where it has faded.
    pub radius: f32,
    /// Between its lines.
    pub step: f32,
}

/// Shadow volumes.
#[derive(Clone, Debug, Default)]
pub struct Volumes {
    /// In the model's space; infinitely far away where the fourth is 0.
    pub vertices: Vec<[f32; 4]>,
    /// Each counts from the first vertex of its volume.
    pub triangles: Vec<[u32; 3]>,
    /// Which of them belong together.
    pub each: Vec<Volume>,
}

/// The shadow volume of one surface of one copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Volume {
    /// Whose it is.
    pub copy: usize,
    /// Of all vertices.
    pub first_vertex: usize,
    /// Of all triangles.
    pub first_triangle: usize,
    /// How many triangles.
    pub triangles: usize,
}

impl Volumes {
    /// None.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.triangles.clear();
        self.each.clear();
    }
}

/// An end of a line.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Point {
    /// In the world.
    pub position: [f32; 3],
    /// Red, green, blue and alpha as they are shown.
    pub colour: [u8; 4],
}

/// The colours of all that is not a surface, as they are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Behind the scene, below and above.
    pub background: [[f32; 3]; 2],
    /// The floor in the light, in the shadow, and its lines.
    pub floor: [[f32; 3]; 3],
    /// The edges of triangles over a surface, and without one.
    pub wires: [[f32; 4]; 2],
}

impl Look {
    /// For dark surroundings.
    pub const DARK: Self = Self {
        background: [[0.085, 0.095, 0.115], [0.16, 0.185, 0.225]],
        floor: [[0.235, 0.255, 0.285], [0.105, 0.115, 0.135], [0.34, 0.37, 0.42]],
        wires: [[0.02, 0.03, 0.05, 0.55], [0.62, 0.74, 0.86, 0.9]],
    };
    /// For bright ones.
    pub const LIGHT: Self = Self {
        background: [[0.90, 0.91, 0.93], [0.80, 0.84, 0.89]],
        floor: [[0.94, 0.945, 0.95], [0.70, 0.73, 0.77], [0.82, 0.84, 0.87]],
        wires: [[0.02, 0.03, 0.05, 0.5], [0.14, 0.22, 0.32, 0.9]],
    };
}
