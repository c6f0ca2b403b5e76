//! Every block ends, whatever it contains and whenever it is sent: the line after it is answered.

use kakugo::engine::{Engine, Options};
use kakugo::protocol::input::read_line;
use kakugo::protocol::search_control::SearchControl;
use kakugo::protocol::session::{Next, Session};

use crate::engines::small;

/// Commands that open a block, of every kind except edits of the database.
const HEADS: [&str; 20] = [
    "BOARD",
    "YXBOARD",
    "SWAP2BOARD",
    "YXSOOSORVSTEP2",
    "YXSOOSORVSTEP3",
    "YXSOOSORVSTEP4 2",
    "YXSOOSORVSTEP5 2",
    "YXSOOSORVSTEP6",
    "PROCEDURE rif",
    "PROCEDURE swap2",
    "PROCEDURE taraguchi-10",
    "YXPROCEDURE swap2",
    "YXREVIEW",
    "YXREVIEWJOIN",
    "YXQUERYDATABASEALLT",
    "YXQUERYDATABASEMORE",
    "YXBLOCKPATH",
    "YXBLOCKPATHUNDO",
    "YXBLOCK",
    "YXBLOCKUNDO",
];
/// Rules and games.
const GAMES: [&str; 13] = [
    "INFO rule 0",
    "INFO rule 1",
    "INFO rule 2",
    "INFO rule 4",
    "INFO rule 8",
    "INFO game pente",
    "INFO game gomoku42",
    "INFO game gomoku42-web",
    "INFO game ninuki",
    "INFO game keryo",
    "INFO game gomoku33",
    "INFO game roku",
    "INFO game roku-ninuki",
];
/// Lines that may be sent between the first and the last line of a block.
const LINES: [&[&str]; 4] = [&[], &["7,7,1", "6,6,2"], &["nonsense"], &["ABOUT", "INFO show_detail 0"]];

/// Sends a line and returns the output lines.
fn send(session: &mut Session, text: &str) -> Vec<String> {
    let line = read_line(&mut text.as_bytes()).expect("memory can be read").expect("a line");
    let step = session.handle(&line);
    let mut answers: Vec<String> = step.responses.iter().map(ToString::to_string).collect();
    if let Next::Think(mut task) = step.next {
        task.limits.clock = None;
        task.limits.max_nodes = Some(1);
        task.limits.max_depth = Some(1);
        let answer = session.think(&task, &SearchControl::default(), &|_| {});
        answers.extend(answer.map(|answer| answer.to_string()));
    }
    answers
}

/// Whether no block is open.
fn check_open(session: &mut Session, what: &str) {
    assert_eq!(
        send(session, "ISITALIVE"),
        ["UNKNOWN command 'ISITALIVE'"],
        "{what}: the block is still open"
    );
}

/// Runs `check` for every game, rule, block and its lines, before and after START; for the last two only
/// every `step`th.
fn for_all(step: usize, check: impl Fn(&mut Session, &str)) {
    for game in GAMES {
        for starts in [&[][..], &["START 11"]] {
            let mut session = Session::new(small());
            for head in HEADS.into_iter().step_by(step) {
                for lines in LINES.into_iter().step_by(step) {
                    let what = format!("{game}, {starts:?}, {head}, {lines:?}");
                    send(&mut session, game);
                    for line in starts.iter().chain([&head]).chain(lines) {
                        send(&mut session, line);
                    }
                    check(&mut session, &what);
                }
            }
        }
    }
}

#[test]
fn done_closes_every_block_and_is_answered() {
    for_all(1, |session, what| {
        let answers = send(session, "DONE");
        // Setting a position and excluding moves are not answered.
        let may_be_silent = what.contains("YXBOARD") || what.contains("YXBLOCK");
        assert!(!answers.is_empty() || may_be_silent, "{what}");
        check_open(session, what);
        let again = send(session, "DONE");
        assert!(again.len() == 1 && again[0].starts_with("ERROR "), "{what}: {again:?}");
        check_open(session, what);
    });
}

#[test]
fn every_other_command_closes_a_block() {
    const ENDS: [&str; 9] = [
        "START 15",
        "START 11",
        "START 50",
        "START",
        "RESTART",
        "TURN 1,1",
        "TURN 1;1",
        "BEGIN",
        "YXNBEST 0",
    ];
    for end in ENDS {
        for_all(3, |session, what| {
            let what = format!("{what}, {end}");
            let answers = send(session, end);
            assert!(!answers.is_empty(), "{what}: no answer");
            check_open(session, &what);
        });
    }
}

#[test]
fn a_game_chosen_within_a_block_leaves_it_to_done() {
    for game in GAMES {
        for_all(3, |session, what| {
            let what = format!("{what}, {game}");
            send(session, game);
            send(session, "DONE");
            check_open(session, &what);
        });
    }
}

#[test]
fn a_block_rejects_endless_lines() {
    let mut session = Session::new(Engine::new(Options::default()));
    send(&mut session, "START 15");
    send(&mut session, "PROCEDURE swap2");
    send(&mut session, &"7,7 ".repeat(10_000));
    assert_eq!(send(&mut session, "DONE"), ["ERROR a line is too long"]);
    check_open(&mut session, "a long answer");
}

#[test]
fn a_refused_opening_leaves_the_rule_as_it_was() {
    let mut session = Session::new(Engine::new(Options::default()));
    send(&mut session, "START 20");
    send(&mut session, "INFO rule 8");
    let before = session.engine().position().rule();
    let answers = send(&mut session, "yxsoosorvstep1");
    assert!(answers.len() == 1 && answers[0].starts_with("ERROR "), "{answers:?}");
    assert_eq!(session.engine().position().rule(), before);
}

#[test]
fn commands_that_do_not_change_the_position_leave_a_block_open() {
    let mut session = Session::new(small());
    for line in ["START 15", "YXBOARD", "7,7,1"] {
        send(&mut session, line);
    }
    for line in [
        "ABOUT",
        "INFO max_node 1",
        "YXSTOP",
        "STOP",
        "YXSHOWINFO",
        "YXSHOWFORBID",
        "YXSHOWHASHUSAGE",
        "YXHASHCLEAR",
    ] {
        let answers = send(&mut session, line);
        assert!(answers.iter().all(|answer| !answer.starts_with("ERROR")), "{line}: {answers:?}");
    }
    send(&mut session, "8,8,2");
    assert!(send(&mut session, "DONE").is_empty());
    assert_eq!(session.engine().position().board().stone_count(), 2);
}
