//! Random boards and games of double-three gomoku, judged by both the fast and the naive referee.

use kakugo::board::{Board, Color, Point, Size};
use kakugo::game::{Game, Refusal};
use kakugo::variants::double_three::{DoubleThreeGame, DoubleThreeRules};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, SeedableRng};

use crate::variants::double_three_oracle::{Kind, Oracle};
use crate::variants::random_games::{Endings, count, judged, letter, perft, spot, take_back};

fn rules(text: &str) -> DoubleThreeRules {
    DoubleThreeRules::parse(text).expect("as the test wants it")
}

/// A board on which each point has a stone with a given probability.
fn random_board(rng: &mut StdRng) -> Board {
    let side = |rng: &mut StdRng| rng.random_range(7..=13);
    let mut board = Board::new(Size::new(side(rng), side(rng)).expect("a board"));
    // Threes appear if one side has many stones and the other few.
    let chances = [rng.random_range(0.05..0.3), rng.random_range(0.0..0.15)];
    for point in board.size().points() {
        if rng.random_bool(chances[0]) {
            board.set_up(Color::Black, point);
        } else if rng.random_bool(chances[1]) {
            board.set_up(Color::White, point);
        }
    }
    board
}

/// Counts of the points that the referees judged.
#[derive(Debug, Default)]
struct Seen {
    double_threes: usize,
    /// Allowed because a straight four is not allowed.
    by_straight_four: usize,
    /// Forbidden, although one of the threes does not count with only one more stone of lookahead.
    by_second_straight_four: usize,
}

/// Compares every empty point of a random board for both sides.
fn compare_board(text: &str, seed: u64, seen: &mut Seen) {
    let rng = &mut StdRng::seed_from_u64(seed);
    let mut board = random_board(rng);
    for us in Color::ALL {
        board.set_side_to_move(us);
        // A rule that applies to both sides alike sees the same stones for either.
        let shown = if us == Color::Black { board.clone() } else { swapped(&board) };
        let game = DoubleThreeGame::from_board(rules(text), &shown);
        let oracle = Oracle::of(&game);
        for point in shown.size().points() {
            let place = || format!("{text}, seed {seed}, {us} on {point:?}");
            let refusal = game.check(point.into()).err();
            if oracle.at(spot(point)) != '.' {
                assert_eq!(refusal, Some(Refusal::Taken), "{}", place());
                continue;
            }
            let is_barred = matches!(refusal, Some(Refusal::DoubleThree(2..=4)));
            assert_eq!(refusal.is_some(), is_barred, "{}", place());
            assert_eq!(!is_barred, oracle.legal(oracle.mover, spot(point)), "{}", place());
            let is_double = |depth| oracle.kind(oracle.mover, spot(point), depth) == Kind::DoubleThree;
            seen.double_threes += usize::from(is_barred);
            seen.by_straight_four += usize::from(!is_barred && is_double(0));
            seen.by_second_straight_four += usize::from(is_barred && !is_double(1));
        }
    }
}

fn swapped(board: &Board) -> Board {
    let mut swapped = Board::new(board.size());
    for color in Color::ALL {
        board.stones(color).iter().for_each(|point| swapped.set_up(!color, point));
    }
    swapped.set_side_to_move(board.side_to_move());
    swapped
}

fn compare_boards(boards: u64) {
    for text in ["gomoku33", "gomoku33:straight_four=exact"] {
        let mut seen = Seen::default();
        (0..boards).for_each(|seed| compare_board(text, seed, &mut seen));
        println!("{text}: {seen:?}");
        let Seen { double_threes, by_straight_four, by_second_straight_four } = seen;
        assert!(double_threes > boards as usize && by_straight_four > 10, "{text}: {seen:?}");
        assert!(by_second_straight_four > 0, "{text}: {seen:?}");
    }
}

#[test]
fn barred_points_of_random_boards_agree_with_the_naive_referee() {
    compare_boards(200);
}

#[test]
#[ignore = "minutes: 20,000 boards for each of the rules"]
fn barred_points_of_20000_random_boards_agree_with_the_naive_referee() {
    compare_boards(20_000);
}

/// A point next to a stone, more often than by chance; or one where a five is stopped.
fn lively(rng: &mut StdRng, game: &DoubleThreeGame, oracle: &Oracle, moves: &[Point]) -> Point {
    let stops = |&&point: &&Point| {
        let them = if oracle.mover == 'X' { 'O' } else { 'X' };
        oracle.makes_five(them, spot(point))
    };
    if rng.random_bool(0.95)
        && let Some(&point) = moves.iter().filter(stops).choose(rng)
    {
        return point;
    }
    let near = |&&point: &&Point| {
        let size = game.size();
        kakugo::board::Direction::ALL.into_iter().any(|way| {
            [-2, -1, 1, 2].into_iter().any(|steps| {
                point
                    .step(way, steps, size)
                    .is_some_and(|other| game.cell(other) == game.side_to_move().into())
            })
        })
    };
    let nearby = moves.iter().filter(near).choose(rng).filter(|_| rng.random_bool(0.8));
    *nearby.or_else(|| moves.choose(rng)).expect("there is a legal move")
}

fn random_game(seed: u64, text: &str, endings: &mut Endings) {
    let rng = &mut StdRng::seed_from_u64(seed);
    let size = Size::square(rng.random_range(5..=10)).expect("a board");
    let mut game = DoubleThreeGame::new(rules(text).with_size(size));
    let mut oracle = Oracle::of(&game);
    let mut before = Vec::new();
    while oracle.result.is_none() {
        let moves: Vec<Point> = game.legal_moves().into_iter().map(|mv| mv.point).collect();
        let found: Vec<_> = moves.iter().copied().map(spot).collect();
        assert_eq!(found, oracle.legal_moves(), "{text}, seed {seed}, after {:?}", game.moves());
        let point = lively(rng, &game, &oracle, &moves);
        before.push(game.clone());
        game.play(point.into());
        oracle.play(spot(point));
        let place = || format!("{text}, seed {seed}, after {:?}", game.moves());
        assert_eq!(judged(&game), oracle.result, "{}", place());
        assert_eq!(letter(game.side_to_move().into()), oracle.mover, "{}", place());
        for point in game.size().points() {
            assert_eq!(letter(game.cell(point)), oracle.at(spot(point)), "{}: {point:?}", place());
        }
    }
    count(endings, oracle.result);
    take_back(&mut game, before);
}

#[test]
fn random_games_agree_with_the_naive_referee() {
    let mut endings = Endings::new();
    for text in ["gomoku33", "gomoku33:double_three=black,straight_four=exact", "gomoku33:double_three=off"] {
        (0..60).for_each(|seed| random_game(seed, text, &mut endings));
    }
    assert!(endings.contains_key("five") && endings.contains_key("no move"), "{endings:?}");
}

/// A double three for white on d8, and others for both sides that are one stone away.
const RICH: &str = "
    .........
    .OO......
    ...O.X...
    ...OX....
    ..X.X.X..
    ....X.O..
    .X...OO..
    .......O.
    .........";

#[test]
fn counts_of_positions() {
    let naive = |game: &DoubleThreeGame| {
        let oracle = Oracle::of(game);
        let after = |&first: &(i32, i32)| {
            let mut next = oracle.clone();
            next.play(first);
            next.legal_moves().len() as u64
        };
        oracle.legal_moves().iter().map(after).sum::<u64>()
    };
    for (text, expected) in [
        ("gomoku33", 270_497),
        ("gomoku33:double_three=black", 274_269),
        ("gomoku33:double_three=off", 274_560),
    ] {
        let mut game = crate::variants::drawn::double_three(text, Color::Black, RICH);
        assert_eq!(perft(&mut game, 2), naive(&game), "{text}");
        assert_eq!(perft(&mut game, 3), expected, "{text}");
    }
    assert_eq!(perft(&mut DoubleThreeGame::new(rules("gomoku33:size=5")), 3), 25 * 24 * 23);
}
