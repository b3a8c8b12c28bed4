//! Two methods beside each other.

use std::fmt;
use std::num::NonZero;
use std::str::FromStr;

use sinew::JointBlend;

/// What takes vertices where joints are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// Matrices, all influences.
    Linear,
    /// Dual quaternions, all influences.
    Dual,
    /// Matrices, of the strongest influences only.
    Influences(NonZero<usize>),
}

/// Two methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair(pub(super) [Method; 2]);

impl Method {
    pub(super) fn joint_blend(self) -> JointBlend {
        match self {
            Self::Dual => JointBlend::Duals,
            Self::Linear | Self::Influences(_) => JointBlend::Linear,
        }
    }

    pub(super) fn max_influences(self) -> Option<usize> {
        match self {
            Self::Influences(most) => Some(most.get()),
            Self::Linear | Self::Dual => None,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linear => write!(f, "linear blending"),
            Self::Dual => write!(f, "dual quaternions"),
            Self::Influences(most) if most.get() == 1 => write!(f, "1 influence"),
            Self::Influences(most) => write!(f, "{most} influences"),
        }
    }
}

impl FromStr for Pair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let method = |text: &str| match text.split_once(':') {
            None if text == "linear" => Some(Method::Linear),
            None if text == "dual" => Some(Method::Dual),
            Some(("influences", most)) => Some(Method::Influences(most.parse().ok()?)),
            _ => None,
        };
        let pair = text.split_once(',').and_then(|(a, b)| Some([method(a)?, method(b)?]));
        match pair {
            Some([a, b]) if a != b => Ok(Self([a, b])),
            _ => Err("expected two of linear, dual and influences:N, with a comma between".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_two_methods_make_a_pair() {
        for good in ["linear,dual", "dual,linear", "influences:1,linear", "influences:2,influences:3"] {
            assert!(good.parse::<Pair>().is_ok(), "{good}");
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
            assert!(bad.parse::<Pair>().is_err(), "{bad}");
        }
    }
}
