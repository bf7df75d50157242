//! The published schema of our JSON lines names what is spoken, and nothing else.

use serde_json::Value;
use std::collections::BTreeSet;

/// A part of the schema for one verb or kind.
struct Form {
    names: BTreeSet<String>,
    keys: BTreeSet<String>,
    required: BTreeSet<String>,
}

fn forms(kind: &str, word: &str) -> Vec<Form> {
    let schema: Value =
        serde_json::from_str(include_str!("../../../docs/protocol.schema.json")).unwrap();
    let texts = |value: &Value| -> BTreeSet<String> {
        let items = value.as_array().into_iter().flatten();
        items
            .map(|item| item.as_str().unwrap().to_owned())
            .collect()
    };
    let forms = schema["$defs"][kind]["oneOf"].as_array().unwrap();
    forms
        .iter()
        .map(|form| {
            let named = &form["properties"][word];
            let constant = named["const"].as_str().map(str::to_owned);
            Form {
                names: constant.into_iter().chain(texts(&named["enum"])).collect(),
                keys: form["properties"]
                    .as_object()
                    .unwrap()
                    .keys()
                    .cloned()
                    .collect(),
                required: texts(&form["required"]),
            }
        })
        .collect()
}

/// The objects of the usual conversation that begin with a sign.
fn spoken(sign: &str) -> Vec<Value> {
    let transcript = include_str!("data/json-usual.txt");
    let lines = transcript
        .lines()
        .filter_map(|line| line.strip_prefix(sign));
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

fn assert_described(kind: &str, word: &str, sign: &str) {
    let forms = forms(kind, word);
    let objects = spoken(sign);
    assert!(objects.len() > 10);
    for object in &objects {
        let name = object[word].as_str().unwrap();
        let form = forms.iter().find(|form| form.names.contains(name));
        let form = form.unwrap_or_else(|| panic!("the schema lacks {name}"));
        let keys: BTreeSet<String> = object.as_object().unwrap().keys().cloned().collect();
        assert!(keys.is_subset(&form.keys), "{name}: {keys:?}");
        assert!(form.required.is_subset(&keys), "{name}: {keys:?}");
    }
}

#[test]
fn requests_are_described() {
    assert_described("request", "do", "> ");
}

#[test]
fn replies_are_described() {
    assert_described("reply", "is", "< ");
}

#[test]
fn every_request_of_the_schema_is_known() {
    use stoneline_protocols::json::Json;
    use stoneline_protocols::{Session, Step};
    for form in forms("request", "do") {
        for name in &form.names {
            let mut session = Json::new("0", 1);
            let steps = session.hear(&format!("{{\"do\":\"{name}\"}}"));
            let unknown =
                |step: &Step| matches!(step, Step::Say(line) if line.contains("unknown request"));
            assert!(!steps.iter().any(unknown), "{name}: {steps:?}");
        }
    }
}
