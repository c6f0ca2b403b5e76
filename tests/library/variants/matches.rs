//! Matches of the search against weaker players, and against itself.

use kakugo::board::Color;
use kakugo::game::{Move, format_moves};
use kakugo::variant_search::{self, VariantEngine};

use crate::variants::engine::{names, opening, think};

/// The players of a match.
#[derive(Clone, Copy, Debug)]
enum LevelPlayer {
    /// Searches this number of nodes.
    Nodes(u64),
    /// Plays the move after which the position evaluates best, without searching.
    Greedy,
}

impl LevelPlayer {
    fn choose(self, engine: &mut dyn VariantEngine) -> Move {
        match self {
            LevelPlayer::Nodes(nodes) => think(engine, nodes).best.expect("the game is not over"),
            LevelPlayer::Greedy => {
                let us = engine.game().side_to_move();
                let value = |engine: &mut dyn VariantEngine, mv| {
                    engine.play(mv);
                    let value = match engine.game().outcome() {
                        Some(outcome) if outcome.winner == Some(us) => 100_000,
                        Some(outcome) if outcome.winner.is_some() => -100_000,
                        _ if engine.game().side_to_move() == us => engine.evaluate(),
                        _ => -engine.evaluate(),
                    };
                    engine.undo();
                    value
                };
                let moves = engine.game().legal_moves();
                // The first of equal moves, so that a match is reproducible.
                let best = moves
                    .into_iter()
                    .map(|mv| (value(engine, mv), mv))
                    .max_by_key(|&(value, mv)| (value, std::cmp::Reverse(mv)));
                best.expect("the game is not over").1
            }
        }
    }
}

/// Largest absolute value of a level opening. A side that is 50 ahead in Gomoku Roku wins six games of seven.
const LEVEL: i32 = 30;

/// Random moves near the middle, or on the sheet, that a search of `nodes` nodes evaluates as level: a match
/// from a won position only shows which side was winning.
fn level_opening(text: &str, seed: u64, nodes: u64) -> Vec<Move> {
    let is_level = |opening: &Vec<Move>| {
        let mut engine = variant_search::open(text).expect("a game");
        opening.iter().for_each(|&mv| engine.play(mv));
        engine.game().outcome().is_none() && think(engine.as_mut(), nodes).last.value.abs() <= LEVEL
    };
    let tries = (0..).map(|again| opening(text, seed + 100_000 * again));
    tries.take(1_000).find(is_level).expect("one of a thousand is level")
}

/// Plays a game from an opening; returns the winner's colour and the moves.
fn game(text: &str, opening: &[Move], players: [LevelPlayer; 2]) -> (Option<Color>, Vec<Move>) {
    let mut engines =
        [variant_search::open(text), variant_search::open(text)].map(|engine| engine.expect("a game"));
    for &mv in opening {
        engines.iter_mut().for_each(|engine| engine.play(mv));
    }
    while engines[0].game().outcome().is_none() {
        let side = engines[0].game().side_to_move() as usize;
        let mv = players[side].choose(engines[side].as_mut());
        engines.iter_mut().for_each(|engine| engine.play(mv));
    }
    let game = engines[0].game();
    (game.outcome().and_then(|outcome| outcome.winner), game.moves())
}

/// Half points of the first player, who has `nodes` nodes, over pairs of games with both colours.
fn play_match(text: &str, nodes: u64, second: LevelPlayer, pairs: u64) -> u64 {
    let (mut score, first) = (0, LevelPlayer::Nodes(nodes));
    for seed in 0..pairs {
        let opening = level_opening(text, seed, nodes);
        for (players, own) in [([first, second], Color::Black), ([second, first], Color::White)] {
            let (winner, moves) = game(text, &opening, players);
            score += match winner {
                None => 1,
                Some(winner) => 2 * u64::from(winner == own),
            };
            if winner != Some(own) && std::env::var_os("SHOW").is_some() {
                println!("{text} seed {seed}, {own} does not win: {}", description(text, &opening, &moves));
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

/// The moves of a game, and a deeper search's value of its opening, which shows whether it was lost from the
/// start.
fn description(text: &str, opening: &[Move], moves: &[Move]) -> String {
    let mut engine = variant_search::open(text).expect("a game");
    opening.iter().for_each(|&mv| engine.play(mv));
    let last = think(engine.as_mut(), 300_000).last;
    let (moves, side) = (format_moves(moves, engine.game().size()), engine.game().side_to_move());
    format!("{moves}; the opening is worth {} to {side}, depth {}", last.value, last.depth)
}

/// A number from the environment.
pub fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

/// The games named in the environment, or all.
pub fn chosen_games() -> Vec<String> {
    match std::env::var("GAMES") {
        Ok(chosen) => chosen.split(',').map(str::to_owned).collect(),
        Err(_) => names().map(str::to_owned).collect(),
    }
}

#[test]
fn the_search_beats_a_greedy_player() {
    for text in ["pente", "gomoku42-web", "gomoku33", "roku"] {
        let score = play_match(text, 1_500, LevelPlayer::Greedy, 3);
        assert!(score >= 10, "{text}: {score} of 12");
    }
}

/// Plays each chosen game and then reports those in which the first player scored less than `least`.
fn judge_matches(least: f64, pairs: u64, nodes: u64, second: LevelPlayer) {
    let too_weak =
        |text: &String| (play_match(text, nodes, second, pairs) as f64) < least * 4.0 * pairs as f64;
    let weak: Vec<String> = chosen_games().into_iter().filter(too_weak).collect();
    assert!(weak.is_empty(), "{weak:?}");
}

#[test]
#[ignore = "minutes; GAMES, PAIRS, NODES, SHOW in the environment"]
fn match_against_a_greedy_player() {
    let (pairs, nodes) = (setting("PAIRS", 100), setting("NODES", 5_000));
    judge_matches(0.98, pairs, nodes, LevelPlayer::Greedy);
}

#[test]
#[ignore = "minutes; GAMES, PAIRS, NODES, SHOW in the environment"]
fn match_against_a_quarter_of_the_nodes() {
    let (pairs, nodes) = (setting("PAIRS", 100), setting("NODES", 8_000));
    judge_matches(0.6, pairs, nodes, LevelPlayer::Nodes(nodes / 4));
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
            let (winner, moves) = game(&text, &opening, [LevelPlayer::Nodes(nodes); 2]);
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
    for text in names() {
        let mut engine = variant_search::open(text).unwrap();
        opening(text, 1).into_iter().for_each(|mv| engine.play(mv));
        let thought = think(engine.as_mut(), 200_000);
        println!("{text:16} depth {} {} nodes/s", thought.last.depth, thought.last.nodes_per_second());
    }
}
