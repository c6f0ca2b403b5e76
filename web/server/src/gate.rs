//! Filters the lines from a page to its engine. Lines about games and analysis, and queries of the server's
//! database, pass; lines about files or the machine's resources never do.

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
        Ok(Some(Command::Open(BlockKind::Database(request)))) if has_database && is_query(&request) => {
            Passage::Passes
        }
        Ok(Some(command)) => judge_command(&command),
        // A stone, or a line that the engine rejects itself. An invalid command about files is refused.
        Err(ParseError::BadDatabaseRequest { .. } | ParseError::BadPath(_)) => Passage::Refused,
        Err(ParseError::Info(_)) => judge_key(line),
        Err(_) => Passage::Passes,
    }
}

fn judge_command(command: &Command) -> Passage {
    match command {
        Command::File(..)
        | Command::KeepDatabase(_)
        | Command::Open(BlockKind::Database(_))
        | Command::End
        | Command::Elsewhere(_) => Passage::Refused,
        Command::Info(info) if is_of_the_machine(info) => Passage::Refused,
        Command::Begin
        | Command::Turn(..)
        | Command::Done
        | Command::Analyze(_)
        | Command::Balance { .. }
        | Command::Swap2Step(_)
        | Command::SoosorvOpening
        | Command::Defend
        | Command::OfferDraw => Passage::Thinks,
        _ => Passage::Passes,
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

/// Whether a setting names a file or a resource of the machine.
fn is_of_the_machine(info: &Info) -> bool {
    matches!(
        info,
        Info::MaxMemory(_)
            | Info::HashSize(_)
            | Info::ThreadNum(_)
            | Info::Folder(_)
            | Info::UseDatabase(_)
            | Info::DatabaseReadOnly(_)
            | Info::Tune(_)
            | Info::Weights(_)
            | Info::Pondering(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_pass_and_files_do_not() {
        for line in ["START 15", "7,7,1", "INFO rule 4", "INFO rule x", "YXJUDGE 7,7", "YXSTOP", "", "STAY"] {
            assert_eq!(judge(line, false), Passage::Passes, "{line}");
        }
        for line in ["DONE", "yxnbest 3", "BEGIN", "TURN 7,7", "YXBALANCEONE"] {
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
            assert_eq!(judge(&format!("YX{word}"), true), Passage::Passes, "{word}");
            assert_eq!(judge(&format!("YX{word}"), false), Passage::Refused, "{word}");
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
