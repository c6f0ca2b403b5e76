//! Tests of the parser.

use super::info::{folder, tune};
use super::*;
use crate::engine::levels::Level;
use crate::protocol::command::{Detail, Exclusion, FileUse, Info, SoosorvStep, Swap2Step, Upkeep};
use crate::rules::{Rule, RuleKind};
use crate::search::Tuned;

fn command(line: &str) -> Command {
    parse(line.as_bytes()).unwrap().unwrap()
}

fn info_of(line: &str) -> Info {
    match command(line) {
        Command::Info(info) => info,
        other => panic!("{other:?} is not an INFO"),
    }
}

#[test]
fn case_blanks_and_line_ends_do_not_matter() {
    let turn = Command::Turn(Coordinates { x: 9, y: 9 }, None);
    for line in ["TURN 9,9", "turn 9 , 9\r\n", "\t TuRn\t9,\t9  ", "TURN +9,09"] {
        assert_eq!(command(line), turn, "{line:?}");
    }
    assert_eq!(command("start  20 "), Command::Start(Size::square(20).unwrap()));
    assert_eq!(command("RectStart 20 , 15"), Command::Start(Size::new(20, 15).unwrap()));
    assert_eq!(command("END of it"), Command::End);
}

#[test]
fn blank_lines_are_nothing() {
    for line in ["", "\r", "  \t ", "\r\n"] {
        assert_eq!(parse(line.as_bytes()), Ok(None), "{line:?}");
    }
}

#[test]
fn every_word_has_its_command() {
    let size = Size::default();
    let point = Coordinates { x: -1, y: 30 };
    for (line, expected) in [
        ("START 15", Command::Start(size)),
        ("start 15 15", Command::Start(size)),
        ("start 20 15", Command::Start(Size::new(15, 20).unwrap())),
        ("RESTART", Command::Restart),
        ("BEGIN", Command::Begin),
        ("TURN -1,30", Command::Turn(point, None)),
        ("TURN -1,30,2", Command::Turn(point, Some(2))),
        ("PLAY -1,30", Command::Play(point, None)),
        ("TAKEBACK -1,30", Command::TakeBack(point)),
        ("BOARD", Command::Open(BlockKind::Board(None))),
        ("BOARD 0", Command::Open(BlockKind::Board(Some(Color::Black)))),
        ("YXBOARD", Command::Open(BlockKind::SetBoard(None))),
        ("YXBOARD 1", Command::Open(BlockKind::SetBoard(Some(Color::White)))),
        ("SWAP2BOARD", Command::Open(BlockKind::Swap2)),
        ("procedure Soosorv-8", Command::Open(BlockKind::Procedure(Procedure::Soosorv8))),
        ("yxsoosorvstep1", Command::SoosorvOpening),
        ("yxsoosorvstep2", Command::Open(BlockKind::Soosorv(SoosorvStep::Swap))),
        ("yxsoosorvstep3", Command::Open(BlockKind::Soosorv(SoosorvStep::Fourth))),
        ("yxsoosorvstep4 3", Command::Open(BlockKind::Soosorv(SoosorvStep::SwapAgain(3)))),
        ("yxsoosorvstep5 8", Command::Open(BlockKind::Soosorv(SoosorvStep::Offer(8)))),
        ("yxsoosorvstep6", Command::Open(BlockKind::Soosorv(SoosorvStep::Choice))),
        ("yxswap2step1", Command::Swap2Step(Swap2Step::Opening)),
        ("yxswap2step3", Command::Swap2Step(Swap2Step::Color)),
        ("YXBALANCEONE", Command::Balance { count: 1, bias: 0 }),
        ("YXBALANCETWO -35", Command::Balance { count: 2, bias: -35 }),
        ("DONE", Command::Done),
        ("ABOUT", Command::About),
        ("END", Command::End),
        ("YXSTOP", Command::Stop),
        ("STOP", Command::Stop),
        ("YXNBEST 3", Command::Analyze(3)),
        ("YXSHOWINFO", Command::ShowInfo),
        ("YXSHOWFORBID", Command::ShowForbidden),
        ("YXJUDGE -1,30", Command::Judge(point)),
        ("YXTHREATS", Command::ShowThreats),
        ("YXSTATE", Command::ShowState),
        ("YXSOLVE", Command::Solve(None)),
        ("yxsolve 1", Command::Solve(Some(Color::White))),
        ("YXREVIEW", Command::Open(BlockKind::Review(None, None))),
        ("YXREVIEW 11 20", Command::Open(BlockKind::Review(None, Some((11, 20))))),
        ("YXREVIEW 1", Command::Open(BlockKind::Review(Some(Color::White), None))),
        ("yxreview 0  3 3", Command::Open(BlockKind::Review(Some(Color::Black), Some((3, 3))))),
        ("YXREVIEWJOIN", Command::Open(BlockKind::JoinReviews(None))),
        ("YXREVIEWJOIN 1", Command::Open(BlockKind::JoinReviews(Some(Color::White)))),
        ("yxprocedure rif", Command::Open(BlockKind::ShowProcedure(Procedure::Rif))),
        ("YXHASHCLEAR", Command::ClearHash),
        ("YXSHOWHASHUSAGE", Command::ShowHashUsage),
        ("yxhashdump", Command::File(FileUse::DumpTable, None)),
        ("yxhashload my table", Command::File(FileUse::LoadTable, Some("my table".into()))),
        ("YXSEARCHDEFEND", Command::Defend),
        ("YXBLOCK", Command::Open(BlockKind::Exclude(Exclusion::Moves))),
        ("YXBLOCKUNDO", Command::Open(BlockKind::Include(Exclusion::Moves))),
        ("YXBLOCKRESET", Command::IncludeAll(Exclusion::Moves)),
        ("YXBLOCKPATH", Command::Open(BlockKind::Exclude(Exclusion::Line))),
        ("YXBLOCKPATHRESET", Command::IncludeAll(Exclusion::Line)),
        ("yxforbid del -1 30 1", Command::Forbid { at: point, side: Color::White, is_added: false }),
        ("yxsetdatabase my games.kdb", Command::File(FileUse::OpenDatabase, Some("my games.kdb".into()))),
        ("YXDBCHECK", Command::KeepDatabase(Upkeep::Check)),
        ("YXDRAW", Command::OfferDraw),
        ("TraceBoard", Command::ShowEvaluation),
        ("bench", Command::Elsewhere("run `pbrain-kakugo bench` in a terminal for the benchmark")),
    ] {
        assert_eq!(command(line), expected);
    }
}

#[test]
fn info_keys_carry_typed_values() {
    for (line, expected) in [
        ("INFO timeout_turn 0", Info::TimeoutTurn(0)),
        ("info TIMEOUT_MATCH 180000", Info::TimeoutMatch(180_000)),
        ("INFO timeout_match -1294967296", Info::TimeoutMatch(0)),
        ("INFO timeout_match 99999999999999999999", Info::TimeoutMatch(u64::MAX)),
        ("INFO time_left -20", Info::TimeLeft(Some(-20))),
        ("INFO time_left 2147483647", Info::TimeLeft(None)),
        ("INFO time_increment 50", Info::TimeIncrement(50)),
        ("INFO time_increment -1", Info::TimeIncrement(0)),
        ("INFO max_memory 0", Info::MaxMemory(None)),
        ("INFO max_memory 367001600", Info::MaxMemory(Some(367_001_600))),
        ("INFO hash_size 1024", Info::HashSize(Some(1 << 20))),
        ("INFO hash_size 99999999999999999999", Info::HashSize(Some(u64::MAX))),
        ("INFO thread_num 0", Info::ThreadNum(1)),
        ("INFO thread_num 100000", Info::ThreadNum(256)),
        ("INFO max_depth -1", Info::MaxDepth(None)),
        ("INFO max_depth 12", Info::MaxDepth(Some(12))),
        ("INFO max_node 99999999999", Info::MaxNode(Some(99_999_999_999))),
        ("INFO game_type 3", Info::GameType(3)),
        ("INFO rule 4", Info::Rule(Rule::from(RuleKind::Renju))),
        // Both boxes of qpiskvork, without and with the box for continuous games.
        ("INFO rule 5", Info::Rule(Rule::from(RuleKind::Renju))),
        ("INFO rule 7", Info::Rule(Rule { kind: RuleKind::Renju, continuous: true })),
        ("INFO rows_first 1", Info::RowsFirst(true)),
        ("INFO game Pente:size=15 ", Info::Game("Pente:size=15".to_owned())),
        ("INFO evaluate 3, 4", Info::Evaluate(Coordinates { x: 3, y: 4 })),
        ("INFO seed 7", Info::Seed(7)),
        ("INFO seed 18446744073709551615", Info::Seed(u64::MAX)),
        ("INFO strength 100", Info::Strength(Level::FULL)),
        ("INFO strength 0", Info::Strength(Level::FIRST)),
        ("INFO folder C:\\my games", Info::Folder("C:\\my games".into())),
        ("INFO weights my net.net", Info::Weights("my net.net".into())),
        ("INFO show_detail 1", Info::ShowDetail(Detail { realtime: true, lines: false })),
        ("INFO show_detail 2", Info::ShowDetail(Detail { realtime: false, lines: true })),
        ("INFO pondering 1", Info::Pondering(true)),
        ("INFO start_depth 1000", Info::StartDepth(40)),
        ("INFO max_moves 0", Info::MaxMoves(None)),
        ("INFO max_moves 200", Info::MaxMoves(Some(200))),
        ("INFO draw_result 0", Info::DrawResult(None)),
        ("INFO draw_result 2", Info::DrawResult(Some(Color::White))),
        ("INFO nbestsym 1", Info::DistinctMoves(true)),
        ("INFO caution_factor 3", Info::NoEffect),
        ("INFO caution_factor high", Info::NoEffect),
        ("INFO swapable", Info::NoEffect),
        ("INFO thread_split_depth 3", Info::Unknown),
        ("INFO", Info::Unknown),
    ] {
        assert_eq!(info_of(line), expected, "{line}");
    }
}

#[test]
fn invalid_values_are_reported() {
    let bad = |key, value: &str| Err(ParseError::Info(InfoError::BadValue { key, value: value.to_owned() }));
    assert_eq!(parse(b"INFO timeout_turn -5"), bad("timeout_turn", "-5"));
    assert_eq!(parse(b"INFO max_memory lots"), bad("max_memory", "lots"));
    for value in ["101", "-1", "256", "50%", "strong", ""] {
        assert_eq!(parse(format!("INFO strength {value}").as_bytes()), bad("strength", value));
    }
    assert_eq!(parse(b"INFO seed -1"), bad("seed", "-1"));
    assert_eq!(parse(b"INFO weights "), bad("weights", ""));
    assert_eq!(parse(b"INFO game"), bad("game", ""));
    assert_eq!(parse(b"INFO game_type 4"), bad("game_type", "4"));
    assert_eq!(parse(b"INFO evaluate 3"), bad("evaluate", "3"));
    assert_eq!(parse(b"INFO timeout_match \xff"), bad("timeout_match", "\\xff"));
    for code in [12, 13, 16, -1, i64::MAX] {
        let line = format!("INFO rule {code}");
        assert_eq!(parse(line.as_bytes()), Err(ParseError::Info(InfoError::UnknownRule(code))));
    }
}

#[test]
fn the_code_of_a_rule_is_also_read_as_sent() {
    assert_eq!(rule_code(b" info Rule 5\r"), Some(5));
    for other in ["INFO rule", "INFO rule x", "INFO timeout_turn 5", "INFO"] {
        assert_eq!(rule_code(other.as_bytes()), None, "{other}");
    }
}

#[test]
fn a_folder_that_is_no_path_counts_as_not_sent() {
    assert_eq!(folder(utf8_path("C:\\\u{f6}".as_bytes())), Info::Folder("C:\\\u{f6}".into()));
    assert_eq!(folder(utf8_path(b"C:\\\xf6")), Info::NoEffect);
    let sent = parse(b"INFO folder C:\\\xf6");
    assert!(sent.is_ok());
    assert_eq!(matches!(sent, Ok(Some(Command::Info(Info::Folder(_))))), cfg!(unix));
}

#[test]
fn tunables_are_checked_by_name_and_range() {
    let tuned = Tuned::parse("lmr_base", "850").unwrap();
    assert_eq!(tune(b"lmr_base", b"850", true), Ok(Info::Tune(tuned)));
    for (name, value, reason) in [
        ("lmr_bass", "850", "tune_lmr_bass can't be '850': there is no such tunable"),
        ("lmr_base", "85000", "tune_lmr_base can't be '85000': values go from -500 to 2500"),
        ("lmr_base", "0.9", "tune_lmr_base can't be '0.9': values go from -500 to 2500"),
        ("\n", "", "tune_\\n can't be '': there is no such tunable"),
    ] {
        let error = tune(name.as_bytes(), value.as_bytes(), true).unwrap_err();
        assert_eq!(error.to_string(), reason);
    }
    let closed = tune(b"lmr_base", b"850", false).unwrap_err();
    assert_eq!(closed.to_string(), "tune_lmr_base needs an engine built with --features tune");
    assert_eq!(parse(b"INFO Tune_lmr_base 850").is_ok(), cfg!(feature = "tune"));
}

#[test]
fn each_invalid_argument_has_its_error() {
    for text in ["", "4", "23", "-15", "fifteen", "15 x", "15 4", "15,15", "271"] {
        let error = Err(ParseError::BadSize(text.to_owned()));
        assert_eq!(parse(format!("START {text}").as_bytes()), error, "{text}");
    }
    for text in ["", "20", "20,4", "20,15,1", "261,15", "20;15"] {
        let error = Err(ParseError::BadSize(text.to_owned()));
        assert_eq!(parse(format!("RECTSTART {text}").as_bytes()), error, "{text}");
    }
    for text in ["", "0", "-2", "3 4", "x", "99999999999999999999"] {
        let error = Err(ParseError::BadCount(text.to_owned()));
        assert_eq!(parse(format!("YXNBEST {text}").as_bytes()), error, "{text}");
    }
    for text in ["x", "30001", "1.5", "3 4"] {
        let error = Err(ParseError::BadBias(text.to_owned()));
        assert_eq!(parse(format!("YXBALANCETWO {text}").as_bytes()), error, "{text}");
    }
    for text in ["", "many", "-1", "3 4"] {
        let error = Err(ParseError::BadFifths(text.to_owned()));
        assert_eq!(parse(format!("YXSOOSORVSTEP4 {text}").as_bytes()), error, "{text}");
    }
    for text in ["", "soosorv", "rif swap", "\u{e9}"] {
        let error = Err(ParseError::BadProcedure(UnknownProcedure));
        assert_eq!(parse(format!("PROCEDURE {text}").as_bytes()), error, "{text}");
    }
    for text in ["", "add", "add 7 7", "add 7 7 2", "ban 7 7 0", "add 7,7 0", "add 7 7 0 0"] {
        let error = Err(ParseError::BadForbid(text.to_owned()));
        assert_eq!(parse(format!("YXFORBID {text}").as_bytes()), error, "{text}");
    }
    for text in ["", "9", "9 9", "9,", ",9", "9,9,0", "9,9,9,9", "h8", "9.0,9", "99999999999,1"] {
        let error = Err(ParseError::BadPoint(text.to_owned()));
        assert_eq!(parse(format!("TURN {text}").as_bytes()), error, "{text}");
    }
}

#[test]
fn a_block_may_come_as_a_single_line() {
    let lines = |line: &str| -> Vec<String> {
        let lines = lines_of_block(line.as_bytes());
        lines.iter().map(|line| String::from_utf8_lossy(line).trim().to_owned()).collect()
    };
    assert_eq!(lines("YXBOARD 7,7,1  8,8,2 DONE\r"), ["YXBOARD", "7,7,1", "8,8,2", "DONE"]);
    assert_eq!(lines("board 1 7,7,1 done"), ["board 1", "7,7,1", "done"]);
    assert_eq!(lines("BOARD 7,7,x"), ["BOARD", "7,7,x"], "the block reports the stone");
    for other in
        ["BOARD", "BOARD 1", "BOARD DONE", "BOARD 2 7,7,1", "BOARD 7, 7, 1", "SWAP2BOARD 7,7 DONE", "7,7,1"]
    {
        assert!(lines(other).is_empty(), "{other}");
    }
}

#[test]
fn points_may_follow_the_command_that_takes_them() {
    for head in [
        "YXBLOCK",
        "YXBLOCKUNDO",
        "YXBLOCKPATH",
        "YXBLOCKPATHUNDO",
        "YXREVIEW",
        "YXREVIEW 1 2 3",
        "YXSOOSORVSTEP2",
        "YXSOOSORVSTEP5 3",
        "YXQUERYDATABASEALL",
        "YXDELETEDATABASEONE",
        "YXDELETEDATABASEALL WLINSTEP 5 RECURSIVE",
        "YXEDITTVDDATABASE 7 87 -250 18",
    ] {
        let lines = lines_of_block(format!("{head} 7,7  8,8 DONE").as_bytes());
        let texts: Vec<String> =
            lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect();
        assert_eq!(texts, [head, "7,7", "8,8", "DONE"]);
    }
    for (line, command, text) in [
        ("YXBLOCK all", "YXBLOCK", "all"),
        ("YXBLOCKUNDO 5 7,7 DONE", "YXBLOCKUNDO", "5"),
        ("YXBLOCKPATH DONE", "YXBLOCKPATH", "DONE"),
        ("YXSOOSORVSTEP6 2", "YXSOOSORVSTEP6", "2"),
        ("SWAP2BOARD 7,7 8,8 9,9 DONE", "SWAP2BOARD", "7,7 8,8 9,9 DONE"),
    ] {
        assert!(lines_of_block(line.as_bytes()).is_empty(), "{line}");
        let error = ParseError::NoArgument { command, text: text.to_owned() };
        assert_eq!(parse(line.as_bytes()), Err(error), "{line}");
    }
    // Their lines may have blanks.
    for line in ["YXPROCEDURE rif 7,7 7,6 DONE", "YXREVIEWJOIN 7,7", "YXEDITTEXTDATABASE see 7,7"] {
        assert!(lines_of_block(line.as_bytes()).is_empty(), "{line}");
    }
}

#[test]
fn a_word_that_is_no_stone_is_named() {
    for (line, word) in [
        ("YXBOARD 7,7,1 8,8,2 x DONE", "x"),
        ("BOARD 1,1,2 DONE x", "x"),
        ("board 0 1,1,2 x y,", "x"),
        ("BOARD 1,1,2 DONE 2,2,1", "DONE"),
        ("BOARD 1,1,2 DONE DONE", "DONE"),
        ("YXBLOCK 7,7 x", "x"),
        ("YXREVIEW 1 7,7 8 DONE", "8"),
    ] {
        assert!(lines_of_block(line.as_bytes()).is_empty(), "{line}");
        assert_eq!(parse(line.as_bytes()), Err(ParseError::BadStone(word.to_owned())), "{line}");
    }
    let text = ParseError::BadStone("x".to_owned()).to_string();
    assert_eq!(text, "'x' is neither a stone nor a point x,y");
    let not_a_side = Err(ParseError::BadSide("2".to_owned()));
    assert_eq!(parse(b"BOARD 2 7,7,1 x DONE"), not_a_side);
}

#[test]
fn yixin_lines_are_recognised_by_their_prefix() {
    for line in ["YXSHOWINFO", " yxboard", "yX"] {
        assert!(is_of_yixin(line.as_bytes()), "{line:?}");
    }
    for line in ["INFO rule 2", "y", "", "7,7,1", "X YX"] {
        assert!(!is_of_yixin(line.as_bytes()), "{line:?}");
    }
}

#[test]
fn unknown_words_are_quoted_safely() {
    assert_eq!(parse(b"\xff\x00 1"), Err(ParseError::UnknownCommand("\\xff\\x00".to_owned())));
    assert!(matches!(parse(&[b'x'; 100_000]), Err(ParseError::UnknownCommand(word)) if word.len() < 50));
    assert_eq!(parse(b"7,7,1"), Err(ParseError::UnknownCommand("7,7,1".to_owned())));
}
