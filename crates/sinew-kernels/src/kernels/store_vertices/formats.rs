//! How each vertex format is stored.

use super::octahedral;
use crate::lanes::Lanes;
use crate::lanes::part_stores::{EightVertices, Element, PartStores, VertexBlocks};

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

    /// Stores one register of vertices: four components.
    fn store<L: Lanes>(
        token: L::Token,
        components: [L; 4],
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

/// Three floats. The four bytes behind them are kept.
pub(super) struct Float32x3;

impl Format for Float32x3 {
    type Written = [f32; 4];
    type Part = [f32; 3];
    const EMPTY: [f32; 4] = [0.0; 4];

    #[inline(always)]
    fn blocks<'a>(to: &'a mut PartStores<'_>, first: usize, blocks: usize) -> VertexBlocks<'a, [f32; 4]> {
        to.blocks_and_behind(first, blocks)
    }

    #[inline(always)]
    fn store<L: Lanes>(
        token: L::Token,
        [x, y, z, _]: [L; 4],
        to: &mut EightVertices<'_, [f32; 4]>,
        group: usize,
    ) {
        L::store_float32x3(token, [x, y, z], to, group);
    }

    #[inline(always)]
    fn part(&[x, y, z, _]: &[f32; 4]) -> [f32; 3] {
        [x, y, z]
    }
}

/// Two floats.
pub(super) struct Float32x2;

impl Format for Float32x2 {
    type Written = [f32; 2];
    type Part = [f32; 2];
    const EMPTY: [f32; 2] = [0.0; 2];

    #[inline(always)]
    fn store<L: Lanes>(_: L::Token, [x, y, ..]: [L; 4], to: &mut EightVertices<'_, [f32; 2]>, group: usize) {
        L::store_float32x2([x, y], to, group);
    }

    #[inline(always)]
    fn part(written: &[f32; 2]) -> [f32; 2] {
        *written
    }
}

/// One float.
pub(super) struct Float32x1;

impl Format for Float32x1 {
    type Written = [f32; 1];
    type Part = [f32; 1];
    const EMPTY: [f32; 1] = [0.0];

    #[inline(always)]
    fn store<L: Lanes>(_: L::Token, [x, ..]: [L; 4], to: &mut EightVertices<'_, [f32; 1]>, group: usize) {
        x.store_float32x1(to, group);
    }

    #[inline(always)]
    fn part(written: &[f32; 1]) -> [f32; 1] {
        *written
    }
}

/// A format of which nothing but the part is written.
macro_rules! exact_format {
    ($(#[$doc:meta])* $name:ident, [$number:ty; $len:literal], $store:ident) => {
        $(#[$doc])*
        pub(super) struct $name;

        impl Format for $name {
            type Written = [$number; $len];
            type Part = [$number; $len];
            const EMPTY: [$number; $len] = [0 as $number; $len];

            #[inline(always)]
            fn store<L: Lanes>(
                _: L::Token,
                components: [L; 4],
                to: &mut EightVertices<'_, [$number; $len]>,
                group: usize,
            ) {
                L::$store(components, to, group);
            }

            #[inline(always)]
            fn part(written: &[$number; $len]) -> [$number; $len] {
                *written
            }
        }
    };
}
exact_format!(
    /// Four floats.
    Float32x4, [f32; 4], store_float32x4
);
exact_format!(
    /// Four halves.
    Float16x4, [u16; 4], store_float16x4
);
exact_format!(
    /// Four normalized 16-bit numbers.
    Snorm16x4, [i16; 4], store_snorm16x4
);
exact_format!(
    /// Four normalized 8-bit numbers.
    Snorm8x4, [i8; 4], store_snorm8x4
);

/// A direction in octahedral encoding.
pub(super) struct Octahedral;

impl Format for Octahedral {
    type Written = [i16; 2];
    type Part = [i16; 2];
    const EMPTY: [i16; 2] = [0; 2];

    #[inline(always)]
    fn store<L: Lanes>(
        token: L::Token,
        [x, y, z, _]: [L; 4],
        to: &mut EightVertices<'_, [i16; 2]>,
        group: usize,
    ) {
        L::store_snorm16x2(octahedral::encode(token, [x, y, z]), to, group);
    }

    #[inline(always)]
    fn part(written: &[i16; 2]) -> [i16; 2] {
        *written
    }
}
