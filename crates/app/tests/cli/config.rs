//! Defaults from files and the environment, completions, manual pages, logs, exit codes.

use crate::run::{Finished, command, finish, shell, stoneline, stoneline_path};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the binary in `folder` with `variables`, without the defaults of whoever runs the tests.
fn in_folder(folder: &Path, arguments: &str, variables: &[(&str, &str)], input: &str) -> Finished {
    let mut command = Command::new(stoneline_path());
    command
        .current_dir(folder)
        .args(arguments.split_whitespace())
        .env("XDG_CONFIG_HOME", folder.join("xdg"))
        .env_remove("STONELINE_CONFIG")
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    finish(command, input.as_bytes())
}

#[test]
fn flags_come_before_variables_before_the_nearest_file_before_what_is_built_in() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("xdg/stoneline");
    fs::create_dir_all(&own).unwrap();
    let text = "game = \"gomoku\"\ntheme = \"safe\"\n";
    fs::write(own.join("stoneline.toml"), text).unwrap();
    let run = |arguments: &str, variables: &[(&str, &str)]| {
        let run = in_folder(folder.path(), arguments, variables, "h8\n");
        let ended = (run.code, run.stderr.as_str());
        assert_eq!(ended, (Some(0), ""), "{arguments}");
        run.stdout
    };
    let renju = [("STONELINE_GAME", "renju")];
    assert!(run("play --both", &[]).starts_with("gomoku: "));
    assert!(run("play --both", &renju).starts_with("renju: "));
    assert!(run("play gobang --both", &renju).starts_with("gobang: "));
    let text = "engine = \"random\"\ntime = 0.1\n";
    fs::write(folder.path().join("stoneline.toml"), text).unwrap();
    // One file is in force, not both.
    assert!(run("play", &[]).starts_with("connect4: "));
    assert!(run("play", &[]).contains("random is O"));
    assert!(run("play --engine level:1", &[]).contains("level:1 is O"));
    let told: Value = serde_json::from_str(&run("config --json", &renju)).unwrap();
    assert_eq!(told["keys"]["engine"]["from"], "stoneline.toml, line 1");
    assert_eq!(told["keys"]["game"]["from"], "STONELINE_GAME");
    assert_eq!(told["keys"]["theme"]["from"], "built in");
    let table = run("config", &renju);
    let row = table.lines().find(|line| line.starts_with("engine "));
    let words: Vec<&str> = row.unwrap().split_whitespace().collect();
    assert_eq!(words[..3], ["engine", "random", "stoneline.toml,"]);
}

#[test]
fn defaults_reach_every_command_that_heeds_them() {
    let folder = tempfile::tempdir().unwrap();
    let text = "game = \"connectx:4x4x3\"\nmatch_time = \"5ms\"\nstore = \"kept.db\"\n\
                concurrency = 2\nmemory = \"8MB\"\nthreads = 1\ncolour = \"always\"\n";
    fs::write(folder.path().join("stoneline.toml"), text).unwrap();
    let run = |arguments: &str, input: &str| {
        let run = in_folder(folder.path(), arguments, &[], input);
        let ended = (run.code, run.stderr.as_str());
        assert_eq!(ended, (Some(0), ""), "{arguments}");
        run.stdout
    };
    let told = run("match mcts random --games 2", "");
    assert!(
        told.starts_with("mcts against random, connectx:4x4x3\n"),
        "{told}"
    );
    let kept = run("games list kept.db --json", "");
    assert_eq!(kept.lines().count(), 2, "{kept}");
    let html = run("report kept.db --md", "");
    assert!(html.contains("5ms") || html.contains("5 ms"), "{html}");
    assert!(run("games show kept.db", "").contains("\x1b["));
    // A flag's limit is not joined by the time that is in force.
    run(
        "match random random --games 2 --nodes 10 --game connect4",
        "",
    );
    for (command, input) in [
        ("match random random --games 2", ""),
        ("solve connect4 444444", ""),
        ("book verify --plies 1", ""),
        ("engine json", "{\"do\":\"hello\"}\n"),
        ("analyse connect4 444444 --time 0.01", ""),
        ("train --show-net", ""),
    ] {
        let bad = in_folder(folder.path(), command, &[("STONELINE_THREADS", "x")], input);
        assert_eq!(bad.code, Some(2), "{command} heeds the threads in force");
        assert!(bad.stderr.contains("STONELINE_THREADS=x"), "{}", bad.stderr);
    }
}

#[test]
fn a_bad_file_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("stoneline.toml"), "\n\ntimes = 3\n").unwrap();
    for arguments in [
        "config",
        "play --plain",
        "analyse connect4",
        "solve connect4",
    ] {
        let run = in_folder(folder.path(), arguments, &[], "");
        assert_eq!(run.code, Some(2), "{arguments}");
        assert!(
            run.stderr.contains("stoneline.toml, line 3"),
            "{}",
            run.stderr
        );
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
    let run = in_folder(folder.path(), "tournament --example", &[], "");
    assert_eq!(run.code, Some(0), "what takes no defaults does not care");
    let run = in_folder(folder.path(), "config --config nowhere.toml", &[], "");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("nowhere.toml"), "{}", run.stderr);
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = stoneline(&format!("completions {shell}"), "");
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{shell}");
        for word in ["play", "analyse", "games", "--versus"] {
            let word = word.trim_start_matches(if shell == "fish" { "--" } else { "" });
            assert!(run.stdout.contains(word), "{shell} knows {word}");
        }
    }
    // What bash makes of it.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stoneline.bash");
    fs::write(&file, stoneline("completions bash", "").stdout).unwrap();
    let script = format!(
        "source {}; COMP_WORDS=(stoneline ga); COMP_CWORD=1; _stoneline stoneline ga stoneline; \
         echo \"${{COMPREPLY[@]}}\"",
        file.display()
    );
    let bash = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&bash.stdout).trim(), "games");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let run = in_folder(folder.path(), "man pages", &[], "");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for name in [
        "stoneline",
        "stoneline-play",
        "stoneline-games-export",
        "stoneline-man",
    ] {
        let path = folder.path().join(format!("pages/{name}.1"));
        let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}", path.display()));
        assert!(text.contains(".SH SYNOPSIS"), "{name}");
    }
    let play = fs::read_to_string(folder.path().join("pages/stoneline-play.1")).unwrap();
    assert!(play.contains("Examples:"), "{play}");
}

#[test]
fn logs_go_to_stderr_or_into_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let play = "play --engine random --seed 1";
    let quiet = in_folder(folder.path(), play, &[], "4\n");
    assert_eq!(quiet.stderr, "");
    let told = in_folder(folder.path(), &format!("{play} --log info"), &[], "4\n");
    assert!(
        told.stderr.contains("chosen") && told.stderr.contains("random"),
        "{}",
        told.stderr
    );
    assert_eq!(told.stdout, quiet.stdout);
    let kept = in_folder(folder.path(), &format!("{play} --log run.log"), &[], "4\n");
    assert_eq!((kept.stderr.as_str(), &kept.stdout), ("", &quiet.stdout));
    let log = fs::read_to_string(folder.path().join("run.log")).unwrap();
    assert!(log.contains("built") && log.contains("chosen"), "{log}");
    let bad = in_folder(
        folder.path(),
        &format!("{play} --log no/such/file"),
        &[],
        "",
    );
    assert_eq!(bad.code, Some(2));
}

#[test]
fn the_arena_logs_games_programs_and_what_it_writes() {
    let folder = tempfile::tempdir().unwrap();
    let run = |log: &str| {
        let mut command = command("match random --games 2 --time 20 --store m.db --log");
        let foreign = format!("json:{} engine json", stoneline_path());
        command.current_dir(folder.path()).args([log, &foreign]);
        finish(command, b"")
    };
    let told = run("debug");
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    for words in [
        "tournament begun",
        "run begun",
        "program started",
        "game begun",
        "game ended",
        "games written",
        "program ended",
        "tournament ended",
    ] {
        assert!(told.stderr.contains(words), "{words}: {}", told.stderr);
    }
    let again = run("info").stderr;
    assert!(again.contains("run goes on"), "{again}");
    assert!(!again.contains("game begun"), "{again}");
}

#[test]
fn a_reader_who_leaves_ends_every_command_quietly() {
    for line in [
        "stoneline analyse connect4 --time 0.3 --json | head -1",
        "seq 3000 | sed 's/.*/44444455/' | stoneline solve --file - --json | head -1",
        "seq 3000 | sed 's/.*/connect4 4545454/' | stoneline games list - | head -1",
        "seq 3000 | sed 's/.*/connect4 4545454/' | stoneline games export - - --format json | head -1",
        "seq 300 | sed 's/.*/connect4 4545454/' | stoneline games show - --number 3 | head -1",
        "stoneline match random random --games 2 --store m.db --json | head -1 \
         && stoneline report m.db --html | head -1 && stoneline report m.db --md | head -1",
        "stoneline play --engines | head -1",
        "stoneline completions zsh | head -1",
        "stoneline --help | head -1",
        "stoneline config | head -1",
    ] {
        let run = shell(line);
        let ended = (run.code, run.stderr.as_str());
        assert_eq!(ended, (Some(0), ""), "{line}");
        assert!(!run.stdout.is_empty(), "{line}");
    }
}

#[test]
fn exit_codes_mean_the_same_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("wrong.txt"), "414141 -3\n").unwrap();
    for (arguments, code) in [
        ("--help", 0),
        ("help games", 0),
        ("solve connect4 414141", 0),
        ("solve --file wrong.txt --game connect4", 1),
        ("solve --file nowhere.txt --game connect4", 2),
        ("no-such-command", 2),
        ("games", 2),
        ("completions tcsh", 2),
        ("analyse connect4 99", 2),
        ("solve connect4 --threads 0", 2),
        ("games show nowhere.db", 2),
        ("report nowhere.db", 2),
        ("tournament nowhere.toml", 2),
        ("train nowhere.toml", 2),
        ("puzzles nowhere.tsv", 2),
        (
            "match random random --games 2 --simulations 1 --sprt 0,50",
            1,
        ),
        ("play --theme pink", 2),
    ] {
        let run = in_folder(folder.path(), arguments, &[], "");
        assert_eq!(run.code, Some(code), "{arguments}: {}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn interrupts_and_kills_give_130() {
    for signal in ["-INT", "-TERM"] {
        for arguments in ["analyse connect4 --time 60 --json", "serve --port 0"] {
            let mut child = command(arguments).spawn().unwrap();
            let mut lines = BufReader::new(child.stdout.take().unwrap());
            // What it writes first shows that it runs.
            lines.read_line(&mut String::new()).unwrap();
            let killed = Command::new("kill")
                .args([signal, &child.id().to_string()])
                .status();
            assert!(killed.unwrap().success());
            std::io::copy(&mut lines, &mut std::io::sink()).unwrap();
            assert_eq!(
                child.wait().unwrap().code(),
                Some(130),
                "{arguments} {signal}"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn what_was_found_before_an_interrupt_is_told() {
    let folder = tempfile::tempdir().unwrap();
    // A quick position, then one that takes half a minute.
    fs::write(folder.path().join("two.txt"), "44444455\n-\n").unwrap();
    let solve = "solve --file two.txt --no-book --json --log debug";
    let play = "match random random --games 100000000 --nodes 1 --json --log debug";
    let bench = "bench --only rules --time 1 --json --log debug";
    for (arguments, is_under_way, counted) in [
        (solve, "", "\"positions\":1"),
        (play, "game ended", "\"games\":"),
        (bench, "measured", "\"signature\":{}"),
    ] {
        let mut child = command(arguments);
        let mut child = child.current_dir(folder.path()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        if is_under_way.is_empty() {
            stdout.read_line(&mut line).unwrap();
        } else {
            while !line.contains(is_under_way) {
                line.clear();
                assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "{arguments}");
            }
        }
        let reader = std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        let id = child.id().to_string();
        let killed = Command::new("kill").args(["-INT", &id]).status();
        assert!(killed.unwrap().success());
        let told = std::io::read_to_string(stdout).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{arguments}");
        assert!(told.lines().last().unwrap().contains(counted), "{told}");
        reader.join().unwrap().unwrap();
    }
}
