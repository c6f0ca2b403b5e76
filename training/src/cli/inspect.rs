//! `training inspect`: shows the contents of files of games, and replays every game.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use kakugo::board::Color;

use crate::games::{GameEnd, GamesFile};

/// Show the contents of files of games, and check every game by replaying it.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// Files of games; - is standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub fn run(args: &InspectArgs) -> Result<()> {
    for path in &args.files {
        let contents = super::on_all_cores(|| super::replay_games(path))??;
        super::print(&format!("{}\n{}", path.display(), describe(&contents)))?;
    }
    Ok(())
}

fn describe(contents: &GamesFile) -> String {
    let GamesFile { recipe, games, torn } = contents;
    let plies = || games.iter().flat_map(|game| &game.plies);
    let (positions, count) = (plies().count(), games.len());
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let won = |color| games.iter().filter(|game| game.winner == color).count();
    let mut text = String::new();
    let mut line = |name: &str, rest: String| {
        writeln!(text, "  {name:<10} {rest}").expect("writing to a string cannot fail");
    };
    let (few, many) = (recipe.stones.start(), recipe.stones.end());
    let (rule, size) = (recipe.rule.name(), recipe.size);
    line("recipe", format!("{rule} {size}, {} nodes, seed {}", recipe.nodes, recipe.seed));
    line("inside", format!("{} positions per search, {} nodes each", recipe.inner, recipe.inner_nodes));
    if recipe.harvest > 0 {
        line("harvest", format!("positions with at least {} nodes below them", recipe.harvest));
    }
    line("openings", format!("{few}-{many} stones, value within {}", recipe.bound));
    line("engine", format!("{:08x}", recipe.engine));
    line("games", format!("{count}, {:.1} searched moves each", positions as f64 / count.max(1) as f64));
    for (name, winner) in [("black", Some(Color::Black)), ("white", Some(Color::White)), ("draws", None)] {
        line(name, format!("{} ({:.1} %)", won(winner), share(won(winner), count)));
    }
    for ending in GameEnd::ALL {
        let ended = games.iter().filter(|game| game.ending == ending).count();
        line(ending.name(), format!("{ended} ({:.1} %)", share(ended, count)));
    }
    line("positions", positions.to_string());
    let quiet = plies().filter(|ply| ply.quiet).count();
    line("quiet", format!("{quiet} ({:.1} %)", share(quiet, positions)));
    let inner: usize = games.iter().map(|game| game.inner.len()).sum();
    line("inner", inner.to_string());
    if *torn > 0 {
        line("torn", format!("{torn} bytes of an unfinished game"));
    }
    text
}
