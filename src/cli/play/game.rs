//! A game of the Gomocup family between a person and the engine: its moves, and how it ended. Prints nothing.

use std::sync::atomic::AtomicBool;

use super::contest::{AGREED, Contest, GameResult, out_of_time, record_text};
use crate::board::notation::{format_moves, format_point};
use crate::board::{Board, Color, Direction, Point, Size};
use crate::cli::forbidden::{Survey, foul_reasons, rows};
use crate::drawing::{Drawing, Look, Tone, names};
use crate::engine::{Engine, MoveError};
use crate::levels::{Level, LevelPlayer};
use crate::rules::{Foul, LineClass, Position, Rule, RuleKind, Verdict};
use crate::search::{Limits, Silent};
use crate::variant_search::SearchResult;
use crate::variants::{Move, Refusal};

/// End of a game, with its circumstances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameOver {
    /// A winning row.
    Five {
        /// Whose.
        winner: Color,
        /// Its stones.
        row: Vec<Point>,
        /// Direction of the row.
        direction: Direction,
    },
    /// Black fouled.
    Foul {
        /// Where.
        point: Point,
        /// Kind of foul.
        foul: Foul,
        /// Why, one line for each row, four or three.
        reasons: Vec<String>,
    },
    /// No point is empty any more.
    Full,
    /// A side gave up.
    Resigned(Color),
    /// Both sides wanted a draw.
    Agreed,
    /// The time of a side, or of both, was out.
    OutOfTime(Option<Color>),
}

impl GameOver {
    /// Who won; `None` for a draw.
    pub fn winner(&self) -> Option<Color> {
        match *self {
            GameOver::Five { winner, .. } => Some(winner),
            GameOver::Foul { .. } => Some(Color::White),
            GameOver::Full | GameOver::Agreed => None,
            GameOver::OutOfTime(loser) => loser.map(|loser| !loser),
            GameOver::Resigned(loser) => Some(!loser),
        }
    }
}

/// A game, and the engine that plays in it.
///
/// Invariant: the position holds the moves of this game and nothing else.
pub struct GomokuContest {
    engine: Engine,
    player: LevelPlayer,
    ending: Option<GameOver>,
    /// The name of the rule in the title.
    rule_name: &'static str,
    /// Stones of an opening procedure, which nobody takes back.
    settled: usize,
}

impl GomokuContest {
    /// A game on an empty board, in which `engine` plays as `player`.
    pub fn new(rule: RuleKind, size: Size, mut engine: Engine, player: LevelPlayer) -> GomokuContest {
        engine.set_rule(Rule::from(rule));
        engine.new_game(size);
        GomokuContest { engine, player, ending: None, rule_name: rule.name(), settled: 0 }
    }

    /// Calls the rule as practice and challenge do.
    pub fn name_as_level(&mut self) {
        self.rule_name = self.rule().other_name().unwrap_or(self.rule_name);
    }

    /// Makes the stones that are on the board stay there.
    pub fn settle(&mut self) {
        self.settled = self.moves().len();
    }

    /// The position, to ask it for fouls.
    pub fn position_mut(&mut self) -> &mut Position {
        self.engine.position_mut()
    }

    /// The board.
    pub fn board(&self) -> &Board {
        self.engine.position().board()
    }

    /// The rule.
    pub fn rule(&self) -> RuleKind {
        self.engine.position().rule().kind
    }

    /// The moves, black's first.
    pub fn moves(&self) -> Vec<Point> {
        self.board().history().iter().copied().flatten().collect()
    }

    /// End of the game, if it has ended.
    pub fn ending(&self) -> Option<&GameOver> {
        self.ending.as_ref()
    }

    /// The side to move plays `point`, and may end the game by it.
    ///
    /// # Errors
    /// When the point is taken; nothing has changed then.
    pub fn put(&mut self, point: Point) -> Result<(), MoveError> {
        let ending = match self.position_mut().verdict(point) {
            Verdict::Illegal => return Err(MoveError::Taken),
            Verdict::Five => self.five(point),
            Verdict::Foul(foul) => {
                Some(GameOver::Foul { point, foul, reasons: foul_reasons(self.board(), point) })
            }
            Verdict::Plain => None,
        };
        self.engine.play(point)?;
        self.ending = ending.or_else(|| self.board().empty().is_empty().then_some(GameOver::Full));
        Ok(())
    }

    /// The row that the side to move wins by with `point`.
    fn five(&self, point: Point) -> Option<GameOver> {
        let winner = self.turn();
        let position = self.engine.position();
        let wins = |direction| position.line_class(winner, point, direction) == LineClass::Five;
        let (direction, row) = rows(self.board(), winner, point).find(|&(direction, _)| wins(direction))?;
        Some(GameOver::Five { winner, row, direction })
    }
}

impl Contest for GomokuContest {
    fn title(&self) -> String {
        let title = format!("{} {}", self.rule_name, self.board().size());
        if self.player.level == Level::FULL { title } else { format!("{title}, {}", self.player) }
    }

    fn size(&self) -> Size {
        self.board().size()
    }

    fn turn(&self) -> Color {
        self.board().side_to_move()
    }

    fn move_count(&self) -> usize {
        self.moves().len()
    }

    fn play(&mut self, mv: Move) -> Result<(), String> {
        if mv.choice > 0 {
            return Err(Refusal::NoSuchChoice(0).to_string());
        }
        self.put(mv.point).map_err(|error| error.to_string())
    }

    fn resign(&mut self, loser: Color) {
        self.ending = Some(GameOver::Resigned(loser));
    }

    fn agree_on_draw(&mut self) {
        self.ending = Some(GameOver::Agreed);
    }

    fn run_out_of_time(&mut self, loser: Option<Color>) {
        self.ending = Some(GameOver::OutOfTime(loser));
    }

    fn undo(&mut self, side: Color) -> bool {
        if [Some(GameOver::Resigned(side)), Some(GameOver::Agreed)].contains(&self.ending) {
            self.ending = None;
            return true;
        }
        // Colours take turns from black's first move on.
        let first = if side == Color::Black { 1 } else { 2 };
        let own = (self.settled..self.moves().len()).find(|ply| ply % 2 + 1 == first);
        if own.is_none() {
            return false;
        }
        self.ending = None;
        loop {
            self.position_mut().undo();
            if self.turn() == side {
                return true;
            }
        }
    }

    fn think(&mut self, limits: &Limits) -> SearchResult {
        let report = self.player.think(&mut self.engine, limits, &AtomicBool::new(false), &Silent);
        let line = report.last.pv.iter().map(|&point| point.into()).collect();
        SearchResult { best: report.best_move.map(Move::from), line, last: report.last }
    }

    /// Where black has to mind fouls, with these.
    fn drawing(&mut self, human: Color, look: Look) -> String {
        let turn = self.turn();
        let must_mind = self.ending.is_none() && turn == human && self.rule().has_fouls(turn);
        let mut marks = if must_mind { Survey::of(self.position_mut()).marks() } else { Vec::new() };
        marks.retain(|mark| mark.tone == Tone::Bad);
        let row: &[Point] = match &self.ending {
            Some(GameOver::Five { row, .. }) => row,
            _ => &[],
        };
        let board = self.board();
        let drawing = Drawing::new(board, look).with_marks(&marks).with_row(row);
        let mut text = format!("{}\n", drawing.with_last(board.last_move()));
        let meanings = [('3', "double three"), ('4', "double four"), ('6', "overline")];
        let shown = meanings.iter().filter(|(glyph, _)| marks.iter().any(|mark| mark.glyph == *glyph));
        let legend: Vec<String> = shown.map(|(glyph, meaning)| format!("{glyph} {meaning}")).collect();
        if !legend.is_empty() {
            let legend = format!("forbidden to you: {}", legend.join(", "));
            text += &format!("{}\n", look.faint(&legend));
        }
        text
    }

    fn result(&self) -> Option<GameResult> {
        let ending = self.ending.as_ref()?;
        let size = self.size();
        let (text, reasons): (String, &[String]) = match ending {
            GameOver::Five { row, direction, .. } => {
                (format!("{} in a row, {direction}: {}", row.len(), names(row, size)), &[])
            }
            GameOver::Foul { point, foul, reasons } => {
                (format!("{} is a {foul}, which black may not make", format_point(*point, size)), reasons)
            }
            GameOver::Full => ("the board is full".to_owned(), &[]),
            GameOver::Agreed => (AGREED.to_owned(), &[]),
            GameOver::OutOfTime(loser) => (out_of_time(*loser), &[]),
            GameOver::Resigned(loser) => (format!("{loser} resigned"), &[]),
        };
        Some(GameResult { winner: ending.winner(), text, reasons: reasons.to_vec() })
    }

    fn record(&self) -> String {
        let moves = format_moves(&self.moves(), self.size());
        record_text(&format!("rule={}", self.rule().name()), self.size(), self.result().as_ref(), &moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_moves;
    use crate::engine::Options;

    fn game(rule: RuleKind, size: Size, moves: &str) -> GomokuContest {
        let mut game =
            GomokuContest::new(rule, size, Engine::new(Options::default()), LevelPlayer::default());
        for point in parse_moves(moves, size).unwrap() {
            assert_eq!(game.ending(), None);
            game.put(point).unwrap();
        }
        game
    }

    #[test]
    fn a_five_shows_its_row() {
        let size = Size::default();
        let game = game(RuleKind::Standard, size, "h8a1h9a2h10a3h11c3h12");
        let row = parse_moves("h12h11h10h9h8", size).unwrap();
        let direction = Direction::Vertical;
        assert_eq!(game.ending(), Some(&GameOver::Five { winner: Color::Black, row, direction }));
    }

    #[test]
    fn a_foul_ends_the_game_and_is_explained() {
        let size = Size::default();
        let mut game = game(RuleKind::Renju, size, "h9a1h10a3g8a5i8a7h8");
        let Some(GameOver::Foul { foul: Foul::DoubleThree, reasons, .. }) = game.ending() else {
            panic!("{:?}", game.ending());
        };
        assert_eq!(reasons.len(), 2, "{reasons:?}");
        assert_eq!(game.ending().and_then(GameOver::winner), Some(Color::White));
        assert!(game.undo(Color::Black));
        assert_eq!((game.ending(), game.turn(), game.moves().len()), (None, Color::Black, 8));
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let size = Size::square(5).unwrap();
        // Neither side gets a line: XOXOX, XOXOX, OXOXO, OXOXO, XOXOX.
        let order = "a1b1c1d1e1b2a2d2c2a3e2c3b3e3d3a4b4c4d4e4a5b5c5d5e5";
        let game = game(RuleKind::Standard, size, order);
        assert_eq!(game.ending(), Some(&GameOver::Full), "{}", format_moves(&game.moves(), size));
    }

    #[test]
    fn undo_goes_back_to_the_own_turn() {
        let size = Size::default();
        let mut game = game(RuleKind::Freestyle, size, "h8i9");
        assert!(game.undo(Color::Black));
        assert_eq!(game.moves().len(), 0);
        assert!(!game.undo(Color::Black));
        game.put(size.center()).unwrap();
        assert!(!game.undo(Color::White), "the engine's opening move is not the person's to take back");
        game.resign(Color::White);
        assert!(game.undo(Color::White));
        assert_eq!((game.ending(), game.moves().len()), (None, 1));
    }
}
