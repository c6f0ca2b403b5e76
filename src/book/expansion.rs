//! Searches of a position and of the moves from it.
//!
//! Every search begins with an empty table, on one thread, in the orientation of the key, so its result
//! depends only on the position and the plan, and is the same on every machine.

use std::sync::atomic::{AtomicBool, Ordering};

use super::judgement::Judgement;
use super::plan::Plan;
use super::tree::{Excluded, Expanded};
use crate::board::{Bitboard, Board, Point, Size};
use crate::database::{Canonical, Key};
use crate::engine::{Engine, Options};
use crate::rules::Rule;
use crate::search::RootOptions;
use crate::think::{Limits, SearchReport, Silent, score};

/// Bytes of the table per node of a search.
const TABLE_BYTES_PER_NODE: u64 = 64;
/// Minimum and maximum table size of a search.
const TABLE_BYTES: (u64, u64) = (1 << 20, 256 << 20);
/// Upper bound on the memory of an engine without its table.
const ENGINE_BYTES: u64 = 64 << 20;

/// An engine that expands positions.
pub(super) struct Expander<'a> {
    engine: Engine,
    table_bytes: u64,
    rule: Rule,
    nodes: u64,
    moves: usize,
    stop: &'a AtomicBool,
}

impl<'a> Expander<'a> {
    /// An expander that stops a search as soon as `stop` is set.
    pub fn new(plan: &Plan, stop: &'a AtomicBool) -> Expander<'a> {
        let (least, most) = TABLE_BYTES;
        let table_bytes = plan.nodes.saturating_mul(TABLE_BYTES_PER_NODE).clamp(least, most);
        let max_memory = Some(table_bytes + ENGINE_BYTES);
        let mut engine =
            Engine::new(Options { max_memory, hash_bytes: Some(table_bytes), ..Options::default() });
        engine.set_networks(plan.networks.clone());
        engine.new_game(plan.openings.first().map_or_else(Size::default, Board::size));
        engine.set_rule(plan.rule);
        Expander { engine, table_bytes, rule: plan.rule, nodes: plan.nodes, moves: plan.moves.max(1), stop }
    }

    /// Searches a position for its best moves without the `excluded` ones, and searches each of the resulting
    /// positions that `is_known` does not contain. `None` if it was stopped.
    pub fn expand(
        &mut self,
        key: &Key,
        excluded: &Excluded,
        is_known: impl Fn(&Key) -> bool,
    ) -> Option<Expanded> {
        let mut board = key.board();
        let here = Canonical::of(&board, self.rule)?;
        let [refuted, blocked] = [&excluded.refuted, &excluded.blocked]
            .map(|moves| moves.iter().flat_map(|&point| here.asked(point)).collect::<Bitboard>());
        let decided = |judgement| Some(Expanded { judgement, children: Vec::new() });
        // The first stone goes to the centre; a search of all points would yield little.
        let multi_pv = if board.occupied().is_empty() { 1 } else { self.moves + 1 };
        let (found, report) = self.judge(&board, &here, refuted | blocked, multi_pv)?;
        if found.is_loss() && !(blocked - refuted).is_empty() {
            // The position is proven lost only if the moves that the user has blocked also lose.
            let (whole, _) = self.judge(&board, &here, refuted, 1)?;
            return decided(if whole.is_loss() { whole } else { found.unproven() });
        }
        let undecided = report.filter(|_| !found.is_proven);
        let Some((best, report)) = undecided.and_then(|report| Some((report.best_move?, report))) else {
            return decided(found);
        };
        let others = report.others.iter().filter_map(|line| Some((*line.pv.first()?, line.value)));
        let lines: Vec<(Point, score::Value)> =
            [(best, report.last.value)].into_iter().chain(others).collect();
        let mut children = Vec::new();
        for (place, (point, value)) in lines.into_iter().enumerate() {
            board.play(point);
            let after = Canonical::of(&board, self.rule)?.key().clone();
            board.undo();
            if is_known(&after) {
                continue;
            }
            // The best of the remaining moves, and losing moves, do not get a search of their own.
            let judgement = if place >= self.moves || score::is_mate(value) {
                let value = if score::is_mate(value) { -value - value.signum() } else { -value };
                Judgement::of_value(value, report.last.depth - 1)
            } else {
                let board = after.board();
                let report = self.search(&board, Bitboard::EMPTY, 1)?;
                Judgement::of_search(&Canonical::of(&board, self.rule)?, &report)
            };
            children.push((after, judgement));
        }
        Some(Expanded { judgement: Judgement { best: Some(here.stored(best)), ..found }, children })
    }

    /// Judges a position by a search without the `excluded` moves. There is no report if they are all moves.
    fn judge(
        &mut self,
        board: &Board,
        here: &Canonical,
        excluded: Bitboard,
        multi_pv: usize,
    ) -> Option<(Judgement, Option<SearchReport>)> {
        if !excluded.is_empty() && (*board.empty() - excluded).is_empty() {
            return Some((Judgement::of_value(score::mated_in(2), 1), None));
        }
        let report = self.search(board, excluded, multi_pv)?;
        Some((Judgement::of_search(here, &report), Some(report)))
    }

    fn search(&mut self, board: &Board, excluded: Bitboard, multi_pv: usize) -> Option<SearchReport> {
        let limits = Limits { multi_pv, ..Limits::nodes(self.nodes) };
        let options = RootOptions { excluded, distinct: true, ..RootOptions::default() };
        let stop = self.stop;
        self.engine.set_board(board.clone());
        let report = self
            .engine
            .shelter(self.table_bytes, |engine| engine.think_with(&limits, &options, stop, &Silent));
        (!stop.load(Ordering::Relaxed)).then_some(report)
    }
}
