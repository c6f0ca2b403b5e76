//! The checked moves of a record: the side of each move, and the board after it.
//!
//! Under a rule of the protocol the sides alternate and stones stay, except that files of other programs may
//! contain passes. In other games a side may move twice and stones may be removed; the library's games
//! compute what happened.

use std::collections::HashSet;

use anyhow::{Context, Result, ensure};
use kakugo::board::notation::{format_point, parse_moves};
use kakugo::board::{Cell, Color, Point, Size};
use kakugo::game::{Changes, PASS, Turn, format_move, parse_turns, play_moves};

use crate::model::game_kind::{GameKind, VariantName};
use crate::model::record::{GameRecord, MoveRecord};

/// The moves of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The board.
    pub size: Size,
    /// The points of the moves, in order.
    pub moves: Vec<Point>,
    /// The side of each move.
    pub sides: Vec<Color>,
    /// Each move as text.
    pub words: Vec<String>,
    /// All moves, and the passes between them.
    pub turns: Vec<Turn>,
    /// Number of moves of the opening.
    pub opening: usize,
    /// The stones after each move, if moves do more than add a stone.
    positions: Option<Positions>,
}

/// The boards of a game outside the Gomocup family, move by move.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Positions {
    /// Points of the rectangle that are not part of the board.
    walls: Vec<Point>,
    /// Changes of the board with each move.
    changes: Vec<Changes>,
}

/// A stone on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stone {
    /// Its point.
    pub point: Point,
    /// Its colour.
    pub color: Color,
    /// Number of the move that placed it there, from 1.
    pub number: usize,
}

impl Replay {
    /// Reads and checks the moves of `record`.
    ///
    /// # Errors
    /// Returns an error if the size is invalid, if a move is off the board, on a stone or against the rules
    /// of the game, or if the moves do not begin with the opening.
    pub fn of(record: &GameRecord) -> Result<Replay> {
        let size = record.size.parse::<Size>()?;
        if let Some(GameKind::Variant(name)) = GameKind::named(&record.rule, size) {
            return Replay::of_variant(record, size, &name);
        }
        let turns = turns(&record.moves, size).context("moves")?;
        let opening = self::turns(&record.opening, size).context("opening")?;
        ensure!(turns.starts_with(&opening), "the moves do not begin with the opening");
        let in_turn = turns.iter().zip(Color::ALL.into_iter().cycle());
        let (moves, sides): (Vec<Point>, Vec<Color>) =
            in_turn.filter_map(|(turn, color)| Some((turn.as_ref()?.point, color))).unzip();
        let words = moves.iter().map(|&point| format_point(point, size)).collect();
        let opening = opening.iter().flatten().count();
        Ok(Replay { size, moves, sides, words, turns, opening, positions: None })
    }

    fn of_variant(record: &GameRecord, size: Size, name: &VariantName) -> Result<Replay> {
        let (mut game, mut begun) = (name.open(), name.open());
        ensure!(game.size() == size, "{} is played on a board of {}, not {size}", record.rule, game.size());
        let walls = size.points().filter(|&point| game.cell(point) == Cell::Wall).collect();
        play_moves(begun.as_mut(), &record.opening).context("opening")?;
        play_moves(game.as_mut(), &record.moves).context("moves")?;
        let (moves, opening) = (game.moves(), begun.moves());
        ensure!(moves.starts_with(&opening), "the moves do not begin with the opening");
        let (mut sides, mut changes) = (Vec::new(), Vec::new());
        while !game.moves().is_empty() {
            changes.push(game.changes());
            game.undo();
            sides.push(game.side_to_move());
        }
        sides.reverse();
        changes.reverse();
        Ok(Replay {
            size,
            sides,
            words: moves.iter().map(|&mv| format_move(mv, size)).collect(),
            turns: moves.iter().copied().map(Some).collect(),
            moves: moves.iter().map(|mv| mv.point).collect(),
            opening: opening.len(),
            positions: Some(Positions { walls, changes }),
        })
    }

    /// Whether a side passed.
    pub fn has_passes(&self) -> bool {
        self.turns.iter().any(Option::is_none)
    }

    /// Whether the sides alternated and every move only added one stone.
    pub fn is_plain(&self) -> bool {
        self.positions.is_none()
    }

    /// The points of the rectangle that are not part of the board.
    pub fn walls(&self) -> &[Point] {
        self.positions.as_ref().map_or(&[], |positions| &positions.walls)
    }

    /// The stones on the board after the first `ply` moves.
    pub fn stones_after(&self, ply: usize) -> Vec<Stone> {
        let mut stones: Vec<Stone> = Vec::new();
        for (index, (&point, &color)) in self.moves.iter().zip(&self.sides).enumerate().take(ply) {
            let number = index + 1;
            let Some(positions) = &self.positions else {
                stones.push(Stone { point, color, number });
                continue;
            };
            for change in &positions.changes[index] {
                stones.retain(|stone| stone.point != change.point);
                stones.extend(change.to.color().map(|color| Stone { point: change.point, color, number }));
            }
        }
        stones
    }

    /// Each move with its note; `None` for the stones of the opening.
    pub fn with_notes<'a>(
        &'a self,
        record: &'a GameRecord,
    ) -> impl Iterator<Item = (Point, Option<&'a MoveRecord>)> {
        self.moves.iter().enumerate().map(|(ply, &point)| {
            (point, ply.checked_sub(self.opening).and_then(|index| record.played.get(index)))
        })
    }
}

/// Moves on free points, and passes.
fn turns(text: &str, size: Size) -> Result<Vec<Turn>> {
    if !text.contains(PASS) {
        return Ok(parse_moves(text, size)?.into_iter().map(|point| Some(point.into())).collect());
    }
    let turns = parse_turns(text, size)?;
    let mut taken = HashSet::new();
    for mv in turns.iter().flatten() {
        ensure!(mv.choice == 0 && taken.insert(mv.point), "{} is already taken", format_move(*mv, size));
    }
    Ok(turns)
}

/// Rejects a record in which a side moves twice or stones are removed.
///
/// # Errors
/// Returns an error for a game outside the Gomocup family; `format` names the format that cannot represent
/// it.
pub(crate) fn need_plain(record: &GameRecord, format: &str) -> Result<()> {
    ensure!(
        record.rule.parse::<VariantName>().is_err(),
        "{format} cannot represent the moves of {}: use pgn, csv or jsonl",
        record.rule
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{RecordFormat, blank, read, write};

    fn pente() -> GameRecord {
        let mut record = blank(1);
        (record.rule, record.size) = ("pente:size=9".to_owned(), "9x9".to_owned());
        (record.opening, record.moves) = ("a9 b9".to_owned(), "a9 b9 i1 c9 d9 b9".to_owned());
        record
    }

    #[test]
    fn captured_stones_are_gone_and_may_come_again() {
        let replay = Replay::of(&pente()).unwrap();
        let stones = |ply| {
            let mut numbers: Vec<usize> = replay.stones_after(ply).iter().map(|stone| stone.number).collect();
            numbers.sort_unstable();
            numbers
        };
        assert_eq!((stones(4), stones(5), stones(6)), (vec![1, 2, 3, 4], vec![1, 3, 5], vec![1, 3, 5, 6]));
        assert!(!replay.is_plain() && replay.walls().is_empty());
        assert_eq!((replay.opening, replay.words.len()), (2, 6));
    }

    #[test]
    fn sides_that_move_twice_are_recognised() {
        let mut record = blank(1);
        (record.rule, record.size) = ("roku".to_owned(), "11x11".to_owned());
        record.moves = "f11 g11 f10 f7 g10".to_owned();
        let replay = Replay::of(&record).unwrap();
        use Color::{Black, White};
        assert_eq!(replay.sides, [Black, White, Black, White, Black]);
        // Two track stones and three other stones, because track stones only move.
        assert_eq!(replay.stones_after(5).len(), 5);
        assert_eq!(replay.walls().len(), 121 - 91);
    }

    #[test]
    fn what_is_against_the_rules_is_no_record() {
        let error_of = |change: fn(&mut GameRecord)| {
            let mut record = pente();
            change(&mut record);
            format!("{:#}", Replay::of(&record).unwrap_err())
        };
        assert_eq!(error_of(|record| record.moves += " d9"), "moves: move 7, d9: the point is not empty");
        assert_eq!(
            error_of(|record| record.opening = "b9".to_owned()),
            "the moves do not begin with the opening"
        );
        assert_eq!(
            error_of(|record| record.size = "15x15".to_owned()),
            "pente:size=9 is played on a board of 9x9, not 15x15"
        );
    }

    #[test]
    fn formats_keep_these_games_or_refuse_them() {
        let game = pente();
        for format in [RecordFormat::Pgn, RecordFormat::Csv] {
            let text = write(format, std::slice::from_ref(&game)).unwrap();
            let back = read(format, &text).unwrap().remove(0);
            assert_eq!(
                (back.moves, back.opening, back.rule),
                (game.moves.clone(), game.opening.clone(), game.rule.clone())
            );
        }
        for format in [RecordFormat::Psq, RecordFormat::Sgf] {
            let error = format!("{:#}", write(format, std::slice::from_ref(&game)).unwrap_err());
            assert!(error.contains("cannot represent the moves of pente:size=9"), "{error}");
        }
    }
}
