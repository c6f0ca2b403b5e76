//! Complaints of engines about INFO lines before the first game.

use crate::common::{SHORT, play, run, scripted};

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

#[test]
fn a_complaint_is_not_an_engines_name() {
    // `tune_refused` is answered by a line that quotes it.
    let played = run(["random", "random"], &[&SHORT[..], &["--info1", "tune_refused a=b"]].concat());
    let about = played.game()["black"]["about"].as_str().unwrap();
    assert!(about.starts_with("name=\"scripted\""), "{about}");
}

#[test]
#[cfg(unix)]
fn an_error_without_its_line_is_not_an_engines_name() {
    let rejected = "'ERROR INFO tune_x'";
    for complaints in ["'ERROR a=b'", "'UNKNOWN a=b'", &format!("UNKNOWN; echo {rejected}")] {
        let script = format!(
            "while read line; do case $line in START*|RESTART*) echo OK;; \
             ABOUT) echo {complaints}; echo 'name=\"x\"';; END) exit;; esac; done"
        );
        let named = shell_words::join(["sh", "-c", &script]);
        // The script never moves, so the game must end before.
        let other = format!("'{}' crash-at-start 1", scripted().display());
        let played = play([&other, &named], &SHORT);
        assert_eq!(played.game()["white"]["about"], "name=\"x\"", "{complaints}: {}", played.stderr);
        let is_reported = played.stderr.contains("answers 'ERROR INFO tune_x'");
        assert_eq!(is_reported, complaints.ends_with(rejected), "{complaints}: {}", played.stderr);
    }
}
