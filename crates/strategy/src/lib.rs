//! `libstoneline_strategy.so`: the two C functions by which the course's judge
//! asks an engine for moves.
//!
//! Owns the boundary: reading what the host passes, keeping a tree between
//! calls, and an answer whatever happens. Exports `getPoint` and `clearPoint`
//! and nothing else, writes nothing to stdout, and lets no panic out.

mod abi;
#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
mod old_glibc;
mod player;
mod settings;
