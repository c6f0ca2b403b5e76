//! Archives of a release, as `.ci/package` packs them from programs built by a stand-in for cargo.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::documents::{content, read};
use crate::links::broken_links;

const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/package");
/// Creates programs and the engine's module at the places where cargo would put built ones, with the flags of their build as
/// their contents; exports a page that consists of the module.
const CARGO: &str = r#"#!/usr/bin/env bash
built=$CARGO_TARGET_DIR/$TARGET/release
if [[ $1 == run ]]; then
    [[ $* == *"--package kakugo-board -- --export "*" --module "* ]] || exit 1
    mkdir -p "${*: -3:1}"
    cp "${*: -1}" "${*: -3:1}/engine.wasm"
    exit
fi
if [[ $1 == metadata ]]; then
    for crate in rows builds kakugo; do
        mkdir -p "$CARGO_TARGET_DIR/$crate"
        echo "Use $crate as you like." >"$CARGO_TARGET_DIR/$crate/LICENSE-MIT"
    done
    package() {
        printf '{"id": "%s", "name": "%s", "version": "1.0.0", "license": "MIT", "repository": null, ' "$1" "$2"
        printf '"manifest_path": "%s"}' "$CARGO_TARGET_DIR/$1/Cargo.toml"
    }
    used='{"pkg": "rows", "dep_kinds": [{"kind": "dev"}, {"kind": null}]}, '
    used+='{"pkg": "builds", "dep_kinds": [{"kind": "build"}]}'
    printf '{"packages": [%s, %s, %s, %s], ' "$(package rows rows)" "$(package builds builds)" \
        "$(package kakugo kakugo)" "$(package wasm kakugo-wasm)"
    printf '"workspace_members": ["kakugo", "wasm"], "resolve": {"nodes": ['
    printf '{"id": "kakugo", "deps": [%s]}, {"id": "wasm", "deps": [%s]}, ' "$used" "$used"
    printf '{"id": "rows", "deps": []}, {"id": "builds", "deps": []}]}}'
    exit
fi
mkdir -p "$built"
for program in "$built"/{pbrain-kakugo,tournament,kakugo-board}{,.exe} "$built/kakugo_wasm.wasm"; do
    printf '%s' "${RUSTFLAGS-none}" >"$program"
done
"#;

/// The archives of `target`, which has no line tables here: name suffixes after the package name, and their
/// files with the flags that they were built with.
fn archives(target: &str) -> Vec<(String, Vec<(String, String)>)> {
    let folder = tempfile::tempdir().expect("a folder");
    let cargo = folder.path().join("cargo");
    fs::write(&cargo, CARGO).expect("a script");
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("a program");
    let path = std::env::var("PATH").expect("a path");
    let output = Command::new("bash")
        .args([PACKAGE, target])
        .env("PATH", format!("{}:{path}", folder.path().display()))
        .env("CARGO_TARGET_DIR", folder.path())
        .env("TARGET", target)
        .env("RUSTFLAGS", "-C debuginfo=1")
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let of = if target.starts_with("wasm32") { "web" } else { target };
    let package = format!("kakugo-{}-{of}", env!("CARGO_PKG_VERSION"));
    let mut found: Vec<_> = fs::read_dir(folder.path().join("packages"))
        .expect("packages")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "zip"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy();
            assert!(path.with_file_name(format!("{name}.sha256")).is_file(), "{name} has no checksum");
            (name.strip_prefix(&package).expect("a package").to_owned(), entries(&path))
        })
        .collect();
    found.sort();
    found
}

/// Names of the files in an archive, and the contents of the programs and of other people's licences, in one line.
fn entries(archive: &Path) -> Vec<(String, String)> {
    let code = "import sys, zipfile\n\
                archive = zipfile.ZipFile(sys.argv[1])\n\
                for name in archive.namelist():\n    \
                    is_read = name.endswith(('.exe', '.wasm', 'THIRD-PARTY.txt'))\n    \
                    print(name, archive.read(name).decode().replace('\\n', ' ') if is_read else '', sep='\\t')";
    let output = Command::new("python3").args(["-c", code]).arg(archive).output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("names");
    let entry =
        |line: &str| line.split_once('\t').map(|(name, flags)| (name.to_owned(), flags.trim().to_owned()));
    lines.lines().filter_map(entry).collect()
}

/// Links of the documents in an archive that lead to nothing, except to sources and tests.
fn broken(entries: &[(String, String)], folder: &str) -> Vec<String> {
    let names: Vec<&str> = entries.iter().filter_map(|(name, _)| name.strip_prefix(folder)).collect();
    let packed = |target: &str| {
        let below = format!("{target}/");
        let is_packed = names.iter().any(|&name| name == target || name.starts_with(&below));
        if is_packed { content(target) } else { None }
    };
    let documents = names.iter().filter(|name| name.ends_with(".md"));
    let faults = documents.flat_map(|name| broken_links(name, &read(name), packed));
    faults.filter(|fault| !["src/", "tests/"].iter().any(|folder| fault.contains(folder))).collect()
}

/// The licences of other people's code in an archive.
fn licences(entries: &[(String, String)]) -> &str {
    let found = entries.iter().find(|(name, _)| name.ends_with("/THIRD-PARTY.txt"));
    found.map_or("", |(_, text)| text.as_str())
}

/// Whether the tools that `.ci/package` needs are available.
fn can_pack() -> bool {
    let found = ["bash", "python3"].iter().all(|tool| Command::new(tool).arg("--version").output().is_ok());
    if !found {
        eprintln!("no bash or no Python: nothing is packed");
    }
    found
}

#[test]
fn the_archive_for_gomocup_has_one_executable_of_64_bits_for_avx2_at_its_top() {
    if !can_pack() {
        return;
    }
    let archives = archives("x86_64-pc-windows-msvc");
    let names: Vec<_> = archives.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["-gomocup.zip", ".zip"]);
    // Both without the runtime library of Visual C++.
    let for_all = "-C debuginfo=1 -C target-feature=+crt-static";
    let for_avx2 = format!("{for_all} -C target-cpu=x86-64-v3");
    assert_eq!(archives[0].1, [("pbrain-kakugo64.exe".to_owned(), for_avx2)]);
    let general = archives[1].1.iter().find(|(name, _)| name.ends_with("/pbrain-kakugo.exe"));
    assert_eq!(general.map(|(_, flags)| flags.as_str()), Some(for_all));
}

#[test]
fn an_archive_unpacks_into_one_folder_with_programs_licence_and_documents() {
    if !can_pack() {
        return;
    }
    for (target, suffix) in [("x86_64-pc-windows-msvc", ".exe"), ("aarch64-apple-darwin", "")] {
        let archives = archives(target);
        let (name, entries) = archives.last().expect("an archive");
        assert_eq!(name, ".zip");
        let folder = format!("kakugo-{}-{target}/", env!("CARGO_PKG_VERSION"));
        let programs = ["pbrain-kakugo", "tournament", "kakugo-board"].map(|name| format!("{name}{suffix}"));
        for file in programs.iter().map(String::as_str).chain(["LICENSE", "docs/protocol.md"]) {
            let path = format!("{folder}{file}");
            assert!(entries.iter().any(|(name, _)| *name == path), "{target} lacks {file}: {entries:?}");
        }
        assert!(entries.iter().all(|(name, _)| name.starts_with(&folder)), "{entries:?}");
        assert_eq!(broken(entries, &folder), Vec::<String>::new(), "{target}");
        let licences = licences(entries);
        assert!(licences.contains("rows 1.0.0, MIT") && licences.contains("Use rows as"), "{licences}");
        // Code of builds and tests is not in the programs, and Kakugo's own licence has a file.
        assert!(!licences.contains("builds 1.0.0") && !licences.contains("kakugo 1.0.0"), "{licences}");
    }
}

#[test]
fn the_page_is_packed_with_a_module_built_with_the_flags_of_its_target() {
    if !can_pack() {
        return;
    }
    let archives = archives("wasm32-unknown-unknown");
    let names: Vec<_> = archives.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, [".zip"]);
    let module = format!("kakugo-{}-web/engine.wasm", env!("CARGO_PKG_VERSION"));
    let module = archives[0].1.iter().find(|(name, _)| *name == module);
    assert_eq!(
        module.map(|(_, flags)| flags.as_str()),
        Some("none"),
        "RUSTFLAGS would replace the flags of .cargo/config.toml"
    );
    let licence = format!("kakugo-{}-web/LICENSE", env!("CARGO_PKG_VERSION"));
    assert!(archives[0].1.iter().any(|(name, _)| *name == licence), "{:?}", archives[0].1);
    assert!(licences(&archives[0].1).contains("Use rows as"), "{:?}", archives[0].1);
}
