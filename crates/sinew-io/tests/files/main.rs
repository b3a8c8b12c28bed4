//! The tests of files, one program: fifteen would take long to link. One has a process to itself.

mod atomic_files;
mod bounds;
mod cuts_and_flips;
mod documents;
mod generated;
mod golden;
mod hostile;
mod justified;
mod md5;
mod outside;
mod pictures;
mod places;
mod posed;
mod surfaces;
mod tangents;
mod writing;
mod writing_glb;
mod written;
