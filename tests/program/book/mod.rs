//! Books through the public API and the command line: growth, resumption after kills, shares, play.

mod commands;
mod growth;
mod kills;
mod openings;
mod play;
mod resumed;
mod shares;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use kakugo::book::{BuildOutcome, Plan, build};
use kakugo::database::{Access, Key, Record, Store};
use kakugo::rules::Rule;

pub use crate::database::board;

/// A plan of quick searches from one freestyle opening, until the book has `positions` positions.
pub fn quick_plan(opening: &str, positions: u64) -> Plan {
    let plan = Plan::new(Rule::default(), vec![board(opening)]);
    Plan { nodes: 200, moves: 3, positions: Some(positions), ..plan }
}

/// Executes a plan on a file.
pub fn built(path: &Path, plan: &Plan) -> BuildOutcome {
    let store = Store::open(path, Access::Create).unwrap();
    build(&store, plan, &AtomicBool::new(false), &mut |_| {}).unwrap()
}

/// The complete content of a file.
pub fn entries(path: &Path) -> Vec<(Key, Record)> {
    let store = Store::open(path, Access::Read).unwrap();
    store.reader().unwrap().entries().unwrap().map(Result::unwrap).collect()
}
