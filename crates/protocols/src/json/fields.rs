//! The keys of a request, each taken once and checked; what is left over is refused.

use serde_json::{Map, Value};
use std::time::Duration;
use stoneline_search::Limits;

/// A request whose keys are taken one by one.
pub(super) struct Fields {
    verb: String,
    left: Map<String, Value>,
}

/// A day: no search lasts longer, and sums of durations stay far from their bounds.
const LONGEST_MS: u64 = 86_400_000;

impl Fields {
    /// The request's verb and its other keys.
    pub(super) fn new(mut object: Map<String, Value>) -> Result<(String, Self), String> {
        let verb = match object.remove("do") {
            Some(Value::String(verb)) => verb,
            Some(other) => return Err(format!("\"do\" must be a text, found {}", short(&other))),
            None => return Err("a request needs \"do\", as in {\"do\":\"hello\"}".to_owned()),
        };
        let fields = Self {
            verb: verb.clone(),
            left: object,
        };
        Ok((verb, fields))
    }

    /// The text of a key, if it is there.
    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.left.remove(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("{key:?} must be a text, found {}", short(&other))),
        }
    }

    /// The text of a key that has to be there.
    pub(super) fn needed(&mut self, key: &str) -> Result<String, String> {
        let missing = || format!("{:?} needs {key:?}", self.verb);
        let missing = missing();
        self.text(key)?.ok_or(missing)
    }

    /// The whole number of a key, if it is there.
    pub(super) fn number(
        &mut self,
        key: &str,
        least: u64,
        most: u64,
    ) -> Result<Option<u64>, String> {
        let Some(value) = self.left.remove(key) else {
            return Ok(None);
        };
        let number = value
            .as_u64()
            .filter(|number| (least..=most).contains(number));
        number.map(Some).ok_or_else(|| {
            format!(
                "{key:?} must be a whole number from {least} to {most}, found {}",
                short(&value)
            )
        })
    }

    /// Whether a key is set to true.
    pub(super) fn flag(&mut self, key: &str) -> Result<Option<bool>, String> {
        match self.left.remove(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => Err(format!(
                "{key:?} must be true or false, found {}",
                short(&other)
            )),
        }
    }

    /// What a search may spend.
    pub(super) fn limits(&mut self) -> Result<Limits, String> {
        let mut time = |key: &str| {
            let number = self.number(key, 0, LONGEST_MS)?;
            Ok::<_, String>(number.map(Duration::from_millis))
        };
        let [time_ms, remaining, increment, overage, reserve] = [
            time("time_ms")?,
            time("remaining_ms")?,
            time("increment_ms")?,
            time("overage_ms")?,
            time("reserve_ms")?,
        ];
        let memory_mb = self.number("memory_mb", 1, 1 << 20)?;
        Ok(Limits {
            time: time_ms,
            remaining,
            increment,
            overage,
            reserve,
            nodes: self.number("nodes", 1, u64::MAX)?,
            simulations: self.number("simulations", 1, u64::MAX)?,
            memory_bytes: memory_mb.map(|size| (size as usize) << 20),
            seed: self.number("seed", 0, u64::MAX)?,
            threads: self
                .number("threads", 1, 512)?
                .map(|threads| threads as usize),
        })
    }

    /// Refuses keys that nobody took.
    pub(super) fn end(self) -> Result<(), String> {
        match self.left.keys().next() {
            None => Ok(()),
            Some(key) => {
                let key: String = key.chars().take(40).collect();
                Err(format!("{:?} has no key {key:?}", self.verb))
            }
        }
    }
}

/// A value as text, cut where it grows long.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
