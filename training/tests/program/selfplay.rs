//! Games through the public API: the same for any number of threads and interruptions, and consistent with
//! the rules.

use std::fs;
use std::path::Path;

use kakugo::board::{Point, Size};
use kakugo::eval::Networks;
use kakugo::rules::RuleKind;
use training::games::{self, GameFile, InnerPosition, Recipe};
use training::selfplay::{self, SelfplayGoal};

fn recipe(rule: RuleKind, side: u8) -> Recipe {
    let size = Size::square(side).expect("a board");
    Recipe { rule, size, stones: 3..=6, bound: 150, nodes: 60, inner: 2, inner_nodes: 30, seed: 9, engine: 0 }
}

fn play(path: &Path, recipe: &Recipe, goal: SelfplayGoal, threads: usize) {
    let mut file = GameFile::open(path, recipe).expect("the file opens");
    selfplay::run(recipe, &Networks::default(), &mut file, goal, threads, |_| ())
        .expect("the games are played");
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name);
    let recipe = recipe(RuleKind::Renju, 15);
    play(&file("once"), &recipe, SelfplayGoal::Games(12), 1);
    play(&file("many"), &recipe, SelfplayGoal::Games(12), 3);
    play(&file("torn"), &recipe, SelfplayGoal::Games(5), 2);
    let torn = fs::read(file("torn")).unwrap();
    fs::write(file("torn"), &torn[..torn.len() - 7]).unwrap();
    play(&file("torn"), &recipe, SelfplayGoal::Games(12), 2);
    let once = fs::read(file("once")).unwrap();
    assert_eq!(fs::read(file("many")).unwrap(), once);
    assert_eq!(fs::read(file("torn")).unwrap(), once);
    // Existing games are sufficient.
    play(&file("once"), &recipe, SelfplayGoal::Games(3), 1);
    assert_eq!(fs::read(file("once")).unwrap(), once);
}

#[test]
fn games_of_every_rule_are_sound() {
    let directory = tempfile::tempdir().unwrap();
    for (rule, side) in RuleKind::ALL
        .map(|rule| (rule, 15))
        .into_iter()
        .chain([(RuleKind::CaroExact, 9), (RuleKind::Freestyle, 20)])
    {
        let path = directory.path().join(format!("{}{side}", rule.name()));
        let recipe = recipe(rule, side);
        play(&path, &recipe, SelfplayGoal::Positions(150), 2);
        let contents = games::read(&path).unwrap();
        assert_eq!((&contents.recipe, contents.torn), (&recipe, 0));
        let positions =
            |games: &[games::TrainingGame]| games.iter().map(games::TrainingGame::positions).sum::<u64>();
        let (_, but_one) = contents.games.split_last().unwrap();
        assert!(positions(&contents.games) >= 150 && positions(but_one) < 150);
        for game in &contents.games {
            games::check(game, &recipe).unwrap_or_else(|error| panic!("{} {game:?}: {error}", rule.name()));
            assert!((3..=6).contains(&game.opening.len()));
        }
    }
}

/// Changes the first inner position so that the side to move has a four.
fn leave_a_four(game: &mut games::TrainingGame) {
    let is_free = |y: &u8| game.opening.iter().all(|point| point.y() != *y);
    let rows: Vec<u8> = (0..15).filter(is_free).collect();
    let four = |x: u8| [Point::new(4 + x, rows[0]), Point::new(3 * x, rows[1])];
    let line = (0..4).flat_map(four).collect();
    game.inner[0] = InnerPosition { ply: 0, line, best: Point::new(8, rows[0]), ..game.inner[0].clone() };
}

#[test]
fn a_false_game_is_found_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games");
    let recipe = recipe(RuleKind::Freestyle, 15);
    play(&path, &recipe, SelfplayGoal::Games(1), 1);
    let game = games::read(&path).unwrap().games.remove(0);
    games::check(&game, &recipe).unwrap();
    type Change = fn(&mut games::TrainingGame);
    let changes: [(&str, Change); 11] = [
        ("there is already a stone", |game| game.plies[1].point = game.opening[0]),
        ("wrongly marked as quiet", |game| game.plies[0].quiet ^= true),
        ("the proof is for the other side", |game| game.winner = game.winner.map(|winner| !winner)),
        ("the game is unfinished", |game| game.plies.truncate(game.plies.len() - 1)),
        ("no moves", |game| game.plies.clear()),
        ("continues after it was decided", |game| game.ending = games::GameEnd::Row),
        ("not inside a search", |game| game.inner[0].line.clear()),
        ("two stones on", |game| game.inner[0].line[0] = game.opening[0]),
        ("not in the order of the moves", |game| game.inner.reverse()),
        ("is not quiet", leave_a_four),
        ("best move is on a stone", |game| game.inner[0].best = game.opening[0]),
    ];
    for (expected, change) in changes {
        let mut game = game.clone();
        change(&mut game);
        let error = games::check(&game, &recipe).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
}
