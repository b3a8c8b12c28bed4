//! The layers of the picture.

/// The set of layers that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerSet([bool; Layer::ALL.len()]);

/// A layer of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The filled surface.
    Surface,
    /// The surface in few tones, with a dark silhouette.
    Toon,
    /// The edges of triangles.
    Wireframe,
    /// Bones from joint to joint.
    Bones,
    /// The joints' names.
    Names,
    /// The silhouette, as seen from the camera.
    Silhouette,
    /// The shadow of the key light.
    Shadow,
    /// A line along each normal.
    Normals,
    /// Vertex colors by weight.
    Weights,
    /// Bounding boxes.
    Bounds,
}

impl Layer {
    /// All layers.
    pub const ALL: [Self; 10] = [
        Self::Surface,
        Self::Toon,
        Self::Wireframe,
        Self::Bones,
        Self::Names,
        Self::Silhouette,
        Self::Shadow,
        Self::Normals,
        Self::Weights,
        Self::Bounds,
    ];

    /// The name used by options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Surface => "surface",
            Self::Toon => "toon",
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

impl LayerSet {
    /// No layer.
    pub const EMPTY: Self = Self([false; Layer::ALL.len()]);

    /// Whether the set contains a layer.
    #[must_use]
    pub const fn contains(self, layer: Layer) -> bool {
        self.0[layer as usize]
    }

    /// Adds or removes a layer.
    pub const fn set(&mut self, layer: Layer, on: bool) {
        self.0[layer as usize] = on;
    }

    /// The layers in the set.
    pub fn iter(self) -> impl Iterator<Item = Layer> {
        Layer::ALL.into_iter().filter(move |&layer| self.contains(layer))
    }
}
