//! `review GAME...`: judges every move of a game, and reports missed wins and the losing move.

mod graph;
mod html;
mod log;
mod outputs;
mod players;
mod progress;
mod record;
mod report;
mod source;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use clap::Args;

use self::outputs::Outputs;
use self::progress::Progress;
use self::record::{ReviewKey, ReviewRecord};
use self::report::GameReport;
use self::source::{ReviewedGame, SourceGame, SourceTerms};
use super::game_file::GameFileArgs;
use super::interrupt::stop_on_interrupt;
use super::rule_name;
use super::seconds::parse_seconds;
use super::weights::{WeightsArgs, warn_unused};
use crate::board::{ByColor, Size};
use crate::drawing::Look;
use crate::files::is_same;
use crate::game::GameResult;
use crate::review::{Effort, GameMoves, GameReview, ReviewTerms, review_all};
use crate::rules::{Rule, RuleKind};

/// Arguments of `review`.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// Game files (SGF, PGN, PSQ, RIF, POS, results of `tournament`), folders with such files, patterns such as
    /// '*.sgf', or a game as moves such as h8i9j10
    #[arg(value_name = "GAME", required = true)]
    games: Vec<String>,
    /// Rule of all games: freestyle, standard, renju, caro, caro-exact, or a Gomocup code [default: the rule of each
    /// game, or freestyle if it states none]
    #[arg(long, value_parser = rule_name::parse)]
    rule: Option<Rule>,
    /// The board of games that state none [default: 15]
    #[arg(long, value_name = "N|WxH")]
    size: Option<Size>,
    #[command(flatten)]
    file: GameFileArgs,
    /// Nodes for each move, more if its mark is uncertain; the review is the same every time
    #[arg(long, value_name = "COUNT", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..),
          conflicts_with = "time")]
    nodes: u64,
    /// Seconds for each move, more if its mark is uncertain, instead of a number of nodes
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Positions searched at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Lists every move, not only those that lost something
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Writes the games to this SGF file, with marks and win rates as comments and better lines as variations
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Writes an HTML page in which you can step through the games and see the better lines
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Adds each review to this file as soon as it is complete, a line of JSON for each game
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Continues the file of --out: games that it holds are not reviewed again
    #[arg(long, requires = "out")]
    resume: bool,
    /// Prints one line of JSON for each game
    #[arg(long)]
    json: bool,
    /// Draws with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

impl ReviewArgs {
    fn effort(&self) -> Effort {
        self.time.map_or(Effort::Nodes(self.nodes), Effort::Time)
    }

    /// The files to write, each with its option.
    fn written(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let files = [("--sgf", &self.sgf), ("--html", &self.html), ("--out", &self.out)];
        files.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?)))
    }

    /// Checks that no output file is also an input file or the file of another option.
    fn check_places(&self, games: &[PathBuf]) -> Result<()> {
        for (index, (option, path)) in self.written().enumerate() {
            let is_read = games.iter().any(|game| is_same(game, path));
            let is_written = self.written().take(index).any(|(_, other)| is_same(other, path));
            ensure!(!is_read && !is_written, "{option} names {}, which is in use", path.display());
        }
        Ok(())
    }
}

/// Reviews the games and prints the results.
///
/// # Errors
/// Returns an error if a game can't be read, no game can be reviewed, a file of weights can't be loaded, or
/// the output can't be written.
pub fn run(args: &ReviewArgs) -> Result<()> {
    let terms = SourceTerms { rule: args.rule, size: args.size.unwrap_or_default(), file: &args.file };
    let processors = || thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or_else(processors, usize::from);
    let review_terms = ReviewTerms { effort: args.effort(), networks: args.weights.networks()?, threads };
    let written: Vec<&Path> = args.written().map(|(_, path)| path.as_path()).collect();
    let games = source::names(&args.games, &written)?;
    args.check_places(&games)?;
    // Nothing is searched or written until all files are known to be readable.
    let Survey { positions, kinds } = survey(&games, &terms)?;
    warn_unused(&review_terms.networks, &kinds);
    let mut outputs = Outputs::open(args)?;
    let stop = stop_on_interrupt()?;
    let progress = Progress::new(positions);
    let failure = reviewed(&games, &terms, &review_terms, &stop, &progress, &mut outputs)?;
    drop(progress);
    if let Some(error) = failure {
        return Err(error);
    }
    outputs.finish(&stop)
}

/// The review of one game as text: its graph, the moves that lost something, and a summary.
pub fn in_words(
    moves: GameMoves,
    review: &GameReview,
    players: ByColor<Option<String>>,
    result: Option<GameResult>,
    look: Look,
) -> String {
    let game = SourceGame { title: "Review".to_owned(), players, result, moves };
    // The effort is only part of the JSON.
    let record = ReviewRecord::new(&game, review, Effort::Nodes(0));
    GameReport { record: &record, look }.text(false)
}

/// Reviews all games; returns the error of the source that ended the review, if there was one.
fn reviewed(
    games: &[PathBuf],
    terms: &SourceTerms,
    review_terms: &ReviewTerms,
    stop: &AtomicBool,
    progress: &Progress,
    outputs: &mut Outputs,
) -> Result<Option<anyhow::Error>> {
    let mut failure = None;
    let sources = games.iter().flat_map(|name| match source::games(name, terms) {
        Ok(games) => games,
        Err(error) => Box::new(std::iter::once(Err(error))),
    });
    let finished = outputs.finished();
    let mut games = sources.map_while(|game| match game {
        Ok(game) => Some(task(game, &finished, progress)),
        Err(error) => {
            failure = Some(error);
            None
        }
    });
    let mut deliver = |task: Task, review: Option<GameReview>| {
        progress.hide(|| match (task, review) {
            (Task::LeftOut(why), _) => {
                outputs.left_out(&why);
                Ok(())
            }
            (Task::Finished(key), _) => outputs.repeat(&key),
            (Task::Review(game), Some(review)) => {
                outputs.add(&ReviewRecord::new(&game, &review, review_terms.effort))
            }
            (Task::Review(_), None) => Ok(()),
        })?;
        if !outputs.are_wanted() {
            stop.store(true, Ordering::Relaxed);
        }
        anyhow::Ok(())
    };
    review_all(&mut games, review_terms, stop, &|| progress.step(), &mut deliver)?;
    drop(games);
    Ok(failure)
}

/// A task for a game of the command line.
enum Task {
    /// The game is reviewed.
    Review(Box<SourceGame>),
    /// An earlier run has reviewed it.
    Finished(ReviewKey),
    /// It cannot be reviewed.
    LeftOut(String),
}

/// The task for a game, with the moves to search.
fn task(game: ReviewedGame, finished: &HashSet<ReviewKey>, progress: &Progress) -> (Task, Option<GameMoves>) {
    match game {
        ReviewedGame::LeftOut(why) => (Task::LeftOut(why), None),
        ReviewedGame::Game(game) => {
            let key = ReviewKey::of(&game);
            if finished.contains(&key) {
                progress.leave_out(game.moves.positions());
                return (Task::Finished(key), None);
            }
            let moves = game.moves.clone();
            (Task::Review(game), Some(moves))
        }
    }
}

/// Totals over all games.
struct Survey {
    /// Number of positions.
    positions: usize,
    /// The rules.
    kinds: Vec<RuleKind>,
}

/// Reads all games.
///
/// # Errors
/// Returns an error if a file can't be read or is not a file of games, or if no file has the selected game.
fn survey(names: &[PathBuf], terms: &SourceTerms) -> Result<Survey> {
    let (mut games, mut positions, mut kinds) = (0_usize, 0, Vec::new());
    for name in names {
        for game in source::games(name, terms)? {
            games += 1;
            if let ReviewedGame::Game(game) = game? {
                positions += game.moves.positions();
                let kind = game.moves.rule().kind;
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
    }
    match (terms.file.game_number, names) {
        (Some(number), [one]) if games == 0 => bail!("{}: there is no game {number}", one.display()),
        (Some(number), _) if games == 0 => bail!("no file has a game {number}"),
        _ => Ok(Survey { positions, kinds }),
    }
}
