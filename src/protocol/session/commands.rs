//! Executes the commands: the effect of each on the game, the settings and the open block.

use std::path::PathBuf;
use std::time::Instant;

use super::Session;
use super::played::{PlayedGame, need_room};
use super::refusal::CommandRefusal;
use super::task::{Handled, Purpose};
use super::variant::Variant;
use super::work::Work;
use crate::board::Size;
use crate::engine::Engine;
use crate::protocol::block::{Block, BlockError};
use crate::protocol::command::{BlockKind, Command, DatabaseRequest, FileUse, Info};
use crate::protocol::response::Response;
use crate::rules::{Position, Rule, RuleKind};

impl Session {
    pub(super) fn carry_out(
        &mut self,
        command: Command,
        read_at: Instant,
    ) -> Result<Handled, CommandRefusal> {
        Ok(match command {
            Command::Start(size) => self.new_game(size)?,
            Command::Restart => {
                self.need_game()?;
                self.new_game(self.played().game().size())?
            }
            Command::Begin => {
                self.need_game()?;
                self.played().need_beginning()?;
                self.task(Purpose::Move, read_at)
            }
            Command::Turn(at, choice) => {
                self.need_game()?;
                let is_due = self.played_mut().play_opponent(at, choice)?;
                if is_due { self.task(Purpose::Move, read_at) } else { Handled::response(Response::Ok) }
            }
            Command::Play(at, choice) => {
                self.need_game()?;
                Handled::response(Response::of_move(self.played_mut().play(at, choice)?))
            }
            Command::TakeBack(at) => {
                self.need_game()?;
                self.played_mut().take_back(at)?;
                Handled::response(Response::Ok)
            }
            Command::Done => {
                let block = self.block.take().ok_or(CommandRefusal::NoBlock)?;
                self.need_game()?;
                self.done(&block, read_at)?
            }
            Command::Analyze(count) => {
                self.need_game()?;
                self.played().need_move()?;
                self.task(Purpose::Analyze(count), read_at)
            }
            Command::Balance { count, bias } => {
                self.need_game()?;
                self.need_family()?;
                need_room(&self.engine, count)?;
                self.task(Purpose::Balance { count, bias }, read_at)
            }
            Command::Swap2Step(step) => {
                let form = self.swap2_step(step)?;
                self.task(Purpose::Decide(form), read_at)
            }
            Command::SoosorvOpening => {
                let form = self.soosorv_opening()?;
                self.task(Purpose::Decide(form), read_at)
            }
            Command::Defend => {
                self.need_game()?;
                self.need_family()?;
                self.played().need_move()?;
                self.task(Purpose::Defend, read_at)
            }
            Command::OfferDraw => {
                self.need_game()?;
                self.played().need_move()?;
                self.task(Purpose::JudgeDraw, read_at)
            }
            Command::File(file_use, path) => self.use_file(file_use, path, read_at)?,
            Command::KeepDatabase(upkeep) => self.task(Purpose::Work(Work::Keep(upkeep)), read_at),
            other => self.carry_out_aside(other)?,
        })
    }

    /// Executes commands that neither change the game nor search.
    fn carry_out_aside(&mut self, command: Command) -> Result<Handled, CommandRefusal> {
        Ok(match command {
            Command::About => Handled::response(Response::About),
            Command::ShowInfo => Handled::responses(Response::abilities().to_vec()),
            Command::ShowForbidden => Handled::response(Response::Forbidden(self.played_mut().forbidden())),
            Command::ClearHash => {
                self.engine.clear_table();
                self.variant.iter_mut().for_each(Variant::forget);
                Handled::default()
            }
            Command::ShowHashUsage => Handled::response(self.hash_usage()),
            Command::IncludeAll(exclusion) => {
                self.settings.steering().include_all(exclusion);
                Handled::default()
            }
            Command::Forbid { at, side, is_added } => {
                self.forbid(at, side, is_added)?;
                Handled::default()
            }
            Command::Resign => Handled::response(Response::Ok),
            Command::ShowEvaluation => {
                self.need_game()?;
                self.need_family()?;
                Handled::responses(self.evaluation())
            }
            Command::Elsewhere(text) => Handled::response(Response::Message(text.to_owned())),
            // YXSTOP has nothing to stop here: the driver handles it while a search runs. The others never
            // arrive here.
            _ => Handled::default(),
        })
    }

    /// Uses a file; without a path, the path is the next line.
    fn use_file(
        &mut self,
        file_use: FileUse,
        path: Option<PathBuf>,
        read_at: Instant,
    ) -> Result<Handled, CommandRefusal> {
        let Some(path) = path else {
            self.awaits_path = Some(file_use);
            return Ok(Handled::default());
        };
        if matches!(file_use, FileUse::DumpTable | FileUse::LoadTable) {
            // There is not enough room for both the engine's table and the variant's table.
            self.need_family()?;
        }
        if file_use.may_be_long() {
            return Ok(self.task(Purpose::Work(Work::File(file_use, path)), read_at));
        }
        Ok(Handled::response(self.carry_file(file_use, &path, &mut ())))
    }

    fn done(&mut self, block: &Block, read_at: Instant) -> Result<Handled, CommandRefusal> {
        let kind = block.kind();
        if let BlockKind::Board | BlockKind::SetBoard = kind {
            self.played_mut().set_up(block)?;
            let is_asked = *kind == BlockKind::Board;
            return Ok(if is_asked { self.task(Purpose::Move, read_at) } else { Handled::default() });
        }
        self.need_family()?;
        let size = self.board().size();
        let form = match kind {
            BlockKind::Exclude(exclusion) => {
                match block.opening(size) {
                    // Boards that exclude all moves but one send every point that they know.
                    Err(BlockError::OffBoard(_) | BlockError::Twice(_)) => {}
                    points => self.exclude(*exclusion, points?)?,
                }
                return Ok(Handled::default());
            }
            BlockKind::Include(exclusion) => {
                self.settings.steering().include(*exclusion, &block.opening(size)?);
                return Ok(Handled::default());
            }
            BlockKind::Database(request) => {
                let points = self.check_request(request, block)?;
                if matches!(request, DatabaseRequest::DeleteAll { .. }) {
                    return Ok(self.task(Purpose::Work(Work::Ask(request.clone(), points)), read_at));
                }
                // Short work is done before the next line is read, so that an `END` after it loses no edit.
                return Ok(Handled::responses(self.responses_to(request, &points)));
            }
            BlockKind::Soosorv(step) => self.soosorv_step(*step, &block.opening(size)?)?,
            BlockKind::Procedure(procedure) => self.procedure(*procedure, &block.answers(size)?)?,
            BlockKind::Swap2 | BlockKind::Board | BlockKind::SetBoard => {
                self.swap2_board(&block.opening(size)?)?
            }
        };
        Ok(self.task(Purpose::Decide(form), read_at))
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

    fn new_game(&mut self, size: Size) -> Result<Handled, CommandRefusal> {
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
        Ok(Handled::response(Response::Ok))
    }
}

/// Maximum size of a variant's table in bytes; minutes of search do not fill it.
const MOST_VARIANT_MEMORY: u64 = 64 << 20;

/// Bytes for the table of a variant's search: the size of the engine's table, as far as it is useful.
fn variant_memory(engine: &Engine) -> u64 {
    engine.options().table_bytes().min(MOST_VARIANT_MEMORY)
}
