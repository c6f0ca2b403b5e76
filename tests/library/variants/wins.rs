//! Wins claimed by the search are real: fives that can be broken do not win, and a track stone may still save
//! a side.

use std::sync::atomic::AtomicBool;

use kakugo::board::{Color, Size};
use kakugo::game::{Game, Move, format_moves};
use kakugo::think::score::{MATE, MATE_THRESHOLD, Value, mate_in};
use kakugo::think::{GameEngine, Limits, SearchResult, Silent};
use kakugo::variant_search::{Searchable, VariantSearch};
use kakugo::variants::capture::{CaptureGame, CaptureRules};
use kakugo::variants::double_three::DoubleThreeGame;
use kakugo::variants::roku::RokuGame;
use kakugo::variants::{self, GameRules};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use crate::variants::drawn::play;
use crate::variants::engine::{names, think};
use crate::variants::matches::{chosen_games, setting};
use crate::variants::search::random_position;

/// The result of a search after moves by name.
fn thought(rules: &str, moves: &str, nodes: u64) -> SearchResult {
    let mut game = CaptureGame::new(CaptureRules::parse(rules).expect("as the test wants it"));
    play(&mut game, moves);
    think(&mut VariantSearch::new(game), nodes)
}

/// A line in which `winner` does not win within `plies` moves: replies of the other side after which the
/// search finds no such win, or one that fails. The winner plays the moves that the search finds, and any
/// move as its last.
fn flaw<G: Searchable + 'static>(
    engine: &mut VariantSearch<G>,
    winner: Color,
    plies: u32,
) -> Option<Vec<Move>> {
    if let Some(outcome) = engine.game().outcome() {
        return (outcome.winner != Some(winner)).then(Vec::new);
    }
    let is_winners = engine.game().side_to_move() == winner;
    let moves = match plies {
        0 => return Some(Vec::new()),
        2.. if is_winners => {
            let SearchResult { best, last, .. } = think(engine, 20_000);
            let best = best.filter(|_| last.value >= mate_in(plies as i32));
            let Some(best) = best else { return Some(Vec::new()) };
            vec![best]
        }
        _ => engine.game().legal_moves(),
    };
    let mut flaws = moves.into_iter().map(|mv| {
        engine.play(mv);
        let line = flaw(engine, winner, plies - 1);
        engine.undo();
        line.map(|line| [vec![mv], line].concat())
    });
    // The winner needs one move that works, the other side one that does not lose.
    if is_winners { flaws.reduce(Option::and).flatten() } else { flaws.find_map(|flaw| flaw) }
}

/// Number of moves left in a game with this value, if it is won or lost.
fn plies_to_end(value: Value) -> Option<u32> {
    (value.abs() >= MATE_THRESHOLD).then(|| (MATE - value.abs()) as u32)
}

/// Plays games with many random moves. Tries `count` of the wins and losses of up to `most` moves that the
/// search finds in them, against every reply.
fn try_wins<G: Searchable + 'static>(start: &G, seed: u64, count: usize, most: u32) {
    let rng = &mut StdRng::seed_from_u64(seed);
    let mut tried = 0;
    while tried < count {
        let mut engine = VariantSearch::new(random_position(start.clone(), rng, 6));
        while engine.game().outcome().is_none() {
            let SearchResult { best, last, .. } = think(&mut engine, 300);
            let best = best.expect("the game is not over");
            let Some(plies) = plies_to_end(last.value).filter(|plies| (2..=most).contains(plies)) else {
                let any = engine.game().legal_moves().choose(rng).copied();
                engine.play(any.filter(|_| rng.random_bool(0.25)).unwrap_or(best));
                continue;
            };
            let side = engine.game().side_to_move();
            let mut other = VariantSearch::new(engine.searchable().clone());
            let flaw = if last.value > 0 {
                other.play(best);
                flaw(&mut other, side, plies - 1)
            } else {
                flaw(&mut other, !side, plies)
            };
            let written = |moves: &[Move]| format_moves(moves, start.size());
            let moves = written(&other.game().moves());
            let name = start.name();
            assert_eq!(flaw.map(|line| written(&line)), None, "{name}: {moves}, then worth {}", last.value);
            tried += 1;
            engine.play(best);
        }
    }
}

/// Tries wins and losses in a game by name, on a small board if possible.
fn try_wins_of(text: &str, seed: u64, count: usize, most: u32) {
    let small = Size::square(9).expect("a board");
    let text = variants::with_size(text, small).unwrap_or(text.to_owned());
    match variants::parse(&text).expect("the name of a game") {
        GameRules::Capture(rules) => try_wins(&CaptureGame::new(rules), seed, count, most),
        GameRules::DoubleThree(rules) => try_wins(&DoubleThreeGame::new(rules), seed, count, most),
        GameRules::Roku(rules) => try_wins(&RokuGame::new(rules), seed, count, most),
    }
}

#[test]
fn wins_hold_against_every_reply() {
    for text in names() {
        try_wins_of(text, 7, 24, 3);
    }
}

#[test]
#[ignore = "minutes; GAMES, WINS (the number of wins of each game), SEED in the environment"]
fn long_wins_hold_against_every_reply() {
    let count = setting("WINS", 40) as usize;
    for text in chosen_games() {
        try_wins_of(&text, setting("SEED", 8), count, 5);
    }
}

/// A lingering five wins by any move after which no capture breaks it, even one that makes no row.
#[test]
fn a_lingering_five_wins_by_a_quiet_move() {
    let with_open_four = "a10 c11 b10 f10 c10 e4 d10 f4 c9 o15 o8 g4 e10 h4";
    let with_closed_four = "a10 c11 b10 f10 c10 e4 d10 f4 c9 o15 d4 g4 e10 h4";
    for moves in [with_open_four, with_closed_four] {
        let thought = thought("gomoku42-web:size=15", moves, 2_000);
        assert_eq!(thought.last.value, mate_in(1), "{moves}");
    }
}

/// White's five at h8 captures h9 and h10; black returns to h9 and captures three pairs from there, the last
/// that it needs. So h3, which blocks nothing, defends.
#[test]
fn a_five_that_captures_may_open_what_it_closes() {
    let moves = "c8 h11 e6 i3 h9 d8 h10 j3 k9 e8 k12 k3 g12 f8 a15 f7 o15 j11 a1 i9 o1 j9 a11 i10 o6 g8";
    let rules = "gomoku42:size=15,start_pairs=2/0";
    let mut game = CaptureGame::new(CaptureRules::parse(rules).expect("as the test wants it"));
    play(&mut game, moves);
    play(&mut game, "h3 h8 h9");
    assert_eq!(game.outcome().and_then(|outcome| outcome.winner), Some(Color::Black));
    (0..3).for_each(|_| game.undo());
    for depth in 1..=5 {
        let limits = Limits::depth(depth);
        let thought = VariantSearch::new(game.clone()).think(&limits, &AtomicBool::new(false), &Silent);
        assert!(thought.last.value > -MATE_THRESHOLD, "depth {depth}: {}", thought.last.value);
    }
}

/// White's g8 would make a five, but also two free threes: it is refused, and so is not a threat.
#[test]
fn a_five_that_is_refused_threatens_nothing() {
    let moves = "b8 c8 i3 g10 a15 d8 j3 i10 o15 e8 k3 g9 a1 h9 o1 f8";
    let thought = thought("gomoku42:size=15", moves, 5_000);
    assert!(thought.last.value >= MATE_THRESHOLD, "black's open four: {}", thought.last.value);
}
