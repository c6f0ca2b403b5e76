//! Every way in which a game can end.

use std::fmt;
use std::io;

use kakugo::board::Color;
use kakugo::game::{Outcome, Reason};

use crate::files::record::GameResult;

/// Why a game has no end, and no record.
#[derive(Debug)]
pub enum Unfinished {
    /// The batch is stopped.
    Stopped,
    /// This machine refuses a process or a thread: it can be played later.
    Shortage(io::Error),
}

/// Ending of a game, or the reason why it has none.
pub(super) type Ended = Result<Ending, Unfinished>;

/// Failure of an engine, by which it loses the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No `OK` came to START; says what came instead.
    NoStart(String),
    /// The process was killed, failed, or closed its output; says how.
    Crash(String),
    /// The process ended as if its work were done.
    Exit,
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
    /// It held more memory than it may, all its processes taken together.
    Memory {
        /// Memory that it held, in bytes.
        held: u64,
        /// Memory limit that it was told, in bytes.
        told: u64,
    },
    /// The answer is no move, or a line came that nobody asked for.
    Garbage(String),
    /// It does not know how to negotiate the opening; says which, and its line.
    Unnegotiable(String),
    /// The move is off the board or on a stone, or the answer is against the opening procedure.
    Illegal(String),
}

/// Ending of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules of the game.
    Rules(Outcome),
    /// Gomocup's limit of stones is reached: a draw.
    StoneLimit,
    /// The batch's limit of moves is reached: a draw.
    MoveLimit,
    /// Both engines reported that this side wins by force.
    AgreedWin(Color),
    /// Both engines reported even values long enough: a draw.
    AgreedDraw,
    /// `by` lost by a fault that has nothing to do with the board.
    Fault {
        /// The side that lost.
        by: Color,
        /// Its failure.
        fault: Fault,
    },
}

impl Ending {
    /// The side that won; `None` for a draw.
    pub fn winner(&self) -> Option<Color> {
        match *self {
            Ending::Rules(outcome) => outcome.winner,
            Ending::Fault { by, .. } => Some(!by),
            Ending::AgreedWin(winner) => Some(winner),
            Ending::StoneLimit | Ending::MoveLimit | Ending::AgreedDraw => None,
        }
    }

    /// The result on the score sheet.
    pub fn outcome(&self) -> GameResult {
        match self.winner() {
            Some(Color::Black) => GameResult::Black,
            Some(Color::White) => GameResult::White,
            None => GameResult::Draw,
        }
    }

    /// The side whose last lines tell why the game ended: an engine that failed, rather than lost.
    pub fn to_blame(&self) -> Option<Color> {
        match *self {
            Ending::Rules(Outcome { winner: Some(winner), reason: Reason::Foul(_) }) => Some(!winner),
            Ending::Fault { by, .. } => Some(by),
            _ => None,
        }
    }

    /// One word (or two) for tables and records.
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

/// The [names](Ending::name) of endings that are an engine's failure.
const TROUBLE: [&str; 10] =
    ["foul", "no-start", "crash", "exit", "time", "hang", "memory", "garbage", "no-procedure", "illegal"];

/// Whether an ending of this [name](Ending::name) is an engine's failure: what `--fail-on-trouble` looks for. Names
/// that other programs give to endings are none.
pub fn is_trouble(name: &str) -> bool {
    TROUBLE.contains(&name)
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
            Ending::StoneLimit => f.write_str("limit of stones reached"),
            Ending::MoveLimit => f.write_str("limit of moves reached"),
            Ending::AgreedWin(winner) => write!(f, "both engines reported a forced win of {winner}"),
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
            Fault::Exit => f.write_str("left the game: its process ended with status 0"),
            Fault::Time { used_us, limit_us } => {
                write!(f, "lost on time: {:.3} ms used of {:.3}", ms(*used_us), ms(*limit_us))
            }
            Fault::Hang { waited_ms } => write!(f, "hung: no answer in {waited_ms} ms"),
            Fault::Memory { held, told } => {
                write!(f, "held too much memory: {:.1} MiB of {:.1}", mib(*held), mib(*told))
            }
            Fault::Garbage(line) => write!(f, "wrote garbage: {line}"),
            Fault::Unnegotiable(what) => write!(f, "does not know the opening procedure {what}"),
            Fault::Illegal(answer) => write!(f, "played an illegal move: {answer}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::game::Foul;

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
            Fault::Memory { held: 2, told: 1 },
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
            .chain(failures)
        {
            assert_eq!(ending.to_blame().is_some(), is_trouble(ending.name()), "{ending}");
            assert!(ending.to_blame().is_none_or(|by| ending.winner() == Some(!by)), "{ending}");
        }
    }
}
