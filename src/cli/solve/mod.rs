//! `solve POSITION`: a forced win by fours or threats with its proof, or the defences that hold against one.

mod progress;
mod report;
mod tree;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};

use self::progress::{Progress, Stage};
pub use self::report::proof_json;
use self::report::{DefenseReport, Report};
pub use self::tree::proof_tree;
use self::tree::{proof_dot, proof_sgf};
use super::interrupt::stop_on_interrupt;
use super::position_args::PositionArgs;
use super::seconds::parse_seconds;
use super::{NO, UNKNOWN, YES};
use crate::board::{Color, Point};
use crate::drawing::Look;
use crate::rules::{Position, Verdict};
use crate::terminal::output::{self, status_line};
use crate::threat::{
    Defense, DefenseVerdict, ENDLESS, Proof, SolverLimits, SolverResult, VctSolver, judge_defenses,
};

/// Limit of the time for a proof, if the search for the win was shorter.
const LEAST_PROOF_TIME: Duration = Duration::from_secs(10);

/// Kinds of moves in a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Fours only
    Vcf,
    /// Fours, threes, and quieter moves that threaten to win by fours
    Vct,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Vcf => "fours",
            Kind::Vct => "threats",
        }
    }
}

/// Formats of a proof tree for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TreeFormat {
    /// A game with variations
    Sgf,
    /// A graph for Graphviz
    Dot,
}

/// A side on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    Black,
    White,
}

/// Arguments of `solve`.
#[derive(Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    at: PositionArgs,
    /// The attacker, which moves first [default: the side to move in the position]
    #[arg(long, visible_alias = "side", value_enum)]
    attacker: Option<Side>,
    /// Kinds of moves in the win
    #[arg(long, value_enum, default_value = "vct")]
    kind: Kind,
    /// Nodes of the whole search, also with --shortest, but not of the proof; with --defenses nodes for the threat, and
    /// again after each move [default: no limit; with --defenses 200,000 after each move]
    #[arg(long, value_name = "COUNT")]
    nodes: Option<u64>,
    /// Time of the search in seconds; the proof of a win may take as long again, or 10 seconds if that is longer
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    time: Duration,
    /// Memory for the results in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    memory: u16,
    /// Maximum number of attacking moves in the win, including the five
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..))]
    max_moves: Option<u16>,
    /// Continues until no win of this kind is shorter
    #[arg(long)]
    shortest: bool,
    /// Takes the attacker's threat as given and lists every move of the other side that holds against it
    #[arg(long, conflicts_with_all = ["tree", "shortest"])]
    defenses: bool,
    /// Prints the complete proof tree
    #[arg(long)]
    tree: bool,
    /// Prints only the proof tree, in a format for other programs
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["tree", "json", "defenses"])]
    tree_format: Option<TreeFormat>,
    /// Exits with 0 for a win, 3 for no win and 4 if it is not known (--defenses: 0 if a move holds, 3 if none does);
    /// with --max-moves a longer win is not known
    #[arg(long)]
    status: bool,
    /// Prints one line of JSON, including the proof
    #[arg(long)]
    json: bool,
    /// Draws with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// Solves the position and prints the result; returns the exit status.
///
/// # Errors
/// Returns an error if the position is invalid or the game is over, or the output cannot be written.
pub fn run(args: &SolveArgs) -> Result<u8> {
    let (mut board, rule) = args.at.read()?;
    ensure!(!board.empty().is_empty(), "the board is full");
    if let Some(side) = args.attacker {
        board.set_side_to_move(if side == Side::Black { Color::Black } else { Color::White });
    }
    let stop = stop_on_interrupt()?;
    let mut task = Task::new(args, Position::new(board, rule), stop);
    let (text, status) = if args.defenses { task.defenses() } else { task.win() };
    output::print_styled(&text)?;
    Ok(if args.status { status } else { YES })
}

/// The exit status of an answer. If the number of moves is limited, a longer win is not known.
fn status_of(answer: SolverResult, max_moves: Option<u16>) -> u8 {
    match answer {
        SolverResult::Win { .. } => YES,
        SolverResult::None if max_moves.is_none() => NO,
        SolverResult::None | SolverResult::Unknown => UNKNOWN,
    }
}

/// Nodes of the first slice of a search for threats; every further slice has twice as many. A slice begins at the
/// root, so slices by time would let the load of the machine decide what a number of nodes finds.
const SLICE_NODES: u64 = 1 << 18;
/// Number of fours in the first slice of a search for fours; every further slice has twice as many.
const SLICE_FOURS: u64 = 1 << 20;
/// Nodes after each possible defence, unless `--nodes` is given.
const DEFENSE_NODES: u64 = 200_000;

/// One run: the question, and the resources used so far.
struct Task<'a> {
    args: &'a SolveArgs,
    position: Position,
    solver: VctSolver,
    stop: Arc<AtomicBool>,
    started: Instant,
    nodes: u64,
    progress: Progress,
}

impl<'a> Task<'a> {
    fn new(args: &'a SolveArgs, position: Position, stop: Arc<AtomicBool>) -> Task<'a> {
        let solver = VctSolver::new(usize::from(args.memory) << 20);
        let started = Instant::now();
        Task { args, position, solver, stop, started, nodes: 0, progress: Progress::new(started) }
    }

    /// The rest of `--nodes`, if it is given.
    fn nodes_left(&self) -> Option<u64> {
        self.args.nodes.map(|most| most.saturating_sub(self.nodes))
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.started.elapsed() >= self.args.time
    }

    /// The win of the side to move, as text, and the exit status.
    fn win(&mut self) -> (String, u8) {
        let position = &mut self.position.clone();
        let mut answer = self.search(position, self.args.max_moves, self.nodes_left());
        let mut shortest = false;
        if self.args.shortest {
            shortest = answer != SolverResult::Unknown;
            let mut within = 1;
            while let SolverResult::Win { moves, .. } = answer
                && within + 1 < moves
            {
                within += 1;
                self.progress.stage = Stage::Shorter { found: moves, within };
                self.progress.report(self.nodes);
                match self.search(position, Some(within), self.nodes_left()) {
                    SolverResult::None => {}
                    SolverResult::Unknown => {
                        shortest = false;
                        break;
                    }
                    shorter => answer = shorter,
                }
            }
        }
        // Ctrl-C may have ended the search for a shorter win; pressed again, it ends the proof.
        self.stop.store(false, Ordering::Relaxed);
        let proof = match answer {
            SolverResult::Win { moves, .. } => self.prove(position, moves),
            _ => None,
        };
        let text = match (self.args.tree_format, &proof) {
            (Some(TreeFormat::Sgf), Some(proof)) => {
                proof_sgf(self.position.board(), self.position.rule(), proof)
            }
            (Some(TreeFormat::Dot), Some(proof)) => proof_dot(proof, self.position.board().size()),
            (Some(_), None) => {
                status_line("there is no proof to print: no win was found, or its proof was not completed");
                String::new()
            }
            (None, _) => self.report(answer, shortest, proof),
        };
        (text, status_of(answer, self.args.max_moves))
    }

    /// The proof of a win in `moves` moves that was just found; `None` if the time or Ctrl-C ends it.
    fn prove(&mut self, position: &mut Position, moves: u16) -> Option<Proof> {
        let time = self.started.elapsed().max(LEAST_PROOF_TIME);
        let (deadline, stop) = (Some(Instant::now() + time), Some(&*self.stop));
        self.solver.prove(position, moves, &SolverLimits { deadline, stop, ..SolverLimits::default() })
    }

    /// Searches in slices until there is an answer or a limit is reached; `max_nodes` applies to this search
    /// alone.
    fn search(
        &mut self,
        position: &mut Position,
        max_moves: Option<u16>,
        max_nodes: Option<u64>,
    ) -> SolverResult {
        let mut slice = if self.args.kind == Kind::Vcf { SLICE_FOURS } else { SLICE_NODES };
        let deadline = self.started + self.args.time;
        let mut used = 0;
        loop {
            let budget = max_nodes.map_or(u64::MAX, |max_nodes| max_nodes.saturating_sub(used)).min(slice);
            let (answer, nodes) = match self.args.kind {
                Kind::Vcf => {
                    let moves = max_moves.unwrap_or(ENDLESS);
                    let solver = self.solver.vcf();
                    let answer = solver.solve_until(position, moves, budget, deadline, &self.stop);
                    (answer, solver.nodes())
                }
                Kind::Vct => {
                    let (max_nodes, deadline) = (Some(budget), Some(deadline));
                    let limits = SolverLimits { max_nodes, deadline, stop: Some(&*self.stop), max_moves };
                    (self.solver.solve(position, &limits), self.solver.nodes())
                }
            };
            slice *= 2;
            used += nodes;
            self.nodes += nodes;
            if answer != SolverResult::Unknown || self.is_over() || max_nodes.is_some_and(|most| used >= most)
            {
                return answer;
            }
            self.progress.report(self.nodes);
        }
    }

    /// The moves of the other side that hold against the threat of the side to move, as text, and the exit status.
    fn defenses(&mut self) -> (String, u8) {
        let position = &mut self.position.clone();
        let max_moves = self.args.max_moves;
        // A move that holds for this number of moves may lose to a longer win.
        let held = if max_moves.is_none() { YES } else { UNKNOWN };
        let threat = self.search(position, max_moves, self.args.nodes);
        let SolverResult::Win { .. } = threat else {
            // Every move holds if there is no threat.
            let status = if threat == SolverResult::None { held } else { UNKNOWN };
            let text = match self.args.json {
                true => self.defense_report(threat, &[]).json(),
                false => self.report(threat, false, None),
            };
            return (text, status);
        };
        position.pass();
        let max_nodes = Some(self.args.nodes.unwrap_or(DEFENSE_NODES));
        let empty = *position.board().empty();
        let all = empty.iter().filter(|&point| position.verdict(point) == Verdict::Plain).count();
        let mut judged = 0;
        let moves = judge_defenses(position, &[], |position, _| {
            self.progress.stage = Stage::Defenses { judged, all };
            self.progress.report(self.nodes);
            judged += 1;
            match self.search(position, max_moves, max_nodes) {
                SolverResult::Win { first, .. } => DefenseVerdict::Refuted(vec![first]),
                SolverResult::None => DefenseVerdict::Holds,
                SolverResult::Unknown => DefenseVerdict::Open,
            }
        });
        let has = |verdict: DefenseVerdict| moves.iter().any(|defense| defense.verdict == verdict);
        let status = match (has(DefenseVerdict::Holds), has(DefenseVerdict::Open)) {
            (true, _) => held,
            (false, true) => UNKNOWN,
            (false, false) => NO,
        };
        let (json, look) = (self.args.json, Look::of_stdout(self.args.ascii));
        let report = self.defense_report(threat, &moves);
        let text = if json { report.json() } else { report.text(look) };
        (text, status)
    }

    fn defense_report(&mut self, threat: SolverResult, moves: &[Defense]) -> DefenseReport<'_> {
        let (mut holding, mut open, mut refuted) = (Vec::new(), Vec::new(), Vec::new());
        for Defense { point, verdict } in moves {
            match verdict {
                DefenseVerdict::Holds => holding.push(*point),
                DefenseVerdict::Open => open.push(*point),
                DefenseVerdict::Refuted(line) => refuted.push((*point, line.clone())),
            }
        }
        let tried = self.tried(threat);
        DefenseReport {
            board: self.position.board(),
            rule: self.position.rule(),
            by: self.args.kind.name(),
            max_moves: self.args.max_moves,
            threat,
            tried,
            holding,
            open,
            refuted,
            nodes: self.nodes,
            time: self.started.elapsed(),
        }
    }

    /// The attacker's first moves that do not win, if the answer is that there is no win.
    fn tried(&mut self, answer: SolverResult) -> Vec<Point> {
        match (answer, self.args.kind) {
            (SolverResult::None, Kind::Vct) => self.solver.tried(&mut self.position).iter().collect(),
            (SolverResult::None, Kind::Vcf) => self.solver.tried_fours(&mut self.position).iter().collect(),
            _ => Vec::new(),
        }
    }

    fn report(&mut self, answer: SolverResult, shortest: bool, proof: Option<Proof>) -> String {
        let tried = self.tried(answer);
        let report = Report {
            board: self.position.board(),
            rule: self.position.rule(),
            by: self.args.kind.name(),
            max_moves: self.args.max_moves,
            answer,
            shortest,
            proof,
            tried,
            nodes: self.nodes,
            time: self.started.elapsed(),
        };
        if self.args.json {
            report.json()
        } else {
            report.text(Look::of_stdout(self.args.ascii), self.args.tree)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        solve: SolveArgs,
    }

    #[test]
    fn ctrl_c_ends_the_proof_and_leaves_the_win() {
        // White wins by threats in five moves.
        let fen = "15/15/15/15/15/6X2X5/6XOO6/7X7/8O6/15/15/15/15/15/15";
        let args =
            Arguments::parse_from(["solve", fen, "--rule", "renju", "--memory", "16", "--ascii"]).solve;
        let (board, rule) = args.at.read().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let mut task = Task::new(&args, Position::new(board, rule), Arc::clone(&stop));
        let mut position = task.position.clone();
        let answer = task.search(&mut position, None, None);
        let SolverResult::Win { moves, .. } = answer else { panic!("{answer:?}") };
        stop.store(true, Ordering::Relaxed);
        assert!(task.prove(&mut position, moves).is_none());
        let shown = task.report(answer, false, None);
        assert!(shown.contains(" (the rest of the proof was not completed)\n"), "{shown}");
        // An earlier Ctrl-C does not end it.
        let (shown, status) = task.win();
        assert!(status == YES && shown.contains("\n  1. i10 "), "{shown}");
    }
}
