//! Groups of shared edges, which let a frame skip edges far from the silhouette.

use super::table::SharedEdge;

/// Edges per group; the last group may have fewer.
pub(super) const GROUP_LEN: usize = 64;

/// The triangles adjacent to the edges of each group, as masks over the words of facing bits.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeGroups {
    masks: Vec<Mask>,
    /// For each group, the end of its masks.
    ends: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Mask {
    word: u32,
    bits: u64,
}

impl EdgeGroups {
    pub(super) fn new(shared: &[SharedEdge]) -> Self {
        let mut groups = Self::default();
        for group in shared.chunks(GROUP_LEN) {
            let mut triangles: Vec<u32> = group.iter().flat_map(|edge| [edge.left, edge.right]).collect();
            triangles.sort_unstable();
            for word_triangles in triangles.chunk_by(|a, b| a / 64 == b / 64) {
                let bits = word_triangles.iter().fold(0, |bits, triangle| bits | 1 << (triangle % 64));
                groups.masks.push(Mask { word: word_triangles[0] / 64, bits });
            }
            groups.ends.push(groups.masks.len());
        }
        groups
    }

    /// The groups of edges that have both front-facing and back-facing triangles.
    #[inline]
    pub(super) fn mixed_facing<'a>(
        &'a self,
        shared: &'a [SharedEdge],
        words: &'a [u64],
    ) -> impl Iterator<Item = &'a [SharedEdge]> {
        let mut first = 0;
        let mixed_facing = move |end: usize| {
            let (mut front, mut back) = (0, 0);
            for &Mask { word, bits } in &self.masks[first..end] {
                front |= words[word as usize] & bits;
                back |= !words[word as usize] & bits;
            }
            first = end;
            front != 0 && back != 0
        };
        let groups = shared.chunks(GROUP_LEN).zip(self.ends.iter().copied().map(mixed_facing));
        groups.filter(|&(_, mixed_facing)| mixed_facing).map(|(group, _)| group)
    }
}
