//! Tests of the MD5 importer that need its private functions: clips on their own, error locations,
//! memory limits, and files made to break importers.

mod error_locations;
mod large_counts;
mod memory;
mod mutations;
mod support;
mod tga;
mod verdicts;
