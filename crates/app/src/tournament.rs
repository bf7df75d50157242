//! `stoneline tournament`: many engines, many games, every one kept, and the table at the end.

use crate::interrupt;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use stoneline_arena::{Forgetful, Progress, Standing, Store, Tournament, TournamentError};

/// Plays a tournament, kept in `store` if given, until its end or Ctrl-C.
pub(crate) fn run_kept(
    tournament: &Tournament,
    store: Option<&Path>,
    watch: impl FnMut(&Progress<'_>),
) -> Result<Standing, TournamentError> {
    let stop = interrupt::flag();
    match store {
        None => tournament.run(&mut Forgetful, stop, watch),
        Some(path) => {
            let mut store = Store::open(path)?;
            tournament.run(&mut store.run(tournament)?, stop, watch)
        }
    }
}

/// A bar on stderr that is silent where stderr is not a terminal.
pub(crate) fn progress_bar(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} left {eta}")
        .expect("the template is well formed");
    ProgressBar::new(games).with_style(style)
}
