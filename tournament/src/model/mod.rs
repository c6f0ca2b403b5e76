//! The lowest layer: the types that all other modules share. It imports no other module of this package.
//!
//! - [`settings`]: rule, board and engines with their limits, resolved and checked.
//! - [`clock`]: the time control of a side.
//! - [`game_kind`]: the game that is played, a rule of the protocol or a game outside that family.
//! - [`procedure`]: names of opening procedures.
//! - [`ending`]: all endings of a game, and the failures of engines.
//! - [`dropouts`]: engines that fail again and again.
//! - [`search_info`]: what an engine reports while it thinks.
//! - [`shard`]: shares of a batch that is spread over several machines.
//! - [`record`]: the record of a game, with the evidence of a failure: the contents of the results file.

pub mod clock;
pub mod dropouts;
pub mod ending;
pub mod game_kind;
pub mod procedure;
pub mod record;
pub mod search_info;
pub mod settings;
pub mod shard;
