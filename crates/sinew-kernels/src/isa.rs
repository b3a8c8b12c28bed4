//! Which instruction set runs: detected once, or asked for by name.

use std::sync::OnceLock;

#[cfg(feature = "oracle")]
use crate::table::{FUSED_ORACLE, Kernels};
use crate::table::{ROWS, Row};

/// Every name there is, on any target.
pub const NAMES: [&str; 6] = ["plain", "sse2", "avx2", "avx512", "neon", "simd128"];

/// The environment variable that overrides detection by name. Empty counts as unset.
pub const OVERRIDE: &str = "SINEW_ISA";

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
    Lacking {
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
            Self::Lacking { features, .. } => format!("this CPU lacks {}", features.join(", ")),
        }
    }
}

impl std::fmt::Display for Unavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let reason = self.reason();
        match self {
            Self::Unknown { name } => write!(f, "unknown instruction set {name:?}: {reason}"),
            Self::OtherTarget { name } | Self::Lacking { name, .. } => {
                write!(f, "instruction set {name:?} is not available: {reason}")
            }
        }
    }
}

impl std::error::Error for Unavailable {}

/// The rows this machine can run, the slowest first.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(|row| (row.lacking)().is_empty())
}

/// A row by name, `None` where this machine cannot run it.
#[must_use]
pub fn row(name: &str) -> Option<&'static Row> {
    find(name).ok()
}

/// A row by name, or the reason why not.
///
/// # Errors
///
/// [`Unavailable`], with what is missing.
pub fn find(name: &str) -> Result<&'static Row, Unavailable> {
    let Some(name) = NAMES.into_iter().find(|known| *known == name) else {
        return Err(Unavailable::Unknown { name: name.to_owned() });
    };
    let Some(row) = ROWS.iter().find(|row| row.name == name) else {
        return Err(Unavailable::OtherTarget { name });
    };
    let features = (row.lacking)();
    if features.is_empty() { Ok(row) } else { Err(Unavailable::Lacking { name, features }) }
}

/// The slowest row, which every machine of this target can run.
#[must_use]
pub fn baseline() -> &'static Row {
    &ROWS[0]
}

/// The fastest row of this machine, whatever the environment says.
#[must_use]
pub fn detected() -> &'static Row {
    rows().last().unwrap_or(baseline())
}

/// The row that everything uses unless told otherwise: the one [`OVERRIDE`] names, or the fastest. The
/// environment is read at the first call only.
///
/// # Errors
///
/// [`Unavailable`] when the variable names a row that is not there.
pub fn chosen() -> Result<&'static Row, Unavailable> {
    static CHOICE: OnceLock<Result<&'static Row, Unavailable>> = OnceLock::new();
    CHOICE
        .get_or_init(|| match std::env::var_os(OVERRIDE) {
            Some(name) if !name.is_empty() => find(&name.to_string_lossy()),
            _ => Ok(detected()),
        })
        .clone()
}

/// Plain lanes that multiply and add in one rounding, in software: slow, and what the fast rounding of a row
/// that [fuses](Row::fuses) is compared with.
#[cfg(feature = "oracle")]
#[must_use]
pub fn fused_oracle() -> &'static Kernels {
    &FUSED_ORACLE
}
