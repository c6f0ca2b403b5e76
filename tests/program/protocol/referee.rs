//! Tracks which points are empty from the commands alone: an independent, simple reading of the protocol.

use std::collections::HashSet;

type Point = (i32, i32);

/// The board from the manager's point of view.
#[derive(Default)]
pub struct Referee {
    size: Option<(i32, i32)>,
    taken: HashSet<Point>,
    /// `taken` before the last command.
    before: HashSet<Point>,
    /// The points of an open block; `None` after an invalid line.
    block: Option<Option<Vec<Point>>>,
    /// The next answer is an analysis: nothing is played.
    is_opinion: bool,
}

impl Referee {
    /// Follows a line to the engine. Stones that cannot be placed change nothing.
    pub fn hear(&mut self, line: &str) {
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let between = if word.eq_ignore_ascii_case("START") { ' ' } else { ',' };
        let numbers: Option<Vec<i32>> = rest.split(between).map(|n| n.trim().parse().ok()).collect();
        let numbers = numbers.unwrap_or_default();
        if !word.eq_ignore_ascii_case("INFO") {
            self.before.clone_from(&self.taken);
        }
        if ["TURN", "BEGIN", "DONE", "YXNBEST", "YXBALANCEONE", "YXBALANCETWO"]
            .contains(&word.to_ascii_uppercase().as_str())
        {
            self.is_opinion = word.to_ascii_uppercase().starts_with("YX");
        }
        match (word.to_ascii_uppercase().as_str(), numbers.as_slice()) {
            ("START", &[side]) => self.new_game(side, side),
            // Rows before columns.
            ("START", &[width, height]) => self.new_game(height, width),
            ("RECTSTART", &[width, height]) => self.new_game(width, height),
            ("RESTART", _) => {
                self.taken.clear();
                self.block = None;
            }
            ("TURN" | "PLAY", &[x, y]) => {
                self.block = None;
                if self.on_board((x, y)) {
                    self.taken.insert((x, y));
                }
            }
            ("TAKEBACK", &[x, y]) => {
                self.block = None;
                self.taken.remove(&(x, y));
            }
            ("BEGIN" | "YXNBEST" | "YXBALANCEONE" | "YXBALANCETWO" | "PROCEDURE", _) => self.block = None,
            ("BOARD" | "YXBOARD" | "SWAP2BOARD", _) => self.block = Some(Some(Vec::new())),
            ("DONE", _) => {
                if let Some(Some(points)) = self.block.take() {
                    self.taken = points.into_iter().collect();
                }
            }
            (
                "" | "INFO" | "ABOUT" | "END" | "STOP" | "YXSTOP" | "YXSHOWFORBID" | "YXJUDGE" | "YXSHOWINFO"
                | "YXHASHCLEAR",
                _,
            ) => {}
            _ => self.stone(line),
        }
    }

    fn new_game(&mut self, width: i32, height: i32) {
        if (5..=22).contains(&width) && (5..=22).contains(&height) {
            *self = Referee { size: Some((width, height)), ..Referee::default() };
        }
    }

    fn stone(&mut self, line: &str) {
        let numbers: Option<Vec<i32>> = line.split(',').map(|n| n.trim().parse().ok()).collect();
        let point = match numbers.as_deref() {
            Some(&[x, y] | &[x, y, 1..=3]) if self.on_board((x, y)) => Some((x, y)),
            _ => None,
        };
        if let Some(block) = &mut self.block {
            match (block.as_mut(), point) {
                (Some(points), Some(point)) if !points.contains(&point) => points.push(point),
                _ => *block = None,
            }
        }
    }

    /// Follows an answer of the engine: a rejected command has changed nothing.
    pub fn hear_answer(&mut self, line: &str) {
        let about_another = line.starts_with("ERROR INFO") || line.ends_with("without DONE is discarded");
        if line.starts_with("ERROR") && !about_another {
            self.taken.clone_from(&self.before);
        }
    }

    fn on_board(&self, (x, y): Point) -> bool {
        self.size.is_some_and(|(width, height)| (0..width).contains(&x) && (0..height).contains(&y))
    }

    /// Adds a stone that the engine places or proposes; returns whether that is legal.
    pub fn accepts(&mut self, point: Point) -> bool {
        let is_free = self.on_board(point) && !self.taken.contains(&point);
        if is_free && !self.is_opinion {
            self.taken.insert(point);
        }
        is_free
    }
}
