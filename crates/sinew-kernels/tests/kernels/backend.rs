//! Selecting a backend: names, and the errors for backends that are unavailable.

use sinew_kernels::backend::{self, Unavailable};
use sinew_kernels::{Backend, FloatMode};
use sinew_testkit::backends::every_backend;

#[test]
fn an_unknown_name_gives_an_error_that_lists_the_known_ones() {
    for name in ["AVX2", "avx", "", "sse2 ", "mmx"] {
        assert!(backend::get(name).is_none());
        let error = backend::find(name).expect_err("there is no such backend");
        assert_eq!(error, Unavailable::Unknown { name: name.to_owned() });
        let expected = format!(
            "unknown instruction set {name:?}: expected one of plain, sse2, avx2, avx512, neon, simd128"
        );
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_backend_of_another_architecture_is_unavailable() {
    let name = if cfg!(target_arch = "aarch64") { "avx2" } else { "neon" };
    assert!(backend::get(name).is_none());
    let error = backend::find(name).expect_err("it is another processor's");
    assert_eq!(error, Unavailable::OtherTarget { name });
    let expected = format!(
        "instruction set {name:?} is not available: not in a program built for {}",
        std::env::consts::ARCH
    );
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_backend_the_cpu_cannot_run_names_the_missing_features() {
    for name in backend::NAMES {
        match backend::find(name) {
            Ok(backend) => {
                assert_eq!(backend.name(), name);
                assert_eq!(backend::get(name).map(Backend::name), Some(name));
            }
            Err(error) => {
                assert!(backend::get(name).is_none());
                if let Unavailable::MissingFeatures { features, .. } = &error {
                    assert!(!features.is_empty());
                    let expected = format!("this CPU lacks {}", features.join(", "));
                    assert!(error.to_string().ends_with(&expected), "{error}");
                }
            }
        }
    }
}

#[test]
fn the_error_text_names_backend_and_missing_features() {
    let error = Unavailable::MissingFeatures { name: "avx512", features: vec!["avx512f", "avx512vl"] };
    let expected = "instruction set \"avx512\" is not available: this CPU lacks avx512f, avx512vl";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn plain_lanes_are_available_and_first() {
    let names: Vec<_> = backend::available().map(Backend::name).collect();
    assert_eq!(names[0], "plain");
    assert_eq!(names.last(), Some(&backend::fastest().name()));
    assert!(names.iter().all(|name| backend::NAMES.contains(name)));
}

#[test]
fn the_default_backend_is_the_one_named_or_the_fastest() {
    let named = std::env::var(backend::ENV_VAR).ok().filter(|name| !name.is_empty());
    let expected = named.unwrap_or_else(|| backend::fastest().name().to_owned());
    assert_eq!(backend::default().map(Backend::name), Ok(&*expected));
}

#[test]
fn every_backend_describes_itself() {
    every_backend(|run| {
        assert!(run.backend.description().contains("lanes"), "{run}");
        assert_eq!(format!("{:?}", run.backend), format!("Backend({})", run.backend.name()));
        assert!(std::ptr::eq(run.kernels, run.backend.kernels(run.float_mode)));
        assert_eq!(run.backend.fuses(), matches!(run.backend.name(), "avx2" | "avx512" | "neon"));
    });
    assert_eq!(FloatMode::default(), FloatMode::Fast);
}
