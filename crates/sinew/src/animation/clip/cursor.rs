//! The cursor: the last sampled position in a clip.

use super::timeline::KeySpan;

/// The keys around the last sampled time, for each distinct list of times in a clip: about 24 bytes
/// each.
///
/// A cursor makes sampling faster. It does not affect results: a new cursor gives the same bits.
#[derive(Clone, Debug)]
pub struct Cursor {
    pub(super) spans: Vec<KeySpan>,
}

impl Cursor {
    pub(super) fn new(timelines: usize) -> Self {
        Self { spans: vec![KeySpan::default(); timelines] }
    }
}
