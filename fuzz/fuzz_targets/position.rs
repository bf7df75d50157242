#![no_main]
//! Fuzz target: see the body of the same name.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| stoneline_fuzz::position(bytes));
