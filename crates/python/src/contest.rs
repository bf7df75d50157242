//! `match`: engines against each other, and the results as plain data.

use crate::engine::Engine;
use crate::game;
use crate::moves::refused;
use crate::signals::{CHECK, Signals};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::sync::atomic::{AtomicBool, Ordering};
use stoneline_arena::{
    Amount, Finished, Forgetful, Format, Plan, PlayerPlan, Standing, Tournament, TournamentError,
    brief, reasons,
};
use stoneline_rules::Side;
use stoneline_rules::notation::write_moves;
use stoneline_search::Spec;

/// Plays two engines against each other and returns plain data.
///
/// Engines are names or Engine objects. Every opening is played twice with the
/// colours swapped; course draws another board for each. Counts are from the
/// first engine's view, elo is (low, middle, high) of the 95 % interval, and
/// results has a row for each game, ready for a table.
///
/// >>> result = match("best", "random", games=4, time=0.05)
/// >>> result["wins"], result["score"]
/// (4, 1.0)
/// >>> sorted(result["results"][0])
/// ['first', 'game', 'moves', 'number', 'opening_plies', 'plies', 'points', 'reason', 'second', 'winner']
#[pyfunction]
#[pyo3(name = "match", signature = (first, second, game = None, games = 10, *, time = None, nodes = None,
    simulations = None, opening_plies = None, seed = 1, concurrency = 1))]
#[allow(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn play_match<'py>(
    py: Python<'py>,
    first: &Bound<'py, PyAny>,
    second: &Bound<'py, PyAny>,
    game: Option<&Bound<'py, PyAny>>,
    games: u32,
    time: Option<f64>,
    nodes: Option<u64>,
    simulations: Option<u64>,
    opening_plies: Option<usize>,
    seed: u64,
    concurrency: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let engines = [contestant(first)?, contestant(second)?];
    let players = engines.map(|engine| PlayerPlan {
        name: String::new(),
        engine,
    });
    let mut plan = Plan::of(Format::Match, players.into());
    plan.game = game_name(game)?;
    plan.games = games;
    plan.time = time.map(|seconds| Amount::Real(seconds * 1e3));
    plan.nodes = nodes;
    plan.simulations = simulations;
    plan.openings.plies = opening_plies;
    plan.seed = seed;
    plan.concurrency = concurrency;
    let tournament = Tournament::new(plan).map_err(refused)?;
    let (standing, finished) = run(py, &tournament)?;
    let report = standing.tally.report(0, 1);
    let elo = report.score.elo();
    let result = PyDict::new(py);
    fill(&result, &brief(&report.score))?;
    result.set_item("elo", (elo.low, elo.mid, elo.high))?;
    result.set_item("forfeits", report.forfeits.to_vec())?;
    let counted = PyDict::new(py);
    fill(&counted, &reasons(&report))?;
    result.set_item("reasons", counted)?;
    for (key, score) in ["as_first", "as_second"].iter().zip(&report.by_side) {
        let dict = PyDict::new(py);
        fill(&dict, &brief(score))?;
        result.set_item(key, dict)?;
    }
    let rows = PyList::empty(py);
    for one in &finished {
        rows.append(row(py, tournament.names(), one)?)?;
    }
    result.set_item("results", rows)?;
    Ok(result)
}

/// The text of an engine: programs other than ours are for the command line.
fn contestant(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = match value.cast::<Engine>() {
        Ok(engine) => engine.get().name().to_owned(),
        Err(_) => value.cast::<PyString>()?.to_cow()?.into_owned(),
    };
    text.parse::<Spec>().map_err(refused)?;
    Ok(text)
}

fn game_name(game: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    match game {
        None => Ok("connect4".to_owned()),
        // Plain `course` stays a name: it draws another board each time.
        Some(game) if game.is_instance_of::<PyString>() => {
            Ok(game.cast::<PyString>()?.to_cow()?.into_owned())
        }
        Some(game) => Ok(game::variant(game)?.to_string()),
    }
}

/// Plays without the GIL; Ctrl-C ends it.
fn run(py: Python<'_>, tournament: &Tournament) -> PyResult<(Standing, Vec<Finished>)> {
    let stop = AtomicBool::new(false);
    let mut signals = Signals::new();
    let played = py.detach(|| {
        std::thread::scope(|scope| {
            let work = scope.spawn(|| {
                let mut finished = Vec::new();
                let standing = tournament.run(&mut Forgetful, &stop, |progress| {
                    finished.extend(progress.finished.cloned());
                })?;
                Ok::<_, TournamentError>((standing, finished))
            });
            while !work.is_finished() {
                std::thread::park_timeout(CHECK / 10);
                if signals.check().is_break() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            work.join()
        })
    });
    signals.result()?;
    match played {
        Ok(result) => result.map_err(refused),
        Err(_) => Err(PyRuntimeError::new_err("the match panicked")),
    }
}

/// A game as a row of a table.
fn row<'py>(py: Python<'py>, names: &[String], one: &Finished) -> PyResult<Bound<'py, PyDict>> {
    let (opening, outcome) = (&one.game.opening, one.outcome());
    let mut cells = opening.moves().to_vec();
    cells.extend(one.game.cells());
    let side = if one.fixture.players[0] == 0 {
        Side::First
    } else {
        Side::Second
    };
    let dict = PyDict::new(py);
    dict.set_item("number", one.fixture.number + 1)?;
    dict.set_item("game", opening.variant().to_string())?;
    dict.set_item("first", &names[one.fixture.players[0]])?;
    dict.set_item("second", &names[one.fixture.players[1]])?;
    dict.set_item("winner", outcome.winner_word())?;
    dict.set_item("points", f64::from(outcome.halves(side)) / 2.0)?;
    dict.set_item("reason", outcome.reason.name())?;
    dict.set_item("plies", opening.plies() + one.game.moves.len())?;
    dict.set_item("opening_plies", opening.plies())?;
    dict.set_item("moves", write_moves(opening.variant(), &cells))?;
    Ok(dict)
}

/// Takes over the numbers of a JSON object.
fn fill(dict: &Bound<'_, PyDict>, object: &serde_json::Value) -> PyResult<()> {
    for (key, value) in object.as_object().into_iter().flatten() {
        match (value.as_i64(), value.as_f64()) {
            (Some(whole), _) => dict.set_item(key, whole)?,
            (None, Some(real)) => dict.set_item(key, real)?,
            (None, None) => dict.set_item(key, dict.py().None())?,
        }
    }
    Ok(())
}
