//! MD5 models and clips: random ones against an independent evaluation, and real ones against the
//! oracle that comes with the models.

mod pictures;
mod real_models;
mod repairs;
mod round_trip;
