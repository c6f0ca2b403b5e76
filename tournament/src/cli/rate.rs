//! `tournament rate`: ratings of all players in some files, and their results against each other.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::files::UNFINISHED;
use crate::model::record::GameRecord;
use crate::stats::standings::{Standings, Tables};
use crate::stats::{DrawModel, Repeats};
use crate::text;

/// Rate the players of results files, .pgn, .psq, .sgf, .csv, .rif and .pos.
///
/// Ratings are maximum likelihood estimates of the Bradley-Terry model with 95% intervals; without an anchor
/// their mean is 0. LOS is the probability that a player is stronger than the next one. A player without a
/// loss has no upper bound.
#[derive(Debug, clap::Args)]
pub struct RateArgs {
    /// The files; their games are rated together. A folder means all files of games in and below it, a pattern such as
    /// '*.pgn' all files that match it, - standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A player whose rating is known; may be repeated.
    #[arg(long, value_name = "NAME=ELO", value_parser = parse_anchor)]
    anchor: Vec<(String, f64)>,
    /// Model of a draw: half a win, or a separate result (Davidson).
    #[arg(long, value_enum, default_value_t = DrawModel::Half)]
    draws: DrawModel,
    /// Show each pair of players too: score, Elo from pairs of games, LOS. Always shown for two players.
    #[arg(long)]
    duels: bool,
    /// Show each opening too, with black's score.
    #[arg(long)]
    openings: bool,
    #[command(flatten)]
    reading: super::ReadArgs,
    /// Print one JSON object with all data instead of tables.
    #[arg(long)]
    json: bool,
}

fn parse_anchor(text: &str) -> Result<(String, f64), String> {
    let (name, elo) = text.rsplit_once('=').ok_or("an anchor has the form NAME=ELO")?;
    let elo: f64 = elo.trim().parse().map_err(|_| format!("'{elo}' is not a rating"))?;
    if elo.is_finite() {
        Ok((name.to_owned(), elo))
    } else {
        Err("a rating must be a finite number".to_owned())
    }
}

/// Rates the players.
///
/// # Errors
/// Returns an error if a file cannot be read, there is no game, or an anchor is not a player.
pub fn run(args: &RateArgs) -> Result<ExitCode> {
    let mut games = Vec::new();
    for path in super::inputs(&args.files)? {
        games.extend(args.reading.read(&path)?.games);
    }
    // Repeats are counted once, and reported with the standings.
    let copies = copies(&Repeats::removed_from(&games));
    if copies > 0 {
        super::warn(&format!("tournament: warning: duplicate games are counted each time: {copies}"));
    }
    let all = games.len();
    games.retain(|game| game.ending != UNFINISHED && game.black.name != game.white.name);
    ensure!(!games.is_empty(), "there is no finished game between two players");
    let standings = Standings::new(&games, all - games.len(), args.draws, &args.anchor)?;
    let shown = if args.json {
        text::json(serde_json::to_string_pretty(&standings)?) + "\n"
    } else {
        standings.to_text(Tables { duels: args.duels, openings: args.openings })
    };
    super::print(&shown)?;
    Ok(ExitCode::SUCCESS)
}

/// Counts games that occur again: with the same players, starting second, number and opening, and the same
/// moves.
fn copies(games: &[&GameRecord]) -> usize {
    let key = |game: &&GameRecord| {
        let names = (game.black.name.clone(), game.white.name.clone());
        (names, game.began, game.game, game.opening.clone(), game.moves.clone())
    };
    let different: HashSet<_> = games.iter().map(key).collect();
    games.len() - different.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_counted() {
        let games = [1, 2, 3].map(crate::files::blank);
        let games: Vec<&GameRecord> = games.iter().collect();
        assert_eq!(copies(&games), 0);
        let mut twice = games.clone();
        twice.extend_from_slice(&games[1..]);
        assert_eq!(copies(&twice), 2);
    }

    #[test]
    fn anchors_are_read() {
        assert_eq!(parse_anchor("a=b=1500"), Ok(("a=b".to_owned(), 1500.0)));
        for text in ["a", "a=", "a=x", "a=inf"] {
            assert!(parse_anchor(text).is_err(), "{text}");
        }
    }
}
