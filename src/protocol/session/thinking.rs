//! Searches that a line asks for, and the lines that are said meanwhile.

use super::Session;
use super::live::LiveReporter;
use super::played::SearchRequest;
use super::refusal::CommandRefusal;
use super::task::{Purpose, Say, SearchTask};
use super::variant::Variant;
use crate::board::Point;
use crate::game::Move;
use crate::game_engine::{GameEngine, SearchResult};
use crate::levels::LevelPlayer;
use crate::protocol::response::{RealtimeMark, Response};
use crate::protocol::search_control::SearchControl;
use crate::search::{Limits, RootOptions, Silent, score};
use crate::threat::DefenseVerdict;

/// Nodes by which an offer of a draw is judged.
const DRAW_NODES: u64 = 100_000;
/// Defences that are searched and told with their lines, at most.
const MOST_DEFENSES: usize = 10;

impl Session {
    /// Carries out a task: searches until the limits or the search control end it, plays the move unless it was for
    /// analysis, and returns the answer, or `None` if the driver has answered already. Meanwhile `say` gets a line per
    /// iteration, or one for each of the best moves.
    pub fn think(&mut self, task: &SearchTask, control: &SearchControl, say: Say) -> Option<Response> {
        if task.is_work() {
            return self.do_work(control, say);
        }
        self.forget_old_values();
        let answer = match task.purpose {
            Purpose::Move => self.choose_move(&task.limits, control, say),
            // Who stays with white, or takes it, moves at once.
            Purpose::Opening(form) => {
                let decided = self.decide(form, &task.limits, control, say);
                decided.or_else(|| self.choose_move(&task.limits, control, say))
            }
            Purpose::Balance { count, bias } => Some(self.balance(count, bias, &task.limits, control, say)),
            Purpose::Analysis => Some(self.analyze(&task.limits, control, say)),
            Purpose::Defend => Some(self.defend(&task.limits, control, say)),
            Purpose::DrawOffer => Some(self.judge_draw(&task.limits, control)),
            Purpose::Ponder => {
                self.ponder(control);
                None
            }
            Purpose::Work => None,
        };
        if matches!(task.purpose, Purpose::Move | Purpose::Opening(_)) {
            self.settings.spend(task.limits.started.elapsed());
        }
        self.tell_shortages(say);
        answer
    }

    /// Says what the system has refused: the search has gone on with less.
    fn tell_shortages(&mut self, say: Say) {
        let of_variant = self.variant.as_mut().map(Variant::take_shortages).unwrap_or_default();
        let shortages = self.engine.take_shortages().into_iter().chain(of_variant);
        let at_start = std::mem::take(&mut self.startup_shortages);
        let texts = at_start.into_iter().chain(shortages.map(|shortage| shortage.to_string()));
        texts.for_each(|text| self.settings.complain(text));
        self.settings.complaint().into_iter().for_each(say);
    }

    fn choose_move(&mut self, limits: &Limits, control: &SearchControl, say: Say) -> Option<Response> {
        let at_root = self.known_at_root();
        let advice = self.advice(&at_root);
        let mut options = self.root_options();
        let known = advice.best.into_iter().find(|&best| self.may_play(best, &options));
        let best = match known {
            Some(best) => {
                say(Response::Message(format!("{} from the database", self.point_names().moves(&[best]))));
                Some(Move::from(best))
            }
            None => {
                let excluded = options.excluded | advice.excluded;
                // Where all that is left loses, the least evil is to be found.
                if !(*self.engine.position().board().empty() - excluded).is_empty() {
                    options.excluded = excluded;
                }
                options.known = self.near_root(at_root.moves, &options, limits);
                self.search_with(Some(self.settings.player()), limits, &options, control, say).best
            }
        };
        // From here on the loop finds the draft settled: either it has taken it, or it is ours.
        if let Some(best) = best {
            control.set_draft(best.point);
        }
        let is_ours = control.take_draft().is_some();
        // The loop knows points only: its answer means the first of the captures.
        let played = if is_ours { best } else { control.taken().map(Move::from) };
        let Some(played) = played else { return Some(Response::error(CommandRefusal::Full)) };
        self.played_mut().play_found(played);
        is_ours.then(|| Response::of_move(played))
    }

    /// Whether the side to move can play a point, and the board lets it.
    fn may_play(&mut self, point: Point, options: &RootOptions) -> bool {
        self.engine.position().board().is_empty(point)
            && !options.excluded.contains(point)
            && self.engine.position_mut().is_allowed(point)
    }

    fn analyze(&mut self, limits: &Limits, control: &SearchControl, say: Say) -> Response {
        let at_root = self.known_at_root();
        let mut options = self.root_options();
        options.known = self.near_root(at_root.moves, &options, limits);
        let best = self.search_with(None, limits, &options, control, say).best;
        best.map_or_else(|| Response::error(CommandRefusal::Full), Response::of_move)
    }

    fn search_with(
        &mut self,
        player: Option<LevelPlayer>,
        limits: &Limits,
        options: &RootOptions,
        control: &SearchControl,
        say: Say,
    ) -> SearchResult {
        let odds = self.engine.network().points;
        let reporter = LiveReporter::new(self.point_names(), self.settings.detail(), odds, control, say);
        let stop = control.stop_flag();
        let request = SearchRequest { player, limits, options, stop, reporter: &reporter };
        let found = self.played_mut().think(&request);
        reporter.finish();
        found
    }

    /// Moves that the board leaves out, and how it wants the root to be searched.
    fn root_options(&mut self) -> RootOptions {
        let board = self.engine.position().board().clone();
        self.settings.steering().options(&board)
    }

    /// `YXSEARCHDEFEND`: judges every move by the solver, then searches those that hold and tells each with its line.
    fn defend(&mut self, limits: &Limits, control: &SearchControl, say: Say) -> Response {
        let (names, detail) = (self.point_names(), self.settings.detail());
        let halved = limits.clock.map(|clock| clock.divided(2));
        let mut options = self.root_options();
        let tell = |point: Point, verdict: &DefenseVerdict| match verdict {
            DefenseVerdict::Refuted(line) => {
                if detail.realtime {
                    say(Response::realtime(RealtimeMark::Lost(point)));
                }
                let (name, line) = (names.moves(&[point]), names.moves(line));
                say(Response::Message(format!("defence {name} loses: {line}")));
            }
            DefenseVerdict::Holds => {
                say(Response::Message(format!("defence {} holds", names.moves(&[point]))));
            }
            DefenseVerdict::Open => {}
        };
        let solver_limits = Limits { clock: halved, ..*limits };
        match self.engine.defenses(&solver_limits, control.stop_flag(), tell) {
            Some(defenses) => {
                say(Response::Message(format!("the opponent threatens {}", names.moves(&defenses.threat))));
                let holding = defenses.moves.iter().filter(|defense| !defense.verdict.is_refuted());
                let count = holding.count();
                if count > 0 {
                    let refuted = defenses.moves.iter().filter(|defense| defense.verdict.is_refuted());
                    options.excluded |= refuted.map(|defense| defense.point).collect();
                }
                let limits = Limits { multi_pv: count.clamp(1, MOST_DEFENSES), ..*limits };
                let best = self.search_with(None, &limits, &options, control, say).best;
                best.map_or_else(|| Response::error(CommandRefusal::Full), Response::of_move)
            }
            None => {
                say(Response::Message("the opponent threatens nothing that has to be answered".to_owned()));
                self.analyze(limits, control, say)
            }
        }
    }

    /// `YXDRAW`: whether we agree, as the position stands for us when the opponent, to move, offers it.
    fn judge_draw(&mut self, limits: &Limits, control: &SearchControl) -> Response {
        let limits = Limits { max_nodes: Some(DRAW_NODES), ..*limits };
        let value = self.search_silently(&limits, control).last.value;
        Response::Message(format!("DRAW {}", if value >= score::DRAW { "YES" } else { "NO" }))
    }

    /// Searches the position on the opponent's time: the table remembers what was found.
    fn ponder(&mut self, control: &SearchControl) {
        self.search_silently(&Limits::infinite(), control);
    }

    fn search_silently(&mut self, limits: &Limits, control: &SearchControl) -> SearchResult {
        let (options, stop) = (self.root_options(), control.stop_flag());
        let request = SearchRequest { player: None, limits, options: &options, stop, reporter: &Silent };
        self.played_mut().think(&request)
    }
}
