//! Random games, judged by the fast and the naive referee after every move, then taken back to the start.

use std::collections::{BTreeSet, HashMap};

use kakugo::board::{Cell, Color, Point};
use kakugo::game::{Game, Move, Reason};
use kakugo::variants::capture::{CaptureGame, CaptureRules};
use kakugo::variants::roku::{RokuGame, RokuRules};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, SeedableRng};

use crate::variants::drawn::{capture, roku};
use crate::variants::{capture_oracle, roku_oracle};

/// Ways in which games ended, so that a test can require having seen them.
pub type Endings = HashMap<&'static str, usize>;

pub fn count(endings: &mut Endings, ending: Option<(char, Reason)>) {
    let name = match ending {
        None => "unfinished",
        Some((_, Reason::Five)) => "five",
        Some((_, Reason::Captures)) => "captures",
        Some((_, Reason::NoStones)) => "no stones",
        Some((_, Reason::NoMove)) => "no move",
        Some((_, other)) => panic!("no game of this kind ends so: {other}"),
    };
    *endings.entry(name).or_default() += 1;
}

pub fn spot(point: Point) -> (i32, i32) {
    (i32::from(point.x()), i32::from(point.y()))
}

pub fn letter(cell: Cell) -> char {
    match cell {
        Cell::Black => 'X',
        Cell::White => 'O',
        _ => '.',
    }
}

pub fn judged(game: &dyn Game) -> Option<(char, Reason)> {
    let winner = |color: Option<Color>| color.map_or('-', |color| letter(color.into()));
    game.outcome().map(|outcome| (winner(outcome.winner), outcome.reason))
}

/// Takes the whole game back and compares every position with the earlier one.
pub fn take_back<G: Game + Clone + PartialEq + std::fmt::Debug>(game: &mut G, mut before: Vec<G>) {
    while let Some(expected) = before.pop() {
        game.undo();
        assert!(*game == expected, "undo restores what was there");
        assert_eq!(game.hash(), expected.hash());
    }
}

/// A move that leads to captures and fives more often than chance.
fn lively(rng: &mut StdRng, game: &CaptureGame, oracle: &capture_oracle::Oracle, moves: &[Point]) -> Point {
    let wish = rng.random_range(0..10);
    let good = |&&point: &&Point| match wish {
        0..3 => !oracle.captures(oracle.mover, spot(point)).is_empty(),
        3..5 => !oracle.captures(if oracle.mover == 'X' { 'O' } else { 'X' }, spot(point)).is_empty(),
        // Rarely, or it would end every game.
        5 => oracle.five_through(oracle.mover, spot(point)),
        6..8 => oracle.five_through(if oracle.mover == 'X' { 'O' } else { 'X' }, spot(point)),
        _ => false,
    };
    if let Some(&point) = moves.iter().filter(good).choose(rng) {
        return point;
    }
    let near = |&&point: &&Point| {
        game.size().points().any(|other| {
            game.cell(other) != Cell::Empty
                && other.x().abs_diff(point.x()).max(other.y().abs_diff(point.y())) <= 1
        })
    };
    let nearby = moves.iter().filter(near).choose(rng).filter(|_| rng.random_bool(0.8));
    *nearby.or_else(|| moves.choose(rng)).expect("there is a legal move")
}

fn capture_game(seed: u64, text: &str, endings: &mut Endings) {
    let rng = &mut StdRng::seed_from_u64(seed);
    // Small boards cover more cases; the real board is used occasionally.
    let side = [5, 6, 7, 7, 8, 8, 9, 9, 11].choose(rng).expect("it is not empty");
    let mark = if text.contains(':') { ',' } else { ':' };
    let small =
        CaptureRules::parse(&format!("{text}{mark}size={side}")).ok().filter(|_| !seed.is_multiple_of(50));
    let rules = small.unwrap_or_else(|| CaptureRules::parse(text).expect("as the test wants it"));
    let mut game = CaptureGame::new(rules);
    let mut oracle = capture_oracle::Oracle::of(&game);
    let mut before = Vec::new();
    while oracle.result.is_none() && before.len() < 250 {
        let expected = oracle.legal_moves();
        let moves: Vec<Point> = game.legal_moves().into_iter().map(|mv| mv.point).collect();
        let found: Vec<_> = moves.iter().copied().map(spot).collect();
        assert_eq!(found, expected, "{text}, seed {seed}, after {:?}", game.moves());
        let point = lively(rng, &game, &oracle, &moves);
        before.push(game.clone());
        game.play(point.into());
        oracle.play(spot(point));
        let place = || format!("{text}, seed {seed}, after {:?}", game.moves());
        assert_eq!(judged(&game), oracle.result, "{}", place());
        assert_eq!(letter(game.side_to_move().into()), oracle.mover, "{}", place());
        for (seat, color) in Color::ALL.into_iter().enumerate() {
            assert_eq!(game.captured(color), oracle.captured[seat], "{}", place());
            if oracle.result.is_none() {
                assert_eq!(game.is_pending(color), oracle.pending[seat], "{}", place());
            }
        }
        for point in game.size().points() {
            assert_eq!(letter(game.cell(point)), oracle.at(spot(point)), "{}: {point:?}", place());
        }
    }
    count(endings, oracle.result);
    take_back(&mut game, before);
}

/// Presets, and options that no preset combines.
const CAPTURE_GAMES: [&str; 9] = [
    "gomoku42",
    "gomoku42-web",
    "ninuki",
    "pente",
    "keryo",
    "gomoku42:five_exempts_33=yes,goal_pairs=12",
    "ninuki:five_mode=lingering,double_three=both,goal_pairs=9",
    "keryo:breakable_five=yes,double_three=black,five=exact,goal_stones=20",
    "pente:start=long_pro,start_pairs=3/4,breakable_five=yes",
];

fn capture_games(text: &str, games: u64) {
    let mut endings = Endings::new();
    (0..games).for_each(|seed| capture_game(seed, text, &mut endings));
    println!("{text}: {endings:?}");
    assert!(endings.contains_key("five") && endings.contains_key("captures"), "{text}: {endings:?}");
}

#[test]
fn capture_games_agree_with_the_naive_referee() {
    CAPTURE_GAMES.into_iter().for_each(|text| capture_games(text, 60));
}

#[test]
#[ignore = "minutes: 20,000 games of each kind; GAMES in the environment"]
fn capture_games_agree_with_the_naive_referee_in_20000_games_each() {
    chosen(&CAPTURE_GAMES[..5]).for_each(|text| capture_games(text, 20_000));
}

fn hex(point: Point) -> roku_oracle::Hex {
    (i32::from(point.x()) - 5, i32::from(point.y()) - 5)
}

fn roku_game(seed: u64, text: &str, endings: &mut Endings) {
    let rng = &mut StdRng::seed_from_u64(seed);
    let rules = RokuRules::parse(text).expect("as the test wants it");
    let mut game = RokuGame::new(rules);
    let mut oracle = roku_oracle::Oracle::new(rules);
    let mut before = Vec::new();
    // A preference for cheap or expensive stones: uneven games run out of stones.
    let taste = rng.random_range(0..4);
    while oracle.result.is_none() {
        let moves = game.legal_moves();
        let circles: BTreeSet<_> = moves.iter().map(|mv| hex(mv.point)).collect();
        let expected: BTreeSet<_> =
            roku_oracle::circles().into_iter().filter(|&at| oracle.legal(at)).collect();
        assert_eq!(circles, expected, "{text}, seed {seed}, after {:?}", game.moves());
        let mv = lively_roku(rng, &game, &moves, taste);
        before.push(game.clone());
        let pairs: Vec<[roku_oracle::Hex; 2]> = game
            .captures(mv.point)
            .into_iter()
            .map(|pair| {
                let mut pair = pair.map(hex);
                pair.sort();
                pair
            })
            .collect();
        let chosen = pairs.get(usize::from(mv.choice)).copied();
        game.play(mv);
        let possible = oracle.play(hex(mv.point), chosen);
        let place = || format!("{text}, seed {seed}, after {:?}", game.moves());
        assert_eq!(pairs.len(), possible.len(), "{}: no pair twice", place());
        assert_eq!(pairs.into_iter().collect::<BTreeSet<_>>(), possible, "{}", place());
        assert_eq!(judged(&game), oracle.result, "{}", place());
        assert_eq!(letter(game.side_to_move().into()), oracle.mover, "{}", place());
        for (seat, color) in Color::ALL.into_iter().enumerate() {
            assert_eq!(i32::from(game.left(color)), oracle.left[seat], "{}", place());
            assert_eq!(game.pairs(color), oracle.pairs[seat], "{}", place());
        }
        for point in game.size().points().filter(|&point| game.cell(point) != Cell::Wall) {
            assert_eq!(letter(game.cell(point)), oracle.at(hex(point)), "{}: {point:?}", place());
        }
    }
    count(endings, oracle.result);
    take_back(&mut game, before);
}

/// A move that wins or captures if the dice decide so, otherwise a cheap or an expensive one.
fn lively_roku(rng: &mut StdRng, game: &RokuGame, moves: &[Move], taste: u8) -> Move {
    let mut next = game.clone();
    let mut wins = |mv: &Move| {
        next.play(*mv);
        let won = next.outcome().is_some();
        next.undo();
        won
    };
    if rng.random_bool(0.1)
        && let Some(&mv) = moves.iter().find(|mv| wins(mv))
    {
        return mv;
    }
    let captures = |mv: &&Move| !game.captures(mv.point).is_empty();
    if rng.random_bool(0.3)
        && let Some(&mv) = moves.iter().filter(captures).choose(rng)
    {
        return mv;
    }
    let white = game.side_to_move() == Color::White;
    let suits = |mv: &&Move| {
        let dear = roku_oracle::ring(hex(mv.point)) <= 2;
        taste == 1 && dear != white || taste == 2 && dear == white || taste == 3
    };
    let suiting = moves.iter().filter(suits).choose(rng);
    *suiting.or_else(|| moves.choose(rng)).expect("there is a legal move")
}

const ROKU_GAMES: [&str; 8] = [
    "roku",
    "roku-ninuki",
    "roku-handicap",
    "roku-dynamic",
    "roku-thrilling",
    "roku:track_gap=5,stronger=black,pre_stones=3,supply=20",
    "roku:ninuki=yes,goal_pairs=20,supply=61",
    "roku:ninuki=yes,goal_pairs=2,supply=8,track_gap=1",
];

fn roku_games(text: &str, games: u64, endings: &mut Endings) {
    let mut own = Endings::new();
    (0..games).for_each(|seed| roku_game(seed, text, &mut own));
    println!("{text}: {own:?}");
    own.into_iter().for_each(|(ending, seen)| *endings.entry(ending).or_default() += seen);
}

#[test]
fn roku_games_agree_with_the_naive_referee() {
    let mut endings = Endings::new();
    ROKU_GAMES.into_iter().for_each(|text| roku_games(text, 60, &mut endings));
    for ending in ["five", "captures", "no stones"] {
        assert!(endings.contains_key(ending), "{endings:?}");
    }
}

#[test]
#[ignore = "minutes: 20,000 games of each variant; GAMES in the environment"]
fn roku_games_agree_with_the_naive_referee_in_20000_games_each() {
    let mut endings = Endings::new();
    chosen(&ROKU_GAMES[..5]).for_each(|text| roku_games(text, 20_000, &mut endings));
    // A subset of the games need not reach every ending.
    let are_all = chosen(&ROKU_GAMES[..5]).count() == 5;
    assert!(!are_all || endings.len() == 4, "{endings:?}");
}

/// The games named by `GAMES` in the environment; all of them if it is not set.
fn chosen<'a>(all: &'a [&'static str]) -> impl Iterator<Item = &'static str> + 'a {
    let names = std::env::var("GAMES").ok();
    all.iter()
        .copied()
        .filter(move |text| names.as_ref().is_none_or(|names| names.split(',').any(|name| name == *text)))
}

/// Number of positions after `depth` more moves.
pub fn perft(game: &mut dyn Game, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = game.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut positions = 0;
    for mv in moves {
        game.play(mv);
        positions += perft(game, depth - 1);
        game.undo();
    }
    positions
}

#[test]
fn hashes_identify_positions() {
    // Different move orders give the same hash; different positions may not.
    let mut seen: HashMap<u64, String> = HashMap::new();
    for text in ["pente:size=5,goal_pairs=2", "gomoku42:size=5"] {
        for seed in 0..300 {
            let rng = &mut StdRng::seed_from_u64(seed);
            let mut game = CaptureGame::new(CaptureRules::parse(text).expect("as the test wants it"));
            while let Some(&mv) = game.legal_moves().choose(rng) {
                game.play(mv);
                let stones: String = game.size().points().map(|point| letter(game.cell(point))).collect();
                let rest = Color::ALL.map(|color| (game.captured(color), game.is_pending(color)));
                let described = format!("{stones} {} {rest:?}", game.side_to_move());
                if game.outcome().is_none() {
                    assert_eq!(seen.entry(game.hash()).or_insert_with(|| described.clone()), &described);
                }
            }
        }
    }
    assert!(seen.len() > 5_000);
}

/// Perft counted by the naive referee.
fn naive_perft(oracle: &capture_oracle::Oracle, depth: usize) -> u64 {
    let moves = oracle.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |&spot: &(i32, i32)| {
        let mut next = oracle.clone();
        next.play(spot);
        naive_perft(&next, depth - 1)
    };
    moves.iter().map(after).sum()
}

/// Threes, pairs and fours of both sides; captures, double threes and breakable fives are a move or two away.
const RICH: &str = "
    .........
    ..O..X...
    ...XO.O..
    ..OXXX...
    ..XO.OX..
    .X.OX....
    ..O.XO...
    ...X.O...
    .........";

/// Double threes for both sides, one of them by a capture, and a five that can be broken.
const THREES: &str = "
    .........
    .O...X...
    .O.X.X.O.
    ..O.XXXX.
    ..XX.O.X.
    .....O...
    ..OO...X.
    ....OX...
    .........";

#[test]
fn counts_of_positions_of_capture_games() {
    for (text, rich, threes) in [
        ("gomoku42", 206_046, 193_241),
        ("gomoku42-web", 206_046, 196_437),
        ("ninuki", 206_046, 196_088),
        ("pente", 206_050, 199_196),
        ("keryo", 206_410, 199_370),
    ] {
        for (board, expected) in [(RICH, rich), (THREES, threes)] {
            let mut game = capture(text, Color::Black, board);
            assert_eq!(perft(&mut game, 2), naive_perft(&capture_oracle::Oracle::of(&game), 2), "{text}");
            assert_eq!(perft(&mut game, 3), expected, "{text}");
        }
    }
}

#[test]
fn counts_of_positions_from_the_start() {
    for (text, depth, expected) in [
        ("pente:size=5", 3, 25 * 24 * 23),
        ("pente:size=7,start=pro", 3, 48 * 24 - 24),
        // 30 first circles, two neighbours each (or a fixed one); then the 60 cost circles.
        ("roku", 4, 30 * 2 * 60 * 59),
        ("roku-handicap", 4, 30 * 60 * 59),
        // With one stone each the game ends when the side behind has none.
        ("roku:supply=2", 5, 0),
    ] {
        let mut game = kakugo::variants::open(text).expect("as the test wants it");
        assert_eq!(perft(game.as_mut(), depth), expected, "{text}");
    }
    let mut game = roku("roku-ninuki", "f11 f10 e9 d8 i7", "k10 g10 h10 f9 g9 i9 i8");
    assert_eq!((perft(&mut game, 2), perft(&mut game, 3)), (2_535, 126_000));
}
