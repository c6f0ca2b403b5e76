//! Filters the lines from a page to its engine. Lines about games and analysis, and queries of the server's
//! database, pass; lines about files or the machine's resources never do. The matches name every command and key,
//! so that the compiler asks for a decision when one is added.

use kakugo::protocol::command::{BlockKind, Command, DatabaseRequest, Info};
use kakugo::protocol::parser::{self, ParseError};

/// The decision on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// It reaches the engine.
    Passes,
    /// It reaches the engine, and may begin a search.
    Thinks,
    /// It does not reach the engine; pages do not need it.
    Refused,
}

/// Decides about one line. If the server has no database, queries are refused, because an engine would look
/// for one in the current folder.
pub fn judge(line: &str, has_database: bool) -> Passage {
    match parser::parse(line.as_bytes()) {
        Ok(None) => Passage::Passes,
        // Queries reach only the server's own database, and no request changes a database. This includes blocks on one
        // line.
        Ok(Some(Command::Open(BlockKind::Database(request)))) => {
            if has_database && is_query(&request) {
                Passage::Passes
            } else {
                Passage::Refused
            }
        }
        // A block on one line, which may end in `DONE`.
        Ok(Some(Command::Open(_))) if !parser::lines_of_block(line.as_bytes()).is_empty() => Passage::Thinks,
        Ok(Some(command)) => judge_command(&command),
        // A stone, or a line that the engine rejects itself. An invalid command about files is refused.
        Err(ParseError::BadDatabaseRequest { .. } | ParseError::BadPath(_)) => Passage::Refused,
        Err(ParseError::Info(_)) => judge_key(line),
        Err(_) => Passage::Passes,
    }
}

fn judge_command(command: &Command) -> Passage {
    match command {
        Command::File(..) | Command::KeepDatabase(_) | Command::End | Command::Elsewhere(_) => {
            Passage::Refused
        }
        Command::Info(info) => judge_info(info),
        Command::Open(block) => judge_block(block),
        Command::Begin
        | Command::Turn(..)
        | Command::Done
        | Command::Analyze(_)
        | Command::Balance { .. }
        | Command::Swap2Step(_)
        | Command::SoosorvOpening
        | Command::Defend
        | Command::OfferDraw => Passage::Thinks,
        Command::Start(_)
        | Command::Restart
        | Command::Play(..)
        | Command::TakeBack(_)
        | Command::About
        | Command::Stop
        | Command::ShowInfo
        | Command::ShowForbidden
        | Command::Judge(_)
        | Command::ShowThreats
        | Command::ShowState
        | Command::Solve(_)
        | Command::ClearHash
        | Command::ShowHashUsage
        | Command::IncludeAll(_)
        | Command::Forbid { .. }
        | Command::Resign
        | Command::ShowEvaluation => Passage::Passes,
    }
}

/// The first line of a block; `DONE` begins its work.
fn judge_block(block: &BlockKind) -> Passage {
    match block {
        BlockKind::Database(_) => Passage::Refused,
        BlockKind::Board(_)
        | BlockKind::SetBoard(_)
        | BlockKind::Swap2
        | BlockKind::Soosorv(_)
        | BlockKind::Exclude(_)
        | BlockKind::Include(_)
        | BlockKind::Procedure(_)
        | BlockKind::ShowProcedure(_)
        | BlockKind::Review(..)
        | BlockKind::JoinReviews(_) => Passage::Passes,
    }
}

/// A setting. Settings that name a file or a resource of the machine are refused.
fn judge_info(info: &Info) -> Passage {
    match info {
        Info::MaxMemory(_)
        | Info::HashSize(_)
        | Info::ThreadNum(_)
        | Info::Folder(_)
        | Info::UseDatabase(_)
        | Info::DatabaseReadOnly(_)
        | Info::Tune(_)
        | Info::Weights(_)
        | Info::Pondering(_) => Passage::Refused,
        Info::TimeoutTurn(_)
        | Info::TimeoutMatch(_)
        | Info::TimeLeft(_)
        | Info::TimeIncrement(_)
        | Info::MaxDepth(_)
        | Info::MaxNode(_)
        | Info::GameType(_)
        | Info::Rule(_)
        | Info::Game(_)
        | Info::Evaluate(_)
        | Info::ShowDetail(_)
        | Info::StartDepth(_)
        | Info::MaxMoves(_)
        | Info::DrawResult(_)
        | Info::DistinctMoves(_)
        | Info::RowsFirst(_)
        | Info::Strength(_)
        | Info::Seed(_)
        | Info::NoEffect
        | Info::Unknown => Passage::Passes,
    }
}

/// Whether a request only reads the database.
fn is_query(request: &DatabaseRequest) -> bool {
    use DatabaseRequest::{QueryAll, QueryMore, QueryOne, QueryText};
    matches!(request, QueryAll { .. } | QueryMore | QueryOne | QueryText)
}

/// An `INFO` line with an invalid value.
fn judge_key(line: &str) -> Passage {
    let key = line.split_whitespace().nth(1).unwrap_or_default();
    let is_known = ["rule", "game", "strength"].iter().any(|known| key.eq_ignore_ascii_case(known));
    if is_known { Passage::Passes } else { Passage::Refused }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_pass_and_files_do_not() {
        for line in ["START 15", "7,7,1", "INFO rule 4", "INFO rule x", "YXJUDGE 7,7", "YXSTOP", "", "STAY"] {
            assert_eq!(judge(line, false), Passage::Passes, "{line}");
        }
        for line in ["YXBOARD", "YXBLOCK", "INFO timeout_turn 100", "INFO max_node 9", "INFO no_such_key 1"] {
            assert_eq!(judge(line, false), Passage::Passes, "{line}");
        }
        for line in ["DONE", "yxnbest 3", "BEGIN", "TURN 7,7", "YXBALANCEONE", "BOARD 7,7,2 DONE"] {
            assert_eq!(judge(line, false), Passage::Thinks, "{line}");
        }
        for line in [
            "END",
            "YXHASHDUMP /etc/passwd",
            "yxhashload",
            "YXSETDATABASE x",
            "YXQUERYDATABASEALL",
            "YXEDITTEXTDATABASE \"x",
            "YXDBTOLIB a.lib",
            "YXDELETEDATABASEALL x",
            "YXSAVEDATABASE",
            "INFO folder /tmp",
            "INFO weights a",
            "INFO max_memory 1",
            "INFO thread_num 256",
            "INFO thread_num x",
            "INFO hash_size -1",
            "INFO usedatabase 1",
            "INFO tune_x 1",
            "INFO pondering 1",
        ] {
            assert_eq!(judge(line, false), Passage::Refused, "{line}");
        }
    }

    #[test]
    fn a_database_is_queried_and_never_changed() {
        for word in [
            "QUERYDATABASEALL",
            "QUERYDATABASEALLT",
            "querydatabaseone",
            "QUERYDATABASETEXT",
            "QUERYDATABASEMORE",
        ] {
            for line in [format!("YX{word}"), format!("YX{word} 7,7 8,8 DONE")] {
                assert_eq!(judge(&line, true), Passage::Passes, "{line}");
                assert_eq!(judge(&line, false), Passage::Refused, "{line}");
            }
        }
        for line in [
            "YXSETDATABASE x",
            "YXSETDATABASE",
            "YXEDITTEXTDATABASE \"x",
            "YXEDITTVDDATABASE 7 87 0 0",
            "YXEDITLABELDATABASE 7,7 x",
            "YXSETBESTMOVEDATABASE",
            "YXCLEARBESTMOVEDATABASE",
            "YXDELETEDATABASEONE",
            "YXDELETEDATABASEALL",
            "YXEDITTVDDATABASE 7 87 0 0 7,7 DONE",
            "YXSETBESTMOVEDATABASE 7,7 DONE",
            "YXCLEARBESTMOVEDATABASE 7,7 DONE",
            "YXDELETEDATABASEONE 7,7 DONE",
            "YXDELETEDATABASEALL W 7,7",
            "YXDBMERGE x",
            "YXDBSPLIT x",
            "YXDBTOTXT x",
            "YXTXTTODB x",
            "YXLIBTODB x",
            "YXDBFIX",
            "YXDBCHECK",
            "INFO database_readonly 0",
            "INFO usedatabase 1",
        ] {
            assert_eq!(judge(line, true), Passage::Refused, "{line}");
        }
    }
}
