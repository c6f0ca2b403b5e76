//! Files crafted to take time and memory, of any requested length.

use kakugo::database::format::Format;

/// A kind of file.
pub struct Hostile {
    /// Its format.
    pub format: Format,
    /// A short description.
    pub name: &'static str,
    make: fn(usize) -> Vec<u8>,
}

impl Hostile {
    /// The bytes of a file of about this length.
    pub fn bytes(&self, length: usize) -> Vec<u8> {
        (self.make)(length)
    }
}

/// All kinds.
pub const ALL: [Hostile; 27] = [
    hostile(Format::Library, "games", library_games),
    hostile(Format::Library, "passes", |length| chain(length, &[0x00, 0x00], &[0x00, 0x40])),
    hostile(Format::Library, "passes with siblings", announced_passes),
    hostile(Format::Library, "texts in texts", |length| chain(length, b"\x78\x0a\xe4\0", b"\x78\x42")),
    hostile(Format::Library, "siblings", |length| chain(length, &[0x78, 0xc0], &[0x78, 0x40])),
    hostile(Format::Library, "comments", |length| comments(length, "ход чёрных, белые защищаются ", 20)),
    hostile(Format::Library, "short comments", |length| comments(length, "я", 1)),
    hostile(Format::Sgf, "games", |length| repeat(length, "", |_| SGF_GAME.to_owned(), "")),
    hostile(Format::Sgf, "empty games", |length| repeat(length, "", |_| "(;)".to_owned(), "")),
    hostile(Format::Sgf, "variations", |length| repeat(length, "(;B[hh]", |_| "(;W[ii])".to_owned(), ")")),
    hostile(Format::Sgf, "properties", |length| repeat(length, "(;", |_| "N[x]".to_owned(), ")")),
    hostile(Format::Sgf, "private properties", |length| repeat(length, "(;", |_| ";Q[x]".to_owned(), ")")),
    hostile(Format::Sgf, "no game", |length| repeat(length, "", |_| "abc ".to_owned(), "")),
    hostile(Format::Pgn, "games", |length| repeat(length, "", |_| PGN_GAME.to_owned(), "")),
    hostile(Format::Pgn, "tags", |length| {
        repeat(length, "", |place| format!("[T{place} \"\"]\n"), "1. h8 *\n")
    }),
    hostile(Format::Pgn, "variations", |length| repeat(length, "[A \"\"] 1. h8 ", |_| "(".to_owned(), "")),
    hostile(Format::Csv, "positions", |length| repeat(length, "rule,position,text\n", csv_line, "")),
    hostile(Format::Csv, "an open quote", |length| {
        repeat(length, "rule,position\n\"", |_| "a\n".to_owned(), "")
    }),
    hostile(Format::Yixin, "positions", |length| repeat(length, YIXIN_HEADER, yixin_line, "")),
    hostile(Format::Yixin, "a long line", |length| repeat(length, YIXIN_HEADER, |_| "\\\\".to_owned(), "\n")),
    hostile(Format::Rapfi, "positions", rapfi_positions),
    hostile(Format::Results, "games", |length| repeat(length, "", results_line, "")),
    hostile(Format::Results, "brackets", |length| repeat(length, "{\"game\":", |_| "[".to_owned(), "\n")),
    hostile(Format::Results, "blank lines", |length| repeat(length, "", |_| "\n".to_owned(), "")),
    hostile(Format::RenjuNet, "games", |length| {
        repeat(length, "<database>", |_| RIF_GAME.to_owned(), "</database>")
    }),
    hostile(Format::RenjuNet, "a long tag", |length| {
        repeat(length, "<game id=\"", |_| "1".to_owned(), "\"/>")
    }),
    hostile(Format::RenjuNet, "players", |length| {
        repeat(length, "<database>", |place| format!("<player id=\"{place}\" name=\"a\"/>"), "</database>")
    }),
];

const SGF_GAME: &str = "(;GM[4]RE[B+]C[a];B[hh];W[ih];B[hi]C[good];W[ii];B[hj];W[ij];B[hk];W[ik];B[hl])\n";
const PGN_GAME: &str =
    "[Result \"0-1\"]\n[BoardSize \"15\"]\n1. h8 i8 {good} 2. h9 i9 3. h10 i10 4. h11 i11 5. h12 0-1\n";
const RIF_GAME: &str = "<game rule=\"1\" bresult=\"1\"><move>h8 i8 h9 i9 h10 i10 h11 i11 h12</move></game>\n";
const YIXIN_HEADER: &str = "index,key,label,value,depth,bound,text\n";
/// The beginning of a library with a root.
const LIBRARY: &[u8] = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00";

const fn hostile(format: Format, name: &'static str, make: fn(usize) -> Vec<u8>) -> Hostile {
    Hostile { format, name, make }
}

fn repeat(length: usize, head: &str, item: impl Fn(usize) -> String, tail: &str) -> Vec<u8> {
    let mut text = head.to_owned();
    let mut place = 0;
    while text.len() < length {
        text += &item(place);
        place += 1;
    }
    (text + tail).into_bytes()
}

/// A library of equal nodes followed by a last node.
fn chain(length: usize, node: &[u8], last: &[u8]) -> Vec<u8> {
    let count = length / node.len();
    [LIBRARY, &node.repeat(count), last].concat()
}

/// A line of passes that each announce a sibling, followed by the siblings.
fn announced_passes(length: usize) -> Vec<u8> {
    let count = length / 4;
    [LIBRARY, &[0x00, 0x80].repeat(count), &[0x00, 0x40].repeat(count + 1)].concat()
}

/// Siblings on one point with different comments in Windows-1251.
fn comments(length: usize, text: &str, times: usize) -> Vec<u8> {
    let text = windows_1251(text).repeat(times);
    let mut bytes = LIBRARY.to_vec();
    let mut place = 0;
    while bytes.len() < length {
        let comment = [&text[..], place.to_string().as_bytes()].concat();
        bytes.extend([0x78, 0xc8]);
        bytes.extend(&comment);
        bytes.extend(if comment.len() % 2 == 0 { &[0, 0][..] } else { &[0] });
        place += 1;
    }
    bytes.extend([0x78, 0x40]);
    bytes
}

/// Cyrillic letters as bytes of Windows-1251.
fn windows_1251(text: &str) -> Vec<u8> {
    let byte = |c: char| match u32::from(c) {
        code @ 0x410..=0x44f => (code - 0x410 + 0xc0) as u8,
        0x451 => 0xb8,
        code => code as u8,
    };
    text.chars().map(byte).collect()
}

/// Lines of twenty moves whose last ten differ, one below the other.
fn library_games(length: usize) -> Vec<u8> {
    let mut bytes = LIBRARY.to_vec();
    let mut state = 1_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below) as u8
    };
    while bytes.len() < length {
        let mut points: Vec<u8> = Vec::new();
        while points.len() < 20 {
            let point = 16 * random(15) + random(15) + 1;
            if !points.contains(&point) {
                points.push(point);
            }
        }
        for (place, &point) in points.iter().enumerate() {
            let shape = if place == 0 { 0x80 } else { 0 } | if place == 19 { 0x40 } else { 0 };
            bytes.extend([point, shape]);
        }
    }
    bytes.extend([0x78, 0x40]);
    bytes
}

fn csv_line(place: usize) -> String {
    let (x, y) = (place / 14 % 14, place / 196 % 14);
    let row = |stone: &str, at: usize| match (at, 14 - at) {
        (0, after) => format!("{stone}{after}"),
        (before, 0) => format!("{before}{stone}"),
        (before, after) => format!("{before}{stone}{after}"),
    };
    let rows: Vec<String> = (0..15)
        .map(|at| match at {
            14 => row("X", place % 14),
            at if at == y => row("O", x),
            _ => "15".to_owned(),
        })
        .collect();
    format!("renju,{},text {place}\n", rows.join("/"))
}

fn yixin_line(place: usize) -> String {
    let letter = |at: usize| char::from(b'a' + (at % 15) as u8);
    let (x, y, other) = (letter(place), place / 15 % 7 + 1, letter(place / 105));
    format!("{place},r-15-15-{x}{y}-{other}9-b,w,-29990,{},exact,\"text {place}\"\n", place % 30)
}

/// A database of Rapfi without compression and without a label of its code page.
fn rapfi_positions(length: usize) -> Vec<u8> {
    let count = length / 40;
    let mut bytes = (count as u32).to_le_bytes().to_vec();
    for place in 0..count {
        let [x, y, other] = [place % 15, place / 15 % 7, place / 105 % 15].map(|at| at as u8);
        bytes.extend([7, 0, 2, 15, 15, x, y, other, 8]);
        let data = [b"w\x01\0\x2f\0", &windows_1251(&format!("чёрные {place:012}"))[..]].concat();
        bytes.extend((data.len() as u16).to_le_bytes());
        bytes.extend(data);
    }
    bytes
}

fn results_line(place: usize) -> String {
    format!(
        "{{\"game\":{},\"rule\":\"freestyle\",\"size\":\"15x15\",\"black\":{{\"name\":\"a\"}},\"white\":{{\"name\":\"b\"}},\
         \"moves\":\"h8 i8 h9 i9 h10 i10 h11 i11 h12\",\"result\":\"1-0\",\"ending\":\"five\"}}\n",
        place + 1
    )
}
