//! The skinning methods that a picture can show side by side.

use std::fmt;
use std::num::NonZero;
use std::str::FromStr;

use sinew::skinning::SkinMethod;

/// A skinning method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparedMethod {
    /// Linear blend skinning with all influences.
    Linear,
    /// Dual-quaternion skinning with all influences.
    Dual,
    /// Linear blend skinning with the largest weights only, this many.
    Influences(NonZero<usize>),
}

/// Two different methods. Parsed from two of `linear`, `dual` and `influences:N`, separated by a
/// comma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodPair(pub [ComparedMethod; 2]);

impl ComparedMethod {
    /// The blending of joints.
    #[must_use]
    pub fn skin_method(self) -> SkinMethod {
        match self {
            Self::Dual => SkinMethod::DualQuaternion,
            Self::Linear | Self::Influences(_) => SkinMethod::Linear,
        }
    }

    /// The most influences per vertex; `None` for all.
    #[must_use]
    pub fn max_influences(self) -> Option<usize> {
        match self {
            Self::Influences(max) => Some(max.get()),
            Self::Linear | Self::Dual => None,
        }
    }
}

impl fmt::Display for ComparedMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linear => write!(f, "linear blending"),
            Self::Dual => write!(f, "dual quaternions"),
            Self::Influences(max) if max.get() == 1 => write!(f, "1 influence"),
            Self::Influences(max) => write!(f, "{max} influences"),
        }
    }
}

impl FromStr for MethodPair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let method = |text: &str| match text.split_once(':') {
            None if text == "linear" => Some(ComparedMethod::Linear),
            None if text == "dual" => Some(ComparedMethod::Dual),
            Some(("influences", max)) => Some(ComparedMethod::Influences(max.parse().ok()?)),
            _ => None,
        };
        let pair = text.split_once(',').and_then(|(a, b)| Some([method(a)?, method(b)?]));
        match pair {
            Some([a, b]) if a != b => Ok(Self([a, b])),
            _ => Err("expected two of linear, dual and influences:N, separated by a comma".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_two_different_methods() {
        for good in ["linear,dual", "dual,linear", "influences:1,linear", "influences:2,influences:3"] {
            assert!(good.parse::<MethodPair>().is_ok(), "{good}");
        }
        for bad in [
            "",
            ",",
            "linear",
            "linear,linear",
            "linear,dual,linear",
            "influences:0,linear",
            "influences,dual",
            "dual:1,linear",
        ] {
            assert!(bad.parse::<MethodPair>().is_err(), "{bad}");
        }
    }
}
