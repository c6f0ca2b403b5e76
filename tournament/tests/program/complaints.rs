//! Complaints of engines about INFO lines before the first game.

use crate::common::{SHORT, run};

/// The lines of a text with this word.
fn lines_with<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    text.lines().filter(|line| line.contains(word)).collect()
}

#[test]
fn a_rejected_setting_is_reported_before_the_first_game() {
    for more in [&["--drop-dead", "0"][..], &["--quiet"], &["--json"]] {
        let info = ["--name1", "new", "--info1", "tune_refused 5"];
        let played = run(["random", "random"], &[&SHORT[..], &info, more].concat());
        let warning = "tournament: warning: new answers 'ERROR INFO: tune_refused 5'";
        assert_eq!(lines_with(&played.stderr, "warning"), [warning], "{more:?}");
        played.ended("move-limit", "1/2-1/2");
    }
    // Other engines are not blamed, and many complaints need few lines.
    let played = run(["quote-info", "unknown-info"], &SHORT);
    let warnings = lines_with(&played.stderr, "warning");
    assert_eq!(warnings.len(), 4, "{}", played.stderr);
    assert!(warnings[0].contains("answers 'UNKNOWN INFO timeout_turn 5000'"), "{}", played.stderr);
    assert!(warnings[3].ends_with("more complaints about INFO lines"), "{}", played.stderr);
    assert!(lines_with(&run(["random", "random"], &SHORT).stderr, "warning").is_empty());
}
