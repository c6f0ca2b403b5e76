//! The files that a command reads, given by names, folders and patterns.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// The files that `names` refer to, in this order: a folder means the files in and below it with one of the
/// `endings`, and a name with `*`, `?` or `[` that is not a file means all files that match it (`**` matches
/// any folders), both sorted by name. `-` is never a folder, because it stands for a stream.
///
/// # Errors
/// Returns an error if a folder has no such file or cannot be read, or a pattern is invalid or matches none.
pub fn inputs(names: &[PathBuf], endings: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for name in names {
        let shown = || name.display().to_string();
        if name.is_dir() && name.as_os_str() != "-" {
            let found = files_below(name, endings).with_context(shown)?;
            let ends = endings.join(", ");
            ensure!(!found.is_empty(), "{}: not a regular file but a folder without {ends} files", shown());
            files.extend(found);
        } else if let Some(pattern) = pattern(name) {
            let found = glob::glob(pattern).with_context(shown)?;
            let found: Vec<PathBuf> = found.collect::<Result<_, _>>().with_context(shown)?;
            let before = files.len();
            files.extend(found.into_iter().filter(|path| path.is_file()));
            ensure!(files.len() > before, "{}: no file matches", name.display());
        } else {
            files.push(name.clone());
        }
    }
    Ok(files)
}

/// The files, each of them once; a repeat is passed to `warn`, because its games would count twice.
pub fn without_repeats(files: Vec<PathBuf>, mut warn: impl FnMut(&Path)) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    let is_new = |file: &PathBuf| {
        // A missing file is reported when it is opened. `-` stands for a stream, which can be read only once.
        let path = if file.as_os_str() == "-" { Some(file.clone()) } else { file.canonicalize().ok() };
        let is_new = path.is_none_or(|path| seen.insert(path));
        if !is_new {
            warn(file);
        }
        is_new
    };
    files.into_iter().filter(is_new).collect()
}

/// The pattern in a name, if no file or folder has this name.
fn pattern(name: &Path) -> Option<&str> {
    name.to_str().filter(|text| text.contains(['*', '?', '[']) && name.symlink_metadata().is_err())
}

fn files_below(folder: &Path, endings: &[&str]) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
            // Links to folders could form a circle.
            if kind.is_dir() {
                folders.push(path);
            } else if has_ending(&path, endings) && path.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| endings.iter().any(|known| known.eq_ignore_ascii_case(ending)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_patterns_mean_the_files_that_fit() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("deep/er")).expect("a folder");
        for name in ["b.sgf", "a.SGF", "notes.md", "deep/c.psq", "deep/er/d.sgf", "[odd].sgf"] {
            fs::write(at(name), "").expect("a file");
        }
        let all = |name: &str, endings: &[&str]| {
            let found = inputs(&[at(name)], endings).map_err(|error| format!("{error:#}"));
            let short = |path: &PathBuf| {
                let inner = path.strip_prefix(folder.path()).expect("it is in the folder");
                inner.display().to_string().replace('\\', "/")
            };
            found.map(|found| found.iter().map(short).collect::<Vec<_>>())
        };
        let wanted = |names: &[&str]| Ok(names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        assert_eq!(all("", &["sgf"]), wanted(&["[odd].sgf", "a.SGF", "b.sgf", "deep/er/d.sgf"]));
        assert_eq!(all("deep", &["sgf", "psq"]), wanted(&["deep/c.psq", "deep/er/d.sgf"]));
        assert_eq!(all("*.sgf", &[]), wanted(&["[odd].sgf", "b.sgf"]));
        assert_eq!(all("**/?.sgf", &[]), wanted(&["b.sgf", "deep/er/d.sgf"]));
        assert_eq!(all("[odd].sgf", &[]), wanted(&["[odd].sgf"]));
        assert_eq!(all("none.sgf", &[]), wanted(&["none.sgf"]));
        for (name, cause) in
            [("*.pgn", "no file matches"), ("deep/er", "a folder without psq, pgn files"), ("[", "Pattern")]
        {
            let error = all(name, &["psq", "pgn"]).expect_err("there is no such file");
            assert!(error.contains(cause), "{error}");
        }
    }
}
