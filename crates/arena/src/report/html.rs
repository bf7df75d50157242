//! The page as HTML: everything inside one file, readable in light and dark and on a phone.

use super::Page;
use super::plot::{self, Bar, Series, escape, share_bar, shortened};
use crate::store::KeptGame;
use crate::summary::{elo_text, points};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;
use stoneline_rules::{Cell, Side, Variant};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Openings shown before the rest is folded away.
const OPENINGS_SHOWN: usize = 12;

pub(super) fn page(page: &Page, address: &str) -> String {
    let mut text = String::new();
    let name = escape(&page.run.name);
    let _ = write!(
        text,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{name}</title><style>{STYLE}</style></head><body><main>\
         <header><h1>{name}</h1><p>{}</p><p class=\"soft\">{}</p></header>",
        escape(&page.lead()),
        escape(&page.limits()),
    );
    text.push_str(&tiles(page));
    text.push_str(&ranking(page));
    text.push_str(&cross_table(page));
    text.push_str(&curves(page));
    text.push_str(&openings(page));
    text.push_str(&lengths_and_times(page));
    text.push_str(&reasons(page));
    text.push_str(&replay(page, address));
    text.push_str(&about(page));
    text.push_str("</main></body></html>\n");
    text
}

fn section(title: &str, body: &str) -> String {
    format!("<section><h2>{title}</h2>{body}</section>")
}

fn tiles(page: &Page) -> String {
    let games = page.summary.tally.games();
    let draws = page
        .games
        .iter()
        .filter(|game| game.outcome.winner.is_none())
        .count();
    let first = page
        .games
        .iter()
        .filter(|game| game.outcome.winner == Some(Side::First))
        .count();
    let percent = |count: usize| format!("{:.1} %", 100.0 * count as f64 / f64::from(games.max(1)));
    let advantage = page.summary.ratings.first_move();
    let tiles = [
        (games.to_string(), "games"),
        (percent(first), "won by the first side"),
        (percent(draws), "drawn"),
        (
            format!("{:+.0} Elo", advantage.mid),
            "worth of the first move",
        ),
        (page.twin_of.len().to_string(), "duplicate games"),
    ];
    let mut text = String::from("<div class=\"tiles\">");
    for (value, label) in tiles {
        let _ = write!(
            text,
            "<div class=\"tile\"><b>{value}</b><span>{label}</span></div>"
        );
    }
    text.push_str("</div>");
    text
}

fn ranking(page: &Page) -> String {
    let summary = &page.summary;
    let bars: Vec<Bar<'_>> = summary
        .ranking
        .iter()
        .map(|&player| Bar {
            name: page.name(player),
            elo: summary.ratings.rating(player),
        })
        .collect();
    let mut body = plot::ranking(&bars, "Elo relative to the mean", 17);
    body.push_str(
        "<div class=\"scroll\"><table><thead><tr><th>#</th><th class=\"left\">Player</th><th>Elo</th>\
         <th>95 % interval</th><th>Games</th><th>Points</th><th>%</th><th class=\"left\">Won, drawn, lost</th>\
         <th>As first</th><th>As second</th></tr></thead><tbody>",
    );
    for (rank, &player) in summary.ranking.iter().enumerate() {
        let total = summary.tally.total_of(player);
        let elo = summary.ratings.rating(player);
        let engine = &page.run.players[player].engine;
        let engine = if engine == page.name(player) {
            String::new()
        } else {
            format!("<br><small>{}</small>", escape(engine))
        };
        let score = total.score;
        let _ = write!(
            body,
            "<tr><td>{}</td><td class=\"name\">{}{engine}</td><td>{:+.0}</td><td>{:+.0} … {:+.0}</td>\
             <td>{}</td><td>{}</td><td>{:.1}</td><td class=\"left\">{} <small>{} / {} / {}</small></td>\
             <td>{:.1} %</td><td>{:.1} %</td></tr>",
            rank + 1,
            escape(page.name(player)),
            elo.mid,
            elo.low,
            elo.high,
            score.games(),
            points(summary.tally.half_points(player)),
            100.0 * score.share(),
            share_bar(score.wins, score.draws, score.losses),
            score.wins,
            score.draws,
            score.losses,
            100.0 * total.by_side[0].share(),
            100.0 * total.by_side[1].share(),
        );
    }
    body.push_str("</tbody></table></div>");
    body.push_str(&key());
    section("Ranking", &body)
}

fn key() -> String {
    "<p class=\"key\"><span><i style=\"background:var(--win)\"></i>won</span>\
     <span><i style=\"background:var(--draw)\"></i>drawn</span>\
     <span><i style=\"background:var(--loss)\"></i>lost (hatched)</span></p>"
        .to_owned()
}

fn cross_table(page: &Page) -> String {
    let summary = &page.summary;
    let mut body = String::from(
        "<div class=\"scroll\"><table class=\"cross\"><thead><tr><th class=\"left\">Player</th>",
    );
    for &opponent in &summary.ranking {
        let _ = write!(
            body,
            "<th>{}</th>",
            escape(&shortened(page.name(opponent), 14))
        );
    }
    body.push_str("</tr></thead><tbody>");
    for &player in &summary.ranking {
        let _ = write!(
            body,
            "<tr><td class=\"name\">{}</td>",
            escape(page.name(player))
        );
        for &opponent in &summary.ranking {
            let report = summary.tally.report(player, opponent);
            if player == opponent {
                body.push_str("<td class=\"self\"></td>");
            } else if report.score.games() == 0 {
                body.push_str("<td class=\"soft\">–</td>");
            } else {
                let _ = write!(
                    body,
                    "<td title=\"Elo {}\">{:.1} %<small>{} of {}</small><small>LOS {:.1} %</small></td>",
                    elo_text(summary.ratings.difference(player, opponent)),
                    100.0 * report.score.share(),
                    points(summary.tally.halves_between(player, opponent)),
                    report.score.games(),
                    100.0 * summary.ratings.superiority(player, opponent),
                );
            }
        }
        body.push_str("</tr>");
    }
    body.push_str(
        "</tbody></table></div><p class=\"soft\">Points of the row's player; LOS: how likely it is \
         that it is the stronger of the two.</p>",
    );
    section("Who beat whom", &body)
}

fn curves(page: &Page) -> String {
    if page.curves.games.len() < 2 {
        return String::new();
    }
    let series: Vec<Series<'_>> = page
        .summary
        .ranking
        .iter()
        .map(|&player| Series {
            name: page.name(player),
            values: page.curves.elo[player].clone(),
        })
        .collect();
    section("Elo over games", &plot::curves(&page.curves.games, &series))
}

fn openings(page: &Page) -> String {
    let table = |rows: &[super::OpeningResult]| {
        let mut text = String::from(
            "<div class=\"scroll\"><table><thead><tr><th class=\"left\">Opening</th><th>Games</th>\
             <th>First side</th><th class=\"left\">Won, drawn, lost by the first side</th><th>Mean length</th>\
             </tr></thead><tbody>",
        );
        for row in rows {
            let score = row.score;
            let _ = write!(
                text,
                "<tr><td class=\"left wrap\">{}</td><td>{}</td><td>{:.0} %</td><td class=\"left\">{}</td><td>{:.1}</td></tr>",
                escape(&row.text),
                score.games(),
                100.0 * score.share(),
                share_bar(score.wins, score.draws, score.losses),
                f64::from(row.plies) / f64::from(score.games().max(1)),
            );
        }
        text.push_str("</tbody></table></div>");
        text
    };
    let shown = page.openings.len().min(OPENINGS_SHOWN);
    let mut body = table(&page.openings[..shown]);
    if shown < page.openings.len() {
        let rest = &page.openings[shown..];
        let _ = write!(
            body,
            "<details><summary>{} more openings</summary>{}</details>",
            rest.len(),
            table(rest)
        );
    }
    section("By opening", &body)
}

fn lengths_and_times(page: &Page) -> String {
    let plies: Vec<u32> = page.games.iter().map(|game| game.outcome.plies).collect();
    let mut body = plot::lengths(&plies);
    body.push_str(
        "<div class=\"scroll\"><table><thead><tr><th class=\"left\">Player</th><th>Moves</th>\
         <th>Mean time</th><th>Slowest</th><th>In all</th></tr></thead><tbody>",
    );
    for &player in &page.summary.ranking {
        let own = &page.thinking[player];
        let mean = own.total.as_secs_f64() / own.moves.max(1) as f64;
        let _ = write!(
            body,
            "<tr><td class=\"name\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(page.name(player)),
            own.moves,
            time(Duration::from_secs_f64(mean)),
            time(own.slowest),
            time(own.total),
        );
    }
    body.push_str("</tbody></table></div>");
    section("Lengths and times", &body)
}

/// A time in the unit that suits it.
pub(super) fn time(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1e-3 => format!("{:.0} µs", seconds * 1e6),
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        seconds if seconds < 120.0 => format!("{seconds:.1} s"),
        seconds => format!("{:.1} min", seconds / 60.0),
    }
}

fn reasons(page: &Page) -> String {
    let mut body = String::from(
        "<div class=\"scroll\"><table><thead><tr><th class=\"left\">How games ended</th><th>First won</th>\
         <th>Second won</th><th>Drawn</th></tr></thead><tbody>",
    );
    for (reason, [first, second, drawn]) in page.reasons() {
        let _ = write!(
            body,
            "<tr><td class=\"name\">{}</td><td>{first}</td><td>{second}</td><td>{drawn}</td></tr>",
            reason.name()
        );
    }
    body.push_str("</tbody></table></div>");
    let faults = page.faults();
    if faults.is_empty() {
        body.push_str("<p class=\"soft\">Nobody lost by a fault of its own.</p>");
    }
    for (reason, player, count) in faults {
        let _ = write!(
            body,
            "<p><span class=\"warn\">{}</span> lost {count} by {}</p>",
            escape(page.name(player)),
            reason.name()
        );
    }
    for game in page
        .games
        .iter()
        .filter(|game| game.outcome.reason.is_forfeit())
    {
        let Some(winner) = game.outcome.winner else {
            continue;
        };
        let loser = !winner;
        let stderr = game.stderr[loser.index()].as_deref().unwrap_or_default();
        let _ = write!(
            body,
            "<details><summary>Game {}: {}, {}</summary><p>{}</p>{}</details>",
            game.fixture.number + 1,
            escape(page.name(game.fixture.players[loser.index()])),
            game.outcome.reason.name(),
            escape(game.remark.as_deref().unwrap_or_default()),
            if stderr.is_empty() {
                "<p class=\"soft\">It wrote nothing on its error stream.</p>".to_owned()
            } else {
                format!("<pre>{}</pre>", escape(stderr))
            },
        );
    }
    section("Why games ended", &body)
}

fn replay(page: &Page, address: &str) -> String {
    let mut players = String::new();
    for &player in &page.summary.ranking {
        let _ = write!(
            players,
            "<option value=\"{player}\">{}</option>",
            escape(page.name(player))
        );
    }
    let mut ends = String::new();
    for (reason, _) in page.reasons() {
        let _ = write!(ends, "<option value=\"{0}\">{0}</option>", reason.name());
    }
    // Markup can't begin inside the data, whatever players are called.
    let data = data(page, address).to_string().replace('<', "\\u003c");
    format!(
        "<section class=\"replay-section\"><h2>Games</h2><noscript><p>Replaying games needs JavaScript.</p></noscript>\
         <div class=\"replay\" id=\"replayer\"><div><p id=\"who\"></p><svg id=\"board\" role=\"img\" aria-label=\"The board\"></svg>\
         <div class=\"controls\"><button id=\"start\" aria-label=\"To the start\">«</button>\
         <button id=\"back\" aria-label=\"One move back\">‹</button><button id=\"run\" aria-label=\"Play or pause\">▶</button>\
         <button id=\"next\" aria-label=\"One move on\">›</button><button id=\"end\" aria-label=\"To the end\">»</button>\
         <input id=\"ply\" type=\"range\" min=\"0\" max=\"1\" value=\"0\" aria-label=\"Move\"></div>\
         <p id=\"facts\" class=\"soft\" aria-live=\"polite\"></p>\
         <p><a id=\"analyse\" target=\"_blank\" rel=\"noopener\">Open on the page</a> <span class=\"soft\">while \
         <code>stoneline serve</code> runs</span></p><p id=\"remark\" class=\"warn\"></p></div>\
         <div><div class=\"controls\"><select id=\"by-player\" aria-label=\"Player\"><option value=\"\">all players</option>{players}</select>\
         <select id=\"by-end\" aria-label=\"Result\"><option value=\"\">all results</option><option value=\"first\">won by the first side</option>\
         <option value=\"second\">won by the second side</option><option value=\"draw\">drawn</option>{ends}\
         <option value=\"twin\">duplicates</option></select></div>\
         <p class=\"soft\" id=\"games-count\"></p><div class=\"list\" id=\"games\"></div></div></div></section>\
         <script id=\"games-data\" type=\"application/json\">{data}</script><script>{SCRIPT}</script>"
    )
}

/// What the script replays: cells as two digits of base 36, column and row from the bottom.
fn data(page: &Page, address: &str) -> Value {
    let mut variants: Vec<Variant> = Vec::new();
    let mut games = Vec::new();
    for game in &page.games {
        let variant = *game.opening.variant();
        let at = variants.iter().position(|known| *known == variant);
        let at = at.unwrap_or_else(|| {
            variants.push(variant);
            variants.len() - 1
        });
        let start = game.opening.start();
        let mut object = json!({
            "n": game.fixture.number,
            "p": game.fixture.players,
            "g": at,
            "l": notation(game),
            "s": start.side_to_move().index(),
            "o": cells(game.opening.moves()),
            "m": cells(&game.cells),
            "w": game.outcome.winner_word(),
            "r": game.outcome.reason.name(),
            "t": game.facts.time_us,
            "v": game.facts.value,
        });
        if start.plies() > 0 {
            let geometry = variant.geometry();
            let stones = Side::BOTH.map(|side| {
                let own: Vec<Cell> = geometry.cells(start.stones(side)).collect();
                cells(&own)
            });
            object["x"] = json!(stones);
        }
        if let Some(remark) = &game.remark {
            object["k"] = remark.as_str().into();
        }
        if let Some(twin) = page.twin_of.get(&game.fixture.number) {
            object["twin"] = (*twin).into();
        }
        games.push(object);
    }
    let variants: Vec<Value> = variants.iter().map(variant_data).collect();
    json!({
        "players": page.summary.names,
        "variants": variants,
        "games": games,
        "address": address.trim_end_matches('/'),
    })
}

/// The whole game as the page's links hold it.
fn notation(game: &KeptGame) -> String {
    let mut position = game.opening.clone();
    for &cell in &game.cells {
        if position.play(cell).is_err() {
            break;
        }
    }
    position.notation()
}

fn variant_data(variant: &Variant) -> Value {
    let geometry = variant.geometry();
    let blocked: Vec<Cell> = geometry.cells(geometry.blocked()).collect();
    json!({
        "name": variant.to_string(),
        "rows": geometry.rows(),
        "columns": geometry.columns(),
        "falls": variant.rule().falls(),
        "blocked": cells(&blocked),
    })
}

fn cells(cells: &[Cell]) -> String {
    let digit = |number: u8| char::from_digit(number.into(), 36).unwrap_or('0');
    cells
        .iter()
        .flat_map(|cell| [digit(cell.column()), digit(cell.row())])
        .collect()
}

fn about(page: &Page) -> String {
    let plan = serde_json::to_string_pretty(&page.run.plan).unwrap_or_default();
    let uncounted = match page.uncounted {
        0 => String::new(),
        count => format!(
            "<p>{count} further games are kept and not counted: the match was decided before them.</p>"
        ),
    };
    let body = format!(
        "<p>Ratings are the maximum of the likelihood of all results at once, by Bradley and Terry's model with \
         Davidson's draws and an advantage of the first side; intervals hold 95 %. Each opening was played twice \
         with the colours swapped.</p>{uncounted}<details><summary>The plan</summary><pre>{}</pre></details>",
        escape(&plan)
    );
    section("How to read this", &body)
}
