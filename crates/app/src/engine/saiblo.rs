//! Drives Saiblo's protocol: a turn, a thought, a framed answer. Stderr stays
//! empty, because its pipe is small and nobody reads it.

use super::Thinker;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::time::Duration;
use stoneline_protocols::course::View;
use stoneline_protocols::saiblo::{Request, Requests, answer};
use stoneline_rules::Cell;
use stoneline_search::Limits;

/// The judge allows 3 s and 1 GB for the whole process, on one thread.
const MOVE: Duration = Duration::from_millis(2700);
const MEMORY_BYTES: usize = 800 << 20;

/// Speaks until the judge ends the game or closes the pipe.
pub(super) fn run(
    mut thinker: Thinker,
    input: &mut dyn Read,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut requests = Requests::default();
    let mut bytes = [0; 4096];
    loop {
        while let Some(request) = requests.next() {
            match request {
                Ok(Request::NewGame) => thinker.forget(),
                Ok(Request::End) => return Ok(()),
                Ok(Request::Turn { view, .. }) => {
                    let style = requests.style().expect("a turn came in some style");
                    out.write_all(&answer(style, &view, choose(&mut thinker, &view)))?;
                    out.flush()?;
                }
                // Nobody can be told; what makes sense again is heard again.
                Err(_) => {}
            }
        }
        match input.read(&mut bytes) {
            Ok(0) => return Ok(()),
            Ok(size) => requests.push(&bytes[..size]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// The engine's move, or any that the view allows where it shows no position.
fn choose(thinker: &mut Thinker, view: &View) -> Option<Cell> {
    let limits = Limits {
        time: Some(MOVE),
        memory_bytes: Some(MEMORY_BYTES),
        threads: Some(1),
        ..Limits::default()
    };
    let thought = view.position().and_then(|position| {
        let watch = &mut |_: stoneline_search::Event<'_>| ControlFlow::Continue(());
        let choice = thinker.think(&position, &limits, watch).ok()?;
        choice.best.filter(|&cell| position.check(cell).is_ok())
    });
    thought.or_else(|| view.any_move())
}
