//! Drafts that killed processes have left behind, on systems where it is certain that nobody writes to them any more.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use super::never_block;

/// Locks a new draft, so that processes on other machines with the same folder keep it too. Some file systems have no
/// locks; there it is kept because it cannot be locked.
pub(super) fn hold(draft: &File) {
    let _ = draft.try_lock();
}

/// Removes the drafts of killed processes from a folder, before the first draft of this process there. Whatever fails
/// leaves a draft where it is.
pub(super) fn remove_abandoned(directory: &Path) {
    static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !CLEANED.lock().insert(directory.to_owned()) {
        return;
    }
    let Ok(entries) = fs::read_dir(directory) else { return };
    entries.flatten().filter(is_abandoned).for_each(|entry| {
        let _ = fs::remove_file(entry.path());
    });
}

/// Whether this is a draft whose process has ended, and which no process of another machine has locked.
fn is_abandoned(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let Some(process) = name.to_str().and_then(process_of) else { return false };
    if is_running(process) || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
        return false;
    }
    let mut options = OpenOptions::new();
    never_block(options.read(true).write(true));
    options.open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
}

/// The process in the name of a draft.
fn process_of(name: &str) -> Option<libc::pid_t> {
    let (process, number) = name.strip_prefix(".kakugo-")?.strip_suffix(".part")?.split_once('-')?;
    number.parse::<u32>().ok()?;
    process.parse::<libc::pid_t>().ok().filter(|&process| process > 0)
}

fn is_running(process: libc::pid_t) -> bool {
    // SAFETY: signal 0 is never delivered, the call only checks whether it could be.
    let sent = unsafe { libc::kill(process, 0) };
    sent == 0 || io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH)
}
