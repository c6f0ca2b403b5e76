//! The clock: computes the time for one move from the manager's limits.

use std::time::Duration;

use crate::board::Board;

/// The manager's clock, in its own units and conventions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// `timeout_turn`: milliseconds for one move; 0 means to play at once; `None` if it was never sent.
    pub turn_ms: Option<u64>,
    /// `timeout_match`: milliseconds for all moves of a game; 0 means no limit.
    pub match_ms: u64,
    /// `time_left`: milliseconds left of the match time; may be negative, or [`UNLIMITED_MS`]. `None` if it was
    /// never sent, or was sent as unlimited; then `match_ms` is the limit.
    pub left_ms: Option<i64>,
    /// `time_increment`: milliseconds added after each move.
    pub increment_ms: u64,
}

impl Clock {
    /// This clock with all its times divided by `divisor`.
    pub fn divided(self, divisor: u64) -> Clock {
        let divisor = divisor.max(1);
        // 0 has a special meaning.
        let part = |ms: u64| if ms == 0 { 0 } else { (ms / divisor).max(1) };
        let signed = i64::try_from(divisor).unwrap_or(i64::MAX);
        Clock {
            turn_ms: Some(part(self.turn_ms.unwrap_or(DEFAULT_TURN_MS))),
            match_ms: part(self.match_ms),
            left_ms: self.left_ms.map(|left| if left >= UNLIMITED_MS { left } else { left / signed }),
            increment_ms: self.increment_ms / divisor,
        }
    }
}

impl Default for Clock {
    /// The clock of a manager that sends no limits: [`DEFAULT_TURN_MS`] for a move, no match limit.
    fn default() -> Clock {
        Clock { turn_ms: None, match_ms: 0, left_ms: None, increment_ms: 0 }
    }
}

/// Milliseconds for a move if the manager sends no limit.
pub const DEFAULT_TURN_MS: u64 = 5_000;

/// The value of `time_left` that means no limit.
pub const UNLIMITED_MS: i64 = 2_147_483_647;

/// Budget for `timeout_turn 0`, "as fast as possible".
const AT_ONCE: Budget =
    Budget { optimum: Duration::from_millis(15), maximum: Duration::from_millis(30), is_saved: true };

/// Smallest share of the target after which a clear best move ends the search.
const LEAST_SHARE: f64 = 0.15;

/// Maximum time until the answer under `timeout_turn 0`, in milliseconds.
const AT_ONCE_LIMIT_MS: u64 = 100;

/// Quarters of an increment that a move may spend in advance; the rest makes up for delays.
const INCREMENT_QUARTERS: u64 = 3;

/// Minimum time for a move in milliseconds, however little is left: enough to find a forced win or reply.
const LEAST_MS: u64 = 3;

/// Match time reserved for each own move that may still come, in milliseconds: [`LEAST_MS`], and the time to
/// transmit the move. A game between strong players can fill the board.
const SET_ASIDE_MS: u64 = 5;

/// Progress of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameProgress {
    /// Stones on the board; the number of moves if the game removes stones.
    pub stones: usize,
    /// Empty points.
    pub empty: usize,
}

impl GameProgress {
    /// The progress of the game on `board`.
    pub fn of(board: &Board) -> GameProgress {
        GameProgress { stones: board.stone_count(), empty: board.empty().len() }
    }

    /// Maximum number of own moves that may still come; at least 20, because there is no bound if stones are
    /// removed.
    fn most_moves(self) -> u64 {
        self.empty.div_ceil(2).max(20) as u64
    }

    /// Number of own moves that the rest of the match time should last for. Half of the games end within 20
    /// stones of each side, but longer games need time too.
    fn moves_to_go(self) -> u64 {
        (24 - self.stones.min(120) / 10) as u64
    }
}

/// Time for one move, counted from the moment when the command to think was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Target of an ordinary move: the search ends at about this time, between iterations; see
    /// [`Budget::is_spent`].
    pub optimum: Duration,
    /// Hard limit of any move.
    pub maximum: Duration,
    /// Whether unused time is available for later moves.
    pub is_saved: bool,
}

impl Budget {
    /// This budget, limited to the time left: an ordinary move spends at most three quarters of it, and the
    /// longest move leaves an eighth, because the increment comes too late for a move that is late.
    fn within(self, there_ms: u64) -> Budget {
        let part = |eighths: u64| Duration::from_millis((there_ms.saturating_mul(eighths) / 8).max(1));
        let maximum = self.maximum.min(part(7));
        Budget { optimum: self.optimum.min(part(6)).min(maximum), maximum, ..self }
    }

    /// Whether a search that visits a million nodes per second reaches `nodes` before the clock ends the search.
    pub fn has_time_for(&self, nodes: u64) -> bool {
        let time = if self.is_saved { self.optimum.mul_f64(LEAST_SHARE) } else { self.maximum };
        u128::from(nodes / 1000) <= time.as_millis()
    }

    /// Whether another iteration is not worth starting after the time `elapsed`. `effort` is the best move's
    /// share of the nodes, from 0 to 1. `unsettled` measures recent changes of the best move: 1 for a change
    /// in the last iteration, half for the iteration before, and so on.
    pub fn is_spent(&self, elapsed: Duration, effort: f64, unsettled: f64) -> bool {
        if !self.is_saved {
            // Only the deadline ends the search.
            return false;
        }
        // A best move that took most of the effort is clear; a new best move is not. An iteration takes about
        // as long as all previous iterations together.
        let factor = (2.0 - 2.0 * effort + 0.6 * unsettled).clamp(LEAST_SHARE, 2.5);
        elapsed >= self.optimum.mul_f64(factor)
    }
}

impl Clock {
    /// The budget of a move.
    ///
    /// An increment is added after the move. It is spent in advance as far as the remaining time covers it.
    ///
    /// ```
    /// use kakugo::think::{Clock, GameProgress};
    /// let clock = Clock { turn_ms: Some(5_000), match_ms: 120_000, left_ms: Some(120_000), increment_ms: 0 };
    /// let budget = clock.budget(GameProgress { stones: 10, empty: 215 });
    /// assert!(budget.optimum.as_millis() > 2_000 && budget.maximum.as_millis() < 5_000);
    /// ```
    pub fn budget(&self, progress: GameProgress) -> Budget {
        let turn_ms = self.turn_ms.unwrap_or(DEFAULT_TURN_MS);
        let turn_ms = turn_ms.saturating_sub(reserve_ms(turn_ms)).max(LEAST_MS);
        let Some(left_ms) = self.left_for_match() else {
            let all = Duration::from_millis(turn_ms);
            return if self.is_at_once() {
                AT_ONCE
            } else {
                Budget { optimum: all, maximum: all, is_saved: false }
            };
        };
        let left_ms = left_ms.saturating_sub(reserve_ms(left_ms));
        if self.is_at_once() {
            return AT_ONCE.within(left_ms);
        }
        let extra_ms = self.increment_ms / 4 * INCREMENT_QUARTERS;
        // If little time is left, a move gets only an even share.
        let even = left_ms / progress.most_moves();
        let spare = left_ms.saturating_sub(SET_ASIDE_MS * progress.most_moves());
        let share = (spare / progress.moves_to_go()).max(even.min(SET_ASIDE_MS));
        let optimum = share.saturating_add(extra_ms);
        let most = (spare / 4).max(share).saturating_add(extra_ms);
        let maximum = optimum.saturating_mul(6).min(most).min(turn_ms).max(even.clamp(1, LEAST_MS));
        let (optimum, maximum) = (Duration::from_millis(optimum), Duration::from_millis(maximum));
        Budget { optimum, maximum, is_saved: true }.within(left_ms)
    }

    /// Latest time to send the answer, counted from the command: an eighth of the way from the budget's end
    /// to the manager's limit.
    pub fn last_moment(&self, progress: GameProgress) -> Duration {
        let turn_ms = match self.turn_ms.unwrap_or(DEFAULT_TURN_MS) {
            0 => AT_ONCE_LIMIT_MS,
            turn_ms => turn_ms,
        };
        let limit_ms = turn_ms.min(self.left_for_match().unwrap_or(u64::MAX));
        let maximum = self.budget(progress).maximum;
        maximum + Duration::from_millis(limit_ms).saturating_sub(maximum) / 8
    }

    fn is_at_once(&self) -> bool {
        self.turn_ms == Some(0)
    }

    /// Milliseconds left of the match time, if it is limited.
    fn left_for_match(&self) -> Option<u64> {
        match self.left_ms {
            // Without a fallback: `match_ms` does not limit this clock.
            Some(left_ms) if left_ms >= UNLIMITED_MS => None,
            Some(left_ms) => Some(left_ms.max(0) as u64),
            None => (self.match_ms > 0).then_some(self.match_ms),
        }
    }
}

/// The reserve to subtract from a limit, in milliseconds, for the transmission to the manager and its delay:
/// managers poll every 10 ms, and a loaded machine may not run the engine at once (with two virtual cores,
/// both busy, a sleeping thread woke up 20 ms late once a minute).
fn reserve_ms(limit_ms: u64) -> u64 {
    (limit_ms / 8 + 14).min(limit_ms / 16 + 20).min(200)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(turn_ms: u64, match_ms: u64, left_ms: i64) -> Clock {
        Clock { turn_ms: Some(turn_ms), match_ms, left_ms: Some(left_ms), increment_ms: 0 }
    }

    /// A 20x20 board with this number of stones.
    fn after(stones: usize) -> GameProgress {
        GameProgress { stones, empty: 400 - stones }
    }

    #[test]
    fn a_part_of_the_time_is_a_part_of_each_limit() {
        assert_eq!(clock(1, 0, 0).divided(3).turn_ms, Some(1), "0 would mean at once");
        assert_eq!(clock(0, 0, 0).divided(3).turn_ms, Some(0));
        assert_eq!(clock(0, 0, 5).divided(u64::MAX).left_ms, Some(0));
        assert_eq!(clock(0, 0, i64::MIN).divided(u64::MAX).left_ms, Some(-1));
        assert_eq!(clock(1_000, 0, UNLIMITED_MS).divided(2), clock(500, 0, UNLIMITED_MS));
        let whole = Clock { increment_ms: 400, ..clock(60_000, 180_000, 90_000) };
        let (whole, half) = (whole.budget(after(20)), whole.divided(2).budget(after(20)));
        assert!(half.maximum <= whole.maximum.mul_f64(0.52), "{half:?} of {whole:?}");
    }

    #[test]
    fn the_match_time_lasts_until_the_board_is_full() {
        for (turn_ms, match_ms) in [(100, 2_400), (5_000, 120_000), (30_000, 180_000)] {
            for spent in [0.5, 1.0, 1.3] {
                let mut left_ms = match_ms as f64;
                for stones in (6..400).step_by(2) {
                    let budget = clock(turn_ms, match_ms, left_ms as i64).budget(after(stones));
                    let took = budget.optimum.mul_f64(spent).min(budget.maximum);
                    left_ms -= took.as_secs_f64() * 1e3 + 1.0;
                    assert!(
                        left_ms > 0.0,
                        "{turn_ms} {match_ms} {spent}: nothing left after {stones} stones"
                    );
                }
            }
        }
    }

    const TURNS: [u64; 9] = [0, 1, 5, 20, 50, 200, 1_000, 30_000, 1_000_000_000];
    const LEFT: [i64; 12] = [-500, 0, 1, 10, 17, 50, 100, 500, 5_000, 180_000, 10_000_000, UNLIMITED_MS];
    const INCREMENTS: [u64; 8] = [0, 1, 10, 100, 1_000, 10_000, u64::MAX / 2, u64::MAX];

    /// All of these clocks, with and without a turn limit.
    fn clocks() -> impl Iterator<Item = Clock> {
        let turns = TURNS.into_iter().map(Some).chain([None]);
        turns.flat_map(|turn_ms| {
            LEFT.into_iter().flat_map(move |left_ms| {
                INCREMENTS.map(|increment_ms| Clock {
                    turn_ms,
                    match_ms: 180_000,
                    left_ms: Some(left_ms),
                    increment_ms,
                })
            })
        })
    }

    /// Time that a clock leaves for a move, in milliseconds.
    fn limit_ms(clock: &Clock) -> u64 {
        let turn_ms = clock.turn_ms.unwrap_or(DEFAULT_TURN_MS);
        let left_ms = clock.left_ms.expect("all of these have it").max(0) as u64;
        if turn_ms == 0 { left_ms.min(AT_ONCE_LIMIT_MS) } else { turn_ms.min(left_ms) }
    }

    #[test]
    fn no_budget_reaches_what_is_left_less_the_reserve() {
        for clock in clocks() {
            for stones in [0, 10, 60, 400] {
                let budget = clock.budget(after(stones));
                assert!(budget.optimum <= budget.maximum, "{clock:?}");
                let turn_ms = clock.turn_ms.unwrap_or(DEFAULT_TURN_MS);
                let of_turn_ms = match turn_ms {
                    0 => 30,
                    _ => (turn_ms - reserve_ms(turn_ms).min(turn_ms)).max(LEAST_MS),
                };
                let left_ms = clock.left_ms.expect("all of these have it").max(0) as u64;
                let of_match_ms = (left_ms - reserve_ms(left_ms).min(left_ms)).max(1);
                let bound = Duration::from_millis(of_turn_ms.min(of_match_ms));
                assert!(budget.maximum <= bound, "{clock:?} after {stones}: {budget:?}, at most {bound:?}");
            }
        }
    }

    #[test]
    fn the_last_moment_is_between_the_budget_and_the_limit() {
        for clock in clocks() {
            let last = clock.last_moment(after(20));
            assert!(last >= clock.budget(after(20)).maximum, "{clock:?}");
            assert!(last <= Duration::from_millis(limit_ms(&clock).max(LEAST_MS)), "{clock:?}: {last:?}");
        }
        assert_eq!(clock(50, 0, UNLIMITED_MS).last_moment(after(20)), Duration::from_micros(32_500));
    }

    #[test]
    fn an_increment_larger_than_what_is_left_is_spent_as_far_as_it_is_there() {
        // The command lines of issue 16; previously 754, 751 and 4800 ms.
        for (match_ms, left_ms, increment_ms) in
            [(500, None, 1_000), (0, Some(50), 1_000), (100, None, 10_000), (60_000, Some(900), u64::MAX)]
        {
            let clock = Clock { turn_ms: Some(30_000), match_ms, left_ms, increment_ms };
            let there = left_ms.unwrap_or(match_ms as i64) as f64;
            let budget = clock.budget(after(0));
            assert!(budget.maximum.as_secs_f64() * 1e3 < there * 0.85, "{clock:?}: {budget:?}");
            assert!(budget.optimum.as_secs_f64() * 1e3 > there * 0.4, "{clock:?} is wasted: {budget:?}");
        }
    }

    /// Plays all moves of a game that fills the board; returns what is left at the end, in milliseconds.
    fn left_after_game(
        turn_ms: Option<u64>,
        match_ms: u64,
        increment_ms: u64,
        spent: f64,
        lag_ms: f64,
    ) -> f64 {
        let mut left_ms = match_ms as f64;
        for stones in (0..400).step_by(2) {
            let clock = Clock { turn_ms, match_ms, left_ms: Some(left_ms as i64), increment_ms };
            let budget = clock.budget(after(stones));
            let took = budget.optimum.mul_f64(spent).min(budget.maximum).as_secs_f64() * 1e3 + lag_ms;
            assert!(
                took < left_ms,
                "{match_ms} + {increment_ms}, {spent}: {took} of {left_ms} ms after {stones} stones"
            );
            left_ms += increment_ms as f64 - took;
        }
        left_ms
    }

    #[test]
    fn a_game_with_increments_lasts_and_spends_them() {
        for turn_ms in [None, Some(1_000), Some(30_000), Some(1_000_000)] {
            for match_ms in [100, 500, 5_000, 60_000] {
                for increment_ms in [10, 50, 100, 1_000, 10_000] {
                    for spent in [0.4, 1.0, 4.0] {
                        left_after_game(turn_ms, match_ms, increment_ms, spent, 4.0);
                    }
                }
            }
        }
        // Time does not accumulate without limit: in the long run, the increments are spent.
        let left_ms = left_after_game(Some(1_000_000), 500, 1_000, 1.0, 1.0);
        assert!(left_ms < 10_000.0, "{left_ms} ms are left of 200 increments of a second");
    }

    #[test]
    fn an_absurd_increment_is_no_harm() {
        let clock = Clock { increment_ms: u64::MAX, ..clock(1_000, 180_000, 180_000) };
        assert!(clock.budget(after(20)).maximum <= Duration::from_millis(1_000));
    }

    #[test]
    fn a_clear_move_saves_time_even_if_a_share_of_the_game_is_more_than_a_turn() {
        let budget = clock(5_000, 120_000, 120_000).budget(after(4));
        assert_eq!(budget.optimum, budget.maximum);
        assert!(budget.is_spent(budget.maximum / 2, 0.9, 0.0));
        assert!(!clock(5_000, 0, UNLIMITED_MS).budget(after(4)).is_spent(Duration::from_secs(4), 0.9, 0.0));
    }

    #[test]
    fn unlimited_matches_use_the_whole_turn() {
        let budget = clock(1_000, 0, UNLIMITED_MS).budget(after(20));
        assert_eq!(budget, Budget { optimum: budget.maximum, ..budget });
        assert!(budget.maximum >= Duration::from_millis(850));
        let silent = Clock::default().budget(after(0));
        assert!(silent.maximum > Duration::from_millis(DEFAULT_TURN_MS * 9 / 10));
    }

    #[test]
    fn a_node_limit_is_reached_before_the_clock_can_end_a_move() {
        let turn = clock(1_000, 0, UNLIMITED_MS).budget(after(20));
        let most = turn.maximum.as_millis() as u64 * 1_000;
        assert!(turn.has_time_for(most) && !turn.has_time_for(most + 1_000) && !turn.has_time_for(u64::MAX));
        let game = clock(30_000, 180_000, 180_000).budget(after(20));
        let least = game.optimum.mul_f64(LEAST_SHARE).as_millis() as u64 * 1_000;
        assert!(least < game.maximum.as_millis() as u64 * 1_000, "{game:?}");
        assert!(game.has_time_for(least) && !game.has_time_for(least + 1_000));
    }

    #[test]
    fn at_once_is_under_a_tenth_of_a_second() {
        assert!(clock(0, 180_000, 180_000).budget(after(0)).maximum < Duration::from_millis(60));
    }
}
