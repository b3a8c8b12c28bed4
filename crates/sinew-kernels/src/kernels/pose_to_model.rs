//! A pose to model matrices, over a range of joints.

use std::hint::black_box;
use std::ops::Range;

use super::matrix_rows::MatrixRows;
use super::pose_blocks::{load_rotation, load_vector};
use super::rotation::rotation_matrix;
use crate::lanes::Lanes;
use crate::lanes::block_scratch::Fill;
use crate::lanes::product_plan::{LocalBlock, LocalScratch, SegmentProducts, segments};
use crate::{BLOCK, Matrix, ProductPlan, RotationBlock, VectorBlock};

/// For each joint of the range, in order: `matrices[joint] = matrices[parent] x local`, where local
/// = translation x rotation x scale.
///
/// Joints before the range must be in model space already. So a caller can transform a range,
/// change joints, and continue.
#[derive(Debug)]
pub struct PoseToModel<'a> {
    /// Unit rotations.
    pub rotations: &'a [RotationBlock],
    /// As many as rotations.
    pub translations: &'a [VectorBlock],
    /// Scales along the joints' own axes. `None` means one everywhere and is faster.
    pub scales: Option<&'a [VectorBlock]>,
    /// The parent of each joint of `matrices`. A value not below the joint's own index marks a
    /// root.
    pub parents: &'a [u32],
    /// The joints to transform; within `matrices`.
    pub range: Range<usize>,
    /// The order of the products when the range is all joints, made of the same parents: those of
    /// the plan count. `None` means the joints' own. The results have the same bits.
    pub plan: Option<&'a ProductPlan>,
    /// What roots are relative to; `None` means model space itself.
    pub root: Option<&'a Matrix>,
    /// Output, as long as `parents`; no longer than the blocks.
    pub matrices: &'a mut [Matrix],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut PoseToModel<'_>) {
    let PoseToModel { rotations, translations, scales, parents, range, plan, matrices, .. } = &*contract;
    assert!(parents.len() == matrices.len(), "as many parents as matrices");
    assert!(range.start <= range.end && range.end <= matrices.len(), "a range within the matrices");
    assert!(matrices.len() <= BLOCK * rotations.len(), "as many joints as matrices");
    assert!(translations.len() == rotations.len(), "as many translations as rotations");
    if let Some(scales) = scales {
        assert!(scales.len() == rotations.len(), "as many scales as rotations");
    }
    if let Some(plan) = plan {
        assert!(plan.len() == matrices.len(), "a plan of all joints");
    }
    // Small skeletons have instances of their own: storing the local matrices of eight joints would
    // take longer than all else.
    match range.end {
        _ if range.start == range.end => {}
        0..=1 => transform::<L, 1>(token, contract),
        2..=4 => transform::<L, 4>(token, contract),
        _ => match *plan {
            Some(plan) if range.len() == matrices.len() => multiply_by_plan::<L>(token, plan, contract),
            _ => transform::<L, BLOCK>(token, contract),
        },
    }
}

/// Where the rows of a joint's local matrix are stored, so that registers of two quads are stored
/// whole.
const PLACES: [u8; BLOCK] = [0, 2, 4, 6, 1, 3, 5, 7];

/// The place of a joint in its block of `N`.
#[inline(always)]
fn place<L: Lanes, const N: usize>(lane: usize) -> usize {
    if N == BLOCK && L::QUADS == 2 { usize::from(PLACES[lane % BLOCK]) } else { lane }
}

/// The local matrices of up to `N` joints at a time. If `N` is less than a block, all joints are in
/// the first block.
#[inline(always)]
fn transform<L: Lanes, const N: usize>(token: L::Token, contract: &mut PoseToModel<'_>) {
    let PoseToModel { rotations, translations, scales, parents, range, root, matrices, .. } = contract;
    // Row by row: rows of one matrix side by side would be loaded as one register, which waits for
    // their stores. Hidden from the compiler, which would call memset where the last block may be
    // half.
    let zero = if L::GROUPS > 1 { black_box(0.0) } else { 0.0 };
    let mut locals = [[[zero; 4]; N]; 3];
    // The last result stays in registers, because it is usually the next joint's parent.
    let before = matrices.get(range.start.wrapping_sub(1)).unwrap_or(&Matrix::IDENTITY);
    let mut last = MatrixRows::<L>::load(token, before);
    for b in range.start / BLOCK..range.end.div_ceil(BLOCK) {
        let (Some(rotation), Some(translation)) = (rotations.get(b), translations.get(b)) else { return };
        for group in 0..L::GROUPS {
            // A register of the last block without joints.
            if group > 0 && BLOCK * b + group * L::LEN >= range.end {
                break;
            }
            let scale = scales.and_then(|scales| scales.get(b));
            let rows = local_rows::<L>(token, rotation, translation, scale, group);
            for r in 0..3 {
                let quads = L::transpose(rows[r]);
                for k in 0..4 {
                    for quad in 0..L::QUADS {
                        let lane = group * L::LEN + 4 * quad + k;
                        if let Some(row) = locals[r].get_mut(place::<L, N>(lane)) {
                            quads[k].store_quad(quad, row);
                        }
                    }
                }
            }
        }
        let first = BLOCK * b;
        for joint in first.max(range.start)..(first + BLOCK).min(range.end) {
            let place = place::<L, N>(joint - first);
            let row = |r: usize| locals[r].get(place);
            let (Some(&parent), Some(a), Some(b), Some(c)) = (parents.get(joint), row(0), row(1), row(2))
            else {
                return;
            };
            let local = [a, b, c];
            let parent = parent as usize;
            // Not `wrapping_sub`: no parent is the largest number where a `usize` has 32 bits.
            let model = if joint.checked_sub(1) == Some(parent) {
                last.mul(token, local)
            } else {
                match (matrices.get(parent), *root) {
                    (Some(above), _) if parent < joint => {
                        MatrixRows::<L>::load(token, above).mul(token, local)
                    }
                    (_, Some(root)) => MatrixRows::<L>::load(token, root).mul(token, local),
                    _ => MatrixRows::<L>::load_rows(token, local),
                }
            };
            if let Some(matrix) = matrices.get_mut(joint) {
                model.store(matrix);
            }
            last = model;
        }
    }
}

/// The rows of the local matrices of one register of joints, a joint in each lane.
#[inline(always)]
fn local_rows<L: Lanes>(
    token: L::Token,
    rotation: &RotationBlock,
    translation: &VectorBlock,
    scale: Option<&VectorBlock>,
    group: usize,
) -> [[L; 4]; 3] {
    let mut rows = rotation_matrix(token, load_rotation::<L>(token, rotation, group));
    let translation = load_vector::<L>(token, translation, group);
    if let Some(scale) = scale {
        let scale = load_vector::<L>(token, scale, group);
        for r in 0..3 {
            rows[r] = [rows[r][0] * scale[0], rows[r][1] * scale[1], rows[r][2] * scale[2]];
        }
    }
    let row = |r: usize| [rows[r][0], rows[r][1], rows[r][2], translation[r]];
    [row(0), row(1), row(2)]
}

/// Segment by segment of a plan: all local matrices, then the products.
///
/// Registers of two quads are stored whole, apart from the model matrices: half as many stores, and
/// joints past the last need no check. Of registers of one quad there would be as many as in place,
/// and more memory.
#[inline(always)]
fn multiply_by_plan<L: Lanes>(token: L::Token, plan: &ProductPlan, contract: &mut PoseToModel<'_>) {
    let PoseToModel { rotations, translations, scales, root, matrices, .. } = contract;
    let locals = Locals::<L> { token, rotations, translations, scales: *scales };
    if L::QUADS == 1 {
        locals.write(matrices);
        for segment in 0..segments(plan) {
            let products = SegmentProducts::in_place(plan, segment, matrices);
            let Some((products, roots)) = products else { return };
            multiply::<L, true>(token, products, roots, *root);
        }
        return;
    }
    let mut scratch = LocalScratch::new();
    for segment in 0..segments(plan) {
        let locals = locals.skip_blocks(segment * (ProductPlan::SEGMENT / BLOCK));
        let products = SegmentProducts::apart(plan, segment, matrices, &mut scratch, locals);
        let Some((products, roots)) = products else { return };
        multiply::<L, false>(token, products, roots, *root);
    }
}

/// The local matrices of a pose.
#[derive(Clone, Copy)]
struct Locals<'a, L: Lanes> {
    token: L::Token,
    rotations: &'a [RotationBlock],
    translations: &'a [VectorBlock],
    scales: Option<&'a [VectorBlock]>,
}

impl<L: Lanes> Locals<'_, L> {
    /// Without a number of blocks.
    #[inline(always)]
    fn skip_blocks(self, count: usize) -> Self {
        Self {
            rotations: self.rotations.get(count..).unwrap_or_default(),
            translations: self.translations.get(count..).unwrap_or_default(),
            scales: self.scales.and_then(|scales| scales.get(count..)),
            ..self
        }
    }

    /// Writes the matrices of all joints, from registers of one quad.
    #[inline(always)]
    fn write(self, matrices: &mut [Matrix]) {
        for (b, block) in matrices.chunks_mut(BLOCK).enumerate() {
            let (Some(rotation), Some(translation)) = (self.rotations.get(b), self.translations.get(b))
            else {
                return;
            };
            let scale = self.scales.and_then(|scales| scales.get(b));
            for group in 0..L::GROUPS {
                let rows = local_rows::<L>(self.token, rotation, translation, scale, group);
                let quads = [L::transpose(rows[0]), L::transpose(rows[1]), L::transpose(rows[2])];
                for k in 0..4 {
                    let Some(matrix) = block.get_mut(group * L::LEN + k) else { continue };
                    for r in 0..3 {
                        quads[r][k].store_quad(0, &mut matrix.rows[r]);
                    }
                }
            }
        }
    }
}

/// From registers of two quads, which hold all joints of a block.
impl<L: Lanes> Fill<LocalBlock> for Locals<'_, L> {
    #[inline(always)]
    fn value(&mut self, block: usize, _: usize) -> LocalBlock {
        let mut locals = LocalBlock { rows: [[[0.0; BLOCK]; 4]; 3] };
        let (Some(rotation), Some(translation)) = (self.rotations.get(block), self.translations.get(block))
        else {
            return locals;
        };
        let scale = self.scales.and_then(|scales| scales.get(block));
        let rows = local_rows::<L>(self.token, rotation, translation, scale, 0);
        for r in 0..3 {
            let quads = L::transpose(rows[r]);
            for k in 0..4 {
                quads[k].store(&mut locals.rows[r][k], 0);
            }
        }
        locals
    }
}

/// The products of one segment.
#[inline(always)]
fn multiply<L: Lanes, const IN_PLACE: bool>(
    token: L::Token,
    mut products: SegmentProducts<'_, IN_PLACE>,
    roots: usize,
    root: Option<&Matrix>,
) {
    for i in 0..roots {
        let Some(local) = products.local(i) else { return };
        let model = match root {
            Some(root) => MatrixRows::<L>::load(token, root).mul(token, local),
            None if IN_PLACE => continue,
            None => MatrixRows::load_rows(token, local),
        };
        if let Some(matrix) = products.model_mut(i) {
            model.store(matrix);
        }
    }
    // The last result stays in registers, in case it is the next joint's parent.
    let mut last = MatrixRows::<L>::load(token, &Matrix::IDENTITY);
    let mut last_model = u32::MAX;
    for i in roots..products.len() {
        let (Some(offsets), Some(local), Some(parent)) =
            (products.model_offsets(i), products.local(i), products.parent(i))
        else {
            return;
        };
        if offsets.parent != last_model {
            last = MatrixRows::load(token, parent);
        }
        last = last.mul(token, local);
        last_model = offsets.model;
        if let Some(matrix) = products.model_mut(i) {
            last.store(matrix);
        }
    }
}
