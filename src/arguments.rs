//! The command line of each program of this repository: clap reads it, and refuses numbers in plain words.

use std::io::{self, IsTerminal};
use std::process;

use clap::Parser;
use clap::error::ErrorKind;

use crate::output;

/// Messages of the standard library about text that is no number, and ours.
const NUMBERS: [(&str, &str); 6] = [
    ("invalid digit found in string", "not a whole number"),
    ("cannot parse integer from empty string", "not a whole number"),
    ("number too large to fit in target type", "too large"),
    ("number too small to fit in target type", "too small"),
    ("invalid float literal", "not a number"),
    ("cannot parse float from empty string", "not a number"),
];

/// The arguments of this process. Ends it, as clap does, when they are wrong or ask for help.
pub fn parse<A: Parser>() -> A {
    A::try_parse().unwrap_or_else(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        let text = error.render();
        let text = if io::stderr().is_terminal() { text.ansi().to_string() } else { text.to_string() };
        output::tell(refusal(error.kind(), text).trim_end());
        process::exit(error.exit_code());
    })
}

/// Message of clap in plain words; about a value that can't be, one line.
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
