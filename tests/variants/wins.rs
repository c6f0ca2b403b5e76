//! Fives that can be broken are no wins, whatever the search says: what it claims to be won is won.

use std::sync::atomic::AtomicBool;

use kakugo::board::Color;
use kakugo::search::score::{MATE, MATE_THRESHOLD, Value, mate_in};
use kakugo::search::{Limits, Silent};
use kakugo::variants::capture::{CaptureGame, CaptureRules};
use kakugo::variants::search::{Opponent, Seat, Thought};
use kakugo::variants::{Game, Move, format_moves};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use crate::drawn::play;
use crate::engine::think;
use crate::search::random_position;

const CAPTURE_GAMES: [&str; 5] = ["gomoku42", "gomoku42-web", "ninuki", "pente", "keryo"];

/// What the search finds after moves by name.
fn thought(rules: &str, moves: &str, nodes: u64) -> Thought {
    let mut game = CaptureGame::new(CaptureRules::parse(rules).expect("as the test wants it"));
    play(&mut game, moves);
    think(&mut Seat::new(game), nodes)
}

/// Whether `us` has won, or wins by any one stone that it may play now.
fn wins_at_once(game: &mut dyn Game, us: Color) -> bool {
    if let Some(outcome) = game.outcome() {
        return outcome.winner == Some(us);
    }
    game.side_to_move() == us
        && game.legal_moves().into_iter().any(|mv| {
            game.play(mv);
            let wins = game.outcome().is_some_and(|outcome| outcome.winner == Some(us));
            game.undo();
            wins
        })
}

/// A line by which the side to move does not lose within `plies` moves, an even number: a reply to which the search
/// finds no win, or one whose win does not hold.
fn escape(seat: &mut Seat<CaptureGame>, plies: u32) -> Option<Vec<Move>> {
    let them = !seat.game().side_to_move();
    seat.game().legal_moves().into_iter().find_map(|reply| {
        seat.play(reply);
        let line = match plies {
            2 => (!wins_at_once(&mut seat.playable().clone(), them)).then(Vec::new),
            _ => no_win(seat, plies - 1),
        };
        seat.undo();
        line.map(|line| [vec![reply], line].concat())
    })
}

/// A line by which the side to move does not win within `plies` moves, an odd number, by the moves that the search
/// finds.
fn no_win(seat: &mut Seat<CaptureGame>, plies: u32) -> Option<Vec<Move>> {
    if wins_at_once(&mut seat.playable().clone(), seat.game().side_to_move()) {
        return None;
    }
    let Thought { best, last, .. } = think(seat, 20_000);
    let best = best.filter(|_| seat.game().outcome().is_none() && last.value >= mate_in(plies as i32));
    let Some(best) = best else { return Some(Vec::new()) };
    seat.play(best);
    let line = escape(seat, plies - 1);
    seat.undo();
    line.map(|line| [vec![best], line].concat())
}

/// How many moves are still to come in a game of this value, when it is won or lost.
fn plies_to_end(value: Value) -> Option<u32> {
    (value.abs() >= MATE_THRESHOLD).then(|| (MATE - value.abs()) as u32)
}

/// Plays games with a good share of random moves, and tries so many wins and losses of up to `most` moves that the
/// search finds in them against every reply.
fn try_wins(text: &str, seed: u64, count: usize, most: u32) {
    let rules = CaptureRules::parse(&format!("{text}:size=9")).expect("as the test wants it");
    let rng = &mut StdRng::seed_from_u64(seed);
    let mut tried = 0;
    while tried < count {
        let mut seat = Seat::new(random_position(CaptureGame::new(rules), rng, 6));
        while seat.game().outcome().is_none() {
            let Thought { best, last, .. } = think(&mut seat, 300);
            let best = best.expect("the game goes on");
            let Some(plies) = plies_to_end(last.value).filter(|plies| (2..=most).contains(plies)) else {
                let any = seat.game().legal_moves().choose(rng).copied();
                seat.play(any.filter(|_| rng.random_bool(0.25)).unwrap_or(best));
                continue;
            };
            let mut other = Seat::new(seat.playable().clone());
            let line = if last.value > 0 {
                other.play(best);
                escape(&mut other, plies - 1)
            } else {
                escape(&mut other, plies)
            };
            let moves = format_moves(&other.game().moves(), other.game().size());
            let line = line.map(|line| format_moves(&line, other.game().size()));
            assert_eq!(line, None, "{text}: after {moves} the value was {}", last.value);
            tried += 1;
            seat.play(best);
        }
    }
}

#[test]
fn wins_hold_against_every_reply() {
    for text in CAPTURE_GAMES {
        try_wins(text, 7, 24, 3);
    }
}

#[test]
#[ignore = "minutes; GAMES, PAIRS for the number of wins, SEED in the environment"]
fn long_wins_hold_against_every_reply() {
    let count = crate::matches::setting("PAIRS", 40) as usize;
    for text in crate::matches::chosen_games().iter().filter(|text| !text.starts_with("roku")) {
        try_wins(text, crate::matches::setting("SEED", 8), count, 5);
    }
}

/// A five that lingers wins by any move after which no capture breaks it, even one that makes no row.
#[test]
fn a_lingering_five_wins_by_a_quiet_move() {
    let with_open_four = "a10 c11 b10 f10 c10 e4 d10 f4 c9 o15 o8 g4 e10 h4";
    let with_closed_four = "a10 c11 b10 f10 c10 e4 d10 f4 c9 o15 d4 g4 e10 h4";
    for moves in [with_open_four, with_closed_four] {
        let thought = thought("gomoku42-web:size=15", moves, 2_000);
        assert_eq!(thought.last.value, mate_in(1), "{moves}");
    }
}

/// White's five on h8 captures h9 and h10; black comes back to h9 and captures three pairs from there, the last it
/// needs: h3, which blocks nothing, holds.
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
        let limits = Limits { max_depth: Some(depth), ..Limits::infinite() };
        let thought = Seat::new(game.clone()).think(&limits, &AtomicBool::new(false), &Silent);
        assert!(thought.last.value > -MATE_THRESHOLD, "depth {depth}: {}", thought.last.value);
    }
}

/// White's g8 would make a five, and with it two free threes: it is refused, and so is no threat.
#[test]
fn a_five_that_is_refused_threatens_nothing() {
    let moves = "b8 c8 i3 g10 a15 d8 j3 i10 o15 e8 k3 g9 a1 h9 o1 f8";
    let thought = thought("gomoku42:size=15", moves, 5_000);
    assert!(thought.last.value >= MATE_THRESHOLD, "black's open four: {}", thought.last.value);
}
