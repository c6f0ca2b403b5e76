//! Standings of a pool: ratings, duels and openings, as tables and as JSON.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use anyhow::Result;
use kakugo::board::ByColor;
use serde::Serialize;

use crate::model::record::GameRecord;
use crate::stats::format::{counts, format_elo, format_score, interval, rating_value, skipped};
use crate::stats::leagues::{self, LeagueResult};
use crate::stats::ratings::Standing;
use crate::stats::{DrawModel, Duel, Elo, Pairs, Pool, Rating, Ratings, Repeats, Score};
use crate::text::{counted, name, padded, visible, width};

/// All statistics of a pool.
#[derive(Debug, Serialize)]
pub struct Standings {
    games: usize,
    /// Number of games without a result, or of a player against itself.
    left_out: usize,
    /// Number of games that repeat earlier ones; they count only once.
    repeated: usize,
    /// Black's score over all games.
    black: Score,
    ratings: Ratings,
    /// Each player's results as black and as white, in the order of the ratings.
    by_color: Vec<ColorScores>,
    duels: Vec<DuelSummary>,
    openings: Vec<OpeningSummary>,
}

/// The optional tables in addition to the ratings.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// Each pair of players; always shown for two players.
    pub duels: bool,
    /// Each opening.
    pub openings: bool,
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
    /// Each league separately, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    leagues: Vec<LeagueResult>,
}

#[derive(Debug, Serialize)]
struct OpeningSummary {
    rule: String,
    size: String,
    opening: String,
    black: Score,
}

impl Standings {
    /// The standings after `games`; `left_out` games are only mentioned.
    ///
    /// # Errors
    /// Returns an error if an anchor is not a player of these games.
    pub fn new(
        games: &[GameRecord],
        left_out: usize,
        draws: DrawModel,
        anchors: &[(String, f64)],
    ) -> Result<Standings> {
        let all = games.len();
        let games = &Repeats::removed_from(games)[..];
        let ratings = Pool::new(games.iter().copied()).rate(draws, anchors)?;
        let mut black = Score::default();
        games.iter().for_each(|game| black.add_outcome(game.result, true));
        let names: Vec<&str> = ratings.players.iter().map(|player| player.name.as_str()).collect();
        let places: HashMap<&str, usize> =
            names.iter().enumerate().map(|(place, &name)| (name, place)).collect();
        Ok(Standings {
            games: games.len(),
            left_out,
            repeated: all - games.len(),
            black,
            by_color: by_color(games, &names, &places),
            duels: duels(games, &names, &places),
            openings: openings(games),
            ratings,
        })
    }

    /// The tables.
    pub fn to_text(&self, tables: Tables) -> String {
        let mut text = String::new();
        let players = self.ratings.players.len();
        let _ = writeln!(
            text,
            "{} of {}; black {}, draws {}",
            counted(self.games, "game"),
            counted(players, "player"),
            percent(self.black.mean()),
            percent(self.black.draw_rate())
        );
        if self.left_out > 0 {
            let _ = writeln!(text, "{}", skipped(self.left_out, "without a result or a second player"));
        }
        if self.repeated > 0 {
            let repeat = if self.repeated == 1 { "repeats an earlier one" } else { "repeat earlier ones" };
            let what = format!("that {repeat}, move by move and node by node,");
            let _ = writeln!(text, "{}", skipped(self.repeated, &what));
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
        if tables.duels || players == 2 {
            if self.duels.iter().any(|duel| duel.pairs.count() > 0) {
                text += "\nThe ratings treat games as independent; here both games of an opening count as one result.\n";
            }
            self.duels.iter().for_each(|duel| text += &duel.to_text());
        }
        if tables.openings {
            text += &self.openings_table();
        }
        text
    }

    fn table(&self) -> String {
        let mut text = String::new();
        let names = self.ratings.players.iter().map(|player| width(&name(&player.name)));
        let columns = names.max().unwrap_or(0).max("player".len());
        for group in 0..self.ratings.groups {
            if self.ratings.groups > 1 {
                let _ = writeln!(text, "\nGroup {}", group + 1);
            }
            let _ = writeln!(
                text,
                "\n   #  {}  {:>6}  {:^15}  {:>6}  {:>6}  {:>6}  {:>6}  {:>5}  {:>5}  {:>6}  {:>6}",
                padded("player", columns),
                "Elo",
                "95%",
                "LOS",
                "games",
                "score",
                "draws",
                "won",
                "lost",
                "black",
                "white"
            );
            let players = self.ratings.players.iter().zip(&self.by_color);
            for (place, (player, colors)) in players.filter(|(player, _)| player.group == group).enumerate() {
                let _ = writeln!(
                    text,
                    "{:>4}  {}  {:>6}  {:^15}  {:>6}  {:>6}  {:>6}  {:>6}  {:>5}  {:>5}  {:>6}  {:>6}",
                    place + 1,
                    padded(&name(&player.name), columns),
                    rating_value(player),
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

    /// Notes on the limits of the ratings.
    fn remarks(&self) -> String {
        let names = |standing: Standing| {
            let players = self.ratings.players.iter().filter(|player| player.standing == standing);
            players.map(|player| name(&player.name)).collect::<Vec<_>>().join(", ")
        };
        let mut lines = Vec::new();
        if self.ratings.groups > 1 {
            lines.push(
                "These groups have no games against each other: their ratings cannot be compared.".to_owned(),
            );
        }
        let above = names(Standing::Above);
        if !above.is_empty() {
            lines.push(format!(
                "Only a lower bound, because they won every game against the rated players: {above}"
            ));
        }
        let below = names(Standing::Below);
        if !below.is_empty() {
            lines.push(format!(
                "Only an upper bound, because they lost every game against the rated players: {below}"
            ));
        }
        let unknown = names(Standing::Unknown);
        if !unknown.is_empty() {
            lines.push(format!(
                "Unknown, because their results do not allow a comparison with the rated players: {unknown}"
            ));
        }
        if self.ratings.is_without_nu {
            lines.push(
                "Draws count as half points where the games do not determine Davidson's parameter."
                    .to_owned(),
            );
        }
        lines.iter().map(|line| format!("\n{line}\n")).collect()
    }

    fn openings_table(&self) -> String {
        // The rule and the board of each opening, if they differ.
        let kinds: Vec<String> = self.openings.iter().map(OpeningSummary::kind).collect();
        let widest = kinds.iter().map(|kind| width(kind)).max().unwrap_or(0).max("rule".len());
        let columns = if kinds.iter().any(|kind| *kind != kinds[0]) { widest + 2 } else { 0 };
        let column = |kind: &str| if columns > 0 { padded(kind, columns) } else { String::new() };
        let head = column("rule");
        let mut text = format!("\n{:>6}  {:>6}  {:>6}  {head}opening\n", "games", "black", "draws");
        for (OpeningSummary { opening, black, .. }, kind) in self.openings.iter().zip(&kinds) {
            let (score, draws) = (percent(black.mean()), percent(black.draw_rate()));
            let stones = if opening.is_empty() { "(empty board)".into() } else { visible(opening) };
            let kind = column(kind);
            let _ = writeln!(text, "{:>6}  {score:>6}  {draws:>6}  {kind}{stones}", black.games());
        }
        text
    }
}

impl OpeningSummary {
    /// Rule and board.
    fn kind(&self) -> String {
        format!("{} {}", visible(&self.rule), visible(&self.size))
    }
}

impl DuelSummary {
    /// The summary of the games between two players.
    fn new(games: &[&GameRecord], first: &str, second: &str) -> DuelSummary {
        let Duel { results, by_color } = Duel::new(games.iter().copied(), first, second);
        let ByColor([as_black, as_white]) = by_color;
        DuelSummary {
            first: first.to_owned(),
            second: second.to_owned(),
            score: results.score,
            as_black,
            as_white,
            pairs: results.pairs,
            unpaired: results.unpaired,
            elo: results.elo(),
            normalised_elo: results.pairs.normalised_elo(),
            los: results.los(),
            draw_rate: results.score.draw_rate(),
            leagues: leagues::of_duel(games, first, second),
        }
    }

    fn to_text(&self) -> String {
        let mut text =
            format!("\n{} - {}: {}\n", name(&self.first), name(&self.second), format_score(&self.score));
        let (los, draws) = (percent(self.los), percent(self.draw_rate));
        let _ = writeln!(text, "    Elo {}, LOS {los}, draws {draws}", elo_text(self.elo));
        let _ = writeln!(
            text,
            "    as black {}, as white {}",
            format_score(&self.as_black),
            format_score(&self.as_white)
        );
        if self.pairs.count() > 0 {
            let counts = counts(&self.pairs, " ");
            let _ = writeln!(
                text,
                "    {} of games with 0, 0.5, 1, 1.5, 2 points: {counts}; normalised Elo {}",
                counted(self.pairs.count(), "pair"),
                elo_text(self.normalised_elo)
            );
        }
        if self.pairs.count() > 0 && self.unpaired.games() > 0 {
            let _ = writeln!(text, "    {} without a partner", counted(self.unpaired.games(), "game"));
        }
        text + &leagues::table(&self.leagues)
    }
}

fn by_color(games: &[&GameRecord], names: &[&str], places: &HashMap<&str, usize>) -> Vec<ColorScores> {
    let new = |name: &&str| ColorScores {
        name: (*name).to_owned(),
        black: Score::default(),
        white: Score::default(),
    };
    let mut scores: Vec<ColorScores> = names.iter().map(new).collect();
    for game in games {
        if let Some(&place) = places.get(game.black.name.as_str()) {
            scores[place].black.add_outcome(game.result, true);
        }
        if let Some(&place) = places.get(game.white.name.as_str()) {
            scores[place].white.add_outcome(game.result, false);
        }
    }
    scores
}

/// Each pair of players with common games, in the order of the ratings.
fn duels(games: &[&GameRecord], names: &[&str], places: &HashMap<&str, usize>) -> Vec<DuelSummary> {
    // One pass over the games, because in a large pool most players never meet.
    let mut meetings: BTreeMap<(usize, usize), Vec<&GameRecord>> = BTreeMap::new();
    for &game in games {
        let place = |name: &str| places.get(name).copied();
        if let Some((black, white)) = place(&game.black.name).zip(place(&game.white.name))
            && black != white
        {
            meetings.entry((black.min(white), black.max(white))).or_default().push(game);
        }
    }
    let summary = |((first, second), games): ((usize, usize), Vec<&GameRecord>)| {
        DuelSummary::new(&games, names[first], names[second])
    };
    meetings.into_iter().map(summary).collect()
}

/// The openings of each rule and board, the most favourable for black first.
fn openings(games: &[&GameRecord]) -> Vec<OpeningSummary> {
    let mut scores = BTreeMap::<[&str; 3], Score>::new();
    for game in games {
        let key: [&str; 3] = [&game.rule, &game.size, &game.opening];
        scores.entry(key).or_default().add_outcome(game.result, true);
    }
    let summary = |(key, black): ([&str; 3], Score)| {
        let [rule, size, opening] = key.map(str::to_owned);
        OpeningSummary { rule, size, opening, black }
    };
    let mut openings: Vec<OpeningSummary> = scores.into_iter().map(summary).collect();
    let mean = |opening: &OpeningSummary| opening.black.mean().unwrap_or(0.0);
    openings.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    openings
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share))
}

fn elo_text(elo: Option<Elo>) -> String {
    elo.map_or("unknown".to_owned(), format_elo)
}

fn interval_text(player: &Rating) -> String {
    match player.standing {
        // A player that is rated alone is the reference for the others of its group.
        Standing::Rated if player.low == player.high => "reference".to_owned(),
        Standing::Rated => interval(player.low, player.high),
        Standing::Anchor => "anchor".to_owned(),
        Standing::Above | Standing::Below => "one-sided".to_owned(),
        Standing::Unknown => String::new(),
    }
}

#[cfg(test)]
mod tests;
