//! An engine that negotiates openings at random, for the tests of the referee.
//!
//! `procedure_player BEHAVIOUR SEED` answers `PROCEDURE` and `SWAP2BOARD` with a random legal answer, then
//! plays random moves. The behaviours `illegal`, `garbage`, `silent`, `ignorant`, `crash`, `twice` and
//! `flood` take effect at the second question; `seedless` does not know `INFO seed`, but uses it. `infoless`
//! rejects every INFO line at once and `infoless-late` after 20 ms; `rejecting` rejects the second question, too.

use std::io::{self, BufRead, Write};
use std::thread::sleep;
use std::time::Duration;

use kakugo::board::{Point, Size};
use kakugo::rules::procedure::{Answer, Decision, Negotiation, OPENINGS, Procedure, Symmetries};
use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};

struct Player {
    behaviour: String,
    rng: SmallRng,
    size: Size,
    empty: Vec<Point>,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let behaviour = arguments.next().unwrap_or_else(|| "random".to_owned());
    let seed = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let size = Size::default();
    let mut player =
        Player { behaviour, rng: SmallRng::seed_from_u64(seed), size, empty: size.points().collect() };
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        if word == "INFO" {
            player.reject(rest);
        }
        let mut block = || lines.by_ref().take_while(|line| line != "DONE").collect::<Vec<String>>();
        match word {
            "START" => player.start(rest),
            "RESTART" => {
                player.empty = player.size.points().collect();
                say("OK");
            }
            // A different offer in each game.
            "INFO" if rest.starts_with("seed ") => {
                let number: u64 = rest["seed ".len()..].parse().expect("a number");
                player.rng = SmallRng::seed_from_u64(seed.wrapping_mul(1_000_000_007).wrapping_add(number));
            }
            "SWAP2BOARD" => {
                let points: Vec<Point> = block().iter().map(|line| player.point(line)).collect();
                player.swap2(&points);
            }
            "PROCEDURE" => {
                let answers = block();
                player.decide(rest, &answers);
            }
            "BOARD" => {
                player.empty = player.size.points().collect();
                for line in block() {
                    let (stone, _field) = line.rsplit_once(',').expect("three numbers");
                    player.take(stone);
                }
                player.play();
            }
            "TURN" => {
                player.take(rest);
                player.play();
            }
            "END" => return,
            _ => {}
        }
    }
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).expect("somebody listens");
}

impl Player {
    fn start(&mut self, side: &str) {
        self.size = side.parse().ok().and_then(Size::square).expect("a board");
        self.empty = self.size.points().collect();
        say("OK");
    }

    /// Answers an INFO line that this engine does not know.
    fn reject(&self, info: &str) {
        let is_unknown = match self.behaviour.as_str() {
            "seedless" => info.starts_with("seed "),
            "infoless" | "infoless-late" | "rejecting" => true,
            _ => false,
        };
        if self.behaviour == "infoless-late" {
            sleep(Duration::from_millis(20));
        }
        if is_unknown {
            say("UNKNOWN");
        }
    }

    fn point(&self, text: &str) -> Point {
        kakugo::board::notation::parse_point(text, self.size).expect("a point")
    }

    fn take(&mut self, text: &str) {
        let point = self.point(text);
        self.empty.retain(|&other| other != point);
    }

    fn play(&mut self) {
        let point = *self.empty.choose(&mut self.rng).expect("there is room");
        self.empty.retain(|&other| other != point);
        say(&format!("{point:?}"));
    }

    fn swap2(&mut self, points: &[Point]) {
        let mut negotiation = Negotiation::new(Procedure::Swap2, self.size).expect("it fits");
        for stones in [points.get(..3), points.get(3..)].into_iter().flatten().filter(|part| !part.is_empty())
        {
            negotiation.answer(&Answer::Stones(stones.to_vec())).expect("the referee has checked it");
        }
        if self.misbehaves(&negotiation) {
            return;
        }
        let answer = self.any(&negotiation);
        // The first player, who has black after five stones, keeps it with SWAP.
        let plays = answer == if points.len() == 5 { Answer::Swap } else { Answer::Stay };
        match answer {
            Answer::Stones(stones) => {
                let words: Vec<String> = stones.iter().map(|point| format!("{point:?}")).collect();
                say(&words.join(" "));
            }
            _ if plays => {
                self.empty = self.size.points().filter(|point| !points.contains(point)).collect();
                self.play();
            }
            _ => say("SWAP"),
        }
    }

    fn decide(&mut self, name: &str, answers: &[String]) {
        let procedure = name.parse().expect("a procedure");
        let mut negotiation = Negotiation::new(procedure, self.size).expect("it fits");
        for text in answers {
            let answer = Answer::parse(text, self.size).expect("an answer");
            negotiation.answer(&answer).expect("the referee has checked it");
        }
        if !self.misbehaves(&negotiation) {
            let answer = self.any(&negotiation);
            say(&answer.to_string());
        }
    }

    /// Misbehaves if the behaviour requires it at this question.
    fn misbehaves(&mut self, negotiation: &Negotiation) -> bool {
        if negotiation.stones().is_empty() {
            return false;
        }
        match self.behaviour.as_str() {
            // Offers, choices and stones on a stone all violate the procedure somewhere.
            "illegal" => say(&format!("{0:?} {0:?}", negotiation.stones()[0])),
            "garbage" => say("let me think"),
            "ignorant" | "rejecting" => say("UNKNOWN command"),
            "silent" => {}
            "crash" => std::process::exit(7),
            "twice" => say("SWAP\nSWAP"),
            // An endless line, until nobody reads it any more.
            "flood" => while io::stdout().write_all(&[b'x'; 1 << 16]).is_ok() {},
            _ => return false,
        }
        true
    }

    /// A random legal answer.
    fn any(&mut self, negotiation: &Negotiation) -> Answer {
        let rng = &mut self.rng;
        let mut empty: Vec<Point> = negotiation.board().empty().iter().collect();
        empty.shuffle(rng);
        let size = self.size;
        let opening = |rng: &mut SmallRng| {
            let opening = OPENINGS.choose(rng).expect("26");
            opening.stones(size).expect("the board is large enough").to_vec()
        };
        let offer = |count: usize| {
            let mut points = Symmetries::of(&negotiation.board()).distinct(empty.iter().copied());
            points.truncate(count);
            Answer::Offer(points)
        };
        match negotiation.decision().expect("there is a question") {
            Decision::Opening => Answer::Stones(opening(rng)),
            Decision::OpeningAndCount { most } => {
                Answer::StonesAndCount(opening(rng), rng.random_range(1..=most))
            }
            Decision::ThreeStones => Answer::Stones(empty[..3].to_vec()),
            Decision::SwapOrTwoStones if rng.random_bool(0.4) => Answer::Stones(empty[..2].to_vec()),
            Decision::SwapOrFifths { count, .. } if rng.random_bool(0.4) => offer(count),
            Decision::SwapOrFifths { .. } if rng.random() => Answer::Swap,
            Decision::Stone(area) | Decision::SwapOrFifths { area, .. } => {
                Answer::Stones(empty.iter().copied().filter(|&p| area.contains(p, size)).take(1).collect())
            }
            Decision::StoneAndCount { most } => {
                Answer::StonesAndCount(empty[..1].to_vec(), rng.random_range(1..=most))
            }
            Decision::Swap | Decision::SwapOrTwoStones => {
                if rng.random() {
                    Answer::Swap
                } else {
                    Answer::Stay
                }
            }
            Decision::Fifths(count) => offer(count),
            Decision::Choice => Answer::Choose(*negotiation.offered().choose(rng).expect("fifths")),
        }
    }
}
