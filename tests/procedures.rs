//! The opening procedures, sentence by sentence of the rules, and random walks through each to its end.

use std::collections::HashSet;

use kakugo::board::notation::parse_moves;
use kakugo::board::{Board, Color, Point, Size};
use kakugo::rules::RuleKind;
use kakugo::rules::procedure::{
    Answer, Decision, Negotiation, OPENINGS, Opening, Person, Procedure, Refusal, Symmetries,
};
use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};

use Person::{First, Second};

fn size() -> Size {
    Size::default()
}

fn points(text: &str) -> Vec<Point> {
    parse_moves(text, size()).expect("points of the board")
}

fn begin(procedure: Procedure) -> Negotiation {
    Negotiation::new(procedure, size()).expect("15x15 is for every procedure")
}

/// A walk through `answers`, written as in the protocol with `h8` for points.
fn walk(procedure: Procedure, answers: &[&str]) -> Negotiation {
    let mut negotiation = begin(procedure);
    for text in answers {
        say(&mut negotiation, text).unwrap_or_else(|refusal| panic!("{procedure}: {text}: {refusal}"));
    }
    negotiation
}

fn say(negotiation: &mut Negotiation, text: &str) -> Result<(), Refusal> {
    negotiation.answer(&Answer::parse(text, size()).expect("an answer"))
}

/// The reason why `text` is refused, points written as in the protocol.
fn refused(negotiation: &Negotiation, text: &str) -> String {
    let mut copy = negotiation.clone();
    let refusal = say(&mut copy, text).expect_err(text);
    assert_eq!(copy, *negotiation, "a refused answer changes nothing");
    refusal.to_string()
}

/// Who decides, and what.
fn asked(negotiation: &Negotiation) -> (Person, Option<Decision>) {
    (negotiation.decider(), negotiation.decision())
}

#[test]
fn rif_goes_opening_swap_fourth_two_fifths_choice() {
    let mut n = begin(Procedure::Rif);
    assert_eq!(asked(&n), (First, Some(Decision::Opening)));
    assert_eq!(refused(&n, "h8 h9"), "3 points are wanted, not 2");
    let no_opening = "no opening: black at the centre, white beside it, black within the central 5x5";
    for text in ["i8 i9 h10", "h8 h10 h9", "h8 h9 k8"] {
        assert_eq!(refused(&n, text), no_opening, "{text}");
    }
    assert_eq!(refused(&n, "h8 h9 h8"), "7,7 is not empty");
    say(&mut n, "h8 h9 i10").unwrap();
    assert_eq!(asked(&n), (Second, Some(Decision::Swap)));
    say(&mut n, "swap").unwrap();
    assert_eq!((n.person(Color::Black), n.color(First)), (Second, Color::White));
    // White, who is the first person now, puts the fourth anywhere.
    assert_eq!(n.decider(), First);
    assert_eq!(refused(&n, "h9"), "7,6 is not empty");
    say(&mut n, "a1").unwrap();
    assert_eq!(asked(&n), (Second, Some(Decision::Fifths(2))));
    assert_eq!(refused(&n, "offer j8"), "2 points are wanted, not 1");
    assert_eq!(refused(&n, "offer j8 j8"), "9,7 is not empty");
    say(&mut n, "offer j8 g7").unwrap();
    assert_eq!(asked(&n), (First, Some(Decision::Choice)));
    assert_eq!(refused(&n, "choose h7"), "7,8 is not offered");
    assert_eq!(refused(&n, "j8"), "that is not the question: choose one of the fifths offered");
    say(&mut n, "choose g7").unwrap();
    // White plays the sixth as in any game.
    assert_eq!(asked(&n), (First, None));
    assert_eq!(n.stones(), points("h8h9i10a1g7"));
    assert_eq!(say(&mut n, "stay"), Err(Refusal::Over));
}

#[test]
fn two_symmetric_fifths_are_one() {
    // White on the column of the opening: it stays an axis.
    //   . O .
    //   . X .    i8 and g8 lie on either side of it
    let n = walk(Procedure::Rif, &["h8 h9 h10", "stay", "h11"]);
    assert_eq!(refused(&n, "offer g8 i8"), "6,7 and 8,7 are symmetric");
    walk(Procedure::Rif, &["h8 h9 h10", "stay", "h11", "offer g8 i7"]);
    // With the fourth beside the column nothing is symmetric any more.
    walk(Procedure::Rif, &["h8 h9 h10", "stay", "i11", "offer g8 i8"]);
}

#[test]
fn renju_swap_puts_the_stones_in_turn() {
    let mut n = begin(Procedure::RenjuSwap);
    assert_eq!(n.decider(), First);
    assert_eq!(refused(&n, "h9"), "7,6 is not at the centre");
    say(&mut n, "h8").unwrap();
    assert_eq!(n.decider(), Second);
    assert_eq!(refused(&n, "h10"), "7,5 is not within the central 3x3");
    say(&mut n, "i9").unwrap();
    assert_eq!(n.decider(), First);
    assert_eq!(refused(&n, "k8"), "10,7 is not within the central 5x5");
    say(&mut n, "j8").unwrap();
    assert_eq!(asked(&n), (Second, Some(Decision::Swap)));
    for text in ["stay", "i7", "offer g7 g8", "choose g8"] {
        say(&mut n, text).unwrap();
    }
    assert_eq!((n.decision(), n.person(Color::White)), (None, Second));
}

#[test]
fn yamaguchi_declares_up_to_twelve_fifths_with_the_opening() {
    let n = begin(Procedure::Yamaguchi);
    assert_eq!(asked(&n), (First, Some(Decision::OpeningAndCount { most: 12 })));
    assert_eq!(refused(&n, "h8 i9 j8 fifths 13"), "fifths go from 1 to 12, not 13");
    assert_eq!(refused(&n, "h8 i9 j8 fifths 0"), "fifths go from 1 to 12, not 0");
    assert!(refused(&n, "h8 i9 j8").starts_with("that is not the question"));
    let mut n = walk(Procedure::Yamaguchi, &["h8 i9 j8 fifths 3"]);
    assert_eq!((n.decider(), n.decision(), n.fifths_said()), (Second, Some(Decision::Swap), Some(3)));
    say(&mut n, "swap").unwrap();
    say(&mut n, "i7").unwrap();
    assert_eq!(asked(&n), (Second, Some(Decision::Fifths(3))));
    assert_eq!(refused(&n, "offer g7 g6"), "3 points are wanted, not 2");
    say(&mut n, "offer g7 g6 g8").unwrap();
    assert_eq!(n.offered(), points("g7g6g8"));
    assert_eq!(n.decider(), First);
}

#[test]
fn soosorv_declares_up_to_eight_with_the_fourth_and_swaps_again() {
    let n = walk(Procedure::Soosorv8, &["h8 h9 i8", "stay"]);
    assert_eq!(asked(&n), (Second, Some(Decision::StoneAndCount { most: 8 })));
    assert_eq!(refused(&n, "j9 fifths 9"), "fifths go from 1 to 8, not 9");
    assert_eq!(refused(&n, "j9 j8 fifths 2"), "1 points are wanted, not 2");
    let mut n = walk(Procedure::Soosorv8, &["h8 h9 i8", "stay", "j9 fifths 2"]);
    assert_eq!(asked(&n), (First, Some(Decision::Swap)));
    say(&mut n, "swap").unwrap();
    // The second person put the fourth and has black now.
    assert_eq!(asked(&n), (Second, Some(Decision::Fifths(2))));
    say(&mut n, "offer j7 g7").unwrap();
    say(&mut n, "choose j7").unwrap();
    assert_eq!((n.decision(), n.decider()), (None, First));
}

#[test]
fn taraguchi_swaps_after_each_stone() {
    let mut n = begin(Procedure::Taraguchi10);
    let mut deciders = Vec::new();
    for text in ["h8", "swap", "h9", "stay", "i8", "swap", "k11"] {
        deciders.push(n.decider());
        say(&mut n, text).unwrap();
    }
    assert_eq!(deciders, [First, Second, First, Second, Second, First, Second]);
    // The first person has black again and is asked before the fifth.
    assert_eq!(n.person(Color::Black), First);
    assert_eq!(refused(&n, "stay").split(':').next(), Some("that is not the question"));
    assert_eq!(refused(&n, "m8"), "12,7 is not within the central 9x9");
    assert_eq!(refused(&n, "offer g7 g8"), "10 points are wanted, not 2");
    // Without a swap: the fifth, and the other one may swap.
    let mut stayed = n.clone();
    say(&mut stayed, "l12").unwrap();
    assert_eq!(asked(&stayed), (Second, Some(Decision::Swap)));
    say(&mut stayed, "swap").unwrap();
    assert_eq!((stayed.decision(), stayed.decider()), (None, First));
    // With a swap: the other one puts the fifth, and this one may swap again.
    let mut swapped = n.clone();
    say(&mut swapped, "swap").unwrap();
    assert_eq!(swapped.decider(), Second);
    assert!(refused(&swapped, "offer a1 a2 a3 a4 a5 a6 a7 a8 a9 a10").starts_with("that is not"));
    say(&mut swapped, "l12").unwrap();
    assert_eq!(asked(&swapped), (First, Some(Decision::Swap)));
    say(&mut swapped, "stay").unwrap();
    assert_eq!(swapped.decision(), None);
    // Ten fifths anywhere: white picks, and nobody swaps.
    say(&mut n, "offer a1 b3 c2 d4 e5 f2 g9 i7 m3 o15").unwrap();
    assert_eq!(asked(&n), (Second, Some(Decision::Choice)));
    say(&mut n, "choose o15").unwrap();
    assert_eq!((n.decision(), n.stones().len()), (None, 5));
}

#[test]
fn taraguchi_areas_grow() {
    let n = walk(Procedure::Taraguchi10, &["h8", "stay"]);
    assert_eq!(refused(&n, "j8"), "9,7 is not within the central 3x3");
    let n = walk(Procedure::Taraguchi10, &["h8", "stay", "i9", "stay"]);
    assert_eq!(refused(&n, "k8"), "10,7 is not within the central 5x5");
    let n = walk(Procedure::Taraguchi10, &["h8", "stay", "i9", "stay", "j8", "stay"]);
    assert_eq!(refused(&n, "l8"), "11,7 is not within the central 7x7");
}

#[test]
fn gomoku_swap_lets_the_other_choose_the_colour() {
    let mut n = walk(Procedure::Swap, &["a1 o15 c3"]);
    assert_eq!(asked(&n), (Second, Some(Decision::Swap)));
    assert!(refused(&n, "a2 a3").starts_with("that is not"));
    say(&mut n, "swap").unwrap();
    assert_eq!((n.decision(), n.color(Second)), (None, Color::Black));
    // White moves next.
    assert_eq!((n.side_to_move(), n.decider()), (Color::White, First));
}

#[test]
fn swap2_may_give_the_choice_back() {
    let n = walk(Procedure::Swap2, &["a1 o15 c3"]);
    assert_eq!(asked(&n), (Second, Some(Decision::SwapOrTwoStones)));
    assert_eq!(refused(&n, "b2"), "2 points are wanted, not 1");
    assert_eq!(walk(Procedure::Swap2, &["a1 o15 c3", "stay"]).decision(), None);
    let swapped = walk(Procedure::Swap2, &["a1 o15 c3", "swap"]);
    assert_eq!((swapped.decision(), swapped.decider()), (None, First));
    let mut added = walk(Procedure::Swap2, &["a1 o15 c3", "b2 c5"]);
    assert_eq!(asked(&added), (First, Some(Decision::Swap)));
    say(&mut added, "swap").unwrap();
    assert_eq!((added.decision(), added.decider(), added.stones().len()), (None, First, 5));
}

#[test]
fn pro_keeps_the_third_stone_away() {
    for (procedure, near, far, side) in
        [(Procedure::Pro, "j10", "k8", 5), (Procedure::LongPro, "k11", "h12", 7)]
    {
        let n = begin(procedure);
        assert_eq!(refused(&n, "a1"), "0,14 is not at the centre");
        let mut n = walk(procedure, &["h8", "a1"]);
        assert!(refused(&n, near).ends_with(&format!("is not outside the central {side}x{side}")));
        say(&mut n, far).unwrap();
        assert_eq!((n.decision(), n.decider()), (None, Second), "nobody swaps");
    }
}

#[test]
fn boards_that_do_not_fit_are_refused() {
    let even = Size::square(20).unwrap();
    let wide = Size::new(17, 15).unwrap();
    let small = Size::square(7).unwrap();
    for procedure in Procedure::ALL {
        assert!(procedure.fits(size()));
        assert_eq!(procedure.fits(even), !procedure.is_of_renju());
        assert_eq!(procedure.fits(wide), !procedure.is_of_renju());
        assert_eq!(procedure.fits(small), matches!(procedure, Procedure::Swap | Procedure::Swap2));
        let is_renju = procedure.usual_rule() == RuleKind::Renju;
        assert_eq!(procedure.is_of_renju(), is_renju);
        assert_eq!(procedure.name().to_uppercase().parse(), Ok(procedure));
    }
    let unfit = Negotiation::new(Procedure::Rif, even).unwrap_err();
    assert_eq!(unfit.to_string(), "rif needs a square board of odd sides from 9, not 20x20");
    assert!("rift".parse::<Procedure>().unwrap_err().to_string().contains("taraguchi-10, swap, swap2"));
}

#[test]
fn answers_read_as_they_are_written() {
    for text in [
        "SWAP",
        "STAY",
        "7,7 7,6 8,5",
        "7,7 7,6 8,5 FIFTHS 4",
        "OFFER 7,7 0,0",
        "CHOOSE 3,4",
        "14,14 FIFTHS 8",
    ] {
        assert_eq!(Answer::parse(text, size()).unwrap().to_string(), text);
        assert_eq!(Answer::parse(&text.to_lowercase(), size()).unwrap().to_string(), text);
    }
    for (text, reason) in [
        ("", "there is no answer"),
        ("hello", "'hello' is not a point like h8 or 7,7"),
        ("7,15", "7,15 is off the board"),
        ("swap now", "swap and stay stand alone"),
        ("choose", "choose needs one point"),
        ("choose h8 h9", "choose needs one point"),
        ("h8 fifths", "fifths needs one number"),
        ("h8 fifths two", "fifths needs one number"),
        ("h8 fifths 2 3", "fifths needs one number"),
        ("offer h8 swap", "'swap' is not a point like h8 or 7,7"),
    ] {
        assert_eq!(Answer::parse(text, size()).unwrap_err().to_string(), reason);
    }
}

#[test]
fn the_openings_are_26_and_their_own_names() {
    // As the rules page lists them.
    let direct = "h10 i10 j10 i9 j9 i8 j8 h7 i7 j7 h6 i6 j6";
    let indirect = "j10 j9 j8 j7 j6 i8 i7 i6 h7 h6 g7 g6 f6";
    let names = "Kansei Keigetsu Sosei Kagetsu Zangetsu Ugetsu Kinsei Shogetsu Kyugetsu Shingetsu Zuisei Sangetsu \
                 Yusei Chosei Kyogetsu Kosei Suigetsu Ryusei Ungetsu Hogetsu Rangetsu Gingetsu Myojo Shagetsu \
                 Meigetsu Suisei";
    let stones = |white: &str, text: &str| -> Vec<Vec<Point>> {
        text.split(' ').map(|third| points(&format!("h8{white}{third}"))).collect()
    };
    let all = [stones("h9", direct), stones("i9", indirect)].concat();
    assert_eq!(all.len(), 26);
    for ((stones, opening), name) in all.iter().zip(&OPENINGS).zip(names.split(' ')) {
        assert_eq!(opening.stones(size()).unwrap().as_slice(), stones, "{}", opening.code);
        assert_eq!(opening.name, name);
        for text in [opening.name, opening.code] {
            assert_eq!(Opening::by_name(&text.to_lowercase()), Some(opening));
        }
        for turned in images(stones) {
            assert_eq!(Opening::of_stones(&turned, size()), Some(opening), "{turned:?}");
        }
    }
    assert_eq!(OPENINGS[3].code, "4D");
    assert_eq!(OPENINGS[25].code, "13I");
    assert_eq!(Opening::by_name("14D"), None);
}

/// The eight images of an opening on the board.
fn images(stones: &[Point]) -> HashSet<Vec<Point>> {
    let last = size().width() - 1;
    let image = |p: &Point, way: usize| {
        let (x, y) = if way & 4 == 0 { (p.x(), p.y()) } else { (p.y(), p.x()) };
        Point::new(if way & 1 == 0 { x } else { last - x }, if way & 2 == 0 { y } else { last - y })
    };
    (0..8).map(|way| stones.iter().map(|p| image(p, way)).collect()).collect()
}

#[test]
fn every_three_stones_near_the_centre_have_one_name() {
    let near = |distance: i32| {
        move |p: &Point| (i32::from(p.x()) - 7).abs() <= distance && (i32::from(p.y()) - 7).abs() <= distance
    };
    let center = size().center();
    let mut seen = vec![0; OPENINGS.len()];
    for white in size().points().filter(near(1)).filter(|&p| p != center) {
        for black in size().points().filter(near(2)).filter(|&p| p != center && p != white) {
            let opening = Opening::of_stones(&[center, white, black], size()).expect("one of the 26");
            seen[OPENINGS.iter().position(|other| other == opening).unwrap()] += 1;
        }
    }
    assert_eq!(seen.iter().sum::<usize>(), 8 * 23);
    for (opening, count) in OPENINGS.iter().zip(seen) {
        assert_eq!(count, images(&opening.stones(size()).unwrap()).len(), "{}", opening.name);
    }
}

/// Whether some rotation or reflection about any centre, tried one by one, keeps the stones and maps `a` to `b`.
fn naively_same(board: &Board, a: Point, b: Point) -> bool {
    let xy = |p: Point| (i32::from(p.x()), i32::from(p.y()));
    let stones = |color| board.stones(color).iter().map(xy).collect::<HashSet<_>>();
    for (swap, sx, sy) in (0..8).map(|way| (way & 4 != 0, 1 - (way & 1) * 2, 1 - (way & 2))) {
        for (dx, dy) in (-30..=30).flat_map(|dx| (-30..=30).map(move |dy| (dx, dy))) {
            let map = |(x, y): (i32, i32)| {
                let (x, y) = if swap { (y, x) } else { (x, y) };
                (sx * x + dx, sy * y + dy)
            };
            if map(xy(a)) != xy(b) {
                continue;
            }
            let keeps = |color| stones(color).into_iter().map(map).collect::<HashSet<_>>() == stones(color);
            if Color::ALL.into_iter().all(keeps) {
                return true;
            }
        }
    }
    false
}

#[test]
fn without_stones_the_board_is_symmetric() {
    for (size, wanted) in
        [(Size::default(), 36), (Size::square(20).unwrap(), 55), (Size::new(20, 15).unwrap(), 80)]
    {
        let symmetries = Symmetries::of(&Board::new(size));
        let mut kept: Vec<Point> = Vec::new();
        for point in size.points() {
            if !kept.iter().any(|&other| symmetries.are_same(point, other)) {
                kept.push(point);
            }
        }
        assert_eq!(kept.len(), wanted, "{size}");
    }
}

#[test]
fn symmetric_fifths_agree_with_brute_force() {
    let mut rng = SmallRng::seed_from_u64(8);
    let side = Size::square(9).unwrap();
    let mut trivial = 0;
    for _ in 0..60 {
        // Few points, so that symmetries are common; often off the centre of the board.
        let corner: (u8, u8) = (rng.random_range(0..6), rng.random_range(0..6));
        let mut few: Vec<Point> = (0..9).map(|i| Point::new(corner.0 + i % 3, corner.1 + i / 3)).collect();
        few.shuffle(&mut rng);
        let mut board = Board::new(side);
        few[..4].iter().for_each(|&p| board.play(p));
        let symmetries = Symmetries::of(&board);
        trivial += usize::from(symmetries.is_trivial());
        let empty: Vec<Point> = board.empty().iter().collect();
        for _ in 0..15 {
            let a = *empty.choose(&mut rng).unwrap();
            let images: Vec<Point> = symmetries.images(a).collect();
            let b = if rng.random() {
                *images.choose(&mut rng).unwrap()
            } else {
                *empty.choose(&mut rng).unwrap()
            };
            assert_eq!(symmetries.are_same(a, b), naively_same(&board, a, b), "{a:?} {b:?} {board:?}");
            assert_eq!(symmetries.are_same(a, b), symmetries.are_same(b, a));
        }
        assert!(empty.iter().all(|&a| symmetries.are_same(a, a)));
    }
    assert!((10..55).contains(&trivial), "both kinds were tried: {trivial} of 60 had no symmetry");
}

/// A legal answer to any question, at random.
fn random_answer(n: &Negotiation, rng: &mut SmallRng) -> Answer {
    let mut empty: Vec<Point> = n.board().empty().iter().collect();
    empty.shuffle(rng);
    let opening = |rng: &mut SmallRng| {
        let stones = OPENINGS.choose(rng).and_then(|opening| opening.stones(n.size())).expect("26 that fit");
        let turned: Vec<Vec<Point>> = images(&stones).into_iter().collect();
        turned.choose(rng).expect("images").clone()
    };
    let offer = |count: usize| {
        let symmetries = Symmetries::of(&n.board());
        let mut points: Vec<Point> = Vec::new();
        for &point in &empty {
            if points.len() < count && !points.iter().any(|&other| symmetries.are_same(point, other)) {
                points.push(point);
            }
        }
        Answer::Offer(points)
    };
    let either = |rng: &mut SmallRng| if rng.random() { Answer::Swap } else { Answer::Stay };
    match n.decision().expect("the procedure goes on") {
        Decision::Opening => Answer::Stones(opening(rng)),
        Decision::OpeningAndCount { most } => {
            Answer::StonesAndCount(opening(rng), rng.random_range(1..=most))
        }
        Decision::ThreeStones => Answer::Stones(empty[..3].to_vec()),
        Decision::Stone(area) => {
            Answer::Stones(empty.iter().copied().filter(|&p| area.contains(p, n.size())).take(1).collect())
        }
        Decision::StoneAndCount { most } => {
            Answer::StonesAndCount(empty[..1].to_vec(), rng.random_range(1..=most))
        }
        Decision::Swap => either(rng),
        Decision::SwapOrTwoStones if rng.random() => Answer::Stones(empty[..2].to_vec()),
        Decision::SwapOrTwoStones => either(rng),
        Decision::SwapOrFifths { area, count } => match rng.random_range(0..3) {
            0 => Answer::Swap,
            1 => offer(count),
            _ => Answer::Stones(
                empty.iter().copied().filter(|&p| area.contains(p, n.size())).take(1).collect(),
            ),
        },
        Decision::Fifths(count) => offer(count),
        Decision::Choice => Answer::Choose(*n.offered().choose(rng).expect("fifths are offered")),
    }
}

#[test]
fn random_walks_come_to_their_end_in_every_procedure() {
    let mut rng = SmallRng::seed_from_u64(3);
    for procedure in Procedure::ALL {
        let mut ends = HashSet::new();
        for _ in 0..150 {
            let mut n = begin(procedure);
            let mut steps = 0;
            while n.decision().is_some() {
                let (who, before) = (n.decider(), n.clone());
                let answer = random_answer(&n, &mut rng);
                n.answer(&answer).unwrap_or_else(|refusal| panic!("{procedure}: {answer}: {refusal}"));
                check_step(&before, &answer, &n, who);
                steps += 1;
            }
            assert!(n.offered().is_empty());
            assert!(steps <= 11, "{procedure} took {steps} answers");
            ends.insert((n.stones().len(), n.person(Color::Black)));
        }
        // Every way out was walked: who has black at the end, and after how many stones.
        let wanted = match procedure {
            Procedure::Pro | Procedure::LongPro => 1,
            Procedure::Swap2 => 4,
            _ => 2,
        };
        assert_eq!(ends.len(), wanted, "{procedure}: {ends:?}");
    }
}

/// What holds after any answer.
fn check_step(before: &Negotiation, answer: &Answer, after: &Negotiation, who: Person) {
    let put = after.stones().len() - before.stones().len();
    assert!(after.stones().starts_with(before.stones()));
    let is_swapped = after.person(Color::Black) != before.person(Color::Black);
    assert_eq!(is_swapped, *answer == Answer::Swap);
    match answer {
        Answer::Stones(points) | Answer::StonesAndCount(points, _) => {
            assert_eq!(after.stones()[before.stones().len()..], points[..]);
        }
        Answer::Choose(point) => assert_eq!((put, after.stones().last()), (1, Some(point))),
        Answer::Swap | Answer::Stay | Answer::Offer(_) => assert_eq!(put, 0),
    }
    // Nobody judges his own work, and the one asked to put stones has their colour.
    match after.decision() {
        Some(
            Decision::Swap | Decision::SwapOrTwoStones | Decision::Choice | Decision::SwapOrFifths { .. },
        ) => {
            assert_eq!(after.decider(), !who);
        }
        _ => assert_eq!(after.color(after.decider()), after.side_to_move()),
    }
}
