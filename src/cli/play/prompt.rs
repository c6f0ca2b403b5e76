//! Parses the requests that a person may type at the prompt.

use std::path::PathBuf;

use crate::board::Size;
use crate::board::notation::NotationError;
use crate::game::{Move, parse_move};

/// The text of `help`.
pub const HELP: &str = concat!(
    "  h8, 7,7     play there: column and row as drawn, or x,y from the top left, zero-based\n",
    "  h8/2        the same, with the second of several possible captures\n",
    "  undo        take back your last move and the engine's answer\n",
    "  hint        what the engine would play for you\n",
    "  board       draw the board again\n",
    "  save FILE   write the game to FILE; save! FILE overwrites\n",
    "  pass        play no stone, if the rules allow it; two consecutive passes are a draw\n",
    "  draw        offer a draw; the engine accepts if it is not ahead\n",
    "  resign      resign the game\n",
    "  quit        quit without saving (as does the end of the input)\n",
);

/// A request of the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// An empty line.
    Nothing,
    /// A move.
    Play(Move),
    /// Play no stone.
    Pass,
    /// Take back the person's last move.
    Undo,
    /// Show the move that the engine would play.
    Hint,
    /// Offer a draw.
    Draw,
    /// Resign.
    Resign,
    /// Write the game to a file.
    Save {
        /// The file.
        path: PathBuf,
        /// Whether to overwrite an existing file.
        overwrite: bool,
    },
    /// Draw the board.
    Board,
    /// List the commands.
    Help,
    /// Quit.
    Quit,
}

/// Why a line is not a valid request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRequest {
    /// Neither a command nor a point on the board.
    #[error("{}", no_point(.0))]
    NoPoint(NotationError),
    /// `save` without a file name.
    #[error("save needs a file name")]
    NoFile,
    /// A command with superfluous arguments.
    #[error("{0} takes no arguments")]
    TooMuch(&'static str),
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

/// Parses the request in `line`, on a board of `size`.
///
/// # Errors
/// If it is not a valid request.
pub fn parse(line: &str, size: Size) -> Result<Request, BadRequest> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let alone = |name, request| if rest.is_empty() { Ok(request) } else { Err(BadRequest::TooMuch(name)) };
    match word.to_ascii_lowercase().as_str() {
        "" => Ok(Request::Nothing),
        "undo" => alone("undo", Request::Undo),
        "hint" => alone("hint", Request::Hint),
        "pass" => alone("pass", Request::Pass),
        "draw" => alone("draw", Request::Draw),
        "resign" => alone("resign", Request::Resign),
        "board" => alone("board", Request::Board),
        "help" | "?" => alone("help", Request::Help),
        "quit" | "exit" => alone("quit", Request::Quit),
        "save" | "save!" if rest.is_empty() => Err(BadRequest::NoFile),
        save @ ("save" | "save!") => {
            Ok(Request::Save { path: PathBuf::from(rest.trim()), overwrite: save.ends_with('!') })
        }
        _ => parse_move(line, size).map(Request::Play).map_err(BadRequest::NoPoint),
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
        assert_eq!(parse("Undo", size), Ok(Request::Undo));
        assert_eq!(parse("PASS", size), Ok(Request::Pass));
        let save = |path: &str, overwrite| Ok(Request::Save { path: path.into(), overwrite });
        assert_eq!(parse("save my game.txt", size), save("my game.txt", false));
        assert_eq!(parse("save! h8", size), save("h8", true));
    }

    #[test]
    fn invalid_lines_are_explained() {
        let says = |text: &str| parse(text, Size::default()).unwrap_err().to_string();
        assert_eq!(says("hello"), "'hello' is neither a command nor a point like h8 or 7,7; try help");
        assert_eq!(says("z9"), "z9 is off the board");
        assert_eq!(says("save"), "save needs a file name");
        assert_eq!(says("undo 3"), "undo takes no arguments");
        let long = "x".repeat(10_000);
        assert!(says(&long).len() < 100);
        assert!(!says("\u{1b}[2J").contains('\u{1b}'));
    }
}
