//! The methods of the papers sinew starts from, as they describe them: baselines to compare with.
