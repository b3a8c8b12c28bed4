//! Sparse accessors: few elements that differ from the rest. (Being written.)
