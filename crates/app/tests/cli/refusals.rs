//! Bad input: exit code 2 and one line that names the offender.

use crate::run::stoneline;

/// Arguments, and what the one line must contain.
const BAD: &[(&str, &str)] = &[
    ("nonsense", "'nonsense'"),
    ("--nonsense", "'--nonsense'"),
    ("play chess", "unknown game \"chess\""),
    ("play connectx:3x99x4", "99 columns"),
    ("play connectx:6x7x8", "a run of 8"),
    ("play connectx:6x", "expected a number"),
    ("play course:9x9@9,0", "not on the board"),
    ("play gomoku:4", "4 rows"),
    ("play connect4 448", "no column '8'"),
    ("play connect4 4444444", "column 4 is full"),
    ("play --engine deep-thought", "deep-thought"),
    ("play --engine random:sed=7", "did you mean seed"),
    ("play gomoku --engine kaggle-negamax", "falling stones"),
    ("play --first --second", "--second"),
    ("play --seed minus", "minus"),
    ("bench --only nothing", "nothing"),
    ("bench --time -1", "-1"),
    ("bench --time 0", "0.001 to 86400"),
    ("play --plain --colour always", "--colour"),
    ("analyse", "GAME [MOVES]"),
    ("analyse connect4 9", "no column '9'"),
    ("analyse connect4 --file x", "--file"),
    ("analyse --file /nonexistent", "/nonexistent"),
    ("analyse connect4 --engine nobody", "nobody"),
    ("match random", "<B>"),
    ("match random chess", "unknown engine \"chess\""),
    ("match random random --game chess", "unknown game \"chess\""),
    ("match random random --games 0", "0"),
    ("match random random --sprt 5", "ELO0,ELO1"),
    ("match random random --sprt 5,5", "below elo1"),
    ("match random random --sprt nan,5", "nan"),
    (
        "match random kaggle-negamax --game gomoku",
        "falling stones",
    ),
    (
        "match random random --game connectx:4x4x3 --opening-plies 16",
        "fewer plies",
    ),
    ("games", "[subcommands: list, show, replay, export"),
    ("book", "[subcommands: build, verify"),
    ("solve", "GAME"),
    ("solve gomoku", "do not fall"),
    ("solve connectx:16x16x4", "16 rows and 16 columns"),
    ("solve connect4 448", "no column '8'"),
    ("solve connect4 4141414", "the game is over"),
    ("solve --file nowhere.txt", "nowhere.txt"),
    ("solve --file nowhere.txt --game chess", "chess"),
    ("solve connect4 --threads 0", "0"),
    ("book verify nowhere.book", "nowhere.book"),
    ("tune", "FILE.toml"),
    ("tune nowhere.toml", "nowhere.toml"),
    ("experiment", "FILE.toml"),
    ("experiment nowhere.toml", "nowhere.toml"),
];

#[test]
fn bad_arguments_are_refused_in_one_line() {
    for (arguments, expected) in BAD {
        let run = stoneline(arguments, "");
        assert_eq!(run.code, Some(2), "{arguments}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{arguments}");
        assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
        assert!(run.stderr.ends_with('\n'), "{}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}
