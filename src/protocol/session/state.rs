//! `YXSTATE` and `YXTHREATS`: the parts of a position that boards draw but do not know themselves.

use super::game::CurrentGame;
use crate::board::{Cell, Color, Point};
use crate::game::Game;
use crate::protocol::board_response::StateResponse;
use crate::protocol::response::Response;
use crate::rules::PointClass;

/// The threats that are reported, the strongest first. Fouls are not threats, see `YXSHOWFORBID`.
const THREATS: [PointClass; 6] = [
    PointClass::Five,
    PointClass::OpenFour,
    PointClass::FourThree,
    PointClass::Four,
    PointClass::DoubleThree,
    PointClass::OpenThree,
];

impl CurrentGame {
    /// The state of the game.
    pub(super) fn state(&self) -> Response {
        let game = self.played().game();
        let of = |cell| game.size().points().filter(move |&point| game.cell(point) == cell).collect();
        Response::State(Box::new(StateResponse {
            to_move: game.side_to_move(),
            black: of(Cell::Black),
            white: of(Cell::White),
            removed: game.removed(),
            row: game.winning_row().unwrap_or_default(),
            choices: choices(game),
            outcome: game.outcome(),
            status: game.status(),
        }))
    }

    /// The points where a stone of each side would make a threat.
    pub(super) fn threats(&self) -> Vec<Response> {
        let mut position = self.engine().position().clone();
        let of = |color: Color| {
            let empty = *position.board().empty();
            let classes: Vec<(Point, PointClass)> =
                empty.iter().map(|point| (point, position.real_class(color, point))).collect();
            let points = |class: PointClass| {
                classes
                    .iter()
                    .filter(|&&(_, made)| made == class)
                    .map(|&(point, _)| point)
                    .collect::<Vec<_>>()
            };
            let threats = THREATS.map(|class| (class, points(class)));
            Response::Threats(color, threats.into_iter().filter(|(_, points)| !points.is_empty()).collect())
        };
        Color::ALL.map(of).to_vec()
    }
}

/// The points where the mover chooses among several captures, with their number.
fn choices(game: &dyn Game) -> Vec<(Point, usize)> {
    let moves = game.legal_moves();
    let last = moves.iter().filter(|mv| mv.choice > 0);
    let mut choices: Vec<(Point, usize)> = Vec::new();
    for mv in last {
        let count = usize::from(mv.choice) + 1;
        match choices.last_mut() {
            Some((point, most)) if *point == mv.point => *most = count.max(*most),
            _ => choices.push((mv.point, count)),
        }
    }
    choices
}
