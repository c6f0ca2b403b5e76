//! The tree of a proof: as an indented list, as SGF with variations, as a graph in DOT.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::board::notation::format_point;
use crate::board::{Board, Color, Point, Size};
use crate::game_files::{self, sgf};
use crate::rules::Rule;
use crate::threat::Proof;

/// The proof as an indented list: each reply with the attack that answers it. Repeated parts are listed once.
pub fn proof_tree(proof: &Proof, size: Size) -> String {
    let mut text = format!("  {}\n", format_point(proof.steps[proof.root].attack, size));
    let mut shown = HashSet::new();
    // Indices with their depth and the move that leads to them, the next one last.
    let mut open: Vec<(usize, usize, String)> = Vec::new();
    let push_next = |open: &mut Vec<(usize, usize, String)>, place: usize, depth: usize| {
        let branches = proof.branches(place).rev();
        open.extend(branches.map(|(reply, next)| (next, depth, reply_name(reply, size))));
    };
    push_next(&mut open, proof.root, 2);
    while let Some((place, depth, reply)) = open.pop() {
        let attack = format_point(proof.steps[place].attack, size);
        let again = !shown.insert(place) && !proof.steps[place].otherwise.is_empty();
        text += &format!(
            "{}{reply} -> {attack}{}\n",
            "  ".repeat(depth),
            if again { " (as before)" } else { "" }
        );
        if !again {
            push_next(&mut open, place, depth + 1);
        }
    }
    text
}

fn reply_name(reply: Option<Point>, size: Size) -> String {
    reply.map_or_else(|| "else".to_owned(), |point| format_point(point, size))
}

/// Work that is left of a tree in SGF.
enum Task {
    /// Writes a step of the attacker with everything after it.
    Step(usize),
    /// Writes a reply, `None` for any other one, and the step that meets it.
    Reply(Option<Point>, usize),
    /// Closes a variation.
    Close,
}

/// The proof as a game of SGF: the position, and each reply as a variation. A pass stands for all other replies. Repeated
/// parts are written once.
pub fn proof_sgf(board: &Board, rule: Rule, proof: &Proof) -> String {
    let (attacker, size) = (board.side_to_move(), board.size());
    let program = concat!("Kakugo:", env!("CARGO_PKG_VERSION"));
    let mut text = sgf::write_setup(program, board, &game_files::name_of(rule));
    let node = |text: &mut String, color: Color, point: Option<Point>| {
        let name = if color == Color::Black { 'B' } else { 'W' };
        let _ = write!(text, ";{name}[{}]", point.map(sgf::format_letters).unwrap_or_default());
    };
    let mut shown = HashSet::new();
    let mut tasks = vec![Task::Step(proof.root)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Close => text += ")\n",
            Task::Reply(reply, next) => {
                text.push('(');
                node(&mut text, !attacker, reply);
                if reply.is_none() {
                    text += "C[any other reply]";
                }
                tasks.extend([Task::Close, Task::Step(next)]);
            }
            Task::Step(place) => {
                let step = &proof.steps[place];
                node(&mut text, attacker, Some(step.attack));
                if !shown.insert(place) && !step.otherwise.is_empty() {
                    let _ = write!(text, "C[as after {} elsewhere]", format_point(step.attack, size));
                    continue;
                }
                tasks.extend(proof.branches(place).rev().map(|(reply, next)| Task::Reply(reply, next)));
            }
        }
    }
    text + ")\n"
}

/// The proof as a graph in the language of Graphviz: a node for each attack, an edge for each reply.
pub fn proof_dot(proof: &Proof, size: Size) -> String {
    let mut text = "digraph proof {\n  node [shape=box];\n".to_owned();
    let mut open = vec![proof.root];
    let mut shown = HashSet::from([proof.root]);
    while let Some(place) = open.pop() {
        let step = &proof.steps[place];
        let _ = writeln!(text, "  n{place} [label=\"{}\"];", format_point(step.attack, size));
        for (reply, next) in proof.branches(place) {
            let _ = writeln!(text, "  n{place} -> n{next} [label=\"{}\"];", reply_name(reply, size));
            if shown.insert(next) {
                open.push(next);
            }
        }
    }
    text + "}\n"
}
