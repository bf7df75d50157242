//! The page as Markdown: the same figures without plots and replays.

use super::Page;
use super::html::time;
use crate::summary::{elo_text, points};
use std::fmt::Write;
use std::time::Duration;

/// A name inside a table: a bar would end its cell.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

pub(super) fn page(page: &Page) -> String {
    let mut text = format!(
        "# {}\n\n{}\n\n{}\n",
        page.run.name,
        page.lead(),
        page.limits()
    );
    ranking(page, &mut text);
    cross_table(page, &mut text);
    openings(page, &mut text);
    ends(page, &mut text);
    text
}

fn ranking(page: &Page, text: &mut String) {
    let summary = &page.summary;
    text.push_str(
        "\n## Ranking\n\n| # | Player | Elo | 95 % | Games | Points | % | As first | As second | Mean time |\n\
         |---:|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (rank, &player) in summary.ranking.iter().enumerate() {
        let total = summary.tally.total_of(player);
        let elo = summary.ratings.rating(player);
        let own = &page.thinking[player];
        let mean = own.total.as_secs_f64() / own.moves.max(1) as f64;
        let _ = writeln!(
            text,
            "| {} | {} | {:+.0} | {:+.0} … {:+.0} | {} | {} | {:.1} | {:.1} % | {:.1} % | {} |",
            rank + 1,
            cell(page.name(player)),
            elo.mid,
            elo.low,
            elo.high,
            total.score.games(),
            points(summary.tally.half_points(player)),
            100.0 * total.score.share(),
            100.0 * total.by_side[0].share(),
            100.0 * total.by_side[1].share(),
            time(Duration::from_secs_f64(mean)),
        );
    }
    let _ = writeln!(
        text,
        "\nThe first move is worth {} Elo.",
        elo_text(summary.ratings.first_move())
    );
}

fn cross_table(page: &Page, text: &mut String) {
    let summary = &page.summary;
    text.push_str("\n## Who beat whom\n\n| Player |");
    for &opponent in &summary.ranking {
        let _ = write!(text, " {} |", cell(page.name(opponent)));
    }
    let _ = writeln!(text, "\n|---|{}", "---:|".repeat(summary.ranking.len()));
    for &player in &summary.ranking {
        let _ = write!(text, "| {} |", cell(page.name(player)));
        for &opponent in &summary.ranking {
            let games = summary.tally.report(player, opponent).score.games();
            if player == opponent || games == 0 {
                text.push_str(" |");
            } else {
                let _ = write!(
                    text,
                    " {} of {games}, LOS {:.1} % |",
                    points(summary.tally.halves_between(player, opponent)),
                    100.0 * summary.ratings.superiority(player, opponent)
                );
            }
        }
        text.push('\n');
    }
}

fn openings(page: &Page, text: &mut String) {
    text.push_str(
        "\n## By opening\n\n| Opening | Games | First side | Mean length |\n|---|---:|---:|---:|\n",
    );
    for row in &page.openings {
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} % | {:.1} |",
            cell(&row.text),
            row.score.games(),
            100.0 * row.score.share(),
            f64::from(row.plies) / f64::from(row.score.games().max(1)),
        );
    }
}

fn ends(page: &Page, text: &mut String) {
    text.push_str("\n## Why games ended\n\n| Reason | First won | Second won | Drawn |\n|---|---:|---:|---:|\n");
    for (reason, [first, second, drawn]) in page.reasons() {
        let _ = writeln!(text, "| {} | {first} | {second} | {drawn} |", reason.name());
    }
    for (reason, player, count) in page.faults() {
        let _ = writeln!(
            text,
            "\n**{}** lost {count} by {}.",
            cell(page.name(player)),
            reason.name()
        );
    }
    let mut twins: Vec<_> = page.twin_of.iter().collect();
    twins.sort_unstable();
    if !twins.is_empty() {
        let _ = writeln!(
            text,
            "\n{} games repeat an earlier one move by move:",
            twins.len()
        );
    }
    for (later, earlier) in twins {
        let _ = writeln!(text, "- game {} repeats game {}", later + 1, earlier + 1);
    }
}
