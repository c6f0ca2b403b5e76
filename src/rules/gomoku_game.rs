//! The games of the Gomocup family as implementations of the common game trait.

use super::position::Position;
use super::rule::Rule;
use super::verdict::Verdict;
use super::{LineClass, RuleKind};
use crate::board::{Board, Cell, Color, Direction, Point, Size};
use crate::game::{Change, Changes, Foul, Game, Move, Outcome, Reason, Refusal};

/// A game under a rule of the Gomocup family, from an empty board.
///
/// The move that ends the game is played: a foul stays on the board. An analysis may continue after the end
/// with [`Game::play`]; [`Game::check`] refuses such moves.
///
/// ```
/// use kakugo::board::{Color, Size};
/// use kakugo::game::{Game, Reason, play_moves};
/// use kakugo::rules::{GomokuGame, Rule};
/// let mut game = GomokuGame::new(Size::default(), Rule::default());
/// play_moves(&mut game, "h8 h9 i8 i9 j8 j9 k8 k9 l8").expect("legal moves");
/// let outcome = game.outcome().expect("the game is over");
/// assert_eq!((outcome.winner, outcome.reason), (Some(Color::Black), Reason::Five));
/// ```
#[derive(Clone)]
pub struct GomokuGame {
    position: Position,
    /// Every move and pass since the start of the game or position.
    played: Vec<Played>,
}

/// A move or pass, and the data to undo it.
#[derive(Clone)]
struct Played {
    /// `None` for a pass.
    point: Option<Point>,
    /// The result, if this move ended the game.
    outcome: Option<Outcome>,
    /// The previous position, if winning rows of a continuous game became walls.
    before: Option<Box<Position>>,
}

impl GomokuGame {
    /// A game on an empty board.
    pub fn new(size: Size, rule: Rule) -> GomokuGame {
        GomokuGame { position: Position::new(Board::new(size), rule), played: Vec::new() }
    }

    /// A game that starts from a board; the moves already on the board cannot be undone.
    pub fn from_board(board: Board, rule: Rule) -> GomokuGame {
        GomokuGame { position: Position::new(board, rule), played: Vec::new() }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position, mutable because looking for fouls plays and undoes moves.
    pub(crate) fn position_mut(&mut self) -> &mut Position {
        &mut self.position
    }

    /// Removes the stone on `point`, even if it was not the last move, and makes its colour the side to move.
    /// If there is no stone, returns `None` and changes nothing. The last move is undone, even if its row became
    /// walls; after the removal of another stone, earlier moves can no longer be undone.
    pub fn remove_stone(&mut self, point: Point) -> Option<Color> {
        if self.played.last().is_some_and(|turn| turn.point == Some(point)) {
            self.undo();
            return Some(self.side_to_move());
        }
        let color = self.position.remove_stone(point)?;
        self.played.clear();
        Some(color)
    }

    fn board(&self) -> &Board {
        self.position.board()
    }

    fn kind(&self) -> RuleKind {
        self.position.rule().kind
    }
}

impl Game for GomokuGame {
    fn name(&self) -> String {
        self.kind().name().to_owned()
    }

    fn size(&self) -> Size {
        self.board().size()
    }

    fn is_hexagonal(&self) -> bool {
        false
    }

    fn cell(&self, point: Point) -> Cell {
        self.board().cell(point)
    }

    fn side_to_move(&self) -> Color {
        self.board().side_to_move()
    }

    fn moves(&self) -> Vec<Move> {
        self.played.iter().filter_map(|turn| turn.point).map(Move::from).collect()
    }

    fn legal_moves(&self) -> Vec<Move> {
        match self.outcome() {
            Some(_) => Vec::new(),
            None => self.board().empty().iter().map(Move::from).collect(),
        }
    }

    fn check(&self, mv: Move) -> Result<(), Refusal> {
        if self.outcome().is_some() {
            Err(Refusal::Over)
        } else if !self.size().contains(mv.point) {
            Err(Refusal::OffBoard)
        } else if !self.board().is_empty(mv.point) {
            Err(Refusal::Taken)
        } else if mv.choice > 0 {
            Err(Refusal::NoSuchChoice(0))
        } else {
            Ok(())
        }
    }

    fn play(&mut self, mv: Move) {
        let verdict = self.position.verdict(mv.point);
        let becomes_walls = verdict == Verdict::Five && self.position.rule().continuous;
        let before = becomes_walls.then(|| Box::new(self.position.clone()));
        let us = self.side_to_move();
        self.position.play_in_game(mv.point);
        let outcome = match verdict {
            Verdict::Five if !becomes_walls => Some(Outcome::win(us, Reason::Five)),
            Verdict::Foul(foul) => Some(Outcome::win(!us, Reason::Foul(foul))),
            _ if self.board().empty().is_empty() => Some(Outcome::draw(Reason::Full)),
            _ => None,
        };
        self.played.push(Played { point: Some(mv.point), outcome, before });
    }

    /// Two consecutive passes are a draw in renju. The other rules allow a pass only before the first stone,
    /// so that white begins.
    fn pass(&mut self) -> Result<(), Refusal> {
        if self.outcome().is_some() {
            return Err(Refusal::Over);
        }
        let is_beginning = self.played.is_empty() && self.board().empty().len() == self.size().area();
        if self.kind() != RuleKind::Renju && !is_beginning {
            return Err(Refusal::NoPass);
        }
        let is_second = self.played.last().is_some_and(|turn| turn.point.is_none());
        self.position.pass();
        let outcome = is_second.then_some(Outcome::draw(Reason::Passes));
        self.played.push(Played { point: None, outcome, before: None });
        Ok(())
    }

    fn undo(&mut self) {
        let turn = self.played.pop().expect("there is a move to take back");
        match turn.before {
            Some(before) => self.position = *before,
            None => self.position.undo(),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.played.last().and_then(|turn| turn.outcome)
    }

    fn hash(&self) -> u64 {
        self.board().hash()
    }

    fn changes(&self) -> Changes {
        // Without the stones of a five that become blocked points in a continuous game: no caller needs them.
        let last = self.played.last().and_then(|turn| turn.point);
        let change = |point| Change { point, from: Cell::Empty, to: self.cell(point) };
        last.map(change).into_iter().collect()
    }

    fn winning_row(&self) -> Option<Vec<Point>> {
        let winner = self.outcome().filter(|outcome| outcome.reason == Reason::Five)?.winner?;
        let point = self.played.last()?.point?;
        let mut before = self.position.clone();
        before.undo();
        let wins = |&direction: &Direction| before.line_class(winner, point, direction) == LineClass::Five;
        let direction = Direction::ALL.into_iter().find(wins)?;
        Some(before.board().row(winner, point, direction))
    }

    fn forbidden(&self) -> Vec<(Point, Foul)> {
        if self.outcome().is_some() || !self.kind().has_fouls(self.side_to_move()) {
            return Vec::new();
        }
        let mut position = self.position.clone();
        let empty = *self.board().empty();
        empty.iter().filter_map(|point| Some((point, position.foul(point)?))).collect()
    }

    fn status(&self) -> String {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::{format_fen, parse_moves};
    use crate::game::play_moves;

    fn game(rule: impl Into<Rule>, moves: &str) -> GomokuGame {
        let mut game = GomokuGame::new(Size::default(), rule.into());
        play_moves(&mut game, moves).unwrap();
        game
    }

    #[test]
    fn a_five_ends_the_game_and_shows_its_row() {
        let mut game = game(RuleKind::Standard, "h8a1h9a2h10a3h11c3h12");
        assert_eq!(game.outcome(), Some(Outcome::win(Color::Black, Reason::Five)));
        let row = parse_moves("h12h11h10h9h8", game.size()).unwrap();
        assert_eq!(game.winning_row(), Some(row));
        assert_eq!(game.check(game.size().center().into()), Err(Refusal::Over));
        assert!(game.legal_moves().is_empty());
        game.undo();
        assert_eq!((game.outcome(), game.winning_row(), game.moves().len()), (None, None, 8));
    }

    #[test]
    fn a_foul_is_played_and_loses() {
        let mut game = game(RuleKind::Renju, "h9a1h10a3g8a5i8a7");
        let center = game.size().center();
        assert_eq!(game.forbidden(), [(center, Foul::DoubleThree)]);
        assert_eq!(game.check(center.into()), Ok(()));
        game.play(center.into());
        assert_eq!(game.outcome(), Some(Outcome::win(Color::White, Reason::Foul(Foul::DoubleThree))));
        assert_eq!((game.winning_row(), game.forbidden()), (None, Vec::new()));
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let mut game = GomokuGame::new(Size::square(5).unwrap(), RuleKind::Standard.into());
        // Neither side gets a line: XOXOX, XOXOX, OXOXO, OXOXO, XOXOX.
        play_moves(&mut game, "a1b1c1d1e1b2a2d2c2a3e2c3b3e3d3a4b4c4d4e4a5b5c5d5").unwrap();
        assert_eq!((game.outcome(), game.legal_moves().len()), (None, 1));
        play_moves(&mut game, "e5").unwrap();
        assert_eq!(game.outcome(), Some(Outcome::draw(Reason::Full)));
    }

    #[test]
    fn two_consecutive_passes_are_a_draw_in_renju_only() {
        let mut game = game(RuleKind::Renju, "h8 pass i9 pass");
        assert_eq!((game.outcome(), game.side_to_move()), (None, Color::Black));
        assert_eq!(game.moves().len(), 2);
        game.pass().unwrap();
        assert_eq!(game.outcome(), Some(Outcome::draw(Reason::Passes)));
        assert_eq!(game.pass(), Err(Refusal::Over));
        game.undo();
        game.undo();
        assert_eq!((game.outcome(), game.side_to_move()), (None, Color::White));
        game.position().validate();
        for kind in RuleKind::ALL.into_iter().filter(|&kind| kind != RuleKind::Renju) {
            assert_eq!(self::game(kind, "h8").pass(), Err(Refusal::NoPass), "{}", kind.name());
        }
    }

    #[test]
    fn white_may_begin_under_every_rule() {
        for kind in RuleKind::ALL {
            let mut game = game(kind, "pass h8 i9");
            assert_eq!((game.side_to_move(), game.moves().len()), (Color::White, 2), "{}", kind.name());
            assert_eq!(game.cell(game.size().center()), Cell::White);
            (0..3).for_each(|_| game.undo());
            assert_eq!((game.side_to_move(), game.hash()), (Color::Black, self::game(kind, "").hash()));
        }
        let mut game = game(RuleKind::Standard, "pass");
        assert_eq!(game.pass(), Err(Refusal::NoPass));
    }

    #[test]
    fn undo_restores_the_rows_of_a_continuous_game() {
        let rule = Rule { kind: RuleKind::Freestyle, continuous: true };
        let mut game = game(rule, "h8a1h9a2h10a3h11c3");
        let before = format_fen(game.board());
        play_moves(&mut game, "h12").unwrap();
        assert_eq!((game.outcome(), game.cell(game.size().center())), (None, Cell::Wall));
        game.undo();
        assert_eq!(format_fen(game.board()), before);
        game.position().validate();
        assert_eq!(game.moves().len(), 8);
    }
}
