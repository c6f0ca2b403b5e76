//! `tournament openings` with judging engines, including some that answer a few positions from a book.

use std::fs;

use crate::common::{scripted, tournament};

/// Makes a book of six openings with an engine of this behaviour; returns its lines, or the error.
fn book(behaviour: &str) -> Result<(Vec<String>, String), String> {
    book_by(&format!("'{}' {behaviour}", scripted().display()))
}

/// Like [`book`], with any engine.
fn book_by(engine: &str) -> Result<(Vec<String>, String), String> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("book.txt");
    let flags = ["openings", "--count", "6", "--nodes", "100", "--stones", "3-5", "--pause-ms", "0"];
    let output = tournament(&[&flags[..], &["--engine", engine, "--out", out.to_str().unwrap()]].concat());
    let (message, error): (String, String) =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).into();
    if output.status.success() {
        assert_eq!(error, "");
        let text = fs::read_to_string(&out).unwrap();
        return Ok((
            text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect(),
            message,
        ));
    }
    assert_eq!((output.status.code(), message.as_str(), out.exists()), (Some(2), "", false));
    Err(error)
}

#[test]
fn an_engine_with_a_book_of_its_own_judges_what_it_searches() {
    // The engine answers the empty board immediately, like Rapfi.
    let (lines, message) = book("booked 1").unwrap();
    assert_eq!(lines.len(), 6);
    assert!(message.ends_with("6 openings, 6 candidates judged in this run\n"), "{message}");
    // With a deeper book it also answers positions of fewer than five stones; these are skipped.
    let (lines, message) = book("booked 5").unwrap();
    assert!(lines.len() == 6 && lines.iter().all(|line| line.split(", ").count() == 5), "{lines:?}");
    assert!(message.contains(" of them without a value"), "{message}");
}

#[test]
fn an_engine_without_values_is_refused_before_there_is_a_book() {
    for behaviour in ["random 1", "booked 6"] {
        let error = book(behaviour).unwrap_err();
        assert_eq!(error, "tournament: trying the engine: the engine reports no value before its move\n");
    }
}

#[test]
#[cfg(unix)]
fn an_engine_that_needs_more_nodes_for_a_value_is_refused_with_their_number() {
    let engine = |least: u64| {
        let script = format!(
            "while read line; do case $line in START*) echo OK;; ABOUT) echo 'name=\"x\"';; \
             'INFO max_node '*) nodes=${{line##* }};; DONE|BEGIN|TURN*) \
             [ $nodes -ge {least} ] && echo MESSAGE value 5 depth 3; echo 0,0;; esac; done"
        );
        shell_words::join(["sh", "-c", &script])
    };
    assert_eq!(book_by(&engine(10)).unwrap().0.len(), 6);
    // An engine may even need more than --nodes, which are 100.
    for least in [11, 101] {
        let error = book_by(&engine(least)).unwrap_err();
        assert!(
            error.ends_with("no value within 10 nodes, a tenth of --nodes: try more --nodes\n"),
            "{error}"
        );
    }
}
