//! Tunables, each declared once: field, meaning, default, range and setter.
//!
//! Engines own a struct made by `params!`; there are no globals.

use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;
use thiserror::Error;

/// A key that an engine takes, for help and completion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tunable {
    name: &'static str,
    about: &'static str,
    default: Option<String>,
    range: Option<String>,
}

impl Tunable {
    pub(crate) const fn new(name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            about,
            default: None,
            range: None,
        }
    }

    pub(crate) fn of<T: Setting>(
        name: &'static str,
        about: &'static str,
        default: &T,
        range: &T::Range,
    ) -> Self {
        Self {
            name,
            about: about.trim_start(),
            default: Some(default.show()),
            range: Some(T::describe(range)),
        }
    }

    /// The key.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What it means.
    pub const fn about(&self) -> &'static str {
        self.about
    }

    /// What it is when nobody sets it; `None` where that depends on the caller.
    pub fn default(&self) -> Option<&str> {
        self.default.as_deref()
    }

    /// What it may be; `None` where the meaning says it.
    pub fn range(&self) -> Option<&str> {
        self.range.as_deref()
    }
}

/// Why a key can't be set to a text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{key}={text}: {reason}")]
pub struct SettingError {
    key: String,
    text: String,
    reason: String,
}

impl SettingError {
    pub(crate) fn new(key: &str, text: &str, reason: String) -> Self {
        Self {
            key: key.to_owned(),
            text: text.to_owned(),
            reason,
        }
    }
}

/// A type that a tunable can have.
pub(crate) trait Setting: Sized {
    /// What limits its values.
    type Range;

    /// The value in `text`, or what is wrong with it.
    fn read(text: &str, range: &Self::Range) -> Result<Self, String>;

    /// The text that reads back as this value.
    fn show(&self) -> String;

    /// The range in words.
    fn describe(range: &Self::Range) -> String;
}

fn read_number<T: FromStr + PartialOrd + Debug>(
    text: &str,
    range: &RangeInclusive<T>,
) -> Result<T, String> {
    match text.parse::<T>() {
        Ok(number) if range.contains(&number) => Ok(number),
        Ok(_) => Err(format!("expected {:?} to {:?}", range.start(), range.end())),
        Err(_) => Err("expected a number".to_owned()),
    }
}

macro_rules! number_settings {
    ($($number:ty),*) => {$(
        impl Setting for $number {
            type Range = RangeInclusive<Self>;
            fn read(text: &str, range: &Self::Range) -> Result<Self, String> {
                read_number(text, range)
            }
            fn show(&self) -> String {
                self.to_string()
            }
            fn describe(range: &Self::Range) -> String {
                format!("{} to {}", range.start(), range.end())
            }
        }
    )*};
}
number_settings!(f32, f64, u32, u64, usize);

impl Setting for bool {
    type Range = std::ops::RangeFull;

    fn read(text: &str, _: &Self::Range) -> Result<Self, String> {
        match text {
            "yes" | "true" | "1" | "on" => Ok(true),
            "no" | "false" | "0" | "off" => Ok(false),
            _ => Err("expected yes or no".to_owned()),
        }
    }

    fn show(&self) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }

    fn describe(_: &Self::Range) -> String {
        "yes or no".to_owned()
    }
}

/// The member of `names` that `text` is, or all of them as what was expected.
pub(crate) fn read_choice<T: Copy>(text: &str, names: &[(&str, T)]) -> Result<T, String> {
    names
        .iter()
        .find(|(name, _)| *name == text)
        .map(|&(_, choice)| choice)
        .ok_or_else(|| format!("expected {}", listed(names.iter().map(|(name, _)| name))))
}

/// `a, b or c`.
pub(crate) fn listed(names: impl IntoIterator<Item = impl Display>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Those of `known` that are spelled most like `name`; all of them if none is close.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let close = |candidate: &&str| {
        edits(name, candidate) <= 1 + name.len().min(candidate.len()) / 3
            || (name.len() >= 2 && candidate.contains(name))
    };
    let mut found: Vec<&str> = known.iter().copied().filter(close).collect();
    found.sort_by_key(|candidate| edits(name, candidate));
    found.truncate(3);
    if found.is_empty() { known } else { found }
}

/// Fewest letters to add, drop or exchange that turn one word into the other.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, other) in to.iter().enumerate() {
            let exchange = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = exchange.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

/// A struct of tunables. Each line gives name, type, default and range; the
/// doc comment becomes the help text.
macro_rules! params {
    (
        $(#[$struct_meta:meta])*
        $visibility:vis struct $name:ident {
            $(
                #[doc = $about:literal]
                $field:ident: $kind:ty = $default:expr, $range:expr;
            )*
        }
    ) => {
        $(#[$struct_meta])*
        #[derive(Clone, PartialEq, Debug)]
        $visibility struct $name {
            $(
                #[doc = $about]
                $visibility $field: $kind,
            )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $name {
            /// The keys of [`Self::set`], with the values these parameters have as defaults.
            $visibility fn tunables(&self) -> Vec<$crate::Tunable> {
                vec![$(
                    $crate::Tunable::of(stringify!($field), $about, &self.$field, &$range),
                )*]
            }

            /// Sets the tunable called `key`; `false` if there is none.
            ///
            /// # Errors
            /// If the text is no value for it.
            $visibility fn set(&mut self, key: &str, text: &str) -> Result<bool, $crate::SettingError> {
                $(
                    if key == stringify!($field) {
                        self.$field = $crate::params::Setting::read(text, &$range)
                            .map_err(|reason| $crate::SettingError::new(key, text, reason))?;
                        return Ok(true);
                    }
                )*
                Ok(false)
            }
        }
    };
}

/// An enum whose members are the values of a tunable, each with its name.
macro_rules! choices {
    (
        $(#[$enum_meta:meta])*
        $visibility:vis enum $name:ident {
            $(
                #[doc = $about:literal]
                $member:ident = $text:literal,
            )*
        }
    ) => {
        $(#[$enum_meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $visibility enum $name {
            $(
                #[doc = $about]
                $member,
            )*
        }

        impl $crate::params::Setting for $name {
            type Range = std::ops::RangeFull;

            fn read(text: &str, _: &Self::Range) -> Result<Self, String> {
                $crate::params::read_choice(text, &[$(($text, Self::$member)),*])
            }

            fn show(&self) -> String {
                match self { $(Self::$member => $text.to_owned()),* }
            }

            fn describe(_: &Self::Range) -> String {
                $crate::params::listed([$($text),*])
            }
        }
    };
}

pub(crate) use {choices, params};

#[cfg(test)]
mod tests {
    use super::*;

    choices! {
        /// A choice.
        enum Colour {
            /// Red.
            Red = "red",
            /// Deep blue.
            DeepBlue = "deep-blue",
        }
    }

    params! {
        /// Some tunables.
        struct Sample {
            /// A pull.
            pull: f32 = 0.5, 0.0..=4.0;
            /// A colour.
            colour: Colour = Colour::Red, ..;
            /// A switch.
            bright: bool = true, ..;
        }
    }

    #[test]
    fn one_declaration_gives_defaults_help_and_setters() {
        let mut sample = Sample::default();
        assert_eq!(sample.set("pull", "1.5"), Ok(true));
        assert_eq!(sample.set("colour", "deep-blue"), Ok(true));
        assert_eq!(sample.set("bright", "no"), Ok(true));
        assert_eq!(sample.set("tilt", "1"), Ok(false));
        let shown: Vec<_> = sample
            .tunables()
            .iter()
            .map(|key| {
                format!(
                    "{} {:?} {:?} {}",
                    key.name(),
                    key.default(),
                    key.range(),
                    key.about()
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "pull Some(\"1.5\") Some(\"0 to 4\") A pull.",
                "colour Some(\"deep-blue\") Some(\"red or deep-blue\") A colour.",
                "bright Some(\"no\") Some(\"yes or no\") A switch.",
            ]
        );
    }

    #[test]
    fn what_is_no_value_is_refused_with_what_would_be() {
        let mut sample = Sample::default();
        let reason = |result: Result<bool, SettingError>| result.unwrap_err().to_string();
        assert_eq!(
            reason(sample.set("pull", "5")),
            "pull=5: expected 0.0 to 4.0"
        );
        assert_eq!(
            reason(sample.set("pull", "NaN")),
            "pull=NaN: expected 0.0 to 4.0"
        );
        assert_eq!(reason(sample.set("pull", "x")), "pull=x: expected a number");
        assert_eq!(
            reason(sample.set("colour", "blue")),
            "colour=blue: expected red or deep-blue"
        );
        assert_eq!(sample, Sample::default());
    }

    #[test]
    fn near_names_are_found() {
        let known = ["exploration", "rollout", "memory"];
        assert_eq!(nearest("explortion", known), ["exploration"]);
        assert_eq!(nearest("roll", known), ["rollout"]);
        assert_eq!(nearest("zzz", known), known);
        assert_eq!(edits("kitten", "sitting"), 3);
    }
}
