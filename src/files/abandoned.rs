//! Drafts that killed processes have left behind.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use parking_lot::Mutex;

use super::{has_name, never_block};

/// Time without a change after which a draft may be abandoned. Neither the process number nor the lock is proof in a
/// folder that machines or containers share: each has its own processes, and some file systems keep locks to one
/// machine.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// Locks a new draft against removal by processes on other machines, where the file system has shared locks.
pub(super) fn hold(draft: &File) {
    let _ = draft.try_lock();
}

/// Removes the drafts of killed processes from a folder, before this process writes its first file there. Whatever
/// fails leaves a draft where it is.
pub(super) fn remove_abandoned(directory: &Path) {
    static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !CLEANED.lock().insert(directory.to_owned()) {
        return;
    }
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let _ = remove_if_abandoned(&entry);
    }
}

/// Removes a draft that is old, whose process has ended, and that no process holds.
fn remove_if_abandoned(entry: &DirEntry) -> io::Result<()> {
    let name = entry.file_name();
    let Some(process) = name.to_str().and_then(process_of) else { return Ok(()) };
    let found = entry.metadata()?;
    let is_old = found.modified()?.elapsed().is_ok_and(|age| age >= ABANDONED_AFTER);
    if !found.is_file() || !is_old || is_running(process) {
        return Ok(());
    }
    let (path, mut options) = (entry.path(), OpenOptions::new());
    never_block(options.read(true).write(true));
    let file = options.open(&path)?;
    // Removed while it is locked: another process may have removed it and begun a draft with the same name.
    if file.try_lock().is_ok() && has_name(&file, &path)? { fs::remove_file(&path) } else { Ok(()) }
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
