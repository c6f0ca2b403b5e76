//! Reports that `solve` prints.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::tree::proof_tree;
use crate::board::notation::format_point;
use crate::board::{Board, Cell, Color, Point, Size};
use crate::drawing::{Drawing, Look, Mark, Tone, names};
use crate::rules::Rule;
use crate::terminal::text::counted;
use crate::threat::{Proof, ProofStep, SolverResult};

/// A finished search. The side to move on the board attacks.
pub struct Report<'a> {
    pub board: &'a Board,
    pub rule: Rule,
    /// Kind of moves in the win.
    pub by: &'static str,
    /// Maximum number of moves in the win, if it was limited.
    pub max_moves: Option<u16>,
    pub answer: SolverResult,
    /// Whether no win of this kind is shorter.
    pub shortest: bool,
    pub proof: Option<Proof>,
    /// First moves that were refuted, or that do not win within `max_moves`.
    pub tried: Vec<Point>,
    pub nodes: u64,
    pub time: Duration,
}

#[derive(Serialize)]
struct JsonReport {
    rule: String,
    attacker: String,
    by: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_moves: Option<u16>,
    answer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest: Option<bool>,
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<JsonProof>,
    tried: Vec<String>,
    nodes: u64,
    time_ms: f64,
}

#[derive(Serialize)]
struct JsonProof {
    root: usize,
    steps: Vec<JsonStep>,
}

#[derive(Serialize)]
struct JsonStep {
    attack: String,
    replies: BTreeMap<String, usize>,
    otherwise: Vec<usize>,
}

impl JsonProof {
    fn new(proof: &Proof, size: Size) -> JsonProof {
        let name = |point: Point| format_point(point, size);
        let step = |step: &ProofStep| JsonStep {
            attack: name(step.attack),
            replies: step.replies.iter().map(|&(reply, next)| (name(reply), next)).collect(),
            otherwise: step.otherwise.clone(),
        };
        JsonProof { root: proof.root, steps: proof.steps.iter().map(step).collect() }
    }
}

/// A proof as JSON. Replies and `otherwise` name places in `steps`.
pub fn proof_json(proof: &Proof, size: Size) -> serde_json::Value {
    serde_json::to_value(JsonProof::new(proof, size)).expect("a proof has only plain values")
}

/// The name of an answer in JSON.
fn answer_name(answer: SolverResult) -> &'static str {
    match answer {
        SolverResult::Win { .. } => "win",
        SolverResult::None => "none",
        SolverResult::Unknown => "unknown",
    }
}

impl Report<'_> {
    /// One line of JSON. Replies and `otherwise` are indices into `steps`.
    pub fn json(&self) -> String {
        let size = self.board.size();
        let name = |point: Point| format_point(point, size);
        let moves = match self.answer {
            SolverResult::Win { moves, .. } => Some(moves),
            SolverResult::None | SolverResult::Unknown => None,
        };
        let proof = self.proof.as_ref().map(|proof| JsonProof::new(proof, size));
        let report = JsonReport {
            rule: self.rule.to_string(),
            attacker: self.board.side_to_move().to_string(),
            by: self.by,
            max_moves: self.max_moves,
            answer: answer_name(self.answer),
            moves,
            shortest: moves.map(|_| self.shortest),
            line: self.proof.iter().flat_map(Proof::main_line).map(name).collect(),
            proof,
            tried: self.tried.iter().copied().map(name).collect(),
            nodes: self.nodes,
            time_ms: self.time.as_secs_f64() * 1e3,
        };
        serde_json::to_string(&report).expect("a report has only plain values") + "\n"
    }

    /// The board with the numbered moves of the main line, the verdict, the line, and the tree if requested.
    pub fn text(&self, look: Look, tree: bool) -> String {
        let size = self.board.size();
        let attacker = self.board.side_to_move();
        let line = self.proof.as_ref().map(Proof::main_line).unwrap_or_default();
        let mut text = numbered(self.board, &line, look);
        let verdict = match self.answer {
            SolverResult::Win { moves, .. } => {
                let shortest = if self.shortest { ", and not in fewer" } else { "" };
                format!("{attacker} wins by {} in {}{shortest}", self.by, counted(moves, "move"))
            }
            SolverResult::None => format!("{attacker} has no win by {}{}", self.by, within(self.max_moves)),
            SolverResult::Unknown => format!("no answer within the limits: a win by {} is possible", self.by),
        };
        text += &format!("\n{}\n", look.strong(&format!("{}: {verdict}", self.rule)));
        if !line.is_empty() {
            text += &format!("  {}\n", numbered_moves(&line, size));
        } else if let SolverResult::Win { first, .. } = self.answer {
            text += &format!("  {} (the rest of the proof was not completed)\n", format_point(first, size));
        }
        if self.answer == SolverResult::None {
            let tried =
                if self.tried.is_empty() { "nothing to try".to_owned() } else { names(&self.tried, size) };
            // A move that does not win within the limit may lead to a longer win.
            let heading = if self.max_moves.is_some() { "tried" } else { "refuted" };
            text += &format!("  {heading}: {tried}\n");
        }
        if let (Some(proof), true) = (&self.proof, tree) {
            text += &proof_tree(proof, size);
        }
        text + &format!("  {}\n", effort(self.nodes, self.time))
    }
}

/// The limit on the number of moves, after the name of a win.
pub fn within(max_moves: Option<u16>) -> String {
    match max_moves {
        Some(1) => " in 1 move".to_owned(),
        Some(most) => format!(" in at most {most} moves"),
        None => String::new(),
    }
}

fn effort(nodes: u64, time: Duration) -> String {
    format!("{}, {:.3} s", counted(nodes, "node"), time.as_secs_f64())
}

/// `1. h8 h9 2. i8 ...`: a number for each pair.
fn numbered_moves(line: &[Point], size: Size) -> String {
    let pairs = line.chunks(2).enumerate();
    pairs.map(|(i, pair)| format!("{}. {}", i + 1, names(pair, size))).collect::<Vec<_>>().join("  ")
}

/// The board with the numbered moves of `line`; the attacker's moves are odd.
fn numbered(board: &Board, line: &[Point], look: Look) -> String {
    let size = board.size();
    let width = if line.len() > 99 { 4 } else { 3 };
    let mut text = String::new();
    for y in 0..size.height() {
        text += &format!("{:>3} ", size.height() - y);
        for x in 0..size.width() {
            let point = Point::new(x, y);
            let shown = match line.iter().position(|&played| played == point) {
                Some(i) => (i + 1).to_string(),
                None => match board.cell(point) {
                    Cell::Black => look.stone(Color::Black).to_owned(),
                    Cell::White => look.stone(Color::White).to_owned(),
                    Cell::Wall => "#".to_owned(),
                    Cell::Empty => if look.ascii { "." } else { "·" }.to_owned(),
                },
            };
            text += &format!("{shown:>width$}");
        }
        text.push('\n');
    }
    let letters = (0..size.width()).map(|x| format!("{:>width$}", char::from(b'a' + x)));
    text + "    " + &letters.collect::<String>() + "\n"
}

/// The fields do not depend on the answer. They include the fields that every [`JsonReport`] has.
#[derive(Serialize)]
struct JsonDefenses {
    rule: String,
    attacker: String,
    by: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_moves: Option<u16>,
    threat: &'static str,
    answer: &'static str,
    holding: Vec<String>,
    open: Vec<String>,
    refuted: BTreeMap<String, Vec<String>>,
    line: [String; 0],
    tried: Vec<String>,
    nodes: u64,
    time_ms: f64,
}

/// The moves against the threat of the side to move; none without a threat, where every move holds.
pub struct DefenseReport<'a> {
    /// The position.
    pub board: &'a Board,
    /// Its rule.
    pub rule: Rule,
    /// Kind of moves in the wins.
    pub by: &'static str,
    /// Maximum number of moves in the wins that were searched, if it was limited.
    pub max_moves: Option<u16>,
    /// Whether there is a threat.
    pub threat: SolverResult,
    /// First moves that are no threat.
    pub tried: Vec<Point>,
    /// The moves that hold.
    pub holding: Vec<Point>,
    /// The moves with an unknown result.
    pub open: Vec<Point>,
    /// The moves that lose, each with a list that begins with the attacker's winning move.
    pub refuted: Vec<(Point, Vec<Point>)>,
    /// Number of nodes of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

impl DefenseReport<'_> {
    /// One line of JSON.
    pub fn json(&self) -> String {
        let name = |point: Point| format_point(point, self.board.size());
        let names = |points: &[Point]| points.iter().copied().map(name).collect::<Vec<String>>();
        let threat = answer_name(self.threat);
        let report = JsonDefenses {
            rule: self.rule.to_string(),
            attacker: self.board.side_to_move().to_string(),
            by: self.by,
            max_moves: self.max_moves,
            threat,
            answer: threat,
            holding: names(&self.holding),
            open: names(&self.open),
            refuted: self.refuted.iter().map(|(point, line)| (name(*point), names(line))).collect(),
            line: [],
            tried: names(&self.tried),
            nodes: self.nodes,
            time_ms: self.time.as_secs_f64() * 1e3,
        };
        serde_json::to_string(&report).expect("a report has only plain values") + "\n"
    }

    /// The board with the moves marked, and their names.
    pub fn text(&self, look: Look) -> String {
        let (board, size) = (self.board, self.board.size());
        let mark = |glyph, tone| move |&point: &Point| Mark { point, glyph, tone };
        let marks = self.holding.iter().map(mark('*', Tone::Good));
        let marks: Vec<Mark> = marks.chain(self.open.iter().map(mark('?', Tone::Bad))).collect();
        let mut text = Drawing::new(board, look).with_marks(&marks).to_string();
        let against = self.max_moves.map(|_| format!(" against a win{}", within(self.max_moves)));
        let hold = if self.holding.len() == 1 { "holds" } else { "hold" };
        let unknown = match self.open.len() {
            0 => String::new(),
            1 => ", 1 is unknown".to_owned(),
            count => format!(", {count} are unknown"),
        };
        let title = format!(
            "{} threatens to win; {} {hold}{}{unknown}",
            board.side_to_move(),
            counted(self.holding.len(), "move"),
            against.unwrap_or_default()
        );
        text += &format!("\n{}\n", look.strong(&title));
        if !self.holding.is_empty() {
            text += &format!("  hold (*): {}\n", names(&self.holding, size));
        }
        if !self.open.is_empty() {
            text += &format!("  unknown within the limits (?): {}\n", names(&self.open, size));
        }
        text + &format!("  {}\n", effort(self.nodes, self.time))
    }
}
