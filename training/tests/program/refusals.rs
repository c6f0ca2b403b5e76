//! Recipes and files that `training make` refuses before the first game, and similar ones that it accepts.

use std::fs;
use std::path::Path;

use kakugo::eval::built_in_file;
use kakugo::rules::RuleKind;
use training::games;

use super::commands::message;
use super::make::{TINY, contents, made_tiny, run, succeed};

/// A play of two short games of renju.
fn play(name: &str, nodes: u32, more: &str) -> String {
    format!(
        "[[play]]\nname = \"{name}\"\nrule = \"renju\"\nsize = 9\nseeds = [1]\ngames = 2\nnodes = {nodes}\n\
         inner = 0\n{more}\n"
    )
}

/// Checks that `training` fails with these arguments and one line, which contains `expected`.
fn refuse(directory: &Path, arguments: &str, expected: &str) {
    let output = run(directory, arguments);
    let text = message(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments}: {text}");
    assert!(text.contains(expected) && text.lines().count() == 1, "{arguments}: {text}");
}

#[test]
fn recipes_that_cannot_be_trained_are_refused_before_the_first_game() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let further = "\n[[fit]]\nname = \"further\"\non = [\"few\"]\nfrom = \"both\"\n";
    for (text, expected) in [
        (
            TINY.replace("[\"free\", \"renju\"]", "[\"free\"]") + further,
            "tiny.toml: fit 'further': the fit 'both' trains no network for renju\n",
        ),
        (
            TINY.replace("rule = \"freestyle\"", "rule = \"caro-exact\""),
            "tiny.toml: fit 'both': caro-exact shares the weights of caro: train them on games of caro\n",
        ),
        (
            TINY.replace("seeds = [2]\ngames = 1", "seeds = [1]\ngames = 30")
                .replace("[\"free\", \"renju\"]", "[\"renju\", \"few\"]"),
            "fit 'both': made/tiny/renju-1.bin and made/tiny/few-1.bin have the same recipe, seed included",
        ),
        (
            TINY.replace("\"renju\"]", "\"few\"]"),
            "tiny.toml: fit 'both': too few games of renju to train on: a file needs at least 10, because one in 10 \
             is held out\n",
        ),
    ] {
        fs::write(directory.join("tiny.toml"), text).unwrap();
        refuse(directory, "make tiny.toml", expected);
        assert!(!directory.join("made").exists(), "{expected}");
    }
}

#[test]
fn a_number_of_positions_that_gives_too_few_games_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let renju = "rule = \"renju\"\nsize = 9\nseeds = [1]\n";
    let few = TINY.replacen(&format!("{renju}games = 20"), &format!("{renju}positions = 9"), 1);
    assert_ne!(few, TINY);
    fs::write(directory.join("tiny.toml"), few).unwrap();
    let warning = "fit both: probably too few games of renju to train on: a file needs at least 10, and the largest \
                   will have about ";
    let text = succeed(directory, "make tiny.toml --costs");
    assert!(text.contains(warning) && !text.contains("too few games of freestyle"), "{text}");
    let output = run(directory, "make tiny.toml");
    let text = message(&output);
    let expected = "training: fit 'both': a fit needs a file of at least 10 games for each rule, because one in 10 is \
                    held out: renju: too few games to train on\n";
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains(warning) && text.ends_with(expected), "{text}");
}

#[test]
fn weights_that_cannot_be_copied_are_refused_before_the_first_game() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("games.toml"), play("first", 20, "")).unwrap();
    refuse(
        directory,
        "make games.toml --weights final",
        "games.toml: no [[fit]] makes weights for --weights\n",
    );
    assert!(!directory.join("final").exists() && !directory.join("made").exists());
    fs::write(directory.join("tiny.toml"), TINY).unwrap();
    fs::create_dir_all(directory.join("final/renju.net")).unwrap();
    refuse(
        directory,
        "make tiny.toml --weights final",
        "final/renju.net: it is a directory, not a regular file",
    );
    assert!(!directory.join("made/tiny/free-1.bin").exists());
}

#[test]
#[cfg(unix)]
fn a_recipe_is_a_file_of_limited_size() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    refuse(directory, "make /dev/zero", "/dev/zero: ");
    fs::write(directory.join("long.toml"), "#".repeat(2 << 20)).unwrap();
    refuse(directory, "make long.toml", "long.toml: it has more than 1 MiB");
}

#[test]
fn caro_exact_is_played_with_a_network_of_caro() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::create_dir(directory.join("nets")).unwrap();
    fs::write(directory.join("nets/caro.net"), built_in_file(RuleKind::Caro)).unwrap();
    let recipe = play("exact", 20, "network = \"nets\"").replace("\"renju\"", "\"caro-exact\"");
    fs::write(directory.join("exact.toml"), recipe).unwrap();
    succeed(directory, "make exact.toml");
    let games = games::read(&directory.join("made/exact/exact-1.bin")).unwrap();
    assert_eq!((games.recipe.rule, games.games.len()), (RuleKind::CaroExact, 2));
}

#[test]
fn files_of_another_recipe_are_refused_before_the_first_game() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("some.toml"), play("z", 20, "")).unwrap();
    succeed(directory, "make some.toml");
    fs::write(directory.join("some.toml"), play("first", 20, "") + &play("z", 21, "")).unwrap();
    for arguments in ["make some.toml --costs", "make some.toml"] {
        let expected = "play 'z': made/some/z-1.bin has games of another recipe: nodes 20 instead of 21";
        refuse(directory, arguments, expected);
    }
    assert!(!directory.join("made/some/first-1.bin").exists());
}

#[test]
fn files_of_another_network_are_refused_before_the_first_game() {
    let (directory, whole) = made_tiny();
    let directory = directory.path();
    let nets = directory.join("nets");
    fs::create_dir(&nets).unwrap();
    fs::write(nets.join("renju.net"), &whole["both/renju.net"]).unwrap();
    let z = play("z", 20, "network = \"nets\"");
    fs::write(directory.join("some.toml"), &z).unwrap();
    succeed(directory, "make some.toml");
    fs::write(nets.join("renju.net"), built_in_file(RuleKind::Renju)).unwrap();
    fs::write(directory.join("some.toml"), play("first", 20, "") + &z).unwrap();
    for arguments in ["make some.toml --costs", "make some.toml"] {
        refuse(directory, arguments, "z-1.bin has games of another recipe: engine ");
    }
    assert!(!directory.join("made/some/first-1.bin").exists());
    // Costs can be reported without the network.
    fs::remove_file(nets.join("renju.net")).unwrap();
    succeed(directory, "make some.toml --costs");
}

#[test]
fn games_of_a_network_that_the_result_has_replaced_are_kept() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let nets = directory.join("nets");
    fs::create_dir(&nets).unwrap();
    fs::write(nets.join("renju.net"), built_in_file(RuleKind::Renju)).unwrap();
    let first = contents(&nets);
    let z = play("z", 20, "network = \"nets\"").replace("games = 2", "games = 20");
    let recipe = z.replace("[1]", "[1, 2]") + "\n[[fit]]\nname = \"next\"\non = [\"z\"]\nepochs = 1\n";
    fs::write(directory.join("some.toml"), &recipe).unwrap();
    succeed(directory, "make some.toml --weights nets");
    let (whole, copied) = (contents(&directory.join("made")), contents(&nets));
    assert_ne!(copied, first);
    for arguments in ["make some.toml --costs", "make some.toml", "make some.toml --weights nets"] {
        let text = succeed(directory, arguments);
        assert!(text.contains("play z-2.bin: complete") && text.contains("fit next: complete"), "{text}");
        assert!(!text.contains("step "), "{text}");
        assert!(contents(&directory.join("made")) == whole && contents(&nets) == copied, "another result");
    }
    // More games would be played by another engine.
    fs::write(directory.join("some.toml"), recipe.replace("[1, 2]", "[1, 2, 3]")).unwrap();
    refuse(directory, "make some.toml --costs", "z-1.bin has games of another recipe: engine ");
    fs::write(directory.join("some.toml"), recipe.replace("games = 20", "games = 21")).unwrap();
    refuse(directory, "make some.toml", "z-1.bin has games of another recipe: engine ");
}

#[test]
fn a_network_of_another_rule_is_refused_before_the_first_game() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::create_dir(directory.join("nets")).unwrap();
    fs::write(directory.join("nets/renju.net"), built_in_file(RuleKind::Standard)).unwrap();
    let recipe = play("first", 20, "") + &play("z", 20, "network = \"nets\"");
    fs::write(directory.join("some.toml"), recipe).unwrap();
    for arguments in ["make some.toml --costs", "make some.toml"] {
        refuse(directory, arguments, "some.toml: play 'z': nets/renju.net is for standard\n");
    }
    assert!(!directory.join("made/some/first-1.bin").exists());
}

#[test]
fn a_network_counts_only_if_its_training_is_finished() {
    let (directory, _) = made_tiny();
    let directory = directory.path();
    let made = directory.join("made/tiny");
    let with_z = TINY.to_owned() + &play("z", 20, "network = \"both\"");
    fs::write(directory.join("tiny.toml"), &with_z).unwrap();
    succeed(directory, "make tiny.toml");
    let whole = contents(&made);
    fs::write(made.join("both/renju.net"), built_in_file(RuleKind::Renju)).unwrap();
    refuse(directory, "make tiny.toml --costs", "z-1.bin has games of another recipe: engine ");
    // As after a training that was stopped: the next one gives the network that played the games.
    fs::remove_file(made.join("both/made")).unwrap();
    succeed(directory, "make tiny.toml");
    assert!(contents(&made) == whole, "another result");
}

#[test]
fn games_of_a_network_that_will_change_are_refused_before_it_is_trained() {
    let (directory, _) = made_tiny();
    let directory = directory.path();
    let made = directory.join("made/tiny");
    let z = play("z", 20, "network = \"both\"");
    let write = |text: String| fs::write(directory.join("tiny.toml"), text + &z).unwrap();
    write(TINY.to_owned());
    succeed(directory, "make tiny.toml");
    let whole = contents(&made);
    for (from, to) in
        [("epochs = 1", "epochs = 2"), ("games = 20", "games = 21"), ("seeds = [1]", "seeds = [1, 3]")]
    {
        write(TINY.replace(from, to));
        for arguments in ["make tiny.toml --costs", "make tiny.toml"] {
            let expected = "z-1.bin was played by the network of 'both', which will be trained again: use another \
                            folder or remove these files\n";
            refuse(directory, arguments, expected);
        }
        assert!(contents(&made) == whole, "{to}: the files have changed");
    }
    // More games of another rule do not change the network.
    write(TINY.replacen("games = 20", "games = 21", 1));
    succeed(directory, "make tiny.toml");
    let further = contents(&made);
    assert!(further["both/freestyle.net"] != whole["both/freestyle.net"], "freestyle has more games");
    for name in ["both/renju.net", "z-1.bin"] {
        assert!(further[name] == whole[name], "{name} has changed");
    }
    // Games that were lost are played again.
    fs::remove_file(made.join("renju-1.bin")).unwrap();
    succeed(directory, "make tiny.toml");
    assert!(contents(&made) == further, "another result");
}

#[test]
fn games_that_were_lost_are_played_again_also_with_a_stamp_of_an_earlier_version() {
    let (directory, _) = made_tiny();
    let directory = directory.path();
    let made = directory.join("made/tiny");
    let write = |text: &str| {
        fs::write(directory.join("tiny.toml"), text.to_owned() + &play("z", 20, "network = \"both\""))
            .unwrap();
    };
    write(TINY);
    succeed(directory, "make tiny.toml");
    // Earlier versions stored only the checksum of the options and all games.
    let stamp = fs::read_to_string(made.join("both/made")).unwrap();
    fs::write(made.join("both/made"), stamp.split_once(' ').unwrap().0.to_owned() + "\n").unwrap();
    let whole = contents(&made);
    for arguments in ["make tiny.toml --costs", "make tiny.toml"] {
        fs::remove_file(made.join("renju-1.bin")).unwrap();
        succeed(directory, arguments);
        fs::write(made.join("renju-1.bin"), &whole["renju-1.bin"][..20]).unwrap();
        succeed(directory, arguments);
    }
    assert!(contents(&made) == whole, "another result");
    // All games are there, so the network would be trained again on other options.
    write(&TINY.replace("epochs = 1", "epochs = 2"));
    refuse(
        directory,
        "make tiny.toml",
        "z-1.bin was played by the network of 'both', which will be trained again",
    );
}
