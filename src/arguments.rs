//! The command line of each program of this repository: clap reads it, and refuses numbers in plain words.

use std::io::{self, IsTerminal, Write};
use std::process;

use clap::Parser;

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
        let _ = io::stderr().write_all(in_plain_words(text).as_bytes());
        process::exit(error.exit_code());
    })
}

fn in_plain_words(text: String) -> String {
    NUMBERS.iter().fold(text, |text, (theirs, ours)| text.replace(theirs, ours))
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
            let text = in_plain_words(error.render().to_string());
            assert!(text.contains(reason), "{text}");
        }
    }
}
