//! Defaults of commands: built in, from `stoneline.toml`, from the environment; flags come on top.
//!
//! Every key is known once, in `keys`, with what it means and what is in force
//! without it. A file is looked for in the working directory, then where the
//! XDG rules put it; what it says wrongly is refused with its line. What a
//! file of a tournament, an experiment, a tuning or a training run leaves
//! open is never taken from here: such a file means the same everywhere.

mod keys;

pub(crate) use keys::{KEYS, Key};

use crate::opponent::Opponent;
use crate::play::Palette;
use crate::terminal::Colour;
use anyhow::{Context, bail};
use keys::AUTO;
use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use stoneline_search::Limits;
use toml::de::{DeTable, DeValue};

/// What the file is called.
const FILE: &str = "stoneline.toml";
/// The variable that names a file to use instead, or none when it is empty.
const FILE_VARIABLE: &str = "STONELINE_CONFIG";
/// Longest file that is read.
const LONGEST_FILE: usize = 64 << 10;
/// Where a value comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    BuiltIn,
    Environment(String),
    File { path: PathBuf, line: usize },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => write!(f, "built in"),
            Self::Environment(name) => write!(f, "{name}"),
            Self::File { path, line } => write!(f, "{}, line {line}", path.display()),
        }
    }
}

/// What is in force for each key.
#[derive(Debug)]
pub(crate) struct Settings {
    values: [(String, Origin); KEYS.len()],
    file: Option<PathBuf>,
}

impl Settings {
    /// What is in force here, with the given file instead of the usual ones.
    pub(crate) fn load(file: Option<&Path>) -> anyhow::Result<Self> {
        let variable = |name: &str| env::var(name).ok();
        let file = match file {
            Some(file) => Some(file.to_owned()),
            None => usual_file(&variable),
        };
        let text = file.as_deref().map(read).transpose()?;
        let source = file.as_deref().zip(text.as_deref());
        let settings = Self::new(&variable, source)?;
        tracing::debug!(file = ?settings.file, "settings");
        Ok(settings)
    }

    /// What follows from variables and the text of a file.
    fn new(
        variable: &dyn Fn(&str) -> Option<String>,
        file: Option<(&Path, &str)>,
    ) -> anyhow::Result<Self> {
        let mut settings = Self {
            values: KEYS
                .each_ref()
                .map(|key| (key.built_in.to_owned(), Origin::BuiltIn)),
            file: file.map(|(path, _)| path.to_owned()),
        };
        if let Some((path, text)) = file {
            settings.add_file(path, text)?;
        }
        for (key, value) in KEYS.iter().zip(&mut settings.values) {
            let name = format!("STONELINE_{}", key.name.to_ascii_uppercase());
            if let Some(text) = variable(&name).filter(|text| !text.is_empty()) {
                (key.check)(&text).with_context(|| format!("{name}={text}"))?;
                *value = (text, Origin::Environment(name));
            }
        }
        Ok(settings)
    }

    fn add_file(&mut self, path: &Path, text: &str) -> anyhow::Result<()> {
        let line_of = |offset: usize| text[..offset].matches('\n').count() + 1;
        let place = |line: usize| format!("{}, line {line}", path.display());
        let table = DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(span.start));
            anyhow::anyhow!("{}: {}", place(line), error.message())
        })?;
        for (name, value) in table.get_ref() {
            let line = line_of(name.span().start);
            let name = name.get_ref().as_ref();
            let Some(at) = KEYS.iter().position(|key| key.name == name) else {
                let known = KEYS.each_ref().map(|key| key.name).join(", ");
                bail!("{}: unknown key {name:?}; there are {known}", place(line));
            };
            let text = match value.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Integer(number) => number.as_str().to_owned(),
                DeValue::Float(number) => number.as_str().to_owned(),
                _ => bail!("{}: {name} takes a text or a number", place(line)),
            };
            (KEYS[at].check)(&text).with_context(|| format!("{}: {name}", place(line)))?;
            let path = path.to_owned();
            self.values[at] = (text, Origin::File { path, line });
        }
        Ok(())
    }

    /// The file that was read.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Every key with its value and where that comes from.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'static Key, &str, &Origin)> {
        let pairs = KEYS.iter().zip(&self.values);
        pairs.map(|(key, (text, origin))| (key, text.as_str(), origin))
    }

    /// The text of a key that exists; `None` if it leaves the choice.
    fn text(&self, name: &str) -> Option<&str> {
        let found = self.all().find(|(key, ..)| key.name == name);
        found.map(|(_, text, _)| text).filter(|text| *text != AUTO)
    }

    /// The text of a key that somebody set, in a file or a variable.
    fn chosen(&self, name: &str) -> Option<&str> {
        let found = self.all().find(|(key, ..)| key.name == name);
        let (_, text, origin) = found?;
        (*origin != Origin::BuiltIn).then_some(text)
    }

    /// The game to begin.
    pub(crate) fn game(&self) -> &str {
        self.text("game").unwrap_or("connect4")
    }

    /// The opponent.
    pub(crate) fn engine(&self) -> Opponent {
        let engine = self.text("engine").and_then(|text| text.parse().ok());
        engine.unwrap_or_else(Opponent::usual)
    }

    /// Who analyses, if that is not left to the game.
    pub(crate) fn analyst(&self) -> Option<Opponent> {
        self.text("analyst").and_then(|text| text.parse().ok())
    }

    /// The theme, if somebody chose one.
    pub(crate) fn theme(&self) -> Option<Palette> {
        self.chosen("theme")
            .and_then(|text| keys::palette(text).ok())
    }

    /// When to use colours.
    pub(crate) fn colour(&self) -> Colour {
        let colour = self.text("colour").and_then(|text| keys::colour(text).ok());
        colour.unwrap_or(Colour::Auto)
    }

    /// The port, if that is not left open.
    pub(crate) fn port(&self) -> Option<u16> {
        self.text("port")
            .and_then(|text| keys::port(text).ok().flatten())
    }

    /// Time a move of a match, if somebody chose one.
    pub(crate) fn match_time(&self) -> Option<&str> {
        self.chosen("match_time")
    }

    /// Games at once.
    pub(crate) fn concurrency(&self) -> usize {
        let games = self.text("concurrency");
        games.and_then(|text| keys::at_once(text).ok()).unwrap_or(1)
    }

    /// Where the games of a match are kept, if anywhere.
    pub(crate) fn store(&self) -> Option<&Path> {
        self.text("store").map(Path::new)
    }

    /// Time, threads and memory of an engine.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: self.text("time").and_then(|text| keys::seconds(text).ok()),
            ..self.resources()
        }
    }

    /// Threads of a command that searches by itself: the flag's, else those in force.
    pub(crate) fn threads(&self, flag: Option<u16>) -> Option<usize> {
        flag.map(usize::from).or(self.resources().threads)
    }

    /// Bytes of a solver's table: the flag's megabytes, else what is in force, else the usual.
    pub(crate) fn table_bytes(&self, flag_mb: Option<u32>, usual_mb: u32) -> usize {
        let megabytes = |count: u32| count as usize * 1024 * 1024;
        let set = flag_mb.map(megabytes).or(self.resources().memory_bytes);
        set.unwrap_or(megabytes(usual_mb))
    }

    /// Threads and memory of an engine: what it may take, however long it thinks.
    pub(crate) fn resources(&self) -> Limits {
        let mut limits = Limits::default();
        for name in ["threads", "memory"] {
            if let Some(text) = self.text(name) {
                // It was checked when it was read.
                let _ = limits.set(name, text);
            }
        }
        limits
    }
}

/// The file that applies when none is named.
fn usual_file(variable: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    if let Some(named) = variable(FILE_VARIABLE) {
        return Some(PathBuf::from(named)).filter(|path| !path.as_os_str().is_empty());
    }
    let own = home_file(variable);
    [Some(PathBuf::from(FILE)), own]
        .into_iter()
        .flatten()
        .find(|path| path.is_file())
}

/// Where a user's own file is.
pub(crate) fn home_file(variable: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|text| !text.is_empty());
    let folder = set("XDG_CONFIG_HOME").map(PathBuf::from);
    let folder = folder.or_else(|| Some(Path::new(&set("HOME")?).join(".config")))?;
    Some(folder.join("stoneline").join(FILE))
}

fn read(path: &Path) -> anyhow::Result<String> {
    let text = fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    if text.len() > LONGEST_FILE {
        bail!("{}: longer than {LONGEST_FILE} bytes", path.display());
    }
    Ok(text)
}

/// A file with every key at its built-in value, to be changed.
pub(crate) fn example(out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(
        out,
        "# Defaults of stoneline. Flags and variables STONELINE_KEY come before these."
    )?;
    for key in &KEYS {
        let is_number = key.built_in.parse::<f64>().is_ok();
        let quote = if is_number { "" } else { "\"" };
        writeln!(out, "\n# {} ({})", key.about, key.commands)?;
        writeln!(out, "#{} = {quote}{}{quote}", key.name, key.built_in)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn settings(variables: &[(&str, &str)], file: Option<&str>) -> Result<Settings, String> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(own, _)| *own == name);
            found.map(|(_, text)| (*text).to_owned())
        };
        let file = file.map(|text| (Path::new("stoneline.toml"), text));
        Settings::new(&variable, file).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn a_variable_comes_before_the_file_and_that_before_what_is_built_in() {
        let variables = [("STONELINE_TIME", "3"), ("STONELINE_THEME", "mono")];
        let all = settings(&variables, Some("time = 0.5\nmemory = \"64MB\"\n")).unwrap();
        assert_eq!(all.limits().time, Some(Duration::from_secs(3)));
        assert_eq!(all.limits().memory_bytes, Some(64 << 20));
        assert_eq!(all.theme(), Some(Palette::Mono));
        assert_eq!(all.game(), "connect4");
        assert_eq!((all.match_time(), all.store()), (None, None));
        let origins: Vec<String> = all.all().map(|(.., origin)| origin.to_string()).collect();
        assert!(origins.contains(&"stoneline.toml, line 2".to_owned()));
        assert!(origins.contains(&"STONELINE_THEME".to_owned()));
        assert!(origins.contains(&"built in".to_owned()));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, expected) in [
            (
                "\ntimes = 3\n",
                "stoneline.toml, line 2: unknown key \"times\"; there are game",
            ),
            ("time = 0\n", "line 1: time: expected 0.001"),
            ("engine = \"bset\"", "did you mean best"),
            ("theme = \"pink\"", "no theme"),
            ("game = 4", "line 1: game"),
            ("port = 99999", "no port"),
            ("threads = 0", "threads"),
            ("match_time = \"soon\"", "time"),
            ("concurrency = 0", "1 to 1024 games"),
            ("store = \"\"", "expected a file"),
            ("colour = \"pink\"", "auto, always or never"),
            ("memory = true", "memory takes a text or a number"),
            ("time = 1\ntime = 2\n", "line 2"),
            ("game = \"connect4", "line 1"),
        ] {
            let error = settings(&[], Some(text)).unwrap_err();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
        let error = settings(&[("STONELINE_PORT", "x")], None).unwrap_err();
        assert!(error.contains("STONELINE_PORT=x"), "{error}");
    }

    #[test]
    fn the_example_is_a_file_that_changes_nothing() {
        let mut text = Vec::new();
        example(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let lines = text
            .lines()
            .map(|line| line.strip_prefix('#').unwrap_or(line));
        let given: Vec<&str> = lines.filter(|line| line.contains(" = ")).collect();
        assert_eq!(given.len(), KEYS.len(), "{text}");
        let all = settings(&[], Some(&given.join("\n"))).unwrap();
        let bare = settings(&[], None).unwrap();
        for ((_, one, _), (_, other, _)) in all.all().zip(bare.all()) {
            assert_eq!(one, other);
        }
        assert!(settings(&[], Some(&text)).is_ok());
    }

    #[test]
    fn a_named_file_or_none_comes_before_the_usual_ones() {
        let of = |name: &'static str, text: &'static str| {
            move |asked: &str| (asked == name).then(|| text.to_owned())
        };
        assert_eq!(usual_file(&of(FILE_VARIABLE, "")), None);
        assert_eq!(
            usual_file(&of(FILE_VARIABLE, "a.toml")),
            Some("a.toml".into())
        );
        assert_eq!(
            home_file(&of("HOME", "/home/ada")),
            Some("/home/ada/.config/stoneline/stoneline.toml".into())
        );
        assert_eq!(
            home_file(&of("XDG_CONFIG_HOME", "/x")),
            Some("/x/stoneline/stoneline.toml".into())
        );
    }
}
