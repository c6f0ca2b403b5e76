//! The commands that steer the search, show the evaluation, and save or load the table.

use std::path::Path;

use super::Session;
use super::refusal::CommandRefusal;
use crate::board::{Color, Point};
use crate::database::Meter;
use crate::eval::Evaluator;
use crate::protocol::command::{Command, Coordinates, Exclusion, FileUse};
use crate::protocol::input::InputLine;
use crate::protocol::parser::{self, ParseError};
use crate::protocol::response::Response;

/// Number of candidates that are shown with their share of the policy.
const CANDIDATES_SHOWN: usize = 20;

impl Session {
    /// The command on a line, which may be the path that the previous command needs.
    pub(super) fn command_of(&mut self, line: &InputLine) -> Result<Option<Command>, ParseError> {
        // A manager that exits or stops does not send a path first.
        let is_path = !line.too_long && !line.is(&Command::End) && !line.is(&Command::Stop);
        let Some(file) = self.awaits_path.filter(|_| is_path) else { return line.command.clone() };
        self.awaits_path = None;
        match line.bytes.trim_ascii() {
            b"" => Ok(None),
            path => Ok(Some(Command::File(file, Some(parser::path(path)?)))),
        }
    }

    /// `YXBLOCK`, `YXBLOCKPATH`.
    pub(super) fn exclude(&mut self, exclusion: Exclusion, points: Vec<Point>) -> Result<(), CommandRefusal> {
        let is_kept = self.settings.steering().exclude(exclusion, points);
        if is_kept { Ok(()) } else { Err(CommandRefusal::TooManyLines) }
    }

    /// `YXFORBID`.
    pub(super) fn forbid(
        &mut self,
        at: Coordinates,
        side: Color,
        is_added: bool,
    ) -> Result<(), CommandRefusal> {
        self.need_game()?;
        let point = self.board().size().point(at.x, at.y).ok_or(CommandRefusal::OffBoard(at))?;
        self.settings.steering().forbid(side, point, is_added);
        Ok(())
    }

    /// `YXSHOWHASHUSAGE`.
    pub(super) fn hash_usage(&self) -> Response {
        let usage = self.engine.table_usage();
        Response::Message(format!("the table is {}.{}% full", usage / 10, usage % 10))
    }

    /// `YXHASHDUMP`, `YXHASHLOAD`, and transfers between the database and other files.
    pub(super) fn carry_file(&mut self, file_use: FileUse, path: &Path, meter: &mut dyn Meter) -> Response {
        let shown = path.display();
        let (carried, what) = match file_use {
            FileUse::DumpTable => (self.engine.dump_table(path), "written to"),
            FileUse::LoadTable => (self.engine.load_table(path), "read from"),
            _ => return self.carry_database(file_use, path, meter),
        };
        match carried {
            Ok(entries) => Response::Message(format!("{entries} entries of the table {what} {shown}")),
            Err(error) => Response::error(format_args!("{shown}: {error}")),
        }
    }

    /// `YXPRINTFEATURE`, `TRACEBOARD`: value, chances and policy of the position.
    pub(super) fn evaluation(&self) -> Vec<Response> {
        let position = self.engine.position();
        let network = self.engine.networks().of(position.rule().kind);
        let mut evaluator = Evaluator::with_network(position, network.clone());
        let value = evaluator.value(position);
        let chances = evaluator.chances(position);
        let mut policy = evaluator.policy(position, evaluator.candidates(position));
        policy.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let names = self.point_names();
        let share =
            |(point, share): &(Point, f32)| format!("{} {:.1}%", names.moves(&[*point]), share * 100.0);
        let shares: Vec<String> = policy.iter().take(CANDIDATES_SHOWN).map(share).collect();
        let percent = |chance: f32| format!("{:.1}%", chance * 100.0);
        let (win, draw, loss) = (percent(chances.win), percent(chances.draw), percent(chances.loss));
        [
            format!(
                "{} to move: value {value}, win {win}, draw {draw}, loss {loss}",
                position.board().side_to_move()
            ),
            format!("policy: {}", shares.join(", ")),
        ]
        .map(Response::Message)
        .to_vec()
    }
}
