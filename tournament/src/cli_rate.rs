//! `tournament rate`: ratings of all players of some files, and how they did against each other.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use kakugo::board::{ByColor, Color};
use serde::Serialize;

use crate::files::UNFINISHED;
use crate::record::Record;
use crate::results;
use crate::stats::duel::OpeningScore;
use crate::stats::ratings::Standing;
use crate::stats::{DrawModel, Duel, Elo, Pairs, Pool, Rating, Ratings, Score};

/// Rates the players of results files, .pgn, .psq, .sgf and .csv.
///
/// Ratings are the likeliest ones of the Bradley-Terry model with intervals of 95%; without an anchor their mean is 0.
/// LOS is how sure it is that a player is stronger than the next one. A player who lost nothing has no upper bound.
#[derive(Debug, clap::Args)]
pub struct RateArgs {
    /// The files; all games are taken together.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A player whose rating is known; may be repeated.
    #[arg(long, value_name = "NAME=ELO", value_parser = parse_anchor)]
    anchor: Vec<(String, f64)>,
    /// What a draw is: half a win, or a result of its own (Davidson).
    #[arg(long, value_enum, default_value_t = DrawModel::Half)]
    draws: DrawModel,
    /// Each pair of players too: score, Elo from pairs of games, LOS. Two players are always shown so.
    #[arg(long)]
    duels: bool,
    /// Each opening too: how often black won.
    #[arg(long)]
    openings: bool,
    /// One JSON object with everything instead of tables.
    #[arg(long)]
    json: bool,
}

fn parse_anchor(text: &str) -> Result<(String, f64), String> {
    let (name, elo) = text.rsplit_once('=').ok_or("an anchor is NAME=ELO")?;
    let elo: f64 = elo.trim().parse().map_err(|_| format!("'{elo}' is no rating"))?;
    if elo.is_finite() { Ok((name.to_owned(), elo)) } else { Err("a rating is a finite number".to_owned()) }
}

/// Rates.
///
/// # Errors
/// When a file cannot be read, there is no game, or an anchor is no player.
pub fn run(args: &RateArgs) -> Result<ExitCode> {
    let mut games = Vec::new();
    for path in &args.files {
        let results = results::read(path)?;
        if let Some(torn) = &results.torn {
            eprintln!("{}: {torn}", path.display());
        }
        games.extend(results.games);
    }
    let all = games.len();
    games.retain(|game| game.ending != UNFINISHED && game.black.name != game.white.name);
    ensure!(!games.is_empty(), "no finished game between two players");
    let summary = Summary::new(&games, all - games.len(), args)?;
    let text = if args.json { serde_json::to_string_pretty(&summary)? + "\n" } else { summary.to_text(args) };
    match io::stdout().write_all(text.as_bytes()) {
        // Nobody reads any more: that is no error of ours.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        written => written.map(|()| ExitCode::SUCCESS).context("writing the ratings"),
    }
}

/// Everything that the command says.
#[derive(Debug, Serialize)]
struct Summary {
    games: usize,
    /// Games without a result, or of a player against itself.
    left_out: usize,
    /// Black's score over all games.
    black: Score,
    ratings: Ratings,
    /// By the name of the player: its games as black and as white.
    by_color: Vec<ColorScores>,
    duels: Vec<DuelSummary>,
    openings: Vec<OpeningSummary>,
}

#[derive(Debug, Serialize)]
struct ColorScores {
    name: String,
    black: Score,
    white: Score,
}

#[derive(Debug, Serialize)]
struct DuelSummary {
    first: String,
    second: String,
    score: Score,
    as_black: Score,
    as_white: Score,
    pairs: Pairs,
    unpaired: Score,
    elo: Option<Elo>,
    normalised_elo: Option<Elo>,
    los: Option<f64>,
    draw_rate: Option<f64>,
}

#[derive(Debug, Serialize)]
struct OpeningSummary {
    opening: String,
    black: Score,
}

impl Summary {
    fn new(games: &[Record], left_out: usize, args: &RateArgs) -> Result<Summary> {
        let ratings = Pool::new(games).rate(args.draws, &args.anchor)?;
        let mut black = Score::default();
        games.iter().for_each(|game| black.add_outcome(game.result, true));
        let names: Vec<&str> = ratings.players.iter().map(|player| player.name.as_str()).collect();
        let by_color = names.iter().map(|name| color_scores(games, name)).collect();
        let mut duels = Vec::new();
        for (index, first) in names.iter().enumerate() {
            for second in &names[index + 1..] {
                let duel = Duel::new(games, first, second);
                if duel.score.games() > 0 {
                    duels.push(DuelSummary::new(&duel, first, second));
                }
            }
        }
        Ok(Summary {
            games: games.len(),
            left_out,
            black,
            ratings,
            by_color,
            duels,
            openings: openings(games),
        })
    }

    fn to_text(&self, args: &RateArgs) -> String {
        let mut text = String::new();
        let players = self.ratings.players.len();
        let _ = writeln!(
            text,
            "{} games of {players} players; black {}, draws {}",
            self.games,
            percent(self.black.mean()),
            percent(self.black.draw_rate())
        );
        if self.left_out > 0 {
            let _ =
                writeln!(text, "{} games without a result or a second player are left out", self.left_out);
        }
        if let Some(nu) = self.ratings.nu {
            let _ = writeln!(
                text,
                "Davidson's parameter: {nu:.3} (draws between equals {})",
                percent(Some(nu / (2.0 + nu)))
            );
        }
        text += &self.table();
        text += &self.remarks();
        if args.duels || players == 2 {
            if self.duels.iter().any(|duel| duel.pairs.count() > 0) {
                text += "\nThe table takes games for independent; here both games of an opening count as one result.\n";
            }
            self.duels.iter().for_each(|duel| text += &duel.to_text());
        }
        if args.openings {
            text += &self.openings_table();
        }
        text
    }

    fn table(&self) -> String {
        let mut text = String::new();
        let names = self.ratings.players.iter().map(|player| player.name.chars().count());
        let width = names.max().unwrap_or(0).max("player".len());
        for group in 0..self.ratings.groups {
            if self.ratings.groups > 1 {
                let _ = writeln!(text, "\nGroup {}", group + 1);
            }
            let _ = writeln!(
                text,
                "\n   #  {:width$}  {:>6}  {:^15}  {:>6}  {:>6}  {:>6}  {:>6}  {:>5}  {:>5}  {:>6}  {:>6}",
                "player", "Elo", "95%", "LOS", "games", "score", "draws", "won", "lost", "black", "white"
            );
            let players = self.ratings.players.iter().zip(&self.by_color);
            for (place, (player, colors)) in players.filter(|(player, _)| player.group == group).enumerate() {
                let _ = writeln!(
                    text,
                    "{:>4}  {:width$}  {:>6}  {:^15}  {:>6}  {:>6}  {:>6}  {:>6}  {:>5}  {:>5}  {:>6}  {:>6}",
                    place + 1,
                    player.name,
                    rating_text(player),
                    interval_text(player),
                    percent(player.los),
                    player.score.games(),
                    percent(player.score.mean()),
                    percent(player.score.draw_rate()),
                    player.score.wins,
                    player.score.losses,
                    percent(colors.black.mean()),
                    percent(colors.white.mean()),
                );
            }
        }
        text
    }

    /// What the numbers do not say.
    fn remarks(&self) -> String {
        let names = |standing: Standing| {
            let players = self.ratings.players.iter().filter(|player| player.standing == standing);
            players.map(|player| player.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let mut lines = Vec::new();
        if self.ratings.groups > 1 {
            lines.push("These groups never met: their ratings cannot be compared.".to_owned());
        }
        let above = names(Standing::Above);
        if !above.is_empty() {
            lines.push(format!(
                "Only a lower bound, for everything against the rated players was won: {above}"
            ));
        }
        let below = names(Standing::Below);
        if !below.is_empty() {
            lines.push(format!(
                "Only an upper bound, for everything against the rated players was lost: {below}"
            ));
        }
        let unknown = names(Standing::Unknown);
        if !unknown.is_empty() {
            lines.push(format!("Unknown, for the results compare them with no rated player: {unknown}"));
        }
        lines.iter().map(|line| format!("\n{line}\n")).collect()
    }

    fn openings_table(&self) -> String {
        let mut text = format!("\n{:>6}  {:>6}  {:>6}  opening\n", "games", "black", "draws");
        for OpeningSummary { opening, black } in &self.openings {
            let (score, draws) = (percent(black.mean()), percent(black.draw_rate()));
            let name = if opening.is_empty() { "(empty board)" } else { opening };
            let _ = writeln!(text, "{:>6}  {score:>6}  {draws:>6}  {name}", black.games());
        }
        text
    }
}

impl DuelSummary {
    fn new(duel: &Duel, first: &str, second: &str) -> DuelSummary {
        let ByColor([as_black, as_white]) = duel.by_color;
        DuelSummary {
            first: first.to_owned(),
            second: second.to_owned(),
            score: duel.score,
            as_black,
            as_white,
            pairs: duel.pairs,
            unpaired: duel.unpaired,
            elo: duel.elo(),
            normalised_elo: duel.pairs.normalised_elo(),
            los: duel.los(),
            draw_rate: duel.score.draw_rate(),
        }
    }

    fn to_text(&self) -> String {
        let mut text = format!("\n{} - {}: {}\n", self.first, self.second, score_text(&self.score));
        let (los, draws) = (percent(self.los), percent(self.draw_rate));
        let _ = writeln!(text, "    Elo {}, LOS {los}, draws {draws}", elo_text(self.elo));
        let _ = writeln!(
            text,
            "    as black {}, as white {}",
            score_text(&self.as_black),
            score_text(&self.as_white)
        );
        if self.pairs.count() > 0 {
            let counts = self.pairs.0.map(|count| count.to_string()).join(" ");
            let _ = writeln!(
                text,
                "    {} pairs of games with 0, 0.5, 1, 1.5, 2 points: {counts}; normalised Elo {}",
                self.pairs.count(),
                elo_text(self.normalised_elo)
            );
        }
        if self.pairs.count() > 0 && self.unpaired.games() > 0 {
            let _ = writeln!(text, "    {} games without a partner", self.unpaired.games());
        }
        text
    }
}

fn color_scores(games: &[Record], name: &str) -> ColorScores {
    let mut scores = ByColor([Score::default(); 2]);
    for game in games {
        for (color, side) in [(Color::Black, &game.black), (Color::White, &game.white)] {
            if side.name == name {
                scores[color].add_outcome(game.result, color == Color::Black);
            }
        }
    }
    let ByColor([black, white]) = scores;
    ColorScores { name: name.to_owned(), black, white }
}

/// Each opening, those that favour black most first.
fn openings(games: &[Record]) -> Vec<OpeningSummary> {
    let mut scores = std::collections::BTreeMap::<&str, OpeningScore>::new();
    for game in games {
        scores.entry(&game.opening).or_default().black.add_outcome(game.result, true);
    }
    let summary = |(opening, score): (&str, OpeningScore)| OpeningSummary {
        opening: opening.to_owned(),
        black: score.black,
    };
    let mut openings: Vec<OpeningSummary> = scores.into_iter().map(summary).collect();
    let mean = |opening: &OpeningSummary| opening.black.mean().unwrap_or(0.0);
    openings.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    openings
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share))
}

fn score_text(score: &Score) -> String {
    format!("+{} -{} ={} ({})", score.wins, score.losses, score.draws, percent(score.mean()))
}

fn elo_text(elo: Option<Elo>) -> String {
    elo.map_or("unknown".to_owned(), |Elo { difference, low, high }| {
        format!("{difference:+.0} [{low:+.0}, {high:+.0}]")
    })
}

fn rating_text(player: &Rating) -> String {
    match player.standing {
        Standing::Rated | Standing::Anchor => format!("{:+.0}", player.elo),
        Standing::Above => format!(">{:+.0}", player.low),
        Standing::Below => format!("<{:+.0}", player.high),
        Standing::Unknown => "?".to_owned(),
    }
}

fn interval_text(player: &Rating) -> String {
    match player.standing {
        Standing::Rated => format!("[{:+.0}, {:+.0}]", player.low, player.high),
        Standing::Anchor => "anchor".to_owned(),
        Standing::Above | Standing::Below => "one-sided".to_owned(),
        Standing::Unknown => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::blank;
    use crate::record::Outcome;

    fn args(files: &[&str]) -> RateArgs {
        RateArgs {
            files: files.iter().map(PathBuf::from).collect(),
            anchor: Vec::new(),
            draws: DrawModel::Half,
            duels: false,
            openings: true,
            json: false,
        }
    }

    fn games() -> Vec<Record> {
        let results =
            [Outcome::Black, Outcome::White, Outcome::Black, Outcome::Draw, Outcome::Black, Outcome::Black];
        results
            .iter()
            .enumerate()
            .map(|(index, &result)| {
                let mut game = blank(index + 1);
                (game.pair, game.result) = (index / 2 + 1, result);
                let names = if index % 2 == 0 { ["one", "two"] } else { ["two", "one"] };
                [game.black.name, game.white.name] = names.map(str::to_owned);
                game.opening = ["h8", "h9", "h10"][index / 2].to_owned();
                game
            })
            .collect()
    }

    #[test]
    fn two_players_are_shown_with_their_pairs() {
        let args = args(&[]);
        let text = Summary::new(&games(), 1, &args).unwrap().to_text(&args);
        for line in [
            "6 games of 2 players; black 75.0%, draws 16.7%",
            "1 games without a result or a second player are left out",
            "one - two: +4 -1 =1 (75.0%)",
            "    as black +3 -0 =0 (100.0%), as white +1 -1 =1 (50.0%)",
            "     2  100.0%    0.0%  h10",
        ] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
        assert!(text.contains("3 pairs of games with 0, 0.5, 1, 1.5, 2 points: 0 0 1 1 1;"), "{text}");
        assert!(text.contains("   1  one        +95  "), "half of 400 log10 3\n{text}");
    }

    #[test]
    fn sweeps_are_remarked_on_and_json_holds_no_infinity() {
        let mut games = games();
        games[3].result = Outcome::White;
        games[5].result = Outcome::White;
        let args = args(&[]);
        let summary = Summary::new(&games, 0, &args).unwrap();
        let text = summary.to_text(&args);
        assert!(text.contains("everything against the rated players was"), "{text}");
        let json: serde_json::Value =
            serde_json::from_str(&serde_json::to_string(&summary).unwrap()).unwrap();
        assert!(json["duels"][0]["elo"]["high"].is_null(), "{json}");
        assert_eq!(json["duels"][0]["pairs"], serde_json::json!([0, 0, 0, 0, 3]));
    }

    #[test]
    fn anchors_are_read() {
        assert_eq!(parse_anchor("a=b=1500"), Ok(("a=b".to_owned(), 1500.0)));
        for text in ["a", "a=", "a=x", "a=inf"] {
            assert!(parse_anchor(text).is_err(), "{text}");
        }
    }
}
