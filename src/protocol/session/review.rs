//! `YXREVIEW`: the review of a game, move by move.

use std::time::Duration;

use super::task::{Channel, ReviewTask};
use crate::engine::Engine;
use crate::protocol::board_response::ReviewResponse;
use crate::protocol::response::Response;
use crate::review::{Effort, MoveReview, OpenReview, ReviewTerms};
use crate::think::Limits;

/// Nodes for each position if neither nodes nor the time of a move are limited.
const NODES: u64 = 100_000;

/// The last review, to be continued if it was stopped.
#[derive(Default)]
pub(super) struct LastReview(Option<OpenReview>);

impl LastReview {
    /// Drops the review: its values no longer hold.
    pub(super) fn forget(&mut self) {
        self.0 = None;
    }

    /// Reviews a game and reports each judged move. The engine's table and threads are freed for the review.
    pub(super) fn review(
        &mut self,
        engine: &mut Engine,
        task: &ReviewTask,
        limits: &Limits,
        channel: Channel,
    ) -> Response {
        engine.free();
        let options = engine.options();
        let memory = options.search_bytes();
        let at_once = usize::try_from(memory / OpenReview::THREAD_MEMORY).unwrap_or(usize::MAX);
        let threads = options.search_threads().min(at_once).max(1);
        let table_bytes = OpenReview::table_within(memory / threads as u64).min(options.table_bytes());
        let effort = effort(limits);
        let ReviewTask { game, part, is_part } = task;
        let is_same =
            |last: &OpenReview| last.game() == game && last.part() == part && last.terms().effort == effort;
        let mut open = self.0.take().filter(is_same).unwrap_or_else(|| {
            let terms = ReviewTerms { effort, networks: engine.networks().clone(), threads };
            OpenReview::of_part(game.clone(), part.clone(), terms, table_bytes)
        });
        open.set_means(threads, table_bytes);
        let report = |judged: &MoveReview| {
            (channel.respond)(Response::Review(Box::new(ReviewResponse::of_move(judged))));
        };
        let review = open.run(channel.control.stop_flag(), &report);
        let last = if *is_part {
            open.facts().map(|facts| ReviewResponse::Part(facts.to_string()))
        } else {
            review.map(ReviewResponse::of_game)
        };
        let last = last.unwrap_or(ReviewResponse::Stopped);
        self.0 = Some(open);
        Response::Review(Box::new(last))
    }
}

/// The effort for each position: the limit of a move.
fn effort(limits: &Limits) -> Effort {
    match (limits.max_nodes, limits.clock.and_then(|clock| clock.turn_ms)) {
        (Some(nodes), _) => Effort::Nodes(nodes),
        (None, Some(ms)) => Effort::Time(Duration::from_millis(ms)),
        (None, None) => Effort::Nodes(NODES),
    }
}
