//! Opening procedures as text: their steps, and diagrams of the 26 renju openings.

use crate::board::{Board, Point, Size};
use crate::rules::procedure::{Answer, Decision, Negotiation, OPENINGS, Opening, Procedure};

/// The text of an opening procedure, one line per step, with the player, the decision and the area for
/// stones.
pub fn in_words(procedure: Procedure) -> Vec<String> {
    let mut lines = vec![format!("{procedure}: {}.", procedure.summary())];
    let steps = steps(procedure);
    lines.extend(steps.iter().enumerate().map(|(index, step)| format!("{:>3}. {step}", index + 1)));
    lines.push(
        "The first person begins with black; a swap exchanges the colours of the two persons.".to_owned(),
    );
    if procedure.is_of_renju() {
        lines.push(
            "Two fifths are the same if a rotation or reflection that keeps the stones maps one to the other."
                .to_owned(),
        );
    }
    let rule = procedure.usual_rule();
    lines.push(format!("Then the game continues with a rule, by default {}.", rule.name()));
    if procedure.is_of_renju() {
        lines.push(
            "\nThe 26 openings, given by the first three stones, each in one of its orientations:\n"
                .to_owned(),
        );
        lines.push(openings_chart());
    }
    lines
}

/// The decisions of a procedure on 15x15 if nobody swaps and every offer is accepted.
fn steps(procedure: Procedure) -> Vec<String> {
    let mut negotiation = Negotiation::new(procedure, Size::default()).expect("15x15 fits every procedure");
    let mut steps = Vec::new();
    while let Some(decision) = negotiation.decision() {
        let (who, color) = (negotiation.decider(), negotiation.side_to_move());
        let step = match decision {
            Decision::Opening
            | Decision::OpeningAndCount { .. }
            | Decision::ThreeStones
            | Decision::Swap
            | Decision::SwapOrTwoStones => format!("{who}: {decision}"),
            Decision::Fifths(_) if negotiation.fifths_said().is_some() => {
                format!("{who}, with {color}: offer this number of fifths, no two of them symmetric")
            }
            _ => format!(
                "{who}, with {}: {decision}",
                if decision == Decision::Choice { !color } else { color }
            ),
        };
        steps.push(step);
        follow(&mut negotiation, decision);
    }
    steps
}

/// Answers a decision with the first possible stones.
fn follow(negotiation: &mut Negotiation, decision: Decision) {
    let board = negotiation.board();
    let opening = || OPENINGS[3].stones(board.size()).expect("15x15 has room").to_vec();
    let free = free_points(&board);
    let answers: Vec<Answer> = match decision {
        Decision::Opening => vec![Answer::Stones(opening())],
        Decision::OpeningAndCount { .. } => vec![Answer::StonesAndCount(opening(), 2)],
        Decision::ThreeStones => vec![Answer::Stones(free[..3].to_vec())],
        Decision::Stone(_) => free.iter().map(|&point| Answer::Stones(vec![point])).collect(),
        Decision::StoneAndCount { .. } => vec![Answer::StonesAndCount(free[..1].to_vec(), 2)],
        Decision::Swap => vec![Answer::Stay],
        Decision::SwapOrTwoStones => vec![Answer::Stones(free[..2].to_vec())],
        Decision::SwapOrFifths { count, .. } | Decision::Fifths(count) => {
            (0..free.len() - count).map(|first| Answer::Offer(free[first..first + count].to_vec())).collect()
        }
        Decision::Choice => vec![Answer::Choose(negotiation.offered()[0])],
    };
    let taken = answers.iter().any(|answer| negotiation.answer(answer).is_ok());
    assert!(taken, "{decision:?} has an answer");
}

fn free_points(board: &Board) -> Vec<Point> {
    let center = board.size().center();
    let distance = |point: &Point| center.x().abs_diff(point.x()).max(center.y().abs_diff(point.y()));
    let mut free: Vec<Point> = board.empty().iter().collect();
    free.sort_by_key(distance);
    free
}

/// The openings as two diagrams, direct and indirect, with a number for black's second stone, and their
/// names.
pub fn openings_chart() -> String {
    let (direct, indirect) = OPENINGS.split_at(OPENINGS.len() / 2);
    let [direct_rows, indirect_rows] = [direct, indirect].map(diagram);
    let mut text = format!("  {:<22}{}\n", "direct (1D to 13D)", "indirect (1I to 13I)");
    for (left, right) in direct_rows.iter().zip(&indirect_rows) {
        text += &format!("  {left:<22}{right}\n");
    }
    text += "\n";
    for (left, right) in direct.iter().zip(indirect) {
        let [left, right] = [left, right].map(|opening| format!("{:<4}{}", opening.code, opening.name));
        text += &format!("  {left:<22}{right}\n");
    }
    text
}

/// The central 5x5 with black at the centre, white next to it, and the number of each opening on its third
/// stone.
fn diagram(openings: &[Opening]) -> [String; 5] {
    let size = Size::square(5).expect("a board");
    let mut cells = [[" ."; 5]; 5].map(|row| row.map(str::to_owned));
    for (index, opening) in openings.iter().enumerate() {
        let [black, white, third] = opening.stones(size).expect("openings lie within 5x5");
        for (point, glyph) in [(black, " X"), (white, " O"), (third, &format!("{:>2}", index + 1))] {
            cells[usize::from(point.y())][usize::from(point.x())] = glyph.to_owned();
        }
    }
    cells.map(|row| row.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chart_shows_every_opening() {
        let chart = openings_chart();
        let board: Vec<&str> = chart.lines().take(6).collect();
        assert_eq!(
            board,
            [
                "  direct (1D to 13D)    indirect (1I to 13I)",
                "   .  .  1  2  3         .  .  .  .  1",
                "   .  .  O  4  5         .  .  .  O  2",
                "   .  .  X  6  7         .  .  X  6  3",
                "   .  .  8  9 10         . 11  9  7  4",
                "   .  . 11 12 13        13 12 10  8  5",
            ]
        );
        for opening in OPENINGS {
            assert!(chart.contains(&format!("{:<4}{}", opening.code, opening.name)), "{chart}");
        }
    }

    #[test]
    fn every_procedure_states_where_stones_go() {
        for procedure in Procedure::ALL {
            assert!(in_words(procedure).len() >= 5, "{procedure}");
        }
        let text = in_words(Procedure::Taraguchi10).join("\n");
        for area in ["at the centre", "within the central 3x3", "5x5", "7x7", "9x9", "offer 10 fifths"] {
            assert!(text.contains(area), "{area}: {text}");
        }
        assert!(in_words(Procedure::Rif).join("\n").contains("4D  Kagetsu"));
        assert!(!in_words(Procedure::Swap2).join("\n").contains("Kagetsu"));
    }
}
