//! Games through the public API: the same for any number of threads and interruptions, and consistent with
//! the rules.

use std::fs;
use std::path::{Path, PathBuf};

use kakugo::board::{Point, Size};
use kakugo::eval::Networks;
use kakugo::rules::RuleKind;
use kakugo::think::Bound;
use training::games::{self, GameFile, GamesRecipe, InnerPosition};
use training::selfplay::{self, SelfPlayer, SelfplayGoal};

fn recipe(rule: RuleKind, side: u8) -> GamesRecipe {
    let size = Size::square(side).expect("a board");
    GamesRecipe {
        rule,
        size,
        stones: 3..=6,
        bound: 150,
        nodes: 60,
        inner: 2,
        inner_nodes: 30,
        harvest: 0,
        seed: 9,
        engine: 0,
    }
}

/// Games whose searches are large enough for a harvest.
fn harvested(rule: RuleKind, side: u8) -> GamesRecipe {
    GamesRecipe { nodes: 600, inner: 1, harvest: 40, ..recipe(rule, side) }
}

fn play(path: &Path, recipe: &GamesRecipe, goal: SelfplayGoal, threads: usize) {
    let mut file = GameFile::open(path, recipe).expect("the file opens");
    selfplay::run(recipe, &Networks::default(), &mut file, goal, threads, |_| ())
        .expect("the games are played");
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name);
    for (name, recipe) in
        [("plain", recipe(RuleKind::Renju, 15)), ("harvested", harvested(RuleKind::Renju, 15))]
    {
        let file = |suffix: &str| file(&format!("{name}-{suffix}"));
        check_file_is_always_the_same(&file, &recipe);
    }
}

fn check_file_is_always_the_same(file: &dyn Fn(&str) -> PathBuf, recipe: &GamesRecipe) {
    play(&file("once"), recipe, SelfplayGoal::Games(12), 1);
    play(&file("many"), recipe, SelfplayGoal::Games(12), 3);
    play(&file("torn"), recipe, SelfplayGoal::Games(5), 2);
    let torn = fs::read(file("torn")).unwrap();
    fs::write(file("torn"), &torn[..torn.len() - 7]).unwrap();
    play(&file("torn"), recipe, SelfplayGoal::Games(12), 2);
    let once = fs::read(file("once")).unwrap();
    assert_eq!(fs::read(file("many")).unwrap(), once);
    assert_eq!(fs::read(file("torn")).unwrap(), once);
    // Existing games are sufficient.
    play(&file("once"), recipe, SelfplayGoal::Games(3), 1);
    assert_eq!(fs::read(file("once")).unwrap(), once);
}

#[test]
fn games_of_every_rule_are_sound() {
    let directory = tempfile::tempdir().unwrap();
    let plain = RuleKind::ALL.map(|rule| (rule, 15)).into_iter();
    let plain = plain.chain([(RuleKind::CaroExact, 9), (RuleKind::Freestyle, 20)]);
    let recipes = plain.map(|(rule, side)| recipe(rule, side)).chain([harvested(RuleKind::Renju, 15)]);
    for (number, recipe) in recipes.enumerate() {
        let (rule, path) = (recipe.rule, directory.path().join(number.to_string()));
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

#[test]
fn a_harvest_has_values_and_bounds_of_large_searches() {
    let recipe = GamesRecipe { nodes: 1200, ..harvested(RuleKind::Freestyle, 15) };
    let mut player = SelfPlayer::new(&recipe, &Networks::default());
    let games: Vec<_> = (0..6).map(|index| player.play(index).expect("a level opening")).collect();
    let inner: Vec<&InnerPosition> = games.iter().flat_map(|game| &game.inner).collect();
    for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
        assert!(inner.iter().any(|inner| inner.bound == bound), "{bound:?}");
    }
    // A move that fails low is not recommended, one that cuts off is.
    assert!(inner.iter().all(|inner| inner.bound != Bound::Lower || inner.best.is_some()));
    // No part of a search is larger than the whole.
    let most = (recipe.nodes / recipe.harvest).ilog2();
    assert!(inner.iter().all(|inner| u32::from(inner.doublings) <= most));
    assert!(inner.iter().any(|inner| inner.doublings > 0));
    // Without harvest, each search gives at most one position.
    let searches: usize = games.iter().map(|game| game.plies.len()).sum();
    assert!(inner.len() > 3 * searches, "{} positions in {searches} searches", inner.len());
}

/// Changes the first inner position so that the side to move has a four.
fn leave_a_four(game: &mut games::TrainingGame) {
    let is_free = |y: &u8| game.opening.iter().all(|point| point.y() != *y);
    let rows: Vec<u8> = (0..15).filter(is_free).collect();
    let four = |x: u8| [Point::new(4 + x, rows[0]), Point::new(3 * x, rows[1])];
    let line = (0..4).flat_map(four).collect();
    game.inner[0] =
        InnerPosition { ply: 0, line, best: Some(Point::new(8, rows[0])), ..game.inner[0].clone() };
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
    let changes: [(&str, Change); 12] = [
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
        ("best move is on a stone", |game| game.inner[0].best = Some(game.opening[0])),
        ("a proven value is a bound", |game| {
            let inner = &mut game.inner[0];
            (inner.proven, inner.bound) = (true, Bound::Lower);
        }),
    ];
    for (expected, change) in changes {
        let mut game = game.clone();
        change(&mut game);
        let error = games::check(&game, &recipe).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
}
