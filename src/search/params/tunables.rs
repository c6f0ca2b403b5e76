//! The table of tunables: every margin of the search that matches can improve, with its value under each rule.
//!
//! Each line of the table below defines a field of [`Params`], which the formulas of [`params`](super) read,
//! and a [`Tunable`] with its name, range and step. All values are whole numbers; finer values are counted in
//! thousandths or hundredths, as the comment of the line says.
//!
//! | to do | how |
//! |---|---|
//! | add one | a line in the table, then read it in a formula |
//! | give a rule a value of its own | `Values::PerRule([...])` in the order of [`RuleKind::ALL`] in place of `All(value)` |
//! | list them | `pbrain-kakugo tunables --rule renju` |
//! | try a value | build with `--features tune`, then `INFO tune_NAME VALUE`; it holds for every rule |
//! | tune them | `tournament tune` (SPSA by matches), then write the result into the table |
//!
//! A search copies the values of its rule once, so reading one is a plain load, with or without the feature.
//! A number that must be the same in all searches that share a table does not belong here.

use crate::rules::RuleKind;

/// Values of a tunable, by rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    /// One value for every rule.
    All(i32),
    /// A value for each rule, in the order of [`RuleKind::ALL`].
    #[allow(dead_code, reason = "no tunable has gained by it so far")]
    PerRule([i32; RuleKind::ALL.len()]),
}

impl Values {
    const fn of(self, kind: RuleKind) -> i32 {
        match self {
            Values::All(value) => value,
            Values::PerRule(values) => values[kind as usize],
        }
    }
}

/// A number of the search that can be tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// The name, of letters and underscores.
    pub name: &'static str,
    defaults: Values,
    /// The smallest value.
    pub min: i32,
    /// The largest value.
    pub max: i32,
    /// Smallest difference that a few thousand games can measure: the perturbation at the end of a tuning.
    pub step: i32,
}

impl Tunable {
    /// The tunable with this name.
    pub fn named(name: &str) -> Option<&'static Tunable> {
        TUNABLES.iter().find(|tunable| tunable.name == name)
    }

    /// The default value under a rule.
    pub fn default_for(&self, kind: RuleKind) -> i32 {
        self.defaults.of(kind)
    }
}

/// A tunable, and the value that replaces its default under every rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuned {
    tunable: &'static Tunable,
    value: i32,
}

impl Tuned {
    /// The tunable called `name`, to be set to `value`.
    ///
    /// # Errors
    /// When there is no such tunable, or the value is not a whole number in its range.
    pub fn parse(name: &str, value: &str) -> Result<Tuned, TuneError> {
        let tunable = Tunable::named(name).ok_or(TuneError::NoTunable)?;
        let value = value.trim().parse().ok().filter(|value| (tunable.min..=tunable.max).contains(value));
        value
            .map(|value| Tuned { tunable, value })
            .ok_or(TuneError::OutOfRange { min: tunable.min, max: tunable.max })
    }

    /// The tunable.
    pub fn tunable(&self) -> &'static Tunable {
        self.tunable
    }
}

/// Why a tunable can't be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TuneError {
    /// The table has no tunable of this name.
    #[error("there is no such tunable")]
    NoTunable,
    /// The value is not a whole number within these limits.
    #[error("values go from {min} to {max}")]
    OutOfRange {
        /// The smallest value.
        min: i32,
        /// The largest value.
        max: i32,
    },
}

/// Defines [`Params`] and [`TUNABLES`] from lines `name: values, smallest to largest, step;`.
macro_rules! tunables {
    ($($(#[doc = $doc:literal])+ $name:ident: $values:expr, $min:literal to $max:literal, $step:literal;)+) => {
        /// The values that one search uses.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[doc = $doc])+ pub $name: i32,)+
        }

        /// Every tunable.
        pub const TUNABLES: &[Tunable] = &[$(Tunable {
            name: stringify!($name),
            defaults: $values,
            min: $min,
            max: $max,
            step: $step,
        },)+];

        impl Params {
            /// The default values under a rule.
            pub fn of(kind: RuleKind) -> Params {
                Params { $($name: const { $values }.of(kind),)+ }
            }

            /// Sets one value.
            pub fn set(&mut self, tuned: Tuned) {
                match tuned.tunable.name {
                    $(stringify!($name) => self.$name = tuned.value,)+
                    _ => unreachable!("a tunable is one of the table"),
                }
            }
        }
    };
}

use Values::All;

tunables! {
    /// Half the width of the first aspiration window, in points.
    aspiration_delta: All(15), 5 to 150, 8;
    /// The first depth that is searched with an aspiration window, in plies.
    aspiration_depth: All(4), 2 to 10, 1;
    /// Margin of the window after a fail low or a fail high, in percent of the margin before.
    aspiration_growth: All(200), 120 to 500, 30;
    /// Share of the nodes, and of the time, that the solver of threats may take before the search, in thousandths; 0
    /// disables it.
    root_vct_share: All(10), 0 to 200, 5;
    /// Fours that quiescence tries before it trusts the static evaluation: a dozen fours can be played in too many
    /// orders to try them all.
    quiescence_fours: All(3), 0 to 1000, 30;
    /// Margin of the static evaluation above beta that ends a node of depth 0 (reverse futility), in points.
    reverse_futility_base: All(2), -100 to 300, 25;
    /// Margin of reverse futility per ply, added to the margin of depth 0, in points.
    reverse_futility_slope: All(26), 0 to 200, 12;
    /// Depth subtracted for this margin where the side to move improves, in hundredths of a ply.
    reverse_futility_improving: All(100), 0 to 300, 40;
    /// A node is left to quiescence when the static evaluation is this far below alpha at depth 0 (razoring), in
    /// points.
    razor_base: All(55), 0 to 1000, 30;
    /// Razoring margin per ply, added to the margin of depth 0, in points.
    razor_slope: All(8), 0 to 200, 12;
    /// Depth of the deepest node with razoring, in plies.
    razor_depth: All(2), 0 to 8, 1;
    /// Weight of the correction history in the static evaluation, in percent.
    correction: All(60), 0 to 300, 20;
    /// A quiet move is skipped if the static evaluation plus this margin, in points, is at most alpha at depth 0
    /// (futility pruning).
    futility_base: All(100), 0 to 1000, 30;
    /// Margin of futility pruning per ply, added to the margin of depth 0, in points.
    futility_slope: All(58), 0 to 400, 12;
    /// Depth of the deepest node with futility pruning, in plies; -1 disables it.
    futility_depth: All(8), -1 to 20, 1;
    /// Share of its distance from beta by which the value of a fail high is brought back towards beta, in percent.
    fail_high_blend: All(50), 0 to 100, 8;
    /// Reduction of the table's move on the principal variation for each ply by which the table's search was shallower,
    /// in percent of a ply.
    stale_pv: All(28), 0 to 100, 6;
    /// Largest reduction of such a move, in thousandths of a ply.
    stale_pv_max: All(3600), 0 to 10000, 400;
    /// Moves tried at depth 0 before the others are skipped (move-count pruning), in hundredths.
    move_count_base: All(255), 100 to 2000, 120;
    /// Moves added per ply, in hundredths.
    move_count_slope: All(118), 0 to 1000, 70;
    /// Moves added per square of the depth in plies, in hundredths.
    move_count_square: All(13), 0 to 200, 14;
    /// Percent of this count left where the side to move does not improve.
    move_count_worsening: All(62), 20 to 100, 8;
    /// Percent of this count tried on the principal variation.
    move_count_pv: All(125), 20 to 400, 14;
    /// Percent of this count tried where a cutoff is expected.
    move_count_cut: All(70), 20 to 400, 10;
    /// Percent of this count tried where a threat of the opponent must be answered.
    move_count_forced: All(60), 20 to 400, 10;
    /// Percent of this count left where the static evaluation is 60 points or more below alpha.
    move_count_below: All(78), 20 to 200, 14;
    /// Percent by which this count grows for the best history of a move's pattern, and shrinks for the worst.
    move_count_pattern: All(30), 0 to 80, 14;
    /// Number of losing moves after which a node searches only the moves that break the opponent's fours.
    lost_moves: All(2), 1 to 20, 1;
    /// The first depth at which late moves are reduced, in plies.
    lmr_depth: All(2), 1 to 8, 1;
    /// Constant term of the reduction of late moves, in thousandths of a ply.
    lmr_base: All(700), -500 to 2500, 180;
    /// Divisor, in thousandths, of the term ln(depth) * ln(move number); the quotient is a reduction in plies.
    lmr_divisor: All(1350), 700 to 5000, 220;
    /// Reduction given back for the largest history value, in thousandths of a ply; others in proportion.
    lmr_history: All(2950), 0 to 8000, 450;
    /// Reduction given back for the best history of a move's pattern, and added for the worst, in thousandths of a ply.
    lmr_pattern: All(600), 0 to 4000, 300;
    /// Reduction given back on the principal variation, in thousandths of a ply.
    lmr_pv: All(1000), -500 to 3000, 200;
    /// Reduction added where a cutoff is expected, in thousandths of a ply.
    lmr_cut: All(1250), -500 to 3000, 220;
    /// Reduction given back for an open three on a point where the opponent could make nothing stronger, in thousandths
    /// of a ply.
    lmr_three: All(650), -500 to 3000, 180;
    /// Reduction given back where the side to move improves, in thousandths of a ply.
    lmr_improving: All(800), -500 to 3000, 180;
    /// Reduction added for a move far from the opponent's last one, in thousandths of a ply.
    lmr_far: All(300), -500 to 3000, 180;
    /// Reduction added per point of policy score behind the node's first move, in ten-thousandths of a ply.
    lmr_policy: All(160), 0 to 1000, 20;
    /// History bonus of a cutoff's move per square of the depth in plies; history values go up to 4096.
    history_bonus: All(6), 1 to 32, 2;
    /// The largest history bonus, on the same scale.
    history_bonus_max: All(400), 50 to 2000, 90;
    /// Order bonus of the largest history value, in hundredths of a point.
    history_order: All(2300), 0 to 40000, 1700;
    /// Order bonus of a killer or counter move, in points.
    killer_order: All(35), 0 to 400, 16;
    /// Order bonus of the best history of a move's pattern, in points.
    pattern_order: All(40), 0 to 400, 20;
    /// Amount by which the pattern history of a node's moves falls if the node fails low, in percent of a cutoff's bonus.
    pattern_malus: All(30), 0 to 200, 20;
    /// The first depth, in plies, at which a node without a table move is searched a ply less deep (internal
    /// iterative reduction).
    iir_depth: All(3), 2 to 16, 1;
    /// The first depth, in plies, at which the table's move is compared with the others (singular extension).
    singular_depth: All(7), 3 to 100, 1;
    /// Plies by which the table's search may be shallower than the node, at most.
    singular_missing: All(3), 0 to 8, 1;
    /// Distance from the table's value below which the others must fail low, in hundredths of a point per ply.
    singular_margin: All(52), 0 to 1000, 20;
    /// Points below that margin for a second ply of extension off the principal variation.
    singular_double: All(8), 0 to 1000, 4;
    /// Reduction of the table's move where it is not singular but its value is above beta, in thousandths of a ply.
    singular_negative: All(500), 0 to 3000, 200;
}

impl Params {
    /// The default values under a rule, with the values of `tuned` in their place.
    pub fn tuned(kind: RuleKind, tuned: &[Tuned]) -> Params {
        let mut params = Params::of(kind);
        tuned.iter().for_each(|&tuned| params.set(tuned));
        params
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        for (index, tunable) in TUNABLES.iter().enumerate() {
            let Tunable { name, min, max, step, .. } = *tunable;
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
            assert!(TUNABLES[..index].iter().all(|other| other.name != name), "{name} is there twice");
            assert!(min < max && step > 0 && step <= (max - min) / 4, "{name}: {min} to {max} by {step}");
            for kind in RuleKind::ALL {
                assert!((min..=max).contains(&tunable.default_for(kind)), "{name} under {}", kind.name());
            }
        }
    }

    #[test]
    fn each_tunable_sets_its_own_field() {
        let ours = Params::of(RuleKind::Renju);
        let mut all = ours.clone();
        for tunable in TUNABLES {
            let tuned = Tuned::parse(tunable.name, &tunable.max.to_string()).unwrap();
            let one = Params::tuned(RuleKind::Renju, &[tuned]);
            assert_ne!(one, ours, "{}", tunable.name);
            let before = all.clone();
            all.set(tuned);
            assert_ne!(all, before, "{} sets the field of another one", tunable.name);
        }
    }

    #[test]
    fn bad_names_and_values_are_told() {
        assert_eq!(Tuned::parse("lmr_bass", "1"), Err(TuneError::NoTunable));
        let range = Err(TuneError::OutOfRange { min: 5, max: 150 });
        for value in ["4", "151", "", "3.5", "many", "99999999999"] {
            assert_eq!(Tuned::parse("aspiration_delta", value), range, "{value}");
        }
        assert!(Tuned::parse("aspiration_delta", " 5 ").is_ok());
    }
}
