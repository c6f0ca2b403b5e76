//! All ways in which a game can end.

use std::fmt;
use std::io;

use kakugo::board::Color;
use kakugo::game::{Outcome, Reason};

use crate::model::record::GameResult;

/// Why a game was not finished and has no record.
#[derive(Debug)]
pub enum Unfinished {
    /// The batch was stopped.
    Stopped,
    /// This program was halted, for example by Ctrl-Z; the game can be played again.
    Halted,
    /// The system refused a process or a thread; the game can be played later.
    Shortage(io::Error),
}

/// The ending of a game, or the reason why it has none.
pub(crate) type Ended = Result<Ending, Unfinished>;

/// Failure of an engine that loses the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No `OK` in answer to START; contains what happened instead.
    NoStart(String),
    /// The process was killed, failed or closed its output; contains the details.
    Crash(String),
    /// The process ended with status 0.
    Exit,
    /// The answer came too late.
    Time {
        /// Time used, in microseconds.
        used_us: u64,
        /// Time allowed, in microseconds.
        limit_us: u64,
    },
    /// No answer came until long after the limit.
    Hang {
        /// Time waited, in milliseconds.
        waited_ms: u64,
    },
    /// Its processes together used too much memory.
    Memory {
        /// Memory in use, in bytes.
        used: u64,
        /// Memory limit that was sent to the engine, in bytes.
        limit: u64,
    },
    /// The answer is not a move, or a line came unasked.
    Garbage(String),
    /// The engine does not support this opening procedure; contains the procedure and the engine's line.
    Unnegotiable(String),
    /// The move is off the board or on a stone, or the answer violates the opening procedure.
    Illegal(String),
}

/// Ending of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules of the game.
    Rules(Outcome),
    /// Gomocup's stone limit was reached: a draw.
    StoneLimit,
    /// The batch's move limit was reached: a draw.
    MoveLimit,
    /// Both engines reported a forced win for this side.
    AgreedWin(Color),
    /// Both engines reported values that decide the game for this side, for long enough.
    Resign(Color),
    /// Both engines reported even values for long enough: a draw.
    AgreedDraw,
    /// `by` lost through a failure that has nothing to do with the position.
    Fault {
        /// The side that lost.
        by: Color,
        /// Its failure.
        fault: Fault,
    },
}

impl Ending {
    /// The winner; `None` for a draw.
    pub fn winner(&self) -> Option<Color> {
        match *self {
            Ending::Rules(outcome) => outcome.winner,
            Ending::Fault { by, .. } => Some(!by),
            Ending::AgreedWin(winner) | Ending::Resign(winner) => Some(winner),
            Ending::StoneLimit | Ending::MoveLimit | Ending::AgreedDraw => None,
        }
    }

    /// The result for the record.
    pub fn outcome(&self) -> GameResult {
        match self.winner() {
            Some(Color::Black) => GameResult::Black,
            Some(Color::White) => GameResult::White,
            None => GameResult::Draw,
        }
    }

    /// The side whose last lines explain the ending: an engine that failed, as opposed to one that was
    /// beaten.
    pub fn to_blame(&self) -> Option<Color> {
        match *self {
            Ending::Rules(Outcome { winner: Some(winner), reason: Reason::Foul(_) }) => Some(!winner),
            Ending::Fault { by, .. } => Some(by),
            _ => None,
        }
    }

    /// Short name for tables and records.
    pub fn name(&self) -> &'static str {
        match self {
            Ending::Rules(outcome) => match outcome.reason {
                Reason::Five => "five",
                Reason::Captures => "captures",
                Reason::NoStones => "no-stones",
                Reason::NoMove => "no-move",
                Reason::Foul(_) => "foul",
                Reason::Full => "full-board",
                Reason::Passes => "passes",
            },
            Ending::StoneLimit => "stone-limit",
            Ending::MoveLimit => "move-limit",
            Ending::AgreedWin(_) => "agreed-win",
            Ending::Resign(_) => "resign",
            Ending::AgreedDraw => "agreed-draw",
            Ending::Fault { fault, .. } => match fault {
                Fault::NoStart(_) => "no-start",
                Fault::Crash(_) => "crash",
                Fault::Exit => "exit",
                Fault::Time { .. } => "time",
                Fault::Hang { .. } => "hang",
                Fault::Memory { .. } => "memory",
                Fault::Garbage(_) => "garbage",
                Fault::Unnegotiable(_) => "no-procedure",
                Fault::Illegal(_) => "illegal",
            },
        }
    }
}

/// The [names](Ending::name) of endings that are engine failures.
const FAILURES: [&str; 9] =
    ["no-start", "crash", "exit", "time", "hang", "memory", "garbage", "no-procedure", "illegal"];

/// Whether an ending with this [name](Ending::name) is an engine failure. A foul is a move like any other.
/// Names that other programs give to endings do not count.
pub fn is_failure(name: &str) -> bool {
    FAILURES.contains(&name)
}

/// Whether an ending with this [name](Ending::name) is an engine failure or a foul, as counted by
/// `--fail-on-trouble`.
pub fn is_trouble(name: &str) -> bool {
    is_failure(name) || name == "foul"
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ending::Rules(Outcome { reason: Reason::Full, .. }) => f.write_str("full board"),
            Ending::Rules(Outcome { winner: Some(winner), reason }) => match reason {
                Reason::Five => write!(f, "{winner} made a five"),
                Reason::Captures => write!(f, "{winner} has captured enough stones"),
                Reason::NoStones => write!(f, "{} has no stone left to place", !*winner),
                Reason::NoMove => write!(f, "{} has no move left", !*winner),
                Reason::Foul(foul) => write!(f, "{} made a foul: {foul}", !*winner),
                Reason::Full | Reason::Passes => write!(f, "{reason}"),
            },
            Ending::Rules(Outcome { winner: None, reason }) => write!(f, "{reason}"),
            Ending::StoneLimit => f.write_str("stone limit reached"),
            Ending::MoveLimit => f.write_str("move limit reached"),
            Ending::AgreedWin(winner) => write!(f, "both engines reported a forced win for {winner}"),
            Ending::Resign(winner) => {
                write!(f, "{} resigned: both engines reported values that decide the game", !*winner)
            }
            Ending::AgreedDraw => f.write_str("both engines reported even values"),
            Ending::Fault { by, fault } => write!(f, "{by} {fault}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ms = |us: u64| us as f64 / 1000.0;
        let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        match self {
            Fault::NoStart(what) => write!(f, "did not start: {what}"),
            Fault::Crash(how) => write!(f, "crashed: {how}"),
            Fault::Exit => f.write_str("left the game: the process ended with status 0"),
            Fault::Time { used_us, limit_us } => {
                write!(f, "lost on time: {:.3} ms used of {:.3}", ms(*used_us), ms(*limit_us))
            }
            Fault::Hang { waited_ms } => write!(f, "hung: no answer within {waited_ms} ms"),
            Fault::Memory { used, limit } => {
                write!(f, "used too much memory: {:.1} MiB of ", mib(*used))?;
                // Such a limit would be shown as 0.0.
                if *limit < 1 << 20 { write!(f, "{limit} bytes") } else { write!(f, "{:.1}", mib(*limit)) }
            }
            Fault::Garbage(line) => write!(f, "wrote garbage: {line}"),
            Fault::Unnegotiable(what) => write!(f, "does not support the opening procedure {what}"),
            Fault::Illegal(answer) => write!(f, "played an illegal move: {answer}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::game::Foul;

    #[test]
    fn a_small_limit_of_memory_is_shown_in_bytes() {
        let text = |limit: u64| Fault::Memory { used: 3 << 19, limit }.to_string();
        assert_eq!(text(60 << 20), "used too much memory: 1.5 MiB of 60.0");
        assert_eq!(text(1000), "used too much memory: 1.5 MiB of 1000 bytes");
    }

    #[test]
    fn trouble_is_what_somebody_is_to_blame_for() {
        let by = Color::White;
        let text = String::new;
        let faults = [
            Fault::NoStart(text()),
            Fault::Crash(text()),
            Fault::Exit,
            Fault::Time { used_us: 2, limit_us: 1 },
            Fault::Hang { waited_ms: 1 },
            Fault::Memory { used: 2, limit: 1 },
            Fault::Garbage(text()),
            Fault::Unnegotiable(text()),
            Fault::Illegal(text()),
        ];
        let reasons = [Reason::Five, Reason::Captures, Reason::NoStones, Reason::NoMove];
        let sound = reasons.map(|reason| Outcome::win(by, reason)).into_iter();
        let sound = sound.chain([Reason::Full, Reason::Passes].map(Outcome::draw)).map(Ending::Rules);
        let foul = Ending::Rules(Outcome::win(by, Reason::Foul(Foul::Overline)));
        let failures = faults.map(|fault| Ending::Fault { by, fault });
        for ending in sound
            .chain([Ending::StoneLimit, Ending::MoveLimit, Ending::AgreedDraw, Ending::AgreedWin(by), foul])
            .chain([Ending::Resign(by)])
            .chain(failures)
        {
            assert_eq!(ending.to_blame().is_some(), is_trouble(ending.name()), "{ending}");
            assert_eq!(matches!(ending, Ending::Fault { .. }), is_failure(ending.name()), "{ending}");
            assert!(ending.to_blame().is_none_or(|by| ending.winner() == Some(!by)), "{ending}");
        }
    }
}
