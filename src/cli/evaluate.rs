//! `evaluate POSITION`: value, chances and policy of the network, without a search.

use std::fmt::Write as _;
use std::sync::Arc;

use anyhow::{Result, ensure};
use clap::Args;

use super::position_args::PositionArgs;
use super::weights::WeightsArgs;
use crate::board::notation::format_point;
use crate::board::{Board, Point};
use crate::drawing::{Drawing, Look, Mark, Tone};
use crate::eval::{Chances, Evaluator};
use crate::rules::{Position, Rule};
use crate::search::Situation;
use crate::terminal::output;
use crate::think::score;

/// Arguments of `evaluate`.
#[derive(Debug, Args)]
pub struct EvaluateArgs {
    #[command(flatten)]
    at: PositionArgs,
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Prints one line of JSON, with every candidate
    #[arg(long)]
    json: bool,
    /// Draws with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// Number of moves that are drawn on the board and listed: one digit each.
const SHOWN: usize = 9;

/// Prints value, chances and policy.
///
/// # Errors
/// Returns an error if the position is invalid or full, the game is over, a weights file cannot be loaded, or
/// the output cannot be written.
pub fn run(args: &EvaluateArgs) -> Result<()> {
    let networks = args.weights.networks()?;
    let (board, rule) = args.at.read()?;
    ensure!(!board.empty().is_empty(), "the board is full");
    let mut position = Position::new(board, rule);
    let evaluator = Evaluator::with_network(&position, Arc::clone(networks.of(rule.kind)));
    let evaluation = Evaluation::of(&mut position, evaluator);
    Ok(if args.json {
        output::print_json(evaluation.json(position.board(), rule))
    } else {
        output::print_styled(&evaluation.text(position.board(), rule, Look::of_stdout(args.ascii)))
    }?)
}

/// The evaluation of a position for the side to move.
struct Evaluation {
    value: score::Value,
    chances: Chances,
    /// The probability of each legal move that the search considers, best first.
    policy: Vec<(Point, f32)>,
    situation: Situation,
}

impl Evaluation {
    fn of(position: &mut Position, mut evaluator: Evaluator) -> Evaluation {
        let value = evaluator.value(position);
        let chances = evaluator.chances(position);
        let candidates = evaluator.candidates(position);
        let allowed = candidates.iter().filter(|&point| position.is_allowed(point)).collect();
        let mut policy = evaluator.policy(position, allowed);
        policy.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        Evaluation { value, chances, policy, situation: Situation::find(position) }
    }

    /// One line of JSON.
    fn json(&self, board: &Board, rule: Rule) -> String {
        let Chances { win, draw, loss } = self.chances;
        let policy: Vec<serde_json::Value> = self
            .policy
            .iter()
            .map(|&(point, chance)| {
                serde_json::json!({ "move": format_point(point, board.size()), "chance": chance })
            })
            .collect();
        let to_move = board.side_to_move().to_string();
        let line = serde_json::json!({
            "rule": rule.to_string(), "to_move": to_move, "value": self.value, "win": win, "draw": draw, "loss": loss,
            "policy": policy,
        });
        format!("{line}\n")
    }

    /// The board with the numbered best moves, the value and the chances, the policy.
    fn text(&self, board: &Board, rule: Rule, look: Look) -> String {
        let shown = &self.policy[..self.policy.len().min(SHOWN)];
        let mark = |(glyph, &(point, _))| Mark { point, glyph, tone: Tone::Good };
        let marks: Vec<Mark> = ('1'..).zip(shown).map(mark).collect();
        let mut text = Drawing::new(board, look).with_marks(&marks).to_string();
        let Chances { win, draw, loss } = self.chances;
        let percent = |chance: f32| format!("{:.1} %", 100.0 * chance);
        let title = format!("{rule}, {} to move: value {}", board.side_to_move(), score::format(self.value));
        let _ = writeln!(text, "\n{}", look.strong(&title));
        let _ = writeln!(text, "  win {}   draw {}   loss {}", percent(win), percent(draw), percent(loss));
        for (number, &(point, chance)) in (1..).zip(shown) {
            let name = format_point(point, board.size());
            let _ = writeln!(text, "  {number} {name:<4}{:>7}", percent(chance));
        }
        if let Some(forced) = self.forced() {
            let _ = writeln!(text, "{forced}: the search does not evaluate this position");
        }
        text
    }

    /// The result or the replies forced by threats on the board, as text.
    fn forced(&self) -> Option<&'static str> {
        match self.situation {
            Situation::Wins => Some("The side to move wins immediately"),
            Situation::WinsByFour => Some("The side to move wins by a four that cannot be stopped"),
            Situation::MustBlock(set) if set.is_empty() => Some("The other side's row cannot be stopped"),
            Situation::MustBlock(_) => Some("A row must be stopped"),
            Situation::MustDefend(set) if set.is_empty() => Some("The other side's four cannot be prevented"),
            Situation::MustDefend(_) | Situation::Free => None,
        }
    }
}
