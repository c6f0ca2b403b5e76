//! Forced wins: before the search, the solvers examine the root.
//!
//! A win of the side to move by fours or by threats is played immediately. If the opponent would win by fours
//! after a pass, only the moves that break this win are searched. This may use a small share of the nodes and
//! the time. Inside the search, too, the solver of fours finds the moves that break the opponent's win.

use super::iterative_deepening::Deepening;
use super::move_picker::MovePicker;
use super::params::{DEFENSE_FOURS, VCF_SLICE, VCT_NODE_COST, root_vcf_nodes};
use super::worker::Worker;
use crate::board::{Bitboard, Point};
use crate::rules::PointClass;
use crate::system::host::Instant;
use crate::think::RootEvent;
use crate::think::score::{Value, mate_in_moves, mate_plies};
use crate::threat::{SolverLimits, SolverResult};

impl Worker<'_> {
    /// A forced win of the side to move: its moves against the longest defence, and its value.
    pub(super) fn forced_win(&mut self, deepening: &Deepening) -> Option<(Vec<Point>, Value)> {
        let win = self.win_by_fours(deepening).or_else(|| self.win_by_threats(deepening));
        let win = win.filter(|(line, value)| self.is_possible(line, *value));
        if let Some(&first) = win.iter().find_map(|(line, _)| line.first()) {
            self.reporter.root_event(RootEvent::Won(first));
        }
        win
    }

    /// Whether the search options leave the solver's win valid.
    fn is_possible(&self, line: &[Point], value: Value) -> bool {
        let options = self.shared.setup.options;
        let is_in_time = mate_plies(value).is_some_and(|plies| plies as usize <= self.last_ply);
        let is_excluded = |&first| options.root_exclusions().contains(first) || options.continues(&[first]);
        is_in_time && !line.first().is_some_and(is_excluded)
    }

    /// The node limit of the search; `None` without a limit, or if the clock ends the search sooner.
    pub(super) fn node_limit(&self, deepening: &Deepening) -> Option<u64> {
        let nodes = self.shared.max_nodes;
        let is_reached = deepening.budget.is_none_or(|budget| budget.has_time_for(nodes));
        (nodes < u64::MAX && is_reached).then_some(nodes)
    }

    /// A win by continuous fours, however long.
    fn win_by_fours(&mut self, deepening: &Deepening) -> Option<(Vec<Point>, Value)> {
        let max_nodes = root_vcf_nodes(self.node_limit(deepening), deepening.budget);
        let mut used = 0;
        let solver = self.vct.as_deref_mut()?.vcf();
        // In slices, so that the stop flag and, after the first slice, the deadline are noticed; the table keeps what
        // earlier slices have refuted.
        while used < max_nodes && !self.shared.is_over() && (used == 0 || !self.shared.is_interrupted()) {
            let (answer, _) = solver.solve_shortest(&mut self.position, VCF_SLICE.min(max_nodes - used));
            used += solver.nodes().max(1);
            match answer {
                SolverResult::Unknown => {}
                SolverResult::None => break,
                SolverResult::Win { first, moves } => {
                    let line = solver.win_line(&mut self.position, first, moves, VCF_SLICE);
                    self.nodes += used;
                    return Some((line, mate_in_moves(moves)));
                }
            }
        }
        self.nodes += used;
        None
    }

    /// A win by continuous threats.
    fn win_by_threats(&mut self, deepening: &Deepening) -> Option<(Vec<Point>, Value)> {
        let max_nodes = self.params.root_vct_nodes(self.shared.max_nodes);
        let share_ends = || Some(Instant::now() + self.params.root_vct_time(deepening.budget?.optimum));
        let limits = SolverLimits {
            max_nodes: Some(max_nodes),
            // With a node limit, the result must not depend on the clock as well, so the share of the nodes
            // is enough.
            deadline: if self.node_limit(deepening).is_some() { self.shared.deadline } else { share_ends() },
            stop: Some(self.shared.stop),
            max_moves: Some(self.moves_left(0)),
        };
        let solver = self.vct.as_deref_mut()?;
        let answer = solver.solve(&mut self.position, &limits);
        self.nodes += solver.nodes() * VCT_NODE_COST;
        let SolverResult::Win { first, moves } = answer else { return None };
        let line = solver.line(&mut self.position, first, moves);
        Some((line, mate_in_moves(moves)))
    }

    /// If the opponent would otherwise win by fours, keeps only the root moves that may prevent it.
    pub(super) fn keep_defenses(&mut self, deepening: &Deepening) {
        let strongest = self.position.strongest();
        let them = !self.position.board().side_to_move();
        if !deepening.solvers || !(PointClass::Four..PointClass::OpenFour).contains(&strongest[them]) {
            return;
        }
        // The length of the win is not known here.
        if self.shared.setup.options.blocks_replies() || self.has_stone_limit() {
            return;
        }
        let max_nodes = VCF_SLICE.min(root_vcf_nodes(self.node_limit(deepening), deepening.budget));
        if self.shared.is_over() {
            return;
        }
        // A helper, which has no solver of threats, uses its own solver of fours.
        let solver = match self.vct.as_deref_mut() {
            Some(vct) => vct.vcf(),
            None => &mut *self.vcf,
        };
        let defenses = solver.defenses(&mut self.position, max_nodes);
        self.nodes += solver.nodes();
        if let Some(defenses) = defenses {
            self.list_far_moves(defenses);
            for point in self.root.keep(defenses) {
                self.reporter.root_event(RootEvent::Lost(point));
            }
        }
    }

    /// The moves that may break the opponent's win by fours, also far from all stones; `None` if no such win is
    /// found.
    pub(super) fn defenses_to_fours(&mut self) -> Option<Bitboard> {
        if self.has_stone_limit() {
            // The win may come too late.
            return None;
        }
        let max_nodes = self.fours_left().min(DEFENSE_FOURS);
        let defenses = self.vcf.possible_defenses(&mut self.position, max_nodes);
        self.charge_fours(self.vcf.nodes());
        defenses
    }

    /// The moves that may break the opponent's win by fours; `targets` if no such win is found. Those that are not
    /// among the targets are added to `moves`.
    pub(super) fn all_defenses(
        &mut self,
        targets: Bitboard,
        excluded: Option<Point>,
        moves: &mut MovePicker,
    ) -> Bitboard {
        let Some(defenses) = self.defenses_to_fours() else { return targets };
        let defenses = defenses - excluded.into_iter().collect();
        moves.add(defenses - targets);
        defenses
    }
}

#[cfg(test)]
mod tests {
    use super::super::root_options::RootOptions;
    use super::super::worker::with_worker;
    use super::*;
    use crate::board::notation::parse_fen;
    use crate::rules::{Position, Rule};
    use crate::threat::VctSolver;

    #[test]
    fn every_thread_keeps_only_the_defenses() {
        // Black threatens to win by fours: h8 makes a four and an open three.
        let board = parse_fen("15/15/15/15/15/7X7/6OX7/3OXXX8/6O8/9O5/15/15/15/15/15 w").expect("a position");
        let position = Position::new(board, Rule::default());
        let options = RootOptions::default();
        let started = Instant::now();
        let kept = |thread: usize, solvers: bool| {
            let deepening =
                Deepening { started, budget: None, start_depth: 1, max_depth: 10, thread, solvers };
            let mut vct = VctSolver::new(1 << 20);
            with_worker(
                &position,
                &options,
                |_| {},
                |worker| {
                    // The solver does not live as long as the worker's other data.
                    let mut worker = worker;
                    worker.vct = (thread == 0).then_some(&mut vct);
                    worker.list_root_moves();
                    let listed = worker.root.moves.len();
                    worker.keep_defenses(&deepening);
                    let kept: Bitboard = worker.root.moves.iter().map(|root| root.point).collect();
                    assert_eq!(kept.len() < listed, solvers, "thread {thread}");
                    kept
                },
            )
        };
        assert_eq!(kept(0, true), kept(1, true));
        // Low levels have no solver.
        assert_eq!(kept(0, false), kept(1, false));
    }
}
