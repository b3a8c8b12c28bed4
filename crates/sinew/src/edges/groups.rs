//! Groups of shared edges, so that a frame passes over those far from any silhouette.

use super::table::SharedEdge;

/// The number of edges of a group; the last may have fewer.
pub(super) const GROUP: usize = 64;

/// Which triangles the edges of each group have: as bits of the words that facing bits come in.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    masks: Vec<Mask>,
    /// For each group where its masks end.
    ends: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Mask {
    word: u32,
    bits: u64,
}

impl Groups {
    pub(super) fn new(shared: &[SharedEdge]) -> Self {
        let mut groups = Self::default();
        for group in shared.chunks(GROUP) {
            let mut triangles: Vec<u32> = group.iter().flat_map(|edge| [edge.left, edge.right]).collect();
            triangles.sort_unstable();
            for of_word in triangles.chunk_by(|a, b| a / 64 == b / 64) {
                let bits = of_word.iter().fold(0, |bits, triangle| bits | 1 << (triangle % 64));
                groups.masks.push(Mask { word: of_word[0] / 64, bits });
            }
            groups.ends.push(groups.masks.len());
        }
        groups
    }

    /// Each group of the edges that has triangles in front and others.
    #[inline]
    pub(super) fn parted<'a>(
        &'a self,
        shared: &'a [SharedEdge],
        words: &'a [u64],
    ) -> impl Iterator<Item = &'a [SharedEdge]> {
        let mut first = 0;
        let parted = move |end: usize| {
            let (mut front, mut back) = (0, 0);
            for &Mask { word, bits } in &self.masks[first..end] {
                front |= words[word as usize] & bits;
                back |= !words[word as usize] & bits;
            }
            first = end;
            front != 0 && back != 0
        };
        let groups = shared.chunks(GROUP).zip(self.ends.iter().copied().map(parted));
        groups.filter(|&(_, parted)| parted).map(|(group, _)| group)
    }
}
