//! Executes the commands: checks each, and routes it to the parts of the session.

use std::path::{Path, PathBuf};

use super::Session;
use super::opening::{self, Opening};
use super::played::need_room;
use super::refusal::CommandRefusal;
use super::task::{Handled, Purpose, ReviewTask};
use super::work::{StopMeter, Work};
use crate::board::{Color, Point, Size};
use crate::protocol::block::{Block, BlockError};
use crate::protocol::board_response::ReviewResponse;
use crate::protocol::command::{BlockKind, Command, Coordinates, DatabaseRequest, Exclusion, FileUse};
use crate::protocol::response::Response;
use crate::protocol::search_control::SearchControl;
use crate::review::{self, GameMoves};
use crate::system::host::Instant;

impl Session {
    pub(super) fn carry_out(
        &mut self,
        command: Command,
        read_at: Instant,
    ) -> Result<Handled, CommandRefusal> {
        self.check(&command)?;
        Ok(match command {
            Command::Start(size) => self.start(size)?,
            Command::Restart => self.start(self.game.played().game().size())?,
            Command::Begin => {
                self.game.played().need_beginning()?;
                self.task(Purpose::Move, read_at)
            }
            Command::Turn(at, choice) => {
                let is_due = self.game.played_mut().play_opponent(at, choice)?;
                if is_due { self.task(Purpose::Move, read_at) } else { Handled::response(Response::Ok) }
            }
            Command::Play(at, choice) => {
                Handled::response(Response::of_move(self.game.played_mut().play(at, choice)?))
            }
            Command::TakeBack(at) => {
                self.game.played_mut().take_back(at)?;
                Handled::response(Response::Ok)
            }
            Command::Done => {
                let block = self.lines.close_block()?;
                self.game.need_game()?;
                self.done(&block, read_at)?
            }
            Command::Analyze(count) => self.task(Purpose::Analyze(count), read_at),
            Command::Balance { count, bias } => {
                need_room(self.game.engine(), count)?;
                self.task(Purpose::Balance { count, bias }, read_at)
            }
            Command::Swap2Step(step) => {
                self.decide(opening::swap2_step(step, self.game.board())?, read_at)?
            }
            Command::SoosorvOpening => self.decide(opening::soosorv_opening(), read_at)?,
            Command::Defend => self.task(Purpose::Defend, read_at),
            Command::OfferDraw => self.task(Purpose::JudgeDraw, read_at),
            Command::Solve(side) => {
                let attacker = side.unwrap_or(self.game.board().side_to_move());
                self.task(Purpose::Solve(attacker), read_at)
            }
            Command::File(file_use, path) => self.use_file(file_use, path, read_at)?,
            Command::KeepDatabase(upkeep) => self.task(Purpose::Work(Work::Keep(upkeep)), read_at),
            Command::About => Handled::response(Response::About),
            Command::ShowInfo => Handled::responses(Response::abilities().to_vec()),
            Command::ShowForbidden => {
                Handled::response(Response::Forbidden(self.game.played_mut().forbidden()))
            }
            Command::Judge(at) => Handled::response(self.game.judge(at)?),
            Command::ShowThreats => Handled::responses(self.game.threats()),
            Command::ShowState => Handled::response(self.game.state()),
            Command::ClearHash => {
                self.game.clear_tables();
                Handled::default()
            }
            Command::ShowHashUsage => Handled::response(self.game.table_usage()),
            Command::IncludeAll(exclusion) => {
                self.steering.include_all(exclusion);
                Handled::default()
            }
            Command::Forbid { at, side, is_added } => {
                self.forbid(at, side, is_added)?;
                Handled::default()
            }
            Command::Resign => Handled::response(Response::Ok),
            Command::ShowEvaluation => Handled::responses(self.game.evaluation(self.point_names())),
            Command::Elsewhere(text) => Handled::response(Response::Message(text.to_owned())),
            // YXSTOP has nothing to stop here: the driver handles it while a search runs. The others never
            // arrive here.
            Command::Open(_) | Command::Info(_) | Command::End | Command::Stop => Handled::default(),
        })
    }

    /// Checks that there is a game, that the command applies to it, and that there is a move to make, as far as
    /// the command needs them.
    fn check(&self, command: &Command) -> Result<(), CommandRefusal> {
        if command.needs_game() {
            self.game.need_game()?;
        }
        if command.needs_family() {
            self.game.need_family()?;
        }
        if command.needs_move() {
            self.game.need_move()?;
        }
        Ok(())
    }

    /// `START`, `RESTART`.
    fn start(&mut self, size: Size) -> Result<Handled, CommandRefusal> {
        let before = self.game.board().size();
        self.game.start(size)?;
        if size != before {
            self.steering.forget_points();
        }
        self.new_game();
        Ok(Handled::response(Response::Ok))
    }

    /// `YXFORBID`.
    fn forbid(&mut self, at: Coordinates, side: Color, is_added: bool) -> Result<(), CommandRefusal> {
        let point = self.game.board().size().point(at.x, at.y).ok_or(CommandRefusal::OffBoard(at))?;
        self.steering.forbid(side, point, is_added);
        Ok(())
    }

    /// Begins our decision in an opening.
    fn decide(&mut self, opening: Opening, read_at: Instant) -> Result<Handled, CommandRefusal> {
        let form = self.opening.begin(opening, &mut self.game)?;
        Ok(self.task(Purpose::Decide(form), read_at))
    }

    /// Uses a file; without a path, the path is the next line.
    fn use_file(
        &mut self,
        file_use: FileUse,
        path: Option<PathBuf>,
        read_at: Instant,
    ) -> Result<Handled, CommandRefusal> {
        let Some(path) = path else {
            self.lines.await_path(file_use);
            return Ok(Handled::default());
        };
        if file_use.needs_family() {
            self.game.need_family()?;
        }
        if file_use.may_be_long() {
            return Ok(self.task(Purpose::Work(Work::File(file_use, path)), read_at));
        }
        Ok(Handled::response(self.carry_file(file_use, &path, &SearchControl::default())))
    }

    /// Reads or writes a file, until `control` is stopped.
    pub(super) fn carry_file(&mut self, file_use: FileUse, path: &Path, control: &SearchControl) -> Response {
        if let Some(refused) = self.database.refuse_itself(file_use, path) {
            return refused;
        }
        if let Some(response) = self.game.use_table_file(file_use, path, control.stop_flag()) {
            return response;
        }
        // The table makes room before the transfer allocates memory.
        self.database.prepare(file_use, self.game.engine().options().max_memory);
        self.settle_database();
        let (position, meter) = (self.game.engine().position(), &mut StopMeter(control));
        let response = self.database.transfer(file_use, path, position, meter);
        self.settle_database();
        response
    }

    fn done(&mut self, block: &Block, read_at: Instant) -> Result<Handled, CommandRefusal> {
        let kind = block.kind();
        if let BlockKind::Board(_) | BlockKind::SetBoard(_) = kind {
            self.game.played_mut().set_up(block)?;
            let is_asked = matches!(kind, BlockKind::Board(_));
            return Ok(if is_asked { self.task(Purpose::Move, read_at) } else { Handled::default() });
        }
        self.game.need_family()?;
        let size = self.game.board().size();
        let opening = match kind {
            BlockKind::Exclude(exclusion) => {
                let points = excluded(*exclusion, block, size)?;
                let has_room = self.steering.exclude(*exclusion, points);
                return if has_room { Ok(Handled::default()) } else { Err(CommandRefusal::TooManyLines) };
            }
            BlockKind::Include(exclusion) => {
                self.steering.include(*exclusion, &excluded(*exclusion, block, size)?);
                return Ok(Handled::default());
            }
            BlockKind::Database(request) => return self.ask_database(request, block, read_at),
            BlockKind::Review(begins, part) => {
                let (rule, moves) = (self.game.rule(), block.reviewed(size)?);
                let game = match begins {
                    Some(_) => GameMoves::from_board(block.board(size)?, rule, moves),
                    None => GameMoves::new(rule, size, moves),
                };
                let review = ReviewTask::new(game.map_err(CommandRefusal::Reviewed)?, *part)?;
                return Ok(self.task(Purpose::Review(Box::new(review)), read_at));
            }
            BlockKind::JoinReviews(begins) => {
                let summary = review::join(begins.unwrap_or(Color::Black), &block.parts()?)
                    .ok_or(CommandRefusal::ReviewParts)?;
                let done = Box::new(ReviewResponse::of_summary(&summary));
                return Ok(Handled::response(Response::Review(done)));
            }
            BlockKind::ShowProcedure(procedure) => {
                let opening = opening::procedure(*procedure, block.answers(size)?);
                return Ok(Handled::response(opening::due(&opening, size)?));
            }
            BlockKind::Soosorv(step) => opening::soosorv_step(*step, &block.opening(size)?, size)?,
            BlockKind::Procedure(procedure) => opening::procedure(*procedure, block.answers(size)?),
            BlockKind::Swap2 | BlockKind::Board(_) | BlockKind::SetBoard(_) => {
                opening::swap2_board(&block.opening(size)?)?
            }
        };
        self.decide(opening, read_at)
    }

    /// A request about the position after the moves of a block.
    fn ask_database(
        &mut self,
        request: &DatabaseRequest,
        block: &Block,
        read_at: Instant,
    ) -> Result<Handled, CommandRefusal> {
        let size = self.game.board().size();
        if let DatabaseRequest::EditPointText(at, _) = request
            && size.point(at.x, at.y).is_none()
        {
            return Err(CommandRefusal::OffBoard(*at));
        }
        let points = block.opening(size)?;
        if matches!(request, DatabaseRequest::DeleteAll { .. }) {
            return Ok(self.task(Purpose::Work(Work::Ask(request.clone(), points)), read_at));
        }
        // Short work is done before the next line is read, so that an `END` after it loses no edit.
        let responses = self.database.answer(request, &points, self.game.scene(), &mut ());
        self.settle_database();
        Ok(Handled::responses(responses))
    }
}

/// The moves or the line of `YXBLOCK`, `YXBLOCKPATH` and the commands that undo them.
fn excluded(exclusion: Exclusion, block: &Block, size: Size) -> Result<Vec<Point>, BlockError> {
    match exclusion {
        Exclusion::Moves => block.points_on_board(size),
        Exclusion::Line => block.opening(size),
    }
}
