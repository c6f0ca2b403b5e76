//! A second referee of Gomoku Roku, written from the sentences of the rules: axial coordinates instead of a
//! data file, distances covered instead of indices on the track.

use std::collections::{BTreeMap, BTreeSet};

use kakugo::game::Reason;
use kakugo::variants::roku::RokuRules;

/// Axial coordinates, the centre at 0,0.
pub type Hex = (i32, i32);

const SIDE: i32 = 5;
const LAP: i32 = 30;
const ROWS: [Hex; 6] = [(1, 0), (0, 1), (1, -1), (2, -1), (1, 1), (1, -2)];

pub fn ring((q, r): Hex) -> i32 {
    q.abs().max(r.abs()).max((q + r).abs())
}

/// The circles, row by row.
pub fn circles() -> Vec<Hex> {
    let all = (-SIDE..=SIDE).flat_map(|r| (-SIDE..=SIDE).map(move |q| (q, r)));
    all.filter(|&hex| ring(hex) <= SIDE).collect()
}

/// The track circle `steps` steps clockwise from the upper left corner.
pub fn track(steps: i32) -> Hex {
    let steps = steps.rem_euclid(LAP);
    let (side, along) = (steps / SIDE, steps % SIDE);
    let corners = [(0, -5), (5, -5), (5, 0), (0, 5), (-5, 5), (-5, 0), (0, -5)];
    let (from, to): (Hex, Hex) = (corners[side as usize], corners[side as usize + 1]);
    (from.0 + (to.0 - from.0) / SIDE * along, from.1 + (to.1 - from.1) / SIDE * along)
}

#[derive(Clone)]
pub struct Oracle {
    rules: RokuRules,
    /// Placed stones.
    pub stones: BTreeMap<Hex, char>,
    /// Distances covered by the track stones of X and O.
    run: [Option<i32>; 2],
    pub left: [i32; 2],
    pub pairs: [u8; 2],
    pub mover: char,
    pub result: Option<(char, Reason)>,
    plies: usize,
}

fn seat(player: char) -> usize {
    usize::from(player == 'O')
}

fn other(player: char) -> char {
    if player == 'X' { 'O' } else { 'X' }
}

impl Oracle {
    pub fn new(rules: RokuRules) -> Oracle {
        Oracle {
            rules,
            stones: BTreeMap::new(),
            run: [None; 2],
            left: [i32::from(rules.supply) - 1; 2],
            pairs: [0; 2],
            mover: 'X',
            result: None,
            plies: 0,
        }
    }

    fn track_stone(&self, player: char) -> Option<Hex> {
        self.run[seat(player)].map(track)
    }

    /// The stone on a circle, of either kind.
    pub fn at(&self, hex: Hex) -> char {
        let on_track = ['X', 'O'].into_iter().find(|&player| self.track_stone(player) == Some(hex));
        on_track.or_else(|| self.stones.get(&hex).copied()).unwrap_or('.')
    }

    fn setup_plies(&self) -> usize {
        2 + 2 * usize::from(self.rules.pre_stones)
    }

    /// Stones of `player` in a row through `hex`.
    fn row(&self, player: char, hex: Hex, way: Hex) -> usize {
        let inside = |hex: Hex| ring(hex) <= SIDE && hex != (0, 0);
        let count = |sign: i32| {
            (1..)
                .map(|k| (hex.0 + sign * k * way.0, hex.1 + sign * k * way.1))
                .take_while(|&next| inside(next) && self.at(next) == player)
                .count()
        };
        1 + count(1) + count(-1)
    }

    fn has_five(&self, player: char) -> bool {
        circles()
            .into_iter()
            .any(|hex| self.at(hex) == player && ROWS.iter().any(|&way| self.row(player, hex, way) >= 5))
    }

    /// The pairs that `player` may choose from after the stone on `hex` is placed and the track stone has
    /// moved.
    fn choices(&self, player: char, hex: Hex) -> BTreeSet<[Hex; 2]> {
        let mut choices = BTreeSet::new();
        if !self.rules.ninuki {
            return choices;
        }
        let flanks = [Some(hex), self.track_stone(player)];
        for flank in flanks.into_iter().flatten() {
            for way in ROWS.into_iter().flat_map(|(q, r)| [(q, r), (-q, -r)]) {
                let step = |k: i32| (flank.0 + k * way.0, flank.1 + k * way.1);
                let is_enemy_stone = |hex: Hex| self.stones.get(&hex) == Some(&other(player));
                if is_enemy_stone(step(1)) && is_enemy_stone(step(2)) && self.at(step(3)) == player {
                    let mut pair = [step(1), step(2)];
                    pair.sort();
                    choices.insert(pair);
                }
            }
        }
        choices
    }

    pub fn legal(&self, hex: Hex) -> bool {
        if self.result.is_some() || ring(hex) > SIDE {
            return false;
        }
        match self.plies {
            0 => ring(hex) == SIDE,
            1 => {
                let black = self.run[0].expect("as the test wants it");
                let gap = i32::from(self.rules.track_gap);
                let white = match (gap, self.rules.stronger) {
                    (0, _) => vec![black - 1, black + 1],
                    (_, kakugo::board::Color::White) => vec![black + 1 + gap],
                    (_, kakugo::board::Color::Black) => vec![black - 1 - gap],
                };
                white.into_iter().any(|steps| track(steps) == hex)
            }
            _ => (1..SIDE).contains(&ring(hex)) && self.at(hex) == '.',
        }
    }

    /// Plays a stone and removes the pair `prefer` if it is one of the possible pairs; returns the possible
    /// pairs.
    pub fn play(&mut self, hex: Hex, prefer: Option<[Hex; 2]>) -> BTreeSet<[Hex; 2]> {
        let (m, o) = (self.mover, other(self.mover));
        self.plies += 1;
        let mut choices = BTreeSet::new();
        if self.plies <= 2 {
            let near = self.run[0].unwrap_or(0);
            // White's stone is counted from black's, so that neither is a lap ahead.
            self.run[seat(m)] = (near - 15..near + 15).find(|&steps| track(steps) == hex);
        } else {
            self.stones.insert(hex, m);
            self.left[seat(m)] -= 1;
            if self.plies > self.setup_plies() {
                let cost = SIDE - ring(hex);
                let mut steps = self.run[seat(m)].expect("as the test wants it") + cost;
                if Some(track(steps)) == self.track_stone(o) {
                    steps += 1;
                }
                self.run[seat(m)] = Some(steps);
                choices = self.choices(m, hex);
                if let Some(pair) = prefer.filter(|pair| choices.contains(pair)) {
                    self.stones.retain(|stone, _| !pair.contains(stone));
                    self.pairs[seat(m)] += 1;
                }
                if self.has_five(m) {
                    self.result = Some((m, Reason::Five));
                } else if self.pairs[seat(m)] >= self.rules.goal_pairs {
                    self.result = Some((m, Reason::Captures));
                }
            }
        }
        self.mover = if self.plies < self.setup_plies() {
            o
        } else if self.run[0] < self.run[1] {
            'X'
        } else {
            'O'
        };
        if self.result.is_none() {
            if self.stones.len() == 60 {
                self.result = Some(('-', Reason::NoMove));
            } else if self.left[seat(self.mover)] == 0 && self.plies >= 2 {
                self.result = Some((other(self.mover), Reason::NoStones));
            }
        }
        choices
    }
}
