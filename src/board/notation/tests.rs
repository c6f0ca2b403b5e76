use super::*;

#[test]
fn points_survive_formatting_and_parsing() {
    let size = Size::new(20, 15).unwrap();
    for point in size.points() {
        assert_eq!(parse_point(&format_point(point, size), size), Ok(point));
        assert_eq!(parse_point(&format_coordinates(point), size), Ok(point));
    }
    assert_eq!(parse_point("h8", Size::default()), Ok(Point::new(7, 7)));
    assert_eq!(parse_point("a1", Size::default()), Ok(Point::new(0, 14)));
    assert_eq!(format_coordinates(Point::new(0, 14)), "0,14");
}

#[test]
#[should_panic(expected = "7,0 is off the board")]
fn a_diagram_has_no_points_off_its_board() {
    Diagram::new(Size::square(5).unwrap()).set(Point::new(7, 0), Cell::Black);
}

#[test]
fn bad_points_are_rejected_with_their_cause() {
    let size = Size::default();
    for text in ["", "h", "8", "h8x", "é8", "7,", ",7", "7;7", "99999999999999,1"] {
        assert_eq!(parse_point(text, size), Err(NotationError::NotAPoint(clip(text))), "{text}");
    }
    for text in ["p1", "a16", "a0", "15,0", "0,-1", "a99999999999999"] {
        assert_eq!(parse_point(text, size), Err(NotationError::OffBoard(text.to_owned())), "{text}");
    }
}

#[test]
fn move_lists_survive_parsing_and_formatting() {
    let size = Size::default();
    let moves = parse_moves("h8i9j10a1", size).unwrap();
    assert_eq!(format_moves(&moves, size), "h8i9j10a1");
    for text in [
        " h8, i9 J10,a1 ",
        "h8_i9_j10_a1",
        "h8-i9-j10-a1",
        "h8;i9;j10;a1.",
        "1.h8 2.i9 3.j10 4.a1",
        "1. h8 i9\n2. j10 a1",
        "1.h8 i9 2.j10 a1",
        "1) h8 2) i9 3) j10 4) a1",
        "1: h8, 2: i9, 3: j10, 4: a1",
        "1 h8 2 i9 3 j10 4 a1",
        "1 h8 i9 2 j10 a1",
        "3.j8 4.j9",
    ] {
        let wanted = if text.starts_with('3') { parse_moves("j8j9", size) } else { Ok(moves.clone()) };
        assert_eq!(parse_moves(text, size), wanted, "{text}");
    }
    for text in ["h8 9 i9", "h8 2", "h8 2i9", "h8 . 5", "h8/i9", "1.5", "8 8 9 9", "1.", "-", "."] {
        assert!(matches!(parse_moves(text, size), Err(NotationError::NotAPoint(_))), "{text}");
    }
    assert_eq!(parse_moves("", size), Ok(vec![]));
    assert_eq!(parse_moves("h8h8", size), Err(NotationError::Taken("h8".to_owned())));
    assert!(parse_moves("h8!", size).is_err());
}

#[test]
fn fens_survive_parsing_and_formatting() {
    let fen = "7/2X4/3O#2/7/X5O/O6";
    let board = parse_fen(fen).unwrap();
    assert_eq!((board.size().width(), board.size().height()), (7, 6));
    assert_eq!(format_fen(&board), format!("{fen}"));
    assert_eq!(board.side_to_move(), Color::Black);
    assert_eq!(format_fen(&parse_fen("5/5/5/5/2X2 b").unwrap()), "5/5/5/5/2X2 b");
}

#[test]
fn bad_fens_are_rejected_with_their_cause() {
    assert_eq!(parse_fen("").unwrap_err(), NotationError::BadSize { width: 0, height: 1 });
    assert_eq!(parse_fen("5/5/5/4/5").unwrap_err(), NotationError::UnevenFenRow(4));
    assert_eq!(parse_fen("5/5/5/5/2Z2").unwrap_err(), NotationError::BadFenCharacter('Z'));
    assert_eq!(parse_fen("5/5/5/5/5 x").unwrap_err(), NotationError::BadSideToMove("x".to_owned()));
    assert_eq!(parse_fen("5/5/5/5/5 w h8i9").unwrap_err(), NotationError::AfterFen("h8i9".to_owned()));
    assert!(parse_fen(" 5/5/5/5/5  w \n").is_ok());
    assert!(parse_fen("99999999999999999999999/5/5/5/5").is_err());
}
