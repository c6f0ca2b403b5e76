//! Executes the tasks that commands ask for: connects the parts of the session for a search or long work.

use super::Session;
use super::analysis::Analysis;
use super::opening;
use super::refusal::CommandRefusal;
use super::solve::solve;
use super::task::{Channel, Form, Purpose, Respond, SearchTask};
use super::work::{StopMeter, Work};
use crate::board::{Bitboard, Board, Point};
use crate::database::{KnownMove, QueryAnswer};
use crate::game::Move;
use crate::protocol::command::Upkeep;
use crate::protocol::database_response::DatabaseResponse;
use crate::protocol::response::Response;
use crate::protocol::search_control::SearchControl;
use crate::search::{KnownPositions, RootOptions};
use crate::think::Limits;
use crate::think::score::Value;

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
        let (channel, limits) = (Channel { control, respond }, &task.limits);
        if let Purpose::Work(work) = &task.purpose {
            return self.do_work(work, channel);
        }
        if self.database.take_outdated() {
            self.game.engine_mut().forget();
        }
        let answer = match &task.purpose {
            Purpose::Move => self.choose_move(limits, channel),
            // A player who keeps or takes white moves immediately.
            Purpose::Decide(form) => {
                self.make_decision(*form, limits, channel).or_else(|| self.choose_move(limits, channel))
            }
            Purpose::Balance { count, bias } => Some(self.balance(*count, *bias, limits, channel)),
            Purpose::Analyze(_) => Some(self.informed_analysis(limits, channel).best_move()),
            Purpose::Defend => {
                let defended = self.informed_analysis(limits, channel).defend();
                Some(defended.unwrap_or_else(|| self.informed_analysis(limits, channel).best_move()))
            }
            Purpose::Solve(attacker) => Some(solve(self.game.engine_mut(), *attacker, limits, channel)),
            Purpose::Review(task) => Some(self.review.review(self.game.engine_mut(), task, limits, channel)),
            Purpose::JudgeDraw => Some(self.informed_analysis(limits, channel).judge_draw()),
            Purpose::Ponder => {
                self.analysis(limits, channel).ponder();
                None
            }
            Purpose::Work(_) => None,
        };
        if matches!(task.purpose, Purpose::Move | Purpose::Decide(_)) {
            self.settings.spend(limits.started.elapsed());
        }
        self.report_shortages(respond);
        answer
    }

    /// Does long work; sends all lines of the answer except the last and returns it.
    fn do_work(&mut self, work: &Work, channel: Channel) -> Option<Response> {
        if let Work::Keep(Upkeep::Check | Upkeep::Fix) | Work::Ask(..) = work {
            // The table makes room before the work allocates memory.
            self.database.reserve();
            self.settle_database();
        }
        let meter = &mut StopMeter(channel.control);
        let answers = match work {
            Work::File(file_use, path) => vec![self.carry_file(*file_use, path, channel.control)],
            Work::Keep(upkeep) => vec![self.database.keep(*upkeep, meter)],
            Work::Ask(request, points) => self.database.answer(request, points, self.game.scene(), meter),
        };
        self.settle_database();
        channel.send_but_last(answers)
    }

    /// Reports what the system has refused; the search has continued with less.
    fn report_shortages(&mut self, respond: Respond) {
        self.complaints.release_start();
        for shortage in self.game.take_shortages() {
            self.complaints.add(shortage.to_string());
        }
        self.report().into_iter().for_each(respond);
    }

    fn choose_move(&mut self, limits: &Limits, channel: Channel) -> Option<Response> {
        let mut options = self.steering.options(self.game.board());
        let allowed = self.game.allowed_points();
        // A move is due even if the board has excluded all.
        if (allowed - options.root_exclusions()).is_empty() {
            options.excluded = Bitboard::EMPTY;
            options.blocked_lines.retain(|line| line.len() > 1);
        }
        let mut at_root = self.known_at_root();
        let advice = self.database.advice(&at_root, self.game.board(), self.settings.seed(), &options);
        // A five ends the game, so no other move is better, whatever the database knows.
        let fives = self.game.fives(&options);
        at_root.moves.retain(|found| !fives.contains(found.point));
        let playable = |&best: &Point| fives.is_empty() && self.game.may_play(best, &options);
        let known = advice.best.into_iter().find(playable);
        let best = match known {
            Some(best) => {
                let played = DatabaseResponse::Played(best, self.point_names());
                (channel.respond)(Response::Database(played));
                Some(Move::from(best))
            }
            None => {
                // If all remaining moves lose, the search finds the least bad.
                exclude(&mut options, advice.excluded - fives, allowed);
                options.known = self.near_root(at_root.moves, &options, limits);
                if options.known.is_empty() {
                    // The search does not know that they lose.
                    exclude(&mut options, advice.lost - fives, allowed);
                }
                let player = self.settings.player();
                self.analysis(limits, channel).with_options(options).search(Some(player)).best
            }
        };
        // From here on the draft is settled: either the loop has taken it, or it is ours.
        if let Some(best) = best {
            channel.control.set_draft(best.point);
        }
        let is_ours = channel.control.take_draft().is_some();
        // The loop only knows points: if there are several captures, its answer means the first one.
        let played = if is_ours { best } else { channel.control.taken().map(Move::from) };
        let Some(played) = played else { return Some(Response::error(CommandRefusal::Full)) };
        self.game.played_mut().play_found(played);
        is_ours.then(|| Response::of_move(played))
    }

    /// Our decision in an opening; `None` if the answer is a move that is still to be found.
    fn make_decision(&mut self, form: Form, limits: &Limits, channel: Channel) -> Option<Response> {
        let book = self.database.book();
        self.settle_database();
        self.opening.decide(form, &mut self.game, self.settings.player(), book.as_ref(), limits, channel)
    }

    /// Moves that balance the position, with the exclusions of the boards and the values of the database, if it is
    /// used.
    fn balance(&mut self, count: usize, bias: Value, limits: &Limits, channel: Channel) -> Response {
        let book = self.database.book();
        self.settle_database();
        let steering = &self.steering;
        let root = self.game.board().clone();
        let lines = steering.options(&root);
        let excluded = |board: &Board| {
            // Excluded lines begin at the root, so after the first stone their rest counts.
            let first: Vec<Point> = (board.occupied() - root.occupied()).iter().collect();
            steering.options(board).excluded | lines.completing(&first)
        };
        let engine = self.game.engine_mut();
        opening::balance(engine, count, bias, book.as_ref(), &excluded, limits, channel)
    }

    /// A search of the position with the options of the boards and the values of the database, if it is used.
    fn informed_analysis<'a>(&'a mut self, limits: &Limits, channel: Channel<'a>) -> Analysis<'a> {
        let at_root = self.known_at_root();
        let mut options = self.steering.options(self.game.board());
        options.known = self.near_root(at_root.moves, &options, limits);
        self.analysis(limits, channel).with_options(options)
    }

    /// A search of the position with the options of the boards.
    fn analysis<'a>(&'a mut self, limits: &Limits, channel: Channel<'a>) -> Analysis<'a> {
        Analysis {
            names: self.point_names(),
            detail: self.settings.detail(),
            options: self.steering.options(self.game.board()),
            limits: *limits,
            game: &mut self.game,
            channel,
        }
    }

    /// Everything that the database knows about the position on the board, if it is used.
    fn known_at_root(&mut self) -> QueryAnswer {
        if self.game.variant().is_some() {
            return QueryAnswer::default();
        }
        let known = self.database.known_at_root(self.game.board(), self.game.rule());
        self.settle_database();
        known
    }

    /// Values from the database for the search of the position on the board.
    fn near_root(&mut self, moves: Vec<KnownMove>, options: &RootOptions, limits: &Limits) -> KnownPositions {
        let known = self.database.near_root(moves, self.game.board(), self.game.rule(), options, limits);
        self.settle_database();
        known
    }

    /// After the database was used: reports an error within a move, and shares the memory out if the database
    /// needs more or less than before.
    pub(super) fn settle_database(&mut self) {
        self.game.reserve(self.database.needed_bytes());
        self.database.take_error().into_iter().for_each(|text| self.complaints.add(text));
    }
}

/// Excludes points from a search, unless it would have no move left of these `allowed` points.
fn exclude(options: &mut RootOptions, points: Bitboard, allowed: Bitboard) {
    if !(allowed - (options.root_exclusions() | points)).is_empty() {
        options.excluded |= points;
    }
}
