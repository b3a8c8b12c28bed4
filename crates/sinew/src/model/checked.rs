//! A model, checked once: all that it is made of fits together.

use std::sync::Arc;

use super::{Image, Material, Part, Surface, Up};
use crate::error::check_len;
use crate::names::Names;
use crate::{Clip, Error, Skeleton, Skin};

/// What a model is made of, to be checked by [`Model::new`].
#[derive(Clone, Debug)]
pub struct ModelSource {
    /// All joints: whatever moves, and whatever something hangs on.
    pub skeleton: Skeleton,
    /// On that skeleton.
    pub skins: Vec<Skin>,
    /// Geometry.
    pub surfaces: Vec<Surface>,
    /// What is there of the geometry, in the order in which it is drawn and written.
    pub parts: Vec<Part>,
    /// On that skeleton.
    pub clips: Vec<Clip>,
    /// What surfaces look like.
    pub materials: Vec<Material>,
    /// Pictures of the materials.
    pub images: Vec<Image>,
    /// Which way is up.
    pub up: Up,
}

impl ModelSource {
    /// A skeleton, and nothing else.
    #[must_use]
    pub fn new(skeleton: Skeleton) -> Self {
        Self {
            skeleton,
            skins: Vec::new(),
            surfaces: Vec::new(),
            parts: Vec::new(),
            clips: Vec::new(),
            materials: Vec::new(),
            images: Vec::new(),
            up: Up::default(),
        }
    }
}

/// Skeleton, skins, surfaces and clips that belong together. A clone is the same model, and costs nothing.
#[derive(Clone, Debug)]
pub struct Model {
    source: Arc<ModelSource>,
    clip_names: Arc<Names>,
}

impl Model {
    /// Checks that all parts fit together. Nothing is copied.
    ///
    /// # Errors
    ///
    /// The first that does not fit, with its place: a skin or a clip of another skeleton; a part with a joint, a surface
    /// or a skin that is not there, with a skin of another size than its surface's, or with other morph weights than its
    /// surface has targets; texture coordinates or colours that are not as many as vertices; a material or an image that
    /// is not there.
    pub fn new(source: ModelSource) -> Result<Self, Error> {
        let joints = source.skeleton.len();
        let morph_weights = source.skeleton.rest().morph_weights().len();
        for skin in &source.skins {
            check_len("joints of a skin's skeleton", joints, skin.skeleton_len())?;
        }
        for clip in &source.clips {
            check_len("joints of a clip's skeleton", joints, clip.skeleton_len())?;
            check_len("morph weights of a clip's skeleton", morph_weights, clip.morph_weight_count())?;
        }
        for (index, surface) in source.surfaces.iter().enumerate() {
            check_surface(&source, index, surface)?;
        }
        for (index, part) in source.parts.iter().enumerate() {
            check_part(&source, index, part)?;
        }
        for (index, material) in source.materials.iter().enumerate() {
            if let Some(texture) = material.base_texture {
                check_index(("material", index), "image", texture.image, source.images.len())?;
            }
        }
        let clip_names = source.clips.iter().map(|clip| clip.name().to_owned()).collect();
        let clip_names = Arc::new(Names::new("clip", clip_names));
        Ok(Self { source: Arc::new(source), clip_names })
    }

    /// Whether it is the same model, and not another that may look alike.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.source, &other.source)
    }

    /// All joints: whatever moves, and whatever something hangs on.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        &self.source.skeleton
    }

    /// The skins, on that skeleton.
    #[must_use]
    pub fn skins(&self) -> &[Skin] {
        &self.source.skins
    }

    /// Geometry. What is there of it is said by [`parts`](Self::parts).
    #[must_use]
    pub fn surfaces(&self) -> &[Surface] {
        &self.source.surfaces
    }

    /// What is there, in the order in which it is drawn and written.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.source.parts
    }

    /// The surface of a part.
    ///
    /// # Panics
    ///
    /// When there is no such part.
    #[must_use]
    pub fn surface(&self, part: usize) -> &Surface {
        &self.source.surfaces[self.source.parts[part].surface]
    }

    /// The clips.
    #[must_use]
    pub fn clips(&self) -> &[Clip] {
        &self.source.clips
    }

    /// The only clip of this name.
    ///
    /// # Errors
    ///
    /// When no clip has the name, with names like it, and when several have it.
    pub fn clip(&self, name: &str) -> Result<usize, Error> {
        self.clip_names.find(name)
    }

    /// What surfaces look like.
    #[must_use]
    pub fn materials(&self) -> &[Material] {
        &self.source.materials
    }

    /// Pictures of the materials.
    #[must_use]
    pub fn images(&self) -> &[Image] {
        &self.source.images
    }

    /// Which way is up in its space.
    #[must_use]
    pub fn up(&self) -> Up {
        self.source.up
    }
}

fn check_surface(source: &ModelSource, index: usize, surface: &Surface) -> Result<(), Error> {
    let vertices = surface.mesh.len();
    for set in surface.texture_coordinates.iter().filter(|set| !set.is_empty()) {
        check_len("texture coordinates of a surface", vertices, set.len())?;
    }
    for set in surface.colours.iter().filter(|set| !set.is_empty()) {
        check_len("colours of a surface", vertices, set.len())?;
    }
    match surface.material {
        Some(material) => check_index(("surface", index), "material", material, source.materials.len()),
        None => Ok(()),
    }
}

fn check_part(source: &ModelSource, index: usize, part: &Part) -> Result<(), Error> {
    let here = ("part", index);
    check_index(here, "joint", part.joint, source.skeleton.len())?;
    check_index(here, "surface", part.surface, source.surfaces.len())?;
    check_index(here, "skin", part.skin, source.skins.len())?;
    let mesh = &source.surfaces[part.surface].mesh;
    check_len("joints of a part's skin", mesh.skin_len(), source.skins[part.skin].len())?;
    let (weights, all) = (&part.morph_weights, source.skeleton.rest().morph_weights().len());
    if weights.end > all || weights.start > weights.end {
        return Err(Error::NotInModel {
            of: here.0,
            index,
            what: "morph weight",
            found: weights.end,
            len: all,
        });
    }
    check_len("morph weights of a part", mesh.morph_count(), weights.len())
}

fn check_index(
    (of, index): (&'static str, usize),
    what: &'static str,
    found: usize,
    len: usize,
) -> Result<(), Error> {
    if found < len { Ok(()) } else { Err(Error::NotInModel { of, index, what, found, len }) }
}
