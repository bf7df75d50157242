//! Plots as SVG: text, marks and lines coloured by classes of the page's style, so
//! that they follow light and dark.
//!
//! Series differ in colour (Okabe and Ito's, told apart by colour-blind people),
//! in the shape of their marks and in the dash of their lines.

use crate::score::Elo;
use std::fmt::Write;

/// Series with a look of their own; further ones begin again.
pub(crate) const LOOKS: usize = 7;

const DASHES: [&str; LOOKS] = ["none", "7 3", "2 3", "9 3 2 3", "5 2", "1 2", "12 4"];

/// A value with its interval, named.
pub(crate) struct Bar<'a> {
    pub(crate) name: &'a str,
    pub(crate) elo: Elo,
}

/// A curve over games: its name and its values, one for each of the common places.
pub(crate) struct Series<'a> {
    pub(crate) name: &'a str,
    pub(crate) values: Vec<Elo>,
}

/// Escapes what HTML would read as markup.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(sign),
        }
    }
    safe
}

/// At most so many letters, the rest as dots.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most - 1).collect();
    format!("{head}…")
}

/// A mark at a place: a shape for each look.
fn mark(look: usize, x: f64, y: f64) -> String {
    let r = 5.0;
    let path = match look % LOOKS {
        0 => {
            return format!(
                "<circle class=\"s{} mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\"/>",
                look % LOOKS
            );
        }
        1 => format!("M{:.1} {:.1}h{w}v{w}h-{w}z", x - 4.4, y - 4.4, w = 8.8),
        2 => format!("M{x:.1} {:.1}l6 10.4h-12z", y - 6.2),
        3 => format!("M{x:.1} {:.1}l6 6-6 6-6-6z", y - 6.0),
        4 => format!("M{x:.1} {:.1}l6-10.4h-12z", y + 6.2),
        5 => format!("M{:.1} {:.1}l10 10m0-10l-10 10", x - 5.0, y - 5.0),
        _ => format!("M{x:.1} {:.1}v12m-6-6h12", y - 6.0),
    };
    format!("<path class=\"s{} mark\" d=\"{path}\"/>", look % LOOKS)
}

/// Round numbers that span `low..high` in some five steps.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = (high - low).max(1e-9);
    let rough = span / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|factor| factor * power >= rough)
        .unwrap_or(10.0);
    let step = factor * power;
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|at| at as f64 * step).collect()
}

/// Ratings as marks with intervals, best above; names have at most so many letters.
pub(crate) fn ranking(bars: &[Bar<'_>], unit: &str, letters: usize) -> String {
    let low = bars.iter().map(|bar| bar.elo.low).fold(0.0, f64::min);
    let high = bars.iter().map(|bar| bar.elo.high).fold(0.0, f64::max);
    let longest = bars.iter().map(|bar| bar.name.chars().count()).max();
    let room = longest.unwrap_or(0).min(letters).max(17) as f64;
    let (left, width, row) = (50.0 + 8.2 * room, 720.0, 34.0);
    let margin = (high - low).max(1.0) * 0.05;
    let (low, high) = (low - margin, high + margin);
    let at = |value: f64| left + (value - low) / (high - low) * (width - left - 20.0);
    let height = bars.len() as f64 * row + 46.0;
    let bottom = height - 36.0;
    let mut svg = open(width, height, "Ratings with 95 % intervals");
    for tick in ticks(low, high) {
        let class = if tick == 0.0 { "axis" } else { "grid" };
        let x = at(tick);
        let _ = write!(
            svg,
            "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"4\" y2=\"{bottom:.1}\"/>\
             <text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick:+.0}</text>",
            bottom + 17.0
        );
    }
    let _ = write!(
        svg,
        "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{unit}</text>",
        width - 4.0,
        bottom + 33.0
    );
    for (place, bar) in bars.iter().enumerate() {
        let y = place as f64 * row + row / 2.0 + 4.0;
        let (from, to) = (at(bar.elo.low), at(bar.elo.high));
        let _ = write!(
            svg,
            "<g><title>{name}: {:+.0}, 95 % between {:+.0} and {:+.0}</title>\
             <text class=\"label\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{short}</text>\
             <path class=\"s0 whisker\" d=\"M{from:.1} {y:.1}H{to:.1}M{from:.1} {:.1}v12M{to:.1} {:.1}v12\"/>\
             {}</g>",
            bar.elo.mid,
            bar.elo.low,
            bar.elo.high,
            left - 12.0,
            y + 4.5,
            y - 6.0,
            y - 6.0,
            mark(0, at(bar.elo.mid), y),
            name = escape(bar.name),
            short = escape(&shortened(bar.name, letters)),
        );
    }
    svg.push_str("</svg>");
    svg
}

/// Curves over the number of games, each with its band while they are few.
pub(crate) fn curves(games: &[u32], series: &[Series<'_>]) -> String {
    let (width, height, left, bottom) = (720.0, 340.0, 70.0, 44.0);
    let shown = |elo: &Elo| [elo.mid - 1.0, elo.mid + 1.0];
    let values = || {
        series
            .iter()
            .flat_map(|one| one.values.iter().flat_map(shown))
    };
    let (low, high) = (
        values().fold(f64::INFINITY, f64::min),
        values().fold(f64::NEG_INFINITY, f64::max),
    );
    let margin = (high - low) * 0.08;
    let (low, high) = (low - margin, high + margin);
    let most = games.last().copied().unwrap_or(1).max(1);
    let x = |count: u32| left + f64::from(count) / f64::from(most) * (width - left - 16.0);
    let y = |elo: f64| {
        let share = (elo.clamp(low, high) - low) / (high - low).max(1e-9);
        height - bottom - share * (height - bottom - 12.0)
    };
    let mut svg = open(width, height, "Elo over games");
    for tick in ticks(low, high) {
        let _ = write!(
            svg,
            "<line class=\"{}\" x1=\"{left}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick:+.0}</text>",
            if tick == 0.0 { "axis" } else { "grid" },
            width - 16.0,
            left - 8.0,
            y(tick) + 4.0,
            y = y(tick),
        );
    }
    for tick in ticks(0.0, f64::from(most)) {
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick:.0}</text>",
            x(tick as u32),
            height - bottom + 20.0
        );
    }
    let _ = write!(
        svg,
        "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">games</text>",
        width - 16.0,
        height - 4.0
    );
    for (look, one) in series.iter().enumerate() {
        let class = look % LOOKS;
        if series.len() <= 4 {
            let upper = games
                .iter()
                .zip(&one.values)
                .map(|(&at, elo)| (x(at), y(elo.high)));
            let lower = games
                .iter()
                .zip(&one.values)
                .map(|(&at, elo)| (x(at), y(elo.low)));
            let points: String = upper
                .chain(lower.rev())
                .map(|(x, y)| format!("{x:.1},{y:.1} "))
                .collect();
            let _ = write!(
                svg,
                "<polygon class=\"s{class} band\" points=\"{points}\"/>"
            );
        }
        let points: String = games
            .iter()
            .zip(&one.values)
            .map(|(&at, elo)| format!("{:.1},{:.1} ", x(at), y(elo.mid)))
            .collect();
        let _ = write!(
            svg,
            "<g><title>{}</title><polyline class=\"s{class} line\" stroke-dasharray=\"{}\" points=\"{points}\"/>",
            escape(one.name),
            DASHES[class]
        );
        if let (Some(&at), Some(elo)) = (games.last(), one.values.last()) {
            svg.push_str(&mark(look, x(at), y(elo.mid)));
        }
        svg.push_str("</g>");
    }
    svg.push_str("</svg>");
    svg.push_str("<ul class=\"legend\">");
    for (look, one) in series.iter().enumerate() {
        let class = look % LOOKS;
        let _ = write!(
            svg,
            "<li><svg viewBox=\"0 0 34 14\" width=\"34\" height=\"14\" aria-hidden=\"true\">\
             <line class=\"s{class} line\" stroke-dasharray=\"{}\" x1=\"1\" x2=\"33\" y1=\"7\" y2=\"7\"/>{}</svg>{}</li>",
            DASHES[class],
            mark(look, 17.0, 7.0),
            escape(one.name)
        );
    }
    svg.push_str("</ul>");
    svg
}

/// How many games had each length, as columns in bins.
pub(crate) fn lengths(plies: &[u32]) -> String {
    let most = plies.iter().copied().max().unwrap_or(0);
    let bin = most.div_ceil(24).max(1);
    let mut counts = vec![0u32; (most / bin + 1) as usize];
    for &length in plies {
        counts[(length / bin) as usize] += 1;
    }
    let (width, height, left, bottom) = (720.0, 240.0, 48.0, 40.0);
    let tallest = f64::from(counts.iter().copied().max().unwrap_or(1).max(1));
    let y = |count: f64| height - bottom - count / tallest * (height - bottom - 14.0);
    let slot = (width - left - 12.0) / counts.len() as f64;
    let mut svg = open(width, height, "Lengths of games");
    for tick in ticks(0.0, tallest) {
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{left}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick:.0}</text>",
            width - 12.0,
            left - 8.0,
            y(tick) + 4.0,
            y = y(tick)
        );
    }
    let every = counts.len().div_ceil(12);
    for (at, &count) in counts.iter().enumerate() {
        let from = at as u32 * bin;
        let to = from + bin - 1;
        let range = if bin == 1 {
            from.to_string()
        } else {
            format!("{from}–{to}")
        };
        let x = left + at as f64 * slot;
        let top = y(count.into());
        let _ = write!(
            svg,
            "<rect class=\"s0 fill\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\">\
             <title>{count} games of {range} moves</title></rect>",
            x + 1.0,
            (slot - 2.0).max(1.0),
            (height - bottom - top).max(0.0)
        );
        if at % every == 0 {
            let _ = write!(
                svg,
                "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{from}</text>",
                x + slot / 2.0,
                height - bottom + 18.0
            );
        }
    }
    let _ = write!(
        svg,
        "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">moves by the players</text></svg>",
        width - 12.0,
        height - 4.0
    );
    svg
}

/// Wins, draws and losses as one bar of a table's cell.
pub(crate) fn share_bar(wins: u32, draws: u32, losses: u32) -> String {
    let total = f64::from(wins + draws + losses).max(1.0);
    let part = |count: u32| 100.0 * f64::from(count) / total;
    format!(
        "<span class=\"wdl\" role=\"img\" aria-label=\"{wins} won, {draws} drawn, {losses} lost\">\
         <i class=\"w\" style=\"width:{:.2}%\"></i><i class=\"d\" style=\"width:{:.2}%\"></i>\
         <i class=\"l\" style=\"width:{:.2}%\"></i></span>",
        part(wins),
        part(draws),
        part(losses)
    )
}

/// A plot as a file of its own, which follows light and dark by itself.
pub(crate) fn standalone(plot: &str) -> String {
    const STYLE: &str = "text{font:13px system-ui,sans-serif}.label,.tick{fill:#444c56}\
        .grid{stroke:#8884}.axis{stroke:#888}.s0{stroke:#0072b2;stroke-width:2;fill:none}\
        .mark{fill:#0072b2}@media(prefers-color-scheme:dark){.label,.tick{fill:#c9d1d9}\
        .s0{stroke:#56b4e9}.mark{fill:#56b4e9}}";
    let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" ";
    let opened = plot.replacen("<svg ", head, 1);
    opened.replacen('>', &format!("><style>{STYLE}</style>"), 1)
}

fn open(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg class=\"plot\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">"
    )
}
