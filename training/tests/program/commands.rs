//! The program on the command line: games, a training on them, and errors.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use kakugo::board::Color;
use kakugo::eval::{WeightsFile, built_in_file};
use kakugo::rules::RuleKind;
use kakugo::suite::{Goal, Problem};

fn training(directory: &Path, arguments: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_training");
    Command::new(program).current_dir(directory).args(arguments.split(' ')).output().expect("it runs")
}

/// The output of a run that must succeed.
fn succeed(directory: &Path, arguments: &str) -> String {
    let output = training(directory, arguments);
    assert!(output.status.success(), "{arguments}: {}", message(&output));
    message(&output)
}

pub fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn the_page_names_every_option() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/training.md");
    let page = fs::read_to_string(page).unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let help = succeed(here, "--help");
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    assert!(commands.contains(&"fit") && commands.contains(&"make"), "{commands:?}");
    let mut missing = Vec::new();
    for command in commands.into_iter().filter(|command| !["", "help"].contains(command)) {
        let help = succeed(here, &format!("{command} --help"));
        let words = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let options = words.filter(|word| word.starts_with("--") && *word != "--help" && word.len() > 2);
        missing.extend(
            options.filter(|option| !page.contains(*option)).map(|option| format!("{command} {option}")),
        );
    }
    assert!(missing.is_empty(), "docs/training.md does not name {missing:?}");
}

#[test]
fn games_become_weights() {
    let directory = tempfile::tempdir().unwrap();
    let run = |arguments: &str| succeed(directory.path(), arguments);
    run("selfplay --rule renju --games 30 --nodes 100 --threads 2 --out games");
    let whole = fs::read(directory.path().join("games")).unwrap();
    fs::write(directory.path().join("games"), &whole[..whole.len() - 1]).unwrap();
    let text = run("inspect games");
    assert!(text.contains("renju 15x15, 100 nodes, seed 1") && text.contains("torn"), "{text}");
    let skipped = " bytes of an unfinished game were skipped";
    assert!(!text.contains(skipped), "{text}");
    for arguments in [
        "depths games --count 1 --nodes 10",
        "quiet games --count 1 --per-game 1 --short 10,20 --long 30,40 --out suite",
    ] {
        let text = run(arguments);
        assert_eq!(text.matches(skipped).count(), 1, "{arguments}: {text}");
    }

    let read = |name: &str| fs::read(directory.path().join(name)).unwrap();
    let mut fits = Vec::new();
    for threads in ["1", "2"] {
        // Missing folders are created.
        let arguments = format!("fit games --weights {threads} --plots {threads}/deep/plots --epochs 2");
        let output = Command::new(env!("CARGO_BIN_EXE_training"))
            .current_dir(directory.path())
            .env("RAYON_NUM_THREADS", threads)
            .args(arguments.split(' '))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", message(&output));
        assert!(message(&output).contains("epoch 2"), "{}", message(&output));
        fits.push(["renju.net", "deep/plots/renju.svg"].map(|name| read(&format!("{threads}/{name}"))));
        assert_eq!(fs::read_dir(directory.path().join(threads)).unwrap().count(), 2);
    }
    assert!(fits[0] == fits[1], "the number of threads changes the fit");
    let file = WeightsFile::decode(&fits[0][0]).unwrap();
    assert_eq!(file.rule, RuleKind::Renju);
    assert!(
        file.note.contains("30 games: renju 15x15") || file.note.contains("29 games: renju 15x15"),
        "{}",
        file.note
    );
    let own = |color| file.network.codes[color].iter().map(move |code| code.seen_by(color));
    assert!(own(Color::Black).ne(own(Color::White)), "renju's sides differ");
    assert!(file.note.contains("Rounding changes the probabilities"), "{}", file.note);
    assert!(file.note.contains(" %, of their chosen moves by 0."), "{}", file.note);
    let picture = String::from_utf8_lossy(&fits[0][1]).into_owned();
    assert!(picture.contains("Value") && picture.contains("Policy"), "{picture}");
    // The note of a network names the network that it continued from.
    run("fit games --weights further --epochs 1 --from 1");
    let further = WeightsFile::decode(&read("further/renju.net")).unwrap();
    assert!(further.note.contains("continued from the weights"), "{}", further.note);
    let text = run("eval games --weights 1/renju.net 2/renju.net --plot both.svg --html deep/both.html");
    assert_eq!(text.matches(skipped).count(), 1, "{text}");
    let columns = |line: &str| line.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let inner =
        text.lines().find(|line| line.starts_with("inner ")).map(columns).expect("a line of inner positions");
    assert_eq!(inner[1..5], inner[5..9], "one network has one loss: {text}");
    assert!(inner[1].parse::<f64>().is_ok_and(|loss| loss > 0.2), "{text}");
    let picture = String::from_utf8_lossy(&read("both.svg")).into_owned();
    let titles = ["Calibration", "among its best", "Value by number of stones", "Policy by threats"];
    assert!(titles.iter().all(|title| picture.contains(title)), "{picture}");
    let page = String::from_utf8_lossy(&read("deep/both.html")).into_owned();
    for part in [&inner[1], "1/renju.net", "Rounding changes the probabilities", "<svg"] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

/// A folder with the results of a training on short games of caro without inner positions, from these weights:
/// the network and the plot `caro` in the folder `new`; and the output of the training.
fn fit_from(weights: &[u8]) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("old")).unwrap();
    fs::write(directory.path().join("old/caro.net"), weights).unwrap();
    succeed(directory.path(), "selfplay --rule caro --size 9 --games 20 --nodes 20 --inner 0 --out games");
    let text = succeed(directory.path(), "fit games --weights new --plots new --epochs 1 --from old");
    (directory, text)
}

#[test]
fn a_note_has_the_checksum_of_the_file_that_the_training_continued_from() {
    // Written again, the file would have the weights of one colour only, as files of other versions differ too.
    let bytes = WeightsFile::decode(&built_in_file(RuleKind::Caro)).unwrap().encode(2);
    let (directory, _) = fit_from(&bytes);
    let note = WeightsFile::read(&directory.path().join("new/caro.net")).unwrap().note;
    let sum = u64::from_le_bytes(*bytes.last_chunk().unwrap());
    assert!(note.contains(&format!("The training continued from the weights {sum:016x}.\n")), "{note}");
}

#[test]
fn positions_that_no_game_has_are_left_out_of_the_results() {
    let (directory, text) = fit_from(&built_in_file(RuleKind::Caro));
    let epoch = text.lines().find(|line| line.starts_with("caro epoch 1: value ")).expect(&text);
    assert_eq!(epoch.matches("held out").count(), 2, "{epoch}");
    assert!(!epoch.contains(" and "), "{epoch}");
    assert!(text.contains("Held out, played: value") && !text.contains("Held out, inner"), "{text}");
    let plot = fs::read_to_string(directory.path().join("new/caro.svg")).unwrap();
    for name in ["training", "played, held out", "played, before"] {
        assert!(plot.contains(name), "{name}: {plot}");
    }
    assert!(!plot.contains("inner"), "{plot}");
}

#[test]
fn the_loss_before_a_training_does_not_depend_on_its_points() {
    let directory = tempfile::tempdir().unwrap();
    let run = |arguments: &str| succeed(directory.path(), arguments);
    run("selfplay --rule caro --size 9 --games 20 --nodes 60 --inner 3 --inner-nodes 30 --out games");
    let [few, many] = [20, 200].map(|points| {
        run(&format!("fit games --weights {points} --plots {points} --epochs 1 --points {points}"));
        let plot = fs::read_to_string(directory.path().join(format!("{points}/caro.svg"))).unwrap();
        ["played, before: ", "inner, before: "].map(|name| {
            let (_, loss) = plot.split_once(name).expect(name);
            loss.chars().take_while(|&c| c.is_ascii_digit() || c == '.').collect::<String>()
        })
    });
    assert!(few.iter().all(|loss| loss.parse::<f64>().is_ok_and(|loss| loss > 0.0)), "{few:?}");
    assert_eq!(few, many);
}

#[test]
fn games_become_a_suite() {
    let directory = tempfile::tempdir().unwrap();
    let run = |arguments: &str| succeed(directory.path(), arguments);
    run("selfplay --rule renju --games 10 --nodes 200 --out games");
    let searches = "--short 100,1000 --long 2000,1500 --count 4";
    let text = run(&format!("quiet games {searches} --out one"));
    // The number of positions depends on play; each step leaves fewer, and the last ones make the suite.
    let counts = text.lines().find_map(|line| line.strip_prefix("games: ")).expect(&text);
    let words = ["positions, short searches disagree in", "of them are level, long searches agree in"];
    assert!(words.iter().all(|words| counts.contains(words)), "{text}");
    let numbers = counts.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok());
    let numbers: Vec<usize> = numbers.collect();
    assert!(numbers.len() == 4 && numbers.is_sorted_by(|a, b| a >= b) && numbers[3] > 0, "{text}");
    run(&format!("quiet games {searches} --threads 2 --out two"));
    let read = |name: &str| fs::read_to_string(directory.path().join(name)).unwrap();
    assert_eq!(read("one"), read("two"), "the number of threads changes the suite");
    assert_eq!(read("one").lines().count(), numbers[3].min(4), "{text}");
    for line in read("one").lines() {
        let problem = Problem::parse(line).unwrap();
        assert!(matches!(problem.goal, Goal::Best(moves) if problem.board.is_empty(moves[0])), "{line}");
    }
}

#[test]
fn games_show_what_deeper_labels_would_gain() {
    let directory = tempfile::tempdir().unwrap();
    let run = |arguments: &str| succeed(directory.path(), arguments);
    run("selfplay --rule standard --games 6 --nodes 100 --inner 2 --inner-nodes 20 --out games");
    let text = run("depths games --count 60 --nodes 20,500,5000");
    let numbers =
        |line: &str| -> Vec<f64> { line.split_whitespace().filter_map(|word| word.parse().ok()).collect() };
    let rows: Vec<Vec<f64>> = text.lines().skip(2).map(numbers).collect();
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), [0.0, 20.0, 500.0, 5000.0], "{text}");
    let [_, losses, proven] = [0, 1, 2].map(|column| rows.iter().map(|row| row[column]).collect::<Vec<_>>());
    assert!(losses.iter().all(|&loss| loss > losses[3] - 0.001) && losses[0] > losses[2], "{text}");
    assert!(proven[0] == 0.0 && proven.is_sorted() && proven[3] > 5.0, "{text}");
    assert_eq!(run("depths games --count 60 --nodes 20,500,5000 --threads 2"), text);
}

#[test]
fn bad_options_and_files_are_refused_in_one_line() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("text"), "no games\n").unwrap();
    fs::write(directory.path().join("other.net"), built_in_file(RuleKind::Standard)).unwrap();
    let games = training(directory.path(), "selfplay --rule caro --games 1 --nodes 50 --out games");
    assert!(games.status.success(), "{}", message(&games));
    for (arguments, expected) in [
        ("selfplay --rule caro --games 1 --nodes 60 --out games", "nodes 50 instead of 60"),
        ("selfplay --rule caro --games 1 --out text", "not a file of self-play games"),
        ("selfplay --rule 2 --games 1 --out x", "cannot be continuous"),
        ("selfplay --rule renju --games 1 --network other.net --out x", "other.net is for standard"),
        ("inspect text", "not a file of self-play games"),
        ("inspect none", "none: No such file"),
        ("fit text", "not a file of self-play games"),
        ("fit games --weights text", "text is not a folder"),
        ("fit games --weights text/deep", "text is not a folder"),
        ("fit games --weights . --plots text", "text is not a folder"),
        ("eval games --weights none --plot text/x.svg", "text is not a folder"),
        ("eval games --weights none --html text/x.html", "text is not a folder"),
        ("quiet games --out text/x", "text is not a folder"),
        ("selfplay --rule caro --games 1 --out text/x", "cannot create the folder text"),
        ("fit games --weights .", "too few games"),
        ("fit games --weights . --from .", "cannot load ./caro.net: No such file"),
        ("fit games ./games --weights .", "games and ./games have the same recipe, seed included"),
        ("eval games games --weights other.net", "games and games have the same recipe, seed included"),
        ("eval games --weights other.net", "the weights are for standard, but games has games of caro"),
        ("depths text", "not a file of self-play games"),
        ("quiet text --out x", "not a file of self-play games"),
        ("quiet games --out games", "games is an input file"),
        ("eval games --weights none --plot games", "games is an input file: name another file with --plot"),
        ("eval games --weights text --html ./text", "./text is an input file: name another file with --html"),
        ("eval games --weights none --plot x --html ./x", "--plot and --html are the same file: x"),
    ] {
        let output = training(directory.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {}", message(&output));
        assert!(message(&output).contains(expected), "{arguments}: {}", message(&output));
        assert_eq!(message(&output).lines().count(), 1, "{arguments}: {}", message(&output));
    }
    // Errors of the command-line parser, with a hint on the usage.
    for arguments in [
        "selfplay --rule chess --games 1 --out x",
        "selfplay --rule caro --out x",
        "selfplay --rule caro --games 1 --positions 1 --out x",
        "selfplay --rule caro --games 1 --size 4 --out x",
        "selfplay --rule caro --games 1 --nodes 0 --out x",
        "selfplay --rule caro --games 1 --threads 0 --out x",
        "selfplay --rule caro --games 1 --stones 8-3 --out x",
        "fit",
        "fit games --result-share 2",
        "fit games --decay -1",
        "fit games --epochs 0",
        "fit games --points 0.4",
        "fit games --score-points 0.2",
        "fit games --points 1e6",
        "fit games --score-points 1001",
        "depths games --nodes 0",
        "quiet games --short 100 --out x",
        "quiet games --long 0,1 --out x",
        "quiet games --per-game 0 --out x",
        "quiet games --per-game 485 --out x",
        "quiet games --per-game 4000000000000 --out x",
        "quiet games --per-game 18446744073709551615 --out x",
    ] {
        let output = training(directory.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {}", message(&output));
    }
    let mut left: Vec<_> =
        fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["games", "other.net", "text"], "no partial results are left behind");
}
