//! The tests of importing and writing files, in one program: fifteen would take long to link. Only
//! `baking_memory.rs` needs a process of its own.

mod atomic_files;
mod bounds;
mod bvh;
mod glb_export;
mod gltf_features;
mod golden_poses;
mod images;
mod md5;
mod memory;
mod mesh_files;
mod mutations;
mod primitives;
mod random_scenes;
mod sandbox;
mod support;
mod tangents;
mod verdicts;
mod vrm;
