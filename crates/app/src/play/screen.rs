//! The terminal in full-screen mode, and the loop that draws, listens and asks engines.
//!
//! Whatever ends the loop, a panic included, the terminal is given back as it was.

use super::input;
use super::model::{Action, End, Model};
use super::task::News;
use super::view;
use super::worker::Worker;
use crate::interrupt;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event,
    read,
};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute, queue};
use ratatui::layout::Rect;
use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// What wakes the loop.
enum Signal {
    Terminal(Event),
    News(u64, Box<News>),
    Interrupt,
    /// The terminal can't be read any more.
    Lost(io::Error),
}

/// Plays on the full screen until the person leaves; the game stays in `model`.
pub(crate) fn run(model: &mut Model) -> anyhow::Result<End> {
    let (send, signals) = channel();
    // Before the screen is taken over: a Ctrl-C in between is not lost.
    let interrupted = send.clone();
    interrupt::call(move || {
        let _ = interrupted.send(Signal::Interrupt);
    });
    let screen = Screen::enter(io::stdout())?;
    interrupt::restore_by(leave_from_elsewhere);
    let mut terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    listen(send.clone());
    let mut worker = Worker::start(move |number, news| {
        let _ = send.send(Signal::News(number, Box::new(news)));
    });
    let end = loop {
        worker.want(model.task());
        queue!(io::stdout(), BeginSynchronizedUpdate)?;
        terminal.draw(|frame| view::draw(model, frame))?;
        execute!(io::stdout(), EndSynchronizedUpdate)?;
        let area = Rect::from((ratatui::layout::Position::ORIGIN, terminal.size()?));
        // All that waits is taken in before the screen is drawn again.
        let first = signals.recv()?;
        for signal in std::iter::once(first).chain(signals.try_iter()) {
            take(model, &mut worker, signal, area)?;
            if model.end.is_some() {
                break;
            }
        }
        if let Some(end) = model.end {
            break end;
        }
    };
    drop(screen);
    Ok(end)
}

fn take(model: &mut Model, worker: &mut Worker, signal: Signal, area: Rect) -> anyhow::Result<()> {
    match signal {
        Signal::Terminal(event) => {
            for action in input::actions(&event, model, area) {
                model.act(action);
            }
        }
        Signal::Interrupt => model.act(Action::Interrupt),
        Signal::News(number, news) => {
            if let Some(task) = worker.task(number) {
                let goes_on = matches!(&*news, News::Thought(_) | News::Review(_));
                model.hear(&task, *news);
                if !goes_on {
                    worker.finish();
                }
            }
        }
        Signal::Lost(error) => return Err(error.into()),
    }
    // What is wanted may have changed: news of the old task must not be taken for the new one's.
    worker.want(model.task());
    Ok(())
}

/// Reads the terminal on a thread of its own, which ends with the program.
fn listen(send: Sender<Signal>) {
    thread::spawn(move || {
        loop {
            let signal = match read() {
                Ok(event) => Signal::Terminal(event),
                Err(error) => Signal::Lost(error),
            };
            let is_lost = matches!(signal, Signal::Lost(_));
            if send.send(signal).is_err() || is_lost {
                return;
            }
        }
    });
}

/// The terminal while it is ours.
struct Screen<W: Write> {
    out: W,
}

impl<W: Write> Screen<W> {
    fn enter(mut out: W) -> io::Result<Self> {
        enable_raw_mode()?;
        restore_after_panics();
        execute!(
            out,
            EnterAlternateScreen,
            EnableMouseCapture,
            EnableBracketedPaste,
            cursor::Hide
        )?;
        Ok(Self { out })
    }
}

impl<W: Write> Drop for Screen<W> {
    fn drop(&mut self) {
        leave(&mut self.out);
    }
}

/// Gives the terminal back; what fails then can't be helped.
fn leave(out: &mut impl Write) {
    let _ = execute!(
        out,
        EndSynchronizedUpdate,
        DisableBracketedPaste,
        DisableMouseCapture,
        cursor::Show,
        LeaveAlternateScreen
    );
    let _ = disable_raw_mode();
}

/// Gives the terminal back while somebody else holds stdout, by another way to it.
fn leave_from_elsewhere() {
    match File::options().write(true).open("/dev/tty") {
        Ok(mut terminal) => leave(&mut terminal),
        Err(_) => leave(&mut io::stderr()),
    }
}

/// A panic of this thread is told on a terminal that can show it; those of engines are caught.
fn restore_after_panics() {
    let usual = std::panic::take_hook();
    let own = thread::current().id();
    std::panic::set_hook(Box::new(move |panic| {
        if thread::current().id() == own {
            leave(&mut io::stdout());
            usual(panic);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_gives_the_terminal_back() {
        let mut written = Vec::new();
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _screen = Screen { out: &mut written };
            panic!("on purpose");
        }));
        assert!(caught.is_err());
        let text = String::from_utf8(written).unwrap();
        // Mouse reports off, cursor on, the other screen left.
        for sequence in ["\x1b[?1003l", "\x1b[?25h", "\x1b[?1049l", "\x1b[?2004l"] {
            assert!(text.contains(sequence), "{text:?}");
        }
    }
}
