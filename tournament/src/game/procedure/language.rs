//! Requests for decisions in opening procedures: Gomocup's `SWAP2BOARD`, and `PROCEDURE` for all others.
//!
//! ```text
//! > PROCEDURE soosorv-8      the procedure,
//! > 7,7 7,6 8,5              and all previous answers in order, one per line:
//! > STAY                     points, SWAP, STAY, OFFER with points, CHOOSE with a point; FIFTHS n after points
//! > DONE
//! < 6,8 FIFTHS 3             the next answer, in the same notation
//! ```
//!
//! The previous answers determine everything: the next question, the colours and the stones.

use kakugo::board::Point;
use kakugo::board::notation::format_coordinates;
use kakugo::rules::procedure::{Answer, Decision, Negotiation, Procedure};

use crate::player::is_about_info;

/// A line that answers a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcedureLine {
    /// The answer, and the first move if white moves next and sent it as well.
    Answer(Answer, Option<(i32, i32)>),
    /// The engine does not know the command; contains its line.
    Unknown(String),
}

/// The command block that asks for the decision after `answers`.
pub fn command(negotiation: &Negotiation, answers: &[Answer]) -> String {
    let procedure = negotiation.procedure();
    let (head, lines): (String, Vec<String>) = if procedure == Procedure::Swap2 {
        let stones = negotiation.stones().iter().copied().map(format_coordinates);
        ("SWAP2BOARD".to_owned(), stones.collect())
    } else {
        (format!("PROCEDURE {procedure}"), answers.iter().map(Answer::to_string).collect())
    };
    let lines = [head].into_iter().chain(lines).chain(["DONE".to_owned()]);
    lines.collect::<Vec<_>>().join("\n")
}

/// Parses the answer to [`command`]; `None` if the line is not an answer.
pub fn read(negotiation: &Negotiation, line: &str) -> Option<ProcedureLine> {
    let word = line.split_whitespace().next()?.to_ascii_uppercase();
    // A complaint about an INFO line, for example about the seed, may come before any answer.
    if ["UNKNOWN", "ERROR"].contains(&word.as_str()) && !is_about_info(line) {
        return Some(ProcedureLine::Unknown(line.to_owned()));
    }
    if negotiation.procedure() == Procedure::Swap2 {
        return read_swap2(negotiation, line);
    }
    Some(ProcedureLine::Answer(Answer::parse(line, negotiation.size()).ok()?, None))
}

/// Parses points or `SWAP`. A player who answers with one point chooses white and plays it. After five stones
/// this is the first player, who has had black until then.
fn read_swap2(negotiation: &Negotiation, line: &str) -> Option<ProcedureLine> {
    let size = negotiation.size();
    let is_last = negotiation.decision() == Some(Decision::Swap);
    let [swap, stay] = if is_last { [Answer::Stay, Answer::Swap] } else { [Answer::Swap, Answer::Stay] };
    if line.trim().eq_ignore_ascii_case("SWAP") {
        return Some(ProcedureLine::Answer(swap, None));
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    if negotiation.stones().is_empty() || words.len() > 1 {
        let points: Option<Vec<Point>> =
            words.iter().map(|word| Answer::parse(word, size).ok()).map(one).collect();
        return Some(ProcedureLine::Answer(Answer::Stones(points?), None));
    }
    let (x, y) = line.split_once(',')?;
    Some(ProcedureLine::Answer(stay, Some((x.trim().parse().ok()?, y.trim().parse().ok()?))))
}

/// The point of an answer that has exactly one.
fn one(answer: Option<Answer>) -> Option<Point> {
    match answer {
        Some(Answer::Stones(points)) if points.len() == 1 => Some(points[0]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Size;

    fn after(procedure: Procedure, answers: &[&str]) -> (Negotiation, Vec<Answer>) {
        let size = Size::default();
        let mut negotiation = Negotiation::new(procedure, size).unwrap();
        let answers: Vec<Answer> = answers.iter().map(|text| Answer::parse(text, size).unwrap()).collect();
        answers.iter().for_each(|answer| negotiation.answer(answer).unwrap());
        (negotiation, answers)
    }

    #[test]
    fn the_question_carries_every_answer() {
        let (negotiation, answers) = after(Procedure::Soosorv8, &["h8 h9 i10", "swap", "g7 fifths 3"]);
        let expected = "PROCEDURE soosorv-8\n7,7 7,6 8,5\nSWAP\n6,8 FIFTHS 3\nDONE";
        assert_eq!(command(&negotiation, &answers), expected);
        let line = |text: &str| read(&negotiation, text);
        assert_eq!(line("swap"), Some(ProcedureLine::Answer(Answer::Swap, None)));
        assert_eq!(line("swap it"), None);
        assert_eq!(line("UNKNOWN command"), Some(ProcedureLine::Unknown("UNKNOWN command".to_owned())));
        assert_eq!(line("ERROR no"), Some(ProcedureLine::Unknown("ERROR no".to_owned())));
        assert_eq!(line("ERROR INFO: seed can't be -1"), None);
        assert_eq!(line("UNKNOWN info seed"), None, "it refers to the INFO line before the request");
        assert!(line("UNKNOWN no information on that").is_some());
    }

    #[test]
    fn swap2_is_spoken_as_gomocup_does() {
        let (begin, answers) = after(Procedure::Swap2, &[]);
        assert_eq!(command(&begin, &answers), "SWAP2BOARD\nDONE");
        let stones = |text| ProcedureLine::Answer(Answer::parse(text, Size::default()).unwrap(), None);
        assert_eq!(read(&begin, "1,1 2,2 3,3"), Some(stones("1,1 2,2 3,3")));
        let (three, answers) = after(Procedure::Swap2, &["1,1 2,2 3,3"]);
        assert_eq!(command(&three, &answers), "SWAP2BOARD\n1,1\n2,2\n3,3\nDONE");
        assert_eq!(read(&three, "SWAP"), Some(ProcedureLine::Answer(Answer::Swap, None)));
        assert_eq!(read(&three, "4,4 5,5"), Some(stones("4,4 5,5")));
        assert_eq!(read(&three, "40,-4"), Some(ProcedureLine::Answer(Answer::Stay, Some((40, -4)))));
        let (five, answers) = after(Procedure::Swap2, &["1,1 2,2 3,3", "4,4 5,5"]);
        assert_eq!(command(&five, &answers), "SWAP2BOARD\n1,1\n2,2\n3,3\n4,4\n5,5\nDONE");
        assert_eq!(read(&five, "SWAP"), Some(ProcedureLine::Answer(Answer::Stay, None)));
        assert_eq!(read(&five, "6,6"), Some(ProcedureLine::Answer(Answer::Swap, Some((6, 6)))));
        for line in ["", "OK", "4,4 5", "4;4", "1,1 2,2 STAY"] {
            assert_eq!(read(&three, line), None, "{line}");
        }
    }
}
