//! The review after the end of a game.

use std::fmt::Write as _;
use std::thread;
use std::time::Instant;

use anyhow::Result;

use super::{Note, Purpose, Session, Work};
use crate::board::{ByColor, Color, Point};
use crate::cli::review::in_words;
use crate::drawing::Look;
use crate::game::Turn;
use crate::review::{Effort, GameMoves, GameReview, ReviewTerms, side_and_points};
use crate::rules::Rule;
use crate::terminal::output;

/// Nodes of the first search for each move: about 0.1 s.
const NODES: u64 = 50_000;

impl Session {
    /// Starts the review.
    pub(super) fn review(&mut self, now: Instant) -> Result<()> {
        let Some(game) = self.moves() else {
            self.say("this game cannot be reviewed: it has no moves or a pass, or does not belong to the Gomocup family");
            return Ok(());
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let terms = ReviewTerms { effort: Effort::Nodes(NODES), networks: self.networks.clone(), threads };
        self.begin(Work::Review { game: Box::new(game), terms }, Purpose::Review, now)
    }

    /// The moves of a game that can be reviewed.
    pub(super) fn moves(&self) -> Option<GameMoves> {
        let rule = Rule::from(self.terms.rule()?);
        let game = match self.contest.since_start() {
            Some((start, turns)) => GameMoves::from_board(start.clone(), rule, points_of(&turns)?),
            None => {
                let (first, points) = side_and_points(&self.contest.turns())?;
                GameMoves::begun_by(first, rule, self.terms.size, points)
            }
        };
        game.ok().filter(|game| !game.points().is_empty())
    }

    /// Shows a review.
    pub(super) fn show_review(&mut self, review: Option<GameReview>) {
        // Only a cancelled review has no result, and nobody waits for it.
        let Some((review, moves)) = review.zip(self.moves()) else { return };
        let name = |color: Color| Some(if color == self.human { "You" } else { "Kakugo" }.to_owned());
        let players = ByColor([name(Color::Black), name(Color::White)]);
        // The review counts neither the stones of a start position nor the pass before white's first move.
        let before = self.contest.turn_count() - moves.points().len();
        let lost_from = review.lost_from.map(|(ply, _)| before + ply);
        // The terminal may have changed its size.
        let columns = self.look.columns.and_then(|before| output::columns().or(Some(before)));
        let look = Look { columns, ..self.look };
        let mut text = in_words(moves, &review, players, self.contest.outcome(), look);
        if let Some(number) = lost_from.filter(|&number| self.refusal_of_back(number).is_none()) {
            let _ = writeln!(text, "Type back {number} to return to the position before the losing move.\n");
        }
        self.notes.push(Note::Text(text));
    }
}

/// The points of the turns, unless one is a pass.
fn points_of(turns: &[Turn]) -> Option<Vec<Point>> {
    turns.iter().map(|turn| turn.map(|mv| mv.point)).collect()
}
