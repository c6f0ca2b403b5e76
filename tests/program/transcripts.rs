//! Commands with what they print, as transcripts: `tests/data/commands/README.md` describes them.

use std::fs;
use std::path::Path;
use std::process::Output;

/// Any text in a line, or any lines.
const ANY: &str = "...";

/// A command and its conversation.
struct Transcript<'a> {
    command: &'a str,
    input: String,
    output: Vec<&'a str>,
    error: Vec<&'a str>,
    status: i32,
}

/// Plays the transcripts in `data`, each file in a folder of its own below `place`. `run` runs the program that is called
/// `program` there.
pub fn play(data: &Path, place: &Path, program: &str, run: impl Fn(&Path, &[&str], &str) -> Output) {
    let mut files: Vec<_> = fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    files.sort();
    assert!(!files.is_empty(), "{}", data.display());
    for path in files {
        let folder = place.join(path.file_stem().unwrap());
        fs::create_dir_all(&folder).unwrap();
        for entry in fs::read_dir(data.join("files")).unwrap() {
            let file = entry.unwrap().path();
            fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
        }
        for transcript in parse(&fs::read_to_string(&path).unwrap()) {
            let Transcript { command, input, output, error, status } = transcript;
            let words = words(command);
            let (name, arguments) = words.split_first().unwrap();
            assert_eq!(name, program, "{}", path.display());
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let result = run(&folder, &arguments, &input);
            let [said, failed] = [&result.stdout, &result.stderr].map(|text| String::from_utf8_lossy(text));
            let fits = match_lines(&output, &lines(&said))
                && match_lines(&error, &lines(&failed))
                && result.status.code() == Some(status);
            let code = result.status.code();
            assert!(
                fits,
                "{}: {command}\n{said}{failed}= {code:?}\ninstead of\n{}",
                path.display(),
                output.join("\n")
            );
        }
    }
}

fn parse(text: &str) -> Vec<Transcript<'_>> {
    let mut all: Vec<Transcript> = Vec::new();
    let mut lines = text.lines().peekable();
    let mut is_comment = true;
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix("$ ") {
            let (input, output, error) = (String::new(), Vec::new(), Vec::new());
            all.push(Transcript { command, input, output, error, status: 0 });
            is_comment = false;
            continue;
        }
        let ends = line.is_empty() && lines.peek().is_none_or(|next| next.starts_with(['#', '$']));
        is_comment |= ends;
        let Some(last) = all.last_mut().filter(|_| !is_comment) else { continue };
        match line.split_at_checked(2) {
            Some(("> ", typed)) => last.input += &format!("{typed}\n"),
            Some(("! ", said)) => last.error.push(said),
            Some(("= ", status)) => last.status = status.parse().unwrap(),
            _ => last.output.push(line),
        }
    }
    all
}

/// The words of a command; a part in single quotes is one.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

fn lines(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let count = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    lines[..count].to_vec()
}

fn match_lines(patterns: &[&str], lines: &[&str]) -> bool {
    match patterns.split_first() {
        None => lines.is_empty(),
        Some((&ANY, rest)) => (0..=lines.len()).any(|skipped| match_lines(rest, &lines[skipped..])),
        Some((pattern, rest)) => lines
            .split_first()
            .is_some_and(|(line, others)| match_line(pattern.trim_end(), line) && match_lines(rest, others)),
    }
}

fn match_line(pattern: &str, line: &str) -> bool {
    let Some((first, rest)) = pattern.split_once(ANY) else { return pattern == line };
    let (middle, last) = rest.rsplit_once(ANY).map_or(("", rest), |(middle, last)| (middle, last));
    let inside = line.strip_prefix(first).and_then(|line| line.strip_suffix(last));
    // The leftmost place of a part leaves most for the others.
    let found =
        inside.and_then(|line| middle.split(ANY).try_fold(line, |line, part| Some(line.split_once(part)?.1)));
    found.is_some()
}
