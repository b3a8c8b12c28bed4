//! Backends: the kernels compiled for one instruction set each, detected once or selected by name.

use std::sync::OnceLock;

use crate::table::{BACKENDS, Backend};
#[cfg(feature = "oracle")]
use crate::table::{FUSED_ORACLE, Kernels};

/// The names of all backends, on any target.
pub const NAMES: [&str; 6] = ["plain", "sse2", "avx2", "avx512", "neon", "simd128"];

/// The environment variable that selects a backend by name. An empty value counts as unset.
pub const ENV_VAR: &str = "SINEW_ISA";

/// The reason why a backend cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// No backend has this name.
    Unknown {
        /// The name that was looked up.
        name: String,
    },
    /// The backend is not compiled into this program: it belongs to another CPU architecture, or it
    /// is `plain`, which is left out by default.
    OtherTarget {
        /// The name that was looked up.
        name: &'static str,
    },
    /// The CPU does not report these features.
    MissingFeatures {
        /// The name that was looked up.
        name: &'static str,
        /// The missing CPU features.
        features: Vec<&'static str>,
    },
}

impl Unavailable {
    /// The reason, without the name of the backend.
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

/// The backends that this machine can run, slowest first.
pub fn available() -> impl Iterator<Item = &'static Backend> {
    BACKENDS.iter().filter(|backend| (backend.missing_features)().is_empty())
}

/// The backend with this name; `None` if this machine cannot run it.
#[must_use]
pub fn get(name: &str) -> Option<&'static Backend> {
    find(name).ok()
}

/// The backend with this name, or the reason why it is unavailable.
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

/// The fastest backend that this machine can run. The environment does not affect it.
#[must_use]
pub fn fastest() -> &'static Backend {
    available().last().unwrap_or(baseline())
}

/// The default backend: the one that [`ENV_VAR`] names, else the fastest. The environment is read
/// at the first call only.
///
/// # Errors
///
/// [`Unavailable`] if the variable names a backend that this machine cannot run.
pub fn default() -> Result<&'static Backend, Unavailable> {
    static CHOICE: OnceLock<Result<&'static Backend, Unavailable>> = OnceLock::new();
    CHOICE
        .get_or_init(|| match std::env::var_os(ENV_VAR) {
            Some(name) if !name.is_empty() => find(&name.to_string_lossy()),
            _ => Ok(fastest()),
        })
        .clone()
}

/// Plain lanes with fused multiply-add in software: slow, the oracle for the fast mode of backends
/// that [fuse](Backend::fuses).
#[cfg(feature = "oracle")]
#[must_use]
pub fn fused_oracle() -> &'static Kernels {
    &FUSED_ORACLE
}
