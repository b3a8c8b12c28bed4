//! The cursor: the last sampled position in a clip.

use std::sync::Arc;

use sinew_kernels::VectorBlock;

use super::Clip;
use super::keyed_tracks::{KeyPairs, KeyedBlock, stale_times};
use super::timeline::KeySpan;

/// The keys around the last sampled time: about 32 bytes for each distinct list of times of step,
/// cubic and morph weight tracks, and about 56 bytes (rotations) or 40 bytes (translations and
/// scales) for each linear track with key times of its own. Linear tracks on a common list of times
/// need 32 bytes in all.
///
/// A cursor makes sampling faster. It does not affect results: a new cursor gives the same bits.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// The clip that the keys are of.
    pub(super) identity: Arc<()>,
    /// Of the common timeline of rows.
    pub(super) rows: KeySpan,
    pub(super) spans: Vec<KeySpan>,
    pub(super) keyed: KeyedState,
}

/// The keys of tracks with key times of their own.
#[derive(Clone, Debug)]
pub(super) struct KeyedState {
    /// Start, end and inverse of their distance for each block of tracks: rotations, then
    /// translations, then scales.
    pub(super) times: Vec<VectorBlock>,
    pub(super) keys: Vec<KeyedBlock>,
    pub(super) stale: Vec<u8>,
    pub(super) rotations: KeyPairs<[f32; 4]>,
    pub(super) translations: KeyPairs<[f32; 3]>,
    pub(super) scales: KeyPairs<[f32; 3]>,
}

impl Cursor {
    pub(super) fn new(clip: &Clip) -> Self {
        let mut keyed = KeyedState {
            times: Vec::new(),
            keys: Vec::new(),
            stale: Vec::new(),
            rotations: KeyPairs::new(&clip.rotations.keyed),
            translations: KeyPairs::new(&clip.translations.keyed),
            scales: KeyPairs::new(&clip.scales.keyed),
        };
        keyed.times.extend(clip.keyed_targets().map(stale_times));
        keyed.keys.resize(keyed.times.len(), KeyedBlock::default());
        keyed.stale.resize(keyed.times.len(), 0);
        let spans = vec![KeySpan::default(); clip.timelines.len()];
        Self { identity: clip.identity.clone(), rows: KeySpan::default(), spans, keyed }
    }

    /// Forgets the keys, if they are another clip's.
    pub(super) fn adopt(&mut self, clip: &Clip) {
        if !Arc::ptr_eq(&self.identity, &clip.identity) {
            self.identity = clip.identity.clone();
            for (times, target) in self.keyed.times.iter_mut().zip(clip.keyed_targets()) {
                *times = stale_times(target);
            }
        }
    }

    /// The size of the cursor in memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let KeyedState { times, keys, stale, rotations, translations, scales } = &self.keyed;
        size_of::<Self>()
            + size_of_val(&*self.spans)
            + size_of_val(&**times)
            + size_of_val(&**keys)
            + size_of_val(&**stale)
            + rotations.bytes()
            + translations.bytes()
            + scales.bytes()
    }
}
