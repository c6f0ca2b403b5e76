//! The referee: one game from the opening to its ending.
//!
//! Engines are believed in nothing. Whether a move is legal, wins or is a foul, and whether the game is drawn, is
//! decided here with the library's rules alone. A game always ends in a [`GameRecord`]; no engine can make it panic.

use std::time::Duration;

use kakugo::board::{Board, ByColor, Color, Point, Size};
use kakugo::rules::{Position, Rule, Verdict};

use crate::ending::{Ending, Fault};
use crate::player::{Answer, Failure, Player};
use crate::process::Evidence;
use crate::schedule::Pairing;
use crate::settings::{Engine, EngineId, Settings};

/// Time that one move took.
#[derive(Clone, Copy, Debug)]
pub struct MoveTime {
    /// Time used.
    pub used: Duration,
    /// Time allowed, the margin not counted.
    pub limit: Duration,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Which game of the batch, and who played black.
    pub pairing: Pairing,
    /// Stones that were on the board before the engines moved.
    pub opening: Vec<Point>,
    /// All stones in order, the opening's first; the last one may be a foul.
    pub moves: Vec<Point>,
    /// Time of each move after the opening.
    pub times: Vec<MoveTime>,
    /// How it ended.
    pub ending: Ending,
    /// After trouble, the last lines of the engine that made it.
    pub evidence: Option<Evidence>,
}

impl GameRecord {
    /// The engine that played `color`.
    pub fn engine(&self, color: Color) -> EngineId {
        match color {
            Color::Black => self.pairing.black,
            Color::White => self.pairing.black.other(),
        }
    }
}

/// The position after `opening`, or the number of the stone (from 1) that no game can begin with and why.
///
/// # Errors
/// When a stone is taken or off the board, ends the game or is a foul.
pub fn set_up(size: Size, rule: Rule, opening: &[Point]) -> Result<Position, (usize, Verdict)> {
    let mut position = Position::new(Board::new(size), rule);
    for (index, &point) in opening.iter().enumerate() {
        let verdict = if size.contains(point) { position.verdict(point) } else { Verdict::Illegal };
        match verdict {
            Verdict::Plain => position.play(point),
            other => return Err((index + 1, other)),
        }
    }
    Ok(position)
}

/// Plays one game from `opening`, which [`set_up`] accepts; `engines` are indexed by [`EngineId`].
pub fn play(pairing: Pairing, opening: &[Point], engines: &[Engine; 2], settings: &Settings) -> GameRecord {
    let position =
        set_up(settings.size, settings.rule, opening).expect("openings are checked when they are read");
    let mut game = Game { settings, position, moves: opening.to_vec(), times: Vec::new() };
    let seats = ByColor([pairing.black, pairing.black.other()].map(|id| &engines[id as usize]));
    let (ending, evidence) = match sit_down(&seats, settings) {
        Ok(mut players) => {
            let ending = prepare(&mut players, &seats).err().unwrap_or_else(|| game.run(&mut players));
            let evidence = match ending {
                Ending::Foul(_) => Some(players[Color::Black].evidence()),
                Ending::Fault { by, .. } => Some(players[by].evidence()),
                _ => None,
            };
            players.0.iter_mut().for_each(Player::send_end);
            players.0.into_iter().for_each(Player::leave);
            (ending, evidence)
        }
        Err(absent) => (absent, None),
    };
    let Game { moves, times, .. } = game;
    GameRecord { pairing, opening: opening.to_vec(), moves, times, ending, evidence }
}

/// Starts both engines, so that they get ready at the same time.
fn sit_down<'a>(seats: &ByColor<&Engine>, settings: &'a Settings) -> Result<ByColor<Player<'a>>, Ending> {
    let start = |color: Color| {
        Player::start(seats[color], settings).map_err(|fault| Ending::Fault { by: color, fault })
    };
    Ok(ByColor([start(Color::Black)?, start(Color::White)?]))
}

/// Waits until both engines are ready.
fn prepare(players: &mut ByColor<Player>, seats: &ByColor<&Engine>) -> Result<(), Ending> {
    for color in Color::ALL {
        players[color].prepare(seats[color]).map_err(|failure| ending_of(color, failure))?;
    }
    Ok(())
}

fn ending_of(by: Color, failure: Failure) -> Ending {
    match failure {
        Failure::Fault(fault) => Ending::Fault { by, fault },
        Failure::Interrupted => Ending::Interrupted,
    }
}

/// A game in progress.
struct Game<'a> {
    settings: &'a Settings,
    position: Position,
    moves: Vec<Point>,
    times: Vec<MoveTime>,
}

impl Game<'_> {
    fn run(&mut self, players: &mut ByColor<Player>) -> Ending {
        loop {
            if let Some(draw) = self.draw() {
                return draw;
            }
            let us = self.position.board().side_to_move();
            let answer = match players[us].ask(us, &self.moves) {
                Ok(answer) => answer,
                Err(failure) => return ending_of(us, failure),
            };
            if let Some(ending) = self.judge(us, &answer) {
                return ending;
            }
        }
    }

    /// Plays the answer; the ending when there is one.
    fn judge(&mut self, us: Color, answer: &Answer) -> Option<Ending> {
        let point = self.settings.size.point(answer.x, answer.y);
        let verdict = point.map_or(Verdict::Illegal, |point| self.position.verdict(point));
        let (Some(point), true) = (point, verdict != Verdict::Illegal) else {
            let fault = Fault::Illegal(format!("{},{}", answer.x, answer.y));
            return Some(Ending::Fault { by: us, fault });
        };
        self.moves.push(point);
        self.times.push(MoveTime { used: answer.used, limit: answer.limit });
        self.position.play(point);
        match verdict {
            Verdict::Five => Some(Ending::Five { winner: us }),
            Verdict::Foul(foul) => Some(Ending::Foul(foul)),
            Verdict::Plain | Verdict::Illegal => None,
        }
    }

    fn draw(&self) -> Option<Ending> {
        let reached = |limit: Option<usize>| limit.is_some_and(|limit| self.moves.len() >= limit);
        if self.position.board().empty().is_empty() {
            Some(Ending::FullBoard)
        } else if reached(self.settings.stone_limit()) {
            Some(Ending::StoneLimit)
        } else if reached(self.settings.max_moves) {
            Some(Ending::MoveLimit)
        } else {
            None
        }
    }
}
