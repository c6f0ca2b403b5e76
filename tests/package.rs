//! Archives of a release, as `.ci/package` packs them from programs built by a stand-in for cargo.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/package");
/// Creates empty programs at the places where cargo would put built ones.
const CARGO: &str = r#"#!/usr/bin/env bash
built=$CARGO_TARGET_DIR/$TARGET/release
mkdir -p "$built"
touch "$built"/{pbrain-kakugo,tournament}{,.exe}
"#;

/// The archives of `target`, which has no line tables here: name suffixes after the package name, and their
/// entries.
fn archives(target: &str) -> Vec<(String, Vec<String>)> {
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
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let package = format!("kakugo-{}-{target}", env!("CARGO_PKG_VERSION"));
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

/// Names of the files in an archive.
fn entries(archive: &Path) -> Vec<String> {
    let code = "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep='\\n')";
    let output = Command::new("python3").args(["-c", code]).arg(archive).output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("names").lines().map(str::to_owned).collect()
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
fn the_archive_for_gomocup_has_one_executable_of_64_bits_at_its_top() {
    if !can_pack() {
        return;
    }
    let archives = archives("x86_64-pc-windows-msvc");
    let names: Vec<_> = archives.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["-gomocup.zip", ".zip"]);
    assert_eq!(archives[0].1, ["pbrain-kakugo64.exe"]);
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
        for file in
            [&format!("pbrain-kakugo{suffix}"), &format!("tournament{suffix}"), "LICENSE", "docs/protocol.md"]
        {
            assert!(entries.contains(&format!("{folder}{file}")), "{target} lacks {file}: {entries:?}");
        }
        assert!(entries.iter().all(|entry| entry.starts_with(&folder)), "{entries:?}");
    }
}
