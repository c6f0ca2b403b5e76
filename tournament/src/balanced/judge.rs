//! An engine as the judge of positions: its values after a fixed number of nodes.
//!
//! The engine is run as in a match, so any engine works that supports `INFO max_node` and reports `value` (or
//! `eval`) in its MESSAGE lines. Each position is a new game, so that its value does not depend on earlier
//! positions.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use kakugo::board::{Color, Point, Size};
use kakugo::game::Move;
use kakugo::rules::Rule;

use crate::batch::runner::{Introduction, introduction};
use crate::config::batch::resolve;
use crate::config::values::Bytes;
use crate::config::{EngineConfig, LimitsConfig};
use crate::model::game_kind::GameKind;
use crate::model::record::Value;
use crate::model::settings::Adjudication;
use crate::model::settings::{EngineSettings, Settings, StoneLimit};
use crate::player::{Failure, Player};
use crate::process::{Host, Process};

/// Time limit per position, in milliseconds; the nodes should end the search much sooner.
const TURN_MS: u64 = 600_000;
/// Time limit for START, in milliseconds.
const START_MS: u64 = 30_000;

/// Settings of a judge: the engine, the game and the nodes.
#[derive(Clone, Debug)]
pub struct JudgeSettings {
    /// Program and arguments, quoted as for a shell.
    pub command: String,
    /// Working directory; this program's if `None`.
    pub directory: Option<PathBuf>,
    /// Pause after its answers, in milliseconds; the default if `None`.
    pub pause_ms: Option<u64>,
    /// The board.
    pub size: Size,
    /// The rule.
    pub rule: Rule,
    /// Nodes per position.
    pub nodes: u64,
}

/// An engine that judges. Dropping it kills it.
#[derive(Debug)]
pub struct Judge {
    engine: EngineSettings,
    settings: Settings,
    host: Host,
    /// The process; started for the first position.
    process: Option<Process>,
}

impl Judge {
    /// Creates a judge without starting its engine.
    ///
    /// # Errors
    /// Returns an error if the command is invalid or the system refuses resources.
    pub fn new(judge: JudgeSettings) -> Result<Judge> {
        let JudgeSettings { command, directory, pause_ms, size, rule, nodes } = judge;
        let limits = LimitsConfig {
            turn_ms: Some(TURN_MS),
            start_ms: Some(START_MS),
            pause_ms,
            // Outside a tournament, the engine may use all available memory.
            memory: Some(Bytes(0)),
            nodes: Some(nodes),
            threads: Some(1),
            ..LimitsConfig::default()
        };
        let engine = EngineConfig { command, directory, ..EngineConfig::default() };
        let engine = resolve(&engine, &limits)?;
        let settings = Settings {
            league: None,
            game: GameKind::Rule(rule, size),
            procedure: None,
            max_moves: None,
            stone_limit: StoneLimit::default(),
            adjudication: Adjudication::default(),
            seed: 0,
        };
        Ok(Judge { engine, settings, host: Host::alone()?, process: None })
    }

    /// The engine's answer to `ABOUT`, from a separate process; empty if it gives none.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be run or does not start.
    pub fn about(&self) -> Result<String> {
        let introduction = introduction(&self.engine, &self.settings, &self.host);
        match introduction.with_context(|| self.cannot_be_run())? {
            Introduction::About(about) => Ok(about.answer),
            Introduction::NoStart(fault) => bail!("the engine {fault}"),
        }
    }

    /// Value of the position after `opening`, for the side to move; `None` if the engine reports none before
    /// its move, for example because it answers from a book or plays a forced move immediately.
    ///
    /// # Errors
    /// Returns an error if the engine is gone or answers with something other than a move.
    pub fn value(&mut self, opening: &[Point]) -> Result<Option<Value>> {
        let process = match self.process.take() {
            Some(process) => process,
            None => Process::spawn(&self.engine, &self.host).with_context(|| self.cannot_be_run())?,
        };
        let mut player = Player::new(&self.engine, &self.settings, &self.host, process);
        let side = |ply: usize| Color::ALL[ply % 2];
        let moves: Vec<(Color, Move)> =
            opening.iter().enumerate().map(|(ply, &point)| (side(ply), point.into())).collect();
        let answer =
            player.prepare().and_then(|()| player.ask(side(moves.len()), &moves)).map_err(|failure| {
                match failure {
                    Failure::Fault(fault) => anyhow!("the engine {fault}"),
                    Failure::Stopped => anyhow!("stopped"),
                    Failure::Halted => anyhow!("this program was halted while it waited for the engine"),
                    Failure::Shortage(error) => anyhow!(error).context(self.cannot_be_run()),
                }
            })?;
        self.process = Some(player.into_process());
        Ok(answer.info.value)
    }

    fn cannot_be_run(&self) -> String {
        format!("cannot run {}", shell_words::join(&self.engine.command))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::notation::parse_moves;

    #[cfg(unix)]
    #[test]
    fn an_engine_is_asked_and_understood() {
        let script = |answer: &str| {
            let command = format!(
                "while read line; do case $line in START*|RECTSTART*) echo OK;; ABOUT) echo 'name=\"x\"';; \
                 DONE|BEGIN|TURN*) {answer};; esac; done"
            );
            let terms = JudgeSettings {
                command: shell_words::join(["sh", "-c", &command]),
                directory: None,
                pause_ms: Some(0),
                size: Size::new(20, 15).unwrap(),
                rule: Rule::default(),
                nodes: 1000,
            };
            Judge::new(terms).unwrap()
        };
        let mut judge =
            script("echo DEBUG x; echo MESSAGE value 5 depth 3; echo; echo MESSAGE hello; echo 0,0");
        assert_eq!(judge.about().unwrap(), "name=\"x\"");
        for opening in ["", "h8", "h8i9"] {
            let opening = parse_moves(opening, Size::default()).unwrap();
            assert_eq!(judge.value(&opening).unwrap(), Some(Value::Points(5)));
        }
        assert_eq!(script("echo 0,0").value(&[]).unwrap(), None);
        for (answer, error) in [
            ("echo nonsense", "the engine wrote garbage: 'nonsense'"),
            ("exit 3", "the engine crashed: ended with exit status: 3"),
        ] {
            assert_eq!(script(answer).value(&[]).unwrap_err().to_string(), error);
        }
    }
}
