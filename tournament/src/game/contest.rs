//! A game in progress, whichever rules it is played by: who moves, how that side's engine is
//! asked, what its answer means.

use kakugo::board::notation::format_moves;
use kakugo::board::{Color, Point};

use crate::batch::settings::Settings;
use crate::game::ending::Ending;
use crate::game::referee::Referee;
use crate::game::variant::referee::VariantReferee;
use crate::player::{Failure, MoveAnswer, Player};

/// The referee of a game, and how its players are spoken to.
pub enum Contest<'a> {
    /// By a rule of the protocol.
    Gomoku(Box<Referee<'a>>, &'a Settings),
    /// A game outside that family.
    Variant(VariantReferee),
}

impl<'a> Contest<'a> {
    /// A game from `opening`, which was checked when it was read.
    pub fn new(settings: &'a Settings, opening: &[Point]) -> Contest<'a> {
        match &settings.variant {
            Some(name) => Contest::Variant(VariantReferee::new(name, opening, settings.max_moves)),
            None => {
                let referee =
                    Referee::new(settings, opening).expect("openings are checked when they are read");
                Contest::Gomoku(Box::new(referee), settings)
            }
        }
    }

    /// Who moves next.
    pub fn side_to_move(&self) -> Color {
        match self {
            Contest::Gomoku(referee, _) => referee.side_to_move(),
            Contest::Variant(referee) => referee.side_to_move(),
        }
    }

    /// The draw that the position is, if it is one.
    pub fn draw(&self) -> Option<Ending> {
        match self {
            Contest::Gomoku(referee, _) => referee.draw(),
            Contest::Variant(referee) => referee.draw(),
        }
    }

    /// Asks the engine of the side to move.
    ///
    /// # Errors
    /// When no move comes, or not in time.
    pub fn ask(&self, player: &mut Player) -> Result<MoveAnswer, Failure> {
        match self {
            Contest::Gomoku(referee, _) => player.ask(referee.side_to_move(), referee.moves()),
            Contest::Variant(referee) => player.ask_in_variant(referee.side_to_move(), &referee.moves()),
        }
    }

    /// Plays what the engine answered; the ending that it makes, draws by a limit not included.
    pub fn judge(&mut self, answer: &MoveAnswer) -> Option<Ending> {
        match self {
            Contest::Gomoku(referee, _) => referee.judge(answer.x, answer.y),
            Contest::Variant(referee) => referee.judge(answer.x, answer.y, answer.choice),
        }
    }

    /// All moves as records have them.
    pub fn moves_text(&self) -> String {
        match self {
            Contest::Gomoku(referee, settings) => format_moves(referee.moves(), settings.size),
            Contest::Variant(referee) => referee.moves_text(),
        }
    }
}
