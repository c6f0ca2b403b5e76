use super::*;
use crate::config::batch::Batch;
use crate::model::record::{FORMAT, Header};
use clap::Parser;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: RunArgs,
}

fn args(flags: &[&str]) -> RunArgs {
    Line::parse_from([&["tournament"], flags].concat()).args
}

#[test]
fn engines_get_their_own_info_lines_and_names() {
    let flags = [
        "--engine1",
        "'/a b/one.exe' --fast",
        "--engine2",
        "one",
        "--max-nodes2",
        "9",
        "--max-depth",
        "3",
        "--info2",
        "thread_num 1",
    ];
    let batch = Batch::new(args(&flags).config().unwrap()).unwrap();
    let [first, second] = &batch.engines[..] else { panic!("two engines") };
    assert_eq!(first.command, ["/a b/one.exe", "--fast"]);
    assert_eq!((first.name.as_str(), second.name.as_str()), ("one-1", "one-2"));
    let last = |engine: &crate::model::settings::EngineSettings| {
        batch.leagues[0].settings.info_lines(engine).split_off(5).join("; ")
    };
    assert_eq!(last(first), "INFO max_depth 3");
    assert_eq!(last(second), "INFO max_node 9; INFO max_depth 3; INFO thread_num 1");
}

#[test]
fn engines_can_be_named() {
    let names = |flags: &[&str]| -> Vec<String> {
        let batch = Batch::new(args(flags).config().unwrap()).unwrap();
        batch.engines.iter().map(|engine| engine.name.clone()).collect()
    };
    let both = ["--engine1", "one", "--engine2", "one"];
    assert_eq!(names(&[&both[..], &["--name1", "new", "--name2", "old"]].concat()), ["new", "old"]);
    assert_eq!(names(&[&both[..], &["--name2", "old"]].concat()), ["one", "old"]);
}

#[test]
fn a_list_of_engines_makes_a_pool() {
    let engines = |flags: &[&str]| -> Vec<String> {
        args(flags).engines().listed().unwrap().unwrap().into_iter().map(|engine| engine.command).collect()
    };
    assert_eq!(engines(&["--engine", "a", "--engine", "b", "--engine", "c"]), ["a", "b", "c"]);
    assert_eq!(engines(&["--engine1", "a", "--engine2", "b", "--engine", "c"]), ["a", "b", "c"]);
}

#[test]
fn a_match_clock_alone_leaves_the_turn_free() {
    let turn_ms = |flags: &[&str]| {
        let flags = [&["--engine1", "a", "--engine2", "b"], flags].concat();
        Batch::new(args(&flags).config().unwrap()).unwrap().engines[0].clock.turn_ms
    };
    assert_eq!(turn_ms(&["--time-match-ms", "5000"]), 5000);
    assert_eq!(turn_ms(&[]), 1000);
    assert_eq!(turn_ms(&["--time-match-ms", "5000", "--time-turn-ms", "0"]), 0);
}

#[test]
fn an_increment_needs_a_match_clock() {
    let batch = |flags: &[&str]| {
        let flags = [&["--engine1", "a", "--engine2", "b", "--increment-ms", "100"], flags].concat();
        Batch::new(args(&flags).config().unwrap())
    };
    for flags in [&[][..], &["--time-turn-ms", "500"], &["--time-match-ms", "0"]] {
        let error = format!("{:#}", batch(flags).unwrap_err());
        let expected = "engine a: increment_ms needs match_ms: an increment is added to the time per game";
        assert_eq!(error, expected, "{flags:?}");
    }
    assert_eq!(batch(&["--time-match-ms", "5000"]).unwrap().engines[0].clock.increment_ms, 100);
}

#[test]
fn a_limit_of_nodes_among_the_info_lines_is_shown() {
    let flags = ["--engine1", "a", "--engine2", "b", "--info1", "max_node 25000"];
    let batch = Batch::new(args(&flags).config().unwrap()).unwrap();
    let limits: Vec<String> = batch.engines.iter().map(|engine| engine.limits_text()).collect();
    assert_eq!(limits, ["25000 nodes/move, at most 1 s/move", "1 s/move"]);
}

#[test]
fn a_batch_repeats_the_book_unless_it_asks_for_random_openings() {
    let league = |openings: &[&str]| {
        let flags = ["--engine1", "a", "--engine2", "b", "--rule", "renju", "--rounds", "241"];
        let mut batch = Batch::new(args(&[&flags, openings].concat()).config().unwrap()).unwrap();
        batch.leagues.remove(0)
    };
    let plain = league(&[]);
    assert_eq!(plain.openings.len(), 240);
    let message = plain.shortage.unwrap();
    assert!(message.starts_with("the book has 240 openings for 241 rounds: they are repeated"), "{message}");
    for openings in ["random:4", "book+random:4"] {
        let random = league(&["--openings", openings]);
        assert_eq!((random.openings.len(), random.shortage), (241, None), "{openings}");
    }
}

#[test]
fn random_openings_that_are_too_few_are_warned_of() {
    let league = |more: &[&str]| {
        let flags = ["--engine1", "a", "--engine2", "b", "--rule", "renju", "--openings", "book+random:1"];
        Batch::new(args(&[&flags, more].concat()).config().unwrap()).unwrap().leagues.remove(0)
    };
    assert_eq!(league(&["--rounds", "244"]).shortage, None);
    // One stone has ten places that are distinct under symmetry.
    let few = league(&["--rounds", "300"]);
    assert_eq!((few.openings.len(), few.distinct), (300, 250));
    let forms: std::collections::HashSet<_> = few.openings[..250]
        .iter()
        .map(|opening| crate::openings::symmetry::canonical(opening, kakugo::board::Size::default()))
        .collect();
    assert_eq!(forms.len(), 250, "no position occurs twice before");
    let message = few.shortage.unwrap();
    assert!(
        message.starts_with("book+random:1 has 250 openings for 300 rounds: random ones are repeated"),
        "{message}"
    );
    // With a test, the warning comes only once the openings run out.
    let test = league(&["--rounds", "300", "--sprt", "0:10"]);
    assert_eq!(test.shortage, None);
    assert!(test.run_out.unwrap().starts_with("all 250 openings of book+random:1 have been played: random"));
}

#[test]
fn random_stones_that_repeat_are_warned_of() {
    let league = |more: &[&str]| {
        let flags = ["--engine1", "a", "--engine2", "b", "--rounds", "120", "--openings"];
        Batch::new(args(&[&flags, more].concat()).config().unwrap()).unwrap().leagues.remove(0)
    };
    // One stone has 49 places near the centre.
    let few = league(&["random:1"]);
    assert_eq!((few.openings.len(), few.distinct), (120, 49));
    let message = few.shortage.unwrap();
    assert!(message.starts_with("random:1 has 49 openings for 120 rounds: they are repeated"), "{message}");
    assert!(league(&["random:0"]).shortage.unwrap().starts_with("random:0 has 1 opening for 120 rounds"));
    let test = league(&["random:1", "--sprt", "0:10"]);
    assert_eq!(test.shortage, None);
    assert!(test.run_out.unwrap().starts_with("all 49 openings of random:1 have been played: they are"));
}

#[test]
fn engines_get_a_pause_of_their_own() {
    let pauses = |flags: &[&str]| -> Vec<u128> {
        let batch = Batch::new(args(flags).config().unwrap()).unwrap();
        batch.engines.iter().map(|engine| engine.pause.as_millis()).collect()
    };
    let two = ["--engine1", "a", "--engine2", "b"];
    assert_eq!(pauses(&two), [10, 10]);
    assert_eq!(pauses(&[&two[..], &["--pause-ms", "0"]].concat()), [0, 0]);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("batch.toml");
    let text = "[limits]\npause_ms = 3\n[[engine]]\ncommand = \"a\"\n[[engine]]\ncommand = \"b\"\n\
                limits = { pause_ms = 20 }\n";
    std::fs::write(&path, text).unwrap();
    assert_eq!(pauses(&["--config", path.to_str().unwrap()]), [3, 20]);
}

#[test]
fn flags_overrule_the_config() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("batch.toml");
    std::fs::write(&path, "rounds = 5\nseed = 3\nsize = 9\n[limits]\nturn_ms = 7\nmargin_ms = 8\n").unwrap();
    let file = path.to_str().unwrap();
    let flags = ["--config", file, "--games", "4", "--time-turn-ms", "9", "--engine1", "a", "--engine2", "b"];
    let config = args(&flags).config().unwrap();
    assert_eq!((config.games, config.rounds, config.seed), (Some(4), None, Some(3)));
    assert_eq!((config.limits.turn_ms, config.limits.margin_ms), (Some(9), Some(8)));
}

#[test]
fn flags_overrule_the_limits_of_the_engines_in_the_config() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("batch.toml");
    let text = "[limits]\ndepth = 2\nturn_ms = 300\n[[engine]]\nname = \"a\"\ncommand = \"a\"\n\
                limits = { depth = 2, threads = 1, turn_ms = 300 }\n[[engine]]\nname = \"b\"\ncommand = \"b\"\n";
    std::fs::write(&path, text).unwrap();
    let flags = ["--config", path.to_str().unwrap(), "--max-depth", "4", "--time-turn-ms", "500"];
    let batch = Batch::new(args(&[&flags[..], &["--max-memory", "70M"]].concat()).config().unwrap()).unwrap();
    for engine in &batch.engines {
        assert_eq!((engine.depth, engine.clock.turn_ms, engine.memory.limit), (Some(4), 500, 70 << 20));
    }
    assert_eq!(batch.engines.iter().map(|engine| engine.threads).collect::<Vec<_>>(), [Some(1), None]);
    assert_eq!(batch.config.engine[1].limits, LimitsConfig::default(), "the common limits apply");
}

#[test]
fn every_rule_contradicts_another_game_or_leagues() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("batch.toml");
    for (text, error) in [
        ("game = \"pente\"\n", "rule and game are both given; choose one"),
        (
            "[[league]]\nrule = \"renju\"\n",
            "rule and size cannot be given for all games, because each league sets its own",
        ),
    ] {
        std::fs::write(&path, text).unwrap();
        for rule in ["freestyle", "renju"] {
            let flags =
                ["--config", path.to_str().unwrap(), "--rule", rule, "--engine1", "a", "--engine2", "b"];
            assert_eq!(args(&flags).config().unwrap_err().to_string(), error, "{rule}");
        }
    }
}

#[test]
fn flags_change_the_engines_of_the_config() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("batch.toml");
    let file = path.to_str().unwrap();
    let text = "[[engine]]\nname = \"new\"\ncommand = \"a\"\ninfo = [\"x 1\"]\n[[engine]]\ncommand = \"b\"\n";
    std::fs::write(&path, text).unwrap();
    let config = |flags: &[&str]| args(&[&["--config", file], flags].concat()).config();
    let engines = config(&["--info1", "y 2", "--engine2", "c", "--max-nodes2", "7"]).unwrap().engine;
    assert_eq!((engines[0].name.as_deref(), engines[0].command.as_str()), (Some("new"), "a"));
    assert_eq!(engines[0].info, ["x 1", "y 2"]);
    assert_eq!((engines[1].command.as_str(), engines[1].limits.nodes), ("c", Some(7)));
    assert!(engines.iter().all(|engine| !engine.reuse));
    assert!(config(&["--reuse"]).unwrap().engine.iter().all(|engine| engine.reuse));
    assert_eq!(config(&["--engine", "d"]).unwrap().engine.len(), 3);
    std::fs::write(&path, "[[engine]]\ncommand = \"a\"\n").unwrap();
    assert_eq!(config(&["--max-nodes1", "4"]).unwrap().engine[0].limits.nodes, Some(4));
    let error = config(&["--engine2", "b"]).unwrap_err().to_string();
    assert_eq!(error, "the config has no second engine for the options to change");
}

#[test]
fn flags_overrule_the_info_lines_of_the_config() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("batch.toml");
    let engine = "[[engine]]\ncommand = \"a\"\n\
                  info = [\"max_node 9000\", \"x 1\", \"MAX_DEPTH 9\", \"thread_num 4\"]\n";
    std::fs::write(&path, engine.repeat(2)).unwrap();
    let info = |flags: &[&str]| {
        let config = args(&[&["--config", path.to_str().unwrap()], flags].concat()).config().unwrap();
        config.engine.iter().map(|engine| engine.info.join("; ")).collect::<Vec<_>>()
    };
    let all = "max_node 9000; x 1; MAX_DEPTH 9; thread_num 4";
    assert_eq!(info(&[]), [all, all]);
    assert_eq!(info(&["--max-nodes2", "7"]), [all, "x 1; MAX_DEPTH 9; thread_num 4"]);
    assert_eq!(
        info(&["--max-nodes1", "7", "--info1", "max_node 8"])[0],
        "x 1; MAX_DEPTH 9; thread_num 4; max_node 8"
    );
    assert_eq!(info(&["--max-depth", "3", "--threads", "1"]), ["max_node 9000; x 1"; 2]);
}

#[test]
fn a_batch_is_resumed_with_the_same_number_of_games_at_a_time() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("results.jsonl");
    let header = Header {
        format: FORMAT,
        program: "tournament".to_owned(),
        config_hash: "cafe".to_owned(),
        config: serde_json::json!({ "run": { "concurrency": 3 } }),
        games: 2,
        shard: None,
    };
    std::fs::write(&path, journal::line(&header)).unwrap();
    let concurrency = |more: &[&str]| {
        let alone = ["--resume", "--log", path.to_str().unwrap()];
        args(&[&alone, more].concat()).config().unwrap().run.concurrency
    };
    assert_eq!(concurrency(&[]), Some(3));
    assert_eq!(concurrency(&["--concurrency", "1"]), Some(1));
}
