//! An engine that misbehaves on demand, for the tests of the referee.
//!
//! `scripted BEHAVIOUR [NUMBER] [ANYTHING]` plays random legal moves, except as the behaviour says. `NUMBER`
//! seeds the moves unless the behaviour uses it. Further arguments are ignored: tests use them as a mark to
//! find processes that outlived their game.

mod process;

use std::collections::HashSet;
use std::io::{self, BufRead};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use process::{
    answer_signals, chatter, endless_line, fall_silent, flood, hang, hoard, kill_own_group, leave_orphan,
    recover, reject_hasty_lines, say, start_child, start_in_session, stop_parent, write_all,
};

/// Number of the engine's own move, from 1, at which behaviours that need a game in progress take effect.
const CRITICAL_MOVE: usize = 3;

struct Scripted {
    behaviour: String,
    number: u64,
    width: i32,
    height: i32,
    taken: HashSet<(i32, i32)>,
    /// The engine's own stones, for behaviours that need them.
    own: HashSet<(i32, i32)>,
    moves: usize,
    random: u64,
    /// The share of sensible moves in percent, set by `INFO tune_skill`.
    skill: u64,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let behaviour = arguments.next().unwrap_or_else(|| "random".to_owned());
    let number = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    act_without_protocol(&behaviour, number);
    let mut engine = Scripted::new(behaviour, number);
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        if engine.behaviour == "chatterbox" {
            say(&format!("DEBUG heard {word}\nMESSAGE I am thinking\n\nMESSAGE depth 3 value 5"));
        }
        match word {
            "START" | "RECTSTART" | "RESTART" => engine.set_up(word, rest),
            "ABOUT" => engine.introduce_itself(),
            "BEGIN" => engine.answer(),
            "TURN" => {
                engine.taken.insert(point(rest));
                engine.answer();
            }
            "BOARD" => {
                for line in lines.by_ref().take_while(|line| line != "DONE") {
                    let (stone, _color) = line.rsplit_once(',').expect("a stone has three fields");
                    engine.taken.insert(point(stone));
                }
                engine.answer();
            }
            "PLAY" if engine.behaviour == "suggest-again" => say(&format!("SUGGEST {rest}")),
            "PLAY" => engine.play(point(rest)),
            "INFO" => engine.note(rest),
            "END" if engine.behaviour == "ignore-end" => hang(),
            "END" if engine.behaviour == "flood-at-end" => flood("7,7"),
            "END" => return,
            _ => {}
        }
    }
}

/// The behaviours that read no command.
fn act_without_protocol(behaviour: &str, number: u64) {
    match behaviour {
        "crash-at-start" => {
            eprintln!("scripted: no reason to live");
            exit(3);
        }
        "sleep" => hang(),
        "hoard" => {
            hoard(number);
            hang();
        }
        "flood-list" => flood("a 1 0 9 1"),
        "last-words" => answer_signals(),
        "detach-sleep" | "detach-hoard" => {
            let _orphan = start_in_session(&behaviour["detach-".len()..], number);
            exit(0);
        }
        _ => {}
    }
}

impl Scripted {
    fn new(behaviour: String, number: u64) -> Scripted {
        Scripted {
            behaviour,
            number,
            width: 15,
            height: 15,
            taken: HashSet::new(),
            own: HashSet::new(),
            moves: 0,
            random: number,
            skill: 0,
        }
    }

    /// Begins a game at START, RECTSTART or RESTART.
    fn set_up(&mut self, word: &str, rest: &str) {
        match (self.behaviour.as_str(), word) {
            ("homebound", "START") if !std::path::Path::new("home.txt").exists() => {
                return say("ERROR this is not my home");
            }
            ("deaf", "START") => return,
            ("refuse", "START") => return say("ERROR no such board"),
            ("once", "RESTART") => return say("UNKNOWN command"),
            ("crash-between", "RESTART") => exit(4),
            ("stale", "RESTART") => return say("7,7\nOK"),
            ("stale-after", "RESTART") => return say("OK\n7,7"),
            ("slow-start", _) => sleep(Duration::from_millis(self.number)),
            _ => {}
        }
        match word {
            "START" => (self.width, self.height) = point(&format!("{rest},{rest}")),
            "RECTSTART" => (self.width, self.height) = point(rest),
            _ => {}
        }
        (self.taken, self.own, self.moves) = (HashSet::new(), HashSet::new(), 0);
        say("OK");
        if self.behaviour == "unheeding" && word == "START" {
            hang();
        }
    }

    fn introduce_itself(&self) {
        if self.behaviour == "late-about" {
            sleep(Duration::from_millis(1300));
        }
        say(&about(&self.behaviour));
    }

    /// An INFO line.
    fn note(&mut self, info: &str) {
        if info.starts_with("tune_refused ") {
            say(&format!("ERROR INFO: {info}"));
        } else if let Some(skill) = info.strip_prefix("tune_skill ") {
            self.skill = skill.parse().expect("a number");
        } else if self.behaviour.starts_with("unknown-info") {
            say("UNKNOWN command");
        } else if self.behaviour.starts_with("quote-info") {
            say(&format!("UNKNOWN INFO {info}"));
        }
    }

    fn answer(&mut self) {
        self.moves += 1;
        let (x, y) = self.choose();
        if self.moves == CRITICAL_MOVE {
            self.misbehave();
            if let Some(line) = self.wrong_answer((x, y)) {
                return say(&line);
            }
        }
        match self.behaviour.as_str() {
            "steady" => sleep(Duration::from_millis(self.number)),
            "slow-first" if self.moves == 1 => sleep(Duration::from_millis(self.number)),
            "talk" | "homebound" | "late-about" => {
                say(&format!("MESSAGE depth {}-9 value -{} nodes 1K", self.moves, self.moves))
            }
            reports if reports.starts_with("report=") => {
                say(&format!("MESSAGE depth 1 value {}", &reports["report=".len()..]));
            }
            "booked" if self.taken.len() >= self.number as usize => {
                say("MESSAGE Depth 12-23 | Eval 5 | Node 1000K | Time 3ms | H8 I9");
            }
            "suggest" | "suggest-again" => return say(&format!("SUGGEST {x},{y}")),
            "split" => return self.answer_in_pieces(x, y),
            _ => {}
        }
        self.play((x, y));
        match self.behaviour.as_str() {
            "touchy" => reject_hasty_lines(Duration::from_millis(self.number)),
            "grumble" => {
                sleep(Duration::from_millis(self.number));
                say("ERROR that was hard");
            }
            _ => {}
        }
    }

    /// What the engine does before it answers with its critical move, or instead.
    fn misbehave(&self) {
        match self.behaviour.as_str() {
            "crash" => {
                eprintln!("scripted: about to fall over");
                exit(7);
            }
            "crash-thinking" => {
                sleep(Duration::from_millis(50));
                std::process::abort();
            }
            "exit" => exit(0),
            "recover" => recover(self.number),
            "hungry" => {
                hoard(self.number);
                sleep(Duration::from_millis(500));
            }
            "brood" => {
                let _children: Vec<_> = (0..2).map(|_| start_child("hoard", self.number / 2)).collect();
                // Long enough to be noticed.
                sleep(Duration::from_millis(1500 + 10 * self.number));
            }
            "hang" | "quote-info-hang" | "last-words" => hang(),
            "orphan" => leave_orphan(),
            "slow" | "quote-info-slow" | "unknown-info-slow" => sleep(Duration::from_millis(self.number)),
            "flood" => flood("ERROR and another one"),
            "chatty" => chatter(),
            "daemon" => start_child("detach-sleep", 1).wait().map(drop).expect("a child"),
            "hidden-hoard" => {
                start_child("detach-hoard", self.number).wait().expect("a child");
                sleep(Duration::from_millis(1500 + 10 * self.number));
            }
            "kill-group" => kill_own_group(),
            "stop-parent" => {
                start_child("detach-sleep", 1).wait().expect("a child");
                stop_parent();
                hang();
            }
            "mute" => fall_silent(),
            "endless-line" => endless_line(u64::MAX),
            "gigabyte" => endless_line(self.number << 20),
            _ => {}
        }
    }

    /// The answer in place of the critical move `x,y`, if it is another one.
    fn wrong_answer(&mut self, (x, y): (i32, i32)) -> Option<String> {
        Some(match self.behaviour.as_str() {
            "illegal" => {
                let &(x, y) = self.taken.iter().next().expect("there are stones by now");
                format!("{x},{y}")
            }
            "off-board" => "99,99".to_owned(),
            "garbage" => "I resign \u{1F600} \0 7,".to_owned(),
            "error" => "ERROR out of ideas".to_owned(),
            "twice" => {
                self.taken.insert((x, y));
                // In one write, so that no move of the opponent comes between the two.
                format!("{x},{y}\n{x},{y}")
            }
            _ => return None,
        })
    }

    fn play(&mut self, (x, y): (i32, i32)) {
        self.taken.insert((x, y));
        self.own.insert((x, y));
        say(&format!("{x},{y}"));
    }

    /// `row` fills the lowest free row from the left; `skilled` extends its longest row as often as its skill
    /// says; `scatter` takes every second point of every second row from the bottom; `pave` fills the board
    /// with pairs in a row, so that nobody gets three; `cross` makes a double-three around 5,5; all others
    /// play at random.
    fn choose(&mut self) -> (i32, i32) {
        let (width, height) = (self.width, self.height);
        let mut free: Vec<_> = (0..width * height)
            .map(|index| (index % width, index / width))
            .filter(|point| !self.taken.contains(point))
            .collect();
        let number = self.random_number();
        match self.behaviour.as_str() {
            "row" => free[0],
            "skilled" if number % 100 < self.skill => self.longest_row(&free),
            "scatter" => {
                free.retain(|(x, y)| x % 2 == 0 && y % 2 == 0);
                *free.last().expect("tests end before the pattern is full")
            }
            "pave" => {
                let us = self.taken.len() as i32 % 2;
                *free.iter().find(|(x, y)| (x / 2 + y) % 2 == us).expect("both colours have as many points")
            }
            "cross" => [(4, 5), (6, 5), (5, 4), (5, 6), (5, 5)][self.moves - 1],
            _ => free[number as usize % free.len()],
        }
    }

    /// The point that gives the longest row of own stones.
    fn longest_row(&self, free: &[(i32, i32)]) -> (i32, i32) {
        let run =
            |x: i32, y: i32, step: i32| (1..).take_while(|k| self.own.contains(&(x + k * step, y))).count();
        *free.iter().max_by_key(|&&(x, y)| run(x, y, 1) + run(x, y, -1)).expect("there are free points")
    }

    fn random_number(&mut self) -> u64 {
        // Constants of Knuth's MMIX generator; the high bits are random enough here.
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.random >> 33
    }

    /// Sends the answer with pauses between its bytes and a carriage return at the end.
    fn answer_in_pieces(&mut self, x: i32, y: i32) {
        self.taken.insert((x, y));
        for byte in format!("{x},{y}\r\n").bytes() {
            write_all(&mut io::stdout(), &[byte]);
            sleep(Duration::from_millis(1));
        }
    }
}

/// Name of the engine and its working directory.
fn about(behaviour: &str) -> String {
    let directory = std::env::current_dir().unwrap_or_default();
    let variable = std::env::var("SCRIPTED").unwrap_or_default();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let processors =
        status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap_or("").trim();
    let directory = directory.display();
    format!(
        r#"name="scripted", version="{behaviour}", directory="{directory}", variable="{variable}", processors="{processors}""#
    )
}

fn point(text: &str) -> (i32, i32) {
    let (x, y) = text.split_once(',').expect("a point has two coordinates");
    (x.trim().parse().expect("a number"), y.trim().parse().expect("a number"))
}
