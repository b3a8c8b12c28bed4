//! The cursor: the last sampled position in a clip.

use std::sync::Arc;

use sinew_kernels::{KeyTarget, RotationBlock, RotationKeyBlock, VectorBlock};

use super::Clip;
use super::key_pairs::{KeyNumbers, KeyPairs, stale_times};
use super::nlerp::Nlerp;
use super::timeline::KeySpan;
use crate::length::{LengthError, check_len};

/// The keys around the last sampled time: about 32 bytes for each distinct list of times of step,
/// cubic and morph weight tracks, and about 56 bytes (rotations) or 40 bytes (translations and
/// scales) for each linear track that lacks keys at many of the common times, or has times of its
/// own. Linear tracks with a key at each of the common times need 32 bytes in all.
///
/// A cursor makes sampling faster. It does not affect results: a new cursor gives the same bits.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// The clip that the keys are of.
    pub(super) identity: Arc<()>,
    /// Of the common timeline.
    pub(super) rows: KeySpan,
    pub(super) spans: Box<[KeySpan]>,
    pub(super) keyed: KeyedState,
}

/// The keys around the time of tracks that are not stored in rows, in few allocations: a crowd has a
/// cursor for each clip of each member. Blocks of rotations come first, then those by nlerp, then
/// translations, then scales; of each, those of tracks with times of their own come first.
#[derive(Clone, Debug)]
pub(super) struct KeyedState {
    /// The keys before the time of each block of rotations, then the keys after it.
    rotations: Box<[RotationKeyBlock]>,
    /// The same for rotations by nlerp, which few clips have.
    nlerp_rotations: Option<Box<NlerpPairs>>,
    /// Start, end and inverse of their distance for each block of tracks. Then the translations
    /// before the time and those after it, then the scales.
    vectors: Box<[VectorBlock]>,
    keys: Box<[KeyNumbers]>,
}

/// The keys before the time of each block of rotations by nlerp, then the keys after it.
#[derive(Clone, Debug)]
struct NlerpPairs {
    blocks: Box<[RotationBlock]>,
}

/// The state of each channel.
pub(super) struct KeyedChannels<'a> {
    pub(super) rotations: KeyPairs<'a, [f32; 4]>,
    pub(super) nlerp_rotations: KeyPairs<'a, Nlerp>,
    pub(super) translations: KeyPairs<'a, [f32; 3]>,
    pub(super) scales: KeyPairs<'a, [f32; 3]>,
}

/// The number of blocks of both kinds.
pub(super) fn count(targets: [&[KeyTarget]; 2]) -> usize {
    targets[0].len() + targets[1].len()
}

impl KeyedState {
    fn new(clip: &Clip) -> Self {
        let targets = clip.cursor_targets();
        let [rotations, nlerp_rotations, translations, scales] = targets.map(count);
        let pairs = translations + scales;
        let blocks = rotations + nlerp_rotations + pairs;
        let mut vectors = Vec::with_capacity(blocks + 2 * pairs);
        vectors.extend(targets.into_iter().flatten().flatten().map(stale_times));
        vectors.resize(blocks + 2 * pairs, VectorBlock::default());
        let nlerp_pairs = || {
            let blocks = vec![RotationBlock::IDENTITY; 2 * nlerp_rotations].into();
            Box::new(NlerpPairs { blocks })
        };
        Self {
            rotations: vec![RotationKeyBlock::default(); 2 * rotations].into(),
            nlerp_rotations: (nlerp_rotations > 0).then(nlerp_pairs),
            vectors: vectors.into(),
            keys: vec![KeyNumbers::default(); blocks].into(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The number of blocks of rotations, of rotations by nlerp, and of translations and scales.
    fn blocks(&self) -> [usize; 3] {
        let rotations = self.rotations.len() / 2;
        let nlerp_rotations = self.nlerp_rotations.as_ref().map_or(0, |pairs| pairs.blocks.len() / 2);
        [rotations, nlerp_rotations, self.keys.len() - rotations - nlerp_rotations]
    }

    /// The channels, with this number of blocks of translations.
    pub(super) fn channels(&mut self, translations: usize) -> KeyedChannels<'_> {
        let ([rotations, nlerp_rotations, _], blocks) = (self.blocks(), self.keys.len());
        let (times, pairs) = self.vectors.split_at_mut(blocks);
        let (translation_pairs, scale_pairs) = pairs.split_at_mut(2 * translations);
        let nlerp_pairs = self.nlerp_rotations.as_mut().map_or(&mut [][..], |pairs| &mut pairs.blocks);
        let (rotation_times, times) = times.split_at_mut(rotations);
        let (nlerp_times, times) = times.split_at_mut(nlerp_rotations);
        let (translation_times, scale_times) = times.split_at_mut(translations);
        let (rotation_keys, keys) = self.keys.split_at_mut(rotations);
        let (nlerp_keys, keys) = keys.split_at_mut(nlerp_rotations);
        let (translation_keys, scale_keys) = keys.split_at_mut(translations);
        KeyedChannels {
            rotations: KeyPairs::new(&mut self.rotations, rotation_times, rotation_keys),
            nlerp_rotations: KeyPairs::new(nlerp_pairs, nlerp_times, nlerp_keys),
            translations: KeyPairs::new(translation_pairs, translation_times, translation_keys),
            scales: KeyPairs::new(scale_pairs, scale_times, scale_keys),
        }
    }

    /// Forgets the keys.
    fn reset(&mut self, clip: &Clip) {
        for (times, target) in
            self.vectors.iter_mut().zip(clip.cursor_targets().into_iter().flatten().flatten())
        {
            *times = stale_times(target);
        }
    }

    fn bytes(&self) -> usize {
        let nlerp_pairs = self.nlerp_rotations.as_ref();
        size_of_val(&*self.rotations)
            + nlerp_pairs.map_or(0, |pairs| size_of_val(&**pairs) + size_of_val(&*pairs.blocks))
            + size_of_val(&*self.vectors)
            + size_of_val(&*self.keys)
    }
}

/// Before the first sample: at no key of a timeline.
const NO_SPAN: KeySpan = KeySpan { key: usize::MAX, next: 0, distance: 0.0, factor: 0.0 };

impl Cursor {
    pub(super) fn new(clip: &Clip) -> Self {
        Self {
            identity: clip.identity.clone(),
            rows: NO_SPAN,
            spans: vec![KeySpan::default(); clip.timelines.len()].into(),
            keyed: KeyedState::new(clip),
        }
    }

    /// Whether the keys are this clip's.
    #[inline]
    pub(super) fn is_of(&self, clip: &Clip) -> bool {
        Arc::ptr_eq(&self.identity, &clip.identity)
    }

    /// Forgets the keys, which are another clip's. An error if this clip needs other memory.
    #[cold]
    pub(super) fn adopt(&mut self, clip: &Clip) -> Result<(), LengthError> {
        let [rotations, nlerp_rotations, vectors] = self.keyed.blocks();
        let [keyed_rotations, keyed_nlerps, translations, scales] = clip.cursor_targets().map(count);
        check_len("places of the cursor", clip.timelines.len(), self.spans.len())?;
        check_len("rotation key pairs of the cursor", keyed_rotations, rotations)?;
        check_len("nlerp key pairs of the cursor", keyed_nlerps, nlerp_rotations)?;
        check_len("vector key pairs of the cursor", translations + scales, vectors)?;
        self.identity = clip.identity.clone();
        self.rows = NO_SPAN;
        self.keyed.reset(clip);
        Ok(())
    }

    /// The size of the cursor in memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.spans) + self.keyed.bytes()
    }
}
