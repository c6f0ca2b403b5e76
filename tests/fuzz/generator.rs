//! Lines that no manager sends.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

/// Makes lines; the same seed makes the same lines.
pub struct Generator {
    random: StdRng,
    /// Lines of the transcripts, to be mutated.
    real: Vec<Vec<u8>>,
}

impl Generator {
    /// A generator with the lines of the transcripts at hand.
    pub fn new(seed: u64) -> Generator {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/protocol");
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .expect("transcripts")
            .map(|entry| entry.expect("entry").path())
            .collect();
        paths.sort();
        let texts: Vec<String> =
            paths.iter().map(|path| std::fs::read_to_string(path).expect("text")).collect();
        let sent = texts.iter().flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix("> "));
        let real = sent.map(|line| line.as_bytes().to_vec()).collect();
        Generator { random: StdRng::seed_from_u64(seed), real }
    }

    /// The next line or block of lines.
    pub fn lines(&mut self) -> Vec<u8> {
        match self.random.random_range(0..100) {
            0..40 => self.command(),
            40..55 => self.block(),
            55..70 => {
                let line = self.command();
                self.mutate(line)
            }
            70..90 => {
                let line = self.real.choose(&mut self.random).expect("transcripts have lines").clone();
                if self.random.random_bool(0.5) { self.mutate(line) } else { line }
            }
            90..99 => self.noise(60),
            _ => self.long_line(),
        }
    }

    fn number(&mut self) -> i64 {
        match self.random.random_range(0..20) {
            0..15 => self.random.random_range(0..16),
            15..17 => self.random.random_range(-3..30),
            17..19 => self.random.random_range(-100_000..100_000),
            _ => *[i64::MAX, i64::MIN, 2_147_483_647, -2_147_483_648, 65_536]
                .choose(&mut self.random)
                .expect("some"),
        }
    }

    fn command(&mut self) -> Vec<u8> {
        const INFO: [&str; 24] = [
            "seed",
            "timeout_turn",
            "timeout_match",
            "time_left",
            "time_increment",
            "max_memory",
            "hash_size",
            "thread_num",
            "max_depth",
            "max_node",
            "game_type",
            "rule",
            "rule",
            "folder",
            "weights",
            "show_detail",
            "evaluate",
            "pondering",
            "start_depth",
            "max_moves",
            "draw_result",
            "nbestsym",
            "rows_first",
            "",
        ];
        const BARE: [&str; 9] =
            ["BEGIN", "BEGIN", "RESTART", "ABOUT", "END", "YXSTOP", "YXSHOWFORBID", "YXHASHCLEAR", "DONE"];
        const ANALYSIS: [&str; 9] = [
            "YXSOLVE",
            "YXTHREATS",
            "YXSTATE",
            "YXSEARCHDEFEND",
            "YXDRAW",
            "YXSHOWHASHUSAGE",
            "YXBLOCKRESET",
            "YXBLOCKPATHRESET",
            "YXPRINTFEATURE",
        ];
        const STEPS: [&str; 4] = ["yxswap2step1", "yxswap2step2", "yxswap2step3", "yxsoosorvstep1"];
        let (a, b) = (self.number(), self.number());
        const GAMES: [&str; 9] = [
            "freestyle",
            "renju",
            "freestyle",
            "pente:size=9",
            "gomoku33",
            "gomoku42",
            "roku",
            "roku-ninuki",
            "chess",
        ];
        let text = match self.random.random_range(0..29) {
            28 if b < 2 => format!("YXSOLVE {}", a % 3),
            28 => format!("YXJUDGE {a},{b}"),
            27 => (*ANALYSIS.choose(&mut self.random).expect("some")).to_owned(),
            26 => format!("YXFORBID {} {a} {b} {}", if a % 2 == 0 { "add" } else { "del" }, b % 3),
            25 => format!("YXNBEST {}", a % 4),
            0 => format!("START {}", if a < 5 { 15 } else { a }),
            1 => format!("RECTSTART {a},{b}"),
            2..10 => format!("TURN {a},{b}"),
            10..12 => format!("PLAY {a},{b}"),
            12..14 => format!("TAKEBACK {a},{b}"),
            14 if b == 3 => format!("YXBALANCE{} {a}", if a % 2 == 0 { "ONE" } else { "TWO" }),
            14 => format!("turn\t{a} , {b} "),
            15..20 => format!("INFO {} {a}", INFO.choose(&mut self.random).expect("some")),
            20 if b == 7 => (*STEPS.choose(&mut self.random).expect("some")).to_owned(),
            20 => format!("info evaluate {a},{b}"),
            21 => format!("TURN {a},{b},{}", a % 3),
            24 if a == 0 => format!("INFO game {}", GAMES.choose(&mut self.random).expect("some")),
            _ => (*BARE.choose(&mut self.random).expect("some")).to_owned(),
        };
        text.into_bytes()
    }

    fn block(&mut self) -> Vec<u8> {
        if self.random.random_bool(0.03) {
            return self.opening();
        }
        if self.random.random_bool(0.04) {
            return self.game();
        }
        let name = *[
            "BOARD",
            "BOARD 1",
            "YXBOARD",
            "YXBOARD 0",
            "YXBOARD 1",
            "YXBOARD 2",
            "SWAP2BOARD",
            "YXBLOCK",
            "YXBLOCKPATH",
            "YXBLOCKUNDO",
        ]
        .choose(&mut self.random)
        .expect("some");
        let mut block = name.as_bytes().to_vec();
        let stones = if name == "SWAP2BOARD" { [0, 3, 5, 4] } else { [0, 3, 12, 30] };
        let careful = self.random.random_bool(0.7);
        for i in 0..*stones.choose(&mut self.random).expect("some") {
            let (x, y, field) = (self.random.random_range(0..15), i / 2, self.random.random_range(1..=3));
            let field = if careful && field == 3 { 1 + i % 2 } else { field };
            let line = if careful {
                format!("{},{y},{field}", x / 2 * 2 + i % 2)
            } else {
                format!("{x},{y},{field}")
            };
            let line = if self.random.random_bool(0.01) { self.lines() } else { line.into_bytes() };
            block.push(b'\n');
            block.extend(line);
        }
        if self.random.random_bool(0.9) {
            block.extend_from_slice(b"\nDONE");
        }
        block
    }

    /// A block of an opening, often with answers that make sense.
    fn opening(&mut self) -> Vec<u8> {
        const HEADS: [&str; 9] = [
            "YXPROCEDURE rif",
            "PROCEDURE rif",
            "PROCEDURE swap2",
            "procedure taraguchi-10",
            "PROCEDURE pro",
            "PROCEDURE",
            "yxsoosorvstep2",
            "yxsoosorvstep4 2",
            "yxsoosorvstep6",
        ];
        const LINES: [&str; 10] = [
            "7,7 7,6 8,5",
            "7,7",
            "7,6",
            "8,5",
            "STAY",
            "SWAP",
            "9,9",
            "OFFER 5,5 9,8",
            "CHOOSE 5,5",
            "5,5 FIFTHS 2",
        ];
        let mut block = HEADS.choose(&mut self.random).expect("some").as_bytes().to_vec();
        for _ in 0..self.random.random_range(0..6) {
            block.push(b'\n');
            block.extend_from_slice(LINES.choose(&mut self.random).expect("some").as_bytes());
        }
        block.extend_from_slice(b"\nDONE");
        block
    }

    /// A block of a game's moves, to be reviewed or found in a database, or the parts of a review.
    fn game(&mut self) -> Vec<u8> {
        const HEADS: [&str; 7] = [
            "YXREVIEW",
            "YXREVIEWJOIN",
            "YXQUERYDATABASEALL",
            "YXQUERYDATABASEALLT",
            "YXQUERYDATABASEONE",
            "YXQUERYDATABASETEXT",
            "YXQUERYDATABASEMORE",
        ];
        const PARTS: [&str; 5] = [
            "REVIEW PART 1 2 -0.25 b",
            "REVIEW PART 3 4 -0 w0.5 open -",
            "REVIEW PART 3 3 - over b",
            "REVIEW PART 1 1 -0",
            "REVIEW PART 2 9",
        ];
        let head = *HEADS.choose(&mut self.random).expect("some");
        let mut block = head.as_bytes().to_vec();
        if head == "YXREVIEW" && self.random.random_bool(0.6) {
            block.extend(format!(" {} {}", self.number(), self.number()).bytes());
        }
        let count = self.random.random_range(0..8);
        for i in 0..count {
            let line = match head {
                "YXREVIEWJOIN" => (*PARTS.choose(&mut self.random).expect("some")).to_owned(),
                _ if self.random.random_bool(0.02) => format!("{},{}", self.number(), self.number()),
                // Moves in different columns never meet.
                _ => format!("{},{}", 2 * i % 15, self.random.random_range(5..9)),
            };
            block.push(b'\n');
            block.extend(line.bytes());
        }
        block.extend_from_slice(b"\nDONE");
        block
    }

    fn mutate(&mut self, mut line: Vec<u8>) -> Vec<u8> {
        for _ in 0..self.random.random_range(1..4) {
            let at = self.random.random_range(0..=line.len());
            match self.random.random_range(0..5) {
                0 => line.truncate(at),
                1 => line.insert(at, self.random.random()),
                2 if at < line.len() => line[at] = self.random.random(),
                3 if at < line.len() => drop(line.remove(at)),
                _ => line.extend_from_within(..at),
            }
        }
        line
    }

    fn noise(&mut self, most: usize) -> Vec<u8> {
        let length = self.random.random_range(0..most);
        (0..length).map(|_| self.random.random()).collect()
    }

    fn long_line(&mut self) -> Vec<u8> {
        let length =
            if self.random.random_bool(0.02) { 1 << 20 } else { self.random.random_range(100..20_000) };
        let mut line = self.command();
        line.push(b' ');
        let filler = self.random.random();
        line.resize(length, filler);
        line
    }
}
