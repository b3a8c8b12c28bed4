//! How words of vertices are stored, and how vectors become words of smaller numbers.

use super::octahedral;
use crate::lanes::Lanes;
use crate::lanes::part_stores::{EightVertices, Element, PartStores, VertexBlocks, Words};

/// How parts of a format are stored.
pub(super) trait Format {
    /// What is written of a vertex: the part, and maybe what lies behind it.
    type Written: Element;
    /// The part.
    type Part: Element;
    /// Any value.
    const EMPTY: Self::Written;

    /// The blocks from the vertex `first` on that can be written straight into the buffer.
    #[inline(always)]
    fn blocks<'a>(
        to: &'a mut PartStores<'_>,
        first: usize,
        blocks: usize,
    ) -> VertexBlocks<'a, Self::Written> {
        to.blocks(first, blocks)
    }

    /// Stores one register of vertices: four words of each.
    fn store<L: Lanes>(
        token: L::Token,
        words: [L; 4],
        to: &mut EightVertices<'_, Self::Written>,
        group: usize,
    );

    /// The part in what is written.
    fn part(written: &Self::Written) -> Self::Part;
}

/// Three floats in an array without gaps.
pub(super) struct Packed;

impl Format for Packed {
    type Written = [f32; 3];
    type Part = [f32; 3];
    const EMPTY: [f32; 3] = [0.0; 3];

    #[inline(always)]
    fn store<L: Lanes>(
        _: L::Token,
        [x, y, z, _]: [L; 4],
        to: &mut EightVertices<'_, [f32; 3]>,
        group: usize,
    ) {
        if let Some(to) = to.packed() {
            L::store_packed([x, y, z], to, group);
        }
    }

    #[inline(always)]
    fn part(written: &[f32; 3]) -> [f32; 3] {
        *written
    }
}

/// Three words. The four bytes behind them are kept.
pub(super) struct Words3;

impl Format for Words3 {
    type Written = Words<4>;
    type Part = Words<3>;
    const EMPTY: Words<4> = Words([0.0; 4]);

    #[inline(always)]
    fn blocks<'a>(to: &'a mut PartStores<'_>, first: usize, blocks: usize) -> VertexBlocks<'a, Words<4>> {
        to.blocks_and_behind(first, blocks)
    }

    #[inline(always)]
    fn store<L: Lanes>(
        token: L::Token,
        [x, y, z, _]: [L; 4],
        to: &mut EightVertices<'_, Words<4>>,
        group: usize,
    ) {
        L::store_words3(token, [x, y, z], to, group);
    }

    #[inline(always)]
    fn part(&Words([x, y, z, _]): &Words<4>) -> Words<3> {
        Words([x, y, z])
    }
}

/// Two words.
pub(super) struct Words2;

impl Format for Words2 {
    type Written = Words<2>;
    type Part = Words<2>;
    const EMPTY: Words<2> = Words([0.0; 2]);

    #[inline(always)]
    fn store<L: Lanes>(_: L::Token, [x, y, ..]: [L; 4], to: &mut EightVertices<'_, Words<2>>, group: usize) {
        L::store_words2([x, y], to, group);
    }

    #[inline(always)]
    fn part(written: &Words<2>) -> Words<2> {
        *written
    }
}

/// One word.
pub(super) struct Words1;

impl Format for Words1 {
    type Written = Words<1>;
    type Part = Words<1>;
    const EMPTY: Words<1> = Words([0.0]);

    #[inline(always)]
    fn store<L: Lanes>(_: L::Token, [x, ..]: [L; 4], to: &mut EightVertices<'_, Words<1>>, group: usize) {
        x.store_words1(to, group);
    }

    #[inline(always)]
    fn part(written: &Words<1>) -> Words<1> {
        *written
    }
}

/// Four words.
pub(super) struct Words4;

impl Format for Words4 {
    type Written = Words<4>;
    type Part = Words<4>;
    const EMPTY: Words<4> = Words([0.0; 4]);

    #[inline(always)]
    fn store<L: Lanes>(_: L::Token, words: [L; 4], to: &mut EightVertices<'_, Words<4>>, group: usize) {
        L::store_words4(words, to, group);
    }

    #[inline(always)]
    fn part(written: &Words<4>) -> Words<4> {
        *written
    }
}

/// A format of smaller numbers than floats.
pub(super) trait NarrowFormat {
    /// Converts vectors with a fourth component to words, in which lane `i` is vertex `i`. A format
    /// of one word has it twice.
    fn words<L: Lanes>(token: L::Token, components: [L; 4]) -> [L; 2];
}

/// Four halves.
pub(super) struct Float16x4;

impl NarrowFormat for Float16x4 {
    #[inline(always)]
    fn words<L: Lanes>(token: L::Token, components: [L; 4]) -> [L; 2] {
        L::half_words(token, components)
    }
}

/// Four normalized 16-bit numbers.
pub(super) struct Snorm16x4;

impl NarrowFormat for Snorm16x4 {
    #[inline(always)]
    fn words<L: Lanes>(token: L::Token, components: [L; 4]) -> [L; 2] {
        L::snorm16_words(token, components)
    }
}

/// Four normalized 8-bit numbers.
pub(super) struct Snorm8x4;

impl NarrowFormat for Snorm8x4 {
    #[inline(always)]
    fn words<L: Lanes>(token: L::Token, components: [L; 4]) -> [L; 2] {
        [L::snorm8_word(token, components); 2]
    }
}

/// A direction in octahedral encoding.
pub(super) struct Octahedral;

impl NarrowFormat for Octahedral {
    #[inline(always)]
    fn words<L: Lanes>(token: L::Token, [x, y, z, _]: [L; 4]) -> [L; 2] {
        [L::unit_snorm16_word(token, octahedral::encode(token, [x, y, z])); 2]
    }
}
