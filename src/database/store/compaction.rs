//! Compaction of a file: the tree without gaps, at the beginning of the file.

use std::sync::Arc;

use super::changes::Changes;
use super::pages::Pages;
use super::space::Placement;
use crate::database::error::DatabaseError;

/// Rewrites the tree of the last commit without gaps and truncates the file; returns whether it is shorter.
///
/// # Errors
/// Returns an error if it cannot be read or written; its content is kept in any case.
pub fn compact(pages: &Arc<Pages>) -> Result<bool, DatabaseError> {
    let before = pages.file_length()?;
    // Written to the end first, so that the beginning becomes free.
    for placement in [Placement::AtEnd, Placement::FirstFit] {
        let old = pages.tree(pages.head().root);
        let mut changes = Changes::begin_anew(pages, placement)?;
        changes.put_all(&old)?;
        changes.commit()?;
    }
    Changes::begin(pages).commit_shorter()?;
    pages.cut_file()?;
    Ok(pages.file_length()? < before)
}
