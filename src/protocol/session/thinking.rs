//! Searches requested by a line, and the lines that they send.

use super::Session;
use super::live::LiveReporter;
use super::played::SearchRequest;
use super::refusal::CommandRefusal;
use super::task::{Purpose, Respond, SearchTask};
use super::variant::Variant;
use crate::board::Point;
use crate::engine::levels::LevelPlayer;
use crate::game::Move;
use crate::protocol::database_response::DatabaseResponse;
use crate::protocol::response::{RealtimeMark, Response};
use crate::protocol::search_control::SearchControl;
use crate::rules::Verdict;
use crate::search::RootOptions;
use crate::think::{GameEngine, Limits, SearchResult, Silent, score};
use crate::threat::DefenseVerdict;

/// Number of nodes for the decision on an offered draw.
const DRAW_NODES: u64 = 100_000;
/// Maximum number of defences that are searched and reported with their lines.
const MOST_DEFENSES: usize = 10;

impl Session {
    /// Executes a task: searches until the limits or the search control end it, plays the move unless it was
    /// an analysis, and returns the answer, or `None` if the driver has already answered. Meanwhile `respond`
    /// gets a line per iteration, or a line for each of the best moves.
    pub fn think(
        &mut self,
        task: &SearchTask,
        control: &SearchControl,
        respond: Respond,
    ) -> Option<Response> {
        if let Purpose::Work(work) = &task.purpose {
            return self.do_work(work, control, respond);
        }
        self.forget_old_values();
        let answer = match task.purpose {
            Purpose::Move => self.choose_move(&task.limits, control, respond),
            // A player who keeps or takes white moves immediately.
            Purpose::Decide(form) => {
                let decided = self.decide(form, &task.limits, control, respond);
                decided.or_else(|| self.choose_move(&task.limits, control, respond))
            }
            Purpose::Balance { count, bias } => {
                Some(self.balance(count, bias, &task.limits, control, respond))
            }
            Purpose::Analyze(_) => Some(self.analyze(&task.limits, control, respond)),
            Purpose::Defend => Some(self.defend(&task.limits, control, respond)),
            Purpose::JudgeDraw => Some(self.judge_draw(&task.limits, control)),
            Purpose::Ponder => {
                self.ponder(control);
                None
            }
            Purpose::Work(_) => None,
        };
        if matches!(task.purpose, Purpose::Move | Purpose::Decide(_)) {
            self.settings.spend(task.limits.started.elapsed());
        }
        self.report_shortages(respond);
        answer
    }

    /// Reports what the system has refused; the search has continued with less.
    fn report_shortages(&mut self, respond: Respond) {
        let of_variant = self.variant.as_mut().map(Variant::take_shortages).unwrap_or_default();
        let shortages = self.engine.take_shortages().into_iter().chain(of_variant);
        let at_start = std::mem::take(&mut self.startup_shortages);
        let texts = at_start.into_iter().chain(shortages.map(|shortage| shortage.to_string()));
        texts.for_each(|text| self.settings.complain(text));
        self.settings.complaint().into_iter().for_each(respond);
    }

    fn choose_move(
        &mut self,
        limits: &Limits,
        control: &SearchControl,
        respond: Respond,
    ) -> Option<Response> {
        let at_root = self.known_at_root();
        let advice = self.advice(&at_root);
        let mut options = self.root_options();
        let known = advice.best.into_iter().find(|&best| self.may_play(best, &options));
        let best = match known {
            Some(best) => {
                respond(Response::Database(DatabaseResponse::Played(best, self.point_names())));
                Some(Move::from(best))
            }
            None => {
                let excluded = options.excluded | advice.excluded;
                // If all remaining moves lose, the search finds the least bad one.
                if !(*self.engine.position().board().empty() - excluded).is_empty() {
                    options.excluded = excluded;
                }
                options.known = self.near_root(at_root.moves, &options, limits);
                self.search_with(Some(self.settings.player()), limits, &options, control, respond).best
            }
        };
        // From here on the draft is settled: either the loop has taken it, or it is ours.
        if let Some(best) = best {
            control.set_draft(best.point);
        }
        let is_ours = control.take_draft().is_some();
        // The loop only knows points: its answer means the first of several captures.
        let played = if is_ours { best } else { control.taken().map(Move::from) };
        let Some(played) = played else { return Some(Response::error(CommandRefusal::Full)) };
        self.played_mut().play_found(played);
        is_ours.then(|| Response::of_move(played))
    }

    /// Whether the side to move can play on a point and the board allows it.
    fn may_play(&mut self, point: Point, options: &RootOptions) -> bool {
        !options.excluded.contains(point)
            && !matches!(self.engine.verdict(point), Verdict::Illegal | Verdict::Foul(_))
    }

    fn analyze(&mut self, limits: &Limits, control: &SearchControl, respond: Respond) -> Response {
        let at_root = self.known_at_root();
        let mut options = self.root_options();
        options.known = self.near_root(at_root.moves, &options, limits);
        let best = self.search_with(None, limits, &options, control, respond).best;
        best.map_or_else(|| Response::error(CommandRefusal::Full), Response::of_move)
    }

    fn search_with(
        &mut self,
        player: Option<LevelPlayer>,
        limits: &Limits,
        options: &RootOptions,
        control: &SearchControl,
        respond: Respond,
    ) -> SearchResult {
        let odds = self.engine.network().points;
        let reporter = LiveReporter::new(self.point_names(), self.settings.detail(), odds, control, respond);
        let stop = control.stop_flag();
        let request = SearchRequest { player, limits, options, stop, reporter: &reporter };
        let found = self.played_mut().think(&request);
        reporter.finish();
        found
    }

    /// The moves that the board excludes, and the other options of the root.
    fn root_options(&mut self) -> RootOptions {
        let board = self.engine.position().board().clone();
        self.settings.steering().options(&board)
    }

    /// `YXSEARCHDEFEND`: the solver examines every move, then the moves that hold are searched and reported
    /// with their lines.
    fn defend(&mut self, limits: &Limits, control: &SearchControl, respond: Respond) -> Response {
        let (names, detail) = (self.point_names(), self.settings.detail());
        let halved = limits.clock.map(|clock| clock.divided(2));
        let mut options = self.root_options();
        let report = |point: Point, verdict: &DefenseVerdict| match verdict {
            DefenseVerdict::Refuted(line) => {
                if detail.realtime {
                    respond(Response::realtime(RealtimeMark::Lost(point)));
                }
                let (name, line) = (names.moves(&[point]), names.moves(line));
                respond(Response::Message(format!("defence {name} loses: {line}")));
            }
            DefenseVerdict::Holds => {
                respond(Response::Message(format!("defence {} holds", names.moves(&[point]))));
            }
            DefenseVerdict::Open => {}
        };
        let solver_limits = Limits { clock: halved, ..*limits };
        match self.engine.defenses(&solver_limits, control.stop_flag(), report) {
            Some(defenses) => {
                respond(Response::Message(format!(
                    "the opponent threatens {}",
                    names.moves(&defenses.threat)
                )));
                let holding = defenses.moves.iter().filter(|defense| !defense.verdict.is_refuted());
                let count = holding.count();
                if count > 0 {
                    let refuted = defenses.moves.iter().filter(|defense| defense.verdict.is_refuted());
                    options.excluded |= refuted.map(|defense| defense.point).collect();
                }
                let limits = Limits { multi_pv: count.clamp(1, MOST_DEFENSES), ..*limits };
                let best = self.search_with(None, &limits, &options, control, respond).best;
                best.map_or_else(|| Response::error(CommandRefusal::Full), Response::of_move)
            }
            None => {
                respond(Response::Message("the opponent has no threat that must be answered".to_owned()));
                self.analyze(limits, control, respond)
            }
        }
    }

    /// `YXDRAW`: whether we agree to the draw that the opponent, to move, offers, judged by the value of the
    /// position for us.
    fn judge_draw(&mut self, limits: &Limits, control: &SearchControl) -> Response {
        let limits = Limits { max_nodes: Some(DRAW_NODES), ..*limits };
        let value = self.search_silently(&limits, control).last.value;
        Response::Message(format!("DRAW {}", if value >= score::DRAW { "YES" } else { "NO" }))
    }

    /// Searches the position on the opponent's time; the results stay in the table.
    fn ponder(&mut self, control: &SearchControl) {
        self.search_silently(&Limits::infinite(), control);
    }

    fn search_silently(&mut self, limits: &Limits, control: &SearchControl) -> SearchResult {
        let (options, stop) = (self.root_options(), control.stop_flag());
        let request = SearchRequest { player: None, limits, options: &options, stop, reporter: &Silent };
        self.played_mut().think(&request)
    }
}
