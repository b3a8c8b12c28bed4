//! Skeletal animation and skinning on the CPU.

#![forbid(unsafe_code)]
