//! The opening procedures: the rules sentence by sentence, the 26 openings and symmetric moves, and random
//! walks through each procedure to its end.

mod random_walks;
mod steps;
mod symmetry;

use std::collections::HashSet;

use kakugo::board::notation::parse_moves;
use kakugo::board::{Point, Size};
use kakugo::rules::procedure::{Answer, AnswerRefusal, Negotiation, Procedure};

fn size() -> Size {
    Size::default()
}

fn points(text: &str) -> Vec<Point> {
    parse_moves(text, size()).expect("points of the board")
}

fn begin(procedure: Procedure) -> Negotiation {
    Negotiation::new(procedure, size()).expect("15x15 is for every procedure")
}

/// Plays `answers`, written as in the protocol but with points like `h8`.
fn walk(procedure: Procedure, answers: &[&str]) -> Negotiation {
    let mut negotiation = begin(procedure);
    for text in answers {
        say(&mut negotiation, text).unwrap_or_else(|refusal| panic!("{procedure}: {text}: {refusal}"));
    }
    negotiation
}

fn say(negotiation: &mut Negotiation, text: &str) -> Result<(), AnswerRefusal> {
    negotiation.answer(&Answer::parse(text, size()).expect("an answer"))
}

/// The eight images of an opening on the board.
fn images(stones: &[Point]) -> HashSet<Vec<Point>> {
    let last = size().width() - 1;
    let image = |p: &Point, way: usize| {
        let (x, y) = if way & 4 == 0 { (p.x(), p.y()) } else { (p.y(), p.x()) };
        Point::new(if way & 1 == 0 { x } else { last - x }, if way & 2 == 0 { y } else { last - y })
    };
    (0..8).map(|way| stones.iter().map(|p| image(p, way)).collect()).collect()
}
