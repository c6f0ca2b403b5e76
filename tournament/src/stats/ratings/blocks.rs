//! Which players can be compared: groups of players connected by games, and within them blocks, in which
//! every player has scored against every other, directly or through others.

use super::{Meetings, Standing};

/// `scored[i][j]`: whether player i scored against player j, directly or through others.
fn reach(players: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<bool>> {
    let mut next = vec![Vec::new(); players];
    edges.for_each(|(from, to)| next[from].push(to));
    (0..players)
        .map(|start| {
            let mut seen = vec![false; players];
            seen[start] = true;
            let mut open = vec![start];
            while let Some(player) = open.pop() {
                for &other in &next[player] {
                    if !seen[other] {
                        seen[other] = true;
                        open.push(other);
                    }
                }
            }
            seen
        })
        .collect()
}

/// All pairs of players in which the first scored against the second; a draw counts for both.
fn scored(meetings: &Meetings) -> impl Iterator<Item = (usize, usize)> {
    meetings.iter().flat_map(|(&(first, second), score)| {
        let forth = (score.wins + score.draws > 0).then_some((first, second));
        let back = (score.losses + score.draws > 0).then_some((second, first));
        forth.into_iter().chain(back)
    })
}

/// Anchors are connected in both directions, because their difference is known.
fn known(given: &[Option<f64>]) -> Vec<(usize, usize)> {
    let anchors: Vec<usize> = (0..given.len()).filter(|&player| given[player].is_some()).collect();
    anchors.windows(2).flat_map(|pair| [(pair[0], pair[1]), (pair[1], pair[0])]).collect()
}

/// The groups, each as its blocks.
pub(super) fn groups(meetings: &Meetings, given: &[Option<f64>]) -> Vec<Vec<Vec<usize>>> {
    let players = given.len();
    let known = known(given);
    let reach_of = reach(players, scored(meetings).chain(known.iter().copied()));
    let both_ways = meetings.keys().flat_map(|&(first, second)| [(first, second), (second, first)]);
    let connected = reach(players, both_ways.chain(known));
    let mut groups: Vec<Vec<Vec<usize>>> = Vec::new();
    for player in 0..players {
        let group = groups.iter_mut().find(|group| connected[group[0][0]][player]);
        let Some(group) = group else {
            groups.push(vec![vec![player]]);
            continue;
        };
        let is_level = |other: usize| reach_of[other][player] && reach_of[player][other];
        match group.iter_mut().find(|block| is_level(block[0])) {
            Some(block) => block.push(player),
            None => group.push(vec![player]),
        }
    }
    // The largest group first, because its ratings are the most interesting.
    groups.sort_by_key(|group| std::cmp::Reverse(group.iter().map(Vec::len).sum::<usize>()));
    groups
}

/// The blocks of `group` except the `rated` one, with their relation to it. Each follows the blocks through
/// which it is bounded.
pub(super) fn around<'a>(
    group: &'a [Vec<usize>],
    rated: usize,
    meetings: &Meetings,
    given: &[Option<f64>],
) -> Vec<(&'a [usize], Standing)> {
    let reach_of = reach(given.len(), scored(meetings).chain(known(given)));
    let beats = |above: usize, below: usize| reach_of[group[above][0]][group[below][0]];
    let standing = |block: usize| match (beats(block, rated), beats(rated, block)) {
        (true, _) => Standing::Above,
        (_, true) => Standing::Below,
        _ => Standing::Unknown,
    };
    let mut others: Vec<usize> = (0..group.len()).filter(|&block| block != rated).collect();
    // Blocks are sorted by the number of blocks between them and the rated one: an outer block reaches, or is reached
    // by, every block in between.
    others.sort_by_key(|&block| {
        let between = |other: usize| match standing(block) {
            Standing::Above => beats(block, other) && beats(other, rated),
            Standing::Below => beats(rated, other) && beats(other, block),
            _ => false,
        };
        (standing(block) == Standing::Unknown, (0..group.len()).filter(|&other| between(other)).count())
    });
    others.into_iter().map(|block| (group[block].as_slice(), standing(block))).collect()
}
