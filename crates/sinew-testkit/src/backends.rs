//! Every backend of this machine in turn, in both float modes.

use std::io::Write;
use std::sync::Once;

use sinew_kernels::{Backend, FloatMode, Kernels, backend};

/// The environment variable with a comma-separated list of backends that must not be skipped.
pub const REQUIRE: &str = "SINEW_REQUIRE";

/// Whether this target usually runs in an emulator. Tests then take fewer random cases of every
/// kind.
pub const EMULATED: bool = cfg!(any(target_arch = "aarch64", target_arch = "wasm32"));

/// The backends of this architecture.
const HERE: &[&str] = if cfg!(target_arch = "x86_64") {
    &["plain", "sse2", "avx2", "avx512"]
} else if cfg!(target_arch = "aarch64") {
    &["plain", "neon"]
} else if cfg!(target_arch = "wasm32") {
    &["plain", "simd128"]
} else {
    &["plain"]
};

/// One backend in one float mode.
#[derive(Clone, Copy, Debug)]
pub struct BackendRun {
    /// The backend.
    pub backend: &'static Backend,
    /// The float mode of `kernels`.
    pub float_mode: FloatMode,
    /// The kernels to test.
    pub kernels: &'static Kernels,
}

impl BackendRun {
    /// A backend in a float mode.
    #[must_use]
    pub fn new(backend: &'static Backend, float_mode: FloatMode) -> Self {
        Self { backend, float_mode, kernels: backend.kernels(float_mode) }
    }

    /// The kernels on plain lanes that round in the same way.
    ///
    /// # Panics
    ///
    /// Never: the feature has plain lanes.
    #[cfg(feature = "oracle")]
    #[must_use]
    pub fn oracle(&self) -> &'static Kernels {
        if self.fuses() {
            return backend::fused_oracle();
        }
        backend::get("plain").expect("the feature has plain lanes").kernels(self.float_mode)
    }

    /// Whether multiply-adds are fused, rounded once.
    #[must_use]
    pub fn fuses(&self) -> bool {
        self.float_mode == FloatMode::Fast && self.backend.fuses()
    }

    /// Checks one of two checksums: `fused` where this run [fuses](Self::fuses), `reproducible`
    /// otherwise. They are the same on every machine, whatever its vendor.
    ///
    /// # Panics
    ///
    /// When the checksum differs.
    #[track_caller]
    pub fn assert_checksum(&self, found: u64, Checksums { reproducible, fused }: Checksums) {
        let expected = if self.fuses() { fused } else { reproducible };
        assert_eq!(format!("{found:016x}"), expected, "{self}");
    }
}

/// The expected checksums of a fixed workload, in hexadecimal.
#[derive(Clone, Copy, Debug)]
pub struct Checksums {
    /// In reproducible mode on every backend, and in fast mode on every backend that does not fuse.
    pub reproducible: &'static str,
    /// In fast mode on every backend that fuses.
    pub fused: &'static str,
}

impl std::fmt::Display for BackendRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.backend.name(), self.float_mode)
    }
}

/// Calls the test for every backend of this machine in both float modes, plain lanes first.
///
/// Backends of this architecture that the CPU lacks are printed as skipped. `SINEW_ISA` selects
/// only the named backend and plain lanes.
///
/// # Panics
///
/// When [`REQUIRE`] or `SINEW_ISA` names a backend that this machine lacks.
pub fn every_backend(mut test: impl FnMut(BackendRun)) {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let chosen = choose(variable(backend::ENV_VAR).as_deref(), variable(REQUIRE).as_deref());
    let Choice { backends, skipped } = chosen.unwrap_or_else(|reason| panic!("{reason}"));
    static PRINTED: Once = Once::new();
    PRINTED.call_once(|| {
        for line in skipped {
            // Not captured by the test harness, so that it is in the log. A closed log is no error.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    });
    for backend in backends {
        test(BackendRun::new(backend, FloatMode::Fast));
        test(BackendRun::new(backend, FloatMode::Reproducible));
    }
}

/// The backends to run, and a line per skipped one.
struct Choice {
    backends: Vec<&'static Backend>,
    skipped: Vec<String>,
}

fn choose(only: Option<&str>, require: Option<&str>) -> Result<Choice, String> {
    for name in require.unwrap_or_default().split(',').map(str::trim).filter(|name| !name.is_empty()) {
        backend::find(name).map_err(|error| format!("{REQUIRE} lists {name}, but {error}"))?;
    }
    if let Some(only) = only {
        backend::find(only).map_err(|error| format!("{} names {only}, but {error}", backend::ENV_VAR))?;
    }
    let mut choice = Choice { backends: Vec::new(), skipped: Vec::new() };
    for name in HERE {
        match backend::find(name) {
            Ok(_) if only.is_some_and(|only| only != *name && *name != "plain") => {
                choice.skipped.push(format!("skipped: {name} ({} is set)", backend::ENV_VAR));
            }
            Ok(backend) => choice.backends.push(backend),
            Err(error) => choice.skipped.push(format!("skipped: {name} ({})", error.reason())),
        }
    }
    Ok(choice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(only: Option<&str>, require: Option<&str>) -> Result<Vec<&'static str>, String> {
        choose(only, require).map(|choice| choice.backends.into_iter().map(Backend::name).collect())
    }

    #[test]
    fn by_default_every_backend_of_the_machine_runs() {
        let backends: Vec<_> = backend::available().map(Backend::name).collect();
        assert_eq!(names(None, None), Ok(backends));
    }

    #[test]
    fn every_backend_that_does_not_run_is_listed_as_skipped() {
        let Ok(Choice { backends, skipped }) = choose(None, None) else { panic!("nothing was required") };
        assert_eq!(backends.len() + skipped.len(), HERE.len());
        assert!(skipped.iter().all(|line| line.starts_with("skipped: ")));
    }

    #[test]
    fn a_selected_backend_runs_with_plain_lanes_only() {
        let fastest = backend::fastest().name();
        let mut expected = vec!["plain", fastest];
        expected.dedup();
        assert_eq!(names(Some(fastest), None), Ok(expected));
    }

    #[test]
    fn a_required_backend_that_is_present_is_no_error() {
        let required = format!("plain, {}", backend::fastest().name());
        assert!(names(None, Some(&required)).is_ok());
    }

    #[test]
    fn a_required_backend_that_is_absent_is_named_with_the_reason() {
        let absent = if cfg!(target_arch = "aarch64") { "sse2" } else { "neon" };
        let reason = names(None, Some(&format!("plain,{absent}"))).expect_err("it is absent");
        assert!(
            reason.starts_with(&format!("SINEW_REQUIRE lists {absent}, but instruction set")),
            "{reason}"
        );
        let reason = names(Some("mmx"), None).expect_err("there is no such backend");
        assert!(reason.starts_with("SINEW_ISA names mmx, but unknown instruction set"), "{reason}");
    }
}
