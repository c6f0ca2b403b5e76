//! The engine's decisions in opening procedures: always legal and reproducible, and the better side is taken
//! if one is better.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kakugo::board::notation::{format_moves, parse_moves};
use kakugo::board::{Board, Color, Point, Size};
use kakugo::engine::{Engine, Options};
use kakugo::opening::{Brief, Decided, LEVEL, balance, decide};
use kakugo::rules::procedure::{Answer, Decision, Negotiation, Opening, Person, Procedure, Symmetries};
use kakugo::rules::{Rule, RuleKind};
use kakugo::think::{Clock, Limits, Silent};

fn engine(rule: RuleKind) -> Engine {
    let mut engine = Engine::new(Options { hash_bytes: Some(4 << 20), ..Options::default() });
    engine.set_rule(Rule::from(rule));
    engine
}

fn decided(engine: &mut Engine, negotiation: &Negotiation, max_nodes: u64, seed: u64) -> Decided {
    let limits = Limits::nodes(max_nodes);
    let stop = AtomicBool::new(false);
    let brief = Brief::new(&limits, &stop, seed);
    decide(engine, negotiation, &brief).expect("something is to be decided")
}

fn walk(procedure: Procedure, answers: &[&str]) -> Negotiation {
    let mut negotiation = Negotiation::new(procedure, Size::default()).expect("15x15 fits");
    for text in answers {
        let answer = Answer::parse(text, Size::default()).expect("an answer");
        negotiation.answer(&answer).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    }
    negotiation
}

/// Lets the engine play both persons of the procedure.
fn self_play(procedure: Procedure, seed: u64) -> Vec<String> {
    let mut engine = engine(procedure.usual_rule());
    let before = engine.position().board().clone();
    let mut negotiation = walk(procedure, &[]);
    let mut answers = Vec::new();
    while negotiation.decision().is_some() {
        let decided = decided(&mut engine, &negotiation, 40, seed);
        negotiation.answer(&decided.answer).unwrap_or_else(|refusal| panic!("{procedure}: {refusal}"));
        assert_eq!(*engine.position().board(), before, "the engine's position is its own again");
        answers.push(decided.answer.to_string());
    }
    answers
}

#[test]
fn every_decision_is_legal_and_the_same_every_time() {
    for procedure in Procedure::ALL {
        let first = self_play(procedure, 1);
        assert_eq!(first, self_play(procedure, 1), "{procedure}");
    }
}

#[test]
fn other_seeds_offer_other_openings() {
    for procedure in [Procedure::Yamaguchi, Procedure::Swap2] {
        let mut engine = engine(procedure.usual_rule());
        let offers: HashSet<String> = (0..6)
            .map(|seed| decided(&mut engine, &walk(procedure, &[]), 40, seed).answer.to_string())
            .collect();
        assert!(offers.len() >= 4, "{procedure}: {offers:?}");
    }
}

#[test]
fn the_better_colour_is_taken() {
    // Three black stones in a row with white's far away: black wins.
    let mut engine = engine(RuleKind::Freestyle);
    for (stones, wanted) in [("h8 a1 i9", Answer::Swap), ("a1 h8 o15", Answer::Stay)] {
        for procedure in [Procedure::Swap, Procedure::Swap2] {
            let found = decided(&mut engine, &walk(procedure, &[stones]), 300, 0);
            assert_eq!(found.answer, wanted, "{procedure} {stones}");
            assert!(found.value > 0);
        }
    }
    // The first person has black and judges the two added stones.
    for (added, wanted) in [("a15 i8", Answer::Stay), ("i8 a15", Answer::Swap)] {
        // Black gets h8-i9-i8 against a far stone, or white gets the middle.
        let n =
            walk(Procedure::Swap2, &[if wanted == Answer::Stay { "h8 a1 i9" } else { "a2 h8 o15" }, added]);
        assert_eq!(n.decider(), Person::First);
        assert_eq!(decided(&mut engine, &n, 300, 0).answer, wanted, "{added}");
    }
}

#[test]
fn the_better_colour_is_taken_without_time() {
    let mut engine = engine(RuleKind::Freestyle);
    for (stones, wanted) in [("h8 a1 i9", Answer::Swap), ("a1 h8 o15", Answer::Stay)] {
        for procedure in [Procedure::Swap, Procedure::Swap2] {
            let (limits, stop) = (Limits::infinite(), AtomicBool::new(true));
            let negotiation = walk(procedure, &[stones]);
            let found =
                decide(&mut engine, &negotiation, &Brief::new(&limits, &stop, 0)).expect("a decision");
            assert_eq!((&found.answer, found.nodes), (&wanted, 0), "{procedure} {stones}");
            assert!(found.value > 0);
        }
    }
}

#[test]
fn the_fifth_of_taraguchi_without_time_is_central_or_left_to_the_other_person() {
    let mut engine = engine(RuleKind::Renju);
    let negotiation = walk(Procedure::Taraguchi10, &["h8", "stay", "i9", "stay", "i7", "stay", "f8"]);
    let (limits, stop) = (Limits::infinite(), AtomicBool::new(true));
    let found = decide(&mut engine, &negotiation, &Brief::new(&limits, &stop, 0)).expect("a decision");
    match &found.answer {
        Answer::Swap => assert!(found.value > LEVEL, "{found:?}"),
        Answer::Stones(stones) => {
            assert_eq!(stones[0].distance(Size::default().center()), 1, "{found:?}");
            assert!((-LEVEL..=0).contains(&found.value), "{found:?}");
        }
        _ => panic!("no fifths were compared: {found:?}"),
    }
}

#[test]
fn white_picks_the_worst_fifth_for_black() {
    let mut engine = engine(RuleKind::Renju);
    // Kagetsu: i7 or h7 continue the attack, a corner wastes it.
    let n = walk(Procedure::Rif, &["h8 h9 i9", "stay", "g7", "offer i7 a15"]);
    let found = decided(&mut engine, &n, 300, 0);
    assert_eq!(found.answer.to_string(), "CHOOSE 0,0");
    assert!(found.value > 0);
}

#[test]
fn offered_fifths_are_the_best_and_not_symmetric() {
    let mut engine = engine(RuleKind::Renju);
    let n = walk(Procedure::Yamaguchi, &["h8 h9 h10 fifths 8", "stay", "h11"]);
    let Answer::Offer(points) = decided(&mut engine, &n, 500, 0).answer else { panic!("fifths") };
    let symmetries = Symmetries::of(&n.board());
    assert!(!symmetries.is_trivial());
    assert_eq!(points.len(), 8);
    for (index, &a) in points.iter().enumerate() {
        assert!(points[..index].iter().all(|&b| !symmetries.are_same(a, b)));
        let center = Size::default().center();
        assert!(a.x().abs_diff(center.x()) <= 4 && a.y().abs_diff(center.y()) <= 5, "{a:?} is near");
    }
}

#[test]
fn a_rif_opening_is_one_of_the_26_and_a_number_of_fifths_brings_it_near_to_level() {
    let mut engine = engine(RuleKind::Renju);
    let found = decided(&mut engine, &walk(Procedure::Rif, &[]), 500, 3);
    let Answer::Stones(stones) = &found.answer else { panic!("stones") };
    assert!(Opening::of_stones(stones, Size::default()).is_some());
    let found = decided(&mut engine, &walk(Procedure::Yamaguchi, &[]), 2_000, 3);
    assert!(found.value > -2 * LEVEL, "{found:?}");
    let Answer::StonesAndCount(_, count) = found.answer else { panic!("stones and a count") };
    assert!((1..=12).contains(&count));
}

#[test]
fn the_fourth_of_taraguchi_leaves_no_ten_good_fifths() {
    let mut engine = engine(RuleKind::Renju);
    for third in ["f6", "g6", "f7"] {
        let n = walk(Procedure::Taraguchi10, &["h8", "stay", "h9", "stay", third, "stay"]);
        for seed in 0..2 {
            // With so few nodes every fourth stone used to look level, and one was placed after which black
            // won.
            let fourth = decided(&mut engine, &n, 300, seed).answer;
            let mut then = n.clone();
            then.answer(&fourth).expect("a legal answer");
            let lure = decided(&mut engine, &then, 2_000, seed);
            assert!(lure.value <= 3 * LEVEL, "{third}, {fourth}: {lure:?}");
        }
    }
}

#[test]
fn seeds_vary_stones_that_cannot_be_taken_over() {
    let mut engine = engine(RuleKind::Freestyle);
    let n = walk(Procedure::Pro, &["h8", "h7"]);
    let thirds: HashSet<String> =
        (0..12).map(|seed| decided(&mut engine, &n, 300, seed).answer.to_string()).collect();
    assert!(thirds.len() >= 4, "{thirds:?}");
}

/// The value of a position for its side to move, from a separate search.
fn value(rule: RuleKind, board: Board) -> i32 {
    let mut engine = engine(rule);
    engine.set_board(board);
    engine.think(&Limits::nodes(20_000), &AtomicBool::new(false), &Silent).last.value
}

#[test]
fn balanced_moves_are_level() {
    let mut engine = engine(RuleKind::Freestyle);
    let size = Size::default();
    for (moves, count) in [("", 1), ("h8", 1), ("h8", 2), ("h8h9i10g7", 1), ("h8h9i10g7", 2)] {
        let mut board = Board::of_moves(size, &parse_moves(moves, size).unwrap());
        let limits = Limits::nodes(16_000);
        let stop = AtomicBool::new(false);
        let brief = Brief::new(&limits, &stop, 0);
        let level = balance(&mut engine, &board, count, 0, &brief).expect("there is room");
        assert_eq!(level.points.len(), count);
        level.points.iter().for_each(|&point| board.play(point));
        let found = value(RuleKind::Freestyle, board);
        let text = format_moves(&level.points, size);
        assert!(found.abs() <= 5 * LEVEL, "{moves} + {text}: {} here, {found} there", level.value);
    }
}

#[test]
fn a_bias_is_reached() {
    let mut engine = engine(RuleKind::Freestyle);
    let mut board = Board::new(Size::default());
    board.play(Size::default().center());
    let limits = Limits::nodes(3_000);
    let mut find = |count, bias| {
        let stop = AtomicBool::new(false);
        let brief = Brief::new(&limits, &stop, 0);
        balance(&mut engine, &board, count, bias, &brief).expect("there is room").value
    };
    // White is behind after black's first stone: one stone can only make it worse; two can reach any value.
    let found = [find(1, -200), find(2, 150), find(2, -150)];
    assert!(found[0] < -80 && found[1] > 40 && found[2] < -40, "{found:?}");
}

#[test]
fn a_full_board_has_no_balance() {
    let size = Size::square(5).unwrap();
    let mut board = Board::new(size);
    for (ply, point) in size.points().enumerate() {
        let color = if (ply / 2 + ply / 5) % 2 == 0 { Color::Black } else { Color::White };
        board.set_up(color, point);
    }
    let limits = Limits::nodes(100);
    let stop = AtomicBool::new(false);
    let brief = Brief::new(&limits, &stop, 0);
    let mut engine = engine(RuleKind::Freestyle);
    assert_eq!(balance(&mut engine, &board, 1, 0, &brief), None);
    assert_eq!(balance(&mut engine, &board, 2, 0, &brief), None);
}

#[test]
fn a_decision_keeps_to_the_clock_and_to_the_stop_flag() {
    for procedure in [Procedure::Rif, Procedure::Soosorv8, Procedure::Taraguchi10, Procedure::Swap2] {
        let answers: &[&str] = match procedure {
            Procedure::Soosorv8 => &["h8 i9 i7", "stay"],
            Procedure::Taraguchi10 => &["h8", "stay", "i9", "stay", "i7", "stay", "f8"],
            _ => &[],
        };
        let n = walk(procedure, answers);
        let mut engine = engine(procedure.usual_rule());
        engine.think(&Limits::nodes(10), &AtomicBool::new(false), &Silent);
        for (turn_ms, is_stopped) in [(200, false), (20, false), (100_000, true)] {
            let clock = Clock { turn_ms: Some(turn_ms), ..Clock::default() };
            let limits = Limits { clock: Some(clock), ..Limits::infinite() };
            let stop = AtomicBool::new(is_stopped);
            let brief = Brief::new(&limits, &stop, 0);
            let began = Instant::now();
            let found = decide(&mut engine, &n, &brief).expect("something is to be decided");
            let took = began.elapsed();
            assert!(took < Duration::from_millis(600), "{procedure} at {turn_ms} ms took {took:?}");
            assert!(n.clone().answer(&found.answer).is_ok());
        }
    }
}

#[test]
fn nothing_is_decided_after_the_end() {
    let n = walk(Procedure::Pro, &["h8", "i9", "k8"]);
    assert_eq!(n.decision(), None::<Decision>);
    let limits = Limits::nodes(10);
    let stop = AtomicBool::new(false);
    let brief = Brief::new(&limits, &stop, 0);
    assert_eq!(decide(&mut engine(RuleKind::Freestyle), &n, &brief), None);
    let _: &[Point] = n.stones();
}
