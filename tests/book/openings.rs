//! Decisions in opening procedures take the values that a book knows.

use std::sync::atomic::AtomicBool;

use kakugo::board::{Board, Size};
use kakugo::database::{Bound, Known, Label, Probe};
use kakugo::engine::{Engine, Options};
use kakugo::opening::{Brief, Decided, decide};
use kakugo::rules::Rule;
use kakugo::rules::procedure::{Answer, Negotiation, Procedure};
use kakugo::search::Limits;

/// A book in which every position has one value and depth.
struct Flat {
    value: i16,
    depth: i16,
}

impl Probe for Flat {
    fn probe(&self, _: &Board, _: Rule) -> Option<Known> {
        let Flat { value, depth } = *self;
        Some(Known { label: Label::None, value, depth, bound: Bound::Exact, best_move: None })
    }
}

/// The swap decision after three stones.
fn swap_decision(book: &Flat) -> Decided {
    let mut negotiation = Negotiation::new(Procedure::Swap, Size::default()).unwrap();
    negotiation.answer(&Answer::parse("h8 i9 j8", Size::default()).unwrap()).unwrap();
    let mut engine = Engine::new(Options { hash_bytes: Some(4 << 20), ..Options::default() });
    let limits = Limits { max_nodes: Some(40), ..Limits::infinite() };
    let stop = AtomicBool::new(false);
    let brief = Brief::new(&limits, &stop, 0).with_known(book);
    decide(&mut engine, &negotiation, &brief).unwrap()
}

#[test]
fn a_known_value_decides_without_a_search() {
    // White is to move, and whoever decides has white.
    let good = swap_decision(&Flat { value: 300, depth: 12 });
    assert_eq!((good.answer, good.value, good.nodes), (Answer::Stay, 300, 0));
    let bad = swap_decision(&Flat { value: -300, depth: 12 });
    assert_eq!((bad.answer, bad.value, bad.nodes), (Answer::Swap, 300, 0));
}

#[test]
fn a_value_of_a_short_search_is_found_anew() {
    let shallow = swap_decision(&Flat { value: 5_000, depth: 2 });
    assert!(shallow.nodes > 0 && shallow.value != 5_000, "{shallow:?}");
}
