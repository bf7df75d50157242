//! The one API of the page: what can be asked, and who answers.

use super::archive::Archive;
use super::gate::{Gate, guard};
use super::refusal::Refusal;
use super::request::{Asked, Client, Millis, build, limits, open_position, opponent, position};
use super::review::{Judge, review};
use super::slots::{Permit, Slots};
use super::{analyst, contest, files, puzzle, stream, text, threats, view};
use crate::opponent::Opponent;
use axum::extract::{Extension, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;
use stoneline_arena::{Entrant, Openings};
use stoneline_protocols::json::value as value_json;
use stoneline_rules::notation::play_text;
use stoneline_rules::{Cell, Position, Side, Variant};
use stoneline_search::gomoku::{Swap2, Swapper};
use stoneline_search::{Spec, Tunable, engines};

/// Levels for people, from the weakest to the strongest.
const LEVELS: std::ops::RangeInclusive<u32> = 1..=10;
/// Games of a match started from the page.
const GAMES: std::ops::RangeInclusive<u32> = 1..=200;
/// For one decision of the engine in swap2.
const SWAP_TIME: Duration = Duration::from_millis(1500);
/// Lengths of a puzzle's win.
const PUZZLE_PLIES: std::ops::RangeInclusive<usize> = 1..=21;

type Answer = Result<Json<Value>, Refusal>;

/// Everything that is served.
pub(crate) fn router(port: u16, token: String, searches: usize, archive: Archive) -> Router {
    let gate = Arc::new(Gate::new(port, token));
    Router::new()
        .route("/api/status", get(status))
        .route("/api/engines", post(list_engines))
        .route("/api/position", post(show))
        .route("/api/threats", post(find_threats))
        .route("/api/analyse", post(analyse))
        .route("/api/move", post(choose))
        .route("/api/solve", post(solve))
        .route("/api/review", post(go_over))
        .route("/api/match", post(play_match))
        .route("/api/puzzle", post(make_puzzle))
        .route("/api/read", post(read))
        .route("/api/write", post(write))
        .route("/api/swap2", post(swap_sides))
        .route("/api/stored", post(list_stored))
        .route("/api/stored/run", post(show_run))
        .route("/api/stored/game", post(show_game))
        .fallback(other)
        .layer(Extension(Arc::new(archive)))
        .with_state(Slots::new(searches))
        .layer(middleware::from_fn_with_state(gate, guard))
}

async fn other(request: Request) -> Response {
    files::answer(request.uri().path(), request.headers())
}

async fn status(State(slots): State<Arc<Slots>>) -> Json<Value> {
    let [running, peak, total] = slots.figures();
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "searches": {"running": running, "peak": peak, "total": total},
    }))
}

/// Runs what takes a moment, but no search, where it keeps nobody waiting.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "that failed",
        ))
    })
}

#[derive(Deserialize)]
struct Game {
    game: String,
}

async fn list_engines(Asked(asked): Asked<Game>) -> Answer {
    aside(move || {
        let variant = Variant::named(&asked.game, 0).map_err(Refusal::bad)?;
        let key = |key: &Tunable| {
            json!({"name": key.name(), "about": key.about(),
                "default": key.default(), "range": key.range()})
        };
        let plays = |name: &str| {
            let spec = name.parse::<Spec>();
            spec.is_ok_and(|spec| spec.build(&variant).is_ok())
        };
        let list: Vec<Value> = engines()
            .filter(|entry| plays(entry.name()))
            .map(|entry| {
                let keys: Vec<Value> = entry.keys().iter().map(key).collect();
                json!({"name": entry.name(), "about": entry.about(), "keys": keys})
            })
            .collect();
        let levels: Vec<String> = LEVELS
            .map(|level| format!("level:{level}"))
            .filter(|name| plays(name))
            .collect();
        let usual = Opponent::usual();
        Ok(Json(
            json!({"engines": list, "levels": levels, "usual": usual.name()}),
        ))
    })
    .await
}

#[derive(Deserialize)]
struct Shown {
    position: String,
    /// A move to be played first.
    play: Option<String>,
    /// Chooses the board of plain `course`.
    seed: Option<u64>,
}

async fn show(Asked(asked): Asked<Shown>) -> Answer {
    let mut at = match asked.seed {
        Some(seed) => Position::read(&asked.position, seed).map_err(Refusal::bad)?,
        None => position(&asked.position)?,
    };
    if let Some(text) = asked.play {
        play_text(&mut at, &text).map_err(Refusal::bad)?;
    }
    Ok(Json(view::position(&at)))
}

#[derive(Deserialize)]
struct At {
    position: String,
}

async fn find_threats(Asked(asked): Asked<At>) -> Answer {
    let at = position(&asked.position)?;
    aside(move || Ok(Json(threats::json(&at)))).await
}

/// A slot for a search of `client`.
async fn slot(slots: &Arc<Slots>, client: &Client) -> Result<Permit, Refusal> {
    slots.take(&client.0).await
}

#[derive(Deserialize)]
struct Analysed {
    position: String,
    time_ms: Option<Millis>,
}

async fn analyse(
    State(slots): State<Arc<Slots>>,
    client: Client,
    Asked(asked): Asked<Analysed>,
) -> Result<Response, Refusal> {
    let at = open_position(&asked.position)?;
    let time = asked.time_ms.unwrap_or(Millis::new(60_000)).time();
    let permit = slot(&slots, &client).await?;
    Ok(stream::stream(permit, move |teller| {
        analyst::analyse(&at, time, teller)
    }))
}

#[derive(Deserialize)]
struct Chosen {
    position: String,
    engine: String,
    time_ms: Option<Millis>,
    seed: Option<u64>,
}

async fn choose(
    State(slots): State<Arc<Slots>>,
    client: Client,
    Asked(asked): Asked<Chosen>,
) -> Result<Response, Refusal> {
    let at = open_position(&asked.position)?;
    let opponent = opponent(&asked.engine)?;
    let variant = *at.variant();
    let permit = slot(&slots, &client).await?;
    let mut engine = aside(move || build(&opponent, &variant)).await?;
    let time = asked.time_ms.unwrap_or(Millis::new(1000)).time();
    let seed = asked.seed.unwrap_or(1);
    Ok(stream::stream(permit, move |teller| {
        analyst::choose(&mut *engine, &at, time, seed, teller);
    }))
}

async fn solve(State(slots): State<Arc<Slots>>, client: Client, Asked(asked): Asked<At>) -> Answer {
    let at = open_position(&asked.position)?;
    let permit = slot(&slots, &client).await?;
    let game = *at.variant();
    let found = stream::once(permit, move |stop| puzzle::solve(&at, stop)).await?;
    let (best, value) = found.ok_or_else(|| Refusal::bad("the solver can't answer this"))?;
    Ok(Json(
        json!({"best": view::named(&game, best), "value": value_json(value)}),
    ))
}

async fn go_over(
    State(slots): State<Arc<Slots>>,
    client: Client,
    Asked(asked): Asked<Analysed>,
) -> Result<Response, Refusal> {
    let at = position(&asked.position)?;
    let time = asked.time_ms.unwrap_or(Millis::new(400)).time();
    let permit = slot(&slots, &client).await?;
    let variant = *at.variant();
    let mut judge = aside(move || Judge::new(&variant, time)).await?;
    Ok(stream::stream(permit, move |teller| {
        review(&mut judge, &at, teller)
    }))
}

#[derive(Deserialize)]
struct Matched {
    game: String,
    engines: [String; 2],
    games: u32,
    time_ms: Millis,
    opening_plies: usize,
    seed: u64,
}

async fn play_match(
    State(slots): State<Arc<Slots>>,
    client: Client,
    Asked(asked): Asked<Matched>,
) -> Result<Response, Refusal> {
    let engines = [opponent(&asked.engines[0])?, opponent(&asked.engines[1])?];
    if !GAMES.contains(&asked.games) {
        return Err(Refusal::bad(format!(
            "{} games: expected {GAMES:?}",
            asked.games
        )));
    }
    let variant = Variant::named(&asked.game, 0).map_err(Refusal::bad)?;
    for engine in &engines {
        build(engine, &variant)?;
    }
    // Checked above: names of the registry, so no program of the machine is ever started.
    let [one, other] = engines.map(|engine| engine.name().parse::<Entrant>());
    let openings = Openings::new(&asked.game, asked.opening_plies.min(64), asked.seed);
    let contest = contest::Contest {
        engines: [one.map_err(Refusal::bad)?, other.map_err(Refusal::bad)?],
        openings: openings.map_err(Refusal::bad)?,
        games: asked.games,
        time: asked.time_ms.time(),
        seed: asked.seed,
    };
    let permit = slot(&slots, &client).await?;
    Ok(stream::stream(permit, move |teller| contest.run(teller)))
}

#[derive(Deserialize)]
struct Puzzled {
    game: String,
    plies: usize,
    seed: u64,
}

async fn make_puzzle(
    State(slots): State<Arc<Slots>>,
    client: Client,
    Asked(asked): Asked<Puzzled>,
) -> Answer {
    let variant = Variant::named(&asked.game, 0).map_err(Refusal::bad)?;
    if !PUZZLE_PLIES.contains(&asked.plies) || asked.plies.is_multiple_of(2) {
        let reason = format!(
            "a win in {} plies: expected an odd number of {PUZZLE_PLIES:?}",
            asked.plies
        );
        return Err(Refusal::bad(reason));
    }
    let permit = slot(&slots, &client).await?;
    let search = move |stop: &_| puzzle::find(&variant, asked.plies, asked.seed, stop);
    let found = stream::once(permit, search).await?;
    let found =
        found.ok_or_else(|| Refusal::bad(format!("no such puzzle was found in {variant}")))?;
    Ok(Json(found.json()))
}

#[derive(Deserialize)]
struct Swapped {
    position: String,
    seed: u64,
}

async fn swap_sides(
    State(slots): State<Arc<Slots>>,
    client: Client,
    Asked(asked): Asked<Swapped>,
) -> Answer {
    let at = open_position(&asked.position)?;
    let game = *at.variant();
    let mut swapper =
        Swapper::new(&game).ok_or_else(|| Refusal::bad(format!("{game} has no swap2")))?;
    let permit = slot(&slots, &client).await?;
    let limits = limits(SWAP_TIME, asked.seed);
    let found = stream::once(permit, move |_| swapper.answer(&at, &limits)).await?;
    let lay = |cells: &[Cell]| {
        let named = cells.iter().map(|&cell| view::named(&game, cell));
        json!({"lay": named.collect::<Vec<_>>()})
    };
    Ok(Json(match found.map_err(Refusal::bad)? {
        Swap2::Lay(cells) => lay(&cells),
        Swap2::LayTwo(cells) => lay(&cells),
        Swap2::Swap => json!({"take": Side::First.index()}),
        Swap2::Play(_) => json!({"take": Side::Second.index()}),
    }))
}

#[derive(Deserialize)]
struct Text {
    text: String,
    game: String,
}

async fn read(Asked(asked): Asked<Text>) -> Answer {
    aside(move || text::read(&asked.text, &asked.game).map(Json)).await
}

#[derive(Deserialize)]
struct Written {
    position: String,
    format: String,
    #[serde(default)]
    comments: Map<String, Value>,
}

async fn write(Asked(asked): Asked<Written>) -> Answer {
    let text = text::write(&asked.position, &asked.format, &asked.comments)?;
    Ok(Json(json!({"text": text})))
}

#[derive(Deserialize)]
struct Nothing {}

async fn list_stored(Extension(archive): Extension<Arc<Archive>>, _: Asked<Nothing>) -> Answer {
    aside(move || Ok(Json(archive.list()))).await
}

#[derive(Deserialize)]
struct Stored {
    store: String,
    run: String,
}

async fn show_run(
    Extension(archive): Extension<Arc<Archive>>,
    Asked(asked): Asked<Stored>,
) -> Answer {
    aside(move || archive.run(&asked.store, &asked.run).map(Json)).await
}

#[derive(Deserialize)]
struct StoredGame {
    store: String,
    run: String,
    game: u32,
}

async fn show_game(
    Extension(archive): Extension<Arc<Archive>>,
    Asked(asked): Asked<StoredGame>,
) -> Answer {
    aside(move || archive.game(&asked.store, &asked.run, asked.game).map(Json)).await
}
