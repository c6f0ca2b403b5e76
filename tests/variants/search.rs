//! The search of the variants: what it must find, that it leaves no trace, and how it does against weaker players.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use kakugo::board::{Cell, Color, Point};
use kakugo::search::{Iteration, Limits, Reporter, Silent};
use kakugo::variants::capture::{CaptureGame, CaptureRules};
use kakugo::variants::roku::{RokuGame, RokuRules};
use kakugo::variants::search::{Opponent, Playable, Seat, Thought};
use kakugo::variants::{Game, Move, format_move, format_moves, opponent};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, SeedableRng};

use crate::drawn::{capture, roku};

/// Every game that has a name.
const GAMES: [&str; 10] = [
    "gomoku42",
    "gomoku42-web",
    "ninuki",
    "pente",
    "keryo",
    "roku",
    "roku-ninuki",
    "roku-handicap",
    "roku-dynamic",
    "roku-thrilling",
];

fn think(seat: &mut dyn Opponent, nodes: u64) -> Thought {
    let limits = Limits { max_nodes: Some(nodes), ..Limits::infinite() };
    seat.think(&limits, &AtomicBool::new(false), &Silent)
}

/// The move that the search plays, by name.
fn best(game: impl Playable + 'static, nodes: u64) -> String {
    let size = game.size();
    let thought = think(&mut Seat::new(game), nodes);
    format_move(thought.best.expect("the game goes on"), size)
}

#[test]
fn a_five_is_made_and_one_is_prevented() {
    let board = "
        .........
        .........
        .XXXX....
        .........
        .........
        ..OOOO...
        .........
        .........
        .........";
    for rules in ["gomoku42", "gomoku42-web", "ninuki", "pente", "keryo"] {
        let mv = best(capture(rules, Color::Black, board), 2_000);
        assert!(["a7", "f7"].contains(&mv.as_str()), "{rules}: {mv}");
        let four = board.replace("..OOOO...", ".XOOOO...").replace(".XXXX....", "..XXX....");
        assert_eq!(best(capture(rules, Color::Black, &four), 2_000), "g4", "{rules}");
    }
}

#[test]
fn a_five_that_can_be_broken_is_seen_through() {
    // e7 makes a five that white breaks by c5; g3 makes one that stays.
    let board = "
        .........
        ..O......
        XXXX.....
        ..X......
        .........
        .........
        ..XXXX...
        .........
        .........";
    let mv = best(capture("gomoku42", Color::Black, board), 5_000);
    assert!(["b3", "g3"].contains(&mv.as_str()), "{mv}");
}

#[test]
fn the_last_pair_is_captured() {
    let board = "
        .........
        .........
        ...XOO...
        .........
        .........
        .XXX.....
        .........
        .........
        .........";
    assert_eq!(best(capture("pente:start_pairs=4/0", Color::Black, board), 2_000), "g7");
    // A five of white's is broken by a capture when there is nothing else.
    let broken = "
        .........
        ..X......
        .OOOO....
        ..O......
        .........
        .........
        .........
        .........
        .........";
    let mv = best(capture("pente", Color::Black, broken), 5_000);
    assert_eq!(mv, "c5", "an open four, but a pair of it can be taken");
}

#[test]
fn roku_is_won_with_the_track_stone_and_lost_stones_are_seen() {
    assert_eq!(best(roku("roku", "d9 f10 g10 h10 b3", "h11 b5"), 5_000), "i10");
    let thought = think(&mut Seat::new(roku("roku-ninuki:goal_pairs=1", "f11 f10", "j11 g10 h10")), 5_000);
    assert_eq!(thought.last.value, kakugo::search::score::mate_in(1));
}

fn random_position<G: Playable>(mut game: G, rng: &mut StdRng, plies: usize) -> G {
    for _ in 0..plies {
        let Some(&mv) = game.legal_moves().choose(rng) else { break };
        game.play(mv);
    }
    game
}

/// Plays and thinks, and compares what is kept step by step with what a fresh start sees.
fn leaves_no_trace<G: Playable + PartialEq + std::fmt::Debug + 'static>(start: G) {
    for seed in 0..12 {
        let rng = &mut StdRng::seed_from_u64(seed);
        let mut seat = Seat::new(start.clone());
        for _ in 0..rng.random_range(0..40) {
            let Some(&mv) = seat.game().legal_moves().choose(rng) else { break };
            seat.play(mv);
            if rng.random_bool(0.2) {
                seat.undo();
            }
        }
        let before = seat.playable().clone();
        think(&mut seat, 300);
        assert!(*seat.playable() == before);
        assert_eq!(seat.evaluate(), Seat::new(before).evaluate(), "seed {seed}");
    }
}

#[test]
fn thinking_leaves_the_game_as_it_was() {
    for rules in ["gomoku42:size=9", "keryo:size=9", "ninuki"] {
        leaves_no_trace(CaptureGame::new(CaptureRules::parse(rules).unwrap()));
    }
    for rules in ["roku", "roku-ninuki", "roku-dynamic"] {
        leaves_no_trace(RokuGame::new(RokuRules::parse(rules).unwrap()));
    }
}

#[test]
fn a_node_limit_gives_the_same_move_twice() {
    for text in GAMES {
        let play = || -> Vec<Move> {
            let mut seat = opponent(text).unwrap();
            for _ in 0..8 {
                let thought = think(seat.as_mut(), 700);
                assert!(thought.last.nodes <= 701, "{text}: {:?}", thought.last);
                let Some(mv) = thought.best else { break };
                seat.play(mv);
            }
            seat.game().moves()
        };
        assert_eq!(play(), play(), "{text}");
    }
}

#[test]
fn a_search_obeys_the_stop_flag_and_a_depth() {
    for text in ["pente", "roku"] {
        let mut seat = opponent(text).unwrap();
        let stopped = seat.think(&Limits::infinite(), &AtomicBool::new(true), &Silent);
        assert!(stopped.best.is_some() && stopped.last.nodes <= 1_024, "{stopped:?}");
        let limits = Limits { max_depth: Some(2), ..Limits::infinite() };
        assert_eq!(seat.think(&limits, &AtomicBool::new(false), &Silent).last.depth, 2);
    }
}

#[test]
fn the_best_moves_differ_and_come_in_order() {
    for text in ["pente", "roku-ninuki"] {
        let mut seat = opponent(text).unwrap();
        opening(text, 2).into_iter().for_each(|mv| seat.play(mv));
        let lines = Lines::default();
        let limits = Limits { max_depth: Some(3), multi_pv: 3, ..Limits::infinite() };
        let thought = seat.think(&limits, &AtomicBool::new(false), &lines);
        let lines = lines.0.into_inner().expect("nobody panics");
        let (values, moves): (Vec<_>, BTreeSet<_>) =
            lines.iter().map(|line| (line.value, line.pv[0])).unzip();
        assert!(values.is_sorted_by_key(|&value| -value) && moves.len() == 3, "{text}: {lines:?}");
        assert_eq!(thought.best.map(|mv| mv.point), Some(lines[0].pv[0]));
    }
}

/// Keeps the last lines of a search for several moves.
#[derive(Default)]
struct Lines(Mutex<Vec<Iteration>>);

impl Reporter for Lines {
    fn iteration(&self, _: &Iteration) {
        panic!("several lines are told together");
    }

    fn lines(&self, lines: &[Iteration]) {
        *self.0.lock().expect("nobody panics") = lines.to_vec();
    }
}

#[test]
fn a_small_table_does() {
    let mut seat = opponent("pente").unwrap();
    seat.set_memory(0);
    assert!(think(seat.as_mut(), 2_000).best.is_some());
}

#[test]
fn every_position_gets_a_legal_move_until_the_game_ends() {
    for text in GAMES {
        let rng = &mut StdRng::seed_from_u64(7);
        let mut seat = opponent(text).unwrap();
        while let Some(mv) = think(seat.as_mut(), 60).best {
            // Random moves in between lead where no good player comes.
            let random = rng.random_bool(0.3).then(|| *seat.game().legal_moves().choose(rng).unwrap());
            let mv = random.unwrap_or(mv);
            assert_eq!(seat.game().check(mv), Ok(()), "{text}");
            seat.play(mv);
        }
        assert!(seat.game().outcome().is_some(), "{text}");
    }
}

/// Who plays in a match.
#[derive(Clone, Copy, Debug)]
enum Player {
    /// Searches so many nodes.
    Nodes(u64),
    /// Takes the move after which the position looks best, without looking further.
    Greedy,
}

impl Player {
    fn choose(self, seat: &mut dyn Opponent) -> Move {
        match self {
            Player::Nodes(nodes) => think(seat, nodes).best.expect("the game goes on"),
            Player::Greedy => {
                let us = seat.game().side_to_move();
                let value = |seat: &mut dyn Opponent, mv| {
                    seat.play(mv);
                    let value = match seat.game().outcome() {
                        Some(outcome) if outcome.winner == Some(us) => 100_000,
                        Some(outcome) if outcome.winner.is_some() => -100_000,
                        _ if seat.game().side_to_move() == us => seat.evaluate(),
                        _ => -seat.evaluate(),
                    };
                    seat.undo();
                    value
                };
                let moves = seat.game().legal_moves();
                // The first of equals, so that a match is the same twice.
                let best = moves
                    .into_iter()
                    .map(|mv| (value(seat, mv), mv))
                    .max_by_key(|&(value, mv)| (value, std::cmp::Reverse(mv)));
                best.expect("the game goes on").1
            }
        }
    }
}

/// Random moves near the middle, or on the sheet, after which neither side is known to win and neither is far ahead: a match
/// from a won position only tells who has it.
fn level_opening(text: &str, seed: u64) -> Vec<Move> {
    let is_level = |opening: &Vec<Move>| {
        let mut seat = opponent(text).expect("a game");
        opening.iter().for_each(|&mv| seat.play(mv));
        seat.game().outcome().is_none() && think(seat.as_mut(), 5_000).last.value.abs() <= 150
    };
    let tries = (0..).map(|again| opening(text, seed + 100_000 * again));
    tries.take(100).find(is_level).expect("one of a hundred is level")
}

/// A few random moves near the middle, or on the sheet.
fn opening(text: &str, seed: u64) -> Vec<Move> {
    let rng = &mut StdRng::seed_from_u64(seed);
    let mut seat = opponent(text).expect("a game");
    let center = seat.game().size().center();
    for _ in 0..if text.starts_with("roku") { 5 } else { 4 } {
        let close = |mv: &Move| {
            let far = |a: u8, b: u8| a.abs_diff(b) > 2;
            text.starts_with("roku") || !far(mv.point.x(), center.x()) && !far(mv.point.y(), center.y())
        };
        let moves = seat.game().legal_moves();
        let mv = moves.into_iter().filter(close).choose(rng).expect("there is room");
        seat.play(mv);
    }
    seat.game().moves()
}

/// A game from an opening; who won, by colour, and the moves.
fn game(text: &str, opening: &[Move], players: [Player; 2]) -> (Option<Color>, Vec<Move>) {
    let mut seats = [opponent(text), opponent(text)].map(|seat| seat.expect("a game"));
    for &mv in opening {
        seats.iter_mut().for_each(|seat| seat.play(mv));
    }
    while seats[0].game().outcome().is_none() {
        let side = seats[0].game().side_to_move() as usize;
        let mv = players[side].choose(seats[side].as_mut());
        seats.iter_mut().for_each(|seat| seat.play(mv));
    }
    let game = seats[0].game();
    (game.outcome().and_then(|outcome| outcome.winner), game.moves())
}

/// Half points of the first player over pairs of games with both colours.
fn play_match(text: &str, first: Player, second: Player, pairs: u64) -> u64 {
    let mut score = 0;
    for seed in 0..pairs {
        let opening = level_opening(text, seed);
        for (players, own) in [([first, second], Color::Black), ([second, first], Color::White)] {
            let (winner, moves) = game(text, &opening, players);
            score += match winner {
                None => 1,
                Some(winner) => 2 * u64::from(winner == own),
            };
            if winner != Some(own) && std::env::var_os("SHOW").is_some() {
                let size = opponent(text).expect("a game").game().size();
                let mut seat = opponent(text).expect("a game");
                opening.iter().for_each(|&mv| seat.play(mv));
                // Was it lost from the start?
                let (side, last) = (seat.game().side_to_move(), think(seat.as_mut(), 300_000).last);
                println!(
                    "{text} seed {seed}, {own} does not win: {}; the opening is worth {} to {side}, depth {}",
                    format_moves(&moves, size),
                    last.value,
                    last.depth
                );
            }
        }
    }
    println!(
        "{text}: {first:?} - {second:?} {:.1}% of {} games",
        score as f64 * 25.0 / pairs as f64,
        2 * pairs
    );
    score
}

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

fn chosen_games() -> Vec<String> {
    let all = GAMES.join(",");
    std::env::var("GAMES").unwrap_or(all).split(',').map(str::to_owned).collect()
}

#[test]
fn the_search_beats_a_greedy_player() {
    for text in ["pente", "gomoku42-web", "roku"] {
        let score = play_match(text, Player::Nodes(1_500), Player::Greedy, 3);
        assert!(score >= 10, "{text}: {score} of 12");
    }
}

/// Plays each chosen game and then tells those in which the first player scored less than `least`.
fn judge_matches(least: f64, pairs: u64, first: Player, second: Player) {
    let too_weak =
        |text: &String| (play_match(text, first, second, pairs) as f64) < least * 4.0 * pairs as f64;
    let weak: Vec<String> = chosen_games().into_iter().filter(too_weak).collect();
    assert!(weak.is_empty(), "{weak:?}");
}

#[test]
#[ignore = "minutes; GAMES, PAIRS, NODES in the environment"]
fn match_against_a_greedy_player() {
    let (pairs, nodes) = (setting("PAIRS", 100), setting("NODES", 5_000));
    judge_matches(0.98, pairs, Player::Nodes(nodes), Player::Greedy);
}

#[test]
#[ignore = "minutes; GAMES, PAIRS, NODES in the environment"]
fn match_against_a_quarter_of_the_nodes() {
    let (pairs, nodes) = (setting("PAIRS", 100), setting("NODES", 8_000));
    judge_matches(0.6, pairs, Player::Nodes(nodes), Player::Nodes(nodes / 4));
}

#[test]
#[ignore = "minutes; GAMES, PAIRS, NODES in the environment: who wins and how long"]
fn figures_of_self_play() {
    let (games, nodes) = (2 * setting("PAIRS", 500), setting("NODES", 300));
    println!("{:16} {:>6} {:>7} {:>7} {:>6} {:>7}", "game", "games", "black", "white", "draws", "moves");
    for text in chosen_games() {
        let (mut wins, mut length) = ([0, 0], 0);
        for seed in 0..games {
            let opening = opening(&text, seed);
            let (winner, moves) = game(&text, &opening, [Player::Nodes(nodes); 2]);
            if let Some(winner) = winner {
                wins[winner as usize] += 1;
            }
            length += moves.len();
        }
        let share = |count: u64| format!("{:.1}%", 100.0 * count as f64 / games as f64);
        let draws = games - wins[0] - wins[1];
        let length = length as f64 / games as f64;
        let [black, white] = wins.map(share);
        println!("{text:16} {games:>6} {black:>7} {white:>7} {:>6} {length:>7.1}", share(draws));
    }
}

#[test]
#[ignore = "a speed, for people"]
fn speed() {
    for text in GAMES {
        let mut seat = opponent(text).unwrap();
        opening(text, 1).into_iter().for_each(|mv| seat.play(mv));
        let thought = think(seat.as_mut(), 200_000);
        println!("{text:16} depth {} {} nodes/s", thought.last.depth, thought.last.nodes_per_second());
    }
}

#[test]
fn random_positions_are_evaluated_from_both_sides_alike() {
    // The colours swapped, the value is the same.
    let rng = &mut StdRng::seed_from_u64(3);
    let game = random_position(CaptureGame::new(CaptureRules::parse("pente:size=9").unwrap()), rng, 20);
    let text = |swap: bool| -> String {
        let letter = |point: Point| match (game.cell(point), swap) {
            (Cell::Black, false) | (Cell::White, true) => 'X',
            (Cell::White, false) | (Cell::Black, true) => 'O',
            _ => '.',
        };
        let rows = (0..9).map(|y| (0..9).map(|x| letter(Point::new(x, y))).collect::<String>());
        rows.collect::<Vec<_>>().join("\n")
    };
    let one = Seat::new(capture("pente", Color::Black, &text(false))).evaluate();
    assert_eq!(one, Seat::new(capture("pente", Color::White, &text(true))).evaluate());
}
