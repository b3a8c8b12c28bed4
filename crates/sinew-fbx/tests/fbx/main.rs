//! Tests on the files of `SINEW_DATA`, and on a generated one.

mod evaluation;
mod generated;
mod hostile;
mod hostile_products;
mod mutations;
mod references;
mod support;
