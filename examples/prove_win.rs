//! Proves a win by threats and replays its main line: `cargo run --release --example prove_win`.

use std::error::Error;

use kakugo::board::notation::{format_moves, parse_fen};
use kakugo::rules::{Position, Rule, RuleKind};
use kakugo::threat::{SolverLimits, SolverResult, VctSolver};

fn main() -> Result<(), Box<dyn Error>> {
    // Black is to move: X is black, O white, rows from the top.
    let board = parse_fen("15/8O2X3/4X1OX7/7X2O4/7OX2O3/6XXO1X4/5O1OOX1O3/7XXO5/15/15/15/15/15/15/15 b")?;
    let size = board.size();
    let mut position = Position::new(board, Rule::from(RuleKind::Renju));

    let mut solver = VctSolver::new(16 << 20);
    let limits = SolverLimits { max_nodes: Some(200_000), ..SolverLimits::default() };
    let (result, is_shortest) = solver.solve_shortest(&mut position, &limits);
    match result {
        SolverResult::Win { moves, .. } => {
            let proof =
                solver.prove(&mut position, moves, &limits).ok_or("the tables have lost the proof")?;
            let certainty = if is_shortest { "the shortest win" } else { "a win" };
            println!("{certainty}: {moves} moves, proven in {} steps", proof.steps.len());
            println!("{}", format_moves(&proof.main_line(), size));
        }
        SolverResult::None => println!("no win by threats"),
        SolverResult::Unknown => println!("undecided after {} nodes", solver.nodes()),
    }
    Ok(())
}
