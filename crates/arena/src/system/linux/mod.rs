//! Linux: fences, supervisors, hosted libraries, cores of a thread's own.

mod cores;
mod fence;
mod library;

pub(crate) use cores::{allowed_cores, keep_on_cores};
pub(crate) use fence::{confine, end, missing, supervise, supervised};
pub(crate) use library::speak_for_library;
