//! A running game of Gomoku Roku; [`effects`] computes the effects of a stone.

mod effects;

use super::rules::RokuRules;
use super::sheet::{Circle, Kind, Sheet, sheet};
use crate::board::{ByColor, Cell, Color, Point, Size, zobrist};
use crate::game::{Change, Changes, Game, Move, Outcome, Reason, Refusal};

/// A game under any [`RokuRules`].
///
/// Invariant: cells, track stones, supplies, hash and history always agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RokuGame {
    rules: RokuRules,
    sheet: &'static Sheet,
    /// The stone on each circle, including track stones.
    cells: Vec<Cell>,
    state: State,
    /// Whether the game started after the opening, with stones set up.
    is_set_up: bool,
    history: Vec<Ply>,
}

/// The state other than the stones that a move changes, kept for undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    side: Color,
    /// The positions of the track stones, in circles from the start of the track.
    track: ByColor<Option<usize>>,
    /// Number of stones left to place.
    left: ByColor<u8>,
    /// Number of captured pairs.
    pairs: ByColor<u8>,
    /// Number of empty cost circles.
    empty: u8,
    stone_hash: u64,
    outcome: Option<Outcome>,
}

/// A move and the data to undo it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ply {
    mv: Move,
    removed: Option<[Circle; 2]>,
    before: State,
}

impl RokuGame {
    /// A game on an empty sheet.
    pub fn new(rules: RokuRules) -> RokuGame {
        let sheet = sheet();
        let costs = sheet.circles().filter(|&circle| matches!(sheet.kind(circle), Kind::Cost(_))).count();
        let state = State {
            side: Color::Black,
            track: ByColor::default(),
            // The track stone is part of the supply.
            left: ByColor([rules.supply - 1; 2]),
            pairs: ByColor::default(),
            empty: costs as u8,
            stone_hash: zobrist::empty(sheet.size()),
            outcome: None,
        };
        let cells = vec![Cell::Empty; sheet.circles().count()];
        RokuGame { rules, sheet, cells, state, is_set_up: false, history: Vec::new() }
    }

    /// A game that starts from the stones of each side, the track stone first; the side behind moves. Stones
    /// not on the sheet are left to place. `None` if a point is not the right kind of circle for its stone,
    /// or occurs twice.
    pub fn from_stones(rules: RokuRules, stones: ByColor<&[Point]>) -> Option<RokuGame> {
        let mut game = RokuGame::new(rules);
        for us in Color::ALL {
            game.state.side = us;
            for (index, &point) in stones[us].iter().enumerate() {
                let circle = game.sheet.circle(point)?;
                let is_track = game.sheet.kind(circle) == Kind::Track;
                let is_cost = matches!(game.sheet.kind(circle), Kind::Cost(_)) && game.state.left[us] > 0;
                if game.cells[usize::from(circle)] != Cell::Empty {
                    return None;
                }
                match (index, is_track, is_cost) {
                    (0, true, _) => game.start_on(circle),
                    (1.., _, true) => game.place(circle),
                    _ => return None,
                }
            }
            game.state.track[us]?;
        }
        game.is_set_up = true;
        game.pass_on();
        Some(game)
    }

    /// The rules.
    pub fn rules(&self) -> &RokuRules {
        &self.rules
    }

    /// The number of stones that `color` has left to place.
    pub fn left(&self, color: Color) -> u8 {
        self.state.left[color]
    }

    /// The number of pairs that `color` has captured.
    pub fn pairs(&self, color: Color) -> u8 {
        self.state.pairs[color]
    }

    /// The circle of a side's track stone, once it is placed.
    pub fn track_stone(&self, color: Color) -> Option<Point> {
        self.state.track[color].map(|place| self.sheet.point(self.sheet.track()[place]))
    }

    /// The number of circles by which the track stone of `color` is ahead of the other, negative if it is
    /// behind; 0 until both are placed.
    pub fn lead(&self, color: Color) -> i32 {
        let (Some(own), Some(other)) = (self.state.track[color], self.state.track[!color]) else { return 0 };
        let length = self.sheet.track().len() as i32;
        let ahead = (own as i32 - other as i32).rem_euclid(length);
        // No side gets far ahead, because the side behind moves.
        if ahead > length / 2 { ahead - length } else { ahead }
    }

    /// The number of opening moves: the track stones, then the free stones.
    fn opening_plies(&self) -> usize {
        if self.is_set_up { 0 } else { 2 + 2 * usize::from(self.rules.pre_stones) }
    }

    /// Whether the next stone is a track stone.
    pub fn places_track_stone(&self) -> bool {
        self.state.track[Color::White].is_none()
    }

    fn refusal(&self, mv: Move) -> Option<Refusal> {
        let on_sheet = self.sheet.size().contains(mv.point);
        let Some(circle) = on_sheet.then(|| self.sheet.circle(mv.point)).flatten() else {
            return Some(Refusal::OffBoard);
        };
        let kind = self.sheet.kind(circle);
        match (self.places_track_stone(), kind) {
            (true, Kind::Track) if self.may_start_on(circle) => {}
            (true, _) => return Some(self.start_refusal()),
            (false, Kind::Track) => return Some(Refusal::Track),
            (_, Kind::Centre) => return Some(Refusal::Centre),
            (_, Kind::Cost(_)) if self.cells[usize::from(circle)] != Cell::Empty => {
                return Some(Refusal::Taken);
            }
            (_, Kind::Cost(_)) => {}
        }
        if mv.choice == 0 {
            return None;
        }
        let choices = self.captures(mv.point).len();
        (usize::from(mv.choice) >= choices).then_some(Refusal::NoSuchChoice(choices))
    }

    /// Where the track stones start, as the reason to refuse another circle.
    fn start_refusal(&self) -> Refusal {
        let ahead = 1 + self.rules.track_gap as i8;
        match (self.rules.track_gap, self.rules.stronger) {
            (0, _) => Refusal::NotTrack,
            (_, Color::White) => Refusal::NotTrackGap(ahead),
            (_, Color::Black) => Refusal::NotTrackGap(-ahead),
        }
    }

    /// Black's track stone may start anywhere; white's starts on either neighbour, or where the gap puts it.
    fn may_start_on(&self, circle: Circle) -> bool {
        let track = self.sheet.track();
        let Some(black) = self.state.track[Color::Black] else { return true };
        let at = |steps: usize| track[(black + steps) % track.len()];
        let ahead = 1 + usize::from(self.rules.track_gap);
        match (self.rules.track_gap, self.rules.stronger) {
            (0, _) => [at(1), at(track.len() - 1)].contains(&circle),
            (_, Color::White) => circle == at(ahead),
            (_, Color::Black) => circle == at(track.len() - ahead),
        }
    }

    fn set(&mut self, circle: Circle, color: Option<Color>) {
        let place = usize::from(circle);
        let point = self.sheet.point(circle);
        let old = std::mem::replace(&mut self.cells[place], color.map_or(Cell::Empty, Cell::from));
        for color in old.color().into_iter().chain(color) {
            self.state.stone_hash ^= zobrist::stone(color, point);
        }
    }

    fn start_on(&mut self, circle: Circle) {
        let us = self.state.side;
        self.state.track[us] = self.sheet.track().iter().position(|&place| place == circle);
        self.set(circle, Some(us));
    }

    fn place(&mut self, circle: Circle) {
        let us = self.state.side;
        self.set(circle, Some(us));
        self.state.left[us] -= 1;
        self.state.empty -= 1;
    }

    /// Places a stone, advances the track stone and captures; returns the removed pair.
    fn turn(&mut self, circle: Circle, landing: usize, choice: u8) -> Option<[Circle; 2]> {
        let us = self.state.side;
        let removed = self.pairs_after(circle, landing).get(usize::from(choice)).copied();
        self.place(circle);
        let track = self.sheet.track();
        if let Some(from) = self.state.track[us].replace(landing) {
            self.set(track[from], None);
        }
        self.set(track[landing], Some(us));
        for stone in removed.into_iter().flatten() {
            self.set(stone, None);
            self.state.empty += 1;
        }
        self.state.pairs[us] += u8::from(removed.is_some());
        // A winning row runs through one of the two stones that have just moved.
        if [circle, track[landing]].into_iter().any(|at| self.five_through(us, at)) {
            self.state.outcome = Some(Outcome::win(us, Reason::Five));
        } else if self.state.pairs[us] >= self.rules.goal_pairs {
            self.state.outcome = Some(Outcome::win(us, Reason::Captures));
        }
        removed
    }

    /// Passes the turn to the side that moves next, and checks whether it can move.
    fn pass_on(&mut self) {
        self.state.side = if self.history.len() < self.opening_plies() {
            !self.state.side
        } else if self.lead(Color::Black) < 0 {
            Color::Black
        } else {
            Color::White
        };
        if self.state.outcome.is_some() {
            return;
        }
        if self.state.empty == 0 {
            self.state.outcome = Some(Outcome::draw(Reason::NoMove));
        } else if self.state.left[self.state.side] == 0 && !self.places_track_stone() {
            self.state.outcome = Some(Outcome::win(!self.state.side, Reason::NoStones));
        }
    }
}

impl Game for RokuGame {
    fn name(&self) -> String {
        self.rules.to_string()
    }

    fn size(&self) -> Size {
        self.sheet.size()
    }

    fn is_hexagonal(&self) -> bool {
        true
    }

    fn cell(&self, point: Point) -> Cell {
        let circle = self.sheet.size().contains(point).then(|| self.sheet.circle(point)).flatten();
        circle.map_or(Cell::Wall, |circle| self.cells[usize::from(circle)])
    }

    fn side_to_move(&self) -> Color {
        self.state.side
    }

    fn moves(&self) -> Vec<Move> {
        self.history.iter().map(|ply| ply.mv).collect()
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.state.outcome.is_some() {
            return moves;
        }
        for circle in self.sheet.circles() {
            let point = self.sheet.point(circle);
            if self.refusal(point.into()).is_some() {
                continue;
            }
            let choices = if self.rules.ninuki { self.captures(point).len().max(1) } else { 1 };
            moves.extend((0..choices).map(|choice| Move { point, choice: choice as u8 }));
        }
        moves
    }

    fn check(&self, mv: Move) -> Result<(), Refusal> {
        if self.state.outcome.is_some() {
            return Err(Refusal::Over);
        }
        self.refusal(mv).map_or(Ok(()), Err)
    }

    fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let before = self.state;
        let circle = self.sheet.circle(mv.point).expect("a legal move is on the sheet");
        let mut removed = None;
        if self.sheet.kind(circle) == Kind::Track {
            self.start_on(circle);
        } else if let Some(landing) = self.landing(circle) {
            removed = self.turn(circle, landing, mv.choice);
        } else {
            self.place(circle);
        }
        self.history.push(Ply { mv, removed, before });
        self.pass_on();
    }

    fn undo(&mut self) {
        let Ply { mv, removed, before } = self.history.pop().expect("a move was played");
        let us = before.side;
        let track = self.sheet.track();
        let at = |state: &State| state.track[us].map(|place| usize::from(track[place]));
        let circle = self.sheet.circle(mv.point).expect("it was played");
        self.cells[usize::from(circle)] = Cell::Empty;
        if let Some(place) = at(&self.state) {
            self.cells[place] = Cell::Empty;
        }
        if let Some(place) = at(&before) {
            self.cells[place] = us.into();
        }
        for stone in removed.into_iter().flatten() {
            self.cells[usize::from(stone)] = Cell::from(!us);
        }
        self.state = before;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state.outcome
    }

    fn hash(&self) -> u64 {
        let state = &self.state;
        // The supplies follow from the stones and captures; the number of opening moves does not.
        let phase = self.history.len().min(self.opening_plies()) as u64;
        let pairs = |color: Color| u64::from(state.pairs[color]);
        let rest = phase << 32 | pairs(Color::Black) << 16 | pairs(Color::White);
        let side = if state.side == Color::White { zobrist::SIDE_TO_MOVE } else { 0 };
        state.stone_hash ^ side ^ zobrist::mix(rest)
    }

    fn changes(&self) -> Changes {
        let Some(Ply { mv, removed, before }) = self.history.last() else { return Changes::new() };
        let (us, them) = (Cell::from(before.side), Cell::from(!before.side));
        let place = |point| Change { point, from: Cell::Empty, to: us };
        let remove = |point, from| Change { point, from, to: Cell::Empty };
        let mut changes = Changes::from_iter([place(mv.point)]);
        let at = |state: &State| state.track[before.side].map(|place| self.sheet.track()[place]);
        if let (Some(from), Some(to)) = (at(before), at(&self.state))
            && from != to
        {
            changes.extend([remove(self.sheet.point(from), us), place(self.sheet.point(to))]);
        }
        changes.extend(removed.iter().flatten().map(|&circle| remove(self.sheet.point(circle), them)));
        changes
    }

    fn winning_row(&self) -> Option<Vec<Point>> {
        let winner = self.state.outcome.filter(|outcome| outcome.reason == Reason::Five)?.winner?;
        let placed = self.sheet.circle(self.history.last()?.mv.point);
        let arrived = self.state.track[winner].map(|place| self.sheet.track()[place]);
        let rows = placed.into_iter().chain(arrived).flat_map(|circle| self.runs_through(winner, circle));
        let row = rows.max_by_key(|row| row.len())?;
        Some(row.iter().map(|&circle| self.sheet.point(circle)).collect())
    }

    fn status(&self) -> String {
        let side = |color: Color| {
            let lead = match self.lead(color) {
                0 => String::new(),
                lead if lead > 0 => format!(", {lead} ahead"),
                lead => format!(", {} behind", -lead),
            };
            let pairs = match self.rules.ninuki {
                true => format!(", {} of {} pairs", self.state.pairs[color], self.rules.goal_pairs),
                false => String::new(),
            };
            let left = match self.state.left[color] {
                1 => "1 stone".to_owned(),
                left => format!("{left} stones"),
            };
            format!("{color} {left} left{lead}{pairs}")
        };
        format!("{}; {}", side(Color::Black), side(Color::White))
    }
}
