//! The lower half as a whole: small documents made here, and the shared models and broken files where they are.

mod accessors;
mod compressed;
mod files;
mod hostile;
mod made;
