//! A whole run in small: games, a net, the net at play; interruptions and broken files.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use stoneline_rules::{Position, Variant};
use stoneline_search::neural::{Judge, MOST_COLUMNS, Net, View};
use stoneline_train::{Fit, Play, Settings, fit, play, read_games};

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn games(folder: &Path, count: u64) -> Play {
    let play = Play {
        file: folder.join("small.games"),
        engine: "mcts:simulations=40,memory=1MB".to_owned(),
        games: count,
        seed: 7,
        boards: vec![("course".to_owned(), 2), ("connectx:5x6x4".to_owned(), 1)],
        opening: 0.5,
    };
    play.check().unwrap();
    play
}

fn go_on<T>(_: T) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn a_net_is_fitted_and_plays() {
    let folder = folder("whole");
    let games = games(&folder, 1200);
    let progress = play(&games, 2, go_on).unwrap();
    assert_eq!(progress.games, 1200);
    let settings = Fit {
        data: vec![games.file],
        net: folder.join("small.net"),
        start: None,
        epochs: 2,
        batch: 256,
        rate: 0.003,
        result_share: 0.5,
        foresight: 0.0,
        seed: 1,
    };
    let mut losses = Vec::new();
    let fitted = fit(&settings, 2, |state| {
        losses.push(state.loss);
        go_on(state)
    });
    let fitted = fitted.unwrap().expect("nobody stopped it");
    assert!(losses[losses.len() - 1] < 0.7 * losses[0], "{losses:?}");
    let [before, after] = fitted.held_out_loss;
    assert!(after < before, "{before} {after}");
    let (net, told) = Net::read(&fitted.file).unwrap();
    assert_eq!(told.find("games"), Some("1200"));
    assert!(told.find("data").unwrap().contains("mcts:simulations=40"));
    assert!(told.find("fit").unwrap().contains("epochs=2"));

    // The net in integers sees an advantage where there is one, for either side.
    let game: Variant = "connectx:6x7x4".parse().unwrap();
    let mut judge = Judge::new(&std::sync::Arc::new(net), &game).unwrap();
    judge.reset(&Position::new(game));
    let view = View::<1> {
        stones: &[[0]; 2],
        winning: &[[0]; 2],
        landing: &std::array::from_fn::<_, MOST_COLUMNS, _>(|column| 7 * column as u16),
    };
    assert!(judge.value(&view).abs() < 4000);

    let again = fit(&settings, 1, go_on).unwrap().unwrap();
    assert_eq!(again.positions, fitted.positions);

    // What was fitted is where the next fit begins, but for the rounding of its file.
    std::fs::write(&settings.net, &fitted.file).unwrap();
    let onwards = Fit {
        start: Some(settings.net.clone()),
        rate: 0.0001,
        ..settings
    };
    let further = fit(&onwards, 2, go_on).unwrap().unwrap();
    let begun = further.held_out_loss[0];
    assert!((begun - after).abs() < 0.002 * before, "{begun} {after}");
    assert!(further.held_out_loss[1] < 1.01 * after, "{further:?}");
    let (_, told) = Net::read(&further.file).unwrap();
    assert!(told.find("fit").unwrap().starts_with("start=small.net "));
    std::fs::write(&onwards.net, "nothing").unwrap();
    let reason = fit(&onwards, 2, go_on).unwrap_err().to_string();
    assert!(reason.contains("small.net: no net"), "{reason}");
}

#[test]
fn an_interrupted_run_gives_the_same_games() {
    let (whole, parts) = (folder("uncut"), folder("cut"));
    play(&games(&whole, 30), 2, go_on).unwrap();
    let settings = games(&parts, 30);
    let mut rounds = 0;
    loop {
        rounds += 1;
        let mut left = 7;
        let progress = play(&settings, 2, |_| {
            left -= 1;
            if left == 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .unwrap();
        if progress.games == 30 {
            break;
        }
        // The power fails in the middle of a line.
        let text = std::fs::read(&settings.file).unwrap();
        std::fs::write(&settings.file, &text[..text.len() - 3]).unwrap();
    }
    assert!(rounds > 3, "{rounds}");
    let read = |folder: &Path| std::fs::read_to_string(folder.join("small.games")).unwrap();
    assert_eq!(read(&whole), read(&parts));
}

#[test]
fn broken_files_are_refused_with_the_place() {
    let folder = folder("broken");
    let settings = games(&folder, 12);
    play(&settings, 2, go_on).unwrap();
    let text = std::fs::read_to_string(&settings.file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let refused = |text: String| {
        std::fs::write(&settings.file, text).unwrap();
        let reading = read_games(&settings.file, |_| ()).unwrap_err().to_string();
        let playing = play(&settings, 1, go_on).unwrap_err().to_string();
        assert_eq!(reading, playing);
        reading
    };
    let with = |at: usize, line: String| {
        let mut lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        lines[at] = line;
        lines.join("\n") + "\n"
    };
    let reason = refused(with(6, lines[6].replacen('4', "5", 1)));
    assert!(
        reason.contains("small.games, line 7") && reason.contains("checksum"),
        "{reason}"
    );
    let reason = refused(with(5, lines[4].to_owned()));
    assert!(
        reason.contains("line 6: expected game 3, found game 2"),
        "{reason}"
    );
    let reason = refused(with(0, "something else".to_owned()));
    assert!(reason.contains("stoneline self-play 1"), "{reason}");
    std::fs::write(&settings.file, &text).unwrap();
    let other = Play {
        seed: 8,
        ..settings.clone()
    };
    let reason = play(&other, 1, go_on).unwrap_err().to_string();
    assert!(
        reason.contains("seed=7") && reason.contains("seed=8"),
        "{reason}"
    );
    assert_eq!(std::fs::read_to_string(&settings.file).unwrap(), text);
}

#[test]
fn settings_are_read_or_refused() {
    let folder = folder("settings");
    let file = folder.join("run.toml");
    let read = |text: &str| {
        std::fs::write(&file, text).unwrap();
        Settings::read(&file).map_err(|error| error.to_string())
    };
    let settings = read(
        "[play]\nfile = \"a.games\"\nengine = \"mcts:simulations=9\"\ngames = 3\n\
         boards = [[\"course\", 1]]\n[fit]\ndata = [\"a.games\"]\nnet = \"a.net\"\n[gate]\n",
    )
    .unwrap();
    assert_eq!(settings.play.unwrap().file, folder.join("a.games"));
    assert_eq!(settings.gate.unwrap().net, folder.join("a.net"));
    for (text, expected) in [
        ("", "[play], [fit] or [gate]"),
        ("[play]\nfile = 3", "line 2"),
        ("[paly]", "paly"),
        (
            "[play]\nfile = \"a\"\nengine = \"mcts\"\ngames = 1\nboards = [[\"course\", 1]]",
            "play.engine = mcts: expected a bound",
        ),
        (
            "[play]\nfile = \"a\"\nengine = \"mtcs:nodes=1\"\ngames = 1\nboards = []",
            "unknown engine",
        ),
        (
            "[play]\nfile = \"a\"\nengine = \"mcts:simulations=1\"\ngames = 1\nboards = [[\"gomko\", 1]]",
            "play.boards = gomko",
        ),
        ("[fit]\ndata = []\nnet = \"a\"", "fit.data"),
        (
            "[fit]\ndata = [\"a\"]\nnet = \"a\"\nrate = -1.0",
            "fit.rate = -1",
        ),
        (
            "[gate]\nnet = \"a\"\nsprt = [3.0, 1.0]",
            "gate.sprt = [3, 1]",
        ),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
