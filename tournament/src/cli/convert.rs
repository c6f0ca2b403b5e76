//! `tournament convert`: converts games to another format.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use kakugo::files::{create, is_same, replace_with};

use super::is_stream;
use crate::files::journal;
use crate::files::{self, RecordFormat};
use crate::model::record::{GameRecord, Header};

/// Convert games to another format.
///
/// The names of the files determine the formats: .jsonl (results of tournament), .pgn, .psq, .sgf, .csv; .rif
/// and .pos are only read. If OUT is a directory, each game becomes a separate file in the format of --to. If
/// there are several input files, their games are renumbered.
#[derive(Debug, clap::Args)]
pub struct ConvertArgs {
    /// Files to read; a folder means all files of games in and below it, a pattern such as '*.sgf' all files that match
    /// it, - standard input.
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// File to write, or a directory. - writes to standard output in the format of --to.
    #[arg(value_name = "OUT", required = true)]
    output: PathBuf,
    #[command(flatten)]
    reading: super::ReadArgs,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
    /// Convert only the game with this number.
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// The output format, if the name of OUT does not determine it.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<RecordFormat>,
}

/// Converts the games.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or if the format of OUT is unknown.
pub fn run(args: &ConvertArgs) -> Result<ExitCode> {
    let inputs = super::inputs(&args.inputs)?;
    let is_input = |path: &Path| {
        !is_stream(path) && inputs.iter().any(|input| !is_stream(input) && is_same(input, path))
    };
    if is_input(&args.output) {
        let is_part = inputs.len() > 1 || args.game.is_some();
        let reason = if is_part {
            " and is not replaced by a part of it"
        } else {
            "; give another name for the result"
        };
        bail!("{} is an input file{reason}", args.output.display());
    }
    let (header, games) = args.games(&inputs)?;
    let is_directory = !is_stream(&args.output)
        && (args.output.is_dir()
            || args.output.as_os_str().to_string_lossy().ends_with(std::path::is_separator));
    let format = args.to.or(if is_directory { None } else { RecordFormat::of_path(&args.output) });
    let format = format.with_context(|| {
        format!("{}: unknown format: use --to jsonl, pgn, psq, sgf or csv", args.output.display())
    })?;
    if is_directory {
        std::fs::create_dir_all(&args.output).with_context(|| args.output.display().to_string())?;
        let path = |index| args.output.join(format!("game-{:04}.{}", index + 1, format.extension()));
        for path in (0..games.len()).map(path) {
            ensure!(!is_input(&path), "{} is an input file", path.display());
            ensure!(args.force || !path.exists(), "{} exists: --force replaces it", path.display());
        }
        for (index, game) in games.iter().enumerate() {
            let path = path(index);
            args.write_file(&path, format, None, std::slice::from_ref(game))?;
        }
    } else {
        ensure!(
            format != RecordFormat::Psq || games.len() == 1,
            "a .psq file holds one game, and the input has {}: choose one with --game N, or give a directory as OUT and --to psq",
            games.len()
        );
        args.write_file(&args.output, format, header.as_ref(), &games)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl ConvertArgs {
    /// The games of the files, with the header of a single file.
    fn games(&self, inputs: &[PathBuf]) -> Result<(Option<Header>, Vec<GameRecord>)> {
        if let [input] = inputs {
            let mut results = self.reading.read_trees(input)?;
            ensure!(!results.games.is_empty(), "{}: the file contains no games", input.display());
            if let Some(number) = self.game {
                results.games.retain(|game| game.game == number);
                ensure!(!results.games.is_empty(), "{}: there is no game {number}", input.display());
            }
            // The header describes a batch under the original rule, so it does not fit games of another rule.
            let header = results.header.filter(|_| self.reading.rule.is_none());
            return Ok((header, results.games));
        }
        ensure!(
            self.game.is_none(),
            "--game is the number of a game of one file, and there are {}",
            inputs.len()
        );
        let mut games = Vec::new();
        for input in inputs {
            games.extend(self.reading.read_trees(input)?.games);
        }
        ensure!(!games.is_empty(), "the {} files contain no games", inputs.len());
        (1..).zip(&mut games).for_each(|(number, game)| game.game = number);
        Ok((None, games))
    }

    /// Writes the file completely or not at all, or writes to standard output.
    fn write_file(
        &self,
        path: &Path,
        format: RecordFormat,
        header: Option<&Header>,
        games: &[GameRecord],
    ) -> Result<()> {
        let mut text = files::write(format, games)?;
        if let (RecordFormat::Jsonl, Some(header)) = (format, header) {
            text.insert_str(0, &journal::line(header));
        }
        if is_stream(path) {
            return super::print_file(&text);
        }
        let name = path.display();
        if self.force {
            return replace_with(path, &text).with_context(|| name.to_string());
        }
        match create(path, &text) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                bail!("{name} exists: --force replaces it")
            }
            written => written.with_context(|| name.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::blank;
    use crate::files::results;
    use crate::model::record::GameResult;

    fn convert(
        input: &Path,
        output: &Path,
        game: Option<usize>,
        to: Option<RecordFormat>,
    ) -> Result<ExitCode> {
        run(&ConvertArgs {
            inputs: vec![input.to_owned()],
            output: output.to_owned(),
            force: false,
            game,
            to,
            reading: crate::cli::ReadArgs::default(),
        })
    }

    #[test]
    fn files_are_converted_whole_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let mut games = [blank(1), blank(2)];
        for game in &mut games {
            game.moves = "h8i9".to_owned();
            game.detail = "the file does not state the result".to_owned();
        }
        std::fs::write(at("in.jsonl"), files::write(RecordFormat::Jsonl, &games).unwrap()).unwrap();
        convert(&at("in.jsonl"), &at("a.pgn"), None, None).unwrap();
        convert(&at("a.pgn"), &at("b.sgf"), None, None).unwrap();
        convert(&at("b.sgf"), &at("c"), None, Some(RecordFormat::Csv)).unwrap();
        convert(&at("c"), &at("out.jsonl"), None, None).unwrap();
        assert_eq!(results::read(&at("out.jsonl"), &Default::default()).unwrap().games, games);
        convert(&at("in.jsonl"), &at("one.psq"), Some(2), None).unwrap();
        assert_eq!(results::read(&at("one.psq"), &Default::default()).unwrap().games[0].moves, "h8i9");
        convert(&at("in.jsonl"), &at("many/"), None, Some(RecordFormat::Psq)).unwrap();
        assert_eq!(std::fs::read_dir(at("many")).unwrap().count(), 2);
        std::fs::remove_file(at("many/game-0001.psq")).unwrap();
        let error = convert(&at("in.jsonl"), &at("many/"), None, Some(RecordFormat::Psq)).unwrap_err();
        assert!(error.to_string().ends_with("game-0002.psq exists: --force replaces it"), "{error}");
        assert!(!at("many/game-0001.psq").exists(), "all files are checked before the first one is written");

        let error_of = |output: &str, game| {
            let error = convert(&at("in.jsonl"), &at(output), game, None).unwrap_err();
            format!("{error:#}").replace(&dir.path().display().to_string(), "")
        };
        assert!(error_of("two.psq", None).starts_with("a .psq file holds one game, and the input has 2"));
        assert_eq!(error_of("a.pgn", Some(3)), "/in.jsonl: there is no game 3");
        assert!(error_of("a.doc", None).starts_with("/a.doc: unknown format"));
        assert_eq!(error_of("a.pgn", None), "/a.pgn exists: --force replaces it");
        assert!(error_of("none/a.pgn", None).starts_with("/none/a.pgn: No such file"));
        let whole = "/in.jsonl is an input file; give another name for the result";
        assert_eq!(error_of("in.jsonl", None), whole);
        assert!(
            error_of("in.jsonl", Some(1)).ends_with("is an input file and is not replaced by a part of it")
        );
        let mut left: Vec<_> =
            std::fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["a.pgn", "b.sgf", "c", "in.jsonl", "many", "one.psq", "out.jsonl"]);
    }
    #[test]
    fn variations_and_comments_are_kept() {
        const MOVES: &str =
            "C[the centre](;W[hi];B[ij]C[120 ms are enough])(;W[ig]C[better](;B[aa])(;B[bb];W[cc])))";
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("a.sgf"), format!("(;SZ[15];B[hh]{MOVES}")).unwrap();
        convert(&at("a.sgf"), &at("b.jsonl"), None, None).unwrap();
        convert(&at("b.jsonl"), &at("c.sgf"), None, None).unwrap();
        let text = std::fs::read_to_string(at("c.sgf")).unwrap().replace('\n', "");
        let moves = text.split_once(";B[hh]").unwrap().1;
        assert_eq!(moves, MOVES, "{text}");
        // A results file may have been changed.
        let lines = std::fs::read_to_string(at("b.jsonl")).unwrap();
        for (from, to, fault) in [
            (r#""leaves":0"#, r#""leaves":1"#, "variation 1: it leaves no earlier variation"),
            (
                r#""leaves":0,"ply":2"#,
                r#""leaves":0,"ply":9"#,
                "variation 1 does not begin in the line that it leaves",
            ),
            (r#""moves":"b14 c13""#, r#""moves":"b14 z99""#, "variation 1: "),
        ] {
            std::fs::write(at("d.jsonl"), lines.replace(from, to)).unwrap();
            let error = convert(&at("d.jsonl"), &at("e.sgf"), None, None).unwrap_err();
            assert!(format!("{error:#}").contains(fault), "{error:#}");
        }
    }

    #[test]
    fn variations_after_passes_are_kept() {
        const MOVES: &str = ";W[];B[ii];W[];B[jj];W[kk](;B[ll])(;B[mm]))";
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("a.sgf"), format!("(;GM[4]SZ[15]RU[renju];B[hh]{MOVES}")).unwrap();
        convert(&at("a.sgf"), &at("b.jsonl"), None, None).unwrap();
        convert(&at("b.jsonl"), &at("c.sgf"), None, None).unwrap();
        let text = std::fs::read_to_string(at("c.sgf")).unwrap().replace('\n', "");
        assert_eq!(text.split_once(";B[hh]").unwrap().1, MOVES, "{text}");
    }

    #[test]
    fn a_rule_replaces_the_rules_of_a_results_file() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        // Black's last move makes an overline; the first game has a result of its own.
        let moves = "a1a15b1c15c1e15e1g15f1i15d1";
        let unfinished = |game| GameRecord { moves: moves.to_owned(), ..blank(game) };
        let won = GameRecord { result: GameResult::Black, ending: "resign".to_owned(), ..unfinished(1) };
        std::fs::write(at("in.jsonl"), files::write(RecordFormat::Jsonl, &[won, unfinished(2)]).unwrap())
            .unwrap();
        let converted = |output: &str, rule: &str| {
            let rule = Some(rule.parse().unwrap());
            run(&ConvertArgs {
                inputs: vec![at("in.jsonl")],
                output: at(output),
                force: false,
                game: None,
                to: None,
                reading: crate::cli::ReadArgs { rule, ..Default::default() },
            })
            .unwrap();
            std::fs::read_to_string(at(output)).unwrap()
        };
        for (rule, result) in [("renju", "W+"), ("freestyle", "B+")] {
            let text = converted(&format!("{rule}.sgf"), rule);
            assert_eq!(text.matches(&format!("RU[{rule}]")).count(), 2, "{text}");
            assert!(text.contains("RE[B+R]") && text.contains(&format!("RE[{result}]")), "{text}");
        }
        // A continuous game is named by its code, which every reader knows.
        converted("continuous.jsonl", "2");
        let games = results::read(&at("continuous.jsonl"), &Default::default()).unwrap().games;
        assert_eq!(games.iter().map(|game| game.rule.as_str()).collect::<Vec<_>>(), ["2", "2"]);
    }

    #[test]
    fn games_of_a_folder_become_one_file() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir_all(at("games/more")).unwrap();
        for (name, moves) in
            [("games/b.jsonl", "h8i9"), ("games/more/c.jsonl", "j10k11"), ("games/notes.txt", "")]
        {
            let game = GameRecord { moves: moves.to_owned(), ..blank(7) };
            std::fs::write(at(name), files::write(RecordFormat::Jsonl, &[game]).unwrap()).unwrap();
        }
        for (input, output) in [("games", "all.jsonl"), ("games/**/?.jsonl", "matched.jsonl")] {
            convert(&at(input), &at(output), None, None).unwrap();
            let games = results::read(&at(output), &Default::default()).unwrap().games;
            let numbered: Vec<_> = games.iter().map(|game| (game.game, game.moves.as_str())).collect();
            assert_eq!(numbered, [(1, "h8i9"), (2, "j10k11")]);
        }
        let error = convert(&at("games"), &at("one.jsonl"), Some(1), None).unwrap_err();
        assert_eq!(error.to_string(), "--game is the number of a game of one file, and there are 2");
        let error = convert(&at("games"), &at("games/b.jsonl"), None, None).unwrap_err();
        assert!(
            error.to_string().ends_with("is an input file and is not replaced by a part of it"),
            "{error}"
        );
    }
    #[test]
    fn games_of_renjunet_become_sgf() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let text = "<?xml version=\"1.0\"?><database><players><player id=\"3\" name=\"Ann\" surname=\"Bell\"/></players>\
            <games><game id=\"1\" black=\"3\" bresult=\"1\"><move>h8 i9 j10</move></game></games></database>";
        std::fs::write(at("games.xml"), text).unwrap();
        convert(&at("games.xml"), &at("games.sgf"), None, None).unwrap();
        let games = results::read(&at("games.sgf"), &Default::default()).unwrap().games;
        assert_eq!((games.len(), games[0].moves.as_str(), games[0].rule.as_str()), (1, "h8i9j10", "renju"));
        assert_eq!((games[0].black.name.as_str(), games[0].result.to_string().as_str()), ("Ann Bell", "1-0"));
        let error = convert(&at("games.xml"), &at("copy.rif"), None, None).unwrap_err();
        assert!(error.to_string().starts_with("RenjuNet's format is only read"), "{error}");
    }
}
