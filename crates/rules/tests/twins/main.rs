//! Every fast routine of the crate meets a slow, obvious twin.

mod naive;
mod perft;
mod properties;
