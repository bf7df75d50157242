//! Asks for old versions of what the C library offers, so that the library loads on old machines.
//!
//! A linker binds each name to the newest version on the machine where it runs,
//! and the file then needs a glibc as new. These names have an older version
//! that does the same; a jump of our own, under the usual name and hidden from
//! hosts, leads the standard library's calls there. What is left is glibc 2.18,
//! whose way to end threads has no elder.

#![allow(
    unsafe_code,
    reason = "assembly is the only way to name a version of a symbol"
)]

/// A hidden function `$name` that goes on to its version of an old glibc.
macro_rules! oldest {
    ($($name:literal of $version:literal)*) => {
        $(core::arch::global_asm!(
            concat!(".symver stoneline_", $name, ", ", $name, "@GLIBC_", $version),
            concat!(".section .text.stoneline_old_", $name, ",\"ax\",@progbits"),
            concat!(".globl ", $name),
            concat!(".hidden ", $name),
            concat!(".type ", $name, ", @function"),
            concat!($name, ": jmp stoneline_", $name, "@PLT"),
            concat!(".size ", $name, ", . - ", $name),
            ".text",
        );)*
    };
}

oldest! {
    "dlsym" of "2.2.5"
    "pthread_attr_getguardsize" of "2.2.5"
    "pthread_attr_getstack" of "2.2.5"
    "pthread_attr_setstacksize" of "2.2.5"
    "pthread_create" of "2.2.5"
    "pthread_detach" of "2.2.5"
    "pthread_getattr_np" of "2.2.5"
    "pthread_join" of "2.2.5"
    "pthread_key_create" of "2.2.5"
    "pthread_key_delete" of "2.2.5"
    "pthread_setname_np" of "2.12"
    "pthread_setspecific" of "2.2.5"
    "expf" of "2.2.5"
    "log" of "2.2.5"
    "logf" of "2.2.5"
}

/// A hidden function `$name` that puts a number before its own arguments, which move on by
/// `$moves`, and goes on to `$to`.
macro_rules! numbered {
    ($($name:literal is $to:literal of $number:literal: $($moves:literal)*;)*) => {
        $(core::arch::global_asm!(
            concat!(".symver stoneline_", $name, ", ", $to, "@GLIBC_2.2.5"),
            concat!(".section .text.stoneline_old_", $name, ",\"ax\",@progbits"),
            concat!(".globl ", $name),
            concat!(".hidden ", $name),
            concat!(".type ", $name, ", @function"),
            concat!($name, ":"),
            $(concat!("mov ", $moves),)*
            concat!("mov edi, ", $number),
            concat!("jmp stoneline_", $name, "@PLT"),
            concat!(".size ", $name, ", . - ", $name),
            ".text",
        );)*
    };
}

// Before glibc 2.33 headers passed the version of the structure; before 2.25, 2.28 and 2.30 the
// last three were calls of the kernel only, by their numbers.
numbered! {
    "stat64" is "__xstat64" of "1": "rdx, rsi" "rsi, rdi";
    "fstat64" is "__fxstat64" of "1": "rdx, rsi" "rsi, rdi";
    "getrandom" is "syscall" of "318": "rcx, rdx" "rdx, rsi" "rsi, rdi";
    "statx" is "syscall" of "332": "r9, r8" "r8, rcx" "rcx, rdx" "rdx, rsi" "rsi, rdi";
    "gettid" is "syscall" of "186": ;
}
