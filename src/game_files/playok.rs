//! Games that PlayOK exports in Portable Game Notation, with its own use of tags, results and move columns.
//!
//! The tag Black names the first player, and `1-0` is a win of the first player, also after a swap. The
//! player whose column contains `black` or `white` chooses that colour, and `--` fills the column of a player who does
//! not move:
//!
//! ```text
//! [Site "PlayOK"]
//! [GameType "61,15"]
//! 1. h8 i9 2. j8 black 3. i7 i8          the second player takes black, the first goes on with i7
//! 1. h8 i9 2. j8 white 3. -- i8          the second player stays white
//! 1. b12 c14 2. e14 f10 3. f11 -- 4. black g11      two more stones, and the first player takes black
//! ```

use super::{RecordedGame, add_comment};
use crate::game::GameResult;

/// Value of the tag `Site`.
const SITE: &str = "PlayOK";
/// Number of gomoku in the tag `GameType`, before the size of the board. It is the standard rule: of 266 games of 2021,
/// two continued after a row of six.
const GOMOKU: &str = "61";

/// Whether a game was exported by PlayOK.
pub(super) fn is_from_there(game: &RecordedGame) -> bool {
    game.tag("Site") == Some(SITE)
}

/// Filters the words of a game, each with its comment, for its stones. Sets the game's rule, board, players and
/// result from the words.
pub(super) fn stones(
    game: &mut RecordedGame,
    words: Vec<(usize, String)>,
    comments: Vec<Option<String>>,
) -> (Vec<(usize, String)>, Vec<Option<String>>) {
    let has_swapped = (0..).zip(&words).fold(false, |swapped, (column, (_, word))| match word.as_str() {
        "black" => column % 2 == 1,
        "white" => column % 2 == 0,
        _ => swapped,
    });
    let other = |result: GameResult| result.winner().map_or(result, |winner| GameResult::win(!winner));
    if has_swapped {
        game.players.0.swap(0, 1);
    } else {
        // Elsewhere in PGN, `1-0` is a win of White.
        game.result = game.result.map(other);
    }
    let game_type = game.tag("GameType").and_then(|text| text.split_once(','));
    let game_type = game_type.map(|(kind, size)| (kind.trim() == GOMOKU, size.trim().parse().ok()));
    if let Some((is_gomoku, size)) = game_type {
        game.size = game.size.or(size);
        if is_gomoku {
            game.set_rule("standard");
        }
    }
    let mut stones = Vec::new();
    let mut their_comments: Vec<Option<String>> = Vec::new();
    for (word, comment) in words.into_iter().zip(comments) {
        if !["black", "white", "--"].contains(&word.1.as_str()) {
            stones.push(word);
            their_comments.push(comment);
        } else if let (Some(last), Some(comment)) = (their_comments.last_mut(), comment) {
            // A word without a stone does not change the position.
            add_comment(last, comment);
        }
    }
    (stones, their_comments)
}

#[cfg(test)]
mod tests {
    use crate::board::{ByColor, Size};
    use crate::game::{GameResult, format_turns};
    use crate::game_files::{GameFormat, RecordedGame, read};

    fn game(moves: &str, result: &str) -> RecordedGame {
        let text = format!(
            "[Event \"?\"]\n[Site \"PlayOK\"]\n[Black \"ann\"]\n[White \"bob\"]\n[Result \"{result}\"]\n\
             [GameType \"61,15\"]\n\n{moves} {result}\n"
        );
        read(GameFormat::Pgn, text.as_bytes()).next().expect("there is a game").expect("it is valid")
    }

    #[test]
    fn choices_of_colour_are_not_moves() {
        let names = |first: &str, second: &str| ByColor([Some(first.to_owned()), Some(second.to_owned())]);
        for (moves, stones, black, white, result) in [
            ("1. h8 i9 2. j8 black 3. i7 i8", "h8 i9 j8 i7 i8", "bob", "ann", GameResult::White),
            ("1. h8 i9 2. j8 white 3. -- i8", "h8 i9 j8 i8", "ann", "bob", GameResult::Black),
            ("1. h8 i9 2. j8 i7 3. a1 -- 4. black i8", "h8 i9 j8 i7 a1 i8", "ann", "bob", GameResult::Black),
            (
                "1. h8 i9 2. j8 i7 3. a1 -- 4. white -- 5. b2 --",
                "h8 i9 j8 i7 a1 b2",
                "bob",
                "ann",
                GameResult::White,
            ),
        ] {
            let game = game(moves, "1-0");
            let turns: Vec<_> = game.moves.iter().map(|recorded| recorded.mv).collect();
            assert_eq!(format_turns(&turns, Size::default()), stones, "{moves}");
            assert_eq!((&game.players, game.result), (&names(black, white), Some(result)), "{moves}");
            assert_eq!((game.rule.as_deref(), game.size), (Some("standard"), Some(Size::default())));
        }
        assert_eq!(game("1. h8 i9 2. j8 black", "1/2-1/2").result, Some(GameResult::Draw));
    }

    #[test]
    fn comments_stay_with_their_stones() {
        let game = game("1. h8 {one} i9 2. j8 {two} black {three} 3. i7 -- {four}", "1-0");
        let comments: Vec<_> = game.moves.iter().map(|recorded| recorded.comment.as_deref()).collect();
        assert_eq!(comments, [Some("one"), None, Some("two\nthree"), Some("four")]);
    }

    #[test]
    fn other_games_keep_their_words() {
        let text = "[Site \"PlayOK\"]\n[Result \"*\"]\n[GameType \"61,99\"]\n\n1. h8 -- 2. x99 *\n";
        let game =
            read(GameFormat::Pgn, text.as_bytes()).next().expect("there is a game").expect("it is valid");
        assert_eq!((game.moves.len(), game.size, game.result), (0, None, None));
    }
}
