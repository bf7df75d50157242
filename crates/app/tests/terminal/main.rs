//! The full screen in a real terminal: tmux runs it, types, resizes and tells what is to be seen.
//!
//! Nothing waits for a time: screens are looked at until they show what is
//! expected, and a deadline far away ends the wait with what was seen. The
//! tests need tmux, so they are run by `./test terminal`, which installs it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Long after any of this has happened on a busy machine.
const DEADLINE: Duration = Duration::from_secs(60);

static SERVERS: AtomicU32 = AtomicU32::new(0);

/// A tmux server with one window in which a shell runs the binary.
struct Terminal {
    server: String,
}

impl Terminal {
    /// `stoneline` with `arguments` in a window of 80x24.
    fn start(arguments: &str) -> Self {
        let number = SERVERS.fetch_add(1, Ordering::Relaxed);
        let terminal = Self {
            server: format!("stoneline-test-{}-{number}", std::process::id()),
        };
        let binary = env!("CARGO_BIN_EXE_stoneline");
        // `cat` keeps the window after the end.
        let line = format!("'{binary}' {arguments}; echo \"exit $?\"; exec cat");
        terminal.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            "80",
            "-y",
            "24",
            "-e",
            "LC_ALL=C.UTF-8",
            "-e",
            "NO_COLOR=",
            &line,
        ]);
        terminal
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let run = Command::new("tmux")
            .args(["-u", "-L", &self.server])
            .args(arguments)
            .output()
            .expect("tmux starts");
        let errors = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "tmux {arguments:?}: {errors}");
        String::from_utf8(run.stdout).expect("tmux writes UTF-8")
    }

    fn press(&self, keys: &[&str]) {
        let mut arguments = vec!["send-keys"];
        arguments.extend(keys);
        self.tmux(&arguments);
    }

    /// Types text as it is, escape sequences of a mouse included.
    fn type_text(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
    }

    /// A click of the left button, columns and rows from 1.
    fn click(&self, column: u16, row: u16) {
        self.type_text(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    fn resize(&self, width: u16, height: u16) {
        let (width, height) = (width.to_string(), height.to_string());
        self.tmux(&["resize-window", "-x", &width, "-y", &height]);
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    /// The first screen that is as expected.
    fn until(&self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let screen = self.screen();
            if is_so(&screen) {
                return screen;
            }
            assert!(begun.elapsed() < DEADLINE, "never saw {what}:\n{screen}");
        }
    }

    fn until_shows(&self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    /// The screen once it shows `text` and is, to the letter, the one kept in
    /// `tests/terminal/NAME.txt`: tmux also shows screens that are half drawn, so a single look
    /// would not do. With `STONELINE_KEEP_SCREENS` set what is seen is kept anew.
    fn until_as_kept(&self, name: &str, text: &str) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/terminal/{name}.txt"));
        if std::env::var_os("STONELINE_KEEP_SCREENS").is_some() {
            fs::write(&path, self.until_shows(text)).expect("the screen can be kept");
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        self.until(&format!("{name}:\n{kept}\nbut"), |screen| screen == kept)
    }

    /// Waits for the end, and sees that the terminal is as it was before.
    fn until_exit(&self, code: i32) -> String {
        let screen = self.until_shows(&format!("exit {code}"));
        let flags = "#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_cursor_flag}";
        let state = self.tmux(&["display-message", "-p", flags]);
        assert_eq!(state.trim(), "0 1 0 0", "the terminal was not given back");
        // In raw mode the line would come back without its carriage return.
        self.type_text("echoed\r");
        self.until("an echo", |screen| {
            screen.lines().filter(|line| *line == "echoed").count() == 2
        });
        screen
    }

    fn pid_of_game(&self) -> String {
        let shell = self.tmux(&["display-message", "-p", "#{pane_pid}"]);
        let children = Command::new("pgrep").args(["-P", shell.trim()]).output();
        let children = String::from_utf8(children.expect("pgrep starts").stdout);
        children.expect("numbers").trim().to_owned()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = Command::new("tmux")
            .args(["-L", &self.server, "kill-server"])
            .output();
    }
}

#[test]
#[ignore = "needs tmux: ./test terminal"]
fn a_game_is_played_analysed_resized_and_quit() {
    let terminal = Terminal::start("play --both --theme mono --seed 1");
    terminal.until_shows("X to move");
    terminal.press(&["4", "4", "5"]);
    let small = terminal.until_as_kept("connect4-80x24", "  3 5");
    terminal.resize(140, 45);
    terminal.until_as_kept("connect4-140x45", "quit");
    terminal.resize(20, 6);
    terminal.until_shows("Too small");
    terminal.resize(80, 24);
    terminal.until("the first screen again", |screen| screen == small);
    terminal.press(&["a"]);
    terminal.until("values of moves", |screen| {
        screen.contains("Analysis") && screen.contains("sims") && screen.contains(" MB ")
    });
    terminal.press(&["a", "3", "6", "3", "7"]);
    terminal.until("the winning line", |screen| {
        screen.contains("X wins.") && screen.matches('★').count() == 4
    });
    terminal.press(&["v"]);
    terminal.until_shows("Reviewed");
    terminal.press(&["q"]);
    let left = terminal.until_exit(0);
    let told = left.lines().any(|line| line == "connect4 4453637");
    assert!(told, "{left}");
}

#[test]
#[ignore = "needs tmux: ./test terminal"]
fn a_free_board_takes_clicks_words_and_menus() {
    let terminal = Terminal::start("play gomoku --both --theme mono");
    let screen = terminal.until_as_kept("gomoku-80x24", "X to move");
    let row = screen
        .lines()
        .position(|line| line.starts_with(" 8 "))
        .expect("row 8");
    // Cells are three columns wide, after three of labels.
    terminal.click(3 + 3 * 7 + 2, row as u16 + 1);
    terminal.until_shows("  1 h8");
    terminal.type_text(":i9\r");
    terminal.until_shows("  2 i9");
    terminal.press(&["u"]);
    terminal.type_text(":game renju h8\r");
    terminal.until_shows("forbidden points");
    terminal.press(&["o"]);
    terminal.until_shows("Who plays the second side?");
    terminal.press(&["Down", "Enter"]);
    terminal.until("an engine's answer", |screen| {
        screen.contains("level:1") && screen.contains("  2 ")
    });
    terminal.press(&["?"]);
    terminal.until_shows("who plays the first, the second side");
    terminal.press(&["Escape"]);
    terminal.until("the board again", |screen| !screen.contains("Keys"));
    terminal.press(&["q"]);
    terminal.until_exit(0);
}

#[test]
#[ignore = "needs tmux: ./test terminal"]
fn two_engines_are_watched_step_by_step() {
    let terminal = Terminal::start(
        "play connectx:4x4x3 --engine random --versus random --seed 3 --theme safe",
    );
    terminal.until("the end", |screen| {
        screen.contains(" wins.") || screen.contains("A draw.")
    });
    terminal.press(&["{", " ", "."]);
    terminal.until_shows("paused");
    terminal.press(&["q"]);
    terminal.until_exit(0);
}

#[test]
#[ignore = "needs tmux: ./test terminal"]
fn interrupts_and_kills_give_the_terminal_back() {
    let terminal = Terminal::start("play --both");
    terminal.until_shows("X to move");
    terminal.press(&["4", "C-c"]);
    let left = terminal.until_exit(130);
    assert!(
        left.contains("connect4 4"),
        "what was played is told: {left}"
    );
    for signal in ["-TERM", "-INT", "-HUP"] {
        let terminal = Terminal::start("play --both");
        terminal.until_shows("X to move");
        let pid = terminal.pid_of_game();
        let killed = Command::new("kill").args([signal, &pid]).status();
        assert!(killed.expect("kill starts").success());
        terminal.until_exit(130);
    }
    // Whether the screen ends by itself or is too late for the second: it is given back.
    let terminal = Terminal::start("play --both");
    terminal.until_shows("X to move");
    let game = terminal.pid_of_game();
    let twice = format!("kill -INT {game} && {{ kill -INT {game} 2>/dev/null || true; }}");
    let killed = Command::new("sh").args(["-c", &twice]).status();
    assert!(killed.expect("sh starts").success());
    terminal.until_exit(130);
}

#[test]
#[ignore = "needs tmux: ./test terminal"]
fn a_dumb_terminal_gets_lines() {
    let terminal = Terminal::start("play --both --plain");
    terminal.until_shows("X >");
    terminal.type_text("4\r");
    terminal.until_shows("O >");
    terminal.type_text("quit\r");
    terminal.until_exit(0);
}
