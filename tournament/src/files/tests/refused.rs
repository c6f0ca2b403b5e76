//! Tests of errors: each names the line that cannot be read.

use super::*;

fn error_of(format: RecordFormat, text: &str) -> String {
    format!("{:#}", read(format, text).unwrap_err())
}

#[test]
fn what_cannot_be_read_is_named() {
    let tags = "[White \"a\"]\n[Black \"b\"]\n[BoardSize \"15x15\"]\n[Result \"*\"]\n\n";
    for (text, error) in [
        ("", "the file contains no games"),
        ("[White \"a\"\n[Black \"b\"]\n", "line 1: '\n[Black \"b\"' after the value of a tag"),
        ("[White \"a\n", "line 1: a tag without an end"),
        ("[Whi te \"a\"]\n", "line 1: 'Whi te' is not the name of a tag"),
        ("\n\n[Black \"b\"]\n*", "game that begins in line 3: the tag White is missing"),
        (
            "[White \"a\"]\n[Black \"b\"]\n[Result \"2-0\"]\n",
            "game that begins in line 1: '2-0' is not a result",
        ),
        (&format!("{tags}1. h8\nh8 *"), "line 7: h8 is already taken"),
        (&format!("{tags}1. h8\nz9 *"), "line 7: z9 is off the board"),
        (&format!("{tags}1. h8 {{never"), "line 6: a comment without an end"),
        (
            &tags.replace("15x15", "1"),
            "game that begins in line 1: a size is N or WxH, each side from 5 to 22",
        ),
    ] {
        let error = error.replace('\n', "\\n");
        assert_eq!(
            error_of(RecordFormat::Pgn, text).replace("[Black \\\"b\\\"", "[Black \"b\""),
            error,
            "{text}"
        );
    }
    for (text, error) in [
        ("", "the file is empty"),
        ("Piskvorky\n", "line 1: the first line is not 'Piskvorky WxH, a:b, n'"),
        ("Piskvorky 15x15, 11:11, 7\n", "line 1: '7' for who begins, not 0 or 1"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n16,1,0\n", "line 3: 16,1 is off the board"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n", "line 3: 8,8 is already taken"),
        ("Piskvorky 15x15, 11:11, 0\na\nb\n9,Renju\n", "line 4: '9' for the winner, not 0, 1 or 2"),
        ("Piskvorky 15x15, 11:11, 0\na\nb\nc\n", "line 4: 'c' after the end of the game"),
    ] {
        assert_eq!(error_of(RecordFormat::Psq, text), error, "{text}");
    }
    for (text, error) in [
        ("hello", "the file contains no games"),
        ("(;GM[1];B[aa])", "line 1: game 1 is not gomoku, which is 4"),
        ("(;SZ[99])", "line 1: a size is N or WxH, each side from 5 to 22"),
        ("(\n;B[aa]\n;B[bb])", "line 3: it is white's turn"),
        ("(;B[aa];W[aa])", "line 1: aa is already taken"),
        ("(;B[zz])", "line 1: zz is off the board"),
        ("(;B[aa]", "line 1: the game has no end"),
        ("(;B[aa", "line 1: B has no end"),
        ("(;B)", "line 1: B has no value"),
        ("(;5)", "line 1: 5 has no value"),
        ("(;%)", "line 1: '%' is not allowed here"),
        (
            "(;SZ[15]RU[pente:size=5];B[oo])",
            "game that begins in line 1: pente:size=5 is played on a board of 5x5, not 15x15",
        ),
        ("(;AB[aa][bb];W[cc])", "line 1: 2 black and 0 white stones do not come from moves in turn"),
    ] {
        assert_eq!(error_of(RecordFormat::Sgf, text), error, "{text}");
    }
}

#[test]
fn what_cannot_be_read_in_a_table_is_named() {
    for (text, error) in [
        ("black,white\na,b\n", "line 1: the column result is missing"),
        ("black,white,result\n", "the file contains no games"),
        ("black,white,result\na,b,1-0\na,b\n", "line 3: 2 fields instead of 3"),
        ("black,white,result\na,b,1-0\n \na\n", "line 4: 1 field instead of 3"),
        ("black,white,result\na,b,won\n", "line 2: 'won' is not a result"),
        ("black,white,result\r\na,b,1-0\r\na,b,won\r\n", "line 3: 'won' is not a result"),
        ("black,white,result\na,b,1-0\n\na,b,won\n", "line 4: 'won' is not a result"),
        ("\n\nblack,white,result\n\na,\"b\nc\",1-0\n\na,b,won\n", "line 8: 'won' is not a result"),
        ("\r\nblack,white,result\r\n\r\na,b,1-0\r\n\r\na,b,won\r\n", "line 6: 'won' is not a result"),
        ("\r\nblack,white\r\n", "line 2: the column result is missing"),
        ("black,white,result,game\na,b,1-0,x\n", "line 2: field 3: invalid digit found in string"),
        ("black,white,result,moves\na,b,1-0,h8h8\n", "line 2: moves: h8 is already taken"),
        ("black,white,result,played\na,b,1-0,5\n", "line 2: '5' is not the note of a move"),
    ] {
        assert_eq!(error_of(RecordFormat::Csv, text), error, "{text}");
    }
}
