//! Searches on threads of their own, told as server-sent events or as one answer.
//!
//! Those threads give way to the server's, so that pages come fast while every core searches.
//! A search ends when its reader leaves: what the reader holds raises the stop
//! when it is dropped. The slot is held until the thread has really ended.

use super::refusal::Refusal;
use super::slots::{Permit, Stop};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;
use tokio_stream::Stream;

/// Events that wait for a slow reader.
const WAITING_EVENTS: usize = 32;

/// The search's end of a stream.
pub(crate) struct Teller {
    events: Sender<Event>,
    stop: Arc<Stop>,
}

impl Teller {
    /// How the search stands; left out when the reader is behind.
    pub(crate) fn mention(&self, what: &Value) -> ControlFlow<()> {
        if let Err(tokio::sync::mpsc::error::TrySendError::Closed(_)) =
            self.events.try_send(event(what))
        {
            self.stop.raise();
        }
        self.stop.flow()
    }

    /// What the reader must hear, however slow it is.
    pub(crate) fn tell(&self, what: &Value) -> ControlFlow<()> {
        if self.events.blocking_send(event(what)).is_err() {
            self.stop.raise();
        }
        self.stop.flow()
    }

    /// What ends the search.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }
}

fn event(what: &Value) -> Event {
    Event::default().data(what.to_string())
}

/// Raises the stop of a search when the reader is gone.
struct Presence(Arc<Stop>);

impl Drop for Presence {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// The reader's end of a stream.
struct Reader {
    events: Receiver<Event>,
    _presence: Presence,
}

impl Stream for Reader {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.events.poll_recv(context).map(|event| event.map(Ok))
    }
}

/// How much less a search's thread counts than the server's when both want a core.
#[cfg(target_os = "linux")]
const NICE: i32 = 4;

/// Runs `work` on a thread of its own; what comes of it, or nothing if it fails.
fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> oneshot::Receiver<T> {
    let (send, receive) = oneshot::channel();
    std::thread::spawn(move || {
        // Refused, searches and pages count the same, as elsewhere.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(NICE);
        // Nobody waits for it any more when this fails.
        let _ = send.send(work());
    });
    receive
}

/// Runs `search` and streams what it tells; a last event says when it had to give way.
pub(crate) fn stream(permit: Permit, search: impl FnOnce(&Teller) + Send + 'static) -> Response {
    let (send, receive) = channel(WAITING_EVENTS);
    let stop = permit.stop();
    let reader = Reader {
        events: receive,
        _presence: Presence(Arc::clone(&stop)),
    };
    drop(aside(move || {
        let teller = Teller { events: send, stop };
        search(&teller);
        drop(permit);
        if teller.stop.gives_way() {
            let _ = teller
                .events
                .blocking_send(event(&json!({"gave_way": true})));
        }
    }));
    Sse::new(reader)
        .keep_alive(KeepAlive::default())
        .into_response()
}

/// The result of `search`, which ends early when nobody waits for it any more.
pub(crate) async fn once<T: Send + 'static>(
    permit: Permit,
    search: impl FnOnce(&Stop) -> T + Send + 'static,
) -> Result<T, Refusal> {
    let stop = permit.stop();
    let presence = Presence(Arc::clone(&stop));
    let result = aside(move || {
        let result = search(&stop);
        drop(permit);
        result
    });
    let result = result.await;
    drop(presence);
    result.map_err(|_| {
        Refusal::new(
            axum::http::StatusCode::INTERNAL_SERVER_ERROR,
            "the search failed",
        )
    })
}
