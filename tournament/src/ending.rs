//! Every way in which a game can end.

use std::fmt;

use kakugo::board::Color;
use kakugo::rules::Foul;

/// What an engine did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No `OK` came to START; says what came instead.
    NoStart(String),
    /// The process ended or closed its output; says how.
    Crash(String),
    /// The answer came too late.
    Time {
        /// Time used, in microseconds.
        used_us: u64,
        /// Time allowed, in microseconds.
        limit_us: u64,
    },
    /// No answer came even long after the limit.
    Hang {
        /// Time waited, in milliseconds.
        waited_ms: u64,
    },
    /// The answer is no move, or a line came that nobody asked for.
    Garbage(String),
    /// The move is off the board or on a stone.
    Illegal(String),
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// `winner` made a winning row.
    Five {
        /// The side that made it.
        winner: Color,
    },
    /// Black played a forbidden move.
    Foul(Foul),
    /// No empty point is left: a draw.
    FullBoard,
    /// Gomocup's limit of stones is reached: a draw.
    StoneLimit,
    /// `--max-moves` is reached: a draw.
    MoveLimit,
    /// `by` lost by a fault that has nothing to do with the board.
    Fault {
        /// The side that lost.
        by: Color,
        /// What it did.
        fault: Fault,
    },
    /// The user stopped the batch; the game does not count.
    Interrupted,
}

impl Ending {
    /// The side that won; `None` for a draw or an interrupted game.
    pub fn winner(&self) -> Option<Color> {
        match *self {
            Ending::Five { winner } => Some(winner),
            Ending::Foul(_) => Some(Color::White),
            Ending::Fault { by, .. } => Some(!by),
            Ending::FullBoard | Ending::StoneLimit | Ending::MoveLimit | Ending::Interrupted => None,
        }
    }

    /// The score as it is written on a score sheet, black's first.
    pub fn result(&self) -> &'static str {
        match self.winner() {
            Some(Color::Black) => "1-0",
            Some(Color::White) => "0-1",
            None if *self == Ending::Interrupted => "*",
            None => "1/2-1/2",
        }
    }

    /// One word (or two) for tables and logs.
    pub fn name(&self) -> &'static str {
        match self {
            Ending::Five { .. } => "five",
            Ending::Foul(_) => "foul",
            Ending::FullBoard => "full-board",
            Ending::StoneLimit => "stone-limit",
            Ending::MoveLimit => "move-limit",
            Ending::Interrupted => "interrupted",
            Ending::Fault { fault, .. } => match fault {
                Fault::NoStart(_) => "no-start",
                Fault::Crash(_) => "crash",
                Fault::Time { .. } => "time",
                Fault::Hang { .. } => "hang",
                Fault::Garbage(_) => "garbage",
                Fault::Illegal(_) => "illegal",
            },
        }
    }

    /// Whether an engine failed, rather than lost a game: what `--fail-on-trouble` looks for.
    pub fn is_trouble(&self) -> bool {
        matches!(self, Ending::Foul(_) | Ending::Fault { .. })
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ending::Five { winner } => write!(f, "{winner} made a five"),
            Ending::Foul(foul) => write!(f, "black made a foul: {foul}"),
            Ending::FullBoard => f.write_str("full board"),
            Ending::StoneLimit => f.write_str("limit of stones reached"),
            Ending::MoveLimit => f.write_str("limit of moves reached"),
            Ending::Interrupted => f.write_str("interrupted"),
            Ending::Fault { by, fault } => write!(f, "{by} {fault}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ms = |us: u64| us as f64 / 1000.0;
        match self {
            Fault::NoStart(what) => write!(f, "did not start: {what}"),
            Fault::Crash(how) => write!(f, "crashed: {how}"),
            Fault::Time { used_us, limit_us } => {
                write!(f, "lost on time: {:.3} ms used of {:.3}", ms(*used_us), ms(*limit_us))
            }
            Fault::Hang { waited_ms } => write!(f, "hung: no answer in {waited_ms} ms"),
            Fault::Garbage(line) => write!(f, "wrote garbage: {line}"),
            Fault::Illegal(answer) => write!(f, "played an illegal move: {answer}"),
        }
    }
}
