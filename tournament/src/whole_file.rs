//! Files that are written as a whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Puts what `write` writes at `path`, in the place of what is there. Until it is complete and on disk nobody sees any
/// of it, and after an error the old file is untouched.
///
/// # Errors
/// Those of `write` and of the file system.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A file beside it, which takes its name in one step.
    let mut file = builder().tempfile_in(directory(path))?;
    let mut writer = BufWriter::new(file.as_file_mut());
    write(&mut writer)?;
    writer.flush()?;
    drop(writer);
    file.as_file().sync_all()?;
    file.persist(path)?;
    sync_directory(path);
    Ok(())
}

/// As [`replace`], for a text that is there already.
pub fn replace_with(path: &Path, text: &str) -> io::Result<()> {
    replace(path, |file| file.write_all(text.as_bytes()))
}

/// Makes the name of a new file safe, where directories can be synced.
pub fn sync_directory(path: &Path) {
    // Where this cannot be done, the file itself is still as safe as it gets.
    let _ = File::open(directory(path)).and_then(|directory| directory.sync_all());
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Temporary files are for their owner alone; these are to be files like all others.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tournament-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.txt");
        replace_with(&path, "old").unwrap();
        let failed = replace(&path, |file| {
            file.write_all(b"half")?;
            Err(io::ErrorKind::Other.into())
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        replace_with(&path, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert!(replace_with(&directory.path().join("none/a.txt"), "new").is_err());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
