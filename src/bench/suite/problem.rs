//! The positions of a suite and their goals, as the lines of its file state them.

use std::borrow::Cow;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use crate::board::notation::{format_point, parse_fen, parse_point};
use crate::board::{Board, Color, Point};
use crate::rules::{Position, Rule, Verdict, plain};

/// One position of a suite.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its name in the file.
    pub id: String,
    /// The rule of the position.
    pub rule: Rule,
    /// The position, with its side to move.
    pub board: Board,
    /// The condition for counting the position as solved.
    pub goal: Goal,
}

/// A condition for counting a position as solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The search proves that the side to move wins.
    Win,
    /// The search chooses one of these moves.
    Best(Vec<Point>),
}

/// A line of a suite's file: JSON, further fields are ignored.
#[derive(Deserialize)]
struct SuiteRecord {
    id: String,
    rule: String,
    fen: String,
    to_move: Option<String>,
    /// The moves that solve a position without a forced win.
    best: Option<Vec<String>>,
}

impl Problem {
    /// The position in a line of a suite's file: a JSON object with `id`, `rule`, `fen`, and `to_move`
    /// (`black` or `white`) if necessary. With `best`, a list of moves, one of them must be chosen; otherwise
    /// a win must be proven.
    ///
    /// # Errors
    /// Returns an error if the line is not such an object, its fields are not a position, the game is over, or a
    /// best move is not legal.
    pub fn parse(line: &str) -> Result<Problem> {
        let problem = Problem::read(line)?;
        let Problem { id, rule, board, .. } = &problem;
        ensure!(!board.empty().is_empty(), "{id}: the board is full");
        ensure!(!plain::has_row(board, rule.kind), "{id}: the game is over: there is a winning row");
        problem.check_goal()?;
        Ok(problem)
    }

    /// Rejects best moves that no search can choose.
    fn check_goal(&self) -> Result<()> {
        let Goal::Best(moves) = &self.goal else { return Ok(()) };
        let id = &self.id;
        ensure!(!moves.is_empty(), "{id}: the list of best moves is empty");
        let mut position = Position::new(self.board.clone(), self.rule);
        for &point in moves {
            let name = format_point(point, self.board.size());
            match position.verdict(point) {
                Verdict::Plain | Verdict::Five => {}
                Verdict::Foul(foul) => bail!("{id}: the best move {name} is a {foul}"),
                Verdict::Illegal => bail!("{id}: the best move {name} is not an empty point"),
            }
        }
        Ok(())
    }

    /// Like [`Problem::parse`], but also accepts a finished game, because the position may be used with another rule.
    ///
    /// # Errors
    /// Returns an error if the line is not such an object, or its fields are not a position.
    pub fn read(line: &str) -> Result<Problem> {
        let record: SuiteRecord = serde_json::from_str(line).context("not a position of a suite")?;
        let SuiteRecord { id, rule, fen, to_move, best } = record;
        let rule: Rule = rule.parse().with_context(|| format!("{id}: '{rule}'"))?;
        let mut board = parse_fen(&fen).with_context(|| format!("{id}: not a position"))?;
        match to_move.as_deref() {
            None => {}
            Some("black") => board.set_side_to_move(Color::Black),
            Some("white") => board.set_side_to_move(Color::White),
            Some(other) => bail!("{id}: the side to move must be black or white, not '{other}'"),
        }
        let goal = match best {
            None => Goal::Win,
            Some(moves) => {
                let point = |text: &String| parse_point(text, board.size());
                let points: Result<Vec<Point>, _> = moves.iter().map(point).collect();
                Goal::Best(points.with_context(|| format!("{id}: not a move"))?)
            }
        };
        Ok(Problem { id, rule, board, goal })
    }
}

/// A position of a suite, or a line that contains one.
pub trait ProblemSource: Sync {
    /// The position.
    fn problem(&self) -> Cow<'_, Problem>;
}

impl ProblemSource for Problem {
    fn problem(&self) -> Cow<'_, Problem> {
        Cow::Borrowed(self)
    }
}

/// A valid line of a suite's file. It takes far less memory than the board of its position.
#[derive(Clone, Debug)]
pub struct ProblemLine(String);

impl ProblemLine {
    /// Keeps a line that [`Problem::parse`] accepts.
    ///
    /// # Errors
    /// Returns the same errors as [`Problem::parse`].
    pub fn parse(line: &str) -> Result<ProblemLine> {
        Problem::parse(line).map(|_| ProblemLine(line.to_owned()))
    }
}

impl ProblemSource for ProblemLine {
    fn problem(&self) -> Cow<'_, Problem> {
        Cow::Owned(Problem::parse(&self.0).expect("the line was checked"))
    }
}
