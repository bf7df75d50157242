//! What this program is: its version, what it was built from and for, and what it runs on.

/// The text of `stoneline --version`.
pub(crate) fn text() -> String {
    let mut lines = vec![env!("CARGO_PKG_VERSION").to_owned()];
    if let Some(commit) = option_env!("STONELINE_BUILD_COMMIT") {
        lines.push(format!("commit {commit}"));
    }
    let built: Vec<&str> = env!("STONELINE_TARGET_FEATURES")
        .split(',')
        .filter(|feature| NOTABLE.contains(feature))
        .collect();
    lines.push(format!(
        "built for {}, using {}",
        env!("STONELINE_TARGET"),
        listed(&built)
    ));
    lines.push(format!("this processor has {}", listed(&present())));
    if cfg!(debug_assertions) {
        lines.push("with debug assertions: slower than a release".to_owned());
    }
    lines.join("\n")
}

/// What makes a difference in speed.
const NOTABLE: [&str; 7] = ["popcnt", "bmi1", "bmi2", "avx2", "avx512f", "neon", "sve"];

fn listed(features: &[&str]) -> String {
    match features {
        [] => "nothing beyond the least".to_owned(),
        features => features.join(" "),
    }
}

#[cfg(target_arch = "x86_64")]
fn present() -> Vec<&'static str> {
    let tests = [
        ("popcnt", is_x86_feature_detected!("popcnt")),
        ("bmi1", is_x86_feature_detected!("bmi1")),
        ("bmi2", is_x86_feature_detected!("bmi2")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
    ];
    let found = tests.into_iter().filter(|(_, is_there)| *is_there);
    found.map(|(name, _)| name).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn present() -> Vec<&'static str> {
    Vec::new()
}
