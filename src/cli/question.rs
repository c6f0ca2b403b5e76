//! Parts of the commands that put one question about a position: the position, seconds, and Ctrl-C for an answer on
//! what is known.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::board::notation::{format_fen, parse_fen, parse_moves};
use crate::board::offsets::parse_offsets;
use crate::board::{Board, Color, Point, Size};
use crate::rules::{Position, Rule, Verdict, plain};

/// The rule and the board of a position.
#[derive(Debug, Args)]
pub struct GameArgs {
    /// Rule: freestyle, standard, renju, caro, caro-exact, or a Gomocup code
    #[arg(long, default_value = "freestyle")]
    pub rule: Rule,
    /// The board that a move list is played on
    #[arg(long, value_name = "N|WxH", default_value = "15")]
    pub size: Size,
}

/// A position that a command is about.
#[derive(Debug, Args)]
pub struct PositionArgs {
    /// The position: a FEN (rows from the top, X for black, O for white, # blocked, numbers for runs of empty
    /// points), or moves from the empty board such as h8i9j10
    #[arg(value_name = "POSITION")]
    pub position: String,
    #[command(flatten)]
    pub game: GameArgs,
}

impl PositionArgs {
    /// The board, see [`read_position`].
    pub fn board(&self) -> Result<Board> {
        read_position(&self.position, &self.game)
    }
}

/// Seconds as people write them.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a number of seconds from 0 on".to_owned())
}

/// The position of a FEN, or of moves, in which nobody has won.
///
/// # Errors
/// When the text is no position, or the game is over.
pub fn read_position(text: &str, game: &GameArgs) -> Result<Board> {
    undecided(read_board(text, game.rule, game.size)?, game.rule)
}

/// The position of a line of a file of openings: a FEN, moves, or offsets from the centre, in which nobody has won.
///
/// # Errors
/// When the line is none of these, or the game is over.
pub fn read_opening(line: &str, game: &GameArgs) -> Result<Board> {
    if line.contains('/') || line.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return read_position(line, game);
    }
    undecided(played(parse_offsets(line, game.size)?, game.rule, game.size)?, game.rule)
}

fn undecided(board: Board, rule: Rule) -> Result<Board> {
    let over = |color| board.stones(color).iter().any(|p| plain::makes_five(&board, rule.kind, color, p));
    ensure!(!Color::ALL.into_iter().any(over), "the game is over: there is a winning row");
    Ok(board)
}

/// The board of a FEN, or of moves on an empty board of `size`.
///
/// # Errors
/// When the text is neither.
pub fn read_board(text: &str, rule: Rule, size: Size) -> Result<Board> {
    if text.contains('/') {
        parse_fen(text).context("not a position")
    } else {
        played(parse_moves(text, size).context("not a position")?, rule, size)
    }
}

/// The board after moves on an empty one.
fn played(moves: Vec<Point>, rule: Rule, size: Size) -> Result<Board> {
    let mut position = Position::new(Board::new(size), rule);
    for (i, point) in moves.into_iter().enumerate() {
        match position.verdict(point) {
            Verdict::Plain | Verdict::Five => position.play(point),
            Verdict::Foul(foul) => bail!("move {} is a {foul}", i + 1),
            Verdict::Illegal => bail!("move {} is on no free point", i + 1),
        }
    }
    // As a position that was set up: no moves to take back.
    Ok(parse_fen(&format_fen(position.board()))?)
}

/// A flag that Ctrl-C sets from now on.
///
/// # Errors
/// When the system does not tell of it.
pub fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    ctrlc::set_handler(move || told.store(true, Ordering::Relaxed)).context("cannot watch for Ctrl-C")?;
    Ok(stop)
}
