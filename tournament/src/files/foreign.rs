//! Converts games in files of other programs, read by [`kakugo::game_files`], to records: the names of each
//! format's tags, and c-gomoku-cli's wording of endings.

use anyhow::{Context, Result, ensure};
use kakugo::board::notation::format_moves;
use kakugo::board::{Color, Size};
use kakugo::game::{Move, Turn, format_turns, parse_turns};
use kakugo::game_files::{
    FileError, GameFormat, GameReader, ReadOptions, RecordedGame, RecordedMove, Variation, is_note,
    line_feeds,
};

use super::{FORFEIT, Games, Notice, Replay, UNFINISHED, blank, date, judge, note, spaced};
use crate::files::input::MemoryBudget;
use crate::model::game_kind::GameKind;
use crate::model::record::{EventRecord, GameRecord, GameResult, MoveRecord, VariationRecord};

/// Names of a format's tags or properties.
pub(super) struct TagNames {
    pub number: &'static str,
    /// Name, round and place of the event.
    pub event: [&'static str; 3],
    /// Whether our files without an event have its [usual name](event_name), and the number of the game as its round.
    pub has_event: bool,
    pub pair: &'static str,
    pub seed: &'static str,
    pub limits: &'static str,
    pub ending: &'static str,
    pub detail: &'static str,
    pub opening: &'static str,
    pub abouts: [&'static str; 2],
    /// Where c-gomoku-cli writes how the game ended.
    pub reason: &'static str,
    /// The result, whose letter states how the game ended.
    pub result: &'static str,
    /// Seconds since 1970; date; time, if it does not follow the date.
    pub began: [&'static str; 3],
}

/// Reads the games of a file; unreadable games are skipped.
///
/// # Errors
/// Returns the error of the first game if no game can be read, and an error if the rest of the file cannot be
/// read.
pub(super) fn read(
    format: GameFormat,
    bytes: &[u8],
    names: &TagNames,
    options: &ReadOptions,
) -> Result<Games> {
    read_games(GameReader::new(format, bytes, *options), format == GameFormat::Pgn, names)
}

/// Like [`read`], but from a reader. With `has_names`, every game must have the names of its players.
pub(super) fn read_games(
    source: impl Iterator<Item = Result<RecordedGame, FileError>>,
    has_names: bool,
    names: &TagNames,
) -> Result<Games> {
    let (mut games, mut budget) = (Games::default(), MemoryBudget::default());
    for (number, game) in (1..).zip(source) {
        let record = match game {
            Err(error @ FileError::Rest(..)) => return Err(error.into()),
            Err(error) => Err(error.into()),
            Ok(game) => record_of_any(has_names, &game, number, names, &mut games.hidden),
        };
        match record {
            Ok(record) => {
                budget.take(record.memory())?;
                games.records.push(record);
            }
            Err(error) => games.wrong.add(format!("{error:#}")),
        }
    }
    if games.records.is_empty()
        && let Some(first) = games.wrong.first.take()
    {
        return Err(anyhow::Error::msg(first));
    }
    ensure!(!games.records.is_empty(), "the file contains no games");
    Ok(games)
}

fn record_of_any(
    has_names: bool,
    game: &RecordedGame,
    number: usize,
    names: &TagNames,
    hidden: &mut Notice,
) -> Result<GameRecord> {
    if has_names {
        need_names(game)?;
    }
    if let Some(name) = game.hidden_opening.first() {
        hidden.add(format!("line {}: {name}", game.line));
    }
    record_of(game, number, names)
}

fn record_of(game: &RecordedGame, number: usize, names: &TagNames) -> Result<GameRecord> {
    let text = |name: &str| game.tag(name).map(str::to_owned);
    let integer = |name: &str| game.tag(name).and_then(|text| text.parse::<u64>().ok());
    let mut record = blank(number);
    record.event = event_of(game, names);
    // Without a board this is not one of our files, and the number has another meaning.
    let of_round = || number_in_round(game, names);
    let stated = integer(names.number).or_else(of_round).filter(|_| game.size.is_some());
    record.game = stated.map_or(number, |stated| stated as usize);
    record.pair = integer(names.pair).unwrap_or(0) as usize;
    record.seed = integer(names.seed).unwrap_or(0);
    record.began = began(game, names);
    record.rule = game.rule.clone().unwrap_or(record.rule);
    record.size = game.board().to_string();
    record.limits = text(names.limits).unwrap_or_default();
    let of_result = || ending_of_result(game.tag(names.result)?).map(str::to_owned);
    let stated = text(names.ending).or_else(|| text(names.reason)).or_else(of_result);
    let reason = stated.as_deref().and_then(ending_of_reason);
    record.detail =
        text(names.detail).or_else(|| stated.clone().filter(|_| reason.is_some())).unwrap_or_default();
    record.ending = reason.map(str::to_owned).or(stated).unwrap_or(record.ending);
    for (side, color) in [(&mut record.black, Color::Black), (&mut record.white, Color::White)] {
        side.name = game.players[color].clone().unwrap_or_else(|| "?".to_owned());
        side.about = text(names.abouts[color as usize]).unwrap_or_default();
    }
    let turns: Vec<Turn> = game.moves.iter().map(|recorded| recorded.mv).collect();
    // The replay rejects a game on a board that does not fit it.
    let kind = GameKind::named(&record.rule, game.board()).filter(|kind| kind.size() == game.board());
    let format = |turns: &[Turn]| match (turns.iter().copied().collect::<Option<Vec<Move>>>(), &kind) {
        (None, _) => format_turns(turns, game.board()),
        (Some(moves), Some(kind)) => kind.format_moves(&moves),
        (Some(moves), None) => {
            format_moves(&moves.iter().map(|mv| mv.point).collect::<Vec<_>>(), game.board())
        }
    };
    record.moves = format(&turns);
    // Without the moves, the opening is unknown too.
    let stated = text(names.opening).filter(|_| !turns.is_empty());
    record.opening = stated.unwrap_or_else(|| format(&turns[..game.opening]));
    judge(&mut record, game.result);
    let begun = || format!("game that begins in line {}", game.line);
    let opening = Replay::of(&record).with_context(begun)?.opening;
    let stones = game.moves.iter().filter(|recorded| recorded.mv.is_some()).skip(opening);
    let notes = stones.map(|recorded| recorded.comment.as_deref().and_then(note::read));
    record.played = notes.map(Option::unwrap_or_default).collect();
    if record.played.iter().all(|played| *played == MoveRecord::default()) {
        record.played.clear();
    }
    let of_game = game.comment.as_deref().filter(|comment| !comment.trim().is_empty() && !is_note(comment));
    record.comment = of_game.map(|comment| line_feeds(comment).collect()).unwrap_or_default();
    let comment = |(turn, recorded): (usize, &RecordedMove)| {
        let comment = recorded.comment.as_ref().filter(|comment| !is_note(comment))?;
        Some((turn, line_feeds(comment).collect::<String>()))
    };
    record.comments = game.moves.iter().enumerate().filter_map(comment).collect();
    record.variations =
        game.variations.iter().map(|variation| variation_record(variation, game.board())).collect();
    Ok(record)
}

fn variation_record(variation: &Variation, size: Size) -> VariationRecord {
    let Variation { leaves, ply, moves } = variation;
    let turns: Vec<Turn> = moves.iter().map(|recorded| recorded.mv).collect();
    let comments = moves.iter().enumerate();
    let comment = |(at, recorded): (usize, &RecordedMove)| {
        Some((at, line_feeds(recorded.comment.as_deref()?).collect::<String>()))
    };
    let comments = comments.filter_map(comment).collect();
    VariationRecord { leaves: *leaves, ply: *ply, moves: format_turns(&turns, size), comments }
}

/// The variations of a record.
///
/// # Errors
/// Returns an error if the moves of one cannot be read, or if it does not begin in the line that it leaves.
pub(super) fn variations_of(record: &GameRecord, replay: &Replay) -> Result<Vec<Variation>> {
    let mut variations: Vec<Variation> = Vec::new();
    for (number, variation) in record.variations.iter().enumerate() {
        let VariationRecord { leaves, ply, moves, comments } = variation;
        let begun = || format!("variation {number}");
        let plies = match leaves {
            None => 0..=replay.turns.len(),
            Some(left) => {
                let left =
                    variations.get(*left).context("it leaves no earlier variation").with_context(begun)?;
                left.ply..=left.ply + left.moves.len()
            }
        };
        ensure!(plies.contains(ply), "variation {number} does not begin in the line that it leaves");
        let turns = parse_turns(moves, replay.size).map_err(anyhow::Error::msg).with_context(begun)?;
        let moves = turns.into_iter().enumerate();
        let moves = moves.map(|(at, mv)| RecordedMove { mv, comment: comments.get(&at).cloned() }).collect();
        variations.push(Variation { leaves: *leaves, ply: *ply, moves });
    }
    Ok(variations)
}

/// The name of the event in our files if the record states none.
pub(super) fn event_name(rule: &str, size: &str) -> String {
    format!("{rule} {size}")
}

/// The text of a tag about the event, if it has one.
fn of_event(game: &RecordedGame, tag: &str) -> Option<String> {
    let is_stated = |text: &String| !["", "?", "-"].contains(&text.as_str());
    game.tag(tag).map(spaced).filter(is_stated)
}

/// The name of the event, unless we have filled it in.
fn event_name_of(game: &RecordedGame, names: &TagNames) -> Option<String> {
    let usual = game.tag("Variant").zip(game.tag("BoardSize")).map(|(rule, size)| event_name(rule, size));
    of_event(game, names.event[0]).filter(|name| !names.has_event || usual.as_ref() != Some(name))
}

/// The number of the game, if we have filled in the round with it.
fn number_in_round(game: &RecordedGame, names: &TagNames) -> Option<u64> {
    let may_be = names.has_event && game.size.is_some() && game.tag(names.number).is_none();
    if !may_be || event_name_of(game, names).is_some() {
        return None;
    }
    game.tag(names.event[1])?.parse().ok()
}

/// The event that a file states, unless we have filled in its tags.
fn event_of(game: &RecordedGame, names: &TagNames) -> EventRecord {
    let round = of_event(game, names.event[1]).filter(|_| number_in_round(game, names).is_none());
    EventRecord {
        name: event_name_of(game, names).unwrap_or_default(),
        round: round.unwrap_or_default(),
        place: of_event(game, names.event[2]).unwrap_or_default(),
    }
}

/// When the game began, in seconds since 1970; 0 if unknown.
fn began(game: &RecordedGame, names: &TagNames) -> u64 {
    let [seconds, day, time] = names.began.map(|name| game.tag(name));
    let seconds = seconds.and_then(|text| text.parse().ok());
    // c-gomoku-cli writes date and time in one tag, in local time.
    let day = day.or_else(|| game.tag("Date")).unwrap_or_default().trim();
    let (day, behind) = day.split_once(' ').unwrap_or((day, ""));
    seconds.or_else(|| date::to_seconds(day, time.unwrap_or(behind))).unwrap_or(0)
}

/// The name of an ending that c-gomoku-cli words like this.
fn ending_of_reason(text: &str) -> Option<&'static str> {
    const REASONS: [(&str, &str); 9] = [
        ("by five connection", "five"),
        ("by opponent illegal move", "illegal"),
        ("play forbidden move", "foul"),
        ("Draw by fullfilled board", "full-board"),
        ("Draw by adjudication", "move-limit"),
        ("win by adjudication", "adjudication"),
        ("by time forfeit", "time"),
        ("by opponent crash", "crash"),
        ("Unterminated", UNFINISHED),
    ];
    REASONS.into_iter().find(|(words, _)| text.contains(words)).map(|(_, ending)| ending)
}

/// The ending that a result of SGF states: `B+R` and `B+Resign`, `B+T` and `B+Time`, `B+F` and `B+Forfeit`.
fn ending_of_result(text: &str) -> Option<&'static str> {
    let (_, how) = text.split_once('+')?;
    match how.trim().to_ascii_lowercase().as_str() {
        "r" | "resign" => Some("resign"),
        "t" | "time" => Some("time"),
        "f" | "forfeit" => Some(FORFEIT),
        _ => None,
    }
}

/// The moves of a record with their comments, or else notes.
pub(super) fn moves_of(record: &GameRecord, replay: &Replay) -> Vec<RecordedMove> {
    let mut notes = replay.with_notes(record).map(|(_, played)| played.map(note::write));
    let with_note = |(turn, &mv): (usize, &Turn)| {
        let note = mv.and_then(|_| notes.next().flatten());
        RecordedMove { mv, comment: record.comments.get(&turn).cloned().or(note) }
    };
    replay.turns.iter().enumerate().map(with_note).collect()
}

/// The result of a record, unless the game is unfinished.
pub(super) fn result_of(record: &GameRecord) -> Option<GameResult> {
    (record.ending != UNFINISHED).then_some(record.result)
}

/// Rejects a PGN without both players' names, because its players could not be rated.
fn need_names(game: &RecordedGame) -> Result<(), FileError> {
    for color in [Color::White, Color::Black] {
        if game.players[color].is_none() {
            let name = if color == Color::White { "White" } else { "Black" };
            return Err(FileError::Game(game.line, format!("the tag {name} is missing")));
        }
    }
    Ok(())
}
