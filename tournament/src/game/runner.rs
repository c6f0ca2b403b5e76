//! Plays one game from its opening to its record: engines answer, the referee decides.
//!
//! Nothing that an engine claims is trusted, and no engine can make a game panic. Only a stopped batch, a halt of
//! this program and a system without free resources leave a game without a record.

use std::collections::HashMap;
use std::time::{SystemTime, UNIX_EPOCH};

use kakugo::board::{ByColor, Color, Point};

use crate::game::adjudication::Adjudicator;
use crate::game::procedure::walk::walk;
use crate::game::referee::Referee;
use crate::model::ending::{Ended, Ending, Fault, Unfinished};
use crate::model::procedure::ProcedureName;
use crate::model::record::{Evidence, GameRecord, Late, MoveRecord, ProcedureRecord, Side};
use crate::model::settings::Adjudication;
use crate::model::settings::{EngineId, EngineSettings, SearchLimits, Settings};
use crate::player::{Failure, MoveAnswer, Player, dismiss_all};
use crate::process::{Host, Process};
use crate::schedule::Pairing;

/// Plays one game at a time.
#[derive(Debug)]
pub struct GameRunner<'a> {
    engines: &'a [EngineSettings],
    /// Each engine's answer to ABOUT.
    abouts: &'a [String],
    host: &'a Host,
    /// Processes that wait for another game, with the settings of their last one.
    idle: HashMap<EngineId, (Process, &'a Settings)>,
}

/// The ending of a game, with the memory use of both sides and the evidence of a failure.
struct Finish {
    ending: Ending,
    /// Peak memory of each side, in bytes, if the system reports it.
    peaks: ByColor<Option<u64>>,
    evidence: Option<Evidence>,
}

impl<'a> GameRunner<'a> {
    /// Creates a runner for games between `engines`; `abouts` has the same indices ([`EngineId`]).
    pub fn new(engines: &'a [EngineSettings], abouts: &'a [String], host: &'a Host) -> GameRunner<'a> {
        GameRunner { engines, abouts, host, idle: HashMap::new() }
    }

    /// Plays one game of a league from `opening`, which was checked when it was loaded.
    ///
    /// # Errors
    /// Returns the reason if the game cannot be finished.
    pub fn play(
        &mut self,
        pairing: Pairing,
        settings: &'a Settings,
        opening: &[Point],
    ) -> Result<GameRecord, Unfinished> {
        let began = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let referee = Referee::new(settings, opening);
        // A game may end before its negotiation.
        let procedure = settings.procedure.map(unanswered);
        let mut game = RunningGame { referee, opening: opening.to_vec(), procedure, played: Vec::new() };
        let mut engine_ids = ByColor([pairing.black, pairing.white]);
        let finish = match self.start_players(&engine_ids, settings) {
            Ok(mut players) => {
                let ended = prepare(&mut players).unwrap_or_else(|| {
                    game.negotiate_and_run(settings, pairing.game, &mut players, &mut engine_ids)
                });
                let ending = ended.as_ref().ok();
                let peaks = ByColor(players.0.each_ref().map(Player::peak_memory));
                let evidence = ending.and_then(|ending| evidence(ending, &players));
                self.release_players(players, &engine_ids, settings, ending);
                Finish { ending: ended?, peaks, evidence }
            }
            Err(absent) => Finish { ending: absent?, peaks: ByColor::default(), evidence: None },
        };
        let record = self.record(pairing, &engine_ids, settings, game, finish);
        Ok(GameRecord { began, ..record })
    }

    /// Starts setting up both engines, so that they get ready at the same time. Idle processes of other
    /// engines end.
    fn start_players(
        &mut self,
        engine_ids: &ByColor<EngineId>,
        settings: &'a Settings,
    ) -> Result<ByColor<Player<'a>>, Ended> {
        let mut start = |color: Color| {
            let id = engine_ids[color];
            let used = self.idle.remove(&id);
            let player = Player::start(&self.engines[id.0], settings, self.host, used);
            player.map_err(|failure| ended(color, failure))
        };
        let [black, white] = [start(Color::Black), start(Color::White)];
        dismiss_all(self.idle.drain().map(|(_, (process, _))| process));
        Ok(ByColor([black?, white?]))
    }

    /// Ends the game for both engines. A process is kept for another game if the settings allow it, it was
    /// ready for this one, and it did not fail.
    fn release_players(
        &mut self,
        players: ByColor<Player<'a>>,
        engine_ids: &ByColor<EngineId>,
        settings: &'a Settings,
        ending: Option<&Ending>,
    ) {
        let mut leaving = Vec::new();
        for (player, color) in players.0.into_iter().zip(Color::ALL) {
            let is_sound = player.is_ready() && ending.is_some_and(|ending| ending.to_blame() != Some(color));
            if self.engines[engine_ids[color].0].reuse && is_sound {
                self.idle.insert(engine_ids[color], (player.into_process(), settings));
            } else {
                leaving.push(player);
            }
        }
        leaving.iter_mut().for_each(Player::send_end);
        leaving.into_iter().for_each(Player::leave);
    }

    /// The record of a game, completed with its beginning.
    fn record(
        &self,
        pairing: Pairing,
        engine_ids: &ByColor<EngineId>,
        settings: &Settings,
        game: RunningGame,
        finish: Finish,
    ) -> GameRecord {
        let Finish { ending, peaks, evidence } = finish;
        let side = |id: EngineId, peak_memory| Side {
            name: self.engines[id.0].name.clone(),
            about: self.abouts[id.0].clone(),
            peak_memory,
        };
        let limits = engine_ids.0.map(|id| self.engines[id.0].limits_text());
        GameRecord {
            game: pairing.game,
            pair: pairing.pair,
            seed: settings.seed,
            began: 0,
            league: settings.league.clone(),
            event: Default::default(),
            rule: settings.game.to_string(),
            size: settings.game.size().to_string(),
            limits: SearchLimits::of_both(limits),
            black: side(engine_ids[Color::Black], peaks[Color::Black]),
            white: side(engine_ids[Color::White], peaks[Color::White]),
            opening: settings.game.format_opening(&game.opening),
            procedure: game.procedure,
            moves: game.referee.moves_text(),
            variations: Vec::new(),
            comment: String::new(),
            comments: Default::default(),
            played: game.played,
            result: ending.outcome(),
            ending: ending.name().to_owned(),
            detail: ending.to_string(),
            evidence,
        }
    }
}

impl Drop for GameRunner<'_> {
    fn drop(&mut self) {
        dismiss_all(self.idle.drain().map(|(_, (process, _))| process));
    }
}

/// A negotiation before its first answer.
fn unanswered(name: ProcedureName) -> ProcedureRecord {
    ProcedureRecord { name: name.to_string(), first: Color::Black.to_string(), answers: Vec::new() }
}

/// After a failure, the last lines of the engine responsible.
fn evidence(ending: &Ending, players: &ByColor<Player>) -> Option<Evidence> {
    let evidence = players[ending.to_blame()?].evidence();
    let late = match *ending {
        Ending::Fault { fault: Fault::Time { used_us, limit_us }, .. } => {
            Some(Late { ms: used_us as f64 / 1000.0, limit_ms: limit_us as f64 / 1000.0 })
        }
        _ => None,
    };
    Some(Evidence { late, ..evidence })
}

/// Waits until both engines are ready; otherwise returns how the game ended.
fn prepare(players: &mut ByColor<Player>) -> Option<Ended> {
    let mut failed = |color: Color| players[color].prepare().err().map(|failure| ended(color, failure));
    failed(Color::Black).or_else(|| failed(Color::White))
}

fn ended(by: Color, failure: Failure) -> Ended {
    match failure {
        Failure::Fault(fault) => Ok(Ending::Fault { by, fault }),
        Failure::Stopped => Err(Unfinished::Stopped),
        Failure::Halted => Err(Unfinished::Halted),
        Failure::Shortage(error) => Err(Unfinished::Shortage(error)),
    }
}

/// A game in progress.
struct RunningGame<'a> {
    referee: Referee<'a>,
    /// The opening stones.
    opening: Vec<Point>,
    /// The negotiation of these stones, if they are negotiated.
    procedure: Option<ProcedureRecord>,
    played: Vec<MoveRecord>,
}

impl<'a> RunningGame<'a> {
    /// Plays to the end, from an opening that the players negotiate if a procedure is set. Players and
    /// engines are then ordered by their final colours.
    fn negotiate_and_run(
        &mut self,
        settings: &'a Settings,
        number: usize,
        players: &mut ByColor<Player>,
        engine_ids: &mut ByColor<EngineId>,
    ) -> Ended {
        let Some(name) = settings.procedure else { return self.run(players, None, settings.adjudication) };
        let walk = walk(name, settings, number, players, engine_ids);
        self.referee = Referee::new(settings, &walk.stones);
        self.opening = walk.stones;
        self.procedure = Some(walk.record);
        match walk.ended {
            Some(ended) => ended,
            None => self.run(players, walk.first_move, settings.adjudication),
        }
    }

    /// Plays to the end; a first move may already be known.
    fn run(
        &mut self,
        players: &mut ByColor<Player>,
        mut first: Option<MoveAnswer>,
        adjudication: Adjudication,
    ) -> Ended {
        let mut adjudicator = Adjudicator::new(adjudication);
        let mut agreed = None;
        loop {
            if let Some(ending) = self.referee.ending().or(agreed) {
                return Ok(ending);
            }
            let us = self.referee.side_to_move();
            let asked = first.take().map_or_else(|| players[us].ask(us, self.referee.moves()), Ok);
            let answer = match asked {
                Ok(answer) => answer,
                Err(failure) => return ended(us, failure),
            };
            if let Err(fault) = self.referee.judge(answer.x, answer.y, answer.choice) {
                return Ok(Ending::Fault { by: us, fault });
            }
            agreed = adjudicator.note(us, answer.info.value, self.referee.moves().len());
            self.played.push(answer.info.into_record(answer.used));
        }
    }
}
