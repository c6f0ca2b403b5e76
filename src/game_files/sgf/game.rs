//! Builds a game from the properties of a main line.

use super::placed::Placed;
use super::tree::{Line, Tree};
use super::{BLOCKED, OPENING_MOVE, Property, is_move};
use crate::board::notation::{format_point, parse_point};
use crate::board::{Bitboard, Color, Point, Size};
use crate::game::{GameResult, Move, Turn};
use crate::game_files::{
    FileError, ReadOptions, RecordedGame, RecordedMove, Variation, add_comment, check_free, clip, line_feeds,
};

/// Moves, and stones that are set up.
const STONES: [&str; 5] = ["B", "W", "AB", "AW", "AE"];
/// Properties of the game as a whole, even if a program writes them after the moves.
const ABOUT_GAME: [&str; 4] = ["RE", "PB", "PW", "RU"];
/// Gomoku and renju; some programs use 5.
const KINDS: [&str; 2] = ["4", "5"];
/// Maximum number of moves to the end of a variation: twice the points of the largest board, for passes.
const LONGEST_VARIATION: usize = 1_000;
/// The largest board on which `tt` is a pass.
const LARGEST_WITH_TT: u8 = 19;
/// Encodings that use bytes of ASCII for other characters, so that nothing in the game can be trusted.
const UNREADABLE: [&str; 3] = ["iso-2022", "hz-gb", "utf-7"];
/// Names of one or two letters in the versions of the format, and ours.
const KNOWN: &str = " AB AE AN AP AR AS AW B BC BL BM BR BS BT C CA CH CP CR DD DI DM DO DT EL EV EX FF FG GB GC GE GM GN \
     GW HA HO ID IP IT IY KB KC KE KG KM KO KP KS KT KW KX L LB LN LT M MA MN N OB OM ON OP OT OV OW PB PC PL PM PW RE RG RO \
     RU SC SE SI SL SO SQ ST SU SZ TB TC TE TM TR TW UC US V VW W WC WL WR WS WT XX ";

/// Builds the game from its lines; `game` has the line of the file in which it begins, and the default board.
pub(super) fn of_tree(
    game: RecordedGame,
    tree: Tree,
    options: &ReadOptions,
) -> Result<RecordedGame, FileError> {
    let mut game = of_properties(game, &tree.properties[tree.range(0)], options)?;
    if game.hidden_opening.is_empty() {
        read_variations(&mut game, tree)?;
    }
    Ok(game)
}

/// Reads the variations.
fn read_variations(game: &mut RecordedGame, mut tree: Tree) -> Result<(), FileError> {
    // Number of moves before each property.
    let mut moves_before: Vec<u32> = Vec::with_capacity(tree.properties.len() + 1);
    moves_before.push(0);
    for property in &tree.properties {
        moves_before.push(moves_before[moves_before.len() - 1] + u32::from(is_move(property)));
    }
    let moves_between = |start: usize, end: usize| (moves_before[end] - moves_before[start]) as usize;
    let set_up = game.moves.len() - moves_between(0, tree.range(0).end);
    let mut variations: Vec<Variation> = Vec::with_capacity(tree.lines.len() - 1);
    let mut way = Way::along(game);
    let mut comments = std::mem::take(&mut tree.comments).into_iter().peekable();
    for number in 1..tree.lines.len() {
        let Line { leaves: left_line, after, .. } = tree.lines[number];
        let left = tree.range(left_line as usize);
        let until = tree.properties[left.clone()].partition_point(|property| property.node <= after);
        let mut leaves = (left_line as usize).checked_sub(1);
        let before = leaves.map_or(set_up, |number| variations[number].ply);
        let ply = before + moves_between(left.start, left.start + until);
        let own = tree.range(number);
        let count = moves_between(own.start, own.end);
        // Lines without moves are skipped, so that no chain of lines is longer than its moves.
        while let Some(left) = leaves.map(|number| &variations[number]).filter(|left| left.ply == ply) {
            leaves = left.leaves;
        }
        let shared = match leaves {
            None => &mut game.moves[set_up..ply],
            Some(number) => {
                let left = &mut variations[number];
                &mut left.moves[..ply - left.ply]
            }
        };
        while let Some((_, text)) = comments.next_if(|&(line, _)| line as usize == number) {
            // A comment before the first move belongs to the game.
            add_comment(shared.last_mut().map_or(&mut game.comment, |last| &mut last.comment), text);
        }
        if ply + count > LONGEST_VARIATION {
            let what = format!("a variation has more than {LONGEST_VARIATION} moves");
            let first = tree.properties.get(own.start).map_or(game.line, |property| property.line);
            return Err(FileError::Line(first, what));
        }
        way.return_to(ply);
        let mut moves: Vec<RecordedMove> = Vec::with_capacity(count);
        for property in &mut tree.properties[own] {
            if !is_move(property) {
                if let Some(last) = moves.last_mut() {
                    add_comment(&mut last.comment, std::mem::take(&mut property.values[0]));
                }
                continue;
            }
            let fault = |what| FileError::Line(property.line, what);
            let side = if property.name == "B" { Color::Black } else { Color::White };
            let next = game.side_after(ply + moves.len());
            let turn = read_move(side, next, &property.values, game.board()).map_err(fault)?;
            way.go(turn).map_err(|point| {
                let point = format_point(point, game.board());
                fault(format!("{point} is already taken in a variation"))
            })?;
            moves.push(RecordedMove { mv: turn, comment: None });
        }
        variations.push(Variation { leaves, ply, moves });
    }
    game.variations = variations;
    Ok(())
}

/// The moves that lead to a place in the tree. Its lines come in the order of a walk: each line shares the
/// moves before it with the previous one.
struct Way {
    turns: Vec<Turn>,
    taken: Bitboard,
    may_remove_stones: bool,
}

impl Way {
    /// The moves of the game.
    fn along(game: &RecordedGame) -> Way {
        let turns: Vec<Turn> = game.moves.iter().map(|recorded| recorded.mv).collect();
        let mut taken = game.taken_at_start();
        turns.iter().flatten().for_each(|mv| taken.insert(mv.point));
        Way { turns, taken, may_remove_stones: game.is_variant() }
    }

    /// Returns to the position after `ply` moves.
    fn return_to(&mut self, ply: usize) {
        for turn in self.turns.drain(ply.min(self.turns.len())..) {
            turn.iter().for_each(|mv| self.taken.remove(mv.point));
        }
    }

    /// Adds a move; returns its point as an error if it was occupied before.
    fn go(&mut self, turn: Turn) -> Result<(), Point> {
        self.turns.push(turn);
        let Some(mv) = turn else { return Ok(()) };
        if self.taken.contains(mv.point) && !self.may_remove_stones {
            return Err(mv.point);
        }
        self.taken.insert(mv.point);
        Ok(())
    }
}

/// Builds the game from the properties of its main line.
fn of_properties(
    mut game: RecordedGame,
    properties: &[Property],
    options: &ReadOptions,
) -> Result<RecordedGame, FileError> {
    let first = properties.first().map_or(game.line, |property| property.line);
    let moves = properties.iter().position(is_move);
    let before_moves = moves.unwrap_or(properties.len());
    let is_of_game = |index: &usize| {
        let Property { node, name, .. } = &properties[*index];
        *index < before_moves || *node <= 1 || ABOUT_GAME.contains(&&**name)
    };
    let tags = (0..properties.len()).filter(is_of_game).map(|index| &properties[index]);
    for property in tags.filter(|property| !STONES.contains(&&*property.name)) {
        take_tag(&mut game, property, options)?;
    }
    // The line of the first property, as in other errors.
    game.line = first;
    game.hidden_opening = hidden_opening(properties, game.board());
    if game.hidden_opening.is_empty() {
        let placed = Placed::new(options.positions);
        Reading { placed, ..Reading::default() }.read(&mut game, properties)?;
    }
    Ok(game)
}

fn take_tag(game: &mut RecordedGame, property: &Property, options: &ReadOptions) -> Result<(), FileError> {
    let Property { line, name, values, .. } = property;
    let value = values[0].as_str();
    let fault = |what: String| FileError::Line(*line, what);
    match &**name {
        "GM" if !KINDS.contains(&value.trim()) && !options.any_kind => {
            return Err(fault(format!("game {} is not gomoku, which is 4", clip(value))));
        }
        "CA" if UNREADABLE.iter().any(|begin| value.trim().to_ascii_lowercase().starts_with(begin)) => {
            return Err(fault(format!("texts in {} cannot be read", clip(value.trim()))));
        }
        "SZ" => {
            let size = value.replace(':', "x").parse::<Size>();
            game.size = Some(size.map_err(|error| fault(error.to_string()))?);
        }
        "RU" if !value.trim().is_empty() => game.set_rule(value),
        "RE" => game.result = read_result(value),
        "PB" => game.players[Color::Black] = Some(on_one_line(value)),
        "PW" => game.players[Color::White] = Some(on_one_line(value)),
        _ => {}
    }
    game.tags.push((name.to_string(), value.to_owned()));
    Ok(())
}

/// A value of SGF's type SimpleText, with tabs and line ends replaced by blanks.
fn on_one_line(value: &str) -> String {
    line_feeds(value).map(|c| if c.is_control() && c.is_whitespace() { ' ' } else { c }).collect()
}

/// The private properties before the first move that contain several points, or that have a node of their own
/// with one point.
fn hidden_opening(properties: &[Property], size: Size) -> Vec<String> {
    let until =
        properties.iter().find(|property| is_move(property)).map_or(u32::MAX, |property| property.node);
    // The properties of a node follow each other.
    let is_alone = |place: usize| {
        let is_other = |other: &Property| other.node != properties[place].node;
        properties[..place].last().is_none_or(is_other) && properties.get(place + 1).is_none_or(is_other)
    };
    let holds_points = |(place, property): &(usize, &Property)| {
        let is_mark = |c: char| c.is_whitespace() || [',', ';', ':'].contains(&c);
        let words: Vec<&str> = property
            .values
            .iter()
            .flat_map(|value| value.split(is_mark))
            .filter(|word| !word.is_empty())
            .collect();
        let is_point = |word: &&str| read_point(word, size).is_ok_and(|point| point.is_some());
        let is_many = words.len() > 1 || property.node > 1 && is_alone(*place);
        is_many && words.iter().all(is_point)
    };
    let is_private = |property: &Property| !KNOWN.contains(&format!(" {} ", property.name));
    let early = properties.iter().enumerate().filter(|(_, property)| property.node <= until);
    let found = early.filter(|(_, property)| is_private(property)).filter(holds_points);
    found.map(|(_, property)| property.name.to_string()).collect()
}

/// The moves read so far.
#[derive(Default)]
struct Reading {
    /// The notation of the moves, with their lines.
    words: Vec<(usize, String)>,
    /// The stones that are set up.
    placed: Placed,
    has_moves: bool,
}

impl Reading {
    /// Reads the moves; the opening is what was set up before them, or is marked.
    fn read(mut self, game: &mut RecordedGame, properties: &[Property]) -> Result<(), FileError> {
        let size = game.board();
        for Property { line, name, values, .. } in properties {
            let fault = |what: String| FileError::Line(*line, what);
            match &**name {
                "AB" | "AW" | "AE" if self.has_moves => {
                    return Err(fault("stones are set up in the middle of the game".to_owned()));
                }
                BLOCKED if !self.placed.is_kept() => {
                    return Err(fault(
                        "points are blocked, which a game from an empty board does not have".to_owned(),
                    ));
                }
                BLOCKED if self.has_moves => {
                    return Err(fault("points are blocked in the middle of the game".to_owned()));
                }
                "AE" => return Err(fault("points are set up as empty".to_owned())),
                "AB" | "AW" | BLOCKED => {
                    for value in values.iter().filter(|value| !value.trim().is_empty()) {
                        let points = read_points(value, size).map_err(fault)?;
                        self.placed.add(name, *line, value, points)?;
                    }
                }
                "PL" if !self.has_moves => self.placed.to_move = read_side(&values[0]),
                "B" | "W" => {
                    let side = if name == "B" { Color::Black } else { Color::White };
                    if !self.has_moves {
                        self.has_moves = true;
                        self.placed.begin(game, &mut self.words, Some(side), *line)?;
                    }
                    let next = game.side_after(game.moves.len());
                    let turn = read_move(side, next, values, size).map_err(fault)?;
                    game.moves.push(RecordedMove { mv: turn, comment: None });
                    self.words.push((*line, values[0].clone()));
                }
                "C" => {
                    let last = game.moves.last_mut().filter(|_| self.has_moves);
                    let comment = last.map_or(&mut game.comment, |last| &mut last.comment);
                    add_comment(comment, values[0].clone());
                }
                _ => {}
            }
        }
        if !self.has_moves {
            let line = game.line;
            self.placed.begin(game, &mut self.words, None, line)?;
        }
        if !game.is_variant() {
            check_free(game.taken_at_start(), &self.words, &game.moves)?;
        }
        let is_marked = |recorded: &&RecordedMove| recorded.comment.as_deref() == Some(OPENING_MOVE);
        game.opening = game.opening.max(game.moves.iter().take_while(is_marked).count());
        game.set_opening("KO");
        Ok(())
    }
}

/// A move of `side`, where it is the turn of `next`.
fn read_move(side: Color, next: Color, values: &[String], size: Size) -> Result<Turn, String> {
    if side != next {
        return Err(format!("it is {next}'s turn"));
    }
    let [value] = values else { return Err("a move has more than one point".to_owned()) };
    Ok(read_point(value, size)?.map(Move::from))
}

fn read_side(text: &str) -> Option<Color> {
    match text.trim().chars().next()?.to_ascii_uppercase() {
        'B' | '1' => Some(Color::Black),
        'W' | '2' => Some(Color::White),
        _ => None,
    }
}

/// Parses a result, as written by the format or by other programs; `None` if it is open or unknown.
fn read_result(text: &str) -> Option<GameResult> {
    let text: String = text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    if is_draw(&text) {
        return Some(GameResult::Draw);
    }
    let (side, rest) = match text.split_once('+') {
        Some((side, rest)) => (side, rest),
        None => {
            let won = ["wins", "won", "win", "胜", "勝", "勝ち"];
            (won.iter().find_map(|word| text.strip_suffix(word)).unwrap_or(&text), "")
        }
    };
    let color = match side {
        "b" | "black" | "黑" | "黒" | "黑方" => Color::Black,
        "w" | "white" | "白" | "白方" => Color::White,
        _ => return None,
    };
    if is_draw(rest) {
        return Some(GameResult::Draw);
    }
    (!["void", "?", "suspended"].contains(&rest)).then_some(GameResult::win(color))
}

/// Whether these words, in lower case without blanks, mean a draw.
fn is_draw(text: &str) -> bool {
    const BEGINNINGS: [&str; 10] =
        ["draw", "jigo", "tie", "remis", "agreeddraw", "drawn", "和", "平局", "持碁", "引き分け"];
    const WORDS: [&str; 8] = ["0", "0.0", "d", "=", "1/2", "1/2-1/2", "½-½", "0.5-0.5"];
    WORDS.contains(&text) || BEGINNINGS.iter().any(|begin| text.starts_with(begin))
}

/// The points of `hh`, or of the rectangle `hh:jj`.
fn read_points(text: &str, size: Size) -> Result<Vec<Point>, String> {
    let stone =
        |text: &str| read_point(text, size)?.ok_or_else(|| format!("'{}' is not a point", clip(text)));
    let Some((one, other)) = text.split_once(':') else { return Ok(vec![stone(text)?]) };
    let (one, other) = (stone(one)?, stone(other)?);
    let ordered = |one: u8, other: u8| one.min(other)..=one.max(other);
    let rows = ordered(one.y(), other.y());
    Ok(rows.flat_map(|y| ordered(one.x(), other.x()).map(move |x| Point::new(x, y))).collect())
}

/// A point such as `hh`, or `h8` as some programs write it; `None` for a pass.
fn read_point(text: &str, size: Size) -> Result<Option<Point>, String> {
    let text = text.trim();
    let has_no_tt = size.width().max(size.height()) <= LARGEST_WITH_TT;
    if text.is_empty() || text.eq_ignore_ascii_case("pass") || has_no_tt && text.eq_ignore_ascii_case("tt") {
        return Ok(None);
    }
    if let [x, y] = *text.as_bytes()
        && x.is_ascii_alphabetic()
        && y.is_ascii_alphabetic()
    {
        let number = |letter: u8| i32::from(letter.to_ascii_lowercase()) - i32::from(b'a');
        let point = size.point(number(x), number(y));
        return point.map(Some).ok_or_else(|| format!("{} is off the board", clip(text)));
    }
    parse_point(text, size).map(Some).map_err(|error| error.to_string())
}
