//! Searches of the position on the board, and the lines that they send.

use super::game::CurrentGame;
use super::live::LiveReporter;
use super::played::SearchRequest;
use super::refusal::CommandRefusal;
use super::task::Channel;
use crate::board::Point;
use crate::engine::levels::LevelPlayer;
use crate::protocol::command::Detail;
use crate::protocol::point_names::PointNames;
use crate::protocol::response::{RealtimeMark, Response};
use crate::search::RootOptions;
use crate::think::{Limits, Reporter, SearchResult, Silent, score};
use crate::threat::{DefenseVerdict, Defenses};

/// Number of nodes for the decision on an offered draw.
const DRAW_NODES: u64 = 100_000;
/// Maximum number of defences that are searched and reported with their lines.
const MOST_DEFENSES: usize = 10;

/// A search of the position on the board; plays nothing.
pub(super) struct Analysis<'a> {
    pub(super) game: &'a mut CurrentGame,
    /// Options of the root.
    pub(super) options: RootOptions,
    pub(super) limits: Limits,
    /// Names of points in the lines.
    pub(super) names: PointNames,
    /// The lines to send.
    pub(super) detail: Detail,
    pub(super) channel: Channel<'a>,
}

impl Analysis<'_> {
    /// Replaces the options of the root.
    pub(super) fn with_options(self, options: RootOptions) -> Self {
        Analysis { options, ..self }
    }

    /// The best move of a search that sends lines.
    pub(super) fn best_move(&mut self) -> Response {
        let best = self.search(None).best;
        let is_limited = !self.options.root_exclusions().is_empty();
        let refusal = if is_limited { CommandRefusal::AllExcluded } else { CommandRefusal::Full };
        best.map_or_else(|| Response::error(refusal), Response::of_move)
    }

    /// Searches and sends lines; searches at full strength if no player is given.
    pub(super) fn search(&mut self, player: Option<LevelPlayer>) -> SearchResult {
        let Channel { control, respond } = self.channel;
        let reporter =
            LiveReporter::new(self.names, self.detail, self.game.points_per_unit(), control, respond);
        let found = self.search_with(player, &reporter);
        reporter.finish();
        found
    }

    fn search_with(&mut self, player: Option<LevelPlayer>, reporter: &dyn Reporter) -> SearchResult {
        let stop = self.channel.control.stop_flag();
        let request = SearchRequest { player, limits: &self.limits, options: &self.options, stop, reporter };
        self.game.played_mut().think(&request)
    }

    /// `YXSEARCHDEFEND`: the solver examines every move, then the moves that hold or are unknown are searched and
    /// reported with their lines. `None` if the opponent threatens nothing.
    pub(super) fn defend(mut self) -> Option<Response> {
        let Some(defenses) = self.defenses() else {
            self.message("the opponent has no threat that must be answered".to_owned());
            return None;
        };
        // The solver does not report moves that complete a row.
        let position = self.game.engine().position();
        let us = position.board().side_to_move();
        let points = defenses.moves.iter().map(|defense| defense.point);
        for point in points.filter(|&point| position.is_five(us, point)) {
            self.message(format!("defence {} holds", self.names.moves(&[point])));
        }
        self.message(format!("the opponent threatens {}", self.names.moves(&defenses.threat)));
        let excluded = self.options.root_exclusions();
        let (refuted, open): (Vec<_>, Vec<_>) =
            defenses.moves.iter().partition(|defense| defense.verdict.is_refuted());
        // If the board excludes every move that holds, the best of the others is searched.
        let holding = open.iter().filter(|defense| !excluded.contains(defense.point)).count();
        if holding > 0 {
            self.options.excluded |= refuted.iter().map(|defense| defense.point).collect();
        }
        self.limits.multi_pv = holding.clamp(1, MOST_DEFENSES);
        Some(self.best_move())
    }

    /// The defences that the solver finds in half of the time.
    fn defenses(&mut self) -> Option<Defenses> {
        let (names, detail, respond) = (self.names, self.detail, self.channel.respond);
        let report = |point: Point, verdict: &DefenseVerdict| {
            let what = match verdict {
                DefenseVerdict::Refuted(line) => {
                    if detail.realtime {
                        respond(Response::realtime(RealtimeMark::Lost(point)));
                    }
                    format!("loses: {}", names.moves(line))
                }
                DefenseVerdict::Holds => "holds".to_owned(),
                DefenseVerdict::Open => "unknown".to_owned(),
            };
            respond(Response::Message(format!("defence {} {what}", names.moves(&[point]))));
        };
        let halved = self.limits.clock.map(|clock| clock.divided(2));
        let limits = Limits { clock: halved, ..self.limits };
        self.game.engine_mut().defenses(&limits, self.channel.control.stop_flag(), report)
    }

    fn message(&self, text: String) {
        (self.channel.respond)(Response::Message(text));
    }

    /// `YXDRAW`: whether we agree to the draw that the opponent, to move, offers, judged by the value of the
    /// position for us.
    pub(super) fn judge_draw(mut self) -> Response {
        self.limits.max_nodes = Some(self.limits.max_nodes.unwrap_or(u64::MAX).min(DRAW_NODES));
        let value = self.search_with(None, &Silent).last.value;
        Response::Message(format!("DRAW {}", if value >= score::DRAW { "YES" } else { "NO" }))
    }

    /// Searches the position on the opponent's time; the results stay in the table.
    pub(super) fn ponder(mut self) {
        self.search_with(None, &Silent);
    }
}
