//! Biovision BVH: a hierarchy of joints, and one motion.
//!
//! Each joint and each end site is a node. Position channels replace the components of a joint's
//! offset, as the programs that write them mean it. The mesh is a stick from each joint to each of
//! its children. Axes and units stay as stored; +Y is up.

mod euler;
mod hierarchy;
mod import;
mod motion;
mod sticks;
mod tokens;

pub(crate) use import::BvhImporter;
