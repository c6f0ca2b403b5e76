//! Checks in the sources which module imports which: an import in the wrong direction fails here, with file
//! and line.
//!
//! A path counts if it begins at the crate root, written as `crate::`, the name of the package, or a
//! sufficient number of `super::`. Comments, string literals and `#[cfg(test)]` items do not count.

use super::arrows::{ALLOWED, Arrows, INSIDE, MAY_PRINT, PACKAGES};
use super::source_code::{
    first_word, is_word, list_items, module_path, sources, without_comments_and_texts, without_tests,
};

const MAIN_LINES: usize = 40;

#[test]
fn the_library_keeps_to_its_arrows() {
    let faults: Vec<String> =
        sources("src").iter().flat_map(|(path, text)| library_faults(path, text)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_other_packages_use_what_they_may() {
    for (package, _) in PACKAGES {
        let sources = sources(&format!("{package}/src"));
        let faults: Vec<String> =
            sources.iter().flat_map(|(path, text)| package_faults(path, text)).collect();
        assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    }
}

#[test]
fn main_is_short() {
    let lines = sources("src/main.rs")[0].1.lines().count();
    assert!(
        lines <= MAIN_LINES,
        "src/main.rs has {lines} lines, more than {MAIN_LINES}: move logic out of it"
    );
}

/// The invalid imports and prints in a file of the library.
fn library_faults(path: &str, text: &str) -> Vec<String> {
    let module = module_path(path);
    // The root only declares modules; test files are not part of the library.
    if module.is_empty() || module.contains(&"tests") {
        return Vec::new();
    }
    let code = without_tests(&without_comments_and_texts(text));
    let top = module[0];
    let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == top) else {
        return vec![format!(
            "{path}: tests/house/arrows.rs knows no module '{top}': say what it may import"
        )];
    };
    let mut faults = Vec::new();
    for (line, import) in imports(&code, &module, "kakugo", &ALLOWED) {
        if import != top && !allowed.contains(&import.as_str()) {
            faults.push(format!("{path}:{line}: '{top}' may not import '{import}', only {allowed:?}"));
        }
    }
    if !MAY_PRINT.contains(&top) {
        for line in prints(&code) {
            faults.push(format!(
                "{path}:{line}: '{top}' may not print, only {MAY_PRINT:?}; report to the caller"
            ));
        }
    }
    faults
}

/// The invalid imports in a file of another package: of modules of the library, and of modules of its own package.
fn package_faults(path: &str, text: &str) -> Vec<String> {
    let code = without_tests(&without_comments_and_texts(text));
    let is_own = |package: &str| path.starts_with(&format!("{package}/"));
    let (package, allowed) =
        PACKAGES.into_iter().find(|(package, _)| is_own(package)).expect("the file is of a known package");
    let names = paths_from(&code, "kakugo::").into_iter();
    let mut faults: Vec<String> = names
        .filter(|(_, name)| !allowed.contains(&name.as_str()))
        .map(|(line, name)| format!("{path}:{line}: '{package}' may not import '{name}', only {allowed:?}"))
        .collect();
    faults.extend(inside_faults(path, package, &code));
    faults
}

/// The imports in a file of `package` that point against its arrows.
fn inside_faults(path: &str, package: &str, code: &str) -> Vec<String> {
    let (_, root, arrows) =
        INSIDE.into_iter().find(|(name, ..)| *name == package).expect("the package has modules");
    let module =
        module_path(path.strip_prefix(package).and_then(|path| path.strip_prefix('/')).unwrap_or(path));
    if module.is_empty() || module.contains(&"tests") {
        return Vec::new();
    }
    let top = module[0];
    let Some((_, allowed)) = arrows.iter().find(|(name, _)| *name == top) else {
        return vec![format!("{path}: tests/house/arrows.rs does not list the module '{top}' of {package}")];
    };
    imports(code, &module, root, arrows)
        .into_iter()
        .filter(|(_, import)| import != top && !allowed.contains(&import.as_str()))
        .map(|(line, import)| format!("{path}:{line}: '{top}' may not import '{import}', only {allowed:?}"))
        .collect()
}

/// The top-level modules of a package that `code` names, with the line of each; `root` is the package's name as a
/// crate, and `arrows` lists its modules.
fn imports(code: &str, module: &[&str], root: &str, arrows: &Arrows) -> Vec<(usize, String)> {
    let mut found = paths_from(code, "crate::");
    found.extend(paths_from(code, &format!("{root}::")));
    // In a nested module of the file, the same number of `super::` leads to names that are not modules.
    let climbed = paths_from(code, &"super::".repeat(module.len()));
    found.extend(climbed.into_iter().filter(|(_, name)| arrows.iter().any(|(known, _)| known == name)));
    found
}

/// The names that follow `root` in `code`; a brace begins a list of names.
fn paths_from(code: &str, root: &str) -> Vec<(usize, String)> {
    let mut names = Vec::new();
    for (start, _) in code.match_indices(root) {
        // `my_crate::` is another root, and `super::super::` a longer one.
        if code[..start].ends_with(|c: char| is_word(c) || c == ':') && !code[..start].ends_with(" ::") {
            continue;
        }
        let rest = &code[start + root.len()..];
        let line_at = |place: usize| code[..place].matches('\n').count() + 1;
        match rest.trim_start().strip_prefix('{') {
            None => names.push((line_at(start), first_word(rest))),
            Some(list) => {
                let from = code.len() - list.len();
                for (place, item) in list_items(list) {
                    names.push((line_at(from + place), first_word(item)));
                }
            }
        }
    }
    // A deeper `super::` stays in the same module, and a list may end with a comma.
    names.retain(|(_, name)| !name.is_empty() && name != "super" && name != "self");
    names
}

/// The lines on which `code` writes to stdout.
fn prints(code: &str) -> Vec<usize> {
    ["println!", "print!", "stdout()"]
        .into_iter()
        .flat_map(|call| code.match_indices(call))
        .filter(|&(start, _)| !code[..start].ends_with(is_word))
        .map(|(start, _)| code[..start].matches('\n').count() + 1)
        .collect()
}

#[test]
fn a_wrong_arrow_is_found_with_its_line() {
    let faults = |path, text| library_faults(path, text).join("\n");
    let wrong = faults("src/board/state.rs", "use std::fmt;\nuse crate::rules::Rule;\n");
    assert!(wrong.contains("src/board/state.rs:2: 'board' may not import 'rules'"), "{wrong}");
    let wrong =
        faults("src/threat/vcf.rs", "use crate::{\n    board::{Board, Color},\n    eval::Eval,\n};\n");
    assert!(wrong.contains("src/threat/vcf.rs:3: 'threat' may not import 'eval'"), "{wrong}");
    assert_eq!(wrong.lines().count(), 1, "{wrong}");
    let wrong =
        faults("src/eval/mod.rs", "fn f() -> i32 {\n    crate::board::x();\n    crate::threat::vcf()\n}\n");
    assert!(wrong.contains("src/eval/mod.rs:3: 'eval' may not import 'threat'"), "{wrong}");
    let wrong = faults("src/rules/plain/line.rs", "use super::super::super::engine::Engine;");
    assert!(wrong.contains("'rules' may not import 'engine'"), "{wrong}");
    let wrong = faults("src/search/mod.rs", "pub use ::kakugo::protocol;\n");
    assert!(wrong.contains("'search' may not import 'protocol'"), "{wrong}");
    let wrong = faults("src/attic.rs", "use crate::board::Board;");
    assert!(wrong.contains("no module 'attic'"), "{wrong}");
    let wrong =
        package_faults("tournament/src/game.rs", "use kakugo::board::Board;\nuse kakugo::engine::Engine;");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].contains("tournament/src/game.rs:2: 'tournament' may not import 'engine'"), "{wrong:?}");
    let wrong = package_faults("tournament/src/game.rs", "use kakugo::{board, variant_search};");
    assert!(
        wrong.len() == 1 && wrong[0].contains("may not import 'variant_search'"),
        "a referee does not search: {wrong:?}"
    );
    assert!(package_faults("tournament/src/game.rs", "use kakugo::variants::{Game, open};").is_empty());
}

#[test]
fn a_wrong_arrow_inside_a_package_is_found_with_its_line() {
    let faults = |path, text| package_faults(path, text).join("\n");
    let wrong =
        faults("tournament/src/model/record.rs", "use std::fmt;\nuse crate::game::referee::Referee;\n");
    assert!(wrong.contains("tournament/src/model/record.rs:2: 'model' may not import 'game'"), "{wrong}");
    let wrong = faults("tournament/src/stats/sprt/mod.rs", "use super::super::batch::summary;");
    assert!(wrong.contains("'stats' may not import 'batch'"), "{wrong}");
    let wrong = faults("training/src/games/file.rs", "fn f() {\n    training::fit::train();\n}\n");
    assert!(wrong.contains("training/src/games/file.rs:2: 'games' may not import 'fit'"), "{wrong}");
    let wrong = faults("web/server/src/tab.rs", "fn f() {\n    kakugo_board::site::run();\n}\n");
    assert!(wrong.contains("web/server/src/tab.rs:2: 'tab' may not import 'site'"), "{wrong}");
    let wrong = faults("training/src/attic.rs", "");
    assert!(wrong.contains("does not list the module 'attic' of training"), "{wrong}");
    let right = "use super::pentanomial::Pairs;\nuse crate::model::record::GameRecord;\nuse crate::text::{self, name};";
    assert_eq!(package_faults("tournament/src/stats/duel.rs", right), Vec::<String>::new());
    assert_eq!(package_faults("tournament/src/files/tests.rs", "use crate::cli;"), Vec::<String>::new());
}

#[test]
fn the_arrows_inside_a_package_form_no_circle() {
    for (package, _, arrows) in INSIDE {
        for (place, (name, allowed)) in arrows.iter().enumerate() {
            let is_below = |import: &&str| arrows[..place].iter().any(|(below, _)| below == import);
            assert!(allowed.iter().all(is_below), "{package}: '{name}' imports upward");
        }
    }
}

#[test]
fn a_print_is_found_with_its_line() {
    let text = "fn f() {\n    eprintln!(\"no\");\n    println!(\"yes\");\n}\n";
    let faults = library_faults("src/search/mod.rs", text);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].contains("src/search/mod.rs:3: 'search' may not print"), "{faults:?}");
    assert_eq!(library_faults("src/bench/mod.rs", text), Vec::<String>::new());
}

#[test]
fn right_arrows_comments_texts_and_tests_are_let_be() {
    let right = r##"
        //! See [`crate::engine`].
        use crate::board::{Board, Point};
        use super::super::rules::Rule;
        use super::Line; /* crate::engine */
        const TEXT: &str = "crate::engine \" crate::main println!";
        const RAW: &str = r#"crate::engine "println!" "#;
        const QUOTE: [char; 3] = ['"', '\'', '{'];
        fn longest<'a>(text: &'a str) -> &'a str { my_crate::engine::run(text) }
        #[cfg(test)]
        mod tests { use crate::engine::Engine; fn f() { println!("{}", '}'); } }
        use crate::rules::plain;
    "##;
    assert_eq!(library_faults("src/threat/vcf.rs", right), Vec::<String>::new());
    let behind = format!("{right}\nuse crate::engine;");
    assert_eq!(library_faults("src/threat/vcf.rs", &behind).len(), 1, "what follows the tests counts again");
    assert_eq!(library_faults("src/threat/tests.rs", "use crate::engine;"), Vec::<String>::new());
    assert_eq!(library_faults("src/lib.rs", "pub use crate::engine::Engine;"), Vec::<String>::new());
}
