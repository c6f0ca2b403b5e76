//! Games: how their results are counted for each position, and which games are rejected.

use std::collections::HashMap;
use std::fs;

use kakugo::board::notation::{format_moves, parse_moves};
use kakugo::board::{Board, Point, Size};
use kakugo::database::format::{Format, GameTally, ImportOptions, Imported, TransferError, import};
use kakugo::database::{Canonical, GameCounts, Importer, MergeRule, Record, Store, query_one};
use kakugo::rules::{Rule, RuleKind};
use rand::Rng;
use tempfile::{TempDir, tempdir};

use crate::database::positions::{random_moves, rng};
use crate::database::{content_of, create};

/// White wins on time.
const RENJU: &str = "(;FF[4]GM[4]SZ[15]RU[renju]RE[W+T];B[hh]C[a good\\] start];W[hi];B[ij]C[120ms])\n";

struct Base {
    folder: TempDir,
    store: Store,
}

impl Base {
    fn new() -> Base {
        let folder = tempdir().unwrap();
        let store = create(&folder, "a.kdb");
        Base { folder, store }
    }

    fn import(&self, format: Format, text: &[u8], terms: ImportOptions) -> Result<Imported, TransferError> {
        let path = self.folder.path().join("source");
        fs::write(&path, text).unwrap();
        import(format, &path, terms, Importer::new(&self.store, MergeRule::default()).with_batch(2), &mut ())
    }

    fn take(&self, format: Format, text: &str) -> GameTally {
        self.import(format, text.as_bytes(), terms(60)).unwrap().games.unwrap()
    }

    fn record(&self, rule: RuleKind, size: Size, moves: &str) -> Option<Record> {
        let board = Board::of_moves(size, &parse_moves(moves, size).unwrap());
        query_one(&self.store.reader().unwrap(), &board, rule.into()).unwrap()
    }

    /// Games won, drawn and lost by the side to move.
    fn counts(&self, rule: RuleKind, moves: &str) -> Option<(u32, u32, u32)> {
        let games = self.record(rule, Size::default(), moves)?.games;
        Some((games.won, games.drawn, games.lost))
    }

    fn len(&self) -> u64 {
        self.store.reader().unwrap().len().unwrap()
    }
}

fn terms(plies: usize) -> ImportOptions {
    ImportOptions { plies, ..ImportOptions::new(RuleKind::Freestyle, Size::default()) }
}

fn sgf(moves: &[Point], head: &str) -> String {
    let letter = |at: u8| char::from(b'a' + at);
    let word = |(ply, point): (usize, &Point)| {
        format!(";{}[{}{}]", ["B", "W"][ply % 2], letter(point.x()), letter(point.y()))
    };
    format!("(;GM[4]{head}{})", moves.iter().enumerate().map(word).collect::<String>())
}

fn record(number: usize, rule: &str, moves: &str, result: &str) -> String {
    format!(
        r#"{{"game":{number},"pair":1,"seed":1,"began":0,"rule":"{rule}","size":"15x15","clock":"1s","black":{{"name":"a"}},"white":{{"name":"b"}},"opening":"","moves":"{moves}","played":[],"result":"{result}","ending":"time","detail":""}}"#
    ) + "\n"
}

const HEADER: &str = "{\"format\":1,\"program\":\"t\",\"config_hash\":\"a\",\"config\":{},\"games\":1}\n";

#[test]
fn every_position_of_a_game_is_counted_for_the_side_to_move() {
    let base = Base::new();
    assert_eq!(base.take(Format::Sgf, RENJU), GameTally { read: 1, ..GameTally::default() });
    // White won; white is to move after black's moves.
    let expected = [("", (0, 0, 1)), ("h8", (1, 0, 0)), ("h8h7", (0, 0, 1)), ("h8h7i6", (1, 0, 0))];
    for (moves, counts) in expected {
        assert_eq!(base.counts(RuleKind::Renju, moves), Some(counts), "{moves}");
    }
    assert_eq!((base.len(), base.counts(RuleKind::Freestyle, "h8")), (4, None));
    // An image of the second position, from another file with another result.
    base.take(Format::Results, &(HEADER.to_owned() + &record(1, "renju", "h8i8", "1/2-1/2")));
    assert_eq!(base.counts(RuleKind::Renju, "h8h7"), Some((0, 1, 1)));
    let text = |moves| base.record(RuleKind::Renju, Size::default(), moves).unwrap().text;
    assert_eq!([text("h8"), text("h8h7i6")], ["a good] start", ""], "times are no comments");
    // If a file is imported again, its games are added up, its comments are not.
    base.take(Format::Sgf, RENJU);
    assert_eq!(base.counts(RuleKind::Renju, "h8"), Some((2, 1, 0)));
    assert_eq!(text("h8"), "a good] start");
}

#[test]
fn a_file_without_games_is_an_error() {
    let base = Base::new();
    let says = |format, text: &str| base.import(format, text.as_bytes(), terms(60)).unwrap_err().to_string();
    for format in [Format::Sgf, Format::Pgn, Format::Piskvork, Format::Results, Format::RenjuNet] {
        assert_eq!([says(format, ""), says(format, "\r\n")], ["the file contains no games"; 2], "{format}");
    }
    for (format, text) in [
        (Format::Sgf, "hello"),
        (Format::RenjuNet, "<html><body>hello</body></html>"),
        (Format::Results, "{\"ga"),
        (Format::Results, "{\"x\":1}\n"),
    ] {
        assert_eq!(says(format, text), "the file contains no games", "{format}: {text}");
    }
    assert_eq!(base.take(Format::Results, HEADER), GameTally::default(), "a batch that has just begun");
}

#[test]
fn counts_of_random_games_are_those_of_a_count_by_hand() {
    let base = Base::new();
    let mut rng = rng(71);
    let (size, rule) = (Size::square(9).unwrap(), Rule::from(RuleKind::Standard));
    let mut expected: HashMap<Vec<u8>, GameCounts> = HashMap::new();
    let (mut file, mut lines) = (String::new(), HEADER.to_owned());
    for game in 0..60 {
        let length = rng.random_range(1..8);
        let moves: Vec<Point> = random_moves(&mut rng, size, length);
        let result = ["B+1", "W+1", "0"][game % 3];
        if game % 2 == 0 {
            file += &sgf(&moves, &format!("SZ[9]RU[1]RE[{result}]"));
        } else {
            let score = ["1-0", "0-1", "1/2-1/2"][game % 3];
            let line = record(game, "standard", &format_moves(&moves, size), score);
            lines += &line.replace("15x15", "9x9");
        }
        for ply in 0..=moves.len().min(5) {
            let position = Canonical::of(&Board::of_moves(size, &moves[..ply]), rule).unwrap();
            let games = expected.entry(position.key().bytes().to_vec()).or_default();
            match (game % 3, ply % 2) {
                (2, _) => games.drawn += 1,
                (winner, mover) if winner == mover => games.won += 1,
                _ => games.lost += 1,
            }
        }
    }
    for (format, text) in [(Format::Sgf, &file), (Format::Results, &lines)] {
        let imported = base.import(format, text.as_bytes(), terms(5)).unwrap();
        assert_eq!(imported.games, Some(GameTally { read: 30, ..GameTally::default() }));
    }
    let reader = base.store.reader().unwrap();
    let entries = reader.entries().unwrap().map(Result::unwrap);
    let found: HashMap<Vec<u8>, GameCounts> =
        entries.map(|(key, record)| (key.bytes().to_vec(), record.games)).collect();
    assert_eq!(found, expected);
}

#[test]
fn what_a_file_does_not_tell_is_taken_from_the_terms() {
    let base = Base::new();
    let large = ImportOptions::new(RuleKind::Caro, Size::square(20).unwrap());
    // Two letters from the upper left, and a letter and a number from the bottom.
    base.import(Format::Sgf, b"(;GM[4]RE[B+];B[jj];W[t20])", large).unwrap();
    let won = |rule, size, moves| base.record(rule, size, moves).map(|record| record.games.won);
    assert_eq!(won(RuleKind::Caro, large.size, "j11t20"), Some(1));
    let pgn = b"[Result \"0-1\"]\n\n1. t20 a1 0-1\n";
    base.import(Format::Pgn, pgn, large).unwrap();
    assert_eq!(won(RuleKind::Caro, large.size, "t20a1"), Some(1), "0-1 is a win of black in PGN");
    // The rule and size in the file take precedence.
    let pgn = b"[Variant \"renju\"]\n[BoardSize \"15\"]\n[Result \"1-0\"]\n\n1. h8 {fine} a1 1-0\n";
    base.import(Format::Pgn, pgn, large).unwrap();
    assert_eq!(won(RuleKind::Renju, Size::default(), "h8"), Some(1));
    assert_eq!(base.record(RuleKind::Renju, Size::default(), "h8").unwrap().text, "fine");
}

#[test]
fn what_counts_nothing_is_told() {
    let base = Base::new();
    let without_result = "(;GM[4]RU[renju]RE[*];B[hh]C[remember];W[hi])";
    let five = sgf(&parse_moves("h8a1h9b1h10c1h11d1h12", Size::default()).unwrap(), "");
    let others = "(;GM[4]RU[2]RE[B+];B[hh])(;GM[4]RU[pente]SZ[19]RE[B+];B[jj])(;GM[4]RU[chess]RE[B+];B[hh])";
    let tally = base.take(Format::Sgf, &format!("{without_result}{five}{others}(;GM[4]RE[B+])"));
    let expected =
        GameTally { read: 6, without_result: 1, without_moves: 1, of_other_kinds: 3, ..GameTally::default() };
    assert_eq!(tally, expected);
    assert_eq!(base.len(), 11, "the game that tells its result by its row, and a comment");
    assert_eq!(base.record(RuleKind::Renju, Size::default(), "h8").unwrap().text, "remember");
    assert_eq!(base.counts(RuleKind::Freestyle, "h8a1h9b1h10c1h11d1"), Some((1, 0, 0)));
    assert_eq!(base.counts(RuleKind::Freestyle, "h8a1h9b1h10c1h11d1h12"), Some((0, 0, 1)));
    let game = record(1, "freestyle", "h8", "1-0");
    let tally = base.take(Format::Results, &format!("{HEADER}{game}{{\"x\":1}}\n{}", &game[..50]));
    assert_eq!(tally, GameTally { read: 1, other_lines: 1, is_torn: true, ..GameTally::default() });
}

#[test]
fn a_wrong_game_is_left_out_and_told_with_its_number() {
    let base = Base::new();
    let says = |format, text: &str| {
        let error = base.import(format, text.as_bytes(), terms(3)).unwrap_err().to_string();
        assert_eq!((base.len(), error.lines().count()), (0, 1), "{error}");
        error
    };
    let game = |moves: &str, head: &str| sgf(&parse_moves(moves, Size::default()).unwrap(), head);
    let five = "h8a1h9b1h10c1h11d1h12";
    // The second game continues after its end, long after the last imported position.
    let over = game(&format!("{five}e1"), "RE[B+]");
    let why = "the game was over with move 9, a winning row";
    assert_eq!(says(Format::Sgf, &over), format!("line 1: game 1: move 10, e1: {why}"));
    assert_eq!(
        says(Format::Sgf, &game(five, "RE[W+]")),
        "line 1: game 1: the file gives a win of white, but move 9 made a winning row"
    );
    let foul = "h9a1h10a3g8a5i8a7h8";
    assert_eq!(
        says(Format::Sgf, &game(&format!("{foul}b1"), "RU[renju]RE[W+]")),
        "line 1: game 1: move 10, b1: the game was over with move 9, a double-three, which is a foul"
    );
    assert_eq!(
        says(Format::Sgf, &game(foul, "RU[4]RE[B+]")),
        "line 1: game 1: the file gives a win of black, but move 9 made a double-three, which is a foul"
    );
    let wrong = HEADER.to_owned() + &record(1, "renju", "h8", "1-0") + &record(2, "renju", "h8h8", "1-0");
    assert!(says(Format::Results, &wrong).starts_with("line 3: "), "{}", says(Format::Results, &wrong));
    assert_eq!(says(Format::Sgf, "\n(;GM[4];B[zz])"), "line 2: zz is off the board");
    assert_eq!(says(Format::Pgn, "[Result \"2-0\"]\n\n*\n"), "line 1: game: '2-0' is not a result");
    assert!(says(Format::Pgn, "[Result \"1-0\"]\n\n1. h8 t20 1-0\n").starts_with("line 3: "));
    let long = format!("(;GM[4]RE[B+];B[hh]C[{}])", "x".repeat(2 << 20));
    assert!(says(Format::Sgf, &long).starts_with("line 1: game 1: the texts of a position have more than"));
    // The other games of a file are imported.
    let others = Base::new();
    let file = format!(
        "{over}\n{RENJU}(;GM[4];B[zz])\n(;GM[1];B[hh])(;GM[4];B[hh)\n{RENJU}(;FF[4]GM[4]RE[B+];B[aa]"
    );
    let imported = others.import(Format::Sgf, file.as_bytes(), terms(60)).unwrap();
    assert_eq!(imported.games, Some(GameTally { read: 7, wrong: 5, ..GameTally::default() }));
    assert_eq!(imported.wrong_game, Some(format!("line 1: game 1: move 10, e1: {why}")));
    assert_eq!(others.counts(RuleKind::Renju, "h8"), Some((2, 0, 0)));
    // A foul that ends the game is valid.
    base.import(Format::Sgf, game(foul, "RU[renju]RE[W+]").as_bytes(), terms(60)).unwrap();
    assert_eq!(base.counts(RuleKind::Renju, foul), Some((1, 0, 0)));
}

#[test]
fn positions_may_be_set_up_for_either_side_and_sides_may_pass() {
    let base = Base::new();
    let one = GameTally { read: 1, ..GameTally::default() };
    assert_eq!(base.take(Format::Sgf, "(;GM[4]RE[W+]AB[hh:ih]AW[aa][bb]PL[W];W[hi])"), one);
    let position = |fen: &str| {
        let board = kakugo::board::notation::parse_fen(fen).unwrap();
        query_one(&base.store.reader().unwrap(), &board, RuleKind::Freestyle.into()).unwrap()
    };
    let (head, tail) = ("O14/1O13/15/15/15/15/15/7XX6/", "15/15/15/15/15/15");
    let begun = position(&format!("{head}15/{tail} w")).unwrap();
    assert_eq!((begun.games.won, base.len()), (1, 2));
    assert_eq!(position(&format!("{head}7O7/{tail} b")).unwrap().games.lost, 1);
    assert_eq!(base.take(Format::Sgf, "(;GM[4]RU[RIF]RE[B+];B[hh];W[];B[aa];W[tt])"), one);
    assert_eq!(base.counts(RuleKind::Renju, "h8"), Some((0, 0, 1)));
    // Passes do not exist in freestyle, and only its program understands an opening in private properties.
    let odd =
        "(;GM[4]RE[B+];B[hh];W[];B[aa])(;GM[4]RE[B+];QPR[hh,hg,jf];QSLW[ig];B[gg])(;GM[4]RE[B+];B[hh];W[])";
    let expected = GameTally { read: 3, wrong: 1, with_hidden_opening: 1, ..GameTally::default() };
    assert_eq!(base.take(Format::Sgf, odd), expected);
}

#[test]
fn two_passes_at_the_end_do_not_count_a_position_twice() {
    let text = "(;GM[4]RU[renju]RE[0];B[hh];W[ii];B[];W[]C[agreed])";
    for variations in [false, true] {
        let base = Base::new();
        base.import(Format::Sgf, text.as_bytes(), ImportOptions { variations, ..terms(60) }).unwrap();
        assert_eq!(base.len(), 4, "the empty board, h8, i7 and black's pass");
        assert_eq!(base.counts(RuleKind::Renju, "h8i7"), Some((0, 1, 0)));
        assert_eq!(base.record(RuleKind::Renju, Size::default(), "h8i7").unwrap().text, "agreed");
    }
}

#[test]
fn line_ends_of_comments_are_line_feeds() {
    for line_end in ["\n", "\r", "\r\n", "\n\r"] {
        let base = Base::new();
        base.take(Format::Sgf, &format!("(;GM[4]RE[B+];B[hh]C[one{line_end}two])"));
        let record = base.record(RuleKind::Freestyle, Size::default(), "h8").unwrap();
        assert_eq!(record.text, "one\ntwo", "{line_end:?}");
    }
}

#[test]
fn rule_encoding_and_kind_can_be_forced() {
    let base = Base::new();
    let text = b"(;GM[4]RU[Connect6]RE[B+];B[hh]C[\x83\x5c];W[ii])(;GM[1]RE[B+];B[aa])";
    let tally = |terms| base.import(Format::Sgf, text, terms).unwrap().games.unwrap();
    let plain = tally(terms(60));
    assert_eq!((plain.read, plain.of_other_kinds, plain.wrong), (2, 1, 1));
    let page = "shift_jis".parse().ok();
    let forced = Some(RuleKind::Renju.into());
    let all = tally(ImportOptions { forced, encoding: page, any_kind: true, ..terms(60) });
    assert_eq!((all.read, all.of_other_kinds, all.wrong), (2, 0, 0));
    assert_eq!(base.record(RuleKind::Renju, Size::default(), "h8").unwrap().text, "\u{30bd}");
}

#[test]
fn files_of_piskvork_are_imported() {
    let base = Base::new();
    let psq = "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,9,15\r\na.exe\r\nb.exe\r\n-1\r\n1,Renju1\r\n";
    assert_eq!(base.take(Format::Piskvork, psq), GameTally { read: 1, ..GameTally::default() });
    assert_eq!(base.counts(RuleKind::Renju, "h8i7"), Some((1, 0, 0)));
}

const RIF: &str = "<?xml version=\"1.0\"?>\n<database><rules><rule id=\"2\" name=\"Taraguchi-10\"/></rules><games>\
    <game id=\"1\" rule=\"2\" bresult=\"0.5\"><move>h8 i9 j10</move></game></games></database>\n";

#[test]
fn games_of_renjunet_are_imported() {
    let base = Base::new();
    let wrong = "<game id=\"2\"><move>h8 h8</move></game>";
    let text = RIF.replace("</games>", &format!("{wrong}</games>"));
    assert_eq!(base.take(Format::RenjuNet, &text), GameTally { read: 2, wrong: 1, ..GameTally::default() });
    assert_eq!(base.counts(RuleKind::Renju, "h8i9"), Some((0, 1, 0)));
    assert_eq!(Format::of_beginning(RIF.as_bytes()), Some(Format::RenjuNet));
}

#[test]
fn damaged_games_are_refused_and_never_end_the_program() {
    let base = Base::new();
    let mut rng = rng(72);
    let files = [
        (Format::Sgf, RENJU.to_owned()),
        (
            Format::Pgn,
            "[Variant \"renju\"]\n[BoardSize \"15\"]\n[Result \"1-0\"]\n\n1. h8 i9 1-0\n".to_owned(),
        ),
        (Format::Results, HEADER.to_owned() + &record(1, "renju", "h8i9j10", "1-0")),
        (Format::RenjuNet, RIF.to_owned()),
    ];
    for round in 0..4000 {
        let (format, text) = &files[round % 4];
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..rng.random_range(1..4) {
            let at = rng.random_range(0..bytes.len());
            match rng.random_range(0..3) {
                0 => bytes[at] = rng.random(),
                1 => bytes.insert(at, b"();[]{}\"\\\n09az<>&/"[rng.random_range(0..18)]),
                _ => bytes.truncate(at.max(1)),
            }
        }
        if let Err(error) = base.import(*format, &bytes, terms(60)) {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
        }
    }
    assert_eq!(kakugo::database::count_damaged(&base.store.reader().unwrap(), &mut ()).unwrap(), 0);
}

#[test]
fn variations_are_imported_on_request() {
    // The variation's first line leaves the game after h8, its branch after h8 i9.
    let text = "(;GM[4]SZ[15]RU[freestyle]RE[B+];B[hh](;W[hi];B[ij])(;W[ig]C[better](;B[aa])(;B[bb];W[cc])))";
    for (variations, positions) in [(false, 4), (true, 8)] {
        let base = Base::new();
        let terms = ImportOptions { variations, ..terms(60) };
        base.import(Format::Sgf, text.as_bytes(), terms).unwrap();
        assert_eq!(base.len(), positions, "{variations}");
        let record = |moves: &str| base.record(RuleKind::Freestyle, Size::default(), moves);
        assert_eq!(record("h8h7").unwrap().games.won, 1, "black, to move, won");
        assert_eq!(record("h8i9").map(|record| record.text), variations.then(|| "better".to_owned()));
        assert_eq!(record("h8i9b14c13"), variations.then(Record::default));
    }
    let illegal = text.replace(";W[cc]", ";W[cc];B[];W[dd]");
    let error = Base::new()
        .import(Format::Sgf, illegal.as_bytes(), ImportOptions { variations: true, ..terms(60) })
        .unwrap_err();
    assert!(error.to_string().starts_with("line 1: game 1: a variation: move 5"), "{error}");
}

#[test]
fn results_give_the_texts_and_variations_of_the_sgf_that_they_were_converted_from() {
    let sgf = "(;GM[4]SZ[15]RU[freestyle]RE[B+T];B[hh]C[first](;W[hi];B[ij])(;W[ig]C[better];B[ii]))";
    // As `tournament convert` writes it.
    let details = r#""comments":{"0":"first"},"variations":[{"ply":1,"moves":"i9i7","comments":{"0":"better"}}],"played""#;
    let line = record(1, "freestyle", "h8h7i6", "1-0").replace("\"played\"", details);
    for variations in [false, true] {
        let (direct, converted) = (Base::new(), Base::new());
        let terms = ImportOptions { variations, ..terms(60) };
        direct.import(Format::Sgf, sgf.as_bytes(), terms).unwrap();
        converted.import(Format::Results, line.as_bytes(), terms).unwrap();
        assert_eq!(content_of(&converted.store), content_of(&direct.store), "{variations}");
        let text = converted.record(RuleKind::Freestyle, Size::default(), "h8").unwrap().text;
        assert_eq!((text.as_str(), converted.len()), ("first", if variations { 6 } else { 4 }));
    }
}

#[test]
fn a_variation_may_leave_the_game_within_its_opening() {
    // White began; the opening of four moves is in the file.
    let text = "(;GM[4]SZ[15]KO[pass h8 g7 h6];W[hh](;B[gi];W[hj];B[ij])(;B[aa])(;B[gi](;W[bb];B[cc];W[dd])(;W[ee])))";
    let base = Base::new();
    base.import(Format::Sgf, text.as_bytes(), ImportOptions { variations: true, ..terms(60) }).unwrap();
    let reader = base.store.reader().unwrap();
    let entries = reader.entries().unwrap();
    let stones: Vec<usize> = entries.map(|entry| entry.unwrap().0.stone_count()).collect();
    assert_eq!(stones, [3, 3, 3, 4, 4, 5]);
}
