//! The search. It never prints or reads: it reports through a [`Reporter`](crate::think::Reporter).
//!
//! [`LazySmp`] runs one [`worker`] per thread. Each worker deepens iteratively ([`iterative_deepening`]) from
//! the [`root`] with the recursive [`alpha_beta`], which ends in [`quiescence`]. [`situation`] finds the
//! moves that threats force, [`node`] contains the facts about a node, [`singular`] extends the only good
//! move, and [`params`] contains the tunables and the limits of the tree and the solvers. [`forced`] calls
//! the solvers before the search, [`analysis`] searches for several moves, [`variation`] extends wins to
//! their end, and [`helpers`] gives the threads different depths and lets them vote. [`RootOptions`] control
//! a search: [`blocked_line`] handles the lines that they block, [`game_end`] the end of the game that they
//! set, and [`known`] the values that they provide. [`table_file`] stores the table on disk.

mod alpha_beta;
mod analysis;
mod blocked_line;
mod correction;
mod eval_cache;
mod forced;
mod game_end;
mod harvest;
mod helpers;
mod history;
mod iterative_deepening;
mod known;
mod lazy_smp;
mod move_picker;
mod node;
mod params;
mod pattern_history;
mod quiescence;
mod root;
mod root_moves;
mod root_options;
mod sampler;
mod setup;
mod singular;
mod situation;
mod static_eval;
mod table_file;
mod transposition;
mod variation;
mod worker;

pub use harvest::{Harvest, HarvestedPosition};
pub use known::{KnownPositions, KnownValue};
pub use lazy_smp::{LazySmp, STACK_BYTES, THREAD_BYTES};
pub use params::{Params, TUNABLES, Tunable, TuneError, Tuned};
pub use root_options::{DrawTerms, RootOptions};
pub use sampler::Sampler;
pub use setup::Setup;
pub use situation::Situation;
pub use table_file::{TableDump, TableScope};
pub use transposition::TranspositionTable;
