//! Parses the requests that a person may type at the prompt.

use std::path::PathBuf;

use super::record::IfExists;
use crate::board::Size;
use crate::board::notation::NotationError;
use crate::engine::levels::Level;
use crate::game::{Move, parse_move};

/// The commands of every phase of a game.
const COMMANDS: &str = concat!(
    "  undo        take back your last move and the engine's answer\n",
    "  hint        what the engine would play for you at full strength, and why\n",
    "  board       draw the board again\n",
    "  save FILE   write the game to FILE as SGF, or as PGN if FILE ends in .pgn; save! FILE overwrites;\n",
    "              save writes to the same file again\n",
    "  now         while the engine thinks: it moves at once (as does Enter at a terminal);\n",
    "              not in the challenge\n",
    "  level N     the engine plays at this level, 1 to 10, from its next move; not in the challenge\n",
    "  resign      resign the game\n",
    "  new         a new game with the same colours\n",
    "  rematch     a new game with the colours exchanged\n",
    "  quit        quit without saving (as does the end of the input)\n",
);

/// The text of `help` during the game.
pub fn game_help() -> String {
    let moves = concat!(
        "  h8, 7,7     play there: column and row as drawn, or x,y from the top left, zero-based\n",
        "  h8/2        the same, with the second of several possible captures\n",
        "  pass        play no stone, if the rules allow it; two consecutive passes are a draw\n",
        "  draw        offer a draw; the engine accepts if it is not ahead\n",
        "  switch      take the other side of this game\n",
        "  review      after the end: judge every move, and say where the game was lost\n",
        "  back N      return to the position before move N, also after the end\n",
    );
    format!("{moves}{COMMANDS}")
}

/// The text of `help` in an opening procedure.
pub fn opening_help() -> String {
    let answers = concat!(
        "  h8 h9 i10       place these stones (7,7 is also h8), offer them as fifths, or choose one\n",
        "  kagetsu, 4D     one of the 26 openings by its name or number\n",
        "  openings        list the openings\n",
        "  ... fifths 3    after stones: how many fifths black will offer\n",
        "  swap, stay      take the other colour, or keep yours; yes and no mean the same\n",
    );
    format!("{answers}{COMMANDS}")
}

/// A request of the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// An empty line.
    Nothing,
    /// A move.
    Play(Move),
    /// Another request, which needs no board.
    Order(Order),
}

/// A request that has the same form in every phase of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Play no stone.
    Pass,
    /// Take back the person's last move or decision.
    Undo,
    /// Go to the position before the move of this number, counted from 1.
    Back(usize),
    /// Show the move that the engine would play.
    Hint,
    /// Offer a draw.
    Draw,
    /// Resign.
    Resign,
    /// Write the game to a file.
    Save {
        /// The file; `None` for the file of the last save.
        path: Option<PathBuf>,
        /// Treatment of an existing file.
        if_exists: IfExists,
    },
    /// Draw the board.
    Board,
    /// List the commands.
    Help,
    /// List the openings of renju.
    Openings,
    /// Let the engine move immediately.
    Now,
    /// Begin a new game with the same colours.
    New,
    /// Begin a new game with the colours exchanged.
    Rematch,
    /// Take the other side of this game.
    Switch,
    /// Change the engine's level.
    Level(Level),
    /// Judge the moves of the game.
    Review,
    /// Agree with a question.
    Yes,
    /// Disagree with a question.
    No,
    /// Quit; asks first if the game is not saved.
    Leave,
    /// Quit.
    Quit,
}

/// Why a line is not a valid request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRequest {
    /// Neither a command nor a point on the board.
    #[error("{}", no_point(.0))]
    NoPoint(NotationError),
    /// A command with superfluous arguments.
    #[error("{0} takes no arguments")]
    TooMuch(&'static str),
    /// `back` without the number of a move.
    #[error("back needs the number of a move, such as back 17")]
    NoNumber,
    /// `level` without the number of a level.
    #[error("level needs a number from {} to {}, such as level 3", Level::FIRST.number(), Level::FULL.number())]
    NoLevel,
}

/// The message for a line that is not a point: it may have been meant as a command.
fn no_point(error: &NotationError) -> String {
    match error {
        NotationError::NotAPoint(text) => {
            format!("'{text}' is neither a command nor a point like h8 or 7,7; try help")
        }
        error => error.to_string(),
    }
}

/// Commands without arguments.
const ORDERS: [(&str, Order); 21] = [
    ("undo", Order::Undo),
    ("hint", Order::Hint),
    ("pass", Order::Pass),
    ("draw", Order::Draw),
    ("resign", Order::Resign),
    ("board", Order::Board),
    ("help", Order::Help),
    ("?", Order::Help),
    ("openings", Order::Openings),
    ("now", Order::Now),
    ("new", Order::New),
    ("rematch", Order::Rematch),
    ("switch", Order::Switch),
    ("review", Order::Review),
    ("yes", Order::Yes),
    ("y", Order::Yes),
    ("no", Order::No),
    ("n", Order::No),
    ("quit", Order::Quit),
    ("exit", Order::Quit),
    ("leave", Order::Leave),
];

/// Parses the command in `line`; `None` if it is not a command.
///
/// # Errors
/// Returns an error if the command has superfluous arguments.
pub fn parse_order(line: &str) -> Option<Result<Order, BadRequest>> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let word = word.to_ascii_lowercase();
    if word == "save" || word == "save!" {
        let path = Some(rest.trim()).filter(|path| !path.is_empty()).map(PathBuf::from);
        let if_exists = if word.ends_with('!') { IfExists::Replace } else { IfExists::Refuse };
        return Some(Ok(Order::Save { path, if_exists }));
    }
    if word == "back" {
        return Some(rest.trim().parse().map(Order::Back).map_err(|_| BadRequest::NoNumber));
    }
    if word == "level" {
        return Some(rest.trim().parse().map(Order::Level).map_err(|_| BadRequest::NoLevel));
    }
    let (name, order) = ORDERS.into_iter().find(|(name, _)| *name == word)?;
    Some(if rest.is_empty() { Ok(order) } else { Err(BadRequest::TooMuch(name)) })
}

/// Parses the request in `line`, on a board of `size`.
///
/// # Errors
/// Returns an error if it is not a valid request.
pub fn parse(line: &str, size: Size) -> Result<Request, BadRequest> {
    if line.trim().is_empty() {
        return Ok(Request::Nothing);
    }
    match parse_order(line) {
        Some(order) => order.map(Request::Order),
        None => parse_move(line, size).map(Request::Play).map_err(BadRequest::NoPoint),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_points_are_distinguished() {
        let size = Size::default();
        let center = Request::Play(size.center().into());
        for text in ["h8", " H8 ", "7,7", "7, 7"] {
            assert_eq!(parse(text, size), Ok(center.clone()), "{text}");
        }
        assert_eq!(parse("  ", size), Ok(Request::Nothing));
        assert_eq!(parse("Undo", size), Ok(Request::Order(Order::Undo)));
        assert_eq!(parse("PASS", size), Ok(Request::Order(Order::Pass)));
        assert_eq!(parse("y", size), Ok(Request::Order(Order::Yes)));
        let save = |path: &str, if_exists| {
            let path = Some(path).filter(|path| !path.is_empty()).map(PathBuf::from);
            Ok(Request::Order(Order::Save { path, if_exists }))
        };
        assert_eq!(parse("save my game.sgf", size), save("my game.sgf", IfExists::Refuse));
        assert_eq!(parse("save! h8", size), save("h8", IfExists::Replace));
        assert_eq!(parse("save", size), save("", IfExists::Refuse));
        assert_eq!(parse("back  17 ", size), Ok(Request::Order(Order::Back(17))));
        let level = Request::Order(Order::Level(Level::new(3).unwrap()));
        assert_eq!(parse("Level 3", size), Ok(level));
    }

    #[test]
    fn invalid_lines_are_explained() {
        let says = |text: &str| parse(text, Size::default()).unwrap_err().to_string();
        assert_eq!(says("hello"), "'hello' is neither a command nor a point like h8 or 7,7; try help");
        assert_eq!(says("z9"), "z9 is off the board");
        assert_eq!(says("undo 3"), "undo takes no arguments");
        for text in ["back", "back h8", "back -1", "back 99999999999999999999"] {
            assert_eq!(says(text), "back needs the number of a move, such as back 17");
        }
        for text in ["level", "level 0", "level 11", "level h8"] {
            assert_eq!(says(text), "level needs a number from 1 to 10, such as level 3");
        }
        let long = "x".repeat(10_000);
        assert!(says(&long).len() < 100);
        assert!(!says("\u{1b}[2J").contains('\u{1b}'));
    }

    #[test]
    fn every_command_is_in_the_help() {
        let help = game_help() + &opening_help();
        let hidden = ["help", "?", "exit", "y", "n", "leave"];
        for (name, _) in ORDERS.iter().filter(|(name, _)| !hidden.contains(name)) {
            assert!(help.contains(name), "{name}");
        }
    }
}
