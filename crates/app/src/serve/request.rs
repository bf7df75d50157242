//! What requests say, bounded and checked before anything is done with it.

use super::refusal::Refusal;
use super::slots::Peer;
use crate::opponent::Opponent;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::time::Duration;
use stoneline_rules::{Position, Variant};
use stoneline_search::{BuildError, Engine, Limits};

/// Bytes of a request's body: a long game with comments fits.
const BODY_BYTES: usize = 256 << 10;
/// Letters of a position: the largest board, drawn, with all its moves, fits.
const POSITION_BYTES: usize = 16 << 10;
/// Letters of an engine's name with its keys.
const ENGINE_BYTES: usize = 1000;
/// How long a client may take to send a body.
const BODY_TIME: Duration = Duration::from_secs(10);
/// The longest search.
const SEARCH_TIME: Duration = Duration::from_secs(120);
/// Memory of one search; their number is bounded, so all of it is.
const SEARCH_BYTES: usize = 256 << 20;

/// A body of JSON.
pub(crate) struct Asked<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequest<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let is_json = |kind: &str| kind.split(';').next() == Some("application/json");
        if !kind.is_some_and(|kind| kind.to_str().is_ok_and(is_json)) {
            let reason = "expected a body of application/json";
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason));
        }
        let body = axum::body::to_bytes(request.into_body(), BODY_BYTES);
        let body = tokio::time::timeout(BODY_TIME, body).await.map_err(|_| {
            Refusal::new(
                StatusCode::REQUEST_TIMEOUT,
                "the body took too long to arrive",
            )
        })?;
        let body = body.map_err(|_| {
            let reason = format!("the body is longer than {BODY_BYTES} bytes, or broke off");
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, reason)
        })?;
        serde_json::from_slice(&body)
            .map(Self)
            .map_err(Refusal::bad)
    }
}

/// Who asks, as far as fairness is concerned: the page's own name, else the connection.
pub(crate) struct Client(pub(crate) String);

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let told = parts.headers.get("x-stoneline-client");
        let told = told
            .and_then(|name| name.to_str().ok())
            .filter(|name| name.len() <= 64);
        let peer = || {
            parts
                .extensions
                .get::<Peer>()
                .map(|peer| peer.0.to_string())
        };
        Ok(Self(
            told.map(str::to_owned).or_else(peer).unwrap_or_default(),
        ))
    }
}

/// The position in `text`.
pub(crate) fn position(text: &str) -> Result<Position, Refusal> {
    if text.len() > POSITION_BYTES {
        let reason = format!("a position takes at most {POSITION_BYTES} bytes");
        return Err(Refusal::bad(reason));
    }
    Position::read(text, 0).map_err(Refusal::bad)
}

/// A position at which somebody can still move.
pub(crate) fn open_position(text: &str) -> Result<Position, Refusal> {
    let position = position(text)?;
    match position.outcome() {
        Some(outcome) => Err(Refusal::bad(format!("the game is over: {outcome}"))),
        None => Ok(position),
    }
}

/// The engine with that name and keys, none of them beyond what a search may take.
pub(crate) fn opponent(text: &str) -> Result<Opponent, Refusal> {
    if text.len() > ENGINE_BYTES {
        return Err(Refusal::bad(format!(
            "an engine's name takes at most {ENGINE_BYTES} bytes"
        )));
    }
    let opponent: Opponent = text.parse().map_err(Refusal::bad)?;
    let limits = opponent.limits();
    if limits.time.is_some_and(|time| time > SEARCH_TIME) {
        return Err(Refusal::bad(format!(
            "time: at most {} s here",
            SEARCH_TIME.as_secs()
        )));
    }
    if limits
        .memory_bytes
        .is_some_and(|bytes| bytes > SEARCH_BYTES)
    {
        return Err(Refusal::bad(format!(
            "memory: at most {} MB here",
            SEARCH_BYTES >> 20
        )));
    }
    if limits.threads.is_some_and(|threads| threads > 1) {
        return Err(Refusal::bad("threads: the page gives each search one"));
    }
    Ok(opponent)
}

/// The engine for a game.
pub(crate) fn build(opponent: &Opponent, variant: &Variant) -> Result<Box<dyn Engine>, Refusal> {
    opponent
        .build(variant)
        .map_err(|error: BuildError| Refusal::bad(error))
}

/// What a search here may take.
pub(crate) fn limits(time: Duration, seed: u64) -> Limits {
    Limits {
        time: Some(time),
        memory_bytes: Some(SEARCH_BYTES),
        threads: Some(1),
        seed: Some(seed),
        ..Limits::default()
    }
}

/// A time in milliseconds, within what a search may take.
#[derive(Clone, Copy, Deserialize)]
#[serde(transparent)]
pub(crate) struct Millis(u64);

impl Millis {
    pub(crate) const fn new(milliseconds: u64) -> Self {
        Self(milliseconds)
    }

    pub(crate) fn time(self) -> Duration {
        Duration::from_millis(self.0).clamp(Duration::from_millis(1), SEARCH_TIME)
    }
}
