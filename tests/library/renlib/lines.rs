//! Conversion of libraries to lines and back.

use std::collections::BTreeMap;

use kakugo::board::notation::parse_moves;
use kakugo::board::{Point, Size};
use kakugo::database::renlib::{
    Builder, CodePage, Entry, Library, Line, LineError, Positions, TextError, read, to_bytes,
};
use rand::Rng;

use super::bytes::draw;
use super::random::random_library;

use crate::boards::seeded;

fn moves(text: &str) -> Vec<Option<Point>> {
    parse_moves(text, Size::default()).expect("these are moves").into_iter().map(Some).collect()
}

fn line(text: &str, comment: &str) -> Line {
    Line { moves: moves(text), comment: comment.to_owned(), ..Line::default() }
}

fn build(lines: &[Line], code_page: CodePage) -> Library {
    let mut builder = Builder::new(code_page);
    for line in lines {
        builder.add(line).expect("a library can hold it");
    }
    builder.finish()
}

/// The complete content of a library, by moves: a node with a text and no move belongs to the position above.
fn lines(library: &Library, code_page: CodePage) -> Vec<Line> {
    let mut positions = Positions::of(library);
    let mut lines = Vec::new();
    while let Some(visit) = positions.advance() {
        lines.push(Line::of(visit, &positions, code_page));
    }
    assert_eq!(positions.unplayable(), []);
    lines
}

#[test]
fn lines_make_a_tree_in_renlibs_order() {
    let text = |text: &str| (moves("j10")[0], text.to_owned());
    let input = [
        Line { is_marked: true, ..line("h8i9j10", "sure win\nat once") },
        line("h8h9", ""),
        Line {
            board_texts: vec![text("A"), (moves("k11")[0], "?".to_owned())],
            ..line("h8i9", "26 openings")
        },
        line("", "a library"),
        Line { is_start: true, ..line("h8", "") },
    ];
    let library = build(&input, CodePage::UTF_8);
    let expected = [
        "root \"a library\"",
        "  h8 !",
        "    h9",
        "    i9 \"26 openings\"",
        "      text at k11 \"board: ?\"",
        "      j10 * \"sure win\" \"lines: at once\" \"board: A\"",
    ];
    assert_eq!(draw(&library).lines().collect::<Vec<_>>(), expected);
    let mut reversed = input.to_vec();
    reversed.reverse();
    assert_eq!(build(&reversed, CodePage::UTF_8), library, "the order of the lines is all the same");
    assert_eq!(read(&to_bytes(&library)), Ok(library));
}

#[test]
fn lines_of_one_position_are_merged() {
    let board = |text: &str| vec![(moves("a1")[0], text.to_owned())];
    let lines = [
        Line { board_texts: board("x"), ..line("h8", "first") },
        Line { is_marked: true, ..line("h8", "") },
        Line { board_texts: board("x"), ..line("h8", "first") },
        Line { board_texts: board("y"), ..line("h8", "second\nthird") },
    ];
    let library = build(&lines, CodePage::UTF_8);
    assert_eq!(
        draw(&library),
        "root\n  h8 * \"first\" \"lines: second\\r\\nthird\"\n    text at a1 \"board: x y\"\n"
    );
}

#[test]
fn a_line_that_no_library_can_hold_is_refused_and_nothing_of_it_is_added() {
    let gbk: CodePage = "gbk".parse().unwrap();
    let point = Some(Point::new(15, 0));
    let cases = [
        (Line { moves: [moves("h8h9"), moves("h8")].concat(), ..Line::default() }, "a line plays 7,7 twice"),
        (Line { moves: vec![point], ..Line::default() }, "15,0 is off the 15x15 board of a RenLib library"),
        (
            Line { board_texts: vec![(point, "A".to_owned())], ..Line::default() },
            "15,0 is off the 15x15 board of a RenLib library",
        ),
        (line("h8", "黑胜 🙂"), "GBK has no '\\u{1f642}', utf-8 has all characters"),
        (line("h8", "a\0"), "a text of a RenLib library cannot contain a zero byte"),
    ];
    let mut builder = Builder::new(gbk);
    for (line, expected) in cases {
        assert_eq!(builder.add(&line).unwrap_err().to_string(), expected);
    }
    let board_texts = vec![(Some(Point::new(0, 0)), "a\u{8}b\0".to_owned())];
    let refused = Line { board_texts, ..line("h8", "said before") };
    assert_eq!(builder.add(&refused), Err(LineError::Text(TextError::Zero)));
    assert_eq!(builder.finish(), Library::new());
}

#[test]
fn comments_come_back_as_they_were_in_their_code_page() {
    let comments =
        ["", "one line", "two\nlines", "\nno first line", "three\n\nlines", "黑棋必胜\n白棋 \u{8} 只能防守"];
    for name in ["utf-8", "gbk", "gb18030"] {
        let page: CodePage = name.parse().unwrap();
        for comment in comments {
            let library = build(&[line("h8", comment)], page);
            let library = read(&to_bytes(&library)).unwrap();
            assert_eq!(lines(&library, page)[1].comment, comment, "{name}");
        }
    }
    // Characters that end a first line can only occur below it.
    let library = build(&[line("h8", "a\u{8}b\nc")], CodePage::UTF_8);
    assert_eq!(lines(&library, CodePage::UTF_8)[1].comment, "\na\u{8}b\nc");
}

/// The lines with data, by their moves, with the texts on the board sorted by point.
fn telling(lines: &[Line]) -> BTreeMap<Vec<Option<usize>>, Line> {
    let mut telling = BTreeMap::new();
    for line in lines {
        let mut line = line.clone();
        line.board_texts.sort();
        if line != (Line { moves: line.moves.clone(), ..Line::default() }) {
            let key = line.moves.iter().map(|point| point.map(Point::index)).collect();
            assert_eq!(telling.insert(key, line), None, "one place says it all");
        }
    }
    telling
}

#[test]
fn a_random_library_says_the_same_when_it_is_built_of_its_lines() {
    let mut rng = seeded(17);
    let page: CodePage = "windows-1252".parse().unwrap();
    for _ in 0..100 {
        let input = distinct_lines(&mut rng);
        let library = build(&input, page);
        let library = read(&to_bytes(&library)).unwrap();
        let output = lines(&library, page);
        assert_eq!(telling(&output), telling(&input));
        assert_eq!(build(&output, page), library);
    }
}

/// Random lines of different positions.
fn distinct_lines(rng: &mut rand::rngs::StdRng) -> Vec<Line> {
    let mut lines: BTreeMap<Vec<Option<usize>>, Line> = BTreeMap::new();
    for _ in 0..rng.random_range(1..30) {
        let mut moves: Vec<Option<Point>> = Vec::new();
        for _ in 0..rng.random_range(0..6) {
            let point = Point::new(rng.random_range(6..9), rng.random_range(6..9));
            let point = (!rng.random_bool(0.1)).then_some(point);
            if point.is_none() || !moves.contains(&point) {
                moves.push(point);
            }
        }
        let mut board_texts: Vec<(Option<Point>, String)> = Vec::new();
        for x in 0..rng.random_range(0..3) {
            board_texts.push((Some(Point::new(x + 6, 7)), rng.random_range('A'..='Z').to_string()));
        }
        let comment = ["", "Zug", "größer\nals\n\n1", "\nnur Zeilen"][rng.random_range(0..4)].to_owned();
        let key = moves.iter().map(|point| point.map(Point::index)).collect();
        let (is_marked, is_start) = (rng.random_bool(0.2), rng.random_bool(0.1));
        lines.insert(key, Line { moves, comment, board_texts, is_marked, is_start });
    }
    lines.into_values().collect()
}

#[test]
fn every_place_of_a_random_library_is_visited_or_told_to_be_unplayable() {
    let mut rng = seeded(19);
    let mut unplayable = 0;
    for _ in 0..100 {
        let library = random_library(&mut rng, 80);
        let mut positions = Positions::of(&library);
        let mut visited = vec![false; library.node_count()];
        while let Some(visit) = positions.advance() {
            visited[visit.node.index()] = true;
            // The moves are the moves of the nodes above.
            let above = std::iter::successors(Some(visit.node), |&node| library.parent(node));
            let mut plies: Vec<Entry> = above.filter_map(|node| library.entry(node)).collect();
            plies.reverse();
            plies.retain(|entry| entry.is_ply());
            assert!(plies.iter().map(|entry| entry.point()).eq(positions.moves().iter().copied()));
        }
        let told = positions.unplayable();
        unplayable += told.len();
        for node in library.preorder() {
            let mut above = std::iter::successors(Some(node), |&node| library.parent(node));
            assert_eq!(visited[node.index()], !above.any(|node| told.contains(&node)));
        }
    }
    assert!(unplayable > 0);
}
