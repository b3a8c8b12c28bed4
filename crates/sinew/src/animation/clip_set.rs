//! A skeleton and its clips, found by index or name.

use std::sync::Arc;

use super::Clip;
use crate::animation::AnimationError;
use crate::length::check_len;
use crate::skeleton::{NameError, Names, Skeleton};

/// A skeleton and its clips. Clones share the same data and are cheap.
#[derive(Clone, Debug)]
pub struct ClipSet {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    skeleton: Skeleton,
    clips: Vec<Clip>,
    names: Names,
}

impl ClipSet {
    /// Checks that every clip was built for a skeleton of this size.
    ///
    /// # Errors
    ///
    /// When a clip has another number of joints or of morph weights than the skeleton.
    pub fn new(skeleton: Skeleton, clips: Vec<Clip>) -> Result<Self, AnimationError> {
        let morph_weights = skeleton.rest().morph_weights().len();
        for clip in &clips {
            check_len("joints of a clip's skeleton", skeleton.len(), clip.skeleton_len())?;
            check_len("morph weights of a clip's skeleton", morph_weights, clip.morph_weight_count())?;
        }
        let names = Names::new("clip", clips.iter().map(|clip| clip.name().to_owned()).collect());
        Ok(Self { shared: Arc::new(Shared { skeleton, clips, names }) })
    }

    /// The skeleton that the clips move.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        &self.shared.skeleton
    }

    /// All clips.
    #[must_use]
    pub fn clips(&self) -> &[Clip] {
        &self.shared.clips
    }

    /// The index of the only clip with this name.
    ///
    /// # Errors
    ///
    /// When no clip has the name (the error lists the nearest ones), or several clips have it.
    pub fn find(&self, name: &str) -> Result<usize, NameError> {
        self.shared.names.find(name)
    }

    /// Whether both are clones of the same set.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }
}
