//! For tests only: random rigs, tolerances, and every backend of the machine in turn.

#![forbid(unsafe_code)]

pub mod backends;
pub mod batch;
pub mod checksum;
pub mod clips;
pub mod dual_quaternions;
pub mod expected_vertex;
pub mod guarded;
pub mod per_vertex_joints;
pub mod pose_blocks;
pub mod pre_weighted;
pub mod random;
pub mod rigs;
pub mod shared_joints;
pub mod skin_properties;
pub mod streams;
pub mod tolerance;
