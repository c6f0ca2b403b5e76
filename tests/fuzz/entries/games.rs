//! Fuzzing of bytes in the reader of self-play games: any bytes, and a panic when something is wrong.

use training::games::{GamesFile, TrainingGame, check, decode};

/// Files of self-play games: as they are, and with their checksums made right, which no mutation would hit.
pub fn games(bytes: &[u8]) {
    for bytes in [bytes.to_vec(), with_checksums(bytes)] {
        match decode(&bytes) {
            Ok(contents) => check_contents(&bytes, &contents),
            Err(error) => assert_eq!(format!("{error:#}").lines().count(), 1),
        }
    }
}

fn check_contents(bytes: &[u8], contents: &GamesFile) {
    let GamesFile { recipe, games, torn } = contents;
    let mut written = recipe.encode();
    for game in games {
        written.extend(game.encode(recipe.size));
        // Replaying finds what is wrong, or nothing is.
        let _ = check(game, recipe);
    }
    assert_eq!(written.len() + torn, bytes.len());
    assert!(*torn <= TrainingGame::MAX_BYTES);
    let again = decode(&written).expect("what is written can be read");
    assert_eq!((&again.recipe, &again.games, again.torn), (recipe, games, 0));
}

/// The bytes with the checksums of the head and of every game made right, as far as their lengths lead.
fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    const HEAD: usize = 14;
    const INNER: usize = 8;
    let mut bytes = bytes.to_vec();
    // Files with a harvest have a longer head.
    let recipe = if bytes.get(8) == Some(&3) { 48 } else { 44 };
    if bytes.len() < recipe {
        return bytes;
    }
    let sum = crc32fast::hash(&bytes[..recipe - 4]);
    bytes[recipe - 4..recipe].copy_from_slice(&sum.to_le_bytes());
    let mut at = recipe;
    while let Some(head) = bytes.get(at..at + HEAD) {
        let word = |bytes: &[u8], at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let (stones, plies, inner) = (usize::from(head[5]), word(head, 6), word(head, 8));
        let mut end = at + HEAD + 2 * stones + 4 * plies;
        for _ in 0..inner {
            let Some(position) = bytes.get(end..end + INNER) else { break };
            end += INNER + 2 * word(position, 2);
        }
        let Some(game) = bytes.get_mut(at..end) else { break };
        game[HEAD - 4..HEAD].fill(0);
        let sum = crc32fast::hash(game);
        game[HEAD - 4..HEAD].copy_from_slice(&sum.to_le_bytes());
        at = end;
    }
    bytes
}
