//! Files written by hand, byte by byte.

use kakugo::board::Size;
use kakugo::board::notation::{format_point, parse_point};
use kakugo::database::renlib::{CodePage, Entry, Library, NodeId, Texts, read, read_prefix, to_bytes};

/// The header of a file with a root.
pub const ROOTED: &str = "ff 52 65 6e 4c 69 62 ff 03 04 ff ff ff ff ff ff ff ff ff ff";
/// The header of a file whose first move is h8.
const ROOTLESS: &str = "ff 52 65 6e 4c 69 62 ff 03 00 ff ff ff ff ff ff ff ff ff ff";

/// Bytes in hexadecimal; `;` begins a comment up to the end of the line.
pub fn hex(text: &str) -> Vec<u8> {
    let codes = text.lines().flat_map(|line| line.split(';').take(1).flat_map(str::split_whitespace));
    codes.map(|code| u8::from_str_radix(code, 16).expect("it is a byte")).collect()
}

fn file(header: &str, nodes: &str) -> Vec<u8> {
    [hex(header), hex(nodes)].concat()
}

/// A tree as lines, indented by two spaces per level: the entry, then `*` for a mark, `!` for the start, and
/// the texts.
pub fn draw(library: &Library) -> String {
    let mut drawing = String::new();
    for node in library.preorder() {
        let depth = std::iter::successors(library.parent(node), |&above| library.parent(above)).count();
        drawing += &format!("{}{}\n", "  ".repeat(depth), draw_node(library, node));
    }
    drawing
}

fn draw_node(library: &Library, node: NodeId) -> String {
    let name = |point| format_point(point, Size::default());
    let mut drawing = match library.entry(node) {
        None => "root".to_owned(),
        Some(Entry::Move(point)) => name(point),
        Some(Entry::Pass) => "pass".to_owned(),
        Some(Entry::Text(point)) => format!("text at {}", point.map_or("no point".to_owned(), name)),
    };
    drawing += if library.is_marked(node) { " *" } else { "" };
    drawing += if library.is_start(node) { " !" } else { "" };
    let texts = library.texts(node);
    let text = |bytes| CodePage::UTF_8.decode(bytes).escape_debug().to_string();
    for (name, bytes) in
        [("", texts.first_line()), ("lines: ", texts.other_lines()), ("board: ", texts.board_text())]
    {
        if !bytes.is_empty() {
            drawing += &format!(" \"{name}{}\"", text(bytes));
        }
    }
    drawing
}

/// The file reads as the drawn tree, and is written unchanged.
fn check(bytes: &[u8], drawing: &[&str]) {
    let library = read(bytes).expect("the file is whole");
    assert_eq!(draw(&library).lines().collect::<Vec<_>>(), drawing);
    assert_eq!(hex_dump(&to_bytes(&library)), hex_dump(bytes));
}

/// The file reads as the drawn tree, and is written in another form that reads as the same tree.
fn check_other_form(bytes: &[u8], drawing: &[&str]) {
    let library = read(bytes).expect("the file is whole");
    assert_eq!(draw(&library).lines().collect::<Vec<_>>(), drawing);
    let written = to_bytes(&library);
    assert_ne!(written, bytes);
    assert_eq!(read(&written).as_ref(), Ok(&library));
}

fn hex_dump(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x} ")).collect()
}

#[test]
fn children_follow_their_parent_and_siblings_the_subtree() {
    let nodes = "
        78 00  ; h8, the only first move
        68 80  ;   h9, a sibling to come
        77 40  ;     g8, no child
        69 c0  ;   i9, no child, a sibling to come
        5a 00  ;   j10
        01 40  ;     a15, no child";
    check(&file(ROOTLESS, nodes), &["root", "  h8", "    h9", "      g8", "    i9", "    j10", "      a15"]);
}

#[test]
fn a_root_comes_first_when_it_is_more_than_the_way_to_h8() {
    let nodes = "
        00 08 41 00  ; the root with a comment
        78 40        ; h8";
    check(&file(ROOTED, nodes), &["root \"A\"", "  h8"]);
    check(&file(ROOTED, "00 00 e1 c0 ef 40"), &["root", "  a1", "  o1"]);
    check(&file(ROOTED, "00 00 68 40"), &["root", "  h9"]);
    check(&file(ROOTED, "00 00 78 00 00 40"), &["root", "  h8", "    pass"]);
    check(&file(ROOTED, "00 10 78 40"), &["root *", "  h8"]);
    check(&file(ROOTED, "00 40"), &["root"]);
}

#[test]
fn files_without_a_root_or_without_a_header_are_read() {
    // Several first moves without a root, as other programs write them.
    check_other_form(&file(ROOTLESS, "78 c0 68 40"), &["root", "  h8", "  h9"]);
    // A root that RenLib would omit.
    check_other_form(&file(ROOTED, "00 00 78 40"), &["root", "  h8"]);
    // The oldest files.
    check_other_form(&hex("78 00 68 40"), &["root", "  h8", "    h9"]);
}

#[test]
fn marks_starts_passes_and_nodes_without_a_move_are_kept() {
    let nodes = "
        78 04        ; h8, the start position
        68 90        ;   h9, marked, a sibling to come
        77 50        ;     g8, marked, no child
        69 43 00 01  ;   a text at i9, no child
        58 00";
    check(
        &file(ROOTLESS, nodes),
        &["root", "  h8 !", "    h9 *", "      g8 *", "    text at i9 \"board: X\""],
    );
    let nodes = "00 00 78 00 00 80 68 40 00 42";
    check(&file(ROOTED, nodes), &["root", "  h8", "    pass", "      h9", "    text at no point"]);
}

#[test]
fn comments_and_board_texts_end_with_zero_and_fill_pairs() {
    let nodes = "
        78 08 61 62 63 00                 ; h8 abc, three bytes and the zero
        68 08 61 62 00 00                 ;   h9 ab, two bytes, the zero and a filler
        69 08 61 08 62 0d 0a 63 00 00     ;     i9 a, then lines b and c
        6a 08 08 62 00 00                 ;       j9, only lines
        6b 01 00 01 57 00                 ;         k9 with the board text W
        6c 49 00 01 61 00 57 69 6e 00     ;           l9 with both";
    check(
        &file(ROOTLESS, nodes),
        &[
            "root",
            "  h8 \"abc\"",
            "    h9 \"ab\"",
            "      i9 \"a\" \"lines: b\\r\\nc\"",
            "        j9 \"lines: b\"",
            "          k9 \"board: W\"",
            "            l9 \"a\" \"board: Win\"",
        ],
    );
}

#[test]
fn a_filler_may_be_anything_and_an_empty_text_is_none() {
    check_other_form(&file(ROOTLESS, "78 08 61 62 00 7f 68 40"), &["root", "  h8 \"ab\"", "    h9"]);
    check_other_form(&file(ROOTLESS, "78 09 00 01 00 00 00 00 68 40"), &["root", "  h8", "    h9"]);
    check_other_form(&file(ROOTLESS, "78 48 61 08 00 00"), &["root", "  h8 \"a\""]);
    // The last filler of a file.
    check_other_form(&file(ROOTLESS, "78 48 61 62 00"), &["root", "  h8 \"ab\""]);
}

#[test]
fn unknown_flags_of_the_extension_are_kept() {
    let bytes = file(ROOTLESS, "78 01 a0 00 68 41 80 03 57 00");
    check(&bytes, &["root", "  h8", "    h9 \"board: W\""]);
    let library = read(&bytes).unwrap();
    assert_eq!(
        library.preorder().map(|node| library.extension(node)).collect::<Vec<_>>(),
        [0, 0xa000, 0x8002]
    );
}

#[test]
fn comments_in_seven_bits_are_read_with_swedish_letters() {
    let nodes = "
        78 20 61 62 e3 00                          ; h8 ab, then c with the highest bit, and a filler
        68 20 7d 7b 7c 5d 5b dc                    ;   the six letters
        69 60 61 08 e2 00                          ;     a first line and another";
    let library = read(&file(ROOTLESS, nodes)).unwrap();
    let page: CodePage = "windows-1252".parse().unwrap();
    let comments: Vec<_> = library
        .preorder()
        .map(|node| library.texts(node))
        .map(|texts| (page.decode(texts.first_line()), page.decode(texts.other_lines())))
        .collect();
    let expected = [("", ""), ("abc", ""), ("åäöÅÄÖ", ""), ("a", "b")];
    assert_eq!(comments, expected.map(|(first, others)| (first.into(), others.into())));
    assert_eq!(read(&to_bytes(&library)), Ok(library), "they are written as comments in eight bits");
}

#[test]
fn a_saved_branch_announces_siblings_that_never_come() {
    // h9 and g8 have siblings in the library that RenLib took this branch from.
    let reading = read_prefix(&file(ROOTLESS, "78 00 68 80 77 80 69 c0 5a 40"));
    assert_eq!(reading.fault, None);
    assert_eq!(reading.missing_siblings, 2);
    assert_eq!(draw(&reading.library), "root\n  h8\n    h9\n      g8\n        i9\n        j10\n");
    assert_eq!(read(&to_bytes(&reading.library)), Ok(reading.library));
    // The only node of a file does not state that it has no child either, and an empty library has no node at
    // all.
    for (nodes, drawing) in [("78 00", "root\n  h8\n"), ("", "root\n")] {
        let reading = read_prefix(&file(ROOTLESS, nodes));
        assert_eq!((reading.fault, reading.missing_siblings), (None, 0));
        assert_eq!(draw(&reading.library), drawing);
    }
}

#[test]
fn texts_in_any_code_page_stay_as_they_are() {
    let library = read(&file(ROOTLESS, "78 48 ba da c6 e5 ca a4 00 00")).unwrap();
    let text = library.texts(library.first_child(Library::ROOT).unwrap()).first_line();
    assert_eq!(text, b"\xba\xda\xc6\xe5\xca\xa4");
    assert_eq!("gbk".parse::<CodePage>().unwrap().decode(text), "黑棋胜");
    assert_eq!(read(&to_bytes(&library)), Ok(library));
}

#[test]
fn libraries_differ_in_shape_order_texts_and_flags() {
    let point = |text: &str| parse_point(text, Size::default()).unwrap();
    let with = |entries: [(usize, &str); 3]| {
        let mut library = Library::new();
        let mut nodes = vec![Library::ROOT];
        for (parent, text) in entries {
            nodes.push(library.add_child(nodes[parent], Entry::Move(point(text))));
        }
        (library, nodes)
    };
    let (library, nodes) = with([(0, "h8"), (1, "h9"), (1, "i9")]);
    assert_ne!(library, with([(0, "h8"), (1, "h9"), (2, "i9")]).0, "shape");
    assert_ne!(library, with([(0, "h8"), (1, "i9"), (1, "h9")]).0, "order");
    assert_eq!(library, with([(0, "h8"), (1, "h9"), (1, "i9")]).0);
    let changed = |change: fn(&mut Library, NodeId)| {
        let mut other = library.clone();
        change(&mut other, nodes[2]);
        other
    };
    assert_ne!(library, changed(|other, node| other.set_marked(node, true)));
    assert_ne!(library, changed(|other, node| other.set_start(node, true)));
    assert_ne!(library, changed(|other, node| other.set_entry(node, Entry::Pass)));
    assert_ne!(library, changed(|other, node| other.set_texts(node, Texts::new(b"", b"", b"W").unwrap())));
}
