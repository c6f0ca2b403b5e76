//! Games in legacy encodings, with and without `CA`, in every format: names, comments and moves are decoded
//! correctly.

use std::io::BufReader;

use super::*;
use crate::board::Color;
use crate::board::notation::parse_moves;

/// Encodings with realistic texts; second bytes include `[`, `\` and `]` in all encodings that allow them.
const TEXTS: [(&str, &[u8], &str); 12] = [
    (
        "shift_jis",
        b"\x83\x5c\x83\x5b\x83\x5d\x82\xcc\x8f\x9f\x82\xbf\x82\xc5\x82\xb7\x95\x5c",
        "ソゼゾの勝ちです表",
    ),
    (
        "gbk",
        b"\xba\xda\xc6\xe5\xca\xa4\xc0\xfb\xa3\xac\xb0\xd7\xc6\xe5\xca\xa7\xb0\xdc\x81\x5c\x96\x5b",
        "黑棋胜利，白棋失败乗朳",
    ),
    ("gb18030", b"\xba\xda\xc6\xe5\xca\xa4\xc0\xfb\x95\x5d\x81\x39\xfd\x39", ""),
    (
        "big5",
        b"\xb3\x5c\xa5\x5c\xbb\x5c\xb6\xc2\xb4\xd1\xa5\xfd\xa4\xe2\xb3\xd3\xa7\x51",
        "許功蓋黑棋先手勝利",
    ),
    ("euc-kr", b"\xc8\xe6\xb5\xb9\xc0\xcc\x20\xc0\xcc\xb0\xe5\xbd\xc0\xb4\xcf\xb4\xd9", "흑돌이 이겼습니다"),
    ("euc-jp", b"\xb9\xf5\xa4\xce\xbe\xa1\xa4\xc1\xa4\xc7\xa4\xb9", "黒の勝ちです"),
    ("windows-1250", b"\x8eluv\x9dou\xe8k\xfd k\xf9\xf2 p\xf8\xedli\x9a", "Žluvťoučký kůň příliš"),
    (
        "windows-1251",
        b"\xd7\xb8\xf0\xed\xfb\xe5 \xe2\xfb\xe8\xe3\xf0\xfb\xe2\xe0\xfe\xf2, \xe1\xe5\xeb\xfb\xe5",
        "Чёрные выигрывают, белые",
    ),
    (
        "windows-1252",
        b"Gr\xfc\xdfe f\xfcr Schl\xf6mer, \xe9t\xe9 \xe0 Malm\xf6",
        "Grüße für Schlömer, été à Malmö",
    ),
    ("windows-1253", b"\xcf \xec\xe1\xfd\xf1\xef\xf2 \xed\xe9\xea\xdc", "Ο μαύρος νικά"),
    ("windows-1254", b"Siyah\xfdn g\xfc\xe7l\xfc a\xe7\xfdl\xfd\xfe\xfd", "Siyahın güçlü açılışı"),
    ("utf-8", b"\xe9\xbb\x91\xe6\xa3\x8b \xd0\xa7", "黑棋 Ч"),
];

fn games(format: GameFormat, bytes: &[u8], encoding: Option<&str>) -> Vec<RecordedGame> {
    let encoding = encoding.map(|name| name.parse().expect("an encoding"));
    GameReader::new(format, bytes, ReadOptions { encoding, ..ReadOptions::default() })
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(bytes)))
}

fn sgf(ca: &str, text: &[u8]) -> Vec<u8> {
    let pieces: [&[u8]; 9] = [
        b"(;GM[4]GN[",
        text,
        b"]",
        ca.as_bytes(),
        b"PB[",
        text,
        b"]PW[x]RE[B+R];B[hh]C[",
        text,
        b"];W[ii](;B[jj])(;B[kk]C[x]))\n",
    ];
    pieces.concat()
}

fn check(game: &RecordedGame, text: Option<&str>, what: &str) {
    let name = game.players[Color::Black].as_deref().unwrap_or_default();
    assert!(!name.contains('\u{fffd}'), "{what}: {name}");
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        assert_eq!(name, text, "{what}");
        assert_eq!(game.moves[0].comment.as_deref(), Some(text), "{what}");
    }
    let points: Vec<_> = game.moves.iter().map(|recorded| recorded.mv.expect("a move").point).collect();
    assert_eq!(points, parse_moves("h8i7j6", Size::default()).expect("three moves"), "{what}");
}

#[test]
fn sgf_is_read_in_the_labelled_or_detected_code_page() {
    for (page, bytes, text) in TEXTS {
        let what = |how: &str| format!("{page} {how}");
        let labelled = games(GameFormat::Sgf, &sgf(&format!("CA[{page}]"), bytes), None);
        check(&labelled[0], Some(text), &what("labelled"));
        let forced = games(GameFormat::Sgf, &sgf("CA[windows-1256]", bytes), Some(page));
        check(&forced[0], Some(text), &what("forced"));
        let guessed = games(GameFormat::Sgf, &sgf("", bytes).repeat(3), None);
        guessed.iter().for_each(|game| check(game, Some(text), &what("guessed")));
    }
    // All games in one file, each with its own code page.
    let all: Vec<u8> = TEXTS.iter().flat_map(|(page, bytes, _)| sgf(&format!("CA[{page}]"), bytes)).collect();
    for (game, (page, _, text)) in games(GameFormat::Sgf, &all, None).iter().zip(TEXTS) {
        check(game, Some(text), page);
    }
}

#[test]
fn single_characters_lose_no_move() {
    let lead = |page: &str| match page {
        "shift_jis" => vec![0x83_u8, 0x95, 0x8f, 0x97],
        "gbk" => vec![0x81, 0x95, 0xc0],
        "big5" => vec![0xa5, 0xb3, 0xbb],
        _ => Vec::new(),
    };
    for page in ["shift_jis", "gbk", "big5"] {
        for (first, second) in
            lead(page).into_iter().flat_map(|first| [0x5b_u8, 0x5c, 0x5d].map(|second| (first, second)))
        {
            let text = [first, second];
            for ca in [format!("CA[{page}]"), String::new()] {
                let game = &games(GameFormat::Sgf, &sgf(&ca, &text), None)[0];
                check(game, None, &format!("{page} {first:x} {second:x} {ca}"));
            }
        }
    }
    // Western letters before a bracket are not double bytes.
    for text in ["Jos\u{e9}", "caf\u{e9}", "\u{c5}", "\u{e0}\\"] {
        let bytes: Vec<u8> = text
            .chars()
            .map(|c| c as u8)
            .flat_map(|byte| if byte == b'\\' { vec![byte, byte] } else { vec![byte] })
            .collect();
        check(&games(GameFormat::Sgf, &sgf("", &bytes), None)[0], None, text);
    }
}

#[test]
fn the_label_of_a_game_may_be_wrong() {
    // Labelled as Shift JIS or as something unknown, but in UTF-8; labelled as UTF-8, but in GBK.
    let utf8 = "黑棋胜，白棋".as_bytes();
    for ca in ["CA[UTF-8]", "CA[klingon]", "CA[]", "CA[ASCII]", "CA[euc-kr]"] {
        check(&games(GameFormat::Sgf, &sgf(ca, utf8), None)[0], Some("黑棋胜，白棋"), ca);
    }
    check(&games(GameFormat::Sgf, &sgf("CA[UTF-8]", TEXTS[1].1), None)[0], Some(TEXTS[1].2), "gbk");
    // A truncated text in UTF-8.
    let cut = [utf8, utf8, b"\xe9\xbb"].concat();
    let game = &games(GameFormat::Sgf, &sgf("CA[UTF-8]", &cut), None)[0];
    assert!(game.players[Color::Black].as_ref().expect("a name").starts_with("黑棋胜，白棋黑棋胜，白棋"));
    // Different bytes remain different names.
    let names: Vec<_> = [&b"\xff\xfe\x81"[..], b"\xff\xfd\x81"]
        .into_iter()
        .map(|text| games(GameFormat::Sgf, &sgf("CA[UTF-8]", text), None)[0].players[Color::Black].clone())
        .collect();
    assert_ne!(names[0], names[1]);
    let jis = read(GameFormat::Sgf, &sgf("CA[ISO-2022-JP]", b"\x1b$B%=\x1b(B")[..]).next().expect("a game");
    assert_eq!(jis.unwrap_err().to_string(), "line 1: texts in ISO-2022-JP cannot be read");
}

#[test]
fn pgn_and_files_of_piskvork_are_read_in_their_code_page() {
    for (page, bytes, text) in TEXTS.into_iter().filter(|(_, _, text)| !text.is_empty()) {
        let pgn = [
            b"[Black \"",
            bytes,
            b"\"]\n[White \"x\"]\n[BoardSize \"15\"]\n[Result \"0-1\"]\n\n1. h8 {",
            bytes,
            b"} i7 2. j6 0-1\n\n",
        ]
        .concat();
        for forced in [None, Some(page)] {
            for game in games(GameFormat::Pgn, &pgn.repeat(2), forced) {
                check(&game, Some(text), &format!("{page} in PGN"));
            }
        }
        let psq = [b"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n10,10,0\n", bytes, b"\nx.exe\n-1\n1,Renju1\n"]
            .concat();
        let game = &games(GameFormat::Psq, &psq, Some(page))[0];
        assert_eq!(game.players[Color::Black].as_deref(), Some(text.trim()), "{page} in PSQ");
        assert_eq!((game.moves.len(), game.rule.as_deref()), (3, Some("renju")));
        let guessed = games(GameFormat::Psq, &psq, None)[0].players[Color::Black].clone();
        assert_eq!(guessed.as_deref(), Some(text), "{page} in PSQ, guessed");
    }
    let utf16: Vec<u8> = "\u{feff}(;GM[4]PB[黑];B[hh])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(games(GameFormat::Sgf, &utf16, None)[0].players[Color::Black].as_deref(), Some("黑"));
}

#[test]
fn files_in_utf16_are_read_to_their_end() {
    let pgn =
        "[Black \"黑\"]\n[White \"x\"]\n[BoardSize \"15\"]\n[Result \"0-1\"]\n\n1. h8 {黑} i7 2. j6 0-1\n\n";
    let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n10,10,0\n黑\nx.exe\n-1\n1,Renju1\n";
    let sgf = "(;GM[4]SZ[15]PB[黑];B[hh];W[ig];B[jf])";
    for (format, text) in [
        (GameFormat::Pgn, pgn),
        (GameFormat::Psq, psq),
        (GameFormat::Sgf, sgf),
        (GameFormat::Pgn, &pgn.repeat(2)),
        // These files end in the middle of a game.
        (GameFormat::Pgn, &pgn[..pgn.len() - 8]),
        (GameFormat::Psq, &psq[..60]),
        (GameFormat::Sgf, &sgf[..sgf.len() - 1]),
        (GameFormat::Sgf, &sgf[..sgf.len() - 3]),
        (GameFormat::Sgf, "(;GM[4]C[黑"),
        // A character of four bytes.
        (GameFormat::Sgf, &sgf.replace('黑', "𠮷")),
        (GameFormat::Pgn, &pgn.replace('黑', "𠮷")),
    ] {
        let expected: Vec<_> = read(format, text.as_bytes()).collect();
        let units = || "\u{feff}".encode_utf16().chain(text.encode_utf16());
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        for mut bytes in [little, big] {
            assert_eq!(read(format, &bytes[..]).collect::<Vec<_>>(), expected, "{text}");
            // Characters and the byte order mark come in pieces.
            for capacity in [1, 2] {
                let pieces = || BufReader::with_capacity(capacity, &bytes[..]);
                assert_eq!(read(format, pieces()).collect::<Vec<_>>(), expected, "{text}");
                let games =
                    read_any(pieces(), ReadOptions::default()).expect("it is read").expect("a known format");
                assert_eq!(games.collect::<Vec<_>>(), expected, "{text}");
            }
            // Half a character at the end.
            bytes.push(b'\n');
            assert!(read(format, &bytes[..]).count() <= expected.len() + 1, "{text}");
        }
    }
}

#[test]
fn odd_files_are_read_in_time() {
    // Files that consist of ambiguous games, or of damaged ones, take only time proportional to their length.
    for unit in [
        &b"(;GM[4]PB[Jos\xe9]C[\xe0\\\\];B[hh])\n"[..],
        b"(;GM[4]C[\xe0\\];B[hh)\n",
        b"(;GM[4]CA[GBK]C[\xff];B[hh])\n",
    ] {
        let began = std::time::Instant::now();
        let count = read(GameFormat::Sgf, &unit.repeat((1 << 20) / unit.len())[..]).count();
        assert!(began.elapsed().as_secs() < 60, "{count} games of {:?}", String::from_utf8_lossy(unit));
    }
}
