//! Tells the program what it was built from and for, for `stoneline --version`.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=STONELINE_COMMIT");
    let target = env::var("TARGET").unwrap_or_default();
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    println!("cargo::rustc-env=STONELINE_TARGET={target}");
    println!("cargo::rustc-env=STONELINE_TARGET_FEATURES={features}");
    // Only releases: while working, a commit should not build everything anew.
    if env::var("PROFILE").as_deref() == Ok("release")
        && let Some(commit) = env::var("STONELINE_COMMIT").ok().or_else(commit)
    {
        println!("cargo::rustc-env=STONELINE_BUILD_COMMIT={commit}");
    }
}

/// The commit that is checked out, if this is a repository and git is there.
fn commit() -> Option<String> {
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={log}");
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let run = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(run.stdout).ok()?;
    run.status.success().then(|| text.trim().to_owned())
}
