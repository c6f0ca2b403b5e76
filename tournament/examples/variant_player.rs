//! A random player of the games outside the Gomocup family, for the tests of their referee.
//!
//! `variant_player BEHAVIOUR SEED [ANYTHING]` follows the game that `INFO game` names by the library's rules
//! and plays random legal moves. `hasty` answers with a move where `OK` is expected.

use std::io::{self, BufRead, Write};

use kakugo::board::Color;
use kakugo::game::{Game, Move};
use kakugo::variants;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

struct Player {
    behaviour: String,
    random: SmallRng,
    name: String,
    game: Option<Box<dyn Game>>,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let behaviour = arguments.next().unwrap_or_default();
    let seed = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut player =
        Player { behaviour, random: SmallRng::seed_from_u64(seed), name: String::new(), game: None };
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "START" | "RESTART" => {
                player.game = variants::open(&player.name).ok();
                say("OK");
            }
            "RECTSTART" => say("ERROR only square boards"),
            "ABOUT" => say("name=\"variant player\""),
            "INFO" => {
                if let Some(name) = rest.strip_prefix("game ") {
                    name.clone_into(&mut player.name);
                    player.game = variants::open(name).ok();
                }
            }
            "BEGIN" => player.answer(),
            "TURN" => player.receive(rest),
            "BOARD" => {
                for line in lines.by_ref().take_while(|line| line != "DONE") {
                    let (stone, _side) = line.rsplit_once(',').expect("a stone has three fields");
                    player.play(player.read(stone));
                }
                player.answer();
            }
            "END" => return,
            _ => {}
        }
    }
}

impl Player {
    fn game(&mut self) -> &mut dyn Game {
        self.game.as_deref_mut().expect("INFO game comes first")
    }

    fn read(&self, text: &str) -> Move {
        let numbers: Vec<i32> =
            text.split(',').map(|number| number.trim().parse().expect("a number")).collect();
        let size = self.game.as_ref().expect("INFO game comes first").size();
        let point = size.point(numbers[0], numbers[1]).expect("the referee sends points");
        Move { point, choice: numbers.get(2).map_or(0, |&choice| choice as u8 - 1) }
    }

    fn play(&mut self, mv: Move) {
        let game = self.game();
        assert_eq!(game.check(mv), Ok(()), "the referee sends legal moves");
        game.play(mv);
    }

    /// Receives a move of the other side; answers `OK` if that side moves again.
    fn receive(&mut self, text: &str) {
        let them: Color = self.game().side_to_move();
        let mv = self.read(text);
        self.play(mv);
        if self.game().side_to_move() == them && self.behaviour != "hasty" {
            say("OK");
        } else {
            self.answer();
        }
    }

    fn answer(&mut self) {
        let moves = self.game().legal_moves();
        let mv = *moves.choose(&mut self.random).expect("the game is not over");
        self.play(mv);
        let (x, y) = (mv.point.x(), mv.point.y());
        match mv.choice {
            0 => say(&format!("{x},{y}")),
            choice => say(&format!("{x},{y},{}", choice + 1)),
        }
    }
}

fn say(line: &str) {
    let mut output = io::stdout().lock();
    // If nobody reads any more, there is nothing left to do.
    if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
        std::process::exit(0);
    }
}
