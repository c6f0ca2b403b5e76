//! Responses to the manager: one [`Response`] is one line, except comments of several lines.

use std::fmt;

use super::board_response::{self, Points, ProofResponse, ReviewResponse, StateResponse};
use super::database_response::DatabaseResponse;
use super::point_names::PointNames;
use super::text::{TEXT_LIMIT, one_line};
use crate::board::notation::format_coordinates;
use crate::board::{Color, Point};
use crate::game::Move;
use crate::rules::PointClass;
use crate::rules::procedure::{Answer, Decision, Person};
use crate::think::{Iteration, score};

/// Maximum number of moves shown of a principal variation; the names of this many fit into the text.
const PV_SHOWN: usize = 120;
/// The largest table that GUIs should offer: 64 GB.
const MAX_HASH_LOG_KB: u32 = 26;

/// A mark on a point, or on the whole board, for boards that follow the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RealtimeMark {
    /// An iteration begins: boards remove the marks of searched points.
    Refresh,
    /// The move is being searched.
    Enter(Point),
    /// The search of the move has ended.
    Leave(Point),
    /// The move is the best so far.
    Best(Point),
    /// The move is proven to lose.
    Lost(Point),
}

/// One line to the manager. [`fmt::Display`] writes exactly one line, whatever the texts contain; only a
/// [`DatabaseResponse::Comment`] has as many lines as the comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// The command was executed.
    Ok,
    /// Our move.
    Move(Point),
    /// Our move, with the number, from 1, of the chosen capture.
    Choice(Point, u32),
    /// Our stones of an opening.
    Moves(Vec<Point>),
    /// Our decision to swap colours.
    Swap,
    /// Our decision in an opening procedure.
    Answer(Answer),
    /// The points that black must not play.
    Forbidden(Vec<Point>),
    /// The verdict on a stone: a word, and the rows that it would complete.
    Judgement {
        /// The point.
        at: Point,
        /// `PLAIN`, `FIVE`, or `FOUL` with its name.
        what: String,
        /// The rows that win or make the foul.
        rows: Vec<Vec<Point>>,
    },
    /// The points where a stone of a side would make a threat, by the threat.
    Threats(Color, Vec<(PointClass, Vec<Point>)>),
    /// A part of a proof, or the result of the solver. Large answers are boxed, because every waiting
    /// response takes the room of the largest kind.
    Proof(Box<ProofResponse>),
    /// A judged move, or the end of a review.
    Review(Box<ReviewResponse>),
    /// The state of the game.
    State(Box<StateResponse>),
    /// The decision that is due in an opening procedure.
    Due {
        /// The person who makes the decision; after the procedure, the person to move.
        person: Person,
        /// The colour that this person has so far.
        color: Color,
        /// The decision; `None` after the procedure.
        decision: Option<Decision>,
        /// The fifth moves to choose from.
        offered: Vec<Point>,
    },
    /// Name and version of the engine.
    About,
    /// A line for boards that draw an analysis.
    Info(String),
    /// A response of the database.
    Database(DatabaseResponse),
    /// A `MESSAGE`: a line for people, or one that boards read, such as `REALTIME`, `INFO MAX_THREAD_NUM` and
    /// `DRAW`. At most [`TEXT_LIMIT`] characters are written.
    Message(String),
    /// The command cannot be executed; nothing has changed.
    Error(String),
    /// The command is unknown.
    Unknown(String),
}

impl Response {
    /// The response for one of our moves; choices count from 1, and choice 1 is not written.
    pub fn of_move(mv: Move) -> Response {
        match mv.choice {
            0 => Response::Move(mv.point),
            choice => Response::Choice(mv.point, u32::from(choice) + 1),
        }
    }

    /// The response to a command that cannot be executed.
    pub fn error(reason: impl fmt::Display) -> Response {
        Response::Error(reason.to_string())
    }

    /// The line for an iteration of the search.
    pub fn iteration(iteration: &Iteration, names: PointNames) -> Response {
        Response::Message(Response::text_of(iteration, names))
    }

    /// The line for the best move number `rank`, from 1.
    pub fn line(rank: usize, iteration: &Iteration, names: PointNames) -> Response {
        Response::Message(format!("({rank}) {}", Response::text_of(iteration, names)))
    }

    fn text_of(iteration: &Iteration, names: PointNames) -> String {
        format!(
            "depth {}-{} value {} nodes {} nps {} time {} pv {}",
            iteration.depth,
            iteration.selective_depth,
            score::format(iteration.value),
            iteration.nodes,
            iteration.nodes_per_second(),
            iteration.elapsed.as_millis(),
            names.moves(&iteration.pv[..iteration.pv.len().min(PV_SHOWN)]),
        )
    }

    /// The limits that GUIs may set, in the form that Yixin-Board expects: the maximum number of threads, and
    /// the binary logarithm of the largest table size in KB.
    pub fn abilities() -> [Response; 2] {
        let texts = [
            format!("INFO MAX_THREAD_NUM {}", super::parser::MAX_THREADS),
            format!("INFO MAX_HASH_SIZE {MAX_HASH_LOG_KB}"),
        ];
        texts.map(Response::Message)
    }

    /// The line with which boards follow the search move by move.
    pub fn realtime(mark: RealtimeMark) -> Response {
        let (word, point) = match mark {
            RealtimeMark::Refresh => return Response::Message("REALTIME REFRESH".to_owned()),
            RealtimeMark::Enter(point) => ("POS", point),
            RealtimeMark::Leave(point) => ("DONE", point),
            RealtimeMark::Best(point) => ("BEST", point),
            RealtimeMark::Lost(point) => ("LOST", point),
        };
        Response::Message(format!("REALTIME {word} {}", format_coordinates(point)))
    }

    /// The lines from which boards draw one of the `count` best moves; the best has number 0. `win_rate` is
    /// from 0 to 1.
    pub fn pv_line(number: usize, count: usize, line: &Iteration, win_rate: f32) -> Vec<Response> {
        let texts = [
            format!("PV {number}"),
            format!("NUMPV {count}"),
            format!("DEPTH {}", line.depth),
            format!("SELDEPTH {}", line.selective_depth),
            format!("NODES {}", line.nodes),
            format!("TOTALNODES {}", line.nodes),
            format!("TOTALTIME {}", line.elapsed.as_millis()),
            format!("SPEED {}", line.nodes_per_second()),
            format!("EVAL {}", score::format(line.value)),
            format!("WINRATE {win_rate:.4}"),
            format!("BESTLINE {}", Points(&line.pv[..line.pv.len().min(PV_SHOWN)])),
            "PV DONE".to_owned(),
        ];
        texts.into_iter().map(Response::Info).collect()
    }

    /// Whether the response reports that a command was not executed.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Response::Error(_) | Response::Unknown(_))
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut free_text = |word: &str, text: &str| write!(f, "{word} {}", one_line(text, TEXT_LIMIT));
        match self {
            // No foreign text, and boards read all of it.
            Response::Info(text) => write!(f, "INFO {}", one_line(text, usize::MAX)),
            Response::Database(response) => response.fmt(f),
            Response::Message(text) => free_text("MESSAGE", text),
            Response::Error(text) => free_text("ERROR", text),
            Response::Unknown(text) => free_text("UNKNOWN", text),
            Response::Ok => f.write_str("OK"),
            Response::Swap => f.write_str("SWAP"),
            Response::Answer(answer) => answer.fmt(f),
            Response::Move(point) => f.write_str(&format_coordinates(*point)),
            Response::Choice(point, number) => write!(f, "{},{number}", format_coordinates(*point)),
            Response::Moves(points) => write!(f, "{}", Points(points)),
            Response::Forbidden(points) => {
                f.write_str("FORBID ")?;
                points.iter().try_for_each(|p| write!(f, "{:02}{:02}", p.x(), p.y()))?;
                f.write_str(".")
            }
            Response::Judgement { at, what, rows } => {
                write!(f, "JUDGE {} {what}", format_coordinates(*at))?;
                let row = |row: &Vec<Point>| format!(" {}", Points(row));
                f.write_str(&rows.iter().map(row).collect::<Vec<_>>().join(";"))
            }
            Response::Threats(color, threats) => board_response::write_threats(f, *color, threats),
            Response::Proof(response) => response.fmt(f),
            Response::Review(response) => response.fmt(f),
            Response::State(response) => response.fmt(f),
            Response::Due { person, color, decision, offered } => {
                board_response::write_due(f, *person, *color, *decision, offered)
            }
            Response::About => write!(
                f,
                r#"name="Kakugo", version="{}", author="{}", country="International""#,
                env!("CARGO_PKG_VERSION"),
                env!("CARGO_PKG_AUTHORS"),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::Size;

    #[test]
    fn lines_have_the_form_of_the_protocol() {
        let (a, b) = (Point::new(7, 7), Point::new(11, 3));
        for (response, line) in [
            (Response::Ok, "OK"),
            (Response::Swap, "SWAP"),
            (Response::Move(b), "11,3"),
            (Response::Choice(b, 2), "11,3,2"),
            (Response::Moves(vec![a, b]), "7,7 11,3"),
            (Response::Forbidden(vec![a, b]), "FORBID 07071103."),
            (
                Response::Judgement { at: a, what: "FIVE".to_owned(), rows: vec![vec![a, b], vec![b]] },
                "JUDGE 7,7 FIVE 7,7 11,3; 11,3",
            ),
            (Response::Answer(Answer::StonesAndCount(vec![a], 3)), "7,7 FIFTHS 3"),
            (Response::Forbidden(vec![]), "FORBID ."),
            (Response::Unknown("command 'A'".to_owned()), "UNKNOWN command 'A'"),
            (Response::error("a\r\nb"), "ERROR a\\r\\nb"),
            (Response::realtime(RealtimeMark::Best(b)), "MESSAGE REALTIME BEST 11,3"),
            (Response::realtime(RealtimeMark::Lost(a)), "MESSAGE REALTIME LOST 7,7"),
            (Response::realtime(RealtimeMark::Refresh), "MESSAGE REALTIME REFRESH"),
        ] {
            assert_eq!(response.to_string(), line);
        }
        let about = Response::About.to_string();
        assert!(about.starts_with(r#"name="Kakugo", version=""#), "{about}");
    }

    #[test]
    fn the_limits_of_what_boards_may_set_are_those_of_the_protocol_page() {
        let lines = Response::abilities().map(|response| response.to_string());
        assert_eq!(lines, ["MESSAGE INFO MAX_THREAD_NUM 256", "MESSAGE INFO MAX_HASH_SIZE 26"]);
    }

    #[test]
    fn points_have_the_names_of_the_board() {
        // Two columns right of the upper left corner, and one row down.
        let points = [Point::new(2, 1)];
        let size = Size::new(20, 15).unwrap();
        assert_eq!(PointNames::new(size, false).moves(&points), "c14");
        // The first number is the row: two rows down, one column right, of 20 rows and 15 columns.
        assert_eq!(PointNames::new(size, true).moves(&points), "b18");
    }

    #[test]
    fn a_line_is_drawn_from_twelve() {
        let mate = Iteration { value: score::mate_in(5), ..iteration() };
        let lines: Vec<String> =
            Response::pv_line(1, 3, &mate, 1.0).iter().map(Response::to_string).collect();
        let expected = "INFO PV 1\nINFO NUMPV 3\nINFO DEPTH 12\nINFO SELDEPTH 23\nINFO NODES 1000000\n\
                        INFO TOTALNODES 1000000\nINFO TOTALTIME 1000\nINFO SPEED 1000000\nINFO EVAL +M5\n\
                        INFO WINRATE 1.0000\nINFO BESTLINE 7,7 8,6\nINFO PV DONE";
        assert_eq!(lines.join("\n"), expected);
    }

    #[test]
    fn a_long_line_is_drawn_to_a_whole_point() {
        let long = Iteration { pv: vec![Point::new(14, 14); 200], ..iteration() };
        let lines: Vec<String> =
            Response::pv_line(0, 1, &long, 0.5).iter().map(Response::to_string).collect();
        let best_line = lines.iter().find_map(|line| line.strip_prefix("INFO BESTLINE ")).expect("a line");
        assert_eq!(best_line.split(' ').filter(|&point| point == "14,14").count(), PV_SHOWN, "{best_line}");
        assert!(best_line.ends_with(" 14,14"), "{best_line}");
    }

    fn iteration() -> Iteration {
        Iteration {
            depth: 12,
            selective_depth: 23,
            value: 85,
            nodes: 1_000_000,
            elapsed: Duration::from_millis(1000),
            pv: vec![Point::new(7, 7), Point::new(8, 6)],
        }
    }

    #[test]
    fn an_iteration_is_one_message() {
        assert_eq!(
            Response::iteration(&iteration(), PointNames::new(Size::default(), false)).to_string(),
            "MESSAGE depth 12-23 value 85 nodes 1000000 nps 1000000 time 1000 pv h8i9"
        );
    }
}
