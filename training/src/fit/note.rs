//! The note of a weight file: how its network was made.

use std::fmt::Write as _;

use super::descent::{Epoch, Training};
use super::losses::{Losses, Mean};
use super::samples::Split;
use crate::games::{GamesFile, GamesRecipe};

/// Files of games whose recipes differ only in the seed.
struct SimilarFiles<'a> {
    recipe: &'a GamesRecipe,
    games: usize,
    seeds: Vec<u64>,
}

/// Games, settings and losses of a training, line by line; `points_per_unit` points are one unit of log odds, and
/// `score_points` one unit of the policy's logits.
pub fn describe(
    files: &[GamesFile],
    split: &Split,
    (points_per_unit, score_points): (i32, f32),
    training: &Training,
    epochs: &[Epoch],
) -> String {
    let mut text = String::new();
    let mut line =
        |line: std::fmt::Arguments| writeln!(text, "{line}").expect("writing to a string cannot fail");
    for SimilarFiles { recipe, games, seeds } in similar_files(files) {
        line(format_args!(
            "{games} games: {} {}, {} nodes per move, {} inner positions of {} nodes{}, {}-{} random stones within {} points, \
             {} {}, engine {:08x}.",
            recipe.rule.name(),
            recipe.size,
            recipe.nodes,
            recipe.inner,
            recipe.inner_nodes,
            match recipe.harvest {
                0 => String::new(),
                nodes => format!(", harvest from {nodes} nodes"),
            },
            recipe.stones.start(),
            recipe.stones.end(),
            recipe.bound,
            if seeds.len() == 1 { "seed" } else { "seeds" },
            ranges(&seeds),
            recipe.engine
        ));
    }
    line(format_args!(
        "{} training positions; {} played and {} inner positions of other games for validation.",
        split.train.all.len(),
        split.held_out.all.len(),
        split.held_out_inner.all.len()
    ));
    line(format_args!(
        "{points_per_unit} points are one unit of log odds; {score_points} points of move scores are one unit of \
         the policy's logits; the share of the result is {}, the weight of the policy {}, of draws {}.",
        training.task.result_share, training.task.policy_weight, training.task.draw_weight
    ));
    let Training { batch, rate, decay, seed, .. } = training;
    line(format_args!(
        "{} epochs, batches of {batch}, rate {rate}, decay {decay}, seed {seed}.",
        epochs.len()
    ));
    if let Some(last) = epochs.last() {
        for (name, losses) in [("played", last.held_out), ("inner", last.held_out_inner)] {
            if let Some(parts) = describe_losses(&losses) {
                line(format_args!("Held out, {name}: {parts}."));
            }
        }
    }
    text
}

/// The files by recipe: with a line for each of hundreds of files, a note would not fit into a weight file.
fn similar_files(files: &[GamesFile]) -> Vec<SimilarFiles<'_>> {
    let mut found: Vec<SimilarFiles> = Vec::new();
    for GamesFile { recipe, games, .. } in files {
        let is_similar = |other: &GamesRecipe| GamesRecipe { seed: recipe.seed, ..other.clone() } == *recipe;
        match found.iter_mut().find(|similar| is_similar(similar.recipe)) {
            Some(similar) => {
                similar.games += games.len();
                similar.seeds.push(recipe.seed);
            }
            None => found.push(SimilarFiles { recipe, games: games.len(), seeds: vec![recipe.seed] }),
        }
    }
    found
}

/// The seeds as text, consecutive ones as a range.
fn ranges(seeds: &[u64]) -> String {
    let range = |run: &[u64]| match run {
        [first, .., last] => format!("{first}-{last}"),
        [only] => only.to_string(),
        [] => String::new(),
    };
    let runs = seeds.chunk_by(|seed, next| seed.checked_add(1) == Some(*next));
    runs.map(range).collect::<Vec<String>>().join(", ")
}

/// The losses that exist: only harvested positions have bounds, and inner positions have no result. `None`
/// without any positions.
fn describe_losses(losses: &Losses) -> Option<String> {
    let part = |name: &str, mean: Mean| mean.if_any().map(|loss| format!("{name} {loss:.4}"));
    let chosen = losses.chosen.if_any().map(|share| format!("its best move chosen {:.1} %", 100.0 * share));
    let parts = [
        part("value", losses.value),
        part("bounds", losses.bound),
        part("policy", losses.policy),
        chosen,
        part("draws", losses.draw),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use kakugo::board::Size;
    use kakugo::rules::RuleKind;

    use super::super::case::Targets;
    use super::*;
    use crate::games::{GameEnd, TrainingGame};

    /// A file of three games.
    fn file(nodes: u32, seed: u64) -> GamesFile {
        let recipe = GamesRecipe {
            rule: RuleKind::Renju,
            size: Size::default(),
            stones: 3..=8,
            bound: 120,
            nodes,
            inner: 2,
            inner_nodes: 300,
            harvest: 0,
            seed,
            engine: 0xdead_beef,
        };
        let (opening, plies, inner) = (Vec::new(), Vec::new(), Vec::new());
        let game = TrainingGame { index: 0, winner: None, ending: GameEnd::Full, opening, plies, inner };
        GamesFile { recipe, games: vec![game; 3], torn: 0 }
    }

    #[test]
    fn files_that_differ_only_in_the_seed_share_a_line() {
        let task = Targets { result_share: 0.3, policy_weight: 0.2, draw_weight: 0.1 };
        let training = Training { epochs: 6, batch: 4096, rate: 0.003, decay: 0.1, task, seed: 1 };
        let of_400_nodes = (1..=500).map(|seed| file(400, seed));
        let files: Vec<GamesFile> = of_400_nodes.chain([file(800, 7), file(400, 800)]).collect();
        let note = describe(&files, &Split::default(), (48, 15.0), &training, &[]);
        let lines: Vec<&str> = note.lines().collect();
        let rest = "2 inner positions of 300 nodes, 3-8 random stones within 120 points";
        assert_eq!(
            lines[..2],
            [
                format!(
                    "1503 games: renju 15x15, 400 nodes per move, {rest}, seeds 1-500, 800, engine deadbeef."
                ),
                format!("3 games: renju 15x15, 800 nodes per move, {rest}, seed 7, engine deadbeef."),
            ]
        );
        assert!(lines.len() == 5 && lines[3].starts_with("48 points are one unit of log odds;"), "{note}");
        let settings = "; 15 points of move scores are one unit of the policy's logits; the share of the result is \
                        0.3, the weight of the policy 0.2, of draws 0.1.";
        assert!(lines[3].ends_with(settings), "{note}");
    }
}
