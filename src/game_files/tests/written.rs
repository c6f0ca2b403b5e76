//! Written games are read back.

use super::*;
use crate::game::play_moves;

/// Games with everything that must be escaped.
pub(super) fn odd_games() -> Vec<RecordedGame> {
    let name = |text: &str| Some(text.to_owned());
    let game = |size: Size, rule: &str, moves: &str, result| {
        let mut board =
            RecordedGame { rule: name(rule), size: Some(size), ..RecordedGame::default() }.open().unwrap();
        play_moves(board.as_mut(), moves).unwrap();
        let mut moves: Vec<RecordedMove> = board.moves().into_iter().map(RecordedMove::from).collect();
        moves.iter_mut().step_by(2).for_each(|mv| mv.comment = name("5/3 [a] (b) \\ \"c\" ;d"));
        let players = ByColor([name("a \\ [b] \"c\""), name("\u{e9}\u{20ac}")]);
        RecordedGame { rule: name(rule), size: Some(size), moves, result, players, ..RecordedGame::default() }
    };
    let square = |side| Size::square(side).unwrap();
    vec![
        game(square(15), "renju", "h8 h7 i6 g8 a1 o15 b2 n14 c3", Some(GameResult::Black)),
        game(Size::new(22, 5).unwrap(), "caro", "a1 v5", Some(GameResult::Draw)),
        game(square(20), "freestyle", "", None),
        game(square(15), "standard", "h8", Some(GameResult::White)),
    ]
}

pub(super) fn text_of(format: GameFormat, game: &RecordedGame) -> String {
    let player = |color| game.players[color].clone().unwrap();
    let rule = game.rule.clone().unwrap();
    match format {
        GameFormat::Sgf => {
            let result = match game.result {
                Some(GameResult::Black) => "B+F",
                Some(GameResult::White) => "W+",
                Some(GameResult::Draw) => "0",
                None => "?",
            };
            let tags = [("PB", player(Color::Black)), ("PW", player(Color::White)), ("RU", rule)];
            let tags = [&tags[..], &[("RE", result.to_owned())]].concat();
            sgf::write("a:[1]", game.board(), &tags, &game.moves)
        }
        GameFormat::Pgn => {
            let tags = [
                ("White", player(Color::White)),
                ("Black", player(Color::Black)),
                ("Result", pgn::format_result(game.result).to_owned()),
                ("Variant", rule),
                ("BoardSize", game.board().to_string()),
            ];
            pgn::write(&tags, game.board(), &game.moves, !game.is_variant(), game.result)
        }
        GameFormat::Psq => unreachable!("the library does not write PSQ"),
    }
}

/// The game without its line in the file and without data specific to the format.
fn bare(game: RecordedGame) -> RecordedGame {
    RecordedGame { line: 0, tags: Vec::new(), ..game }
}

#[test]
fn written_games_are_read_back() {
    for format in [GameFormat::Sgf, GameFormat::Pgn] {
        let text: String = odd_games().iter().map(|game| text_of(format, game) + "\n").collect();
        let again: Vec<RecordedGame> = all(format, &text).into_iter().map(bare).collect();
        assert_eq!(again, odd_games(), "{text}");
        // Windows line ends, and a byte order mark.
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(all(format, &windows).into_iter().map(bare).collect::<Vec<_>>(), again);
    }
}

#[test]
fn captures_and_choices_are_kept_by_pgn() {
    let mut game = RecordedGame { rule: Some("pente:size=9".to_owned()), ..RecordedGame::default() };
    game.size = Some(Size::square(9).unwrap());
    let mut board = game.open().unwrap();
    play_moves(board.as_mut(), "a9 b9 i1 c9 d9 b9").unwrap();
    game.moves = board.moves().into_iter().map(RecordedMove::from).collect();
    game.moves[0].mv.as_mut().unwrap().choice = 1;
    game.players = ByColor(["a", "b"].map(|name| Some(name.to_owned())));
    let text = text_of(GameFormat::Pgn, &game);
    assert!(text.contains("1. a9/2 2. b9 3. i1"), "{text}");
    assert_eq!(bare(all(GameFormat::Pgn, &text).remove(0)), game);
}

#[test]
fn a_position_is_written_with_its_blocked_points() {
    let board = crate::board::notation::parse_fen("5/5/#XO2/5/#4 w").unwrap();
    let text = sgf::write_setup("Kakugo", &board, "renju");
    let expected = "(;FF[4]GM[4]CA[UTF-8]AP[Kakugo]SZ[5]\nRU[renju]AB[bc]AW[cc]KX[ac][ae]MA[ac][ae]PL[W]\n";
    assert_eq!(text, expected);
}

#[test]
fn the_side_to_move_of_an_empty_board_is_written() {
    let mut start = Board::new(Size::square(15).unwrap());
    let written = |start: &Board| sgf::write_tree("Kakugo:0", start, &[], &[], &[]);
    assert!(all(GameFormat::Sgf, &written(&start)).remove(0).moves.is_empty());
    start.set_side_to_move(Color::White);
    let game = all(GameFormat::Sgf, &written(&start)).remove(0);
    assert_eq!(game.moves, [RecordedMove { mv: None, comment: None }], "a pass by black");
}
