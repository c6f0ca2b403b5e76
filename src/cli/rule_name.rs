//! Names of rules on the command line, with advice for names that are not rules.

use crate::rules::Rule;
use crate::variants;

/// Parses the name of a rule.
///
/// # Errors
/// Returns an error if no rule has this name. For the name of a game the error gives the option that plays
/// it, for gomoku its rules.
pub fn parse(text: &str) -> Result<Rule, String> {
    text.parse().map_err(|error| match text {
        _ if variants::parse(text).is_ok() => {
            format!("{text} is a game, not a rule: use pbrain-kakugo play --game {text}")
        }
        _ if text.eq_ignore_ascii_case("gomoku") => {
            "gomoku has several rules: freestyle (five or more win) or standard (exactly five)".to_owned()
        }
        _ => format!("{error}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_games_lead_to_them() {
        assert_eq!(parse("renju"), Ok("renju".parse().unwrap()));
        assert!(parse("pente").unwrap_err().ends_with("use pbrain-kakugo play --game pente"));
        assert!(parse("Gomoku").unwrap_err().contains("freestyle"));
        assert!(parse("chess").unwrap_err().starts_with("no such rule; known: "));
    }
}
