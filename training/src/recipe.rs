//! The recipe of weights: each step from games to networks, as data.
//!
//! A recipe is a TOML file of `[[play]]` and `[[fit]]` tables. A play names files of games, one for each
//! seed; a fit names networks and the plays that they are trained on. Every other key of a table is an option
//! of `selfplay` or `fit`. This module knows the names and references, not the options.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail, ensure};
use kakugo::rules::{Rule, RuleKind};
use serde::Deserialize;

/// Options of a step: key and value.
pub type StepOptions = BTreeMap<String, toml::Value>;

/// The recipe of weights.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightsRecipe {
    /// The games.
    #[serde(default)]
    pub play: Vec<PlayStep>,
    /// The trainings, each after those that it depends on.
    #[serde(default)]
    pub fit: Vec<FitStep>,
}

/// Games of the engine against itself.
#[derive(Clone, Debug, Deserialize)]
pub struct PlayStep {
    /// Name of the step; the files are `NAME-SEED.bin`.
    pub name: String,
    /// Name of the rule.
    pub rule: String,
    /// Side length of the board.
    #[serde(default = "default_size")]
    pub size: u8,
    /// The seeds, one for each file.
    pub seeds: Vec<u64>,
    /// Number of games of each file.
    pub games: Option<u32>,
    /// Minimum number of positions of each file, instead of `games`.
    pub positions: Option<u64>,
    /// The fit, or the folder of weights, whose network plays; the built-in one if this is missing.
    pub network: Option<String>,
    /// Options of `selfplay`.
    #[serde(flatten)]
    pub options: StepOptions,
}

/// A training on games.
#[derive(Clone, Debug, Deserialize)]
pub struct FitStep {
    /// Name of the step and of its folder of weights.
    pub name: String,
    /// Names of the plays.
    pub on: Vec<String>,
    /// The fit, or the folder of weights, that the training continues from; random weights if this is missing.
    pub from: Option<String>,
    /// Options of `fit`.
    #[serde(flatten)]
    pub options: StepOptions,
}

fn default_size() -> u8 {
    15
}

impl PlayStep {
    /// The rule of the games.
    ///
    /// # Errors
    /// Returns an error if no rule has the name, or if its games do not end with a five.
    pub fn kind(&self) -> Result<RuleKind> {
        match self.rule.parse() {
            Ok(Rule { kind, continuous: false }) => Ok(kind),
            Ok(_) => bail!("games end with their first row, so the rule cannot be continuous"),
            Err(_) => bail!("no rule has the name '{}'", self.rule),
        }
    }

    /// The name of the file with the games of `seed`.
    pub fn file(&self, seed: u64) -> String {
        format!("{}-{seed}.bin", self.name)
    }
}

/// The rule whose weights a rule plays with: caro-exact shares the weights of caro.
pub fn weights_rule(kind: RuleKind) -> RuleKind {
    if kind == RuleKind::CaroExact { RuleKind::Caro } else { kind }
}

impl WeightsRecipe {
    /// Reads a recipe.
    ///
    /// # Errors
    /// Returns an error if `text` is not a recipe, or if its names do not fit together.
    pub fn parse(text: &str) -> Result<WeightsRecipe> {
        let recipe: WeightsRecipe = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            anyhow::anyhow!("line {line}: {}", error.message().replace('\n', " "))
        })?;
        recipe.check()?;
        Ok(recipe)
    }

    /// The fit with this name.
    pub fn fit(&self, name: &str) -> Option<&FitStep> {
        self.fit.iter().find(|fit| fit.name == name)
    }

    /// The plays that `fit` is trained on.
    pub fn plays_of<'a>(&'a self, fit: &'a FitStep) -> impl Iterator<Item = &'a PlayStep> {
        fit.on.iter().filter_map(|name| self.play.iter().find(|play| play.name == *name))
    }

    /// The rules of the networks that a fit trains, each once.
    ///
    /// # Errors
    /// Returns an error if a play has an invalid rule.
    pub fn rules_of(&self, fit: &FitStep) -> Result<Vec<RuleKind>> {
        let kinds: Vec<RuleKind> = self.plays_of(fit).map(PlayStep::kind).collect::<Result<_>>()?;
        Ok(RuleKind::ALL.into_iter().filter(|kind| kinds.contains(kind)).collect())
    }

    fn check(&self) -> Result<()> {
        ensure!(!self.play.is_empty(), "a recipe needs at least one [[play]]");
        let mut names = BTreeSet::new();
        let all = self.play.iter().map(|play| &play.name).chain(self.fit.iter().map(|fit| &fit.name));
        for name in all {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            ensure!(
                !name.is_empty() && name.chars().all(is_plain),
                "'{name}' cannot be a name: letters, digits, '-' and '_' only"
            );
            ensure!(names.insert(name.to_lowercase()), "two steps have the name '{name}'");
        }
        for (place, fit) in self.fit.iter().enumerate() {
            self.check_fit(fit, place).with_context(|| format!("fit '{}'", fit.name))?;
        }
        for play in &self.play {
            self.check_play(play).with_context(|| format!("play '{}'", play.name))?;
        }
        // After the check of the plays, so that an invalid rule is reported as a fault of its play.
        self.fit
            .iter()
            .try_for_each(|fit| self.check_rules(fit).with_context(|| format!("fit '{}'", fit.name)))
    }

    fn check_fit(&self, fit: &FitStep, place: usize) -> Result<()> {
        ensure!(!fit.on.is_empty(), "'on' names no play");
        for name in &fit.on {
            let play = self.play.iter().find(|play| play.name == *name);
            let play = play.with_context(|| format!("there is no play '{name}'"))?;
            if let Some(network) = &play.network {
                self.check_is_before(network, place)?;
            }
        }
        let plays: BTreeSet<&String> = fit.on.iter().collect();
        ensure!(plays.len() == fit.on.len(), "'on' names a play twice");
        fit.from.iter().try_for_each(|from| self.check_is_before(from, place))
    }

    /// Checks that `name`, if it is a fit, comes before the fit at `place`.
    fn check_is_before(&self, name: &str, place: usize) -> Result<()> {
        let later = self.fit[place..].iter().any(|fit| fit.name == name);
        ensure!(!later, "it needs the networks of '{name}', which must come before it");
        Ok(())
    }

    fn check_play(&self, play: &PlayStep) -> Result<()> {
        let kind = play.kind()?;
        ensure!(!play.seeds.is_empty(), "'seeds' is empty");
        let seeds: BTreeSet<u64> = play.seeds.iter().copied().collect();
        ensure!(seeds.len() == play.seeds.len(), "'seeds' has a seed twice");
        ensure!(play.games.is_some() != play.positions.is_some(), "needs either 'games' or 'positions'");
        if let Some(fit) = play.network.as_ref().and_then(|name| self.fit(name)) {
            self.check_trains(fit, kind)?;
        }
        Ok(())
    }

    /// Checks that every rule of a fit has weights of its own, and is trained by the fit that it continues from.
    fn check_rules(&self, fit: &FitStep) -> Result<()> {
        let first = fit.from.as_ref().and_then(|name| self.fit(name));
        for kind in self.rules_of(fit)? {
            let own = weights_rule(kind);
            ensure!(
                own == kind,
                "{0} shares the weights of {1}: train them on games of {1}",
                kind.name(),
                own.name()
            );
            first.map_or(Ok(()), |first| self.check_trains(first, kind))?;
        }
        Ok(())
    }

    /// Checks that `fit` trains the network that `kind` plays with.
    fn check_trains(&self, fit: &FitStep, kind: RuleKind) -> Result<()> {
        let is_trained = self.rules_of(fit)?.contains(&weights_rule(kind));
        ensure!(is_trained, "the fit '{}' trains no network for {}", fit.name, kind.name());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
        [[play]]
        name = \"d15\"
        rule = \"caro\"
        seeds = [81, 82]
        games = 10
        nodes = 50_000
        [[fit]]
        name = \"first\"
        on = [\"d15\"]
        rate = 0.0015
        [[play]]
        name = \"e15\"
        rule = \"caro\"
        seeds = [83]
        positions = 1000
        network = \"first\"
        [[fit]]
        name = \"second\"
        on = [\"d15\", \"e15\"]
        from = \"first\"
    ";

    #[test]
    fn a_recipe_is_read() {
        let recipe = WeightsRecipe::parse(TEXT).unwrap();
        let [first, second] = [0, 1].map(|place| &recipe.fit[place]);
        assert_eq!(
            recipe.plays_of(second).map(|play| play.file(play.seeds[0])).collect::<Vec<_>>(),
            ["d15-81.bin", "e15-83.bin"]
        );
        assert_eq!(recipe.rules_of(first).unwrap(), [RuleKind::Caro]);
        assert_eq!(recipe.play[0].size, 15);
        assert_eq!(recipe.play[0].options["nodes"].as_integer(), Some(50_000));
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let changed = |from: &str, to: &str| {
            assert!(TEXT.contains(from), "{from}");
            format!("{:#}", WeightsRecipe::parse(&TEXT.replacen(from, to, 1)).unwrap_err())
        };
        for (from, to, expected) in [
            ("rule = \"caro\"", "rule = \"chess\"", "play 'd15': no rule has the name 'chess'"),
            ("games = 10", "", "play 'd15': needs either 'games' or 'positions'"),
            ("games = 10", "games = 10\npositions = 9", "play 'd15': needs either 'games' or 'positions'"),
            ("seeds = [81, 82]", "seeds = []", "play 'd15': 'seeds' is empty"),
            ("seeds = [81, 82]", "seeds = [8, 8]", "play 'd15': 'seeds' has a seed twice"),
            ("on = [\"d15\"]", "on = [\"x\"]", "fit 'first': there is no play 'x'"),
            ("on = [\"d15\"]", "on = []", "fit 'first': 'on' names no play"),
            ("on = [\"d15\"]", "on = [\"e15\"]", "fit 'first': it needs the networks of 'first'"),
            (
                "on = [\"d15\"]",
                "on = [\"d15\"]\nfrom = \"second\"",
                "fit 'first': it needs the networks of 'second'",
            ),
            ("\"second\"", "\"First\"", "two steps have the name 'First'"),
            ("\"second\"", "\"../x\"", "'../x' cannot be a name"),
            ("[[fit]]", "[[fits]]", "line 8: unknown field"),
            ("games = 10", "games = -1", "line 6: "),
            ("seeds = [81, 82]", "", "missing field"),
        ] {
            let error = changed(from, to);
            assert!(error.contains(expected), "{to}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
        let other_rule = TEXT.replacen(
            "name = \"e15\"\n        rule = \"caro\"",
            "name = \"e15\"\n        rule = \"renju\"",
            1,
        );
        let error = format!("{:#}", WeightsRecipe::parse(&other_rule).unwrap_err());
        assert_eq!(error, "play 'e15': the fit 'first' trains no network for renju");
    }

    #[test]
    fn the_rules_of_a_fit_have_weights_to_continue_from() {
        let of_rule = |rule: &str, from: &str| {
            let play = format!("name = \"e15\"\n        rule = \"{rule}\"");
            let text = TEXT.replacen("name = \"e15\"\n        rule = \"caro\"", &play, 1);
            let text = text.replacen("network = \"first\"", "", 1);
            let text = text.replacen("from = \"first\"", from, 1);
            WeightsRecipe::parse(&text).map_err(|error| format!("{error:#}"))
        };
        assert_eq!(
            of_rule("renju", "from = \"first\"").unwrap_err(),
            "fit 'second': the fit 'first' trains no network for renju"
        );
        // The recipe does not list the weights of a folder.
        for from in ["", "from = \"weights\""] {
            let recipe = of_rule("renju", from).unwrap();
            assert_eq!(recipe.rules_of(&recipe.fit[1]).unwrap(), [RuleKind::Renju, RuleKind::Caro]);
        }
    }

    #[test]
    fn caro_exact_plays_with_the_weights_of_caro_and_trains_none() {
        let play = "name = \"e15\"\n        rule = \"caro\"";
        assert!(TEXT.contains(play));
        let exact = TEXT.replacen(play, &play.replace("caro", "caro-exact"), 1);
        let error = format!("{:#}", WeightsRecipe::parse(&exact).unwrap_err());
        assert_eq!(error, "fit 'second': caro-exact shares the weights of caro: train them on games of caro");
        let only_played = exact.replacen("on = [\"d15\", \"e15\"]", "on = [\"d15\"]", 1);
        WeightsRecipe::parse(&only_played).unwrap();
    }
}
