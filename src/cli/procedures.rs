//! Opening procedures as text: their steps, and diagrams of the 26 renju openings.

use crate::board::{Board, Point, Size};
use crate::rules::procedure::{Answer, Decision, Negotiation, OPENINGS, Opening, Procedure};

/// The text of an opening procedure, one line per step, with the player, the decision and the area for
/// stones.
pub fn in_words(procedure: Procedure) -> Vec<String> {
    let mut lines = vec![format!("{procedure}: {}.", procedure.summary())];
    lines.extend(steps(procedure));
    lines.push(
        "The first person begins with black; a swap exchanges the colours of the two persons.".to_owned(),
    );
    if procedure.is_of_renju() {
        lines.push(
            "Two fifths are equivalent if a rotation or reflection that maps the stones to themselves maps \
             one fifth to the other."
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

/// The decisions of a procedure on 15x15. If the later ones depend on an answer, each case has its own list.
fn steps(procedure: Procedure) -> Vec<String> {
    let negotiation = Negotiation::new(procedure, Size::default()).expect("15x15 fits every procedure");
    let mut lines = Vec::new();
    add_steps(&negotiation, 1, &mut lines);
    lines
}

/// Adds the decisions that remain, from `number` on.
fn add_steps(negotiation: &Negotiation, number: usize, lines: &mut Vec<String>) {
    let Some(decision) = negotiation.decision() else { return };
    lines.push(format!("{number:>3}. {}", step(negotiation, decision)));
    for (case, answers) in cases(negotiation, decision) {
        let mut next = negotiation.clone();
        let taken = answers.iter().any(|answer| next.answer(answer).is_ok());
        assert!(taken, "{decision:?} has an answer");
        lines.extend(case.map(|case| format!("     after {case}:")));
        add_steps(&next, number + 1, lines);
    }
}

fn step(negotiation: &Negotiation, decision: Decision) -> String {
    let (who, color) = (negotiation.decider(), negotiation.side_to_move());
    match decision {
        Decision::Opening
        | Decision::OpeningAndCount { .. }
        | Decision::ThreeStones
        | Decision::Swap
        | Decision::SwapOrTwoStones => format!("{who}: {decision}"),
        Decision::Fifths(_) if negotiation.fifths_said().is_some() => {
            format!("{who}, with {color}: offer this number of fifths, no two of them symmetric")
        }
        Decision::Choice => format!("{who}, with {}: {decision}", !color),
        _ => format!("{who}, with {color}: {decision}"),
    }
}

/// A kind of answer, if the decisions after it depend on the kind, with answers of which at least one is legal.
type Case = (Option<&'static str>, Vec<Answer>);

/// Answers to a decision, with the first possible stones; nobody swaps where it changes only the persons.
fn cases(negotiation: &Negotiation, decision: Decision) -> Vec<Case> {
    let board = negotiation.board();
    let opening = || OPENINGS[3].stones(board.size()).expect("15x15 has room").to_vec();
    let free = free_points(&board);
    let one_stone = || free.iter().map(|&point| Answer::Stones(vec![point])).collect();
    let offers =
        |count| (0..free.len() - count).map(|first| Answer::Offer(free[first..][..count].to_vec())).collect();
    let answers: Vec<Answer> = match decision {
        Decision::Opening => vec![Answer::Stones(opening())],
        Decision::OpeningAndCount { .. } => vec![Answer::StonesAndCount(opening(), 2)],
        Decision::ThreeStones => vec![Answer::Stones(free[..3].to_vec())],
        Decision::Stone(_) => one_stone(),
        Decision::StoneAndCount { .. } => vec![Answer::StonesAndCount(free[..1].to_vec(), 2)],
        Decision::Swap => vec![Answer::Stay],
        // Any other answer ends the procedure.
        Decision::SwapOrTwoStones => {
            return vec![(Some("two stones"), vec![Answer::Stones(free[..2].to_vec())])];
        }
        Decision::SwapOrFifths { count, .. } => {
            return vec![
                (Some("a swap"), vec![Answer::Swap]),
                (Some("the fifth stone"), one_stone()),
                (Some("an offer"), offers(count)),
            ];
        }
        Decision::Fifths(count) => offers(count),
        Decision::Choice => vec![Answer::Choose(negotiation.offered()[0])],
    };
    vec![(None, answers)]
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
        let end = "\
  8. the first person, with black: swap the colours, place the fifth stone within the central 9x9, or offer 10 fifths
     after a swap:
  9. the second person, with black: place a stone within the central 9x9
 10. the first person: swap the colours or stay
     after the fifth stone:
  9. the second person: swap the colours or stay
     after an offer:
  9. the second person, with white: choose one of the fifths offered
";
        assert!(text.contains(end), "{text}");
        let swap2 = in_words(Procedure::Swap2).join("\n");
        assert!(swap2.contains("\n     after two stones:\n  3. the first person: swap"), "{swap2}");
        assert!(in_words(Procedure::Rif).join("\n").contains("4D  Kagetsu"));
        assert!(!in_words(Procedure::Swap2).join("\n").contains("Kagetsu"));
    }
}
