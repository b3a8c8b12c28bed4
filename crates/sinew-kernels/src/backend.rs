//! Which instruction set runs: detected once, or asked for by name.

use std::sync::OnceLock;

use crate::table::{BACKENDS, Backend};
#[cfg(feature = "oracle")]
use crate::table::{FUSED_ORACLE, Kernels};

/// Every name there is, on any target.
pub const NAMES: [&str; 6] = ["plain", "sse2", "avx2", "avx512", "neon", "simd128"];

/// The environment variable that overrides detection by name. Empty counts as unset.
pub const ENV_VAR: &str = "SINEW_ISA";

/// Why an instruction set asked for by name cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// No instruction set has this name.
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The program was compiled for another kind of processor, or, where plain lanes were asked
    /// for, without them.
    OtherTarget {
        /// What was asked for.
        name: &'static str,
    },
    /// The CPU does not report these features.
    MissingFeatures {
        /// What was asked for.
        name: &'static str,
        /// What the CPU lacks.
        features: Vec<&'static str>,
    },
}

impl Unavailable {
    /// What stands in the way, without the name of the instruction set.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::Unknown { .. } => format!("expected one of {}", NAMES.join(", ")),
            Self::OtherTarget { name: "simd128" } if cfg!(target_arch = "wasm32") => {
                "this program was built without -C target-feature=+simd128".to_owned()
            }
            Self::OtherTarget { name: "plain" } => {
                "this program was built without the feature `oracle` of sinew-kernels".to_owned()
            }
            Self::OtherTarget { .. } => format!("not in a program built for {}", std::env::consts::ARCH),
            Self::MissingFeatures { features, .. } => format!("this CPU lacks {}", features.join(", ")),
        }
    }
}

impl std::fmt::Display for Unavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let reason = self.reason();
        match self {
            Self::Unknown { name } => write!(f, "unknown instruction set {name:?}: {reason}"),
            Self::OtherTarget { name } | Self::MissingFeatures { name, .. } => {
                write!(f, "instruction set {name:?} is not available: {reason}")
            }
        }
    }
}

impl std::error::Error for Unavailable {}

/// The rows this machine can run, the slowest first.
pub fn available() -> impl Iterator<Item = &'static Backend> {
    BACKENDS.iter().filter(|backend| (backend.missing_features)().is_empty())
}

/// A backend by name, `None` where this machine cannot run it.
#[must_use]
pub fn get(name: &str) -> Option<&'static Backend> {
    find(name).ok()
}

/// A backend by name, or the reason why not.
///
/// # Errors
///
/// [`Unavailable`], with what is missing.
pub fn find(name: &str) -> Result<&'static Backend, Unavailable> {
    let Some(name) = NAMES.into_iter().find(|known| *known == name) else {
        return Err(Unavailable::Unknown { name: name.to_owned() });
    };
    let Some(backend) = BACKENDS.iter().find(|backend| backend.name == name) else {
        return Err(Unavailable::OtherTarget { name });
    };
    let features = (backend.missing_features)();
    if features.is_empty() { Ok(backend) } else { Err(Unavailable::MissingFeatures { name, features }) }
}

/// The slowest backend, which every machine of this target can run.
#[must_use]
pub fn baseline() -> &'static Backend {
    &BACKENDS[0]
}

/// The fastest backend of this machine, whatever the environment says.
#[must_use]
pub fn fastest() -> &'static Backend {
    available().last().unwrap_or(baseline())
}

/// The backend that everything uses unless told otherwise: the one [`ENV_VAR`] names, or the fastest. The
/// environment is read at the first call only.
///
/// # Errors
///
/// [`Unavailable`] when the variable names a backend that is not there.
pub fn default() -> Result<&'static Backend, Unavailable> {
    static CHOICE: OnceLock<Result<&'static Backend, Unavailable>> = OnceLock::new();
    CHOICE
        .get_or_init(|| match std::env::var_os(ENV_VAR) {
            Some(name) if !name.is_empty() => find(&name.to_string_lossy()),
            _ => Ok(fastest()),
        })
        .clone()
}

/// Plain lanes that multiply and add in one rounding, in software: slow, and what the fast mode of a backend
/// that [fuses](Backend::fuses) is compared with.
#[cfg(feature = "oracle")]
#[must_use]
pub fn fused_oracle() -> &'static Kernels {
    &FUSED_ORACLE
}
