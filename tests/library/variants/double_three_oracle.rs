//! A second referee of double-three gomoku, on a board of letters, written from the sentences of the rule. It
//! places every stone that a sentence mentions, and examines the board.

use kakugo::board::{Cell, Color, Point};
use kakugo::game::{Game, Reason};
use kakugo::variants::double_three::{DoubleThreeGame, DoubleThreeRules};
use kakugo::variants::{DoubleThree, FiveLength};

type Spot = (i32, i32);

const WAYS: [Spot; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

#[derive(Clone)]
pub struct Oracle {
    rules: DoubleThreeRules,
    rows: Vec<Vec<char>>,
    pub mover: char,
    pub result: Option<(char, Reason)>,
}

/// What a stone would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Five,
    DoubleThree,
    Plain,
}

fn other(player: char) -> char {
    if player == 'X' { 'O' } else { 'X' }
}

fn along((x, y): Spot, way: Spot, steps: i32) -> Spot {
    (x + way.0 * steps, y + way.1 * steps)
}

impl Oracle {
    pub fn of(game: &DoubleThreeGame) -> Oracle {
        let size = game.size();
        let letter = |x, y| match game.cell(Point::new(x, y)) {
            Cell::Black => 'X',
            Cell::White => 'O',
            _ => '.',
        };
        let row = |y| (0..size.width()).map(|x| letter(x, y)).collect();
        Oracle {
            rules: *game.rules(),
            rows: (0..size.height()).map(row).collect(),
            mover: if game.side_to_move() == Color::Black { 'X' } else { 'O' },
            result: None,
        }
    }

    /// `#` off the board.
    pub fn at(&self, (x, y): Spot) -> char {
        let row = usize::try_from(y).ok().and_then(|y| self.rows.get(y));
        row.zip(usize::try_from(x).ok()).and_then(|(row, x)| row.get(x)).copied().unwrap_or('#')
    }

    fn set(&mut self, content: char, (x, y): Spot) {
        self.rows[y as usize][x as usize] = content;
    }

    fn with(&self, player: char, spot: Spot) -> Oracle {
        let mut after = self.clone();
        after.set(player, spot);
        after
    }

    pub fn spots(&self) -> Vec<Spot> {
        let (width, height) = (self.rows[0].len() as i32, self.rows.len() as i32);
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).collect()
    }

    /// The unbroken row of one player through a stone.
    fn row(&self, spot: Spot, way: Spot) -> Vec<Spot> {
        let player = self.at(spot);
        let mut first = spot;
        while self.at(along(first, way, -1)) == player {
            first = along(first, way, -1);
        }
        (0..).map(|k| along(first, way, k)).take_while(|&spot| self.at(spot) == player).collect()
    }

    /// Whether a stone of `player` on the empty `spot` makes five or more.
    pub fn makes_five(&self, player: char, spot: Spot) -> bool {
        let after = self.with(player, spot);
        WAYS.iter().any(|&way| after.row(spot, way).len() >= 5)
    }

    /// What a stone of `player` on the empty `spot` would be. After `depth` more stones, every straight four
    /// counts as allowed.
    pub fn kind(&self, player: char, spot: Spot, depth: usize) -> Kind {
        if self.makes_five(player, spot) {
            return Kind::Five;
        }
        let after = self.with(player, spot);
        let threes = WAYS.iter().filter(|&&way| after.is_three(player, spot, way, depth)).count();
        if threes >= 2 { Kind::DoubleThree } else { Kind::Plain }
    }

    /// Whether the stone on `p` is part of a three along `way`.
    fn is_three(&self, player: char, p: Spot, way: Spot, depth: usize) -> bool {
        // Stones further away cannot be in a row of five with `p`.
        let near = (-4..=4).map(|k| along(p, way, k));
        let empty: Vec<Spot> = near.filter(|&spot| self.at(spot) == '.').collect();
        let mut trial = self.clone();
        let mut row_with = |q: Spot| {
            trial.set(player, q);
            let row = trial.row(q, way);
            trial.set('.', q);
            row
        };
        let rows: Vec<(Spot, Vec<Spot>)> = empty.into_iter().map(|q| (q, row_with(q))).collect();
        let mut with_p = rows.iter().filter(|(_, row)| row.contains(&p));
        // It is a four.
        if with_p.clone().any(|(_, row)| row.len() >= 5) {
            return false;
        }
        with_p.any(|(q, row)| {
            let after = self.with(player, *q);
            let ends = [along(row[0], way, -1), along(row[row.len() - 1], way, 1)];
            let wins = |end: Spot| {
                let fifth = after.with(player, end).row(end, way).len();
                if self.rules.straight_four == FiveLength::Exact { fifth == 5 } else { fifth >= 5 }
            };
            row.len() == 4
                && ends.iter().all(|&end| after.at(end) == '.')
                && ends.into_iter().all(wins)
                && (depth == 0 || self.kind(player, *q, depth - 1) == Kind::Plain)
        })
    }

    pub fn legal(&self, player: char, spot: Spot) -> bool {
        let bound = match self.rules.double_three {
            DoubleThree::Both => true,
            DoubleThree::Black => player == 'X',
            DoubleThree::Off => false,
        };
        self.at(spot) == '.' && !(bound && self.kind(player, spot, usize::MAX) == Kind::DoubleThree)
    }

    pub fn legal_moves(&self) -> Vec<Spot> {
        match self.result {
            Some(_) => Vec::new(),
            None => self.spots().into_iter().filter(|&spot| self.legal(self.mover, spot)).collect(),
        }
    }

    pub fn play(&mut self, spot: Spot) {
        let wins = self.makes_five(self.mover, spot);
        *self = self.with(self.mover, spot);
        if wins {
            self.result = Some((self.mover, Reason::Five));
        }
        self.mover = other(self.mover);
        if !wins && self.legal_moves().is_empty() {
            self.result = Some(('-', Reason::NoMove));
        }
    }
}
