//! Normalizes and sorts the influences of one vertex without branches, for the weights that nearly
//! all files have.

use super::small_sort::sort_few;

/// The smallest weight that is taken: 2^-27. Weights from here to one are multiples of 2^-50, so
/// the sum of eight of them is exact in `f64`, in any order, and no weight is insignificant.
const MIN_WEIGHT_BITS: u32 = (1.0 / (1_u32 << 27) as f32).to_bits();
const MAX_WEIGHT_BITS: u32 = 1.0_f32.to_bits();

/// Normalized influences, strongest first; the lower joint first among equal weights.
pub(super) struct NormalizedFew<const N: usize> {
    pub(super) joints: [u32; N],
    pub(super) weights: [f32; N],
    /// The number of influences with weight, which come first.
    pub(super) len: usize,
}

impl<const N: usize> NormalizedFew<N> {
    /// Normalizes the influences of a vertex. `None` if a joint is not below `skin_len` or has
    /// weight twice, if no joint has weight, or if a weight is neither zero nor from 2^-27 to one.
    #[inline(always)]
    pub(super) fn new(joints: &[u16; N], weights: &[f32; N], skin_len: usize) -> Option<Self> {
        let (mut sound, mut len, mut sum) = (true, 0, 0.0);
        // Joints without weight differ from all others.
        let mut distinct = [0_u32; N];
        for i in 0..N {
            let (joint, bits) = (u32::from(joints[i]), weights[i].to_bits());
            let is_zero = bits == 0;
            let in_range = bits.wrapping_sub(MIN_WEIGHT_BITS) <= MAX_WEIGHT_BITS - MIN_WEIGHT_BITS;
            sound &= (is_zero | in_range) & ((joint as usize) < skin_len);
            len += usize::from(!is_zero);
            distinct[i] = joint | (u32::from(is_zero) * ((i as u32 + 1) << 16));
            sum += f64::from(weights[i]);
        }
        for i in 1..N {
            for j in 0..i {
                sound &= distinct[i] != distinct[j];
            }
        }
        if !sound | (len == 0) {
            return None;
        }
        // The weight, largest first, then the joint. The bits of positive numbers are in order, and
        // those of zero come last.
        let mut keys = [0_u64; N];
        for i in 0..N {
            let fraction = (f64::from(weights[i]) / sum) as f32;
            keys[i] = (u64::from(!fraction.to_bits()) << 32) | u64::from(joints[i]);
        }
        sort_few(&mut keys);
        let (mut joints, mut weights) = ([0; N], [0.0; N]);
        for i in 0..N {
            joints[i] = keys[i] as u32;
            weights[i] = f32::from_bits(!(keys[i] >> 32) as u32);
        }
        Some(Self { joints, weights, len })
    }
}
