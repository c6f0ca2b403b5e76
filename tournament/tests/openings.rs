//! `tournament openings`: engines that judge, among them some that answer a few positions from a book.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;

use common::{scripted, tournament};

/// Makes a book of six openings by an engine of this behaviour; its lines, or the error.
fn book(behaviour: &str) -> Result<(Vec<String>, String), String> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("book.txt");
    let engine = format!("'{}' {behaviour}", scripted().display());
    let flags = ["openings", "--count", "6", "--nodes", "100", "--stones", "3-5", "--pause-ms", "0"];
    let output = tournament(&[&flags[..], &["--engine", &engine, "--out", out.to_str().unwrap()]].concat());
    let (said, error): (String, String) =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).into();
    if output.status.success() {
        assert_eq!(error, "");
        let text = fs::read_to_string(&out).unwrap();
        return Ok((text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect(), said));
    }
    assert_eq!((output.status.code(), said.as_str(), out.exists()), (Some(2), "", false));
    Err(error)
}

#[test]
fn an_engine_with_a_book_of_its_own_judges_what_it_searches() {
    // It answers the empty board at once, as Rapfi does.
    let (lines, said) = book("booked 1").unwrap();
    assert_eq!(lines.len(), 6);
    assert!(said.ends_with("6 openings, 6 candidates judged in this run\n"), "{said}");
    // And with a deeper book positions of fewer than five stones too: these are left out.
    let (lines, said) = book("booked 5").unwrap();
    assert!(lines.len() == 6 && lines.iter().all(|line| line.split(", ").count() == 5), "{lines:?}");
    assert!(said.contains(" of them without a value"), "{said}");
}

#[test]
fn an_engine_without_values_is_refused_before_there_is_a_book() {
    for behaviour in ["random 1", "booked 6"] {
        let error = book(behaviour).unwrap_err();
        assert_eq!(error, "tournament: trying the engine: the engine says no value before its move\n");
    }
}
