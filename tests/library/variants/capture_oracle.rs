//! A second referee of the capture games, written only from the sentences of the rules. It examines the whole
//! board at every call, and stores only what the rules require.

use kakugo::board::{Cell, Color, Point};
use kakugo::game::{Game, Reason};
use kakugo::variants::capture::{CaptureGame, CaptureRules, FiveMode, Start};
use kakugo::variants::{DoubleThree, FiveLength};

type Spot = (i32, i32);

/// The eight directions from a point; opposite ones are four apart.
const WAYS: [Spot; 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

const WIDEST: usize = 22;

#[derive(Clone)]
pub struct Oracle {
    rules: CaptureRules,
    width: i32,
    height: i32,
    /// The points, with an additional line of `#` on each side.
    board: [[char; WIDEST + 2]; WIDEST + 2],
    pub mover: char,
    /// Captured stones of X and O.
    pub captured: [u16; 2],
    /// Whether X and O have a five that may still be broken.
    pub pending: [bool; 2],
    pub result: Option<(char, Reason)>,
    plies: usize,
}

fn letter(color: Color) -> char {
    if color == Color::Black { 'X' } else { 'O' }
}

fn other(player: char) -> char {
    if player == 'X' { 'O' } else { 'X' }
}

fn seat(player: char) -> usize {
    usize::from(player == 'O')
}

impl Oracle {
    pub fn of(game: &CaptureGame) -> Oracle {
        let size = game.size();
        let look = |x, y| match game.cell(Point::new(x, y)) {
            Cell::Black => 'X',
            Cell::White => 'O',
            _ => '.',
        };
        let mut board = [['#'; WIDEST + 2]; WIDEST + 2];
        let mut plies = 0;
        for y in 0..size.height() {
            for x in 0..size.width() {
                board[usize::from(y) + 1][usize::from(x) + 1] = look(x, y);
                plies += usize::from(look(x, y) != '.');
            }
        }
        Oracle {
            rules: *game.rules(),
            width: size.width().into(),
            height: size.height().into(),
            plies,
            board,
            mover: letter(game.side_to_move()),
            captured: Color::ALL.map(|color| game.captured(color)),
            pending: [false; 2],
            result: None,
        }
    }

    pub fn at(&self, (x, y): Spot) -> char {
        let inside = (-1..=self.width).contains(&x) && (-1..=self.height).contains(&y);
        if inside { self.board[(y + 1) as usize][(x + 1) as usize] } else { '#' }
    }

    fn set(&mut self, (x, y): Spot, c: char) {
        self.board[(y + 1) as usize][(x + 1) as usize] = c;
    }

    pub fn spots(&self) -> Vec<Spot> {
        (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y))).collect()
    }

    /// How far the unbroken row of `player` through the stone on `spot` extends against `way` and along it.
    fn row(&self, player: char, spot: Spot, way: Spot) -> (i32, i32) {
        let far = |sign: i32| {
            (1..)
                .take_while(|k| self.at((spot.0 + sign * k * way.0, spot.1 + sign * k * way.1)) == player)
                .count()
        };
        (-(far(-1) as i32), far(1) as i32)
    }

    fn is_five(&self, (first, last): (i32, i32)) -> bool {
        let stones = last - first + 1;
        if self.rules.five == FiveLength::Exact { stones == 5 } else { stones >= 5 }
    }

    /// Whether a stone of `player` on `spot`, which need not be there yet, is part of a five.
    pub fn five_through(&self, player: char, spot: Spot) -> bool {
        WAYS[..4].iter().any(|&way| self.is_five(self.row(player, spot, way)))
    }

    pub fn has_five(&self, player: char) -> bool {
        self.spots().into_iter().any(|spot| self.at(spot) == player && self.five_through(player, spot))
    }

    /// In each of the 8 directions M O O M (and M O O O M if threes are captured).
    pub fn captures(&self, player: char, spot: Spot) -> Vec<Spot> {
        let mut taken = Vec::new();
        for way in WAYS {
            let seen = [1, 2, 3, 4].map(|k| self.at((spot.0 + k * way.0, spot.1 + k * way.1)));
            let (m, o) = (player, other(player));
            let stones = if seen[..3] == [o, o, m] {
                2
            } else if self.rules.capture_three && seen == [o, o, o, m] {
                3
            } else {
                0
            };
            taken.extend((1..=stones).map(|k| (spot.0 + k * way.0, spot.1 + k * way.1)));
        }
        taken
    }

    /// Whether the stone of `player` on `spot`, which is on the board, makes a free three in `way`.
    fn free_three(&self, player: char, spot: Spot, way: Spot) -> bool {
        let step = |k: i32| (spot.0 + k * way.0, spot.1 + k * way.1);
        if (-3..=3).filter(|&k| self.at(step(k)) == player).count() < 3 {
            // Four in a row without the imagined stone are not a three.
            return false;
        }
        let mut trial = self.clone();
        let mut four = false;
        for k in (-5..=5).filter(|&k| self.at(step(k)) == '.') {
            trial.set(step(k), player);
            let (first, last) = trial.row(player, spot, way);
            let holds = (first..=last).contains(&k);
            if holds && trial.is_five((first, last)) {
                return false;
            }
            let open = trial.at(step(first - 1)) == '.' && trial.at(step(last + 1)) == '.';
            four |= holds && last - first == 3 && open;
            trial.set(step(k), '.');
        }
        four
    }

    pub fn legal(&self, player: char, spot: Spot) -> bool {
        if self.at(spot) != '.' {
            return false;
        }
        let center = (self.width / 2, self.height / 2);
        let away = (spot.0 - center.0).abs().max((spot.1 - center.1).abs());
        match (self.rules.start, self.plies) {
            (Start::Center | Start::Pro | Start::LongPro, 0) if away != 0 => return false,
            (Start::Pro, 2) if away < 3 => return false,
            (Start::LongPro, 2) if away < 4 => return false,
            _ => {}
        }
        let banned = match self.rules.double_three {
            DoubleThree::Both => true,
            DoubleThree::Black => player == 'X',
            DoubleThree::Off => false,
        };
        if !banned {
            return true;
        }
        let mut trial = self.clone();
        trial.set(spot, player);
        let threes = WAYS[..4].iter().filter(|&&way| trial.free_three(player, spot, way)).count();
        threes < 2
            || self.rules.capture_exempts_33 && !self.captures(player, spot).is_empty()
            || self.rules.five_exempts_33 && trial.five_through(player, spot)
    }

    pub fn legal_moves(&self) -> Vec<Spot> {
        if self.result.is_some() {
            return Vec::new();
        }
        self.spots().into_iter().filter(|&spot| self.legal(self.mover, spot)).collect()
    }

    /// Whether `player` has a legal capture after which the other has no five, or which reaches the goal.
    fn can_answer_five(&self, player: char) -> bool {
        self.spots().into_iter().any(|spot| {
            let taken = self.captures(player, spot);
            if taken.is_empty() || !self.legal(player, spot) {
                return false;
            }
            let mut after = self.clone();
            after.set(spot, player);
            taken.iter().for_each(|&stone| after.set(stone, '.'));
            !after.has_five(other(player))
                || self.captured[seat(player)] + taken.len() as u16 >= self.rules.goal_stones
        })
    }

    pub fn play(&mut self, spot: Spot) {
        let (m, o) = (self.mover, other(self.mover));
        let taken = self.captures(m, spot);
        self.set(spot, m);
        taken.iter().for_each(|&stone| self.set(stone, '.'));
        self.captured[seat(m)] += taken.len() as u16;
        self.plies += 1;
        self.mover = o;
        self.result = self.judge(m, o, spot);
    }

    /// Steps 3 to 6 of a move by `m`.
    fn judge(&mut self, m: char, o: char, spot: Spot) -> Option<(char, Reason)> {
        if self.captured[seat(m)] >= self.rules.goal_stones {
            return Some((m, Reason::Captures));
        }
        if !self.has_five(o) {
            self.pending[seat(o)] = false;
        }
        if self.pending[seat(o)] && self.rules.five_mode == FiveMode::Next {
            return Some((o, Reason::Five));
        }
        let mut has = self.five_through(m, spot);
        if self.rules.five_mode == FiveMode::Lingering {
            has |= self.pending[seat(m)] && self.has_five(m);
        }
        self.pending[seat(m)] = false;
        if has {
            if !self.rules.breakable_five || !self.can_answer_five(o) {
                return Some((m, Reason::Five));
            }
            self.pending[seat(m)] = true;
        }
        if !self.spots().into_iter().any(|q| self.legal(o, q)) {
            return Some(('-', Reason::NoMove));
        }
        None
    }
}
