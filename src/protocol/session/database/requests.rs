//! The database of a conversation: queries and edits from boards.

use std::iter;

use super::{DatabaseUse, Scene};
use crate::board::{Board, Point};
use crate::database::{self, DatabaseError, Edit, KnownMove, Label, Meter, Record};
use crate::protocol::command::{DatabaseRequest, Upkeep};
use crate::protocol::database_response::{DatabaseResponse, RecordView};
use crate::protocol::response::Response;
use crate::rules::Rule;
use crate::think::Bound;

impl DatabaseUse {
    /// The answer to a request about the position after the moves. Only deletions of many moves are long
    /// enough for the meter.
    pub(in crate::protocol::session) fn answer(
        &mut self,
        request: &DatabaseRequest,
        points: &[Point],
        scene: Scene,
        meter: &mut dyn Meter,
    ) -> Vec<Response> {
        match self.answer_request(request, points, scene, meter) {
            Ok(responses) => responses.into_iter().map(Response::Database).collect(),
            Err(error) => vec![Response::Error(format!("database: {error}"))],
        }
    }

    fn answer_request(
        &mut self,
        request: &DatabaseRequest,
        points: &[Point],
        scene: Scene,
        meter: &mut dyn Meter,
    ) -> Result<Vec<DatabaseResponse>, DatabaseError> {
        let rule = scene.rule;
        let board = |points: &[Point]| Board::of_moves(scene.size, points);
        let here = board(points);
        let edits = match request {
            DatabaseRequest::QueryAll { with_text } => return self.query_all(&here, *with_text, scene),
            DatabaseRequest::QueryOne => return self.query_one(&here, scene),
            DatabaseRequest::QueryText => return self.query_text(&here, rule),
            DatabaseRequest::QueryMore => return self.query_more(&here, scene),
            DatabaseRequest::EditRecord { label, value, depth } => {
                let label = label.map(|label| Edit::Label(label.of_move()));
                let value = value.map(|value| Edit::Value(value, Bound::Exact));
                label.into_iter().chain(value).chain(depth.map(Edit::Depth)).collect()
            }
            DatabaseRequest::EditText(text) => vec![Edit::Text(text.clone())],
            DatabaseRequest::EditPointText(at, text) => {
                let Some(point) = here.size().point(at.x, at.y) else { return Ok(Vec::new()) };
                vec![Edit::PointText(point, text.clone())]
            }
            DatabaseRequest::SetBestMove => {
                let Some((&best, before)) = points.split_last() else { return Ok(Vec::new()) };
                self.edit(&board(before), rule, &[Edit::BestMove(Some(best))])?;
                return Ok(Vec::new());
            }
            DatabaseRequest::ClearBestMove => vec![Edit::BestMove(None)],
            DatabaseRequest::DeleteOne => {
                self.change(|store| store.write(|batch| database::delete(batch, &here, rule)))?;
                return Ok(Vec::new());
            }
            DatabaseRequest::DeleteAll { selection, is_recursive } => {
                let deleted = self.change(|store| {
                    database::delete_moves(store, &here, rule, *selection, *is_recursive, meter)
                })?;
                let mut responses = vec![DatabaseResponse::Deleted(deleted)];
                // The positions are deleted even if another process now writes to the file.
                if self.reading().is_ok() {
                    responses.extend(self.query_all(&here, false, scene)?);
                }
                return Ok(responses);
            }
        };
        self.edit(&here, rule, &edits)?;
        match request {
            DatabaseRequest::EditRecord { .. } => {
                // After a stored change the answer may wait for another process as long as the change.
                self.reading()?;
                self.query_one(&here, scene)
            }
            _ => Ok(Vec::new()),
        }
    }

    fn edit(&mut self, board: &Board, rule: Rule, edits: &[Edit]) -> Result<(), DatabaseError> {
        let is_value = |edit: &Edit| matches!(edit, Edit::Label(_) | Edit::Value(..) | Edit::Depth(_));
        self.has_changed |= edits.iter().any(is_value);
        self.write(|store| store.write(|batch| database::edit_data(batch, board, rule, edits)))
    }

    /// The records of a position and its moves; empty if there is no database.
    fn known(&mut self, board: &Board, rule: Rule) -> Result<database::QueryAnswer, DatabaseError> {
        match self.reading_in_query()? {
            Some(store) => database::query(&store.reader()?, board, rule),
            None => Ok(database::QueryAnswer::default()),
        }
    }

    /// The record of a position alone.
    fn record(&mut self, board: &Board, rule: Rule) -> Result<Option<Record>, DatabaseError> {
        match self.reading_in_query()? {
            Some(store) => database::query_one(&store.reader()?, board, rule),
            None => Ok(None),
        }
    }

    fn query_all(
        &mut self,
        board: &Board,
        with_text: bool,
        scene: Scene,
    ) -> Result<Vec<DatabaseResponse>, DatabaseError> {
        let known = self.known(board, scene.rule)?;
        let moves = known.moves.into_iter().map(|found| DatabaseResponse::Move {
            point: found.point,
            record: RecordView::new(found.record.as_ref(), scene.points_per_unit),
            text: found.text.unwrap_or_default(),
        });
        let comment = with_text.then(|| comment(known.record));
        let moves = iter::once(DatabaseResponse::Refresh).chain(moves).chain([DatabaseResponse::Done]);
        Ok(moves.chain(comment).collect())
    }

    fn query_one(&mut self, board: &Board, scene: Scene) -> Result<Vec<DatabaseResponse>, DatabaseError> {
        let record = self.known(board, scene.rule)?.record;
        Ok(vec![DatabaseResponse::Position(RecordView::new(record.as_ref(), scene.points_per_unit))])
    }

    fn query_text(&mut self, board: &Board, rule: Rule) -> Result<Vec<DatabaseResponse>, DatabaseError> {
        Ok(vec![comment(self.known(board, rule)?.record)])
    }

    fn query_more(&mut self, board: &Board, scene: Scene) -> Result<Vec<DatabaseResponse>, DatabaseError> {
        let known = self.known(board, scene.rule)?;
        let here = self.here(board, known.record.as_ref(), scene)?;
        let best = known.record.and_then(|record| record.best_move).map(DatabaseResponse::Best);
        let more = known.moves.into_iter().filter_map(|KnownMove { point, record, .. }| {
            let record = record.filter(|record| record.bound != Bound::None || record.games.total() > 0)?;
            let view = RecordView::new(Some(&record), scene.points_per_unit);
            Some(DatabaseResponse::More { point, record: view, games: record.games.of_move() })
        });
        Ok(here.into_iter().chain(more).chain(best).chain([DatabaseResponse::MoreDone]).collect())
    }

    /// The record of a position itself, if it has a label, a value or games, or if the last move has a text.
    fn here(
        &mut self,
        board: &Board,
        record: Option<&Record>,
        scene: Scene,
    ) -> Result<Option<DatabaseResponse>, DatabaseError> {
        let text = match board.last_move() {
            Some(point) => {
                let mut before = board.clone();
                before.undo();
                let before = self.record(&before, scene.rule)?;
                before.and_then(|record| record.point_texts.get(&point).cloned()).unwrap_or_default()
            }
            None => String::new(),
        };
        let is_valued = |record: &Record| {
            record.label != Label::None || record.bound != Bound::None || record.games.total() > 0
        };
        let is_known = !text.is_empty() || record.is_some_and(is_valued);
        let games = record.map(|record| record.games.of_move()).unwrap_or_default();
        let record = RecordView::new(record, scene.points_per_unit);
        Ok(is_known.then_some(DatabaseResponse::Here { record, games, text }))
    }

    /// `YXSAVEDATABASE`, `YXDBCHECK`, `YXDBFIX`.
    pub(in crate::protocol::session) fn keep(&mut self, upkeep: Upkeep, meter: &mut dyn Meter) -> Response {
        let done = match upkeep {
            // Every change is on disk when its command completes.
            Upkeep::Save => Ok(DatabaseResponse::Saved),
            Upkeep::Check => self.reading().and_then(|store| {
                let damaged =
                    store.map_or(Ok(0), |store| database::count_damaged(&store.reader()?, meter))?;
                Ok(DatabaseResponse::Damaged(damaged))
            }),
            Upkeep::Fix => self.fix(meter).map(DatabaseResponse::Repaired),
        };
        done.map_or_else(|error| Response::Error(format!("database: {error}")), Response::Database)
    }
}

/// The comment of a position.
fn comment(record: Option<Record>) -> DatabaseResponse {
    DatabaseResponse::Comment(record.map(|record| record.text).unwrap_or_default())
}
