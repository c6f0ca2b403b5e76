//! The recursive search: principal variation search over what the threats leave open.

use super::move_picker::{Context, MovePicker};
use super::params::{LateMove, MAX_PLY};
use super::score::{DRAW, INFINITE, Value, is_mate, mate_in, mated_in};
use super::situation::Situation;
use super::transposition::{Bound, Entry};
use super::worker::Worker;
use crate::board::{Bitboard, Point};
use crate::rules::PointClass;

/// Bounds, remaining depth and place of a node.
#[derive(Clone, Copy)]
pub struct Node {
    /// The side to move has this for sure.
    pub alpha: Value,
    /// The opponent will not allow more than this.
    pub beta: Value,
    /// Plies to search, extensions aside.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// Whether it is expected to fail high: one good move is enough, so late ones are hardly worth a look.
    pub is_cut: bool,
}

impl Worker<'_> {
    /// The value of the position for the side to move. `PV`: the node is on the principal variation, its window is
    /// open.
    pub fn alpha_beta<const PV: bool>(&mut self, node: Node) -> Value {
        let Node { mut alpha, mut beta, mut depth, ply, is_cut } = node;
        let mated_now = ply as i32;
        self.lines[ply].clear();
        if self.must_stop() {
            return DRAW;
        }

        // 1. What is forced. Wins at hand and unanswerable threats need no search.
        let strongest = self.position.strongest();
        let situation = Situation::of(&mut self.position, strongest);
        match situation {
            Situation::Wins if ply > 0 => return mate_in(mated_now + 1),
            Situation::WinsByFour if ply > 0 => return mate_in(mated_now + 3),
            Situation::MustBlock(set) if set.is_empty() && ply > 0 => return mated_in(mated_now + 2),
            Situation::MustDefend(set) if set.is_empty() && ply > 0 => return mated_in(mated_now + 4),
            // The value of a position with a five to stop means nothing: the reply is searched at any depth.
            Situation::MustBlock(_) => depth = depth.max(1),
            _ if depth <= 0 => {
                self.selective_depth = self.selective_depth.max(ply);
                return self.quiescence(alpha, beta, ply, strongest);
            }
            _ => {}
        }
        self.selective_depth = self.selective_depth.max(ply);
        if ply + 2 >= MAX_PLY {
            return self.evaluator.value(&self.position);
        }

        // 2. Mate distance: a shorter mate is already sure elsewhere.
        alpha = alpha.max(mated_in(mated_now));
        beta = beta.min(mate_in(mated_now + 1));
        if alpha >= beta {
            return alpha;
        }

        // 3. The transposition table.
        let hash = self.position.board().hash();
        let known = self.shared.table.probe(hash, mated_now);
        if let Some(entry) = known
            && !PV
            && entry.depth >= depth
            && entry.cuts(alpha, beta)
        {
            return entry.value;
        }
        let is_part_of_root = ply == 0 && !self.excluded.is_empty();
        let known_move = if is_part_of_root { self.hint } else { known.and_then(|entry| entry.best) };
        let table_move = known_move.filter(|&point| self.can_play(point));

        // 4. The static evaluation, and whether it is so good that the node need not be searched.
        let eval = known.map_or_else(|| self.evaluator.value(&self.position), |entry| entry.eval);
        let free = situation == Situation::Free;
        if !PV && free && depth <= self.params.reverse_futility_depth && !is_mate(beta) {
            let them = !self.position.board().side_to_move();
            let margin = self.params.reverse_futility_margin(depth);
            if strongest[them] < PointClass::FourThree && eval - margin >= beta {
                return eval;
            }
        }

        // 5. Without a table move the order is poor: search less deep now, better the next time.
        if depth >= self.params.iir_depth && table_move.is_none() {
            depth -= 1;
        }

        let (best, best_move, bound) =
            self.search_moves::<PV>(Node { alpha, beta, depth, ply, is_cut }, situation, eval, table_move);
        if self.shared.is_over() {
            return DRAW;
        }
        // What is best of a part of the moves says nothing of the position.
        if !is_part_of_root {
            let entry = Entry { value: best, eval, depth, bound, best: best_move };
            self.shared.table.store(hash, mated_now, entry);
        }
        best
    }

    /// The moves of a node that are worth a look.
    fn targets(&self, situation: Situation, ply: usize) -> Bitboard {
        match (situation, self.defenses) {
            (Situation::MustBlock(set) | Situation::MustDefend(set), _) if !set.is_empty() => set,
            (_, Some(defenses)) if ply == 0 => defenses,
            _ => self.evaluator.candidates(&self.position),
        }
    }

    /// Searches the moves of a node: value, best move, and what the value says.
    fn search_moves<const PV: bool>(
        &mut self,
        node: Node,
        situation: Situation,
        eval: Value,
        table_move: Option<Point>,
    ) -> (Value, Option<Point>, Bound) {
        let Node { mut alpha, beta, depth, ply, is_cut } = node;
        let us = self.position.board().side_to_move();
        let free = situation == Situation::Free;
        let targets = self.targets(situation, ply);
        let previous = self.position.board().last_move();
        let context = Context { params: &self.params, history: self.history, ply, table_move, previous };
        let mut moves = MovePicker::new(&self.position, &self.evaluator, targets, &context);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut bound = Bound::Upper;
        let mut quiets = [Point::new(0, 0); 64];
        let mut quiet_count = 0;
        let mut count = 0;
        while let Some(point) = moves.next() {
            // 6. Fouls lose at once; they count only when nothing else is left.
            if !self.position.is_allowed(point) || ply == 0 && self.excluded.contains(point) {
                continue;
            }
            let class = self.position.class(us, point);
            let answers = self.position.class(!us, point);
            let quiet = class < PointClass::OpenThree && answers < PointClass::Four;

            // 7. Late quiet moves are left out where nothing is forced.
            if !PV && free && quiet && best > -INFINITE && !is_mate(best) {
                let params = &self.params;
                if params.is_too_late(depth, count) || params.is_futile(depth, count, eval, alpha) {
                    break;
                }
            }
            if count >= self.params.max_moves as usize && best > -INFINITE && !is_mate(best) {
                break;
            }
            count += 1;

            // 8. The first move with an open window, the others only to show that they are worse.
            let before = self.nodes;
            self.play(point);
            let is_three = !quiet && class.max(answers) < PointClass::DoubleThree;
            let history = self.history.value(us, point);
            let late = LateMove { depth, count, is_pv: PV, is_cut, is_quiet: quiet, is_three, history };
            let reduction = if free { self.params.late_move_reduction(&late) } else { 0 };
            let value = self.search_child::<PV>(node, alpha, count == 1, reduction);
            self.undo();
            if self.shared.is_over() {
                return (best, best_move, Bound::None);
            }
            if ply == 0 {
                self.effort[point.index()] += self.nodes - before;
            }

            // 9. Better than what we had?
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(point);
                    bound = Bound::Exact;
                    let (line, rest) = self.lines.split_at_mut(ply + 1);
                    line[ply].set(point, &rest[0]);
                    if value >= beta {
                        bound = Bound::Lower;
                        if quiet {
                            let bonus = self.params.history_bonus(depth);
                            self.history.cutoff(us, point, &quiets[..quiet_count], bonus, ply, previous);
                        }
                        break;
                    }
                }
            }
            if quiet && quiet_count < quiets.len() {
                quiets[quiet_count] = point;
                quiet_count += 1;
            }
        }

        // 10. No move: the board is full, or only fouls are left, which lose.
        if best == -INFINITE {
            let full = self.position.board().empty().is_empty();
            best = if full { DRAW } else { self.only_fouls(situation, ply) };
            bound = Bound::Exact;
        }
        (best, best_move, bound)
    }

    /// The child after a move: reduced with a null window, then deeper, then with the whole window as needed.
    fn search_child<const PV: bool>(
        &mut self,
        node: Node,
        alpha: Value,
        first: bool,
        reduction: i32,
    ) -> Value {
        let depth = node.depth - 1;
        let ply = node.ply + 1;
        let null_window = |depth, is_cut| Node { alpha: -alpha - 1, beta: -alpha, depth, ply, is_cut };
        let mut value = alpha + 1;
        if reduction > 0 {
            value = -self.alpha_beta::<false>(null_window(depth - reduction, true));
        }
        if value > alpha && (!PV || !first) {
            value = -self.alpha_beta::<false>(null_window(depth, !node.is_cut));
        }
        if PV && (first || (value > alpha && value < node.beta)) {
            let open = Node { alpha: -node.beta, beta: -alpha, depth, ply, is_cut: false };
            value = -self.alpha_beta::<true>(open);
        }
        value
    }

    /// The value when every move that was looked at is a foul.
    fn only_fouls(&mut self, situation: Situation, ply: usize) -> Value {
        match situation {
            Situation::MustBlock(_) => mated_in(ply as i32 + 2),
            Situation::MustDefend(_) => mated_in(ply as i32 + 4),
            _ => {
                let empty = *self.position.board().empty();
                let playable = empty.iter().any(|point| self.position.is_allowed(point));
                // Far from all stones there may still be a harmless point.
                if playable { self.evaluator.value(&self.position) } else { mated_in(ply as i32 + 1) }
            }
        }
    }

    /// Whether a move from the table can be played: hashes may collide.
    pub(super) fn can_play(&self, point: Point) -> bool {
        let board = self.position.board();
        board.size().contains(point) && board.is_empty(point)
    }
}
