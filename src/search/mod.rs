//! The search. It never prints and never reads: it reports through a [`Reporter`].
//!
//! [`LazySmp`] runs one [`worker`] per thread; each deepens iteratively ([`iterative_deepening`]) from the [`root`] by
//! the recursive [`alpha_beta`], which ends in [`quiescence`]. [`situation`] says what threats force, [`params`] holds
//! the tunables and the limits of the tree and the solvers. [`forced`] asks the solvers before; [`analysis`] searches
//! for several moves, [`variation`] shows wins to their end, [`mod@vote`] chooses between threads; what the system
//! refuses is a [`Shortage`]. [`RootOptions`] steer a search: [`blocked_line`] leaves out what they block, [`game_end`]
//! searches where they let the game end, [`known`] has the values that they give. [`table_file`] keeps the table on disk.

mod alpha_beta;
mod analysis;
mod blocked_line;
mod forced;
mod game_end;
mod history;
mod iterative_deepening;
mod known;
mod lazy_smp;
mod move_picker;
mod params;
mod quiescence;
mod report;
mod root;
mod root_options;
mod sampler;
pub mod score;
mod shortage;
mod situation;
mod table_file;
mod time;
mod transposition;
mod variation;
mod vote;
mod worker;

pub use known::{KnownPositions, KnownValue};
pub use lazy_smp::{LazySmp, STACK_BYTES, Setup, THREAD_BYTES};
pub use params::{Params, TUNABLES, Tunable, TuneError, Tuned};
pub use report::{Iteration, Recording, Reporter, RootEvent, SearchReport, Silent};
pub use root_options::{DrawTerms, RootOptions};
pub use sampler::Sampler;
pub use shortage::Shortage;
pub use situation::Situation;
pub use table_file::{TableDump, TableScope};
pub use time::{Budget, Clock, DEFAULT_TURN_MS, GameProgress, Limits};
pub use transposition::{Bound, TranspositionTable};
