//! What only the inside of the reader shows: clips on their own, and files that were made to break it.

mod faults;
mod hostile;
mod justified;
mod large;
mod mutated;
mod texts;
