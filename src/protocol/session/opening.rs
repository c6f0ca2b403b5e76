//! The commands of openings: `SWAP2BOARD`, Yixin's dialogues of swap2 and Soosorv-8, `PROCEDURE`, and
//! balanced moves.
//!
//! Each becomes a [`Negotiation`] at the step of the command; [`crate::opening`] decides, and a [`Form`] is
//! the format of the answer. The stones known at that step, including ours, are on the engine's board.

use std::cell::Cell;
use std::time::Duration;

use super::CommandRefusal;
use super::game::CurrentGame;
use super::task::{Channel, Form, Respond};
use crate::board::notation::format_coordinates;
use crate::board::{Bitboard, Board, Color, Point, Size};
use crate::database::Reader;
use crate::engine::Engine;
use crate::engine::levels::LevelPlayer;
use crate::opening::{self, Brief};
use crate::protocol::command::{SoosorvStep, Swap2Step};
use crate::protocol::response::Response;
use crate::rules::procedure::{Answer, Negotiation, Procedure, Symmetries};
use crate::system::host::Instant;
use crate::think::score::{self, Value};
use crate::think::{Clock, DEFAULT_TURN_MS, Limits};

/// Divisor of the time for a `SWAP2BOARD` decision, because a move may have to follow in the same time.
const MOVE_FOLLOWS: u64 = 3;
/// Maximum time of a decision in milliseconds, whatever the limit for moves: boards without a limit wait for
/// it.
const MOST_DECISION_MS: u64 = 20_000;
/// Interval at which the progress of a decision is reported.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// An opening procedure up to our decision.
pub(super) struct Opening {
    procedure: Procedure,
    /// The answers given so far.
    answers: Vec<Answer>,
    /// Format of our answer.
    form: Form,
}

/// `SWAP2BOARD` with these stones.
pub(super) fn swap2_board(stones: &[Point]) -> Result<Opening, CommandRefusal> {
    let answers = match *stones {
        [] => Vec::new(),
        [_, _, _] => vec![Answer::Stones(stones.to_vec())],
        [_, _, _, _, _] => {
            vec![Answer::Stones(stones[..3].to_vec()), Answer::Stones(stones[3..].to_vec())]
        }
        _ => return Err(stones_refused("SWAP2BOARD", "0, 3 or 5", stones.len())),
    };
    Ok(Opening { procedure: Procedure::Swap2, answers, form: Form::Swap2Board })
}

/// `YXSWAP2STEP1` starts from an empty board, the other steps use the stones set by `YXBOARD`.
pub(super) fn swap2_step(step: Swap2Step, board: &Board) -> Result<Opening, CommandRefusal> {
    let [mut black, mut white] = Color::ALL.map(|color| board.stones(color).iter());
    let next = |color| if color == Color::Black { black.next() } else { white.next() };
    let order = [Color::Black, Color::White, Color::Black, Color::White, Color::Black];
    let stones: Vec<Point> = order.into_iter().map_while(next).collect();
    let count = board.stone_count();
    let answers = match (step, count) {
        (Swap2Step::Opening, _) => Vec::new(),
        (Swap2Step::Swap, 3) if stones.len() == 3 => vec![Answer::Stones(stones)],
        (Swap2Step::Swap, 3) => return Err(CommandRefusal::OpeningColors("YXSWAP2STEP2")),
        (Swap2Step::Swap, _) => return Err(stones_refused("YXSWAP2STEP2", "3", count)),
        (Swap2Step::Color, 5) if stones.len() == 5 => {
            vec![Answer::Stones(stones[..3].to_vec()), Answer::Stones(stones[3..].to_vec())]
        }
        (Swap2Step::Color, 5) => return Err(CommandRefusal::OpeningColors("YXSWAP2STEP3")),
        (Swap2Step::Color, _) => return Err(stones_refused("YXSWAP2STEP3", "5", count)),
    };
    Ok(Opening { procedure: Procedure::Swap2, answers, form: Form::YixinSwap2 })
}

/// `YXSOOSORVSTEP1`.
pub(super) fn soosorv_opening() -> Opening {
    Opening { procedure: Procedure::Soosorv8, answers: Vec::new(), form: Form::YixinSoosorv }
}

/// The other steps of Soosorv-8. Previous swaps do not matter to the decision, so none are assumed.
pub(super) fn soosorv_step(
    step: SoosorvStep,
    stones: &[Point],
    size: Size,
) -> Result<Opening, CommandRefusal> {
    let refused = |command, wanted| Err(stones_refused(command, wanted, stones.len()));
    let opening = |stones: &[Point]| Answer::Stones(stones.to_vec());
    let fourth = |stones: &[Point], count| Answer::StonesAndCount(stones.to_vec(), count);
    let answers = match (step, stones.len()) {
        (SoosorvStep::Swap, 3) => vec![opening(stones)],
        (SoosorvStep::Fourth, 3) => vec![opening(stones), Answer::Stay],
        (SoosorvStep::SwapAgain(count), 4) => {
            vec![opening(&stones[..3]), Answer::Stay, fourth(&stones[3..], count)]
        }
        (SoosorvStep::Offer(count), 4) => {
            vec![opening(&stones[..3]), Answer::Stay, fourth(&stones[3..], count), Answer::Stay]
        }
        (SoosorvStep::Choice, 5..) => {
            let offered = different_fifths(stones, size);
            vec![
                opening(&stones[..3]),
                Answer::Stay,
                fourth(&stones[3..4], offered.len()),
                Answer::Stay,
                Answer::Offer(offered),
            ]
        }
        (SoosorvStep::Swap, _) => return refused("YXSOOSORVSTEP2", "3"),
        (SoosorvStep::Fourth, _) => return refused("YXSOOSORVSTEP3", "3"),
        (SoosorvStep::SwapAgain(_), _) => return refused("YXSOOSORVSTEP4", "4"),
        (SoosorvStep::Offer(_), _) => return refused("YXSOOSORVSTEP5", "4"),
        (SoosorvStep::Choice, _) => return refused("YXSOOSORVSTEP6", "4 and the offered"),
    };
    Ok(Opening { procedure: Procedure::Soosorv8, answers, form: Form::YixinSoosorv })
}

/// The fifth moves after four stones, only the first of each set of symmetric ones, because Yixin-Board lets
/// people offer any points.
fn different_fifths(stones: &[Point], size: Size) -> Vec<Point> {
    let board = Board::of_moves(size, &stones[..4]);
    Symmetries::of(&board).distinct(stones[4..].iter().copied())
}

/// `PROCEDURE` after these answers.
pub(super) fn procedure(procedure: Procedure, answers: Vec<Answer>) -> Opening {
    Opening { procedure, answers, form: Form::Procedure }
}

/// The procedure after the answers given so far.
fn replay(opening: &Opening, size: Size) -> Result<Negotiation, CommandRefusal> {
    let mut negotiation = Negotiation::new(opening.procedure, size)?;
    for (index, answer) in opening.answers.iter().enumerate() {
        let refused = |reason| CommandRefusal::Procedure { answer: index + 1, reason };
        negotiation.answer(answer).map_err(refused)?;
    }
    Ok(negotiation)
}

/// `YXPROCEDURE`: the decision that is due, who makes it, and with which colour.
pub(super) fn due(opening: &Opening, size: Size) -> Result<Response, CommandRefusal> {
    let negotiation = replay(opening, size)?;
    let person = negotiation.decider();
    Ok(Response::Due {
        person,
        color: negotiation.color(person),
        decision: negotiation.decision(),
        offered: negotiation.offered().to_vec(),
    })
}

/// The openings of a conversation.
#[derive(Default)]
pub(super) struct OpeningTalk {
    /// The opening in which a decision is being made.
    negotiation: Option<Negotiation>,
    /// Number of openings chosen with this seed, so that a match gets different openings.
    chosen: u64,
}

impl OpeningTalk {
    /// Begins with the openings of another seed.
    pub(super) fn restart(&mut self) {
        self.chosen = 0;
    }

    /// Replays the answers given so far; the next decision is ours.
    pub(super) fn begin(&mut self, opening: Opening, game: &mut CurrentGame) -> Result<Form, CommandRefusal> {
        let negotiation = replay(&opening, game.board().size())?;
        if negotiation.decision().is_none() {
            return Err(CommandRefusal::Decided);
        }
        game.engine_mut().set_board(negotiation.board());
        self.negotiation = Some(negotiation);
        Ok(opening.form)
    }

    /// Makes the decision that [`OpeningTalk::begin`] has prepared, and returns the last line of the answer;
    /// `None` if the answer is a move that is still to be found. `book` has values of positions.
    pub(super) fn decide(
        &mut self,
        form: Form,
        game: &mut CurrentGame,
        player: LevelPlayer,
        book: Option<&Reader>,
        limits: &Limits,
        channel: Channel,
    ) -> Option<Response> {
        let Some(mut negotiation) = self.negotiation.take() else {
            return Some(Response::error(CommandRefusal::Decided));
        };
        let limits = player.limited(limits);
        let limits = decision_limits(&limits, if form == Form::Swap2Board { MOVE_FOLLOWS } else { 1 });
        let seed = player.seed.wrapping_add(self.chosen);
        let progress = progress_reporter(channel.respond);
        let mut brief = Brief::new(&limits, channel.control.stop_flag(), seed).with_progress(&progress);
        if let Some(book) = book {
            brief = brief.with_known(book);
        }
        let work = |engine: &mut Engine| opening::decide(engine, &negotiation, &brief);
        let Some(decided) = player.shelter(game.engine_mut(), work) else {
            return Some(Response::error(CommandRefusal::Decided));
        };
        self.chosen += u64::from(negotiation.stones().is_empty());
        (channel.respond)(Response::Message(format!(
            "{}: {} value {} nodes {}",
            negotiation.procedure(),
            decided.answer.describe(&format_coordinates),
            score::format(decided.value),
            decided.nodes,
        )));
        let stones = negotiation.stones().len();
        if let Err(reason) = negotiation.answer(&decided.answer) {
            return Some(Response::error(reason));
        }
        game.engine_mut().set_board(negotiation.board());
        channel.send_but_last(match form {
            Form::Procedure => vec![Response::Answer(decided.answer)],
            Form::Swap2Board => swap2_board_line(&decided.answer, stones).into_iter().collect(),
            Form::YixinSwap2 => yixin_swap2_lines(&decided.answer, stones),
            Form::YixinSoosorv => yixin_soosorv_lines(&decided.answer, stones),
        })
    }
}

/// Finds moves that make the position worth `bias` to the side to move, except those that `excluded` returns for a
/// position. `book` has values of positions.
pub(super) fn balance(
    engine: &mut Engine,
    count: usize,
    bias: Value,
    book: Option<&Reader>,
    excluded: &dyn Fn(&Board) -> Bitboard,
    limits: &Limits,
    channel: Channel,
) -> Response {
    let board: Board = engine.position().board().clone();
    let (limits, progress) = (decision_limits(limits, 1), progress_reporter(channel.respond));
    let stop = channel.control.stop_flag();
    let mut brief = Brief::new(&limits, stop, 0).with_progress(&progress).with_excluded(excluded);
    if let Some(book) = book {
        brief = brief.with_known(book);
    }
    let Some(level) = opening::balance(engine, &board, count, bias, &brief) else {
        // The command has checked that there are empty points.
        let is_limited = book.is_some() || !excluded(&board).is_empty();
        let refusal = if is_limited { CommandRefusal::NoFreeMove } else { CommandRefusal::NoQuietMove };
        return Response::error(refusal);
    };
    (channel.respond)(Response::Message(format!("balance value {}", score::format(level.value))));
    match level.points[..] {
        [point] => Response::Move(point),
        _ => Response::Moves(level.points),
    }
}

fn stones_refused(command: &'static str, wanted: &'static str, got: usize) -> CommandRefusal {
    CommandRefusal::OpeningStones { command, wanted, got }
}

/// `limits` with the time for a move divided by `divisor` and at most the time for decisions.
fn decision_limits(limits: &Limits, divisor: u64) -> Limits {
    let shortened = |clock: Clock| {
        let turn_ms = clock.turn_ms.unwrap_or(DEFAULT_TURN_MS).min(MOST_DECISION_MS);
        Clock { turn_ms: Some(turn_ms), ..clock }.divided(divisor)
    };
    Limits { clock: limits.clock.map(shortened), ..*limits }
}

/// Reports the progress of a decision at intervals.
fn progress_reporter(respond: Respond<'_>) -> impl Fn(u64) {
    let last = Cell::new(Instant::now());
    move |percent| {
        if last.get().elapsed() >= PROGRESS_INTERVAL {
            last.set(Instant::now());
            respond(Response::Message(format!("deciding: {percent}%")));
        }
    }
}

/// The answer to `SWAP2BOARD`; `None` if we make white's next move instead. After five stones, the first person, who
/// placed the first three, has black unless he takes white. The line `SWAP` from him therefore means that he keeps
/// black and the other person makes the next move.
fn swap2_board_line(answer: &Answer, stones: usize) -> Option<Response> {
    let plays_on = match answer {
        Answer::Stones(points) => return Some(Response::Moves(points.clone())),
        Answer::Swap => stones == 5,
        _ => stones == 3,
    };
    (!plays_on).then_some(Response::Swap)
}

/// Points as Yixin-Board reads them in these messages: two numbers separated by a blank, in the order of its
/// other points.
fn yixin_moves(word: &str, first: usize, points: &[Point]) -> Vec<Response> {
    let line = |(index, point): (usize, &Point)| {
        Response::Message(format!("{word} MOVE{} {} {}", first + index, point.x(), point.y()))
    };
    points.iter().enumerate().map(line).collect()
}

/// Yixin's swap2: `SWAP1` states whether the second person takes black, `SWAP2` whether the first person
/// does.
fn yixin_swap2_lines(answer: &Answer, stones: usize) -> Vec<Response> {
    let takes_black = (*answer == Answer::Swap) == (stones == 3);
    match answer {
        Answer::Stones(points) => yixin_moves("SWAP2", stones + 1, points),
        _ => {
            let (which, yes) = (if stones == 3 { 1 } else { 2 }, if takes_black { "YES" } else { "NO" });
            vec![Response::Message(format!("SWAP2 SWAP{which} {yes}"))]
        }
    }
}

/// Yixin's Soosorv-8.
fn yixin_soosorv_lines(answer: &Answer, stones: usize) -> Vec<Response> {
    let line = |text: String| Response::Message(format!("SOOSORV {text}"));
    let at = |point: &Point| format!("{} {}", point.x(), point.y());
    match answer {
        Answer::Stones(points) => yixin_moves("SOOSORV", stones + 1, points),
        Answer::StonesAndCount(points, count) => {
            points.iter().map(|point| line(format!("MOVE4 {} {count}", at(point)))).collect()
        }
        Answer::Swap | Answer::Stay => {
            let which = if stones == 3 { 1 } else { 2 };
            let yes = if *answer == Answer::Swap { 'Y' } else { 'N' };
            vec![line(format!("SWAP{which} {yes}"))]
        }
        Answer::Offer(points) => {
            let offered = points.iter().map(|point| line(format!("MOVE5 {}", at(point))));
            let refresh = line("MOVE5 REFRESH".to_owned());
            std::iter::once(refresh).chain(offered).chain([line("MOVE5 DONE".to_owned())]).collect()
        }
        // This message is the only one with a C in place of the blank: Yixin-Board reads it so.
        Answer::Choose(point) => vec![line(format!("MOVE5C {}", at(point)))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_takes_the_time_of_a_move_and_at_most_20_seconds() {
        let turn_ms = |sent: Option<u64>, divisor: u64| {
            let clock = Some(Clock { turn_ms: sent, ..Clock::default() });
            let limits = decision_limits(&Limits { clock, ..Limits::infinite() }, divisor);
            limits.clock.and_then(|clock| clock.turn_ms)
        };
        for (sent, divisor, expected) in [
            (Some(3_000), 1, 3_000),
            (None, 1, 5_000),
            (Some(600_000), 1, 20_000),
            (Some(600_000), MOVE_FOLLOWS, 6_666),
            (Some(0), MOVE_FOLLOWS, 0),
        ] {
            assert_eq!(turn_ms(sent, divisor), Some(expected), "{sent:?} divided by {divisor}");
        }
        assert_eq!(decision_limits(&Limits::infinite(), MOVE_FOLLOWS).clock, None);
    }
}
