//! Executes the commands: the effect of each on the game, the settings and the open block.

use super::Session;
use super::played::{PlayedGame, need_room};
use super::refusal::CommandRefusal;
use super::task::Action;
use super::variant::Variant;
use super::work::Work;
use crate::board::Size;
use crate::engine::Engine;
use crate::protocol::block::{Block, BlockError};
use crate::protocol::command::{BlockKind, Command, FileUse, Info};
use crate::protocol::response::Response;
use crate::rules::{Position, Rule, RuleKind};

impl Session {
    pub(super) fn carry_out(&mut self, command: Command) -> Result<Action, CommandRefusal> {
        match command {
            Command::Start(size) => self.new_game(size),
            Command::Restart => {
                self.need_game()?;
                self.new_game(self.played().game().size())
            }
            Command::Begin => {
                self.need_game()?;
                self.played().need_beginning()?;
                Ok(Action::Move)
            }
            Command::Turn(at, choice) => {
                self.need_game()?;
                let is_due = self.played_mut().play_opponent(at, choice)?;
                Ok(if is_due { Action::Move } else { Action::Respond(Response::Ok) })
            }
            Command::Play(at, choice) => {
                self.need_game()?;
                Ok(Action::Respond(Response::of_move(self.played_mut().play(at, choice)?)))
            }
            Command::TakeBack(at) => {
                self.need_game()?;
                self.played_mut().take_back(at)?;
                Ok(Action::Respond(Response::Ok))
            }
            Command::Done => {
                let block = self.block.take().ok_or(CommandRefusal::NoBlock)?;
                self.need_game()?;
                self.done(&block)
            }
            Command::Analyze(count) => {
                self.need_game()?;
                self.played().need_move()?;
                Ok(Action::Analyze(count))
            }
            Command::Balance { count, bias } => {
                self.need_game()?;
                self.need_family()?;
                need_room(&self.engine, count)?;
                Ok(Action::Balance { count, bias })
            }
            Command::Swap2Step(step) => self.swap2_step(step),
            Command::SoosorvOpening => self.soosorv_opening(),
            other => self.carry_out_aside(other),
        }
    }

    /// Executes commands that do not change the game.
    fn carry_out_aside(&mut self, command: Command) -> Result<Action, CommandRefusal> {
        match command {
            Command::About => Ok(Action::Respond(Response::About)),
            Command::ShowInfo => Ok(Action::RespondAll(Response::abilities().to_vec())),
            Command::ShowForbidden => Ok(Action::Respond(Response::Forbidden(self.played_mut().forbidden()))),
            Command::ClearHash => {
                self.engine.clear_table();
                self.variant.iter_mut().for_each(Variant::forget);
                Ok(Action::Quiet)
            }
            Command::ShowHashUsage => Ok(Action::Respond(self.hash_usage())),
            // There is not enough room for both the engine's table and the variant's table.
            Command::File(FileUse::DumpTable | FileUse::LoadTable, Some(_)) if self.variant.is_some() => {
                self.need_family()?;
                Ok(Action::Quiet)
            }
            Command::File(file_use, Some(path)) if file_use.may_be_long() => {
                Ok(Action::Work(Work::File(file_use, path)))
            }
            Command::File(file_use, Some(path)) => {
                Ok(Action::Respond(self.carry_file(file_use, &path, &mut ())))
            }
            Command::File(file_use, None) => {
                self.awaits_path = Some(file_use);
                Ok(Action::Quiet)
            }
            Command::KeepDatabase(upkeep) => Ok(Action::Work(Work::Keep(upkeep))),
            Command::Defend => {
                self.need_game()?;
                self.need_family()?;
                self.played().need_move()?;
                Ok(Action::Defend)
            }
            Command::IncludeAll(exclusion) => {
                self.settings.steering().include_all(exclusion);
                Ok(Action::Quiet)
            }
            Command::Forbid { at, side, is_added } => self.forbid(at, side, is_added),
            Command::OfferDraw => {
                self.need_game()?;
                self.played().need_move()?;
                Ok(Action::JudgeDraw)
            }
            Command::Resign => Ok(Action::Respond(Response::Ok)),
            Command::ShowEvaluation => {
                self.need_game()?;
                self.need_family()?;
                Ok(Action::RespondAll(self.evaluation()))
            }
            Command::Elsewhere(text) => Ok(Action::Respond(Response::Message((*text).to_owned()))),
            // YXSTOP has nothing to stop here: the driver handles it while a search runs. The others never
            // arrive here.
            _ => Ok(Action::Quiet),
        }
    }

    fn done(&mut self, block: &Block) -> Result<Action, CommandRefusal> {
        let kind = block.kind();
        if let BlockKind::Board | BlockKind::SetBoard = kind {
            self.played_mut().set_up(block)?;
            return Ok(if kind == BlockKind::Board { Action::Move } else { Action::Quiet });
        }
        self.need_family()?;
        let size = self.board().size();
        match kind {
            BlockKind::Exclude(exclusion) => match block.opening(size) {
                // Boards that exclude all moves but one send every point that they know.
                Err(BlockError::OffBoard(_) | BlockError::Twice(_)) => Ok(Action::Quiet),
                points => self.exclude(exclusion, points?),
            },
            BlockKind::Include(exclusion) => {
                self.settings.steering().include(exclusion, &block.opening(size)?);
                Ok(Action::Quiet)
            }
            BlockKind::Database => {
                let request = self.request.take();
                request.map_or(Ok(Action::Quiet), |request| self.ask_database(&request, block))
            }
            BlockKind::Soosorv(step) => self.soosorv_step(step, &block.opening(size)?),
            BlockKind::Procedure(procedure) => self.procedure(procedure, &block.answers(size)?),
            BlockKind::Swap2 | BlockKind::Board | BlockKind::SetBoard => {
                self.swap2_board(&block.opening(size)?)
            }
        }
    }

    pub(super) fn need_game(&self) -> Result<(), CommandRefusal> {
        if self.started { Ok(()) } else { Err(CommandRefusal::NoGame) }
    }

    /// Rejects a command that only applies to games of the Gomocup family.
    pub(super) fn need_family(&self) -> Result<(), CommandRefusal> {
        let name = self.variant.as_ref().map(|variant| variant.game().name());
        name.map_or(Ok(()), |name| Err(CommandRefusal::NoMeaning(name)))
    }

    /// Sets the rule; code 2 is renju for Yixin boards and a continuous game for Gomocup.
    pub(super) fn set_rule(&mut self, rule: Rule) {
        const YIXIN_RENJU: u32 = 2;
        let is_renju = self.is_yixin_board && rule.code() == YIXIN_RENJU;
        let rule = if is_renju { RuleKind::Renju.into() } else { rule };
        self.settings.take(Info::Rule(rule), &mut self.engine);
    }

    /// `INFO game`: plays this game from now on; if a game is running, the new one begins immediately. An
    /// unknown game becomes a complaint, and the current game stays.
    pub(super) fn choose_game(&mut self, name: &str) {
        if let Ok(rule) = name.parse::<Rule>() {
            self.variant = None;
            self.set_rule(rule);
            return;
        }
        let chosen = Variant::new(name, variant_memory(&self.engine)).and_then(|mut variant| {
            if self.started {
                variant.start(self.board().size())?;
            }
            Ok(variant)
        });
        match chosen {
            Ok(variant) => {
                // There is not enough room for both its table and the engine's.
                self.engine.drop_table();
                self.variant = Some(variant);
            }
            Err(error) => self.settings.complain(format!("game: {error}")),
        }
    }

    /// Called after an INFO line that may have changed the memory limits.
    pub(super) fn share_memory(&mut self) {
        if let Some(variant) = &mut self.variant {
            variant.set_memory(variant_memory(&self.engine));
        }
    }

    fn new_game(&mut self, size: Size) -> Result<Action, CommandRefusal> {
        if let Some(variant) = &mut self.variant {
            variant.start(size)?;
        }
        // Managers send the rule and ask for a move immediately afterwards, with the clock running, so the
        // rule's tables are prepared here.
        Position::prepare();
        if size != self.board().size() {
            self.settings.steering().forget_points();
        }
        self.engine.new_game(size);
        self.database.new_game();
        self.settings.new_game();
        self.started = true;
        Ok(Action::Respond(Response::Ok))
    }
}

/// Maximum size of a variant's table in bytes; minutes of search do not fill it.
const MOST_VARIANT_MEMORY: u64 = 64 << 20;

/// Bytes for the table of a variant's search: the size of the engine's table, as far as it is useful.
fn variant_memory(engine: &Engine) -> u64 {
    engine.options().table_bytes().min(MOST_VARIANT_MEMORY)
}
