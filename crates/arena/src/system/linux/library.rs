//! A foreign library, loaded into this process and asked over Saiblo's protocol.
#![allow(unsafe_code)]

use crate::players::library::{CANNOT_LOAD, NO_POINT, NO_SYMBOL};
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LAZY, Symbol};
use nix::unistd::dup2_stdout;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use stoneline_protocols::course::View;
use stoneline_protocols::saiblo::{self, Request, Requests, Style};

/// A cell as the library counts: row from the top, column.
#[repr(C)]
#[derive(Clone, Copy)]
struct Point {
    x: i32,
    y: i32,
}

type GetPoint = unsafe extern "C" fn(
    rows: i32,
    columns: i32,
    top: *const i32,
    board: *const i32,
    last_x: i32,
    last_y: i32,
    forbidden_x: i32,
    forbidden_y: i32,
) -> *mut Point;
type ClearPoint = unsafe extern "C" fn(*mut Point);

/// Libraries that the course's C++ opponents use without naming them.
const UNNAMED: [&str; 2] = ["libstdc++.so.6", "libm.so.6"];

/// A loaded library. Never unloaded: its threads and static state may outlive the game.
struct Loaded {
    get_point: Symbol<GetPoint>,
    clear_point: Symbol<ClearPoint>,
}

impl Loaded {
    fn open(file: &OsStr) -> Result<Self, (u8, String)> {
        for name in UNNAMED {
            // SAFETY: system libraries, whose initialisers are sound; where one is missing,
            // a library that needs it fails below, with its reason.
            if let Ok(library) = unsafe { Library::open(Some(name), RTLD_LAZY | RTLD_GLOBAL) } {
                std::mem::forget(library);
            }
        }
        let cannot = |error: libloading::Error| (CANNOT_LOAD, reason(&error));
        // SAFETY: its initialisers may do anything; that is why this process is confined and
        // holds nothing but the library.
        let library = unsafe { Library::open(Some(file), RTLD_LAZY) }.map_err(cannot)?;
        let missing = |error: libloading::Error| (NO_SYMBOL, reason(&error));
        // SAFETY: the course fixes the types of both functions.
        let symbols = unsafe {
            let get_point = library.get(b"getPoint").map_err(missing)?;
            (get_point, library.get(b"clearPoint").map_err(missing)?)
        };
        std::mem::forget(library);
        Ok(Self {
            get_point: symbols.0,
            clear_point: symbols.1,
        })
    }

    fn ask(&self, view: &View, last: (i32, i32)) -> Option<Point> {
        let ((rows, columns), forbidden) = (view.size(), view.forbidden());
        debug_assert_eq!(view.board().len(), rows * columns);
        // SAFETY: the arrays have the lengths that the sizes tell and outlive the call. What
        // the library makes of them is its own affair.
        let point = unsafe {
            (self.get_point)(
                rows as i32,
                columns as i32,
                view.top().as_ptr(),
                view.board().as_ptr(),
                last.0,
                last.1,
                forbidden.0,
                forbidden.1,
            )
        };
        if point.is_null() {
            return None;
        }
        // SAFETY: not null, so by the course's contract a point that is ours to read until
        // it is cleared, once, here.
        unsafe {
            let answer = *point;
            (self.clear_point)(point);
            Some(answer)
        }
    }
}

/// What the loader says, with the cause that it wraps.
fn reason(error: &libloading::Error) -> String {
    use std::error::Error;
    match error.source() {
        Some(cause) => cause.to_string(),
        None => error.to_string(),
    }
}

/// Loads the library and answers turns until stdin ends.
pub(crate) fn speak_for_library(file: &OsStr) -> Result<(), (u8, String)> {
    let trouble = |error: io::Error| (CANNOT_LOAD, error.to_string());
    // Before the library is loaded: its initialisers may print already.
    let mut answers = own_answers().map_err(trouble)?;
    let library = Loaded::open(file)?;
    let mut requests = Requests::default();
    let mut stdin = io::stdin().lock();
    let mut bytes = [0; 4096];
    loop {
        for request in requests.by_ref() {
            let Ok(Request::Turn { view, last }) = request else {
                continue;
            };
            let no_point = || (NO_POINT, "getPoint returned a null pointer".to_owned());
            let Point { x, y } = library.ask(&view, last).ok_or_else(no_point)?;
            let framed = saiblo::framed_point(Style::Plain, (x, y));
            answers.write_all(&framed).map_err(trouble)?;
        }
        match stdin.read(&mut bytes) {
            Ok(0) => return Ok(()),
            Ok(size) => requests.push(&bytes[..size]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(trouble(error)),
        }
    }
}

/// Stdout for answers alone; from now on what is printed goes to stderr.
fn own_answers() -> io::Result<File> {
    let answers = io::stdout().as_fd().try_clone_to_owned()?;
    dup2_stdout(io::stderr())?;
    Ok(File::from(answers))
}
