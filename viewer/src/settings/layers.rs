//! What can be seen.

/// What is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown([bool; 9]);

/// One of the things that can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The filled surface.
    Surface,
    /// The edges of triangles.
    Wireframe,
    /// Lines from joint to joint.
    Bones,
    /// The joints' names.
    Names,
    /// Where the surface turns away from the eye.
    Silhouette,
    /// What the light does not reach.
    Shadow,
    /// A line along each normal.
    Normals,
    /// Colours by weight.
    Weights,
    /// Boxes.
    Bounds,
}

impl Layer {
    /// Every one there is.
    pub const ALL: [Self; 9] = [
        Self::Surface,
        Self::Wireframe,
        Self::Bones,
        Self::Names,
        Self::Silhouette,
        Self::Shadow,
        Self::Normals,
        Self::Weights,
        Self::Bounds,
    ];

    /// As options have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Surface => "surface",
            Self::Wireframe => "wireframe",
            Self::Bones => "bones",
            Self::Names => "names",
            Self::Silhouette => "silhouette",
            Self::Shadow => "shadow",
            Self::Normals => "normals",
            Self::Weights => "weights",
            Self::Bounds => "bounds",
        }
    }
}

impl Shown {
    /// Not a single layer.
    pub const NOTHING: Self = Self([false; 9]);

    /// Whether a layer is.
    #[must_use]
    pub const fn has(self, layer: Layer) -> bool {
        self.0[layer as usize]
    }

    /// Switches a layer.
    pub const fn set(&mut self, layer: Layer, on: bool) {
        self.0[layer as usize] = on;
    }

    /// The layers that are shown.
    pub fn layers(self) -> impl Iterator<Item = Layer> {
        Layer::ALL.into_iter().filter(move |&layer| self.has(layer))
    }
}
