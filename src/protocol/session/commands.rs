//! The commands carried out: what each does to the game, the settings and the block that is open.

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
                Ok(if is_due { Action::Move } else { Action::Say(Response::Ok) })
            }
            Command::Play(at, choice) => {
                self.need_game()?;
                Ok(Action::Say(Response::of_move(self.played_mut().play(at, choice)?)))
            }
            Command::TakeBack(at) => {
                self.need_game()?;
                self.played_mut().take_back(at)?;
                Ok(Action::Say(Response::Ok))
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

    /// Carries out what leaves the game as it is.
    fn carry_out_aside(&mut self, command: Command) -> Result<Action, CommandRefusal> {
        match command {
            Command::About => Ok(Action::Say(Response::About)),
            Command::ShowInfo => Ok(Action::SayAll(Response::abilities().to_vec())),
            Command::ShowForbidden => Ok(Action::Say(Response::Forbidden(self.played_mut().forbidden()))),
            Command::ClearHash => {
                self.engine.clear_table();
                self.variant.iter_mut().for_each(Variant::forget);
                Ok(Action::Quiet)
            }
            Command::ShowHashUsage => Ok(Action::Say(self.hash_usage())),
            // There is no room for the engine's table and the game's.
            Command::File(FileUse::DumpTable | FileUse::LoadTable, Some(_)) if self.variant.is_some() => {
                self.need_family()?;
                Ok(Action::Quiet)
            }
            Command::File(file_use, Some(path)) if file_use.may_be_long() => {
                Ok(Action::Work(Work::File(file_use, path)))
            }
            Command::File(file_use, Some(path)) => Ok(Action::Say(self.carry_file(file_use, &path, &mut ()))),
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
            Command::Resign => Ok(Action::Say(Response::Ok)),
            Command::ShowEvaluation => {
                self.need_game()?;
                self.need_family()?;
                Ok(Action::SayAll(self.evaluation()))
            }
            Command::Elsewhere(text) => Ok(Action::Say(Response::Message((*text).to_owned()))),
            // YXSTOP has nothing to stop here: while a search runs, the driver hears it. The others never come here.
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
                // Boards that leave out all moves but one send every point that they know.
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

    /// Refuses a command that only games of the Gomocup family have a meaning for.
    pub(super) fn need_family(&self) -> Result<(), CommandRefusal> {
        let name = self.variant.as_ref().map(|variant| variant.game().name());
        name.map_or(Ok(()), |name| Err(CommandRefusal::NoMeaning(name)))
    }

    /// Plays by `rule`; Yixin's 2 is renju, Gomocup's a continuous game.
    pub(super) fn set_rule(&mut self, rule: Rule) {
        const YIXIN_RENJU: u32 = 2;
        let is_renju = self.is_yixin_board && rule.code() == YIXIN_RENJU;
        let rule = if is_renju { RuleKind::Renju.into() } else { rule };
        self.settings.take(Info::Rule(rule), &mut self.engine);
    }

    /// `INFO game`: from now on this game is played, and a running conversation begins it at once. A game that there is
    /// not becomes a complaint, and the one before stays.
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
                // There is no room for its table and the engine's.
                self.engine.drop_table();
                self.variant = Some(variant);
            }
            Err(error) => self.settings.complain(format!("game: {error}")),
        }
    }

    /// After an INFO line that may have changed the bounds of memory.
    pub(super) fn share_memory(&mut self) {
        if let Some(variant) = &mut self.variant {
            variant.set_memory(variant_memory(&self.engine));
        }
    }

    fn new_game(&mut self, size: Size) -> Result<Action, CommandRefusal> {
        if let Some(variant) = &mut self.variant {
            variant.start(size)?;
        }
        // Managers name the rule and ask for a move in one breath, with the clock running: its tables are there by
        // then.
        Position::prepare();
        if size != self.board().size() {
            self.settings.steering().forget_points();
        }
        self.engine.new_game(size);
        self.database.new_game();
        self.settings.new_game();
        self.started = true;
        Ok(Action::Say(Response::Ok))
    }
}

/// The most that the table of a variant's search takes, in bytes: minutes of search do not fill it.
const MOST_VARIANT_MEMORY: u64 = 64 << 20;

/// Bytes for the table of a variant's search: as many as the engine's own may take, as far as they are of use.
fn variant_memory(engine: &Engine) -> u64 {
    engine.options().table_bytes().min(MOST_VARIANT_MEMORY)
}
