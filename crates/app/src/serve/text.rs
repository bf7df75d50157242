//! Games in and out of text: moves, drawings, our records, SGF, Piskvork files.

use super::refusal::Refusal;
use super::request::position;
use serde_json::{Map, Value as Json, json};
use stoneline_rules::{Position, Record, psq, sgf};

/// The game in `text`, whatever its form; bare moves are of the game called `game`.
pub(crate) fn read(text: &str, game: &str) -> Result<Json, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Refusal::bad(
            "expected moves, a position, an SGF or Piskvork file, or a record",
        ));
    }
    let first = text.split_whitespace().next().unwrap_or_default();
    let record = if text.starts_with('(') {
        sgf::read(text).map_err(Refusal::bad)?
    } else if text.starts_with("stoneline game") {
        Record::read(text).map_err(Refusal::bad)?
    } else if first.eq_ignore_ascii_case("piskvorky") {
        psq::read(text, None).map_err(Refusal::bad)?
    } else if Position::read(first, 0).is_ok() {
        Record::new(position(text)?)
    } else {
        Record::new(position(&format!("{game} {text}"))?)
    };
    let notes = record.moves().enumerate();
    let comments: Map<String, Json> = notes
        .filter_map(|(ply, (_, note))| Some(((ply + 1).to_string(), json!(note.comment.as_ref()?))))
        .collect();
    Ok(json!({
        "position": record.position().notation(),
        "comments": comments,
        "players": record.header.players,
    }))
}

/// The game as a file of the given format, with comments by ply from 1.
pub(crate) fn write(
    text: &str,
    format: &str,
    comments: &Map<String, Json>,
) -> Result<String, Refusal> {
    let position = position(text)?;
    let mut record = Record::new(position.start());
    for (ply, &cell) in position.moves().iter().enumerate() {
        record
            .play(cell, Default::default())
            .map_err(Refusal::bad)?;
        let comment = comments.get(&(ply + 1).to_string()).and_then(Json::as_str);
        if let (Some(comment), Some(note)) = (comment, record.note_mut(ply)) {
            note.comment = Some(comment.to_owned());
        }
    }
    match format {
        "sgf" => sgf::write(&record).map_err(Refusal::bad),
        "record" => Ok(record.to_string()),
        "moves" => Ok(position.notation()),
        other => Err(Refusal::bad(format!(
            "unknown format {other:?}; there are moves, record and sgf"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let read = |text: &str| read(text, "connect4").map(|read| read["position"].clone());
        assert_eq!(read("4453").unwrap(), "connect4 4453");
        assert_eq!(read("gomoku h8 i9").unwrap(), "gomoku h8 i9");
        assert_eq!(read("(;GM[4]SZ[15];B[hh];W[ig])").unwrap(), "gomoku h8 i9");
        let drawn = read("connectx:4x5x3\n.....\n.....\n.....\n..x..").unwrap();
        assert_eq!(
            position(drawn.as_str().unwrap()).unwrap().plies(),
            1,
            "{drawn}"
        );
        assert!(read("99").is_err());
        assert!(read("(;GM[1])").is_err());
        assert!(read(" ").is_err());
    }

    #[test]
    fn comments_go_out_and_come_back() {
        let comments = json!({"2": "a reply"});
        let comments = comments.as_object().unwrap();
        for (text, format) in [("gomoku h8 i9", "sgf"), ("connect4 44", "record")] {
            let file = write(text, format, comments).unwrap();
            let back = read(&file, "").unwrap();
            assert_eq!(back["position"], text);
            assert_eq!(back["comments"]["2"], "a reply", "{file}");
        }
        assert!(write("connect4 44", "sgf", comments).is_err());
        assert!(write("connect4 44", "png", comments).is_err());
    }
}
