//! The game of a conversation: the engine with the position, and the game outside the Gomocup family that is
//! played instead, if one was chosen.
//!
//! Memory is shared out between the engine's table, the variant's table and the database only when one of
//! their shares changes, because a table of a new size is empty.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::database::Scene;
use super::played::PlayedGame;
use super::refusal::CommandRefusal;
use super::variant::Variant;
use crate::board::{Bitboard, Board, Point, Size};
use crate::engine::{Engine, OptionError, Options};
use crate::eval::{Evaluator, WeightsFile};
use crate::game::Game;
use crate::protocol::command::{FileUse, Info};
use crate::protocol::point_names::PointNames;
use crate::protocol::response::Response;
use crate::rules::{Position, Rule, RuleKind, Verdict};
use crate::search::RootOptions;
use crate::think::{GameEngine, Shortage};

/// Maximum size of a variant's table in bytes; minutes of search do not fill it.
const MOST_VARIANT_MEMORY: u64 = 64 << 20;
/// Number of candidates that are shown with their share of the policy.
const CANDIDATES_SHOWN: usize = 20;

/// The game that is played.
pub(super) struct CurrentGame {
    engine: Engine,
    variant: Option<Variant>,
    has_started: bool,
    /// Whether the options have changed since they were last checked.
    has_new_options: bool,
    /// Whether a line of Yixin's protocol was received: such boards have other codes of rules, and give rows first.
    is_yixin_board: bool,
    /// The code of the rule as the manager sent it; `None` if it named the rule, or has sent none.
    rule_code: Option<u32>,
}

impl CurrentGame {
    pub(super) fn new(engine: Engine) -> CurrentGame {
        CurrentGame {
            engine,
            variant: None,
            has_started: false,
            has_new_options: false,
            is_yixin_board: false,
            rule_code: None,
        }
    }

    pub(super) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(super) fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// The game outside the Gomocup family, if one was chosen.
    pub(super) fn variant(&self) -> Option<&dyn Game> {
        self.variant.as_ref().map(|variant| variant.game())
    }

    /// The game that is played.
    pub(super) fn played(&self) -> &dyn PlayedGame {
        self.variant.as_ref().map_or(&self.engine, |variant| variant)
    }

    /// The game that is played.
    pub(super) fn played_mut(&mut self) -> &mut dyn PlayedGame {
        self.variant.as_mut().map_or(&mut self.engine, |variant| variant)
    }

    /// The engine's board.
    pub(super) fn board(&self) -> &Board {
        self.engine.position().board()
    }

    /// The engine's rule.
    pub(super) fn rule(&self) -> Rule {
        self.engine.position().rule()
    }

    /// Points per unit of log odds.
    pub(super) fn points_per_unit(&self) -> i32 {
        self.engine.network().points_per_unit
    }

    /// The game for requests to the database.
    pub(super) fn scene(&self) -> Scene {
        Scene { size: self.board().size(), rule: self.rule(), points_per_unit: self.points_per_unit() }
    }

    /// Names of points in texts, as the board draws them.
    pub(super) fn point_names(&self, rows_first: Option<bool>) -> PointNames {
        PointNames::new(self.played().game().size(), rows_first.unwrap_or(self.is_yixin_board))
    }

    /// Checks that a game has started.
    pub(super) fn need_game(&self) -> Result<(), CommandRefusal> {
        if self.has_started { Ok(()) } else { Err(CommandRefusal::NoGame) }
    }

    /// Rejects a command that only applies to games of the Gomocup family.
    pub(super) fn need_family(&self) -> Result<(), CommandRefusal> {
        self.variant().map_or(Ok(()), |game| Err(CommandRefusal::NoMeaning(game.name())))
    }

    /// Checks that a game has started and there is a move to make.
    pub(super) fn need_move(&self) -> Result<(), CommandRefusal> {
        self.need_game()?;
        self.played().need_move()
    }

    /// Whether the side to move can play on a point and the board allows it.
    pub(super) fn may_play(&mut self, point: Point, options: &RootOptions) -> bool {
        !options.root_exclusions().contains(point)
            && !matches!(self.engine.verdict(point), Verdict::Illegal | Verdict::Foul(_))
    }

    /// The points where the side to move can play without a foul; if there are none, all empty points.
    pub(super) fn allowed_points(&mut self) -> Bitboard {
        let empty = *self.board().empty();
        let is_allowed = |&point: &Point| !matches!(self.engine.verdict(point), Verdict::Foul(_));
        let allowed: Bitboard = empty.iter().filter(is_allowed).collect();
        if allowed.is_empty() { empty } else { allowed }
    }

    /// The points where the side to move completes a five and that the board does not exclude.
    pub(super) fn fives(&mut self, options: &RootOptions) -> Bitboard {
        let points = *self.board().empty() - options.root_exclusions();
        points.iter().filter(|&point| self.engine.verdict(point) == Verdict::Five).collect()
    }

    /// Begins a new game on a board of `size`.
    pub(super) fn start(&mut self, size: Size) -> Result<(), CommandRefusal> {
        if let Some(variant) = &mut self.variant {
            variant.start(size)?;
        }
        // Managers send the rule and ask for a move immediately afterwards, with the clock running, so the
        // rule's tables are prepared here.
        Position::prepare();
        self.engine.new_game(size);
        self.has_started = true;
        Ok(())
    }

    /// Applies an `INFO` line, if it is about the game or the engine.
    ///
    /// # Errors
    /// Returns an error if it cannot be applied; returns the text for the manager.
    pub(super) fn take(&mut self, info: &Info) -> Result<(), String> {
        if let Some(options) = new_options(info, self.engine.options()) {
            self.set_options(options);
            return Ok(());
        }
        match info {
            Info::Rule(rule) => self.set_rule(*rule),
            Info::Game(name) => return self.choose(name),
            Info::Tune(tuned) => self.engine.tune(*tuned),
            Info::Weights(path) => return self.load_weights(path),
            _ => {}
        }
        Ok(())
    }

    /// From now on the manager is a Yixin board.
    pub(super) fn expect_yixin_board(&mut self) {
        if !self.is_yixin_board {
            self.is_yixin_board = true;
            self.set_rule(self.rule());
        }
    }

    /// Keeps the code of an `INFO rule` line, from which the rule of a Yixin board follows.
    pub(super) fn note_rule_code(&mut self, code: Option<u32>) {
        self.rule_code = code;
    }

    /// Sets the rule. Some codes of `INFO rule` have another meaning on some boards: 2 is renju for Yixin boards
    /// and a continuous game for Gomocup; 5 and 6 are freestyle for boards made for Rapfi, which swap after one
    /// move or use swap2.
    fn set_rule(&mut self, rule: Rule) {
        const RENJU: u32 = 2;
        const SWAP_AFTER_FIRST: u32 = 5;
        const SWAP2: u32 = 6;
        let rule = match self.rule_code {
            Some(RENJU) if self.is_yixin_board => RuleKind::Renju.into(),
            Some(SWAP_AFTER_FIRST | SWAP2) if self.is_yixin_board => RuleKind::Freestyle.into(),
            _ => rule,
        };
        if rule != self.rule() {
            self.engine.set_rule(rule);
        }
    }

    /// `INFO game`: plays this game from now on; if a game is running, the new one begins immediately. After
    /// an error the current game stays.
    fn choose(&mut self, name: &str) -> Result<(), String> {
        if let Ok(rule) = name.parse::<Rule>() {
            self.variant = None;
            self.rule_code = None;
            self.set_rule(rule);
            return Ok(());
        }
        let chosen = Variant::new(name, self.variant_memory()).and_then(|mut variant| {
            if self.has_started {
                variant.start(self.board().size())?;
            }
            Ok(variant)
        });
        let variant = chosen.map_err(|error| format!("game: {error}"))?;
        // There is not enough room for both its table and the engine's.
        self.engine.free();
        self.variant = Some(variant);
        Ok(())
    }

    /// Loads a network from a file; if it is invalid, the current one stays.
    fn load_weights(&mut self, path: &Path) -> Result<(), String> {
        let file = WeightsFile::read(path).map_err(|error| format!("weights {}: {error}", path.display()))?;
        let mut networks = self.engine.networks().clone();
        let bytes_before = networks.loaded_bytes();
        networks.load(file);
        let more = networks.loaded_bytes() - bytes_before;
        self.engine.set_networks(networks);
        let options = self.engine.options();
        self.set_options(Options { reserved: options.reserved + more as u64, ..options });
        Ok(())
    }

    /// Keeps `bytes` of the memory free for parts of the process other than the engine, and room for the loaded
    /// networks.
    pub(super) fn reserve(&mut self, bytes: usize) {
        let reserved = bytes.saturating_add(self.engine.networks().loaded_bytes()) as u64;
        self.set_options(Options { reserved, ..self.engine.options() });
    }

    /// Shares the memory out again, unless these options are already set.
    fn set_options(&mut self, options: Options) {
        if options == self.engine.options() {
            return;
        }
        self.has_new_options = true;
        // Checked when errors are reported, because a later line may correct the options.
        let _ = self.engine.set_options(options);
        let memory = self.variant_memory();
        self.variant.iter_mut().for_each(|variant| variant.set_memory(memory));
    }

    /// An option that cannot be met, if the options have changed since the last call.
    pub(super) fn take_option_error(&mut self) -> Option<OptionError> {
        let is_new = std::mem::take(&mut self.has_new_options);
        is_new.then(|| self.engine.options().check().err()).flatten()
    }

    /// Bytes for the table of a variant's search: the size of the engine's table, as far as it is useful.
    fn variant_memory(&self) -> u64 {
        self.engine.options().table_bytes().min(MOST_VARIANT_MEMORY)
    }

    /// Resources that the system has refused since the last call.
    pub(super) fn take_shortages(&mut self) -> Vec<Shortage> {
        let of_variant = self.variant.as_mut().map(Variant::take_shortages).unwrap_or_default();
        self.engine.take_shortages().into_iter().chain(of_variant).collect()
    }

    /// `YXHASHCLEAR`.
    pub(super) fn clear_tables(&mut self) {
        self.engine.forget();
        self.variant.iter_mut().for_each(Variant::forget);
    }

    /// `YXSHOWHASHUSAGE`.
    pub(super) fn table_usage(&self) -> Response {
        let usage = self.engine.table_usage();
        Response::Message(format!("the table is {}.{}% full", usage / 10, usage % 10))
    }

    /// `YXHASHDUMP`, `YXHASHLOAD`, until `stop` is set; `None` if the file is not used for the table.
    pub(super) fn use_table_file(
        &mut self,
        file_use: FileUse,
        path: &Path,
        stop: &AtomicBool,
    ) -> Option<Response> {
        let (carried, what) = match file_use {
            FileUse::DumpTable => (self.engine.dump_table_until(path, stop), "written to"),
            FileUse::LoadTable => (self.engine.load_table_until(path, stop), "read from"),
            _ => return None,
        };
        let shown = path.display();
        Some(match carried {
            Ok(entries) => Response::Message(format!("{entries} entries of the table {what} {shown}")),
            Err(error) => Response::error(format_args!("{shown}: {error}")),
        })
    }

    /// `YXPRINTFEATURE`, `TRACEBOARD`: value, chances and policy of the position.
    pub(super) fn evaluation(&self, names: PointNames) -> Vec<Response> {
        let position = self.engine.position();
        let network = self.engine.networks().of(position.rule().kind);
        let mut evaluator = Evaluator::with_network(position, network.clone());
        let value = evaluator.value(position);
        let chances = evaluator.chances(position);
        let mut policy = evaluator.policy(position, evaluator.candidates(position));
        policy.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let share =
            |(point, share): &(Point, f32)| format!("{} {:.1}%", names.moves(&[*point]), share * 100.0);
        let shares: Vec<String> = policy.iter().take(CANDIDATES_SHOWN).map(share).collect();
        let percent = |chance: f32| format!("{:.1}%", chance * 100.0);
        let (win, draw, loss) = (percent(chances.win), percent(chances.draw), percent(chances.loss));
        let side = position.board().side_to_move();
        [
            format!("{side} to move: value {value}, win {win}, draw {draw}, loss {loss}"),
            format!("policy: {}", shares.join(", ")),
        ]
        .map(Response::Message)
        .to_vec()
    }
}

/// The options after an `INFO` line that sets memory or threads; `None` for every other key.
fn new_options(info: &Info, options: Options) -> Option<Options> {
    match *info {
        Info::MaxMemory(bytes) => Some(Options { max_memory: bytes, ..options }),
        Info::HashSize(bytes) => Some(Options { hash_bytes: bytes, ..options }),
        Info::ThreadNum(threads) => Some(Options { threads, ..options }),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
