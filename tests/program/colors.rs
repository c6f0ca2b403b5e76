//! Colours and characters on a terminal, which `script` makes.

use std::process::{Command, Stdio};

/// The output of a run on a terminal with these environment variables; `None` if `script` does not work here.
fn shown(arguments: &str, variables: &[(&str, &str)]) -> Option<String> {
    let output = Command::new("script")
        .args(["-qfc", &format!("\"$KAKUGO\" {arguments}"), "/dev/null"])
        .env("KAKUGO", env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output();
    match output {
        Ok(output) if !output.stdout.is_empty() => {
            Some(String::from_utf8(output.stdout).expect("it prints UTF-8"))
        }
        Ok(_) | Err(_) => {
            eprintln!("script (util-linux) is missing or has no terminal");
            None
        }
    }
}

#[test]
fn a_terminal_without_colours_gets_none() {
    for (arguments, part) in
        [("solve h8h8 --nonsense", "--nonsense"), ("solve", "<POSITION>"), ("forbidden h8", "Renju: ")]
    {
        let Some(colored) = shown(arguments, &[]) else { return };
        assert!(colored.contains('\u{1b}') && colored.contains(part), "{arguments}: {colored:?}");
        for variable in [("NO_COLOR", "1"), ("TERM", "dumb")] {
            let Some(plain) = shown(arguments, &[variable]) else { return };
            assert!(!plain.contains('\u{1b}') && plain.contains(part), "{arguments} {variable:?}: {plain:?}");
        }
    }
}

#[test]
fn a_progress_bar_is_ascii_where_the_terminal_is() {
    let arguments = "review h8h9a1i9i8j10j8o1a2k8 --nodes 3000";
    let Some(ascii) = shown(arguments, &[("LC_ALL", "C")]) else { return };
    assert!(ascii.contains("a2") && !ascii.contains(['\u{2588}', '\u{2591}']), "{ascii:?}");
}
