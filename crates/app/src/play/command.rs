//! Words typed at the prompt of the full-screen game: moves, and what has no key of its own.

use super::model::{Action, Model};
use super::theme::Theme;
use crate::stored;
use anyhow::{Context, bail};
use std::path::Path;
use stoneline_rules::notation::read_move;
use stoneline_rules::{Position, Side};

/// What the prompt understands besides moves, for the help.
pub(crate) const WORDS: [(&str, &str); 8] = [
    ("h8", "play there, or a column where stones fall"),
    ("game NAME [MOVES]", "another game or position"),
    (
        "x ENGINE, o ENGINE",
        "who plays the first or the second side",
    ),
    ("time SECONDS", "how long engines think about a move"),
    ("theme NAME", "default, safe or mono"),
    (
        "save FILE",
        "keep the game: FILE.sgf, .psq, .json, .svg, .gif or a record",
    ),
    ("load FILE", "take up a game from a file"),
    (
        "undo, hint, new, quit",
        "and other words of the line-based game",
    ),
];

/// Does what `text` says.
pub(crate) fn run(model: &mut Model, text: &str) -> anyhow::Result<()> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    match word.to_ascii_lowercase().as_str() {
        "" => {}
        "game" => game(model, rest)?,
        "x" if !rest.is_empty() => model.sit(Side::First, rest)?,
        "o" if !rest.is_empty() => model.sit(Side::Second, rest)?,
        "time" => {
            let time = crate::bench::seconds(rest).map_err(anyhow::Error::msg)?;
            model.limits.time = Some(time);
            model.say(format!("Engines think {} s a move.", time.as_secs_f64()));
        }
        "theme" => {
            let Some(theme) = Theme::named(rest) else {
                bail!("no theme {rest:?}: there are default, safe and mono");
            };
            model.theme = theme.like(model.theme);
        }
        "save" => save(model, rest)?,
        "load" => {
            let game = stored::first(Path::new(rest))?;
            model.begin(game.position().clone());
            model.is_paused = true;
            model.say("Loaded and paused: [ and ] walk, v reviews, space plays on.");
        }
        "undo" => model.act(Action::Undo),
        "redo" => model.act(Action::Redo),
        "hint" => model.act(Action::Hint),
        "analyse" => model.act(Action::Analyse),
        "review" => model.act(Action::Review),
        "new" => model.act(Action::New),
        "resign" => model.act(Action::Resign),
        "swap" => model.act(Action::Swap),
        "help" => model.act(Action::Help),
        "quit" | "exit" => model.act(Action::Quit),
        _ => {
            let cell = read_move(model.game.shown(), text).map_err(|error| {
                let reason = error.reason().trim_start_matches("move 1: ");
                anyhow::anyhow!("Can't play {text:?}: {reason}")
            })?;
            model.play(cell);
        }
    }
    Ok(())
}

/// Begins the game or position called `text`.
pub(crate) fn game(model: &mut Model, text: &str) -> anyhow::Result<()> {
    let seed = model.limits.seed.unwrap_or(0);
    let position = Position::read(text, seed).with_context(|| format!("{text:?}"))?;
    model.begin(position);
    Ok(())
}

fn save(model: &mut Model, name: &str) -> anyhow::Result<()> {
    if name.is_empty() {
        bail!("save where? :save FILE");
    }
    let path = Path::new(name);
    stored::save(path, &model.record()).with_context(|| format!("{name:?}"))?;
    model.say(format!("Saved as {name}."));
    Ok(())
}
