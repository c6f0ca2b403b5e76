//! The state of a conversation with a manager, without I/O or threads: a line goes in, a [`Handled`] comes
//! out.
//!
//! The side to move on the engine's board is the only record of our colour: `TURN` plays for the side to
//! move, and so does our answer. The owner of the session executes the [`SearchTask`] of a line by
//! [`Session::think`] before the next line.
//!
//! Blocks: an unfinished block stays open during the commands of [`Command::fits_into_block`] and lines that
//! do not begin with a command; `DONE` closes it. Any other command discards it, even if the command is
//! invalid; this gets an `ERROR` unless the command begins a new game.

mod advice;
mod commands;
mod comment;
mod database;
mod database_use;
mod live;
mod near_root;
mod opening;
mod played;
mod refusal;
mod root;
mod task;
mod thinking;
mod variant;
mod work;

use std::path::Path;
use std::time::Instant;

use self::comment::Comments;
use self::database_use::DatabaseUse;
use self::played::PlayedGame;
use self::refusal::CommandRefusal;
use self::task::Purpose;
pub use self::task::{Handled, Next, SearchTask};
use self::variant::Variant;
use super::block::Block;
use super::command::{Command, FileUse, Info};
use super::input::InputLine;
use super::parser::{self, ParseError};
use super::response::{PointNames, Response};
use super::settings::Settings;
use crate::board::Board;
use crate::engine::Engine;
use crate::game::Game;
use crate::rules::procedure::Negotiation;
use crate::think::Limits;

/// A conversation: the engine, the settings and the block that may be open.
pub struct Session {
    engine: Engine,
    /// The game outside the Gomocup family that is played instead of the engine's game, if one was chosen.
    variant: Option<Variant>,
    settings: Settings,
    block: Option<Block>,
    started: bool,
    /// The opening in which a decision is being made.
    negotiation: Option<Negotiation>,
    database: DatabaseUse,
    /// What to do with the path on the next line.
    awaits_path: Option<FileUse>,
    comments: Comments,
    /// Whether a line of Yixin's protocol was received: Yixin boards use rule 2 for renju and give rows
    /// before columns.
    is_yixin_board: bool,
    /// Number of openings chosen with this seed, so that a match gets different openings.
    openings: u64,
    /// Shortages at the start that have not been reported yet, such as threads that the system refused.
    startup_shortages: Vec<String>,
}

impl Session {
    /// A conversation before its first line.
    pub fn new(engine: Engine) -> Session {
        Session {
            engine,
            variant: None,
            settings: Settings::default(),
            block: None,
            started: false,
            negotiation: None,
            database: DatabaseUse::default(),
            awaits_path: None,
            comments: Comments::default(),
            is_yixin_board: false,
            openings: 0,
            startup_shortages: Vec::new(),
        }
    }

    /// The engine, with the position and the options.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The game outside the Gomocup family that is played, if there is one.
    pub fn variant(&self) -> Option<&dyn Game> {
        self.variant.as_ref().map(|variant| variant.game())
    }

    /// Settings of `INFO`.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Handles one line. The comment of a position may span several lines.
    pub fn handle(&mut self, line: &InputLine) -> Handled {
        let mut handled = Handled::default();
        for line in self.comments.split(line).into_iter().flatten() {
            let Handled { responses, next } = self.handle_one(&line);
            handled.responses.extend(responses);
            handled.next = next;
        }
        handled
    }

    fn handle_one(&mut self, line: &InputLine) -> Handled {
        if parser::is_of_yixin(&line.bytes) && !self.is_yixin_board {
            self.is_yixin_board = true;
            self.set_rule(self.engine.position().rule());
        }
        match self.command_of(line) {
            Ok(None) => Handled::default(),
            Ok(Some(Command::Info(Info::Rule(rule)))) => {
                self.set_rule(rule);
                Handled::default()
            }
            Ok(Some(Command::Info(Info::Game(name)))) => {
                self.choose_game(&name);
                Handled::default()
            }
            Ok(Some(Command::Info(info))) => {
                if matches!(info, Info::Seed(_)) {
                    self.openings = 0;
                }
                self.database.take(&info);
                self.settings.take(info, &mut self.engine);
                self.share_memory();
                Handled::default()
            }
            Err(ParseError::Info(error)) => {
                self.settings.refuse(&error);
                Handled::default()
            }
            Ok(Some(Command::End)) => Handled { responses: Vec::new(), next: Next::End },
            Ok(Some(command)) => self.command(command, line.read_at),
            Err(error) => self.no_command(line, error),
        }
    }

    /// Lines were lost because too many waited: an open block is incomplete.
    pub fn lose_lines(&mut self) -> Handled {
        self.comments = Comments::default();
        let block = self.block.take().map(|block| CommandRefusal::Unfinished(block.kind().name()));
        let responses = block.into_iter().chain([CommandRefusal::LinesLost]).map(Response::error).collect();
        Handled { responses, next: Next::Listen }
    }

    /// Loads a network from a file; errors are reported with the next command.
    pub fn load_weights(&mut self, path: &Path) {
        self.settings.take(Info::Weights(path.to_owned()), &mut self.engine);
    }

    /// Records a shortage of resources; it is reported with the shortages of the first search.
    pub fn report_shortage(&mut self, text: String) {
        self.startup_shortages.push(text);
    }

    /// Handles a line that is not a command: a stone if a block is open. A command with invalid arguments is
    /// not a stone.
    fn no_command(&mut self, line: &InputLine, error: ParseError) -> Handled {
        let may_be_stone = matches!(error, ParseError::UnknownCommand(_) | ParseError::LineTooLong);
        if may_be_stone && let Some(block) = &mut self.block {
            block.add(&line.bytes);
            return Handled::default();
        }
        let dropped =
            self.block.take().map(|block| Response::error(CommandRefusal::Unfinished(block.kind().name())));
        let answer = match error {
            ParseError::UnknownCommand(_) => Response::Unknown(error.to_string()),
            _ => Response::error(error),
        };
        let complaint = self.settings.complaint();
        Handled {
            responses: dropped.into_iter().chain(complaint).chain([answer]).collect(),
            next: Next::Listen,
        }
    }

    fn command(&mut self, command: Command, read_at: Instant) -> Handled {
        let mut handled = Handled::default();
        if !command.fits_into_block()
            && let Some(block) = self.block.take()
            && !matches!(command, Command::Start(_) | Command::Restart)
        {
            handled.responses.push(Response::error(CommandRefusal::Unfinished(block.kind().name())));
        }
        if let Command::Open(kind) = command {
            self.block = Some(Block::new(kind));
            return handled;
        }
        handled.responses.extend(self.settings.complaint());
        let carried_out = self.carry_out(command, read_at);
        let step = carried_out.unwrap_or_else(|refusal| Handled::response(Response::error(refusal)));
        handled.responses.extend(step.responses);
        handled.next = step.next;
        self.reserve_for_database();
        handled
    }

    /// The task of a command that was read at `read_at`.
    fn task(&self, purpose: Purpose, read_at: Instant) -> Handled {
        let mut limits = self.settings.limits(read_at);
        let mut answer_by = None;
        match purpose {
            Purpose::Move => {
                let progress = self.played().progress();
                answer_by = limits.clock.map(|clock| limits.started + clock.last_moment(progress));
            }
            Purpose::Analyze(count) => limits.multi_pv = count,
            _ => {}
        }
        Handled { responses: Vec::new(), next: Next::Think(SearchTask { limits, answer_by, purpose }) }
    }

    /// The search on the opponent's time, if the manager wants it.
    pub fn ponder_task(&self) -> Option<SearchTask> {
        let is_wanted = self.settings.pondering() && self.started && self.played().need_move().is_ok();
        let limits = Limits::infinite();
        is_wanted.then_some(SearchTask { limits, answer_by: None, purpose: Purpose::Ponder })
    }

    /// The game that is played.
    fn played(&self) -> &dyn PlayedGame {
        self.variant.as_ref().map_or(&self.engine, |variant| variant)
    }

    /// The game that is played.
    fn played_mut(&mut self) -> &mut dyn PlayedGame {
        self.variant.as_mut().map_or(&mut self.engine, |variant| variant)
    }

    /// The engine's board.
    fn board(&self) -> &Board {
        self.engine.position().board()
    }

    /// Names of points in texts, as the board draws them.
    fn point_names(&self) -> PointNames {
        let rows_first = self.settings.rows_first().unwrap_or(self.is_yixin_board);
        PointNames::new(self.played().game().size(), rows_first)
    }
}
