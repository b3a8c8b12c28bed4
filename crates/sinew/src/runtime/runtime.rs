//! The runtime: a backend and a float mode.

use std::fmt;

use sinew_kernels::backend::{self, Unavailable};
use sinew_kernels::{Backend, FloatMode, Kernels};

/// The backend and float mode that a skeleton, and everything built from it, runs on.
///
/// It is given once, to [`Skeleton::with_runtime`](crate::skeleton::Skeleton::with_runtime). Poses,
/// skins, clips and meshes carry the runtime of the skeleton that they are built from.
#[derive(Clone, Copy)]
pub struct Runtime {
    kernels: &'static Kernels,
    /// `None` for kernels that belong to no backend, such as a test oracle.
    backend: Option<&'static Backend>,
    float_mode: FloatMode,
}

impl Runtime {
    /// The backend that the environment variable `SINEW_ISA` names, or the fastest one that this
    /// machine supports.
    ///
    /// # Errors
    ///
    /// When `SINEW_ISA` names a backend that is unknown or not available.
    pub fn new(float_mode: FloatMode) -> Result<Self, Unavailable> {
        Ok(Self::with_backend(backend::default()?, float_mode))
    }

    /// A given backend. [`backend::find`] finds one by name.
    #[must_use]
    pub fn with_backend(backend: &'static Backend, float_mode: FloatMode) -> Self {
        Self { kernels: backend.kernels(float_mode), backend: Some(backend), float_mode }
    }

    /// Kernels that belong to no backend, such as a test oracle.
    #[must_use]
    pub fn from_kernels(kernels: &'static Kernels, float_mode: FloatMode) -> Self {
        Self { kernels, backend: None, float_mode }
    }

    /// The backend, or `None` for kernels that belong to no backend.
    #[must_use]
    pub fn backend(self) -> Option<&'static Backend> {
        self.backend
    }

    /// The float mode.
    #[must_use]
    pub fn float_mode(self) -> FloatMode {
        self.float_mode
    }

    /// The compiled kernels of the backend for the float mode.
    #[must_use]
    pub fn kernels(self) -> &'static Kernels {
        self.kernels
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let backend = self.backend.map_or("no backend", Backend::name);
        f.debug_struct("Runtime").field("backend", &backend).field("float_mode", &self.float_mode).finish()
    }
}

/// Two runtimes are equal if they use the same kernels.
impl PartialEq for Runtime {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.kernels, other.kernels)
    }
}
