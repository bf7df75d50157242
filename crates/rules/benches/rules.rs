//! Micro-benchmarks of the rules; `stoneline bench` measures whole games.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use stoneline_rules::{Board, Chance, Grid, Position, RandomGames, Side, forbidden, with_words};

const GAMES: [&str; 5] = [
    "connect4",
    "course:9x9@4,4",
    "course:12x12@5,5",
    "gomoku",
    "gomoku:20",
];

/// A position in the middle of a random game.
fn middle(game: &str) -> Position {
    let mut position = Position::new(game.parse().expect("the name of a game"));
    let mut chance = Chance::new(3);
    let mut moves = 0;
    while moves < position.variant().geometry().capacity() / 3 {
        let legal = position.legal_moves();
        let cell = legal[chance.below(legal.len() as u32) as usize];
        position.play(cell).expect("legal moves can be played");
        moves += 1;
        if position.outcome().is_some() {
            position.undo();
        }
    }
    position
}

fn random_game(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("random game");
    for game in GAMES {
        let empty = Position::new(game.parse().expect("the name of a game"));
        with_words!(empty.variant().geometry(), WORDS => {
            let mut games = RandomGames::<WORDS>::new(&empty).expect("the width fits");
            let mut chance = Chance::new(1);
            group.bench_function(game, |bencher| bencher.iter(|| games.play(&mut chance)));
        });
    }
}

fn winning_cells(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("winning cells");
    for game in GAMES {
        let position = middle(game);
        with_words!(position.variant().geometry(), WORDS => {
            let grid = Grid::<WORDS>::new(position.variant()).expect("the width fits");
            let board = Board::new(&grid, &position);
            group.bench_function(game, |bencher| {
                bencher.iter(|| black_box(&board).winning_cells(&grid, Side::First));
            });
        });
    }
}

fn position_play(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("position play");
    for game in GAMES.into_iter().chain(["renju", "caro"]) {
        let position = middle(game);
        let cell = position.legal_moves()[0];
        group.bench_function(game, |bencher| {
            bencher.iter_batched_ref(
                || position.clone(),
                |position| position.play(cell),
                BatchSize::SmallInput,
            );
        });
    }
}

fn renju_points(criterion: &mut Criterion) {
    let position = middle("renju");
    let geometry = position.variant().geometry();
    let stones = Side::BOTH.map(|side| position.stones(side));
    let empty: Vec<_> = geometry
        .cells(geometry.playable().minus(stones[0] | stones[1]))
        .collect();
    criterion.bench_function("forbidden points of a whole board", |bencher| {
        bencher.iter(|| {
            let points = empty
                .iter()
                .filter(|&&cell| forbidden(geometry, &stones, cell).is_some());
            points.count()
        });
    });
}

criterion_group!(
    benches,
    random_game,
    winning_cells,
    position_play,
    renju_points
);
criterion_main!(benches);
