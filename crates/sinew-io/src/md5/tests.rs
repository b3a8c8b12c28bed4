//! What only the inside of the reader shows.
