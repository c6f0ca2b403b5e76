//! The recursive search below the root: principal variation search over the moves that the threats allow.
//!
//! Depths are counted in parts of a ply ([`ONE_PLY`]). Each step begins with the usual name of its technique. Where a
//! step states a gain, "49 to 52 solved" means forced wins of the suite solved with 100,000 nodes before and after the
//! change. docs/measurements.md has all gains, docs/experiments.md the matches and the rejected techniques.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::history::Cutoff;
use super::move_picker::{Context, MovePicker};
use super::node::{Node, NodeFacts};
use super::params::{FAR, LateMove, MAX_PLY, ONE_PLY, TRIED_MOVES};
use super::situation::Situation;
use super::static_eval::StaticEval;
use super::transposition::TableEntry;
use super::worker::{NO_EVAL, Worker};
use crate::board::{Bitboard, ByColor, Point};
use crate::rules::PointClass;
use crate::think::Bound;
use crate::think::score::{DRAW, INFINITE, MATE_THRESHOLD, Value, is_mate, mate_in, mated_in};

/// The result of a node's moves, or of those that were searched.
pub(super) struct NodeResult {
    pub(super) value: Value,
    best_move: Option<Point>,
    /// Bound type of the value.
    bound: Bound,
}

impl Worker<'_> {
    /// The value of the position for the side to move. `PV`: whether the node is on the principal variation,
    /// so that its window is open.
    pub fn alpha_beta<const PV: bool>(&mut self, node: Node) -> Value {
        let Node { mut alpha, mut beta, mut depth, ply, is_cut } = node;
        let mated_now = ply as i32;
        self.lines[ply].clear();
        if self.must_stop() {
            return DRAW;
        }
        if let Some(value) = self.value_at_end(alpha, beta, ply) {
            return value;
        }

        let hash = self.position.board().hash();
        // Unreduced: a reduced search would accept a shallow value and never search a late move again.
        let unreduced = depth.max(self.root_depth - ply as i32 * ONE_PLY);
        if let Some(value) = self.shared.setup.options.known.settle(hash, ply, unreduced, [alpha, beta]) {
            return value;
        }

        // 1. Forced results. Immediate wins and threats without an answer need no search.
        let strongest = self.position.strongest();
        let situation = Situation::of(&mut self.position, strongest);
        if let Some(value) = situation.value(mated_now) {
            return value;
        }
        self.selective_depth = self.selective_depth.max(ply);
        match situation {
            // A position with a five to stop has no meaningful value, so the reply is searched at any depth.
            Situation::MustBlock(_) => depth = depth.max(0),
            _ if depth <= 0 => return self.quiescence(alpha, beta, ply, strongest),
            _ => {}
        }
        if ply + 2 >= MAX_PLY {
            return self.evaluator.value(&self.position);
        }

        // 2. Mate distance pruning: a shorter mate has already been found elsewhere.
        alpha = alpha.max(mated_in(mated_now));
        beta = beta.min(mate_in(mated_now + 1));
        if alpha >= beta {
            return alpha;
        }

        // 3. Transposition table.
        let entry = self.playable_entry(hash, mated_now);
        let must_block = situation.must_block();

        // 4. Internal iterative reduction: without a table move the move order is poor; it is better next time.
        // This precedes the table cutoff, because the table stores the reduced depth.
        if depth >= self.params.iir_depth * ONE_PLY
            && entry.is_none_or(|entry| entry.best.is_none())
            && !must_block
        {
            depth -= ONE_PLY;
        }

        // 5. Table cutoff. Mates are valid at any depth, because the search proves them.
        if let Some(entry) = entry
            && !PV
            && (entry.depth >= depth || is_mate(entry.value))
            && entry.cuts(alpha, beta)
        {
            return entry.value;
        }

        let (facts, static_eval) = self.facts(ply, situation, strongest, entry);
        // Uses the depth before the reduction.
        if !PV && let Some(value) = self.prune(&Node { alpha, beta, ..node }, &facts) {
            return value;
        }

        let before = self.nodes;
        let node = Node { alpha, beta, depth, ply, is_cut };
        let NodeResult { value, best_move, bound } = match self.search_extended::<PV>(node, &facts) {
            ControlFlow::Continue(result) => result,
            ControlFlow::Break(value) => return value,
        };
        if self.shared.is_over() {
            return DRAW;
        }
        let value = self.params.blended(value, bound, beta);
        self.learn(&static_eval, value, bound, depth / ONE_PLY);
        if let Some(harvest) = self.shared.harvest {
            harvest.see(self.position.board(), value, bound, best_move, self.nodes - before);
        }
        let entry = TableEntry { value, eval: static_eval.raw, depth, bound, best: best_move };
        self.shared.table.store(hash, mated_now, entry);
        value
    }

    /// Collects the facts about a node before its moves are searched; also returns its static evaluation.
    #[inline]
    pub(super) fn facts(
        &mut self,
        ply: usize,
        situation: Situation,
        strongest: ByColor<PointClass>,
        entry: Option<TableEntry>,
    ) -> (NodeFacts, StaticEval) {
        // 6. Static evaluation, corrected by the errors in similar positions (correction history), then by the table's
        // bound. It is not needed if a five must be stopped.
        let must_block = situation.must_block();
        let static_eval = if must_block { StaticEval::NONE } else { self.static_eval(entry, strongest) };
        self.evals[ply] = if must_block { NO_EVAL } else { static_eval.corrected };
        let eval = entry.map_or(static_eval.corrected, |entry| entry.corrected(static_eval.corrected));
        let improving = self.is_improving(ply);
        let facts = NodeFacts { situation, strongest, eval, improving, entry, excluded: None, extension: 0 };
        (facts, static_eval)
    }

    /// The value of a null-window node that need not be searched; `None` if it has to be searched.
    fn prune(&mut self, node: &Node, facts: &NodeFacts) -> Option<Value> {
        let &Node { alpha, beta, depth, ply, .. } = node;
        let &NodeFacts { situation, strongest, eval, improving, .. } = facts;
        if situation != Situation::Free || is_mate(beta) {
            return None;
        }
        // 7. Razoring (49 to 52 solved): the evaluation is so far below alpha that only a win by fours can help.
        if depth <= self.params.razor_depth * ONE_PLY && eval + self.params.razor_margin(depth) <= alpha {
            return Some(self.quiescence(alpha, beta, ply, strongest));
        }
        // 8. Reverse futility: the evaluation is so far above beta that the best reply hardly matters.
        let them = !self.position.board().side_to_move();
        let is_safe = strongest[them] < PointClass::FourThree;
        (is_safe && eval - self.params.reverse_futility_margin(depth, improving) >= beta).then_some(eval)
    }

    /// Searches a node's moves, unless the singular search finds a value that cuts the node off.
    fn search_extended<const PV: bool>(
        &mut self,
        node: Node,
        facts: &NodeFacts,
    ) -> ControlFlow<Value, NodeResult> {
        // 9. Singular extension and multi-cut (+25 Elo at 100,000 nodes).
        let extension = self.singular::<PV>(&node, facts)?;
        ControlFlow::Continue(self.search_moves::<PV>(node, &NodeFacts { extension, ..*facts }))
    }

    /// Returns `of_node` with the properties of a move that is not played yet. `behind` is the difference
    /// between the policy scores of the node's first move and this move, in points.
    pub(super) fn late_move(&self, of_node: LateMove, point: Point, behind: Value) -> LateMove {
        let us = self.position.board().side_to_move();
        let class = self.position.class(us, point);
        let answers = self.position.class(!us, point);
        let is_quiet = class < PointClass::OpenThree && answers < PointClass::Four;
        let is_three = !is_quiet && class.max(answers) < PointClass::DoubleThree;
        let history = self.history.value(us, point);
        let pattern = self.history.patterns.of(us, self.position.codes(point));
        LateMove { is_three, is_quiet, behind, history, pattern, ..of_node }
    }

    /// The moves of a node, and whether they are limited to the moves that break the opponent's win by fours.
    fn targets(&mut self, facts: &NodeFacts) -> (Bitboard, bool) {
        let &NodeFacts { situation, strongest, excluded, .. } = facts;
        let excluded: Bitboard = excluded.into_iter().collect();
        let candidates = match situation {
            Situation::MustBlock(set) | Situation::MustDefend(set) => return (set - excluded, false),
            _ => self.evaluator.candidates(&self.position) - excluded,
        };
        // 10. Four-three of the opponent: if we have none, only the defences against it are searched. If there are no
        // defences, the search of any moves proves the loss.
        let us = self.position.board().side_to_move();
        if strongest[!us] >= PointClass::FourThree && strongest[us] < PointClass::FourThree {
            let defenses = self.defenses_to_fours().map_or(candidates, |defenses| defenses - excluded);
            if defenses.iter().any(|point| self.position.is_allowed(point)) {
                return (defenses, true);
            }
        }
        (candidates, false)
    }

    /// Searches the moves of a node.
    pub(super) fn search_moves<const PV: bool>(&mut self, node: Node, facts: &NodeFacts) -> NodeResult {
        let Node { mut alpha, beta, depth, ply, is_cut } = node;
        let &NodeFacts { situation, eval, improving, .. } = facts;
        let table_move = facts.table_move();
        let table_depth = facts.entry.map_or(0, |entry| entry.depth);
        let only_reply = matches!(situation, Situation::MustBlock(set) if set.len() == 1);
        let (mut targets, mut knows_defenses) = self.targets(facts);
        let previous = self.position.board().last_move();
        let mut moves = MovePicker::new(Context { targets, ply, table_move, previous });
        let mut result = NodeResult { value: -INFINITE, best_move: None, bound: Bound::Upper };
        let mut tried = ArrayVec::<Point, TRIED_MOVES>::new();
        let mut count = 0;
        let plies = depth / ONE_PLY;
        let is_forced = situation != Situation::Free;
        let below = if self.evals[ply] == NO_EVAL { 0 } else { alpha - eval };
        let of_node =
            LateMove { plies, is_pv: PV, is_cut, is_forced, improving, below, ..LateMove::default() };
        while let Some((point, behind)) = self.next_move(&mut moves) {
            // 11. Fouls lose at once; they count only if there is no other move.
            if !targets.contains(point) || !self.position.is_allowed(point) {
                continue;
            }
            let is_far = previous.is_some_and(|previous| point.distance(previous) > FAR);
            let late = LateMove { count: count + 1, is_far, ..self.late_move(of_node, point, behind) };
            if result.value > -MATE_THRESHOLD {
                // 12. Move-count pruning: late moves are skipped, even on the PV. One count for moves of every kind
                // (77 to 87 solved).
                if self.params.is_too_late(&late) {
                    break;
                }
                // 13. Futility pruning: the evaluation is so far below alpha that a quiet move cannot help.
                let may_be_futile = !PV && count > 0 && !is_forced && late.is_quiet;
                if may_be_futile && self.params.is_futile(plies, eval, alpha) {
                    continue;
                }
            } else if !is_forced && count >= self.params.lost_moves as usize && !knows_defenses {
                // 14. All lose (49 to 53 solved): if they lose to fours, only moves that break the fours remain, far
                // ones too.
                knows_defenses = true;
                targets = self.all_defenses(targets, facts.excluded, &mut moves);
                if !targets.contains(point) {
                    continue;
                }
            }
            count += 1;

            // 15. Extension (30 to 49 solved): the only reply to a four costs no depth.
            let mut cost = if only_reply { 0 } else { ONE_PLY };
            if table_move == Some(point) && !only_reply {
                cost -= facts.extension;
                // 16. Stale principal variation: less depth for a table move that was found by a shallower search.
                cost += if PV { self.params.stale_pv_reduction(depth - table_depth) } else { 0 };
            }

            // 17. Late move reduction (of every kind of move: 23 to 29 solved; by policy: 23 to 29 solved): the first
            // move is searched with an open window. For the others a null window shows that they are worse, and
            // later moves are searched less deeply.
            let reduction = self.params.late_move_reduction(&late);
            self.play(point);
            let child = Node { alpha, depth: depth - cost, ..node };
            let value = self.search_child::<PV>(child, count == 1, reduction);
            self.undo();
            if self.shared.is_over() {
                return NodeResult { bound: Bound::None, ..result };
            }

            // 18. Better than the best move so far? The history learns from every kind of move (110 to 132 solved, with
            // the guided solver at the root).
            self.improve(&mut result, point, value, &mut alpha, ply);
            if value >= beta {
                result.bound = Bound::Lower;
                break;
            }
            // If there are too many moves, those that look worst are not recorded.
            let _ = tried.try_push(point);
        }

        // The only reply was not a choice.
        if !only_reply {
            self.learn_from_moves(&node, facts, &result, &tried);
        }
        if result.value == -INFINITE && facts.excluded.is_none() {
            // 19. No move: only fouls are left, which lose.
            return NodeResult { value: self.only_fouls(situation, ply), bound: Bound::Exact, ..result };
        }
        result
    }

    /// Updates the result with the value of a searched move, and the principal variation with its line.
    #[inline]
    fn improve(
        &mut self,
        result: &mut NodeResult,
        point: Point,
        value: Value,
        alpha: &mut Value,
        ply: usize,
    ) {
        if value <= result.value {
            return;
        }
        result.value = value;
        if is_mate(value) {
            // The longest defence, for the line that shows the win.
            result.best_move = Some(point);
        }
        if value > *alpha {
            *alpha = value;
            result.best_move = Some(point);
            result.bound = Bound::Exact;
            self.begin_line(ply, point);
        }
    }

    /// Updates the histories with the result of a node: the move that caused a cutoff rises and the moves `tried`
    /// before it fall, or all of them fall a little if none was good enough.
    #[inline]
    fn learn_from_moves(&mut self, node: &Node, facts: &NodeFacts, result: &NodeResult, tried: &[Point]) {
        let plies = node.depth / ONE_PLY;
        match (result.bound, result.best_move) {
            (Bound::Lower, Some(best)) => {
                let (bonus, previous) =
                    (self.params.bonus_of_cutoff(plies), self.position.board().last_move());
                let cutoff = Cutoff { best, tried, bonus, ply: node.ply, previous };
                self.history.cutoff(&self.position, cutoff);
            }
            (Bound::Upper, _) if facts.excluded.is_none() => {
                self.history.fail_low(&self.position, tried, self.params.malus_of_fail_low(plies));
            }
            _ => {}
        }
    }

    /// The value of a move. `child` is the parent node, with the depth that remains after the move. The child
    /// is searched with a reduction and a null window, then at full depth, then with the full window, as
    /// needed.
    pub(super) fn search_child<const PV: bool>(&mut self, child: Node, first: bool, reduction: i32) -> Value {
        let Node { alpha, beta, depth, is_cut, .. } = child;
        let ply = child.ply + 1;
        let null_window = |depth, is_cut| Node { alpha: -alpha - 1, beta: -alpha, depth, ply, is_cut };
        let mut value = alpha + 1;
        if reduction > 0 {
            value = -self.alpha_beta::<false>(null_window((depth - reduction).max(0), true));
        }
        if value > alpha && (!PV || !first) {
            value = -self.alpha_beta::<false>(null_window(depth, !is_cut));
        }
        if PV && (first || (value > alpha && value < beta)) {
            let open = Node { alpha: -beta, beta: -alpha, depth, ply, is_cut: false };
            value = -self.alpha_beta::<true>(open);
        }
        value
    }

    /// The value if every move that was examined is a foul.
    pub(super) fn only_fouls(&mut self, situation: Situation, ply: usize) -> Value {
        match situation {
            Situation::MustBlock(_) => mated_in(ply as i32 + 2),
            Situation::MustDefend(_) => mated_in(ply as i32 + 4),
            _ if self.must_play_foul() => mated_in(ply as i32 + 1),
            // Far from all stones there is still a harmless point.
            _ => self.evaluator.value(&self.position),
        }
    }

    /// The table's entry, with its move only if it can be played here.
    fn playable_entry(&self, hash: u64, ply: i32) -> Option<TableEntry> {
        let entry = self.shared.table.probe(hash, ply)?;
        Some(TableEntry { best: entry.playable_move(self.position.board()), ..entry })
    }
}
