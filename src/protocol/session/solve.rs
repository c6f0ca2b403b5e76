//! `YXSOLVE`: a win by fours or threats, with its proof.

use std::collections::HashMap;

use super::task::Channel;
use crate::board::Color;
use crate::engine::Engine;
use crate::protocol::board_response::ProofResponse;
use crate::protocol::response::Response;
use crate::think::Limits;
use crate::threat::{Proof, SolverResult};

/// Maximum number of steps that are sent: no user clicks through more.
const MOST_STEPS: usize = 20_000;

/// Looks for a win of `attacker`, sends the steps of its proof and returns the result.
pub(super) fn solve(engine: &mut Engine, attacker: Color, limits: &Limits, channel: Channel) -> Response {
    let (result, proof) = engine.solve(attacker, limits, channel.control.stop_flag());
    let SolverResult::Win { first, moves } = result else {
        let is_known = result == SolverResult::None;
        return proof_line(if is_known { ProofResponse::NoWin } else { ProofResponse::Unknown });
    };
    let order = proof.as_ref().map(from_the_root).unwrap_or_default();
    if let Some(reason) = refusal_to_send(order.len()) {
        (channel.respond)(Response::Message(reason));
    }
    let Some(proof) = proof else { return proof_line(ProofResponse::Win { moves, line: vec![first] }) };
    if order.len() <= MOST_STEPS {
        let numbers: HashMap<usize, usize> = order.iter().enumerate().map(|(new, &old)| (old, new)).collect();
        for (number, &index) in order.iter().enumerate() {
            let step = &proof.steps[index];
            (channel.respond)(proof_line(ProofResponse::Step {
                number,
                attack: step.attack,
                moves: step.moves,
                replies: step.replies.iter().map(|(reply, next)| (*reply, numbers[next])).collect(),
                otherwise: step.otherwise.iter().map(|next| numbers[next]).collect(),
            }));
        }
    }
    proof_line(ProofResponse::Win { moves: proof.moves(), line: proof.main_line() })
}

/// Why a proof of `steps` steps is not sent; `None` if it is sent. `steps` is 0 if the proof could not be completed.
fn refusal_to_send(steps: usize) -> Option<String> {
    match steps {
        0 => Some("the proof is incomplete and is not sent".to_owned()),
        1..=MOST_STEPS => None,
        _ => Some(format!("the proof has {steps} steps and is not sent")),
    }
}

fn proof_line(line: ProofResponse) -> Response {
    Response::Proof(Box::new(line))
}

/// The steps that the first one leads to, each once, near ones first.
fn from_the_root(proof: &Proof) -> Vec<usize> {
    let mut is_met = vec![false; proof.steps.len()];
    is_met[proof.root] = true;
    let mut order = vec![proof.root];
    let mut at = 0;
    while let Some(&index) = order.get(at) {
        let step = &proof.steps[index];
        for next in step.replies.iter().map(|&(_, next)| next).chain(step.otherwise.iter().copied()) {
            if !std::mem::replace(&mut is_met[next], true) {
                order.push(next);
            }
        }
        at += 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;

    use super::*;
    use crate::board::notation::parse_fen;
    use crate::engine::Options;
    use crate::protocol::search_control::SearchControl;

    #[test]
    fn a_win_without_a_complete_proof_is_reported() {
        let mut engine = Engine::new(Options { hash_bytes: Some(1 << 20), ..Options::default() });
        let three = "O14/15/15/15/15/15/15/7XXX5/15/15/15/15/15/15/O13O";
        engine.set_board(parse_fen(three).unwrap());
        let control = SearchControl::default();
        let mut solved = || {
            let sent = Mutex::new(Vec::new());
            let respond = |response: Response| sent.lock().push(response.to_string());
            let channel = Channel { control: &control, respond: &respond };
            let answer = solve(&mut engine, Color::Black, &Limits::infinite(), channel).to_string();
            (sent.into_inner(), answer)
        };
        let (steps, answer) = solved();
        assert!(steps[0].starts_with("PROOF 0 ") && answer.starts_with("SOLVE WIN 2 "), "{steps:?} {answer}");
        // The solver knows the win, and the proof is stopped at once.
        control.stop();
        let (sent, answer) = solved();
        assert_eq!(sent, ["MESSAGE the proof is incomplete and is not sent"]);
        assert!(answer.starts_with("SOLVE WIN 2 "), "{answer}");
    }

    #[test]
    fn a_proof_that_is_not_sent_is_reported() {
        assert_eq!(refusal_to_send(1), None);
        assert_eq!(refusal_to_send(20_000), None);
        let long = refusal_to_send(20_001);
        assert_eq!(long.as_deref(), Some("the proof has 20001 steps and is not sent"));
        assert_eq!(refusal_to_send(0).as_deref(), Some("the proof is incomplete and is not sent"));
    }
}
