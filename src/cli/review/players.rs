//! The players of several reviewed games, as a table.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::record::ReviewRecord;
use crate::board::Color;
use crate::drawing::Look;
use crate::review::MoveMark;
use crate::terminal::text;

/// The named players of the reviewed games.
#[derive(Debug, Default)]
pub struct PlayerTable {
    players: HashMap<String, PlayerTotals>,
}

/// The totals of a player.
#[derive(Clone, Debug, Default)]
struct PlayerTotals {
    games: u64,
    /// Number of games with an accuracy, which needs a move that is not forced.
    rated: u64,
    /// Sum of the accuracies of these games.
    accuracy: f64,
    /// Number of moves with each mark, in the order of [`MoveMark::ALL`].
    marks: [u64; MoveMark::ALL.len()],
}

impl PlayerTotals {
    fn mean_accuracy(&self) -> Option<f64> {
        (self.rated > 0).then(|| self.accuracy / self.rated as f64)
    }
}

impl PlayerTable {
    /// Adds a game.
    pub fn add(&mut self, record: &ReviewRecord) {
        for color in Color::ALL {
            let Some(name) = record.player(color).filter(|name| !name.trim().is_empty()) else { continue };
            let totals = self.players.entry(name.to_owned()).or_default();
            totals.games += 1;
            if let Some(accuracy) = record.accuracy(color) {
                totals.rated += 1;
                totals.accuracy += accuracy;
            }
            for (mark, count) in MoveMark::ALL.into_iter().zip(&mut totals.marks) {
                let own = record.moves.iter().filter(|judged| judged.side() == color && judged.mark == mark);
                *count += own.count() as u64;
            }
        }
    }

    /// A line for each player, those with the most games first; empty if no player has a name.
    pub fn text(&self, look: Look) -> String {
        if self.players.is_empty() {
            return String::new();
        }
        let mut players: Vec<(&String, &PlayerTotals)> = self.players.iter().collect();
        players.sort_by(|(name, one), (other_name, other)| {
            let [accuracy, other_accuracy] =
                [one, other].map(|totals| totals.mean_accuracy().unwrap_or_default());
            let by_accuracy = other_accuracy.total_cmp(&accuracy);
            other.games.cmp(&one.games).then(by_accuracy).then_with(|| name.cmp(other_name))
        });
        let errors: Vec<&str> =
            MoveMark::ALL.iter().filter(|mark| mark.is_error()).map(|mark| mark.words()).collect();
        let mut text = look.strong(&format!("games  accuracy  {}  player", errors.join("  "))) + "\n";
        for (name, totals) in players {
            let accuracy = totals.mean_accuracy().map_or_else(|| "-".to_owned(), |mean| format!("{mean:.0}"));
            let _ = write!(text, "{:>5}  {accuracy:>8}", totals.games);
            for (mark, count) in MoveMark::ALL.iter().zip(totals.marks).filter(|(mark, _)| mark.is_error()) {
                let _ = write!(text, "  {count:>0$}", mark.words().len());
            }
            let _ = writeln!(text, "  {}", text::name(name));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of one move, by Ann against Bob.
    fn record(mark: &str, accuracy: u8) -> ReviewRecord {
        let line = format!(
            r#"{{"game":"a","rule":"renju","size":"15x15","position":"h8","black":"Ann","white":"Bob",
            "result":"*","nodes":100,"moves":[{{"ply":1,"move":"h8","color":"black","mark":"{mark}",
            "winrate_before":0.5,"winrate_after":0.5,"best":"h8","line":["h8"],"value":0,"mate":null,"proven":false}}],
            "accuracy":{{"black":{accuracy}.0,"white":null}},"lost_from":null}}"#
        );
        ReviewRecord::parse(line.as_bytes()).unwrap()
    }

    #[test]
    fn the_games_of_a_player_are_added_up() {
        let mut table = PlayerTable::default();
        assert_eq!(table.text(Look::plain(true)), "");
        for (mark, accuracy) in [("blunder", 80), ("missed-win", 60), ("best", 100)] {
            table.add(&record(mark, accuracy));
        }
        let unnamed = ReviewRecord { black: None, white: Some(" ".to_owned()), ..record("blunder", 0) };
        table.add(&unnamed);
        table.add(&ReviewRecord { black: Some("Cid".to_owned()), white: None, ..record("mistake", 90) });
        let expected = "\
games  accuracy  inaccuracy  mistake  blunder  missed win  player
    3        80           0        0        1           1  Ann
    3         -           0        0        0           0  Bob
    1        90           0        1        0           0  Cid
";
        assert_eq!(table.text(Look::plain(true)), expected);
    }
}
