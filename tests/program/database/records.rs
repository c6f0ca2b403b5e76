//! Records: their encoding, and the merging of two records.

use kakugo::board::{Point, Size};
use kakugo::database::{GameCounts, Label, MOST_TEXT_BYTES, MergeRule, Prefer, Record, RecordError};
use kakugo::think::Bound;
use rand::Rng;

use crate::database::positions::{random_board, random_record, rng};

#[test]
fn records_come_back_from_their_bytes() {
    let mut rng = rng(10);
    for _ in 0..2000 {
        let size = Size::new(rng.random_range(5..=22), rng.random_range(5..=22)).unwrap();
        let board = random_board(&mut rng, size, 5);
        let record = random_record(&mut rng, &board);
        assert_eq!(Record::decode(&record.encode().unwrap(), size), Ok(record));
    }
    assert_eq!(Record::default().encode().unwrap().len(), 3, "an empty record is small");
}

#[test]
fn damaged_bytes_are_refused_or_another_record() {
    let mut rng = rng(11);
    let size = Size::default();
    let mut refused = 0;
    for _ in 0..5000 {
        let board = random_board(&mut rng, size, 5);
        let bytes = random_record(&mut rng, &board).encode().unwrap();
        let cut = rng.random_range(0..bytes.len());
        assert_eq!(Record::decode(&bytes[..cut], size), Err(RecordError::BadBytes));
        let mut wrong = bytes.clone();
        wrong[rng.random_range(0..bytes.len())] ^= 1 << rng.random_range(0..8);
        refused += usize::from(Record::decode(&wrong, size).is_err());
        let longer = [bytes.as_slice(), &[rng.random()]].concat();
        assert_eq!(Record::decode(&longer, size), Err(RecordError::BadBytes));
        let noise: Vec<u8> = (0..rng.random_range(0..40)).map(|_| rng.random()).collect();
        let _ = Record::decode(&noise, size);
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn what_cannot_be_stored_is_refused() {
    let long = Record { text: "x".repeat(MOST_TEXT_BYTES + 1), ..Record::default() };
    assert_eq!(long.encode(), Err(RecordError::TooLong));
    for label in [b'w', b'-', b',', b' ', 200] {
        let record = Record { label: Label::Other(label), ..Record::default() };
        assert_eq!(record.encode(), Err(RecordError::BadLabel), "{label}");
    }
    assert_eq!("Loss".parse(), Ok(Label::Loss));
    assert_eq!("x".parse(), Ok(Label::Blocked));
    assert_eq!("?".parse(), Ok(Label::Other(b'?')));
    let letters = ["w", "L", "d", "X", "!", "-"].map(str::parse);
    let labels = [Label::Win, Label::Loss, Label::Draw, Label::Blocked, Label::Forced, Label::None];
    assert_eq!(letters, labels.map(Ok), "as docs/database.md describes a table");
    assert_eq!("maybe".parse::<Label>(), Err(RecordError::BadLabel));
    assert_eq!("most".parse::<Bound>(), Err(RecordError::BadBound));
}

#[test]
fn steps_are_those_of_values_near_the_end() {
    let steps = |value, bound| Record { value, bound, ..Record::default() }.steps();
    assert_eq!(steps(29_995, Bound::Exact), Some(5));
    assert_eq!(steps(-29_990, Bound::Upper), Some(10));
    assert_eq!(steps(29_990, Bound::Lower), Some(10));
    assert_eq!([steps(29_990, Bound::Upper), steps(-29_990, Bound::Lower)], [None; 2], "nothing is decided");
    assert_eq!(steps(29_000, Bound::Exact), None);
    assert_eq!(steps(29_995, Bound::None), None);
    assert_eq!(steps(i16::MIN, Bound::Exact), None);
}

#[test]
fn the_better_record_counts_and_nothing_is_lost() {
    let searched = |value, depth, bound| Record { value, depth, bound, ..Record::default() };
    let labelled = |label| Record { label, ..Record::default() };
    // From worse to better.
    let ladder = [
        labelled(Label::None),
        searched(50, 10, Bound::Lower),
        searched(-80, 10, Bound::Exact),
        searched(10, 12, Bound::Upper),
        labelled(Label::Win),
        Record { label: Label::Win, ..searched(29_970, 3, Bound::Exact) },
        Record { label: Label::Win, ..searched(29_980, 3, Bound::Exact) },
    ];
    for (i, worse) in ladder.iter().enumerate() {
        assert!(!worse.is_better_than(worse));
        for better in &ladder[i + 1..] {
            assert!(better.is_better_than(worse) && !worse.is_better_than(better), "{worse:?} {better:?}");
            let rule = MergeRule::default();
            assert_eq!(rule.merge(worse.clone(), better.clone()), rule.merge(better.clone(), worse.clone()));
        }
    }
    let point = Point::new(3, 3);
    let mut stored = Record { text: "ours".to_owned(), best_move: Some(point), ..ladder[1].clone() };
    stored.point_texts.insert(point, "p".to_owned());
    let mut new = Record { text: "theirs".to_owned(), is_marked: true, ..ladder[4].clone() };
    new.point_texts.insert(Point::new(4, 4), "q".to_owned());
    let merged = MergeRule::default().merge(stored.clone(), new.clone());
    assert_eq!((merged.label, merged.value, merged.bound), (Label::Win, 50, Bound::Lower));
    assert_eq!(
        (merged.text.as_str(), merged.best_move, merged.is_marked),
        ("theirs\nours", Some(point), true)
    );
    assert_eq!(merged.point_texts.len(), 2);
    assert_eq!(
        MergeRule::default().merge(merged.clone(), new.clone()),
        merged,
        "coming again changes nothing"
    );
    let prefer = |prefer| MergeRule { prefer, adds_games: false }.merge(stored.clone(), new.clone());
    assert_eq!(
        (prefer(Prefer::Stored).text, prefer(Prefer::New).text),
        ("ours".to_owned(), "theirs".to_owned())
    );
}

#[test]
fn a_label_that_is_no_result_is_kept_with_the_deeper_search() {
    let searched = |value, depth| Record { value, depth, bound: Bound::Exact, ..Record::default() };
    let stored = Record { label: Label::Other(b'?'), ..searched(10, 5) };
    let expected = Record { label: Label::Other(b'?'), ..searched(50, 30) };
    assert_eq!(MergeRule::default().merge(stored.clone(), searched(50, 30)), expected);
    assert_eq!(MergeRule::default().merge(searched(50, 30), stored.clone()), expected);
    assert!(stored.is_better_than(&searched(10, 5)), "at equal depth");
}

#[test]
fn a_mate_on_the_open_side_of_a_bound_is_no_result() {
    let searched = |value, depth, bound| Record { value, depth, bound, ..Record::default() };
    let deep = searched(50, 30, Bound::Exact);
    for (value, bound, is_decided) in [
        (29_990, Bound::Upper, false),
        (-29_990, Bound::Lower, false),
        (29_990, Bound::Lower, true),
        (-29_990, Bound::Upper, true),
    ] {
        let mate = searched(value, 1, bound);
        assert_eq!((mate.is_better_than(&deep), deep.is_better_than(&mate)), (is_decided, !is_decided));
    }
}

#[test]
fn a_text_within_a_line_of_another_one_is_joined() {
    let of = |text: &str| Record { text: text.to_owned(), ..Record::default() };
    let joined = |stored, new| MergeRule::default().merge(of(stored), of(new)).text;
    assert_eq!(joined("not good", "good"), "not good\ngood");
    assert_eq!(joined("good", "not good"), "good\nnot good");
    for (stored, new) in [("a\nb\nc", "b"), ("a\nb\nc", "b\nc"), ("a", "a"), ("a", ""), ("a\nb", "a")] {
        assert_eq!(joined(stored, new), stored, "coming again changes nothing");
    }
}

#[test]
fn a_text_that_has_the_lines_of_the_other_one_replaces_it() {
    let point = Point::new(3, 3);
    let of = |text: &str| Record {
        text: text.to_owned(),
        point_texts: [(point, text.to_owned())].into(),
        ..Record::default()
    };
    for (stored, new) in [("a", "a\nb"), ("b", "a\nb"), ("b", "a\nb\nc"), ("a\nb", "a")] {
        let merged = MergeRule::default().merge(of(stored), of(new));
        let longer = if stored.len() < new.len() { new } else { stored };
        assert_eq!((merged.text.as_str(), merged.point_texts[&point].as_str()), (longer, longer));
    }
}

#[test]
fn records_that_are_merged_into_each_other_stop_growing() {
    let point = Point::new(3, 3);
    let of = |text: &str| Record {
        text: text.to_owned(),
        point_texts: [(point, text.to_owned())].into(),
        ..Record::default()
    };
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let rule = MergeRule::default();
    let (mut one, mut other) = (of("a"), of("b"));
    let mut first = None;
    for _ in 0..3 {
        one = rule.merge(one, other.clone());
        other = rule.merge(other, one.clone());
        for text in [&one.text, &other.text, &one.point_texts[&point], &other.point_texts[&point]] {
            assert_eq!(lines(text), ["a", "b"]);
        }
        let round = (one.clone(), other.clone());
        assert_eq!(*first.get_or_insert_with(|| round.clone()), round, "only the first round changes them");
    }
}

#[test]
fn records_that_are_exchanged_at_the_same_time_stop_growing() {
    let point = Point::new(3, 3);
    let of = |text: &str| Record {
        text: text.to_owned(),
        point_texts: [(point, text.to_owned())].into(),
        ..Record::default()
    };
    let rule = MergeRule::default();
    for (first, second, joined) in [
        ("a", "b", ["a\nb", "b\na"]),
        ("a\nb", "b\na", ["a\nb", "b\na"]),
        ("a\nc", "b\nc", ["a\nc\nb", "b\nc\na"]),
    ] {
        let (mut one, mut other) = (of(first), of(second));
        for _ in 0..3 {
            (one, other) = (rule.merge(one.clone(), other.clone()), rule.merge(other, one));
            assert_eq!([&one.text, &other.text], joined);
            assert_eq!([&one.point_texts[&point], &other.point_texts[&point]], joined);
        }
    }
}

#[test]
fn games_are_added_or_the_larger_number_counts() {
    let games = |won, drawn, lost| Record { games: GameCounts { won, drawn, lost }, ..Record::default() };
    let merged = |adds_games| {
        let rule = MergeRule { adds_games, ..MergeRule::default() };
        rule.merge(games(1, 2, 3), games(4, 0, 3)).games
    };
    assert_eq!(merged(false), GameCounts { won: 4, drawn: 0, lost: 3 });
    assert_eq!(merged(true), GameCounts { won: 5, drawn: 2, lost: 6 });
    assert_eq!(games(u32::MAX, 0, 0).games.plus(games(1, 0, 0).games).won, u32::MAX);
}
