//! The command line of each program in this repository: parsed by clap, with plain messages for invalid
//! numbers.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::{env, process};

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::terminal::output;

/// Messages of the standard library about text that is not a number, and our replacements.
const NUMBERS: [(&str, &str); 6] = [
    ("invalid digit found in string", "not a whole number"),
    ("cannot parse integer from empty string", "not a whole number"),
    ("number too large to fit in target type", "too large"),
    ("number too small to fit in target type", "too small"),
    ("invalid float literal", "not a number"),
    ("cannot parse float from empty string", "not a number"),
];

/// Exit status of the engine if its help cannot be written.
const ENGINE_UNWRITTEN: i32 = 1;
/// Exit status of the other programs in this case, as for every error.
const OTHERS_UNWRITTEN: i32 = 2;

/// The arguments of this process. Exits, as clap does, if they are invalid or request help.
pub fn parse<A: Parser>() -> A {
    read(env::args_os().collect(), OTHERS_UNWRITTEN)
}

/// Parses `arguments`; `unwritten` is the exit status if help is requested and cannot be written.
fn read<A: Parser>(arguments: Vec<OsString>, unwritten: i32) -> A {
    A::try_parse_from(arguments).unwrap_or_else(|error| {
        if !error.use_stderr() {
            process::exit(print_requested(&error, unwritten));
        }
        let text = rendered(&error, io::stderr().is_terminal());
        output::styled_status(refusal(error.kind(), text).trim_end());
        process::exit(error.exit_code());
    })
}

/// Prints the help or the version that was requested; returns the exit status.
fn print_requested(request: &clap::Error, unwritten: i32) -> i32 {
    match output::print_styled(&rendered(request, output::is_terminal())) {
        Ok(()) => request.exit_code(),
        Err(error) => {
            output::status_line(output::failure(&error.0));
            unwritten
        }
    }
}

/// Clap's message, with its styles on a terminal that has colours.
fn rendered(error: &clap::Error, is_terminal: bool) -> String {
    let text = error.render();
    if is_terminal && output::has_colors() { text.ansi().to_string() } else { text.to_string() }
}

/// Like [`parse`], for a program that managers start: unknown options are removed and returned, unless there
/// is a subcommand, which only people type.
pub fn parse_tolerantly<A: Parser>() -> (A, Vec<String>) {
    let (arguments, ignored) = without_unknown::<A>(env::args_os().collect());
    (read(arguments, ENGINE_UNWRITTEN), ignored)
}

/// The arguments without the options unknown to `A`, and the unknown options; all of them if there is a
/// subcommand.
fn without_unknown<A: Parser>(mut arguments: Vec<OsString>) -> (Vec<OsString>, Vec<String>) {
    let mut ignored = Vec::new();
    let is_subcommand = |argument: &OsString| A::command().find_subcommand(argument).is_some();
    if arguments.iter().skip(1).any(is_subcommand) {
        return (arguments, ignored);
    }
    while let Err(error) = A::try_parse_from(&arguments)
        && error.kind() == ErrorKind::UnknownArgument
        && let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
    {
        let is_it = |argument: &OsString| {
            argument.to_str().and_then(|text| text.split('=').next()).is_some_and(|name| name == option)
        };
        let Some(at) = arguments.iter().skip(1).position(is_it) else { break };
        ignored.push(arguments.remove(at + 1).to_string_lossy().into_owned());
    }
    (arguments, ignored)
}

/// Clap's message in plain words; one line for an invalid value.
fn refusal(kind: ErrorKind, text: String) -> String {
    let text = NUMBERS.iter().fold(text, |text, (theirs, ours)| text.replace(theirs, ours));
    match kind {
        ErrorKind::ValueValidation => text.lines().next().unwrap_or_default().to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Parser)]
    struct Arguments {
        #[arg(long)]
        seed: u8,
        #[arg(long, default_value_t = 1.0)]
        rate: f32,
    }

    #[derive(Debug, Parser)]
    struct Program {
        #[arg(long)]
        log: Option<String>,
        #[command(subcommand)]
        command: Option<Subcommand>,
    }

    #[derive(Debug, clap::Subcommand)]
    enum Subcommand {
        Bench,
    }

    #[test]
    fn unknown_options_are_removed_without_a_subcommand() {
        let left = |arguments: &[&str]| {
            let arguments = arguments.iter().map(OsString::from).collect();
            let (arguments, ignored) = without_unknown::<Program>(arguments);
            Program::try_parse_from(arguments).map(|program| (program.log, ignored)).ok()
        };
        let ignored = vec!["--force-utf8".to_owned()];
        assert_eq!(left(&["", "--force-utf8"]), Some((None, ignored.clone())));
        assert_eq!(left(&["", "--log", "a", "--force-utf8"]), Some((Some("a".to_owned()), ignored)));
        assert_eq!(left(&["", "--size=15", "--x"]), Some((None, vec!["--size=15".into(), "--x".into()])));
        assert_eq!(left(&["", "--log", "a"]), Some((Some("a".to_owned()), Vec::new())));
        // Arguments of a subcommand, or that are not options, are mistakes of a person.
        assert_eq!(left(&["", "bench", "--force-utf8"]), None);
        assert_eq!(left(&["", "--force-utf8", "utf8"]), None);
    }

    #[test]
    fn numbers_are_refused_in_plain_words() {
        for (arguments, reason) in [
            (["", "--seed", "x"], "invalid value 'x' for '--seed <SEED>': not a whole number"),
            (["", "--seed", ""], "not a whole number"),
            (["", "--seed", "99999999999999999999"], "too large"),
            (["", "--rate", "fast"], "not a number"),
        ] {
            let error = Arguments::try_parse_from(arguments).expect_err(reason);
            let text = refusal(error.kind(), error.render().to_string());
            assert!(text.contains(reason) && text.lines().count() == 1, "{text}");
        }
    }
}
