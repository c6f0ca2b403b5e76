//! The procedure of one game.

use std::time::Duration;

use kakugo::board::notation::format_point;
use kakugo::board::{ByColor, Color, Point};
use kakugo::rules::procedure::{Answer, Negotiation, Person};

use super::language::{self, ProcedureLine};
use crate::model::ending::{Ended, Unfinished};
use crate::model::ending::{Ending, Fault};
use crate::model::procedure::ProcedureName;
use crate::model::record::{AnswerRecord, ProcedureRecord};
use crate::model::settings::{EngineId, Settings};
use crate::player::{self, Failure, Player};

/// Result of a procedure.
#[derive(Debug)]
pub struct Walk {
    /// The stones in order, black's first.
    pub stones: Vec<Point>,
    /// The answers for the record.
    pub record: ProcedureRecord,
    /// White's next move, if it came with the last answer.
    pub first_move: Option<player::MoveAnswer>,
    /// The ending, if the game ended during the procedure.
    pub ended: Option<Ended>,
}

/// Distance between seeds, so that batches with neighbouring seeds offer different openings.
const SEED_STEP: u64 = 1_000_003;

/// Leads two players, black's first, through the procedure. When colours change, players and engines swap
/// places.
pub fn walk(
    name: ProcedureName,
    settings: &Settings,
    game: usize,
    players: &mut ByColor<Player>,
    engine_ids: &mut ByColor<EngineId>,
) -> Walk {
    let negotiation =
        Negotiation::new(name.0, settings.game.size()).expect("the batch has checked procedure and board");
    let seed = settings.seed.wrapping_mul(SEED_STEP).wrapping_add(game as u64);
    let mut runner = NegotiationRunner { negotiation, answers: Vec::new(), records: Vec::new(), seed };
    let mut first_move = None;
    let mut ended = None;
    while ended.is_none() && runner.negotiation.decision().is_some() {
        match runner.step(players) {
            Ok((answer, mv)) => {
                first_move = mv;
                if answer == Answer::Swap {
                    players.0.swap(0, 1);
                    engine_ids.0.swap(0, 1);
                }
            }
            Err(end) => ended = Some(end),
        }
    }
    let NegotiationRunner { negotiation, records, .. } = runner;
    let first = negotiation.color(Person::First).to_string();
    let record = ProcedureRecord { name: name.to_string(), first, answers: records };
    Walk { stones: negotiation.stones().to_vec(), record, first_move, ended }
}

/// A negotiation in progress.
struct NegotiationRunner {
    negotiation: Negotiation,
    answers: Vec<Answer>,
    records: Vec<AnswerRecord>,
    seed: u64,
}

impl NegotiationRunner {
    /// Asks for one decision and applies the answer; returns the ending if there is no legal answer.
    fn step(&mut self, players: &mut ByColor<Player>) -> Result<(Answer, Option<player::MoveAnswer>), Ended> {
        let who = self.negotiation.decider();
        let us: Color = self.negotiation.color(who);
        let fault = |fault| Ok(Ending::Fault { by: us, fault });
        let by = if who == Person::First { "first" } else { "second" };
        let mut command = language::command(&self.negotiation, &self.answers);
        if self.records.iter().all(|record| record.by != by) {
            command = format!("INFO seed {}\n{command}", self.seed);
        }
        let negotiation = &self.negotiation;
        let asked = players[us].ask_to_decide(&command, |line| language::read(negotiation, line));
        let (line, used, info) = match asked {
            Ok(answered) => answered,
            Err(Failure::Fault(reason)) => return Err(fault(reason)),
            Err(Failure::Halted) => return Err(Err(Unfinished::Halted)),
            // The process has already started, so it needs no further resources.
            Err(Failure::Stopped | Failure::Shortage(_)) => return Err(Err(Unfinished::Stopped)),
        };
        let (answer, mv) = match line {
            ProcedureLine::Answer(answer, mv) => (answer, mv),
            ProcedureLine::Unknown(line) => {
                let reason = format!("{}: '{line}'", self.negotiation.procedure());
                return Err(fault(Fault::Unnegotiable(reason)));
            }
        };
        let size = self.negotiation.size();
        if let Err(refusal) = self.negotiation.answer(&answer) {
            return Err(fault(Fault::Illegal(format!("'{answer}': {refusal}"))));
        }
        self.records.push(AnswerRecord {
            by: by.to_owned(),
            answer: answer.describe(&|point| format_point(point, size)),
            thought: info.into_record(if mv.is_some() { Duration::ZERO } else { used }),
        });
        self.answers.push(answer.clone());
        let mv = mv.map(|(x, y)| player::MoveAnswer { x, y, choice: None, used, info });
        Ok((answer, mv))
    }
}
