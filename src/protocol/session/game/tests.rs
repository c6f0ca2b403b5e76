//! Tests of the game that a conversation is about.

use super::*;
use crate::engine::levels::Level;
use crate::eval::NETWORK_BYTES;
use crate::protocol::command::Detail;

fn game() -> CurrentGame {
    CurrentGame::new(Engine::new(Options::default()))
}

#[test]
fn rule_and_options_reach_the_engine() {
    let mut game = game();
    let renju = Rule::from(RuleKind::Renju);
    for info in [Info::Rule(renju), Info::ThreadNum(3), Info::HashSize(Some(1 << 20))] {
        assert_eq!(game.take(&info), Ok(()));
    }
    assert_eq!(game.rule(), renju);
    assert_eq!(
        game.engine().options(),
        Options { hash_bytes: Some(1 << 20), threads: 3, ..Options::default() }
    );
}

#[test]
fn a_named_rule_has_one_meaning_on_all_boards() {
    let mut game = game();
    game.expect_yixin_board();
    for code in ["2", "6"] {
        assert_eq!(game.take(&Info::Game(code.to_owned())), Ok(()));
        assert_eq!(game.rule().code().to_string(), code);
    }
}

#[test]
fn options_are_checked_as_they_are_in_the_end() {
    let mut game = game();
    let mut take = |infos: &[Info]| {
        infos.iter().for_each(|info| assert_eq!(game.take(info), Ok(())));
        game.take_option_error()
    };
    assert_eq!(take(&[Info::ThreadNum(64), Info::MaxMemory(Some(1 << 30))]), None);
    let too_many = take(&[Info::ThreadNum(256), Info::MaxMemory(Some(50 << 20))]);
    assert!(
        matches!(too_many, Some(OptionError::TooManyThreads { asked: 256, threads: 2..20 })),
        "{too_many:?}"
    );
    assert_eq!(take(&[Info::ThreadNum(256)]), None, "reported already");
    assert_eq!(take(&[Info::ThreadNum(1)]), None);
}

#[test]
fn memory_is_shared_out_only_when_a_share_changes() {
    let mut game = game();
    assert_eq!(game.take(&Info::Game("pente".to_owned())), Ok(()));
    let shares = |game: &CurrentGame| game.variant.as_ref().map_or(0, Variant::shares);
    assert_eq!(shares(&game), 0);
    for info in [
        Info::TimeoutTurn(100),
        Info::TimeLeft(Some(100)),
        Info::MaxNode(Some(100)),
        Info::ShowDetail(Detail::default()),
        Info::Strength(Level::default()),
        Info::UseDatabase(true),
        Info::Rule(RuleKind::Renju.into()),
        Info::ThreadNum(1),
    ] {
        assert_eq!(game.take(&info), Ok(()));
        assert_eq!(shares(&game), 0, "{info:?}");
    }
    for (number, info) in [Info::HashSize(Some(2 << 20)), Info::MaxMemory(Some(64 << 20)), Info::ThreadNum(2)]
        .into_iter()
        .enumerate()
    {
        assert_eq!(game.take(&info), Ok(()));
        assert_eq!(game.take(&info), Ok(()), "the same value again");
        assert_eq!(shares(&game), number + 1, "{info:?}");
    }
    game.reserve(1 << 20);
    game.reserve(1 << 20);
    assert_eq!(shares(&game), 4);
}

#[test]
fn loaded_networks_take_memory_from_the_table() {
    let mut game = game();
    assert_eq!(game.take(&Info::MaxMemory(Some(64 << 20))), Ok(()));
    game.reserve(1 << 20);
    let table_bytes = game.engine.options().table_bytes();
    let load = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/weights");
        Info::Weights(folder.join(name))
    };
    for (name, count) in [("caro.net", 1), ("renju.net", 2), ("renju.net", 2)] {
        assert_eq!(game.take(&load(name)), Ok(()));
        let expected = table_bytes - (count * NETWORK_BYTES) as u64;
        assert_eq!(game.engine.options().table_bytes(), expected, "{name}");
        game.reserve(1 << 20);
        assert_eq!(game.engine.options().table_bytes(), expected, "{name}");
    }
}
