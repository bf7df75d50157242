//! The model by itself: what actions and news make of it.

use super::*;
use crate::play::task::News;
use crate::study::review::{News as ReviewNews, Verdict};
use stoneline_rules::Outcome;
use stoneline_search::{Effort, MoveReport, Value};

fn engine(name: &str) -> Seat {
    Seat::Engine(name.parse().unwrap())
}

fn model(text: &str, seats: [Seat; 2]) -> Model {
    let theme = Theme::named("mono").unwrap();
    Model::new(text.parse().unwrap(), seats, Limits::default(), theme)
}

fn against_engine() -> Model {
    model("connect4", [Seat::Person, engine("random")])
}

fn moves(model: &Model) -> String {
    model.game.shown().notation()
}

fn thought(model: &Model, value: Value) -> Thought {
    let position = model.game.shown().clone();
    let cell = position.legal_moves()[0];
    let report = MoveReport {
        cell,
        value,
        visits: 10,
        line: vec![cell],
    };
    Thought {
        who: "analysis".to_owned(),
        position,
        value,
        moves: vec![report],
        effort: Effort::default(),
        time: std::time::Duration::ZERO,
        is_final: true,
    }
}

/// Lets the engine whose turn it is play `column`.
fn engine_plays(model: &mut Model, column: u8) {
    let task = model.task().expect("an engine is to move");
    assert!(matches!(task.kind, Kind::Move(_)));
    let cell = model.game.shown().landing(column).unwrap();
    let thought = thought(model, Value::Guess(0.5));
    model.hear(&task, News::Chosen(Some(cell), thought));
}

#[test]
fn the_engine_answers_and_undo_returns_the_turn() {
    let mut model = against_engine();
    assert!(model.task().is_none());
    model.act(Action::Column(3));
    engine_plays(&mut model, 3);
    assert_eq!(moves(&model), "connect4 44");
    assert!(model.is_open());
    model.act(Action::Undo);
    assert_eq!(moves(&model), "connect4");
    assert!(
        model.task().is_none(),
        "what was taken back is not answered"
    );
    model.act(Action::Undo);
    assert!(model.message.is_some());
    model.act(Action::Redo);
    assert_eq!(moves(&model), "connect4 44");
}

#[test]
fn nobody_moves_for_an_engine_unless_it_is_paused() {
    let mut model = model("connect4", [engine("random"), Seat::Person]);
    model.act(Action::Column(0));
    assert_eq!(moves(&model), "connect4");
    assert!(model.message.take().unwrap().contains("turn of random"));
    model.act(Action::Pause);
    assert!(model.task().is_none());
    model.act(Action::Column(0));
    assert_eq!(moves(&model), "connect4 1");
}

#[test]
fn two_engines_pause_and_step() {
    let mut model = model("connect4", [engine("random"), engine("mcts")]);
    engine_plays(&mut model, 0);
    model.act(Action::Pause);
    assert!(model.task().is_none());
    model.act(Action::Step);
    engine_plays(&mut model, 1);
    assert_eq!(moves(&model), "connect4 12");
    assert!(model.task().is_none(), "one step is one move");
    model.act(Action::Back);
    model.act(Action::Pause);
    assert_eq!(
        model.game.whole().notation(),
        "connect4 1",
        "it plays on from here"
    );
    assert!(model.task().is_some());
}

#[test]
fn analysis_follows_the_shown_position_until_all_is_known() {
    let mut model = model("connect4 44", [Seat::Person, Seat::Person]);
    model.act(Action::Analyse);
    let task = model.task().unwrap();
    assert!(matches!(task.kind, Kind::Analyse));
    let known = thought(&model, Value::Win { plies: 7 });
    model.hear(&task, News::Thought(known));
    assert!(model.task().is_none(), "nothing more would come");
    assert_eq!(model.value(2), Some(Value::Win { plies: 7 }));
    model.act(Action::Back);
    assert!(model.thought().is_none());
    assert_eq!(model.task().unwrap().position.notation(), "connect4 4");
    let known = thought(&model, Value::Win { plies: 9 });
    let task = model.task().unwrap();
    model.hear(&task, News::Thought(known));
    assert_eq!(
        model.value(1),
        Some(Value::Loss { plies: 9 }),
        "for the first side"
    );
}

#[test]
fn hints_point_and_change_nothing() {
    let mut model = against_engine();
    model.act(Action::Hint);
    let task = model.task().unwrap();
    assert!(matches!(task.kind, Kind::Hint));
    let cell = model.game.shown().landing(5).unwrap();
    let known = thought(&model, Value::Draw);
    model.hear(&task, News::Chosen(Some(cell), known));
    assert_eq!((model.hint(), model.cursor), (Some(cell), cell));
    assert_eq!(moves(&model), "connect4");
    assert!(model.task().is_none());
    model.act(Action::Column(0));
    assert_eq!(model.hint(), None);
}

#[test]
fn a_review_marks_moves_until_another_is_played() {
    let mut model = model("connect4 4455", [Seat::Person, Seat::Person]);
    model.act(Action::Review);
    let task = model.task().unwrap();
    assert!(matches!(task.kind, Kind::Review));
    let judged = Judged {
        ply: 3,
        played: task.position.moves()[3],
        played_value: Value::Loss { plies: 4 },
        best: None,
        value: Value::Draw,
        line: Vec::new(),
        verdict: Verdict::Blunder,
    };
    model.hear(&task, News::Review(ReviewNews::Move(judged)));
    model.hear(&task, News::Reviewed);
    assert!(model.task().is_none());
    assert_eq!(model.judged(3).unwrap().verdict, Verdict::Blunder);
    assert_eq!(model.value(3), Some(Value::Draw));
    model.act(Action::Back);
    model.act(Action::Column(0));
    assert!(model.judged(3).is_none());
    assert_eq!(model.game.whole().notation(), "connect4 4451");
}

#[test]
fn giving_up_and_starting_again_are_asked_twice() {
    let mut model = against_engine();
    model.act(Action::Column(3));
    engine_plays(&mut model, 3);
    model.act(Action::Resign);
    assert_eq!(model.result(), None);
    model.act(Action::Resign);
    assert_eq!(model.result().as_deref(), Some("X resigns. random wins."));
    assert!(model.task().is_none());
    let record = model.record();
    assert_eq!(record.result(), Some(Outcome::Win(Side::Second)));
    model.act(Action::Undo);
    assert_eq!(model.result(), None);
    model.act(Action::New);
    assert_eq!(moves(&model), "connect4 44");
    model.act(Action::New);
    assert_eq!(moves(&model), "connect4");
}

#[test]
fn menus_and_words_change_players_and_games() {
    let mut model = against_engine();
    model.act(Action::ChooseSeat(Side::Second));
    model.act(Action::Steer(0, 1));
    model.act(Action::Accept);
    assert_ne!(model.seats[1].name(), "random");
    let mut say = |text: &str| {
        model.act(Action::Prompt);
        text.chars()
            .for_each(|letter| model.act(Action::Letter(letter)));
        model.act(Action::Accept);
        model.message.clone().unwrap_or_default()
    };
    assert!(say("game gomoku h8").is_empty());
    assert!(say("o level:2").contains("level:2"));
    assert!(say("x person").contains("you"));
    assert!(say("o solver").contains("does not play"));
    assert!(say("theme pink").contains("no theme"));
    assert!(say("load nowhere.sgf").contains("nowhere.sgf"));
    assert!(say("z99").contains("Can't play"));
    assert_eq!(say("time 2"), "Engines think 2 s a move.");
    assert_eq!(moves(&model), "gomoku h8");
    assert_eq!(
        [0, 1].map(|at: usize| model.seats[at].name()),
        ["you", "level:2"]
    );
}

#[test]
fn trouble_pauses_the_game_and_is_told() {
    let mut model = model("gomoku", [engine("solver"), Seat::Person]);
    let task = model.task().unwrap();
    model.hear(
        &task,
        News::Trouble("solver does not play gomoku".to_owned()),
    );
    assert!(model.task().is_none());
    assert!(model.message.unwrap().contains("does not play"));
}

#[test]
fn a_game_is_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = model("gomoku h8 i9", [Seat::Person, engine("level:3")]);
    for name in ["a.sgf", "a.psq", "a.txt", "a.record"] {
        let path = folder.path().join(name);
        let path = path.to_str().unwrap();
        let mut say = |text: String| super::super::command::run(&mut model, &text);
        say(format!("save {path}")).unwrap();
        say("game connect4".to_owned()).unwrap();
        say(format!("load {path}")).unwrap();
        assert_eq!(moves(&model), "gomoku h8 i9", "{name}");
    }
    assert!(super::super::command::run(&mut model, "save a.xyz").is_err());
}
