//! Configuration of a tuning: a TOML file, and the tuning that it defines.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::listing::{self, Listed};
use super::spsa::{Gains, Parameter, Spsa};
use crate::config::batch::Batch;
use crate::config::values::{BoardSize, GameRule, OpeningSource};
use crate::config::{self, AdjudicationConfig, Config, EngineConfig, LeagueConfig, LimitsConfig, RunConfig};
use crate::model::settings::StoneLimit;
use crate::openings::{Source, book};
use crate::process::Host;

/// Default prefix of the INFO keys of an engine's numbers.
const PREFIX: &str = "tune_";
/// Default number of pairs of games per iteration.
const PAIRS: u32 = 4;
/// Default share of `c_end` by which a won game moves a value in the last iteration; suits a few thousand
/// games.
const R_END: f64 = 0.02;
/// If no perturbation is given, it is the range divided by this.
const TRIES_IN_RANGE: f64 = 20.0;
/// Number of random stones if there is no book.
const RANDOM_STONES: usize = 4;
/// Maximum number of games of a tuning.
const MAX_GAMES: u32 = 10_000_000;

/// The configuration file of a tuning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TuneConfig {
    /// The rule.
    pub rule: GameRule,
    /// The board.
    pub size: BoardSize,
    /// Source of openings, which are shuffled; default: the book, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningSource>,
    /// Seed for all random choices; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// A game is a draw at this number of stones; 0 means no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<usize>,
    /// Where Gomocup's draw at width x height - 25 stones applies.
    pub stone_limit: StoneLimit,
    /// Agreement of both engines that ends a game early.
    #[serde(skip_serializing_if = "AdjudicationConfig::is_default")]
    pub adjudication: AdjudicationConfig,
    /// Number of iterations.
    pub iterations: u32,
    /// Number of pairs of games per iteration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u32>,
    /// Prefix of the INFO keys of the numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// The share of `c_end` by which a won game moves a value in the last iteration, for parameters without
    /// their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r_end: Option<f64>,
    /// Shape of the gain sequences.
    pub gains: Gains,
    /// The engine.
    pub engine: EngineConfig,
    /// Its limits.
    pub limits: LimitsConfig,
    /// The parameters to tune; default: all that the engine lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameter: Vec<ParameterConfig>,
    /// Leagues instead of `rule` and `size`: the pairs of all iterations are distributed over them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub league: Vec<LeagueConfig>,
    /// Settings of the run, which do not affect the result.
    #[serde(skip_serializing)]
    pub run: RunConfig,
}

/// A number to tune; the engine provides omitted keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ParameterConfig {
    /// Its name, or the beginning of several names followed by `*`.
    pub name: String,
    /// Initial value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// Its smallest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Its largest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Perturbation of its value in the last iteration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c_end: Option<f64>,
    /// The share of `c_end` by which a won game moves it in the last iteration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r_end: Option<f64>,
}

/// A tuning that is ready to run.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The configuration with all defaults filled in: it alone defines the same tuning.
    pub config: TuneConfig,
    /// Both engines, the openings and the schedule of all games.
    pub batch: Batch,
    /// The method in its initial state.
    pub spsa: Spsa,
    /// Prefix of the INFO keys.
    pub prefix: String,
    /// Number of games per iteration.
    pub games: usize,
}

impl TuneConfig {
    /// Reads a TOML file.
    ///
    /// # Errors
    /// Returns the same errors as [`Config::read`].
    pub fn read(path: &Path) -> Result<TuneConfig> {
        config::read_toml(path)
    }

    /// Fills in defaults, and asks the engine for its numbers if necessary.
    ///
    /// # Errors
    /// Returns an error if the file contradicts itself, the engine does not list its numbers, or openings
    /// cannot be read.
    pub fn resolve(self, host: &Host) -> Result<Tuning> {
        let needs_listing = self.parameter.is_empty() || self.parameter.iter().any(ParameterConfig::is_open);
        let rule = self.league.first().map_or(self.rule, |league| league.rule).0;
        let listed = if needs_listing { listing::ask(&self.engine, rule, host)? } else { Vec::new() };
        self.resolve_with(&listed)
    }

    fn resolve_with(mut self, listed: &[Listed]) -> Result<Tuning> {
        ensure!(!self.engine.command.is_empty(), "no engine is given: [engine] needs a command");
        ensure!(
            self.engine.name.is_none(),
            "engine.name is only for batches: in a tuning the engine plays under the names plus and minus"
        );
        ensure!(self.iterations > 0, "iterations must be at least 1");
        ensure!(
            self.run.results.is_none(),
            "run.results is only for batches: a tuning is stored in --state FILE"
        );
        let pairs = *self.pairs.get_or_insert(PAIRS);
        let games = pairs.checked_mul(2).and_then(|games| games.checked_mul(self.iterations));
        let games = games.filter(|games| (1..=MAX_GAMES).contains(games));
        let games =
            games.with_context(|| format!("a tuning must have from 1 to {MAX_GAMES} games"))? as usize;
        let Gains { alpha, gamma, stability } = self.gains;
        let are_sound = (0.0..=2.0).contains(&alpha) && (0.0..=1.0).contains(&gamma);
        ensure!(
            are_sound && (0.0..=10.0).contains(&stability),
            "gains: alpha must be from 0 to 2, gamma from 0 to 1, stability from 0 to 10"
        );
        let prefix = self.prefix.clone().unwrap_or_else(|| PREFIX.to_owned());
        ensure!(
            prefix.bytes().all(|byte| byte.is_ascii_graphic()),
            "prefix '{}' must consist of visible ASCII characters",
            prefix.escape_debug()
        );
        let parameters = parameters(&self.parameter, self.r_end.unwrap_or(R_END), listed)?;
        // From here on the configuration is complete, so that another version of the engine changes nothing.
        self.parameter = parameters.iter().map(ParameterConfig::of).collect();
        let seed = *self.seed.get_or_insert(1);
        let (size, rule) = (self.size.0, self.rule.0);
        // Openings are repeated with other values of the engines, so even a small book is sufficient.
        let is_single = self.league.is_empty();
        let has_book = !is_single || book::is_made_for(size, rule);
        let source = if has_book { Source::Book } else { Source::Random(RANDOM_STONES) };
        let openings = self.openings.get_or_insert_with(|| source.into()).clone();
        let side = |name: &str| EngineConfig { name: Some(name.to_owned()), ..self.engine.clone() };
        let batch = Batch::new(Config {
            rule: self.rule,
            size: (is_single || self.size != BoardSize::default()).then_some(self.size),
            league: self.league.clone(),
            openings: Some(openings),
            shuffle: true,
            seed: Some(seed),
            max_moves: self.max_moves,
            stone_limit: self.stone_limit,
            adjudication: self.adjudication,
            limits: self.limits.clone(),
            games: Some(games),
            engine: vec![side("plus"), side("minus")],
            ..Config::default()
        })?;
        self.league.clone_from(&batch.config.league);
        let spsa = Spsa::new(parameters, self.gains, self.iterations, seed);
        Ok(Tuning { config: self, batch, spsa, prefix, games: 2 * pairs as usize })
    }
}

impl ParameterConfig {
    fn of(parameter: &Parameter) -> ParameterConfig {
        ParameterConfig {
            name: parameter.name.clone(),
            start: Some(parameter.start),
            min: Some(parameter.min),
            max: Some(parameter.max),
            c_end: Some(parameter.c_end),
            r_end: Some(parameter.r_end),
        }
    }

    /// Whether the engine must provide some of the keys.
    fn is_open(&self) -> bool {
        self.name.ends_with('*') || [self.start, self.min, self.max].contains(&None)
    }

    fn fits(&self, name: &str) -> bool {
        self.name.strip_suffix('*').map_or(self.name == name, |beginning| name.starts_with(beginning))
    }

    fn resolve(&self, listed: Option<&Listed>, r_end: f64) -> Result<Parameter> {
        let name = listed.map_or(&self.name, |listed| &listed.name);
        let need = |own: Option<f64>, theirs: Option<f64>, key: &str| {
            own.or(theirs).with_context(|| format!("parameter {name}: {key} is missing"))
        };
        let min = need(self.min, listed.map(|listed| listed.min), "min")?;
        let max = need(self.max, listed.map(|listed| listed.max), "max")?;
        let start = need(self.start, listed.map(|listed| listed.default), "start")?;
        let step = listed.map_or((max - min) / TRIES_IN_RANGE, |listed| listed.step);
        let parameter = Parameter {
            name: name.clone(),
            start,
            min,
            max,
            c_end: self.c_end.unwrap_or(step),
            r_end: self.r_end.unwrap_or(r_end),
        };
        let is_word = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
        ensure!(is_word, "parameter '{}': a name must be a single word", name.escape_debug());
        ensure!(
            [min, max, start].iter().all(|value| value.abs() < 1e15),
            "parameter {name}: the numbers are too large"
        );
        ensure!(
            min.ceil() < max.floor(),
            "parameter {name}: the range from {min} to {max} contains fewer than two values"
        );
        ensure!((min..=max).contains(&start), "parameter {name}: {start} is not from {min} to {max}");
        let Parameter { c_end, r_end, .. } = parameter;
        ensure!(c_end > 0.0 && c_end <= max - min, "parameter {name}: c_end {c_end} does not fit the range");
        ensure!((0.0..=10.0).contains(&r_end), "parameter {name}: r_end {r_end} is not from 0 to 10");
        Ok(parameter)
    }
}

/// The requested parameters, in the order of the configuration, or the engine's order for patterns.
fn parameters(asked: &[ParameterConfig], r_end: f64, listed: &[Listed]) -> Result<Vec<Parameter>> {
    let everything = [ParameterConfig { name: "*".to_owned(), ..ParameterConfig::default() }];
    let asked = if asked.is_empty() { &everything } else { asked };
    let mut parameters: Vec<Parameter> = Vec::new();
    for asked in asked {
        let mut fitting: Vec<Option<&Listed>> =
            listed.iter().filter(|listed| asked.fits(&listed.name)).map(Some).collect();
        if fitting.is_empty() {
            ensure!(!asked.is_open(), "the engine has no parameter '{}'", asked.name.escape_debug());
            fitting.push(None);
        }
        for listed in fitting {
            let parameter = asked.resolve(listed, r_end)?;
            let is_new = parameters.iter().all(|other| other.name != parameter.name);
            ensure!(is_new, "parameter {} is given twice", parameter.name);
            parameters.push(parameter);
        }
    }
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::Adjudication;

    const FILE: &str = "iterations = 3\n[engine]\ncommand = \"a\"\n";

    fn listed() -> Vec<Listed> {
        let number =
            |name: &str| Listed { name: name.to_owned(), default: 5.0, min: 0.0, max: 20.0, step: 2.0 };
        ["lmr_base", "lmr_pv", "iir_depth"].map(number).to_vec()
    }

    fn tuning(text: &str) -> Result<Tuning> {
        config::parse_toml::<TuneConfig>(text)?.resolve_with(&listed())
    }

    fn error_of(text: &str) -> String {
        let message = format!("{:#}", tuning(text).unwrap_err());
        assert!(!message.contains('\n'), "{message}");
        message
    }

    #[test]
    fn what_is_left_open_comes_from_the_engine() {
        let all = tuning(FILE).unwrap();
        assert_eq!(all.spsa.parameters().len(), 3);
        assert_eq!((all.games, all.batch.games, all.spsa.values()[0]), (8, 24, 5.0));
        let text = format!(
            "{FILE}[[parameter]]\nname = \"iir_depth\"\nmax = 9\n[[parameter]]\nname = \"lmr*\"\nr_end = 0.1\n"
        );
        let some = tuning(&text).unwrap();
        let names: Vec<&str> = some.spsa.parameters().iter().map(|parameter| &parameter.name[..]).collect();
        assert_eq!(names, ["iir_depth", "lmr_base", "lmr_pv"]);
        let first = &some.spsa.parameters()[0];
        assert_eq!((first.min, first.max, first.c_end, first.r_end), (0.0, 9.0, 2.0, R_END));
        assert_eq!(some.spsa.parameters()[1].r_end, 0.1);
        // The resolved configuration defines the same tuning without asking the engine.
        let again = some.config.clone().resolve_with(&[]).unwrap();
        assert_eq!((again.spsa.parameters(), again.config), (some.spsa.parameters(), some.config));
    }

    #[test]
    fn pairs_are_dealt_out_over_leagues() {
        let leagues = "[[league]]\nrule = \"renju\"\n[[league]]\nrule = \"freestyle\"\nsize = 20\n";
        let tuning = tuning(&format!("pairs = 2\n{FILE}{leagues}")).unwrap();
        let names: Vec<_> =
            tuning.batch.leagues.iter().map(|league| league.settings.league.as_deref()).collect();
        assert_eq!(names, [Some("renju-15"), Some("freestyle-20")]);
        let first: Vec<usize> = tuning.batch.schedule().take(4).map(|pairing| pairing.league).collect();
        assert_eq!(first, [0, 0, 1, 1], "an iteration plays both leagues");
    }

    #[test]
    fn games_end_by_agreement_if_asked() {
        assert!(tuning(FILE).unwrap().batch.leagues[0].settings.adjudication == Adjudication::default());
        let terms = "[adjudication]\nmate = true\ndraw_value = 10\ndraw_moves = 8\ndraw_after = 120\n";
        let tuning = tuning(&format!("{FILE}{terms}")).unwrap();
        let Adjudication { mate, draw, .. } = tuning.batch.leagues[0].settings.adjudication;
        assert!(mate && draw.is_some_and(|draw| draw.moves == 8));
        let again = tuning.config.clone().resolve_with(&[]).unwrap();
        assert_eq!(again.batch.leagues[0].settings.adjudication, Adjudication { mate, draw, resign: None });
    }

    #[test]
    fn bad_files_are_refused_in_one_line() {
        let with = |text: &str| error_of(&format!("{FILE}{text}"));
        assert!(with("[adjudication]\ndraw_value = 10\n").contains("a draw needs"));
        assert!(error_of("iterations = 3\n").contains("[engine] needs a command"));
        assert!(error_of("[engine]\ncommand = \"a\"\n").contains("iterations"));
        assert!(error_of(&format!("pears = 3\n{FILE}")).starts_with("line 1: unknown field `pears`"));
        assert!(error_of(&format!("pairs = 0\n{FILE}")).contains("1 to 10000000 games"));
        assert!(error_of(&format!("pairs = 4000000000\n{FILE}")).contains("1 to 10000000 games"));
        assert!(with("name = \"a\"\n").starts_with("engine.name is only for batches"));
        assert!(with("[gains]\nalpha = -1\n").starts_with("gains"));
        assert!(with("[run]\nresults = \"a.jsonl\"\n").contains("--state"));
        let parameter = |text: &str| with(&format!("[[parameter]]\n{text}"));
        assert_eq!(parameter("name = \"lmr_bass\"\n"), "the engine has no parameter 'lmr_bass'");
        assert!(parameter("name = \"x\"\nstart = 3\nmin = 1\n").contains("no parameter 'x'"));
        assert!(parameter("name = \"lmr_pv\"\nstart = 30\n").contains("30 is not from 0 to 20"));
        assert!(parameter("name = \"lmr_pv\"\nmin = 5\nmax = 5.5\n").contains("fewer than two values"));
        assert!(parameter("name = \"lmr_pv\"\nc_end = 0\n").contains("c_end 0"));
        assert!(parameter("name = \"lmr_pv\"\nr_end = nan\n").contains("r_end NaN"));
        assert!(parameter("name = \"lmr_pv\"\nr_end = -1\n").contains("r_end -1"));
        assert!(parameter("name = \"a b\"\nstart = 3\nmin = 1\nmax = 9\n").contains("single word"));
        assert!(parameter("name = \"*\"\n[[parameter]]\nname = \"lmr_pv\"\n").contains("twice"));
        assert!(parameter("name = \"lmr_pv\"\nmin = \"a\"\n").starts_with("line "));
    }
}
