//! Models and clips of MD5: made by rule and compared with an evaluation that shares nothing with the reader, and real
//! ones compared with the oracle beside the models.

mod ball;
mod real;
mod rule;
mod skinned;
mod stored;
