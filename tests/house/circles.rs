//! Checks that no files import each other in a circle.
//!
//! A file may import the files of the modules that contain it, which declare it: a folder and its files are one thing
//! to the outside.

use std::collections::{BTreeMap, BTreeSet};

use super::source_code::{is_word, module_path, sources, without_comments_and_texts, without_tests};

/// For each file, the files that it imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_files_import_each_other_in_a_circle() {
    for (package, name) in [
        ("", "kakugo"),
        ("tournament/", "tournament"),
        ("training/", "training"),
        ("web/server/", "kakugo_board"),
    ] {
        let files = sources(&format!("{package}src"));
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.strip_prefix(package).unwrap_or(path), text.as_str()))
            .collect();
        let imports = imports(&files, name);
        let circle = circle(&imports);
        assert!(circle.is_empty(), "{name}: {} imports the first of them again", circle.join(" imports "));
    }
}

/// The imports of one package, whose files are given by their paths from its folder.
fn imports(files: &[(&str, &str)], package: &str) -> Imports {
    let modules: BTreeMap<Vec<&str>, &str> = files
        .iter()
        .map(|&(path, _)| (module_path(path), path))
        .filter(|(module, _)| !module.is_empty() && !module.contains(&"tests"))
        .collect();
    let mut imports = Imports::new();
    for (module, path) in &modules {
        let text = files.iter().find(|(other, _)| other == path).expect("it is one of them").1;
        let code = without_tests(&without_comments_and_texts(text));
        let mut imported = BTreeSet::new();
        for names in used_paths(&code) {
            let target = absolute(&names, module, package);
            let file = (1..=target.len()).rev().find_map(|length| modules.get_key_value(&target[..length]));
            if let Some((_, file)) = file.filter(|(other, _)| !module.starts_with(other)) {
                imported.insert((*file).to_owned());
            }
        }
        imports.insert((*path).to_owned(), imported);
    }
    imports
}

/// The path from the crate's root that `names` mean in `module`; empty if they belong to another package.
fn absolute<'a>(names: &[&'a str], module: &[&'a str], package: &str) -> Vec<&'a str> {
    let climbs = names.iter().take_while(|&&name| name == "super").count();
    match names {
        [first, rest @ ..] if *first == "crate" || *first == package => rest.to_vec(),
        ["self", rest @ ..] => [module, rest].concat(),
        _ if climbs > 0 => [&module[..module.len().saturating_sub(climbs)], &names[climbs..]].concat(),
        _ => [module, names].concat(),
    }
}

/// The paths of the `use` declarations in `code`, each as its names.
fn used_paths(code: &str) -> Vec<Vec<&str>> {
    let mut paths = Vec::new();
    for (start, word) in code.match_indices("use ") {
        if !code[..start].ends_with(is_word) {
            let tree = &code[start + word.len()..];
            expand(&[], &tree[..tree.find(';').unwrap_or(tree.len())], &mut paths);
        }
    }
    paths
}

/// Adds the paths of a `use` tree that follows the names `before`.
fn expand<'a>(before: &[&'a str], tree: &'a str, paths: &mut Vec<Vec<&'a str>>) {
    let (head, list) = tree.split_once('{').map_or((tree, None), |(head, list)| (head, Some(list)));
    let head = head.split_once(" as ").map_or(head, |(name, _)| name);
    let mut names = before.to_vec();
    names.extend(head.split("::").map(str::trim).filter(|name| !name.is_empty()));
    let Some(list) = list.and_then(|list| list.rsplit_once('}')) else { return paths.push(names) };
    let (mut depth, mut from) = (0, 0);
    for (place, c) in list.0.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&names, &list.0[from..place], paths);
                from = place + 1;
            }
            _ => {}
        }
    }
    expand(&names, &list.0[from..], paths);
}

/// A circle of files, each of which imports the next; empty if there is none.
fn circle(imports: &Imports) -> Vec<&str> {
    let mut done = BTreeSet::new();
    imports.keys().find_map(|file| circle_from(file, imports, &mut Vec::new(), &mut done)).unwrap_or_default()
}

fn circle_from<'a>(
    file: &'a str,
    imports: &'a Imports,
    above: &mut Vec<&'a str>,
    done: &mut BTreeSet<&'a str>,
) -> Option<Vec<&'a str>> {
    if let Some(place) = above.iter().position(|&other| other == file) {
        return Some(above[place..].to_vec());
    }
    if !done.insert(file) {
        return None;
    }
    above.push(file);
    let found = imports.get(file)?.iter().find_map(|next| circle_from(next, imports, above, done));
    above.pop();
    found
}

#[test]
fn a_circle_is_found_through_lists_and_folders() {
    let files = [
        ("src/lib.rs", "pub mod a; pub mod b;"),
        ("src/a/mod.rs", "mod reader; pub mod text;"),
        ("src/a/reader.rs", "use std::io;\nuse super::{Error, text::{self, Word as W}};"),
        ("src/a/text/mod.rs", "use crate::b::deep::Thing;"),
        ("src/b/mod.rs", "pub mod deep;"),
        ("src/b/deep.rs", "use crate::{a::reader::Reader, c};"),
    ];
    let imports = imports(&files, "kakugo");
    assert_eq!(circle(&imports), ["src/a/reader.rs", "src/a/text/mod.rs", "src/b/deep.rs"]);
}

#[test]
fn a_folder_and_its_files_are_no_circle() {
    let files = [
        ("src/a/mod.rs", "mod reader;\npub use reader::Reader;"),
        (
            "src/a/reader.rs",
            "use super::Error;\n// use crate::b;\n#[cfg(test)]\nmod tests { use crate::b::B; }",
        ),
        ("src/b.rs", "use crate::a::Reader;"),
    ];
    assert!(circle(&imports(&files, "kakugo")).is_empty());
}
