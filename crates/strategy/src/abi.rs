//! The two exported functions, and the only unsafe code of the crate.
//!
//! Raw pointers end here: arrays are copied, their sizes bounded before the
//! first read, and everything behind is safe. No panic unwinds into the host.
#![allow(unsafe_code)]

use crate::player;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use stoneline_protocols::course::{self, View};

/// A cell as the host counts: `x` is the row from the top, `y` the column.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    x: i32,
    y: i32,
}

const _: () = assert!(size_of::<Point>() == 8);

/// The answer when there is no legal move to name.
const NOWHERE: Point = Point { x: -1, y: -1 };

/// The move to play, to be freed by [`clearPoint`]; (-1, -1) when there is none.
///
/// `top` holds `columns` numbers and `board` `rows * columns`, row by row; a
/// null pointer counts as not given. The opponent's last stone is not needed:
/// the board tells all.
///
/// # Safety
/// Each of `top` and `board` is null or readable at the lengths above.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the host looks the symbol up by this name")]
pub unsafe extern "C" fn getPoint(
    rows: i32,
    columns: i32,
    top: *const i32,
    board: *const i32,
    _last_x: i32,
    _last_y: i32,
    forbidden_x: i32,
    forbidden_y: i32,
) -> *mut Point {
    let begun = Instant::now();
    let answer = guard(|| {
        let (rows, columns) = (course::length(rows)?, course::length(columns)?);
        // SAFETY: `length` lets through 1..=16 alone, so the products are small, and the
        // caller promises that many numbers behind each pointer that is not null.
        let (top, board) = unsafe { (copy(top, columns), copy(board, rows * columns)) };
        let view = View::new(rows, columns, top, board, (forbidden_x, forbidden_y));
        let chosen = guard(|| player::choose(&view.position()?, begun));
        chosen.or_else(|| view.any_move()).map(|cell| {
            let (x, y) = view.coordinates(cell);
            Point { x, y }
        })
    });
    Box::into_raw(Box::new(answer.unwrap_or(NOWHERE)))
}

/// Frees an answer of [`getPoint`]; null is fine, and so is any thread.
///
/// # Safety
/// `point` is null or came from [`getPoint`] of this library and was not freed.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the host looks the symbol up by this name")]
pub unsafe extern "C" fn clearPoint(point: *mut Point) {
    if !point.is_null() {
        // SAFETY: by contract it came out of `Box::into_raw` in `getPoint`, once.
        drop(unsafe { Box::from_raw(point) });
    }
}

/// What `body` returns; `None` too if it panics.
fn guard<T>(body: impl FnOnce() -> Option<T>) -> Option<T> {
    // Whatever a panic left half done is dropped with it: a player that thinks is out of its
    // place, so the next call finds none and makes a new one.
    catch_unwind(AssertUnwindSafe(body)).ok().flatten()
}

/// The `count` numbers at `start`; `None` for null.
///
/// # Safety
/// `start` is null or `count` numbers can be read there; no alignment is asked for.
unsafe fn copy(start: *const i32, count: usize) -> Option<Vec<i32>> {
    if start.is_null() {
        return None;
    }
    let number = |at| {
        // SAFETY: `at < count`, and the caller promises `count` readable numbers.
        unsafe { start.add(at).read_unaligned() }
    };
    Some((0..count).map(number).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_no_answer() {
        assert_eq!(guard(|| Some(3)), Some(3));
        assert_eq!(guard(|| -> Option<i32> { panic!("inside") }), None);
    }

    #[test]
    fn nothing_is_copied_from_null_and_alignment_does_not_matter() {
        let bytes: [u8; 9] = [9, 1, 0, 0, 0, 2, 0, 0, 0];
        // SAFETY: two numbers of four bytes follow the first byte; null is allowed.
        unsafe {
            assert_eq!(copy(bytes.as_ptr().add(1).cast(), 2), Some(vec![1, 2]));
            assert_eq!(copy(std::ptr::null(), 2), None);
            clearPoint(std::ptr::null_mut());
        }
    }
}
