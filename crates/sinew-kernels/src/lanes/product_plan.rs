//! A plan of the products of local to model, and the local matrices that they read.
//!
//! `unsafe` addresses matrices by the byte offsets of a [`ProductPlan`]. It relies on one fact,
//! which [`ProductPlan::new`] checks and nothing changes: the offsets of each step are those of a
//! model matrix below the plan's number of joints and of a local matrix of the step's own segment.

use super::block_scratch::{Fill, Scratch};
use crate::{BLOCK, Matrix};

/// Joints whose local matrices are computed at a time. They take 6 KiB of the stack.
const SEGMENT: usize = 128;

/// The rows of eight local matrices. Register `k` of a row holds that row of the joints `k` and
/// `k + 4`, as a transposition of eight columns leaves them.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct LocalBlock {
    /// First by row, then by register.
    pub(crate) rows: [[[f32; BLOCK]; 4]; 3],
}

const ROW_BYTES: usize = size_of::<[[f32; BLOCK]; 4]>();
const QUAD_BYTES: usize = size_of::<[f32; 4]>();

/// Local matrices of a segment, which are not cleared first.
pub(crate) type LocalScratch = Scratch<LocalBlock, { SEGMENT / BLOCK }>;

/// The product of one joint, as byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    /// The parent's model matrix. Not read for roots.
    parent: u32,
    /// The first row of the local matrix, in the blocks of the segment.
    local: u32,
    /// The joint's model matrix.
    model: u32,
}

/// An order of all joints of a skeleton for local to model, checked once. Neighbors without each
/// other's results overlap in time.
///
/// Joints are in segments of 128 by their indices, and each segment has an order of its own, so
/// that the local matrices of one fit in the scratch memory of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductPlan {
    /// In order, the roots of each segment first.
    steps: Vec<Step>,
    /// The number of roots of each segment.
    roots: Vec<usize>,
}

impl ProductPlan {
    /// The most joints: their byte offsets are 32-bit numbers.
    pub const MAX_JOINTS: usize = 1 << 26;

    /// The number of joints of a segment; the last may have fewer.
    pub const SEGMENT: usize = SEGMENT;

    /// A plan of an order of all joints: segment by segment, parents before their children. A
    /// parent not below the joint's own index marks a root.
    ///
    /// # Panics
    ///
    /// When the order is another, or there are more joints than [`MAX_JOINTS`](Self::MAX_JOINTS).
    #[must_use]
    pub fn new(parents: &[u32], order: &[u32]) -> Self {
        assert!(parents.len() <= Self::MAX_JOINTS, "no more joints than a plan can have");
        assert!(order.len() == parents.len(), "as many joints in the order as parents");
        let is_root = |&&joint: &&u32| parents[joint as usize] >= joint;
        let mut done = vec![false; parents.len()];
        let mut plan = Self { steps: Vec::with_capacity(parents.len()), roots: Vec::new() };
        for order in order.chunks(SEGMENT) {
            let first = plan.steps.len();
            for joint in order {
                let index = *joint as usize;
                assert!((first..first + order.len()).contains(&index), "a joint of the segment");
                assert!(!done[index], "each joint once");
                let parent_done = is_root(&joint) || done[parents[index] as usize];
                assert!(parent_done, "parents before their children");
                done[index] = true;
            }
            let step = |&joint: &u32| Step::new(joint, parents[joint as usize], first);
            plan.steps.extend(order.iter().filter(is_root).map(step));
            plan.roots.push(plan.steps.len() - first);
            plan.steps.extend(order.iter().filter(|joint| !is_root(joint)).map(step));
        }
        plan
    }

    /// The number of joints.
    #[expect(clippy::len_without_is_empty, reason = "a skeleton is never empty")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The joints in order.
    pub fn joints(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().map(|step| step.model as usize / size_of::<Matrix>())
    }
}

impl Step {
    /// The product of a joint in the segment that begins with `first`. The parent of a root is the
    /// joint itself.
    fn new(joint: u32, parent: u32, first: usize) -> Self {
        let model = |joint: u32| joint * size_of::<Matrix>() as u32;
        let (block, lane) = ((joint as usize - first) / BLOCK, joint as usize % BLOCK);
        let quad = 2 * (lane % 4) + lane / 4;
        Self {
            parent: model(parent.min(joint)),
            local: (block * size_of::<LocalBlock>() + quad * QUAD_BYTES) as u32,
            model: model(joint),
        }
    }
}

/// The products of one segment of a plan, with what they read and write. Before, local matrices are
/// in place of the model matrices or apart from them.
pub(crate) struct SegmentProducts<'a, const IN_PLACE: bool> {
    steps: &'a [Step],
    /// At least the plan's number of joints.
    models: &'a mut [Matrix],
    /// One for each eight steps, unless in place.
    locals: &'a [LocalBlock],
}

/// The number of segments of a plan.
#[inline(always)]
pub(crate) fn segments(plan: &ProductPlan) -> usize {
    plan.roots.len()
}

impl<'a> SegmentProducts<'a, true> {
    /// The products of a segment, and the number of its roots, with which they begin.
    #[inline(always)]
    pub(crate) fn in_place(
        plan: &'a ProductPlan,
        segment: usize,
        models: &'a mut [Matrix],
    ) -> Option<(Self, usize)> {
        let (steps, roots) = steps(plan, segment, models)?;
        Some((Self { steps, models, locals: &[] }, roots))
    }
}

impl<'a> SegmentProducts<'a, false> {
    /// The same with local matrices apart, which are written to `scratch`.
    #[inline(always)]
    pub(crate) fn apart(
        plan: &'a ProductPlan,
        segment: usize,
        models: &'a mut [Matrix],
        scratch: &'a mut LocalScratch,
        locals: impl Fill<LocalBlock>,
    ) -> Option<(Self, usize)> {
        let (steps, roots) = steps(plan, segment, models)?;
        let blocks = steps.len().div_ceil(BLOCK);
        let locals = scratch.fill(blocks, locals);
        assert!(locals.len() == blocks, "a local matrix for every joint of the plan");
        Some((Self { steps, models, locals }, roots))
    }
}

/// The steps of a segment, and how many of them are of roots.
#[inline(always)]
fn steps<'a>(plan: &'a ProductPlan, segment: usize, models: &[Matrix]) -> Option<(&'a [Step], usize)> {
    assert!(plan.steps.len() <= models.len(), "a matrix for every joint of the plan");
    let &roots = plan.roots.get(segment)?;
    let steps = plan.steps.get(segment * SEGMENT..)?;
    Some((steps.get(..SEGMENT).unwrap_or(steps), roots))
}

impl<const IN_PLACE: bool> SegmentProducts<'_, IN_PLACE> {
    /// The number of products.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Says which model matrix a product writes, or reads as its parent.
    #[inline(always)]
    pub(crate) fn model_offsets(&self, i: usize) -> Option<ModelOffsets> {
        self.steps.get(i).map(|step| ModelOffsets { parent: step.parent, model: step.model })
    }

    /// The parent's model matrix.
    #[inline(always)]
    pub(crate) fn parent(&self, i: usize) -> Option<&Matrix> {
        Some(self.model(self.steps.get(i)?.parent))
    }

    /// The joint's model matrix.
    #[inline(always)]
    pub(crate) fn model_mut(&mut self, i: usize) -> Option<&mut Matrix> {
        let offset = self.steps.get(i)?.model as usize;
        debug_assert!(offset < size_of_val(self.models));
        let model = self.models.as_mut_ptr().wrapping_byte_add(offset);
        // SAFETY: the plan's offset is that of a matrix below the number of joints, and `steps`
        // checked the number of models.
        Some(unsafe { &mut *model })
    }

    /// The rows of the local matrix.
    #[inline(always)]
    pub(crate) fn local(&self, i: usize) -> Option<[&[f32; 4]; 3]> {
        let step = self.steps.get(i)?;
        if IN_PLACE {
            let Matrix { rows: [a, b, c] } = self.model(step.model);
            return Some([a, b, c]);
        }
        let offset = step.local as usize;
        debug_assert!(offset + 2 * ROW_BYTES < size_of_val(self.locals));
        let row = |r: usize| {
            let first = self.locals.as_ptr().cast::<[f32; 4]>();
            let row = first.wrapping_byte_add(offset + r * ROW_BYTES);
            // SAFETY: the plan's offset is that of a quad in the first row of a block that the
            // segment has, and `apart` filled the segment's blocks; other rows follow in the same
            // block.
            unsafe { &*row }
        };
        Some([row(0), row(1), row(2)])
    }

    /// The model matrix at an offset of one of the steps.
    #[inline(always)]
    fn model(&self, offset: u32) -> &Matrix {
        debug_assert!((offset as usize) < size_of_val(self.models));
        let model = self.models.as_ptr().wrapping_byte_add(offset as usize);
        // SAFETY: the plan's offset is that of a matrix below the number of joints, and `steps`
        // checked the number of models.
        unsafe { &*model }
    }
}

/// Where a product reads and writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ModelOffsets {
    /// The parent's matrix.
    pub(crate) parent: u32,
    /// The joint's matrix.
    pub(crate) model: u32,
}
