//! The state of a conversation with a manager, without I/O or threads: a line goes in, a [`Handled`] comes
//! out.
//!
//! The session consists of parts that own their state: `lines` (lines that wait for further lines), `game`
//! (the position and the engines), `database`, `opening` (the procedure in progress), `review` (the last
//! review), [`Settings`], [`Steering`] and [`Complaints`]. A part sees only its own state and its arguments;
//! the session routes commands and connects the parts. An `analysis` exists during a search.
//!
//! The side to move on the engine's board is the only record of our colour: `TURN` plays for the side to
//! move, and so does our answer. The owner of the session executes the [`SearchTask`] of a line by
//! [`Session::think`] before the next line.
//!
//! Blocks: an unfinished block stays open during the commands of [`Command::fits_into_block`] and lines that
//! do not begin with a command; `DONE` closes it. Any other command discards it, even if the command is
//! invalid; this gets an `ERROR` unless the command begins a new game.

mod analysis;
mod commands;
mod comment;
mod database;
mod game;
mod judge;
mod lines;
mod live;
mod opening;
mod played;
mod refusal;
mod review;
mod solve;
mod state;
mod task;
mod thinking;
mod variant;
mod work;

use std::path::Path;

pub use self::database::DATABASE_BYTES;
use self::database::DatabaseUse;
use self::game::CurrentGame;
use self::lines::Lines;
use self::opening::OpeningTalk;
use self::refusal::CommandRefusal;
use self::review::LastReview;
use self::task::Purpose;
pub use self::task::{Handled, Next, SearchTask};
use super::command::{Command, Info};
use super::complaints::Complaints;
use super::input::InputLine;
use super::parser::{self, ParseError};
use super::point_names::PointNames;
use super::response::Response;
use super::settings::Settings;
use super::steering::Steering;
use crate::database::DatabaseError;
use crate::engine::Engine;
use crate::game::Game;
use crate::system::host::Instant;
use crate::think::Limits;

/// A conversation: the game, the settings, and the lines that wait for further lines.
pub struct Session {
    lines: Lines,
    game: CurrentGame,
    settings: Settings,
    steering: Steering,
    database: DatabaseUse,
    opening: OpeningTalk,
    review: LastReview,
    complaints: Complaints,
}

impl Session {
    /// A conversation before its first line.
    pub fn new(engine: Engine) -> Session {
        Session {
            lines: Lines::default(),
            game: CurrentGame::new(engine),
            settings: Settings::default(),
            steering: Steering::default(),
            database: DatabaseUse::default(),
            opening: OpeningTalk::default(),
            review: LastReview::default(),
            complaints: Complaints::default(),
        }
    }

    /// The engine, with the position and the options.
    pub fn engine(&self) -> &Engine {
        self.game.engine()
    }

    /// The game outside the Gomocup family that is played, if there is one.
    pub fn variant(&self) -> Option<&dyn Game> {
        self.game.variant()
    }

    /// Handles one line. The comment of a position may span several lines, and a block may be a single line.
    pub fn handle(&mut self, line: &InputLine) -> Handled {
        let mut handled = Handled::default();
        let mut add = |Handled { responses, next }| {
            handled.responses.extend(responses);
            handled.next = next;
        };
        for line in self.lines.split(line).into_iter().flatten() {
            let parts = self.lines.parts(&line);
            if parts.is_empty() {
                add(self.handle_one(&line));
            }
            for part in parts {
                add(self.handle_one(&InputLine::new(part, false, line.read_at)));
            }
        }
        handled
    }

    fn handle_one(&mut self, line: &InputLine) -> Handled {
        if parser::is_of_yixin(&line.bytes) {
            self.game.expect_yixin_board();
        }
        match self.lines.command_of(line) {
            Ok(None) => Handled::default(),
            Ok(Some(Command::Info(info))) => {
                if let Info::Rule(_) = info {
                    self.game.note_rule_code(parser::rule_code(&line.bytes));
                }
                self.apply(&info);
                Handled::default()
            }
            Err(ParseError::Info(error)) => {
                self.complaints.add(error.to_string());
                Handled::default()
            }
            Ok(Some(Command::End)) => Handled { responses: Vec::new(), next: Next::End },
            Ok(Some(command)) => self.command(command, line.read_at),
            Err(error) => self.no_command(line, error),
        }
    }

    /// Applies an `INFO` line; errors are reported with the next command.
    fn apply(&mut self, info: &Info) {
        match info {
            Info::TimeoutTurn(_)
            | Info::TimeoutMatch(_)
            | Info::TimeLeft(_)
            | Info::TimeIncrement(_)
            | Info::MaxDepth(_)
            | Info::MaxNode(_)
            | Info::ShowDetail(_)
            | Info::Pondering(_)
            | Info::RowsFirst(_)
            | Info::Strength(_) => self.settings.take(info),
            Info::StartDepth(_) | Info::MaxMoves(_) | Info::DrawResult(_) | Info::DistinctMoves(_) => {
                self.steering.take(info);
            }
            Info::Folder(_) | Info::UseDatabase(_) | Info::DatabaseReadOnly(_) => self.database.take(info),
            Info::Seed(_) => {
                self.settings.take(info);
                self.database.take(info);
                self.opening.restart();
            }
            Info::MaxMemory(_)
            | Info::HashSize(_)
            | Info::ThreadNum(_)
            | Info::Rule(_)
            | Info::Game(_)
            | Info::Tune(_)
            | Info::Weights(_) => {
                if let Info::Tune(_) | Info::Weights(_) = info {
                    self.review.forget();
                }
                let taken = self.game.take(info);
                if matches!(info, Info::Game(_)) && taken.is_ok() && self.variant().is_some() {
                    self.new_game();
                }
                taken.err().into_iter().for_each(|text| self.complaints.add(text));
            }
            Info::GameType(_) | Info::Evaluate(_) | Info::NoEffect | Info::Unknown => {}
        }
    }

    /// One line with all errors since the last report.
    fn report(&mut self) -> Option<Response> {
        self.game.take_option_error().into_iter().for_each(|error| self.complaints.add(error.to_string()));
        self.complaints.report()
    }

    /// Resets the state of the previous game: its clock, and the errors of its database.
    fn new_game(&mut self) {
        self.database.new_game();
        self.settings.new_game();
    }

    /// Lines were lost because too many waited: an open block is incomplete.
    pub fn lose_lines(&mut self) -> Handled {
        let lost = self.lines.lose().into_iter().chain([CommandRefusal::LinesLost]);
        Handled::responses(lost.map(Response::error).collect())
    }

    /// Loads a network from a file; errors are reported with the next command.
    pub fn load_weights(&mut self, path: &Path) {
        self.apply(&Info::Weights(path.to_owned()));
    }

    /// Uses a file as the database from now on, and never writes to it.
    pub fn read_database(&mut self, path: &Path) {
        self.database.use_for_reading(path);
    }

    /// Uses the bytes of a file as the database from now on.
    ///
    /// # Errors
    /// Returns an error if they are not a database.
    pub fn hold_database(&mut self, bytes: Vec<u8>) -> Result<(), DatabaseError> {
        self.database.use_bytes(bytes)?;
        self.settle_database();
        Ok(())
    }

    /// Records a shortage of resources; it is reported with the shortages of the first search.
    pub fn report_shortage(&mut self, text: String) {
        self.complaints.add_at_start(text);
    }

    /// Handles a line that is not a command: a stone if a block is open. A command with invalid arguments is
    /// not a stone.
    fn no_command(&mut self, line: &InputLine, error: ParseError) -> Handled {
        let may_be_stone = matches!(error, ParseError::UnknownCommand(_) | ParseError::LineTooLong);
        if may_be_stone && self.lines.add_to_block(line) {
            return Handled::default();
        }
        let dropped = self.lines.drop_block().map(Response::error);
        let answer = match error {
            ParseError::UnknownCommand(_) => Response::Unknown(error.to_string()),
            _ => Response::error(error),
        };
        let complaint = self.report();
        Handled::responses(dropped.into_iter().chain(complaint).chain([answer]).collect())
    }

    fn command(&mut self, command: Command, read_at: Instant) -> Handled {
        let mut handled = Handled::default();
        if !command.fits_into_block()
            && let Some(unfinished) = self.lines.drop_block()
            && !matches!(command, Command::Start(_) | Command::Restart)
        {
            handled.responses.push(Response::error(unfinished));
        }
        if let Command::Open(kind) = command {
            self.lines.open_block(kind);
            return handled;
        }
        handled.responses.extend(self.report());
        let carried_out = self.carry_out(command, read_at);
        let step = carried_out.unwrap_or_else(|refusal| Handled::response(Response::error(refusal)));
        handled.responses.extend(step.responses);
        handled.next = step.next;
        handled
    }

    /// The task of a command that was read at `read_at`.
    fn task(&self, purpose: Purpose, read_at: Instant) -> Handled {
        let mut limits = self.settings.limits(read_at);
        let mut answer_by = None;
        match purpose {
            Purpose::Move => {
                let progress = self.game.played().progress();
                answer_by = limits.clock.map(|clock| limits.started + clock.last_moment(progress));
            }
            Purpose::Analyze(count) => limits.multi_pv = count,
            _ => {}
        }
        Handled { responses: Vec::new(), next: Next::Think(SearchTask { limits, answer_by, purpose }) }
    }

    /// The search on the opponent's time, if the manager wants it.
    pub fn ponder_task(&self) -> Option<SearchTask> {
        let game = self.game.played();
        // The results of a search at a lower level are discarded with its small table.
        let is_kept = self.settings.player().level.handicap().is_none() || self.game.variant().is_some();
        let is_wanted = self.settings.pondering()
            && is_kept
            && game.game().outcome().is_none()
            && self.game.need_move().is_ok();
        let limits = Limits::infinite();
        is_wanted.then_some(SearchTask { limits, answer_by: None, purpose: Purpose::Ponder })
    }

    /// Names of points in texts, as the board draws them.
    fn point_names(&self) -> PointNames {
        self.game.point_names(self.settings.rows_first())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::Point;
    use crate::engine::Options;
    use crate::protocol::input::read_line;

    fn new_session() -> Session {
        Session::new(Engine::new(Options::default()))
    }

    fn handle(session: &mut Session, lines: &str) {
        let mut input = lines.as_bytes();
        while let Some(line) = read_line(&mut input).unwrap() {
            session.handle(&line);
        }
    }

    fn ponders(lines: &str) -> bool {
        let mut session = new_session();
        handle(&mut session, lines);
        session.ponder_task().is_some()
    }

    #[test]
    fn each_game_begins_with_a_clock_of_its_own() {
        let mut session = new_session();
        handle(&mut session, "INFO timeout_match 1000\nSTART 15\n");
        for begin in ["RESTART\n", "INFO game pente\n", "INFO game gomoku33\n", "START 13\n"] {
            session.settings.spend(Duration::from_millis(300));
            handle(&mut session, begin);
            let clock = session.settings.limits(Instant::now()).clock.unwrap();
            assert_eq!(clock.left_ms, None, "{begin}: nothing is spent of the {} ms", clock.match_ms);
        }
    }

    #[test]
    fn after_lost_lines_the_next_line_is_not_taken_as_a_path() {
        let mut session = new_session();
        handle(&mut session, "YXHASHDUMP\n");
        session.lose_lines();
        let start = read_line(&mut b"START 15\n".as_slice()).unwrap().unwrap();
        assert_eq!(session.handle(&start).responses, [Response::Ok]);
    }

    #[test]
    fn only_games_that_go_on_at_full_strength_are_pondered() {
        let begun = "START 15\nINFO pondering 1\nYXBOARD\n7,7,1\n7,8,2\nDONE\n";
        assert!(ponders(begun));
        assert!(!ponders(&begun.replace("pondering 1", "pondering 0")));
        assert!(!ponders(&format!("{begun}INFO strength 50\n")));
        // Black completes a row.
        let row = (0..4).map(|x| format!("PLAY {x},0\nPLAY {x},5\n")).collect::<String>() + "PLAY 4,0\n";
        let played =
            |end: &str| ponders(&format!("START 15\nINFO pondering 1\n{}", row.replace("PLAY 4,0", end)));
        assert!(played("PLAY 9,9") && !played("PLAY 4,0"));
    }

    #[test]
    fn points_are_named_as_the_board_gives_them() {
        let name = |lines: &str| {
            let mut session = new_session();
            handle(&mut session, lines);
            session.point_names().moves(&[Point::new(2, 1)])
        };
        assert_eq!(name("START 15\n"), "c14");
        assert_eq!(name("START 15\nINFO rows_first 1\n"), "b13");
        // Boards of Yixin's protocol give the row first, unless they set it themselves.
        assert_eq!(name("START 15\nYXSHOWINFO\n"), "b13");
        assert_eq!(name("START 15\nINFO rows_first 0\nYXSHOWINFO\n"), "c14");
    }
}
