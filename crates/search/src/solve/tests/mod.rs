//! The solver against plain alpha-beta, known boards, and itself.

mod clever_parts;
mod known_boards;
mod perfect_play;
mod plain;
mod positions;
mod widths;
