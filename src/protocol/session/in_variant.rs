//! The commands of a conversation while a game outside the Gomocup family is played, see [`super::super::variant`].

use super::{Action, CommandRefusal, Session};
use crate::board::Point;
use crate::engine::Engine;
use crate::protocol::command::{BlockKind, Command, Info};
use crate::protocol::response::Response;
use crate::protocol::search_control::SearchControl;
use crate::protocol::variant::{Variant, VariantError};
use crate::rules::Rule;
use crate::variants::{self, Move};

/// The most that the table of a variant's search takes, in bytes: minutes of search do not fill it.
const MOST_MEMORY: u64 = 64 << 20;

impl Session {
    /// `INFO game`: from now on this game is played, and a running conversation begins it at once. What can't be met
    /// becomes a complaint, and the game stays as it was.
    pub(super) fn choose_game(&mut self, name: &str) {
        if let Ok(rule) = name.parse::<Rule>() {
            self.variant = None;
            self.settings.take(Info::Rule(rule), &mut self.engine);
            return;
        }
        let memory = variant_memory(&self.engine);
        let chosen = Variant::new(name, memory).map_err(VariantError::Board).and_then(|mut variant| {
            if self.started {
                variant.start(self.board().size())?;
            }
            Ok(variant)
        });
        match chosen {
            Ok(variant) => {
                // There is no room for its table and the engine's.
                self.engine.drop_table();
                self.variant = Some(variant);
            }
            Err(error) => self.settings.complain(format!("game: {error}")),
        }
    }

    /// After an INFO line that may have changed the bounds of memory.
    pub(super) fn share_memory(&mut self) {
        if let Some(variant) = &mut self.variant {
            variant.set_memory(variant_memory(&self.engine));
        }
    }

    /// Carries a command out, as `carry_out` does, where a game outside the Gomocup family is played.
    pub(super) fn carry_out_in_variant(&mut self, command: Command) -> Result<Action, CommandRefusal> {
        // Whatever becomes of it, DONE closes the block.
        let closed = if command == Command::Done { self.block.take() } else { None };
        let is_about_the_game = !matches!(
            command,
            Command::Start(_) | Command::About | Command::ShowInfo | Command::ClearHash | Command::Stop
        );
        if is_about_the_game {
            self.need_game()?;
        }
        let size = self.board().size();
        let Some(variant) = &mut self.variant else { return Ok(Action::Quiet) };
        match command {
            Command::Start(size) => {
                variant.start(size)?;
                Ok(self.new_game(size))
            }
            Command::Restart => {
                variant.start(size)?;
                Ok(self.new_game(size))
            }
            // There may be moves already: it only says that we are to move.
            Command::Begin => {
                variant.need_running()?;
                Ok(Action::Move)
            }
            Command::Turn(at, choice) => {
                let passed = variant.play(at, choice)?;
                Ok(if passed && variant.need_running().is_ok() {
                    Action::Move
                } else {
                    Action::Say(Response::Ok)
                })
            }
            Command::Play(at, choice) => {
                variant.play(at, choice)?;
                Ok(Action::Say(variant.game().moves().last().map_or(Response::Ok, |&mv| move_response(mv))))
            }
            Command::TakeBack(at) => {
                variant.take_back(at)?;
                Ok(Action::Say(Response::Ok))
            }
            Command::Done => {
                let block = closed.ok_or(CommandRefusal::NoBlock)?;
                match block.kind() {
                    kind @ (BlockKind::Board | BlockKind::SetBoard) => {
                        variant.set_moves(&block.moves()?, kind == BlockKind::SetBoard)?;
                        Ok(if kind == BlockKind::SetBoard { Action::Quiet } else { Action::Move })
                    }
                    BlockKind::Swap2 | BlockKind::Soosorv(_) | BlockKind::Procedure(_) => {
                        Err(VariantError::NoMeaning(variant.game().name()).into())
                    }
                }
            }
            Command::ShowForbidden => {
                let is_forbidden = |&point: &Point| {
                    matches!(variant.game().check(point.into()), Err(variants::Refusal::DoubleThree(_)))
                };
                let points = variant.game().size().points().filter(is_forbidden).collect();
                Ok(Action::Say(Response::Forbidden(points)))
            }
            Command::Analyze(count) => {
                variant.need_running()?;
                Ok(Action::Analyze(count))
            }
            Command::Balance { .. } | Command::Swap2Step(_) | Command::SoosorvOpening => {
                Err(VariantError::NoMeaning(variant.game().name()).into())
            }
            Command::About => Ok(Action::Say(Response::About)),
            Command::ShowInfo => Ok(Action::SayAll(Response::abilities().to_vec())),
            Command::ClearHash | Command::Stop | Command::Open(_) | Command::Info(_) | Command::End => {
                Ok(Action::Quiet)
            }
        }
    }
}

/// Bytes for the table of a variant's search: as many as the engine's own may take, as far as they are of use.
fn variant_memory(engine: &Engine) -> u64 {
    engine.options().table_bytes().min(MOST_MEMORY)
}

/// The line that tells a move of ours.
pub(super) fn move_response(mv: Move) -> Response {
    match mv.choice {
        0 => Response::Move(mv.point),
        choice => Response::Choice(mv.point, u32::from(choice) + 1),
    }
}

/// Plays the move that was found, or the one that the loop has answered with in the search's place; returns the answer
/// that is still to be given.
pub(super) fn settle(variant: &mut Variant, best: Option<Move>, control: &SearchControl) -> Option<Response> {
    if let Some(best) = best {
        control.set_draft(best.point);
    }
    let is_ours = control.take_draft().is_some();
    // The loop knows points only: its answer means the first of the captures.
    let played = if is_ours { best } else { control.taken().map(Move::from) };
    let Some(played) = played else { return Some(Response::error(CommandRefusal::Full)) };
    variant.play_found(played);
    is_ours.then(|| move_response(played))
}
