//! Files that are replaced as a whole or written by one process at a time, through the library.

use std::fs;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
#[cfg(unix)]
use std::time::SystemTime;

use kakugo::files::{
    Lock, create, is_same, open, open_locked, read_text, replace, replace_with, try_replace,
};
use tempfile::{TempDir, tempdir};

/// Age of a file that was not changed for more than a day.
#[cfg(unix)]
const OLD: Duration = Duration::from_secs(25 * 60 * 60);

/// A folder with a file that contains `old`.
fn with_file() -> (TempDir, PathBuf) {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("a.txt");
    fs::write(&path, "old").expect("it is written");
    (folder, path)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().display().to_string()).collect();
    names.sort();
    names
}

fn says(result: io::Result<()>) -> String {
    result.expect_err("it is refused").to_string()
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let (folder, path) = with_file();
    let failed = replace(&path, |file| {
        file.write_all(&[b'x'; 100_000])?;
        Err(ErrorKind::StorageFull.into())
    });
    assert_eq!(failed.unwrap_err().kind(), ErrorKind::StorageFull);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    try_replace(&path).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    replace_with(&path, "new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert!(replace_with(&folder.path().join("none/a.txt"), "new").is_err());
    // A name of the maximum length.
    let long = folder.path().join("n".repeat(255));
    replace_with(&long, "one").unwrap();
    replace_with(&long, "two").unwrap();
    assert_eq!(fs::read_to_string(&long).unwrap(), "two");
    assert_eq!(names(folder.path()).len(), 2, "no drafts are left");
}

/// Writes an unfinished file that was last changed `age` ago.
#[cfg(unix)]
fn leave(path: &Path, age: Duration) {
    fs::write(path, "unfinished").unwrap();
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - age).unwrap();
}

#[test]
#[cfg(unix)]
fn drafts_of_killed_processes_are_removed() {
    let (folder, path) = with_file();
    let draft = |process: u32, number: u32| format!(".kakugo-{process}-{number}.part");
    // No system has processes with this number.
    let dead = i32::MAX as u32;
    let own = draft(std::process::id(), 900_000);
    for name in [&*draft(dead, 0), &*draft(dead, 7), &*own, ".kakugo-x-0.part", ".kakugo-0-0.part"] {
        leave(&folder.path().join(name), OLD);
    }
    // A process of another machine that has the same folder.
    let held_path = folder.path().join(draft(dead, 8));
    leave(&held_path, OLD);
    let held = fs::File::open(&held_path).unwrap();
    held.lock().unwrap();
    let all = names(folder.path());
    try_replace(&path).unwrap();
    assert_eq!(names(folder.path()), all, "a check removes nothing");
    replace_with(&path, "new").unwrap();
    let mut expected =
        [".kakugo-0-0.part", ".kakugo-x-0.part", "a.txt", own.as_str(), draft(dead, 8).as_str()]
            .map(str::to_owned);
    expected.sort();
    assert_eq!(names(folder.path()), expected);
}

#[test]
#[cfg(unix)]
fn a_draft_that_has_just_changed_is_kept() {
    let (folder, path) = with_file();
    let draft = |number: u32| folder.path().join(format!(".kakugo-{}-{number}.part", i32::MAX));
    // A process of another container may write to them, even if this one can lock them.
    leave(&draft(0), Duration::ZERO);
    leave(&draft(1), OLD / 2);
    leave(&draft(2), OLD);
    replace_with(&path, "new").unwrap();
    assert_eq!([0, 1, 2].map(|number| draft(number).exists()), [true, true, false]);
}

#[test]
#[cfg(unix)]
fn a_new_file_removes_drafts_too() {
    let folder = tempdir().unwrap();
    leave(&folder.path().join(format!(".kakugo-{}-0.part", i32::MAX)), OLD);
    create(&folder.path().join("a.txt"), "new").unwrap();
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[test]
fn a_new_file_takes_no_name_that_is_taken() {
    let (folder, path) = with_file();
    assert_eq!(create(&path, "new").unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    let other = folder.path().join("b.txt");
    create(&other, "new").unwrap();
    assert_eq!(fs::read_to_string(&other).unwrap(), "new");
    assert_eq!(names(folder.path()), ["a.txt", "b.txt"]);
}

#[test]
fn of_all_who_create_a_file_at_once_one_does() {
    let folder = tempdir().unwrap();
    for round in 0..20 {
        let path = folder.path().join(round.to_string());
        let created = |text: &'static str| {
            let path = path.clone();
            move || create(&path, text).is_ok()
        };
        let (one, two) = (thread::spawn(created("one")), thread::spawn(created("two")));
        let [one, two] = [one, two].map(|thread| thread.join().unwrap());
        assert!(one != two, "round {round}: {one} {two}");
        assert_eq!(fs::read_to_string(&path).unwrap(), if one { "one" } else { "two" });
    }
}

#[test]
fn what_is_no_file_name_or_a_directory_is_refused() {
    let (folder, _) = with_file();
    assert_eq!(says(replace_with(folder.path(), "new")), "it is a directory, not a regular file");
    assert_eq!(says(replace_with(&folder.path().join(".."), "new")), "it is not a file name");
    assert_eq!(says(replace_with(Path::new(""), "new")), "it is not a file name");
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[test]
fn a_locked_file_is_refused_to_others() {
    let (_folder, path) = with_file();
    let mut held = open_locked(&path).unwrap();
    assert_eq!(open_locked(&path).unwrap_err().kind(), ErrorKind::ResourceBusy);
    assert_eq!(replace_with(&path, "").unwrap_err().kind(), ErrorKind::ResourceBusy);
    held.write_all(b" and new").unwrap();
    assert_eq!(read_text(&path, 100).unwrap(), "old and new", "readers need no lock");
    drop(held);
    open_locked(&path).unwrap();
}

#[test]
fn a_locked_file_is_written_at_its_end() {
    let (_folder, path) = with_file();
    let mut held = open_locked(&path).unwrap();
    held.write_all(b" and new").unwrap();
    let mut begun = [0; 3];
    let mut file: &fs::File = &held;
    file.seek(SeekFrom::Start(0)).unwrap();
    file.read_exact(&mut begun).unwrap();
    assert_eq!(&begun, b"old");
    held.write_all(b"er").unwrap();
    assert_eq!(read_text(&path, 100).unwrap(), "old and newer");
    // Windows refuses to truncate a file in append mode.
    held.set_len(4).unwrap();
    held.write_all(b"age").unwrap();
    drop(held);
    let mut held = open_locked(&path).unwrap();
    held.write_all(b"d").unwrap();
    drop(held);
    assert_eq!(read_text(&path, 100).unwrap(), "old aged");
}

#[test]
fn counters_behind_a_lock_lose_nothing() {
    const EACH: usize = 10;
    let folder = tempdir().unwrap();
    let path = folder.path().join("count");
    fs::write(&path, "0").unwrap();
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..EACH {
                    let _lock = Lock::beside(&path, Duration::from_secs(60)).unwrap();
                    let count: usize = fs::read_to_string(&path).unwrap().parse().unwrap();
                    replace_with(&path, (count + 1).to_string()).unwrap();
                }
            });
        }
    });
    assert_eq!(fs::read_to_string(&path).unwrap(), (3 * EACH).to_string());
    assert_eq!(names(folder.path()), ["count"], "no lock stays");
    // The lock of a killed process blocks nobody.
    fs::write(folder.path().join(".count.lock"), "").unwrap();
    let held = Lock::beside(&path, Duration::ZERO).unwrap();
    let busy = Lock::beside(&path, Duration::ZERO).unwrap_err();
    assert_eq!(busy.kind(), ErrorKind::ResourceBusy);
    drop(held);
    assert_eq!(names(folder.path()), ["count"]);
}

#[test]
fn names_of_the_same_file_are_detected() {
    let (folder, path) = with_file();
    let at = |name: &str| folder.path().join(name);
    assert!(is_same(&path, &folder.path().join(".").join("a.txt")));
    assert!(is_same(&at("new"), &folder.path().join(".").join("new")), "where none is yet");
    assert!(!is_same(&path, &at("new")) && !is_same(&at("new"), &at("other")));
    assert_eq!(is_same(&path, &at("A.TXT")), at("A.TXT").exists(), "where names have no case");
    fs::hard_link(&path, at("b.txt")).unwrap();
    assert_eq!(is_same(&path, &at("b.txt")), cfg!(unix));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
    use std::process::Command;

    use kakugo::files::read;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("it is there").mode() & 0o7777
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    }

    #[test]
    fn the_mode_of_a_file_is_kept() {
        let (_folder, path) = with_file();
        for wanted in [0o600, 0o640, 0o755, 0o666] {
            set_mode(&path, wanted);
            replace_with(&path, "new").unwrap();
            assert_eq!(mode(&path), wanted);
        }
    }

    #[test]
    fn a_new_file_has_the_mode_of_all_new_files() {
        let (folder, path) = with_file();
        let new = folder.path().join("new");
        replace_with(&new, "").unwrap();
        assert_eq!(mode(&new), mode(&path));
    }

    #[test]
    fn the_owner_of_a_file_is_kept_where_we_may() {
        let (_folder, path) = with_file();
        // Only a superuser can change the owner of a file.
        if chown(&path, Some(1), Some(1)).is_ok() {
            replace_with(&path, "new").unwrap();
            let found = fs::metadata(&path).unwrap();
            assert_eq!((found.uid(), found.gid()), (1, 1));
        }
    }

    #[test]
    fn a_write_protected_file_is_refused() {
        let (folder, path) = with_file();
        set_mode(&path, 0o444);
        // A superuser may do everything.
        if fs::OpenOptions::new().write(true).open(&path).is_err() {
            assert_eq!(replace_with(&path, "new").unwrap_err().kind(), ErrorKind::PermissionDenied);
            assert_eq!(fs::read_to_string(&path).unwrap(), "old");
            assert_eq!(names(folder.path()), ["a.txt"]);
        }
    }

    #[test]
    fn links_stay_and_what_they_lead_to_is_replaced() {
        let (folder, path) = with_file();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        symlink("../a.txt", at("deep/link")).unwrap();
        symlink(at("deep/link"), at("chain")).unwrap();
        symlink("deep/new.txt", at("dangling")).unwrap();
        replace_with(&at("chain"), "by a chain").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "by a chain");
        replace_with(&at("dangling"), "new").unwrap();
        assert_eq!(fs::read_to_string(at("deep/new.txt")).unwrap(), "new");
        for link in ["deep/link", "chain", "dangling"] {
            assert!(at(link).symlink_metadata().unwrap().is_symlink(), "{link}");
        }
        assert_eq!(names(folder.path()), ["a.txt", "chain", "dangling", "deep"]);
        assert_eq!(names(&at("deep")), ["link", "new.txt"]);
        // A new file does not replace a link, wherever it leads.
        assert_eq!(create(&at("chain"), "").unwrap_err().kind(), ErrorKind::AlreadyExists);
    }

    #[test]
    fn links_that_lead_nowhere_are_refused() {
        let (folder, _) = with_file();
        let at = |name: &str| folder.path().join(name);
        symlink("two", at("one")).unwrap();
        symlink("one", at("two")).unwrap();
        assert_eq!(says(replace_with(&at("one"), "new")), "its symbolic links go in a circle");
        assert!(open_locked(&at("one")).is_err());
        symlink("none/new.txt", at("lost")).unwrap();
        assert_eq!(replace_with(&at("lost"), "new").unwrap_err().kind(), ErrorKind::NotFound);
        symlink("a.txt/new.txt", at("through")).unwrap();
        assert!(replace_with(&at("through"), "new").is_err());
        assert_eq!(names(folder.path()), ["a.txt", "lost", "one", "through", "two"]);
    }

    #[test]
    fn pipes_and_devices_are_refused_and_stay() {
        let (folder, _) = with_file();
        let at = |name: &str| folder.path().join(name);
        assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        symlink("/dev/full", at("full")).unwrap();
        for (name, what) in [("pipe", "a pipe"), ("full", "a device")] {
            let expected = format!("it is {what}, not a regular file");
            assert_eq!(says(replace_with(&at(name), "new")), expected);
            assert_eq!(says(read(&at(name), 10).map(drop)), expected);
            assert_eq!(says(open_locked(&at(name)).map(drop)), expected);
        }
        assert_eq!(says(open(&at("pipe")).map(drop)), "it is a pipe, not a regular file");
        assert_eq!(names(folder.path()), ["a.txt", "full", "pipe"]);
        assert!(!at("pipe").symlink_metadata().unwrap().is_file());
    }

    #[test]
    fn a_file_and_its_links_have_one_lock() {
        let (folder, path) = with_file();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        symlink(&path, at("deep/link")).unwrap();
        symlink("new", at("lost")).unwrap();
        assert!(is_same(&path, &at("deep/link")) && is_same(&at("lost"), &at("new")));
        for (one, other) in [(&path, at("deep/link")), (&at("new"), at("lost"))] {
            let _held = Lock::beside(one, Duration::ZERO).unwrap();
            let busy = Lock::beside(&other, Duration::ZERO).unwrap_err();
            assert_eq!(busy.kind(), ErrorKind::ResourceBusy);
        }
        let _held = open_locked(&path).unwrap();
        assert_eq!(open_locked(&at("deep/link")).unwrap_err().kind(), ErrorKind::ResourceBusy);
    }

    /// The system's own links to files without a name.
    #[test]
    #[cfg(target_os = "linux")]
    fn open_files_without_a_name_are_refused() {
        use std::os::fd::AsRawFd;

        let (folder, path) = with_file();
        let file = fs::File::open(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let link = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
        assert_eq!(says(replace_with(&link, "new")), "the file has no name any more");
        let (reader, _writer) = io::pipe().unwrap();
        let link = PathBuf::from(format!("/proc/self/fd/{}", reader.as_raw_fd()));
        assert_eq!(says(replace_with(&link, "new")), "it is a pipe, not a regular file");
        assert_eq!(names(folder.path()), [""; 0]);
    }
}
