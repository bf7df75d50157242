//! A running foreign program: fed, read and ended without ever waiting for it.
//!
//! Threads stand at its three streams. What it is told waits in one of them
//! until it listens; what it says fills a small queue and then its own pipe,
//! never our memory.

use super::command::CommandLine;
use super::library;
use super::tail::Tail;
use crate::game::Reason;
use crate::player::{Loss, Turn};
use crate::system;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Pieces of output that wait to be read, of at most 4 KB each.
const QUEUE: usize = 16;
/// How often a wait looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(20);
/// How long after the end of its output a program is given to end; whoever stays is ended.
const EXIT_TIME: Duration = Duration::from_millis(300);

/// A program that plays, with all its processes. Ended when dropped.
pub(super) struct Program {
    child: Child,
    /// What it is told; `None` once it was told its last.
    stdin: Option<Sender<Vec<u8>>>,
    stdout: Receiver<Vec<u8>>,
    stderr: Tail,
    stderr_reader: Option<JoinHandle<()>>,
    /// Dropped after the program.
    _scratch: Scratch,
    /// Bytes that it said since it was last told something.
    said: usize,
    answer_bytes: usize,
}

/// How long to wait, and who may break the wait off.
#[derive(Clone, Copy)]
pub(super) struct Patience<'a> {
    until: Instant,
    time: Duration,
    what: &'static str,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Patience<'a> {
    /// Until a program must have started.
    pub(super) fn of_start(line: &CommandLine) -> Self {
        Self::new(line.bounds.start, "start-up", None)
    }

    /// Until a turn must have been answered.
    pub(super) fn of_turn(line: &CommandLine, turn: &Turn<'a>) -> Self {
        let time = turn.deadline.unwrap_or(line.bounds.wait);
        Self::new(time, "an answer", Some(turn.stop))
    }

    fn new(time: Duration, what: &'static str, stop: Option<&'a AtomicBool>) -> Self {
        Self {
            until: Instant::now() + time,
            time,
            what,
            stop,
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    fn loss(&self) -> Loss {
        let time = self.time.as_millis();
        Loss::new(
            Reason::Time,
            format!("{} took more than {time} ms", self.what),
        )
    }
}

impl Program {
    /// Starts a program; whether it runs shows when it answers.
    pub(super) fn start(line: &CommandLine) -> Result<Self, Loss> {
        let cannot = |error: io::Error| {
            let name = line.words[0].display();
            Loss::new(Reason::Crash, format!("{name} can't be started: {error}"))
        };
        let scratch = Scratch::new().map_err(cannot)?;
        let mut command = system::supervised(line, &scratch.0);
        if let Some(folder) = &line.folder {
            command.current_dir(folder);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(cannot)?;
        let name = line.words[0].display();
        tracing::info!(program = %name, process = child.id(), "program started");
        let (tell, told) = mpsc::channel();
        let (say, stdout) = mpsc::sync_channel(QUEUE);
        let stderr = Tail::default();
        if let Some(stream) = child.stdin.take() {
            std::thread::spawn(move || feed(stream, &told));
        }
        if let Some(stream) = child.stdout.take() {
            std::thread::spawn(move || listen(stream, &say));
        }
        let stderr_reader = child.stderr.take().map(|stream| {
            let tail = stderr.clone();
            std::thread::spawn(move || tail.follow(stream))
        });
        Ok(Self {
            child,
            stdin: Some(tell),
            stdout,
            stderr,
            stderr_reader,
            _scratch: scratch,
            said: 0,
            answer_bytes: line.bounds.answer_bytes,
        })
    }

    /// Tells it something; never waits. That it does not listen shows when it does not answer.
    pub(super) fn tell(&mut self, bytes: impl Into<Vec<u8>>) {
        self.said = 0;
        if let Some(stdin) = &self.stdin {
            let _ = stdin.send(bytes.into());
        }
    }

    /// The next piece of what it says.
    pub(super) fn hear(&mut self, patience: &Patience<'_>) -> Result<Vec<u8>, Loss> {
        loop {
            let left = patience.until.saturating_duration_since(Instant::now());
            match self.stdout.recv_timeout(left.min(LOOK)) {
                Ok(piece) => {
                    self.said += piece.len();
                    if self.said > self.answer_bytes {
                        let most = self.answer_bytes;
                        let sentence = format!("more than {most} bytes for one answer");
                        return Err(Loss::new(Reason::ProtocolError, sentence));
                    }
                    return Ok(piece);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let sentence = self.last_words();
                    let process = self.child.id();
                    tracing::warn!(process, sentence, "program ended by itself");
                    return Err(Loss::new(Reason::Crash, sentence));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if patience.is_stopped() || Instant::now() >= patience.until {
                        return Err(patience.loss());
                    }
                }
            }
        }
    }

    /// How it ended, in a sentence. Called when its output did.
    fn last_words(&mut self) -> String {
        match self.wait(EXIT_TIME) {
            Some(status) => told(status),
            None => "the program closed its output and stayed".to_owned(),
        }
    }

    fn wait(&mut self, time: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(1)),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// The last of what it wrote on its error stream.
    pub(super) fn stderr(&self) -> Option<String> {
        self.stderr.text()
    }

    /// Tells it to end, and gives it a moment to.
    pub(super) fn bid_farewell(&mut self, bytes: impl Into<Vec<u8>>) {
        self.tell(bytes);
        self.stdin = None;
        self.wait(Duration::from_millis(100));
    }

    /// Ends it, and all its processes; the last of what it wrote on its error stream.
    pub(super) fn end(&mut self) -> Option<String> {
        system::end(&mut self.child);
        tracing::info!(process = self.child.id(), "program ended");
        // Its pipe is closed by now, so the thread that reads it is about to end.
        if let Some(reader) = self.stderr_reader.take() {
            let _ = reader.join();
        }
        self.stderr()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        system::end(&mut self.child);
    }
}

/// What an exit status says, a supervisor's code for a signal included.
fn told(status: ExitStatus) -> String {
    match status.code() {
        Some(0) => "the program ended by itself".to_owned(),
        Some(code) if library::meaning(code).is_some() => {
            library::meaning(code).unwrap_or_default().to_owned()
        }
        Some(code @ 129..=192) => {
            let signal = code - 128;
            let name = match signal {
                4 => " (illegal instruction)",
                6 => " (abort)",
                7 => " (bus error)",
                8 => " (arithmetic error)",
                9 => " (kill)",
                11 => " (segmentation fault)",
                15 => " (termination)",
                25 => " (file too large)",
                31 => " (forbidden system call)",
                _ => "",
            };
            format!("the program was ended by signal {signal}{name}")
        }
        Some(code) => format!("the program ended with code {code}"),
        None => "the program was killed".to_owned(),
    }
}

fn feed(mut stream: impl Write, told: &Receiver<Vec<u8>>) {
    for bytes in told {
        if stream
            .write_all(&bytes)
            .and_then(|()| stream.flush())
            .is_err()
        {
            return;
        }
    }
}

fn listen(mut stream: impl Read, say: &SyncSender<Vec<u8>>) {
    let mut bytes = [0; 4096];
    while let Ok(size @ 1..) = stream.read(&mut bytes) {
        if say.send(bytes[..size].to_vec()).is_err() {
            return;
        }
    }
}

/// A folder that is there while its program runs.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("stoneline-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        // Left by an earlier process of the same number, if at all.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
