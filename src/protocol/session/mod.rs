//! The state of a conversation with a manager, without any I/O or thread: a line goes in, a [`Handled`] comes out.
//!
//! The side to move on the engine's board is the only memory of who is who: `TURN` plays for it, and so does our
//! answer. Whoever holds the session carries out the [`SearchTask`] of a line by [`Session::think`] before the next.
//!
//! Blocks: `INFO`, `ABOUT`, `YXSTOP`, `YXSHOWINFO`, `YXSHOWFORBID` and `YXHASHCLEAR` leave an unfinished block open,
//! and so do lines that begin with no command; `DONE` closes it. Any other command ends it without effect, even one
//! that can't be read; that gets an `ERROR` unless the command begins a new game.

mod opening;
mod played;
mod refusal;
mod thinking;
mod variant;

use std::path::Path;
use std::time::Instant;

use self::opening::Form;
use self::played::{PlayedGame, need_room};
use self::refusal::CommandRefusal;
use self::variant::Variant;
use super::block::Block;
use super::command::{BlockKind, Command, Info};
use super::input::InputLine;
use super::parser::{self, ParseError};
use super::response::{PointNames, Response};
use super::settings::Settings;
use crate::board::{Board, Size};
use crate::engine::Engine;
use crate::game::Game;
use crate::rules::procedure::Negotiation;
use crate::rules::{Position, Rule, RuleKind};
use crate::search::Limits;
use crate::search::score::Value;

/// Result of a line: responses and what is to be done then.
#[derive(Debug, Default)]
pub struct Handled {
    /// Responses to give at once, in order.
    pub says: Vec<Response>,
    /// Action to take then.
    pub next: Next,
}

/// Action that follows the responses to a line.
#[derive(Debug, Default)]
pub enum Next {
    /// Wait for the next line.
    #[default]
    Listen,
    /// Think, and say what comes of it.
    Think(SearchTask),
    /// Leave without another word.
    End,
}

/// A search that has to be done.
#[derive(Clone, Copy, Debug)]
pub struct SearchTask {
    /// Limits that end it.
    pub limits: Limits,
    /// When an answer has to be given, even if the search has not ended; `None`: there is no hurry, or no move that
    /// could be given without it.
    pub answer_by: Option<Instant>,
    /// Purpose of the search.
    purpose: Purpose,
}

/// Purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// A move, which is played.
    Move,
    /// A decision in the opening, and how it is told.
    Opening(Form),
    /// So many moves that make the position worth so much. Nothing is played.
    Balance { count: usize, bias: Value },
    /// To tell what is best. Nothing is played.
    Analysis,
}

/// Outcome of a command that was carried out: the responses, or the search that it asks for.
enum Action {
    Quiet,
    Say(Response),
    SayAll(Vec<Response>),
    Move,
    Decide(Form),
    Balance { count: usize, bias: Value },
    Analyze(usize),
}

/// A conversation: the engine, the settings and a block that may be open.
pub struct Session {
    engine: Engine,
    /// The game outside the Gomocup family that is played in the engine's place, if one was chosen.
    variant: Option<Variant>,
    settings: Settings,
    block: Option<Block>,
    started: bool,
    /// The opening in which a decision is being thought about.
    negotiation: Option<Negotiation>,
    /// Whether a line of Yixin's protocol has come: such boards mean renju by rule 2 and name rows before columns.
    is_yixin_board: bool,
    /// Openings chosen with this seed so far, so that a match sees different ones.
    openings: u64,
    /// Shortages from the start, such as threads that the system refused, not yet told.
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
            is_yixin_board: false,
            openings: 0,
            startup_shortages: Vec::new(),
        }
    }

    /// The engine with the position and the options.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The game outside the Gomocup family that is played, if one is.
    pub fn variant(&self) -> Option<&dyn Game> {
        self.variant.as_ref().map(|variant| variant.game())
    }

    /// Settings of `INFO`.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Takes one line in.
    pub fn handle(&mut self, line: &InputLine) -> Handled {
        if parser::is_of_yixin(&line.bytes) && !self.is_yixin_board {
            self.is_yixin_board = true;
            self.set_rule(self.engine.position().rule());
        }
        match line.text().and_then(parser::parse) {
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
                self.settings.take(info, &mut self.engine);
                self.share_memory();
                Handled::default()
            }
            Err(ParseError::Info(error)) => {
                self.settings.refuse(&error);
                Handled::default()
            }
            Ok(Some(Command::End)) => Handled { says: Vec::new(), next: Next::End },
            Ok(Some(command)) => self.command(command, line.read_at),
            Err(error) => self.no_command(line, error),
        }
    }

    /// Lines were lost, because too many waited: an open block is incomplete.
    pub fn lose_lines(&mut self) -> Handled {
        let block = self.block.take().map(|block| CommandRefusal::Unfinished(block.kind()));
        let says = block.into_iter().chain([CommandRefusal::LinesLost]).map(Response::error).collect();
        Handled { says, next: Next::Listen }
    }

    /// Plays by the network of a file; what is wrong with it is told with the next command.
    pub fn load_weights(&mut self, path: &Path) {
        self.settings.take(Info::Weights(path.to_owned()), &mut self.engine);
    }

    /// The engine has to do without something: it says so with what the first search lacks besides.
    pub fn tell_shortage(&mut self, text: String) {
        self.startup_shortages.push(text);
    }

    /// A line that is no command: a stone when a block is open. A command that can't be read is none.
    fn no_command(&mut self, line: &InputLine, error: ParseError) -> Handled {
        let may_be_stone = matches!(error, ParseError::UnknownCommand(_) | ParseError::LineTooLong);
        if may_be_stone && let Some(block) = &mut self.block {
            block.add(&line.bytes);
            return Handled::default();
        }
        let dropped =
            self.block.take().map(|block| Response::error(CommandRefusal::Unfinished(block.kind())));
        let answer = match error {
            ParseError::UnknownCommand(_) => Response::Unknown(error.to_string()),
            _ => Response::error(error),
        };
        let complaint = self.settings.complaint();
        Handled { says: dropped.into_iter().chain(complaint).chain([answer]).collect(), next: Next::Listen }
    }

    fn command(&mut self, command: Command, read_at: Instant) -> Handled {
        let mut handled = Handled::default();
        if !command.fits_into_block()
            && let Some(block) = self.block.take()
            && !matches!(command, Command::Start(_) | Command::Restart)
        {
            handled.says.push(Response::error(CommandRefusal::Unfinished(block.kind())));
        }
        if let Command::Open(kind) = command {
            self.block = Some(Block::new(kind));
            return handled;
        }
        handled.says.extend(self.settings.complaint());
        match self.carry_out(command) {
            Ok(Action::Quiet) => {}
            Ok(Action::Say(answer)) => handled.says.push(answer),
            Ok(Action::SayAll(answers)) => handled.says.extend(answers),
            Ok(Action::Move) => {
                let limits = self.settings.limits(read_at);
                let progress = self.played().progress();
                let answer_by = limits.clock.map(|clock| limits.started + clock.last_moment(progress));
                handled.next = Next::Think(SearchTask { limits, answer_by, purpose: Purpose::Move });
            }
            Ok(Action::Decide(form)) => {
                let limits = self.settings.limits(read_at);
                handled.next =
                    Next::Think(SearchTask { limits, answer_by: None, purpose: Purpose::Opening(form) });
            }
            Ok(Action::Balance { count, bias }) => {
                let limits = self.settings.limits(read_at);
                let purpose = Purpose::Balance { count, bias };
                handled.next = Next::Think(SearchTask { limits, answer_by: None, purpose });
            }
            Ok(Action::Analyze(count)) => {
                let limits = Limits { multi_pv: count, ..self.settings.limits(read_at) };
                handled.next =
                    Next::Think(SearchTask { limits, answer_by: None, purpose: Purpose::Analysis });
            }
            Err(refusal) => handled.says.push(Response::error(refusal)),
        }
        handled
    }

    fn carry_out(&mut self, command: Command) -> Result<Action, CommandRefusal> {
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
            Command::About => Ok(Action::Say(Response::About)),
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
            Command::ShowInfo => Ok(Action::SayAll(Response::abilities().to_vec())),
            Command::ShowForbidden => Ok(Action::Say(Response::Forbidden(self.played_mut().forbidden()))),
            Command::ClearHash => {
                self.engine.clear_table();
                Ok(Action::Quiet)
            }
            // YXSTOP has nothing to stop here: while a search runs, the driver hears it. The others never come here.
            Command::Stop | Command::Open(_) | Command::Info(_) | Command::End => Ok(Action::Quiet),
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
            BlockKind::Soosorv(step) => self.soosorv_step(step, &block.opening(size)?),
            BlockKind::Procedure(procedure) => self.procedure(procedure, &block.answers(size)?),
            BlockKind::Swap2 | BlockKind::Board | BlockKind::SetBoard => {
                self.swap2_board(&block.opening(size)?)
            }
        }
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

    fn need_game(&self) -> Result<(), CommandRefusal> {
        if self.started { Ok(()) } else { Err(CommandRefusal::NoGame) }
    }

    /// Refuses a command that only games of the Gomocup family have a meaning for.
    fn need_family(&self) -> Result<(), CommandRefusal> {
        let name = self.variant.as_ref().map(|variant| variant.game().name());
        name.map_or(Ok(()), |name| Err(CommandRefusal::NoMeaning(name)))
    }

    /// Plays by `rule`; Yixin's 2 is renju, Gomocup's a continuous game.
    fn set_rule(&mut self, rule: Rule) {
        const YIXIN_RENJU: u32 = 2;
        let is_renju = self.is_yixin_board && rule.code() == YIXIN_RENJU;
        let rule = if is_renju { RuleKind::Renju.into() } else { rule };
        self.settings.take(Info::Rule(rule), &mut self.engine);
    }

    /// Names of points in texts, as the board draws them.
    fn point_names(&self) -> PointNames {
        let rows_first = self.settings.rows_first().unwrap_or(self.is_yixin_board);
        PointNames::new(self.played().game().size(), rows_first)
    }

    /// `INFO game`: from now on this game is played, and a running conversation begins it at once. A game that there is
    /// not becomes a complaint, and the one before stays.
    fn choose_game(&mut self, name: &str) {
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
    fn share_memory(&mut self) {
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
        self.engine.new_game(size);
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
