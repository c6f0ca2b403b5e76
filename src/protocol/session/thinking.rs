//! Searches that a line asks for, and the lines that are said meanwhile.

use super::refusal::CommandRefusal;
use super::variant::Variant;
use super::{Purpose, SearchTask, Session};
use crate::board::Point;
use crate::game::Move;
use crate::game_engine::{GameEngine, SearchResult};
use crate::levels::LevelPlayer;
use crate::protocol::response::{PointNames, Response};
use crate::protocol::search_control::SearchControl;
use crate::search::{Iteration, Limits, Reporter};

/// Takes the lines that are said while a search runs.
pub(super) type Say<'a> = &'a (dyn Fn(Response) + Sync);

impl Session {
    /// Carries out a task: searches until the limits or the search control end it, plays the move unless it was for
    /// analysis, and returns the answer, or `None` if the driver has answered already. Meanwhile `say` gets a line per
    /// iteration, or one for each of the best moves.
    pub fn think(&mut self, task: &SearchTask, control: &SearchControl, say: Say) -> Option<Response> {
        let answer = match task.purpose {
            Purpose::Move => self.choose_move(&task.limits, control, say),
            // Who stays with white, or takes it, moves at once.
            Purpose::Opening(form) => {
                let decided = self.decide(form, &task.limits, control, say);
                decided.or_else(|| self.choose_move(&task.limits, control, say))
            }
            Purpose::Balance { count, bias } => Some(self.balance(count, bias, &task.limits, control, say)),
            Purpose::Analysis => Some(self.analyze(&task.limits, control, say)),
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
        let found = self.search(Some(self.settings.player()), limits, control, say);
        // From here on the loop finds the draft settled: either it has taken it, or it is ours.
        if let Some(best) = found.best {
            control.set_draft(best.point);
        }
        let is_ours = control.take_draft().is_some();
        // The loop knows points only: its answer means the first of the captures.
        let played = if is_ours { found.best } else { control.taken().map(Move::from) };
        let Some(played) = played else { return Some(Response::error(CommandRefusal::Full)) };
        self.played_mut().play_found(played);
        is_ours.then(|| Response::of_move(played))
    }

    fn analyze(&mut self, limits: &Limits, control: &SearchControl, say: Say) -> Response {
        let best = self.search(None, limits, control, say).best;
        best.map_or_else(|| Response::error(CommandRefusal::Full), Response::of_move)
    }

    fn search(
        &mut self,
        player: Option<LevelPlayer>,
        limits: &Limits,
        control: &SearchControl,
        say: Say,
    ) -> SearchResult {
        let reporter = self.reporter(control, say);
        self.played_mut().think(player, limits, control.stop_flag(), &reporter)
    }

    fn reporter<'a>(&self, control: &'a SearchControl, say: Say<'a>) -> ProtocolReporter<'a> {
        ProtocolReporter { names: self.point_names(), detail: self.settings.show_detail(), control, say }
    }
}

/// Turns what the search reports into lines.
struct ProtocolReporter<'a> {
    names: PointNames,
    detail: bool,
    control: &'a SearchControl,
    say: Say<'a>,
}

impl Reporter for ProtocolReporter<'_> {
    fn iteration(&self, iteration: &Iteration) {
        if let Some(&best) = iteration.pv.first() {
            self.control.set_draft(best);
        }
        (self.say)(Response::iteration(iteration, self.names));
        if let (true, Some(&best)) = (self.detail, iteration.pv.first()) {
            (self.say)(Response::realtime_best(best));
        }
    }

    fn lines(&self, lines: &[Iteration]) {
        if let Some(&best) = lines[0].pv.first() {
            self.control.set_draft(best);
        }
        for (index, line) in lines.iter().enumerate() {
            (self.say)(Response::line(index + 1, line, self.names));
        }
        if let (true, Some(&best)) = (self.detail, lines[0].pv.first()) {
            (self.say)(Response::realtime_best(best));
        }
    }

    fn fallback(&self, point: Point) {
        self.control.set_draft(point);
    }
}
