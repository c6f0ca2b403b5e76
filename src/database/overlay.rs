//! A file as the store sees it that is read and never written, or none at all.
//!
//! The store writes to every file that it opens: marks of being open, and repairs after a kill. Here all that stays in
//! memory, over the file, and is gone with it. So a reader needs no right to write, changes nothing, and reads what a
//! killed writer left as the next writer will find it. Without a file it is the beginning of a new one.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::sync::Arc;

use parking_lot::Mutex;
use redb::StorageBackend;

use super::page_file::{PAGE, PageFile};

/// A file with what has been written over it.
#[derive(Clone, Debug)]
pub struct Overlay(Arc<Mutex<Content>>);

#[derive(Debug)]
struct Content {
    file: Option<PageFile>,
    /// Length of the file.
    file_length: u64,
    /// Length of the whole.
    length: u64,
    /// Pages that were written, by their numbers.
    written: HashMap<u64, Box<[u8; PAGE]>>,
}

impl Overlay {
    /// One over nothing.
    pub fn empty() -> Overlay {
        Overlay(Arc::new(Mutex::new(Content {
            file: None,
            file_length: 0,
            length: 0,
            written: HashMap::new(),
        })))
    }

    /// One over `file`.
    ///
    /// # Errors
    /// When its length can't be read.
    pub fn over(file: PageFile) -> io::Result<Overlay> {
        let length = file.len()?;
        let content = Content { file: Some(file), file_length: length, length, written: HashMap::new() };
        Ok(Overlay(Arc::new(Mutex::new(content))))
    }

    /// All of it.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn bytes(&self) -> io::Result<Vec<u8>> {
        let mut content = self.0.lock();
        let mut bytes = vec![0; content.length as usize];
        content.read(0, &mut bytes)?;
        Ok(bytes)
    }
}

impl Content {
    fn read(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if offset.checked_add(out.len() as u64).is_none_or(|end| end > self.length) {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let in_file = self.file_length.saturating_sub(offset).min(out.len() as u64) as usize;
        if let Some(file) = self.file.as_ref().filter(|_| in_file > 0) {
            file.read(offset, &mut out[..in_file])?;
        }
        out[in_file..].fill(0);
        if !self.written.is_empty() {
            for piece in pieces(offset, out.len()) {
                if let Some(page) = self.written.get(&piece.page) {
                    out[piece.at..][..piece.length].copy_from_slice(&page[piece.in_page..][..piece.length]);
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.length = self.length.max(offset + data.len() as u64);
        for piece in pieces(offset, data.len()) {
            if !self.written.contains_key(&piece.page) {
                let mut page = Box::new([0; PAGE]);
                let start = piece.page * PAGE as u64;
                let there = self.length.saturating_sub(start).min(PAGE as u64) as usize;
                self.read(start, &mut page[..there])?;
                self.written.insert(piece.page, page);
            }
            let page = self.written.get_mut(&piece.page).expect("it is there now");
            page[piece.in_page..][..piece.length].copy_from_slice(&data[piece.at..][..piece.length]);
        }
        Ok(())
    }

    fn set_length(&mut self, length: u64) {
        // Bytes that are cut off must not come back when the file grows again.
        self.file_length = self.file_length.min(length);
        self.written.retain(|&page, _| page * (PAGE as u64) < length);
        let (last, kept) = (length / PAGE as u64, (length % PAGE as u64) as usize);
        if let Some(page) = self.written.get_mut(&last) {
            page[kept..].fill(0);
        }
        self.length = length;
    }
}

/// A stretch of bytes within one page.
struct Piece {
    page: u64,
    in_page: usize,
    /// Place in the bytes that are read or written.
    at: usize,
    length: usize,
}

fn pieces(offset: u64, length: usize) -> impl Iterator<Item = Piece> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let place = offset + at as u64;
        let in_page = (place % PAGE as u64) as usize;
        let piece =
            Piece { page: place / PAGE as u64, in_page, at, length: (PAGE - in_page).min(length - at) };
        at += piece.length;
        (piece.length > 0).then_some(piece)
    })
}

impl StorageBackend for Overlay {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.lock().length)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.lock().read(offset, out)
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.0.lock().set_length(length);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.lock().write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.0.lock().file.as_ref().map_or(Ok(()), StorageBackend::close)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_hides_the_file_and_leaves_it_as_it_is() {
        let original: Vec<u8> = (0..12_288).map(|i| (i % 251) as u8).collect();
        let path = tempfile::NamedTempFile::new().unwrap().into_temp_path();
        let image = PageFile::image(&original);
        std::fs::write(&path, &image).unwrap();
        let file = PageFile::open(std::fs::File::open(&path).unwrap()).unwrap();
        let overlay = Overlay::over(file).unwrap();
        let mut expected = original;
        for (offset, length) in [(4000, 300), (0, 1), (12_287, 1), (8_190, 4), (100, 9_000)] {
            let data: Vec<u8> = (0..length).map(|i| (i % 7) as u8 + 100).collect();
            overlay.write(offset as u64, &data).unwrap();
            expected[offset..offset + length].copy_from_slice(&data);
            assert_eq!(overlay.bytes().unwrap(), expected);
        }
        overlay.set_len(4_100).unwrap();
        overlay.set_len(12_000).unwrap();
        expected.truncate(4_100);
        expected.resize(12_000, 0);
        assert_eq!(overlay.bytes().unwrap(), expected, "what was cut off is zero");
        assert!(overlay.read(11_999, &mut [0; 2]).is_err(), "nothing is read beyond the end");
        assert_eq!(std::fs::read(&path).unwrap(), image);
    }
}
