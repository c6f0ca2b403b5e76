//! Boards and games as text: drawn like `pbrain-kakugo play`, or with numbered stones.

use kakugo::board::{Board, Color, Point};
use kakugo::drawing::{Drawing, Look};

use crate::files::replay::Stone;
use crate::files::{Replay, UNFINISHED, UNKNOWN};
use crate::model::record::{GameRecord, MoveRecord};
use crate::text::{NAME_LENGTH, clipped, counted, name, visible};

/// Width of a cell, and of the row numbers, in columns.
const CELL: usize = 3;

/// Maximum number of characters of both sides' limits in a heading.
const LIMITS_LENGTH: usize = 2 * NAME_LENGTH;

/// A drawn cell with a text of three characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnCell {
    /// The text.
    pub text: String,
    /// The colour of its stone, if there is one.
    pub stone: Option<Color>,
    /// Whether it is the last stone played.
    pub is_last: bool,
}

/// The rows of the board after `ply` moves, from the top, each with its cells from the left. With `numbers`,
/// every stone is shown by its number. A hexagon is drawn slanted, with upright columns.
pub fn cells(replay: &Replay, ply: usize, numbers: bool) -> Vec<Vec<DrawnCell>> {
    let size = replay.size;
    let empty = |x: u8, y: u8| {
        let text = match Point::new(x, y) {
            point if replay.walls().contains(&point) => "   ",
            point if point == size.center() => "  +",
            _ => "  .",
        };
        DrawnCell { text: text.to_owned(), stone: None, is_last: false }
    };
    let row = |y: u8| (0..size.width()).map(|x| empty(x, y)).collect::<Vec<_>>();
    let mut rows: Vec<Vec<DrawnCell>> = (0..size.height()).map(row).collect();
    for Stone { point, color, number } in replay.stones_after(ply) {
        // A move may also bring a track stone, which is not the move itself.
        let is_last = number == ply && replay.moves[ply - 1] == point;
        let letter = if color == Color::Black { "X" } else { "O" };
        let text = if numbers || is_last { format!("{number:>3}") } else { format!("  {letter}") };
        let cell = &mut rows[usize::from(point.y())][usize::from(point.x())];
        *cell = DrawnCell { text, stone: Some(color), is_last };
    }
    rows
}

/// The board after `ply` moves with letters and numbers at its edges; `paint` may colour the cells.
pub fn board(
    replay: &Replay,
    ply: usize,
    numbers: bool,
    paint: impl Fn(&DrawnCell) -> String,
) -> Vec<String> {
    let size = replay.size;
    let letters: String = (0..size.width()).map(|x| format!("  {}", char::from(b'a' + x))).collect();
    let rows = cells(replay, ply, numbers).into_iter().enumerate().map(|(y, cells)| {
        let number = usize::from(size.height()) - y;
        let cells: String = cells.iter().map(&paint).collect();
        format!("{number:>3}{cells}")
    });
    let mut lines: Vec<String> = rows.collect();
    lines.push(format!("   {letters}"));
    lines
}

/// The board after `ply` moves with numbered stones.
pub fn numbered_board(replay: &Replay, ply: usize, look: Look) -> Vec<String> {
    by_cells(replay, ply, true, look)
}

fn by_cells(replay: &Replay, ply: usize, numbers: bool, look: Look) -> Vec<String> {
    match look.too_narrow(CELL * (1 + usize::from(replay.size.width()))) {
        Some(line) => vec![line],
        None => board(replay, ply, numbers, |cell| cell.text.clone()),
    }
}

/// The board after `ply` moves, drawn like `pbrain-kakugo play`, with the last move in brackets. A hexagon is
/// drawn cell by cell.
pub fn plain_board(replay: &Replay, ply: usize, look: Look) -> Vec<String> {
    if !replay.walls().is_empty() {
        return by_cells(replay, ply, false, look);
    }
    let mut board = Board::new(replay.size);
    for Stone { point, color, .. } in replay.stones_after(ply) {
        board.set_up(color, point);
    }
    let last = ply.checked_sub(1).map(|index| replay.moves[index]);
    Drawing::new(&board, look).with_last(last).to_string().lines().map(str::to_owned).collect()
}

/// Players and ending of the game, in two lines.
pub fn heading(record: &GameRecord) -> [String; 2] {
    let is_unfinished = record.ending == UNFINISHED;
    let result = if is_unfinished { UNFINISHED.to_owned() } else { record.result.to_string() };
    let detail = match (record.detail.as_str(), record.ending.as_str()) {
        ("", UNFINISHED | UNKNOWN) => String::new(),
        ("", ending) => format!("  {}", visible(ending)),
        (detail, _) => format!("  {}", visible(detail)),
    };
    let [black, white] = [&record.black, &record.white].map(|side| name(&side.name));
    let players = format!("{black} (black) - {white} (white)  {result}{detail}");
    let [rule, size] = [&record.rule, &record.size].map(|word| name(word));
    let words = [rule, size, clipped(&record.limits, LIMITS_LENGTH)];
    let about = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ");
    [players, format!("game {}: {about}", record.game)]
}

/// The last of the first `ply` moves, with its search info.
pub fn describe_move(record: &GameRecord, replay: &Replay, ply: usize) -> String {
    let Some(index) = ply.checked_sub(1) else { return "the empty board".to_owned() };
    let side = replay.sides[index];
    let name = name(if side == Color::Black { &record.black.name } else { &record.white.name });
    let point = &replay.words[index];
    let about = match index.checked_sub(replay.opening) {
        None => ", opening".to_owned(),
        Some(index) => record.played.get(index).map(describe_played).unwrap_or_default(),
    };
    format!("{ply}. {point} by {name} ({side}){about}")
}

fn describe_played(played: &MoveRecord) -> String {
    let value = played.value.map(|value| format!(", value {value}")).unwrap_or_default();
    let depth = played.depth.map(|depth| format!(", depth {depth}")).unwrap_or_default();
    let nodes = played.nodes.map(|nodes| format!(", {}", counted(nodes, "node"))).unwrap_or_default();
    format!("{value}{depth}{nodes}, {:.1} ms", played.ms)
}

/// All moves, numbered, in lines of at most `width` characters.
pub fn move_list(replay: &Replay, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (ply, word) in replay.words.iter().enumerate() {
        let word = format!("{}. {word}", ply + 1);
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() {
            *line = word;
        } else if line.len() + 2 + word.len() <= width {
            *line += "  ";
            *line += &word;
        } else {
            lines.push(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::blank;
    use crate::model::record::Value;

    #[test]
    fn a_board_is_drawn_with_the_last_move_as_its_number() {
        let replay = |moves: &str| {
            Replay::of(&GameRecord { size: "7x5".to_owned(), moves: moves.to_owned(), ..blank(1) }).unwrap()
        };
        let played = replay("a1g5c3");
        let plain = |cell: &DrawnCell| cell.text.clone();
        let drawn = [
            "  5  .  .  .  .  .  .  O",
            "  4  .  .  .  .  .  .  .",
            "  3  .  .  3  +  .  .  .",
            "  2  .  .  .  .  .  .  .",
            "  1  X  .  .  .  .  .  .",
            "     a  b  c  d  e  f  g",
        ];
        assert_eq!(board(&played, 3, false, plain), drawn);
        assert_eq!(board(&played, 3, true, plain)[0], "  5  .  .  .  .  .  .  2");
        assert_eq!(board(&replay(""), 0, false, plain)[2], "  3  .  .  .  +  .  .  .");
    }

    #[test]
    fn moves_are_described_by_what_is_known() {
        let mut record = blank(3);
        record.moves = "h8h9i8".to_owned();
        record.opening = "h8".to_owned();
        record.white.name = "w".to_owned();
        record.played =
            vec![MoveRecord { ms: 12.34, value: Some(Value::Points(-5)), depth: Some(9), nodes: Some(88) }];
        let replay = Replay::of(&record).unwrap();
        let text_of = |ply| describe_move(&record, &replay, ply);
        assert_eq!(text_of(0), "the empty board");
        assert_eq!(text_of(1), "1. h8 by ? (black), opening");
        assert_eq!(text_of(2), "2. h9 by w (white), value -5, depth 9, 88 nodes, 12.3 ms");
        assert_eq!(text_of(3), "3. i8 by ? (black)");
        assert_eq!(move_list(&replay, 14), ["1. h8  2. h9", "3. i8"]);
        assert_eq!(heading(&record)[0], "? (black) - w (white)  unfinished");
    }
}
