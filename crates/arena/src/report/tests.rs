//! Pages of a small run: whole, safe, and with every part that was promised.

use super::*;
use crate::plan::Plan;
use crate::tournament::Tournament;
use std::sync::atomic::AtomicBool;

fn page(plan: &str) -> (tempfile::TempDir, Page) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.db");
    let tournament = Tournament::new(Plan::parse(plan).unwrap()).unwrap();
    let mut store = Store::open(&path).unwrap();
    let mut run = store.run(&tournament).unwrap();
    tournament
        .run(&mut run, &AtomicBool::new(false), |_| {})
        .unwrap();
    let page = Page::read(&store, None).unwrap();
    (folder, page)
}

const PLAN: &str = "name = 'a <b>cup</b>'\ngames = 4\nsimulations = 30\n\
    [[player]]\nengine = 'mcts'\n[[player]]\nname = '</script><script>alert(1)'\nengine = 'random'\n\
    [[player]]\nengine = 'kaggle-negamax'\n";

#[test]
fn the_page_is_whole_and_loads_nothing() {
    let (_folder, page) = page(PLAN);
    let html = page.html("http://127.0.0.1:4747/");
    for part in [
        "Ranking",
        "Who beat whom",
        "Elo over games",
        "By opening",
        "Lengths",
        "Why games ended",
        "LOS",
    ] {
        assert!(html.contains(part), "{part}");
    }
    for loading in ["src=", "href=", "@import", "url(", "fetch("] {
        assert!(!html.contains(loading), "{loading}");
    }
    assert_eq!(html.matches("<svg class=\"plot\"").count(), 3);
    assert!(html.contains("prefers-color-scheme: dark"));
    assert_eq!(
        html.matches("</section>").count(),
        html.matches("<section").count()
    );
}

#[test]
fn names_can_not_become_markup() {
    let (_folder, page) = page(PLAN);
    let html = page.html("http://127.0.0.1:4747/");
    assert!(!html.contains("<script>alert"), "a name closed the script");
    assert!(!html.contains("<b>cup"));
    assert_eq!(
        html.matches("</script>").count(),
        2,
        "the data and the script"
    );
}

#[test]
fn the_data_replays_every_game() {
    let (_folder, page) = page(PLAN);
    let html = page.html("http://127.0.0.1:4747/");
    let (_, rest) = html.split_once("type=\"application/json\">").unwrap();
    let data: serde_json::Value =
        serde_json::from_str(rest.split("</script>").next().unwrap()).unwrap();
    let games = data["games"].as_array().unwrap();
    assert_eq!(games.len(), 12);
    let kept = &page.games[5];
    let text = games[5]["m"].as_str().unwrap();
    let cell = |at: usize| {
        let digit = |at: usize| u8::from_str_radix(&text[at..=at], 36).unwrap();
        stoneline_rules::Cell::new(digit(2 * at), digit(2 * at + 1))
    };
    let cells: Vec<_> = (0..text.len() / 2).map(cell).collect();
    assert_eq!(cells, kept.cells);
    assert_eq!(data["address"], "http://127.0.0.1:4747");
    let linked: stoneline_rules::Position = games[5]["l"].as_str().unwrap().parse().unwrap();
    let whole: Vec<_> = kept.opening.moves().iter().chain(&kept.cells).collect();
    assert_eq!(linked.moves().iter().collect::<Vec<_>>(), whole);
}

#[test]
fn repeated_games_are_flagged() {
    // One opening, engines without chance: every pair is played alike.
    let (_folder, page) = page(
        "format = 'match'\ngames = 6\nopenings.list = ['44']\nnodes = 50\n\
         [[player]]\nengine = 'kaggle-negamax:seed=1'\n[[player]]\nengine = 'random:seed=1'\n",
    );
    assert_eq!(page.twin_of.len(), 4);
    assert_eq!(page.twin_of[&2], 0);
    assert!(
        page.markdown().contains("game 3 repeats game 1"),
        "{}",
        page.markdown()
    );
}

#[test]
fn markdown_has_a_row_for_each_player() {
    let (_folder, page) = page(PLAN);
    let text = page.markdown();
    assert!(text.contains("| 1 | mcts |"), "{text}");
    assert!(text.contains("The first move is worth"));
    assert!(text.contains("| line |"), "{text}");
}

#[test]
fn a_decided_match_leaves_later_games_uncounted() {
    let (_folder, page) = page(
        "format = 'match'\ngames = 400\nconcurrency = 2\nsprt = { elo0 = 0, elo1 = 200 }\nnodes = 50\n\
         [[player]]\nengine = 'kaggle-negamax'\n[[player]]\nengine = 'random'\n",
    );
    assert!(page.summary.complete);
    assert!(page.summary.tally.games() < 100);
    assert_eq!(page.games.len() as u32, page.summary.tally.games());
}
