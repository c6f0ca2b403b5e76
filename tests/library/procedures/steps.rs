//! Who decides what in each procedure, and which answers are refused.

use kakugo::board::{Color, Size};
use kakugo::rules::RuleKind;
use kakugo::rules::procedure::{Answer, AnswerRefusal, Decision, Negotiation, Person, Procedure};

use super::{begin, points, say, size, walk};

use Person::{First, Second};

/// The reason why `text` is refused, with points written as in the protocol.
fn refused(negotiation: &Negotiation, text: &str) -> String {
    let mut copy = negotiation.clone();
    let refusal = say(&mut copy, text).expect_err(text);
    assert_eq!(copy, *negotiation, "a refused answer changes nothing");
    refusal.to_string()
}

/// The current decision and the person who makes it.
fn asked(negotiation: &Negotiation) -> (Person, Option<Decision>) {
    (negotiation.decider(), negotiation.decision())
}

#[test]
fn rif_goes_opening_swap_fourth_two_fifths_choice() {
    let mut n = begin(Procedure::Rif);
    assert_eq!(asked(&n), (First, Some(Decision::Opening)));
    assert_eq!(refused(&n, "h8 h9"), "expected 3 points, not 2");
    let no_opening =
        "not an opening: black must be at the centre, white next to it, black within the central 5x5";
    for text in ["i8 i9 h10", "h8 h10 h9", "h8 h9 k8"] {
        assert_eq!(refused(&n, text), no_opening, "{text}");
    }
    assert_eq!(refused(&n, "h8 h9 h8"), "7,7 is not empty");
    say(&mut n, "h8 h9 i10").unwrap();
    assert_eq!(asked(&n), (Second, Some(Decision::Swap)));
    say(&mut n, "swap").unwrap();
    assert_eq!((n.person(Color::Black), n.color(First)), (Second, Color::White));
    // White, now the first person, places the fourth stone anywhere.
    assert_eq!(n.decider(), First);
    assert_eq!(refused(&n, "h9"), "7,6 is not empty");
    say(&mut n, "a1").unwrap();
    assert_eq!(asked(&n), (Second, Some(Decision::Fifths(2))));
    assert_eq!(refused(&n, "offer j8"), "expected 2 points, not 1");
    assert_eq!(refused(&n, "offer j8 j8"), "9,7 is not empty");
    say(&mut n, "offer j8 g7").unwrap();
    assert_eq!(asked(&n), (First, Some(Decision::Choice)));
    assert_eq!(refused(&n, "choose h7"), "7,8 is not offered");
    assert_eq!(refused(&n, "j8"), "the answer does not fit the decision: choose one of the fifths offered");
    say(&mut n, "choose g7").unwrap();
    // White plays the sixth move as in any game.
    assert_eq!(asked(&n), (First, None));
    assert_eq!(n.stones(), points("h8h9i10a1g7"));
    assert_eq!(say(&mut n, "stay"), Err(AnswerRefusal::Over));
}

#[test]
fn symmetric_fifths_count_as_one() {
    // White on the column of the opening, which stays an axis.
    //   . O .
    //   . X .    i8 and g8 lie on either side of it
    let n = walk(Procedure::Rif, &["h8 h9 h10", "stay", "h11"]);
    assert_eq!(refused(&n, "offer g8 i8"), "6,7 and 8,7 are symmetric");
    walk(Procedure::Rif, &["h8 h9 h10", "stay", "h11", "offer g8 i7"]);
    // With the fourth stone next to the column there is no symmetry.
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
    assert_eq!(refused(&n, "h8 i9 j8 fifths 13"), "the number of fifths must be 1 to 12, not 13");
    assert_eq!(refused(&n, "h8 i9 j8 fifths 0"), "the number of fifths must be 1 to 12, not 0");
    assert!(refused(&n, "h8 i9 j8").starts_with("the answer does not fit the decision"));
    let mut n = walk(Procedure::Yamaguchi, &["h8 i9 j8 fifths 3"]);
    assert_eq!((n.decider(), n.decision(), n.fifths_said()), (Second, Some(Decision::Swap), Some(3)));
    assert!(n.to_come().any(|decision| decision == Decision::Fifths(3)));
    say(&mut n, "swap").unwrap();
    say(&mut n, "i7").unwrap();
    assert_eq!(asked(&n), (Second, Some(Decision::Fifths(3))));
    assert_eq!(refused(&n, "offer g7 g6"), "expected 3 points, not 2");
    say(&mut n, "offer g7 g6 g8").unwrap();
    assert_eq!(n.offered(), points("g7g6g8"));
    assert_eq!(n.decider(), First);
}

#[test]
fn soosorv_declares_up_to_eight_with_the_fourth_and_swaps_again() {
    let n = walk(Procedure::Soosorv8, &["h8 h9 i8", "stay"]);
    assert_eq!(asked(&n), (Second, Some(Decision::StoneAndCount { most: 8 })));
    assert_eq!(refused(&n, "j9 fifths 9"), "the number of fifths must be 1 to 8, not 9");
    assert_eq!(refused(&n, "j9 j8 fifths 2"), "expected 1 point, not 2");
    let mut n = walk(Procedure::Soosorv8, &["h8 h9 i8", "stay", "j9 fifths 2"]);
    assert_eq!(asked(&n), (First, Some(Decision::Swap)));
    say(&mut n, "swap").unwrap();
    // The second person placed the fourth stone and has black now.
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
    // The first person has black again and decides before the fifth stone.
    assert_eq!(n.person(Color::Black), First);
    assert_eq!(refused(&n, "stay").split(':').next(), Some("the answer does not fit the decision"));
    assert_eq!(refused(&n, "m8"), "12,7 is not within the central 9x9");
    assert_eq!(refused(&n, "offer g7 g8"), "expected 10 points, not 2");
    // Without a swap: the fifth stone, and the other person may swap.
    let mut stayed = n.clone();
    say(&mut stayed, "l12").unwrap();
    assert_eq!(asked(&stayed), (Second, Some(Decision::Swap)));
    say(&mut stayed, "swap").unwrap();
    assert_eq!((stayed.decision(), stayed.decider()), (None, First));
    // With a swap: the other person places the fifth stone, and the first may swap again.
    let mut swapped = n.clone();
    say(&mut swapped, "swap").unwrap();
    assert_eq!(swapped.decider(), Second);
    assert!(refused(&swapped, "offer a1 a2 a3 a4 a5 a6 a7 a8 a9 a10").starts_with("the answer does not fit"));
    say(&mut swapped, "l12").unwrap();
    assert_eq!(asked(&swapped), (First, Some(Decision::Swap)));
    say(&mut swapped, "stay").unwrap();
    assert_eq!(swapped.decision(), None);
    // Ten fifths anywhere: white chooses, and nobody swaps.
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
fn gomoku_swap_lets_the_other_person_choose_the_colour() {
    let mut n = walk(Procedure::Swap, &["a1 o15 c3"]);
    assert_eq!(asked(&n), (Second, Some(Decision::Swap)));
    assert!(refused(&n, "a2 a3").starts_with("the answer does not fit"));
    say(&mut n, "swap").unwrap();
    assert_eq!((n.decision(), n.color(Second)), (None, Color::Black));
    // White moves next.
    assert_eq!((n.side_to_move(), n.decider()), (Color::White, First));
}

#[test]
fn swap2_can_return_the_choice() {
    let n = walk(Procedure::Swap2, &["a1 o15 c3"]);
    assert_eq!(asked(&n), (Second, Some(Decision::SwapOrTwoStones)));
    assert_eq!(refused(&n, "b2"), "expected 2 points, not 1");
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
    assert_eq!(unfit.to_string(), "rif needs a square board with an odd side of at least 9, not 20x20");
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
        ("swap now", "swap and stay take no arguments"),
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
