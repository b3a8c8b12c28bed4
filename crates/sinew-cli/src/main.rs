//! The program `sinew`.

#![forbid(unsafe_code)]

fn main() {}
