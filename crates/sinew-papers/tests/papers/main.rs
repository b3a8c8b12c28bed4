//! The published methods against `f64`, each within its stated tolerance.

mod joints;
mod planes;
mod skin;
