//! The protocols by which k-in-a-row engines are driven, as pure translation.
//!
//! Owns both sides of each: what an engine hears and says, and what a manager
//! of engines says and hears. Opens no socket, starts no process, reads no
//! clock. Text from outside never panics here and never takes unbounded
//! memory; what makes no sense is answered as the protocol wants, and both
//! sides stay in step.

pub mod course;
pub mod gomocup;
pub mod json;
mod lines;
pub mod saiblo;
mod session;

pub use lines::{LineTooLong, Lines};
pub use session::{Session, Step, Task, Urgency};
