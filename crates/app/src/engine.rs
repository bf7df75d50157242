//! `stoneline engine`: our engines, driven by other people's programs over stdin and stdout.

mod drive;
mod saiblo;

use crate::Verdict;
use crate::settings::Settings;
use anyhow::Context;
use clap::ValueEnum;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use stoneline_protocols::gomocup::Gomocup;
use stoneline_protocols::json::Json;
use stoneline_rules::{Position, Variant};
use stoneline_search::{BuildError, Choice, Effort, Engine, Event, Limits, Spec, Value};

const EXAMPLES: &str = "\
Examples:
  printf 'SLGAME connect4\\nBEGIN\\n' | stoneline engine gomocup
  printf '{\"do\":\"hello\"}\\n' | stoneline engine json
  printf '9 9 4 4\\n' | stoneline engine saiblo --engine mcts:time=200

A Gomocup manager starts `stoneline engine gomocup` by that command, or by a
copy of the program that is called pbrain-stoneline, without arguments.
Protocols and our extensions are described in docs/protocols.md.";

/// Speak a protocol on stdin and stdout, for managers of engines
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The protocol
    #[arg(value_enum)]
    protocol: Protocol,

    /// Who thinks: NAME[:key=value,...], whose limits come before the manager's
    #[arg(long, value_name = "E", default_value = "best")]
    engine: String,

    /// Chooses openings of swap2 and the boards of plain `course`
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// A protocol that is spoken here.
#[derive(Clone, Copy, ValueEnum)]
enum Protocol {
    /// Gomocup's (Piskvork's), with what board programs add
    Gomocup,
    /// The course's online judge, both variants
    Saiblo,
    /// Our own: one JSON object a line
    Json,
}

/// Speaks until the other side is done.
pub(crate) fn run(
    args: &Args,
    settings: &Settings,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    let spec: Spec = args
        .engine
        .parse()
        .with_context(|| format!("engine {:?}", args.engine))?;
    let version = env!("CARGO_PKG_VERSION");
    let thinker = Thinker::new(spec, settings.resources());
    match args.protocol {
        Protocol::Gomocup => drive::run(Gomocup::new(version, args.seed), thinker, out)?,
        Protocol::Json => drive::run(Json::new(version, args.seed), thinker, out)?,
        Protocol::Saiblo => saiblo::run(thinker, &mut io::stdin().lock(), out)?,
    }
    Ok(Verdict::Positive)
}

/// The engine at work: built for the game that is played, kept while it stays the same.
struct Thinker {
    spec: Spec,
    /// What it may take where neither its keys nor the manager say.
    resources: Limits,
    built: Option<(Variant, Box<dyn Engine>)>,
}

impl Thinker {
    const fn new(spec: Spec, resources: Limits) -> Self {
        Self {
            spec,
            resources,
            built: None,
        }
    }

    /// From now on the engine with this text.
    fn change(&mut self, spec: Spec) {
        *self = Self::new(spec, self.resources.clone());
    }

    /// Drops what the engine kept of earlier searches.
    fn forget(&mut self) {
        if let Some((_, engine)) = &mut self.built {
            engine.forget();
        }
    }

    /// Lets the engine go with all its memory, until it is asked again.
    fn put_away(&mut self) {
        self.built = None;
    }

    /// The engine's choice. A panic in it costs us its memory, not the conversation.
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<Choice, BuildError> {
        let limits = limits.or(&self.resources);
        let variant = *position.variant();
        if self
            .built
            .as_ref()
            .is_none_or(|(built, _)| *built != variant)
        {
            // The old tree goes before the new one grows.
            self.built = None;
            self.built = Some((variant, self.spec.build_punctual(&variant)?));
        }
        let thought = self.built.as_mut().and_then(|(_, engine)| {
            let think = AssertUnwindSafe(|| engine.think(position, &limits, watch));
            catch_unwind(think).ok()
        });
        Ok(thought.unwrap_or_else(|| {
            self.built = None;
            any_choice(position)
        }))
    }
}

/// The legal move nearest the centre, without thought.
fn any_choice(position: &Position) -> Choice {
    let geometry = position.variant().geometry();
    let from_centre = |along: u8, length: u8| (2 * along + 1).abs_diff(length);
    let best = position.legal_moves().into_iter().min_by_key(|cell| {
        from_centre(cell.column(), geometry.columns()) + from_centre(cell.row(), geometry.rows())
    });
    Choice {
        best,
        value: Value::Guess(0.5),
        moves: Vec::new(),
        effort: Effort::default(),
    }
}
