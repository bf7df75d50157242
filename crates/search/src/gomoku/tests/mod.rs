//! Slow twins and properties of the shapes and searches of free boards.

mod gobang;
mod naive;
mod shapes;
mod threats;
