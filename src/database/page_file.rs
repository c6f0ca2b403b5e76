//! The file under the store: pages with checksums, so that damage is an error where it is read.
//!
//! The store (`redb`) has checksums of its own, but looks at them only in repairs; what it reads of a damaged page can
//! end the process. So every page is written with a checksum behind it, and verified whenever it is read from the
//! disk. The first page, which the store writes in place, has two copies that are written in turn: one of them is
//! whole whatever happens while the other is written.
//!
//! | at | content |
//! |---|---|
//! | 0 | `kakugo positions`, then the version of this layout in 4 bytes, low one first |
//! | 4096, 12288 | the copies of page 0: number of the writing, length without checksums, the page, checksum |
//! | 20480 + 4100 (n - 1) | page n and its checksum |
//!
//! A checksum is the CRC-32 of the number of the page (for a copy, of what stands before the page) and the page. A
//! page of zeros with a checksum of zero has never been written.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use parking_lot::Mutex;
use redb::StorageBackend;

use super::error::DatabaseError;

/// Bytes of a page.
pub const PAGE: usize = 4096;
/// Version of the layout.
const VERSION: u32 = 1;
/// First bytes of the file.
const MAGIC: &[u8; 16] = b"kakugo positions";
const COPIES: [u64; 2] = [4096, 12288];
/// Number of the writing and length, in front of the page of a copy.
const COPY_HEAD: usize = 16;
const CHECKSUM: usize = 4;
const STRIDE: usize = PAGE + CHECKSUM;
/// Place of page 1.
const START: u64 = 20480;

/// An open file of pages.
#[derive(Clone, Debug)]
pub struct PageFile(Arc<Mutex<Content>>);

#[derive(Debug)]
struct Content {
    file: File,
    /// Length without checksums.
    length: u64,
    /// The first page.
    head: Box<[u8; PAGE]>,
    /// Number of its last writing.
    writing: u64,
    /// The last writing of a copy may not be on disk yet.
    is_unsynced: bool,
}

impl PageFile {
    /// Reads the beginning of `file`.
    ///
    /// # Errors
    /// When it is something else or damaged, and when it can't be read.
    pub fn open(mut file: File) -> Result<PageFile, DatabaseError> {
        let file_length = file.metadata()?.len();
        let mut beginning = [0; MAGIC.len() + 4];
        if file_length >= beginning.len() as u64 {
            file.read_exact(&mut beginning)?;
        }
        if !beginning.starts_with(MAGIC) {
            return Err(DatabaseError::NotADatabase);
        }
        let version = u32::from_le_bytes(beginning[MAGIC.len()..].try_into().expect("four bytes are left"));
        if version != VERSION {
            return Err(DatabaseError::UnknownFormat(version));
        }
        if file_length < START {
            return Err(damaged("it ends too early"));
        }
        let copies = [HeadCopy::read(&mut file, COPIES[0])?, HeadCopy::read(&mut file, COPIES[1])?];
        let newest = copies.into_iter().flatten().max_by_key(|copy| copy.writing);
        let HeadCopy { writing, length: recorded, page: head } =
            newest.ok_or_else(|| damaged("both copies of its first page"))?;
        let length = (1 + (file_length - START) / STRIDE as u64) * PAGE as u64;
        if length < recorded {
            return Err(damaged("it ends too early"));
        }
        Ok(PageFile(Arc::new(Mutex::new(Content { file, length, head, writing, is_unsynced: false }))))
    }

    /// The bytes of a file that holds `content`.
    pub fn image(content: &[u8]) -> Vec<u8> {
        let pages: Vec<&[u8]> = content.chunks(PAGE).collect();
        let mut bytes = vec![0; START as usize];
        bytes[..MAGIC.len()].copy_from_slice(MAGIC);
        bytes[MAGIC.len()..][..4].copy_from_slice(&VERSION.to_le_bytes());
        let length = (pages.len() * PAGE) as u64;
        for (writing, place) in (0..).zip(COPIES) {
            let copy = copy_bytes(writing, length, &padded(pages.first().copied().unwrap_or_default()));
            bytes[place as usize..][..copy.len()].copy_from_slice(&copy);
        }
        for (number, page) in (1..).zip(pages.into_iter().skip(1)) {
            put_page(&mut bytes, number, &padded(page));
        }
        bytes
    }
}

fn damaged(what: &str) -> DatabaseError {
    DatabaseError::Damaged(what.to_owned())
}

fn padded(bytes: &[u8]) -> [u8; PAGE] {
    let mut page = [0; PAGE];
    page[..bytes.len()].copy_from_slice(bytes);
    page
}

fn checksum(before: &[u8], page: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(before);
    hasher.update(page);
    hasher.finalize()
}

/// Adds a page with its checksum.
fn put_page(bytes: &mut Vec<u8>, number: u64, page: &[u8]) {
    bytes.extend(page);
    bytes.extend(checksum(&number.to_le_bytes(), page).to_le_bytes());
}

fn copy_bytes(writing: u64, length: u64, page: &[u8; PAGE]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(COPY_HEAD + STRIDE);
    bytes.extend(writing.to_le_bytes());
    bytes.extend(length.to_le_bytes());
    bytes.extend(page);
    let sum = checksum(&bytes[..COPY_HEAD], page);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// A copy of the first page.
struct HeadCopy {
    /// Number of its writing.
    writing: u64,
    /// Length of the file without checksums, at least.
    length: u64,
    page: Box<[u8; PAGE]>,
}

impl HeadCopy {
    /// The copy at `place`; `None` when it is damaged.
    fn read(file: &mut File, place: u64) -> io::Result<Option<HeadCopy>> {
        let mut bytes = [0; COPY_HEAD + STRIDE];
        file.seek(SeekFrom::Start(place))?;
        file.read_exact(&mut bytes)?;
        let number =
            |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("it has eight bytes"));
        let (writing, length) = (number(0), number(8));
        let page = Box::new(padded(&bytes[COPY_HEAD..][..PAGE]));
        let is_whole = copy_bytes(writing, length, &page) == bytes;
        Ok(is_whole.then_some(HeadCopy { writing, length, page }))
    }
}

/// Place of a page, which is not the first.
fn place_of(page: u64) -> u64 {
    START + (page - 1) * STRIDE as u64
}

impl Content {
    /// Reads whole pages from number `first` on, none of them the first of the file.
    fn read_pages(&mut self, first: u64, out: &mut [u8]) -> io::Result<()> {
        let mut stored = vec![0; out.len() / PAGE * STRIDE];
        self.file.seek(SeekFrom::Start(place_of(first)))?;
        self.file.read_exact(&mut stored)?;
        let pages = out.chunks_exact_mut(PAGE).zip(stored.chunks_exact(STRIDE));
        for (number, (out, stored)) in (first..).zip(pages) {
            let (page, sum) = stored.split_at(PAGE);
            let is_right = sum == checksum(&number.to_le_bytes(), page).to_le_bytes();
            if !is_right && stored.iter().any(|&byte| byte != 0) {
                return Err(io::Error::new(ErrorKind::InvalidData, format!("page {number}")));
            }
            out.copy_from_slice(page);
        }
        Ok(())
    }

    fn read(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(out.len() as u64).filter(|&end| end <= self.length);
        let end = end.ok_or(ErrorKind::UnexpectedEof)?;
        let (first, last) = (offset / PAGE as u64, end.div_ceil(PAGE as u64));
        let mut pages = vec![0; (last - first) as usize * PAGE];
        let mut rest = pages.as_mut_slice();
        let mut number = first;
        if first == 0 && !rest.is_empty() {
            rest[..PAGE].copy_from_slice(&*self.head);
            rest = &mut rest[PAGE..];
            number = 1;
        }
        if !rest.is_empty() {
            self.read_pages(number, rest)?;
        }
        out.copy_from_slice(&pages[(offset - first * PAGE as u64) as usize..][..out.len()]);
        Ok(())
    }

    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        if data.is_empty() {
            return Ok(());
        }
        let end = offset + data.len() as u64;
        let (first, last) = (offset / PAGE as u64, end.div_ceil(PAGE as u64));
        let start = first * PAGE as u64;
        let mut pages = vec![0; (last - first) as usize * PAGE];
        if offset != start || end != last * PAGE as u64 {
            // Parts of pages keep what is around them.
            let there = self.length.saturating_sub(start).min(pages.len() as u64) as usize;
            self.read(start, &mut pages[..there])?;
        }
        pages[(offset - start) as usize..][..data.len()].copy_from_slice(data);
        self.length = self.length.max(last * PAGE as u64);
        let mut rest = pages.as_slice();
        if first == 0 {
            self.head.copy_from_slice(&rest[..PAGE]);
            self.write_head()?;
            rest = &rest[PAGE..];
        }
        let number = first.max(1);
        let mut stored = Vec::with_capacity(rest.len() / PAGE * STRIDE);
        for (number, page) in (number..).zip(rest.chunks_exact(PAGE)) {
            put_page(&mut stored, number, page);
        }
        self.file.seek(SeekFrom::Start(place_of(number)))?;
        self.file.write_all(&stored)
    }

    /// Writes the older copy of the first page. The newer one is on disk before.
    fn write_head(&mut self) -> io::Result<()> {
        self.sync_head()?;
        self.writing += 1;
        let bytes = copy_bytes(self.writing, self.length, &self.head);
        self.file.seek(SeekFrom::Start(COPIES[(self.writing % 2) as usize]))?;
        self.is_unsynced = true;
        self.file.write_all(&bytes)
    }

    fn sync_head(&mut self) -> io::Result<()> {
        if self.is_unsynced {
            self.sync()?;
        }
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        self.is_unsynced = false;
        Ok(())
    }

    fn set_length(&mut self, length: u64) -> io::Result<()> {
        let pages = length.div_ceil(PAGE as u64).max(1);
        let is_shorter = pages * (PAGE as u64) < self.length;
        self.length = pages * PAGE as u64;
        if is_shorter {
            // Or a kill in between would leave a file that seems to be cut off.
            self.write_head()?;
            self.sync_head()?;
        }
        self.file.set_len(place_of(pages))
    }
}

impl StorageBackend for PageFile {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.lock().length)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.lock().read(offset, out)
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.0.lock().set_length(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.lock().sync()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.lock().write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        match self.0.lock().file.unlock() {
            // Where there are no locks there is nothing to let go of.
            Err(error) if error.kind() != ErrorKind::Unsupported => Err(error),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with three pages, its path kept by the folder.
    fn three_pages() -> (tempfile::NamedTempFile, Vec<u8>) {
        let content: Vec<u8> = (0..3 * PAGE).map(|i| (i / 7 % 251) as u8).collect();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), PageFile::image(&content)).unwrap();
        (file, content)
    }

    fn open(file: &tempfile::NamedTempFile) -> Result<PageFile, DatabaseError> {
        PageFile::open(file.reopen().unwrap())
    }

    fn bytes(pages: &PageFile) -> Vec<u8> {
        let mut bytes = vec![0; pages.len().unwrap() as usize];
        pages.read(0, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_is_written_is_read_again() {
        let (file, mut content) = three_pages();
        assert_eq!(bytes(&open(&file).unwrap()), content);
        for (offset, length) in
            [(0, 320), (PAGE, 2 * PAGE), (4000, 200), (10, 1), (2 * PAGE - 1, PAGE + 1), (5, 0)]
        {
            let pages = open(&file).unwrap();
            let data: Vec<u8> = (0..length).map(|i| (i % 13) as u8 + 1).collect();
            content[offset..offset + length].copy_from_slice(&data);
            pages.write(offset as u64, &data).unwrap();
            assert_eq!(bytes(&pages), content, "at once");
            assert_eq!(bytes(&open(&file).unwrap()), content, "from disk");
        }
        let pages = open(&file).unwrap();
        pages.set_len(2 * PAGE as u64).unwrap();
        pages.set_len(4 * PAGE as u64).unwrap();
        content.truncate(2 * PAGE);
        content.resize(4 * PAGE, 0);
        assert_eq!(bytes(&open(&file).unwrap()), content, "what was cut off is zero");
        assert!(pages.read(4 * PAGE as u64 - 1, &mut [0; 2]).is_err(), "nothing is read beyond the end");
    }

    #[test]
    fn every_changed_bit_of_a_page_is_found() {
        let (file, content) = three_pages();
        let image = PageFile::image(&content);
        for at in (START as usize..image.len()).step_by(97) {
            let mut wrong = image.clone();
            wrong[at] ^= 1 << (at % 8);
            std::fs::write(file.path(), &wrong).unwrap();
            let number = 1 + (at - START as usize) / STRIDE;
            let mut page = [0; PAGE];
            let said = open(&file).unwrap().read((number * PAGE) as u64, &mut page).unwrap_err().to_string();
            assert_eq!(said, format!("page {number}"));
        }
    }

    #[test]
    fn one_copy_of_the_first_page_is_enough() {
        let (file, content) = three_pages();
        open(&file).unwrap().write(0, b"new").unwrap();
        let image = std::fs::read(file.path()).unwrap();
        let spoil = |copies: &[u64]| {
            let mut wrong = image.clone();
            copies.iter().for_each(|&place| wrong[place as usize + 100] ^= 4);
            std::fs::write(file.path(), wrong).unwrap();
        };
        // The third writing went to the first copy.
        spoil(&[COPIES[1]]);
        assert_eq!(&bytes(&open(&file).unwrap())[..3], b"new");
        spoil(&[COPIES[0]]);
        assert_eq!(bytes(&open(&file).unwrap()), content, "as it was before the writing that did not end");
        spoil(&COPIES);
        assert_eq!(open(&file).unwrap_err().to_string(), "it is damaged: both copies of its first page");
    }

    #[test]
    fn files_that_are_cut_off_or_foreign_are_refused() {
        let (file, content) = three_pages();
        let image = PageFile::image(&content);
        let says = |bytes: &[u8]| {
            std::fs::write(file.path(), bytes).unwrap();
            open(&file).unwrap_err().to_string()
        };
        assert_eq!(says(&image[..image.len() - 1]), "it is damaged: it ends too early");
        assert_eq!(says(&image[..5000]), "it is damaged: it ends too early");
        assert_eq!(says(b""), "it is no position database");
        assert_eq!(says(&[0; 50_000]), "it is no position database");
        let mut newer = image.clone();
        newer[MAGIC.len()] = 9;
        assert_eq!(says(&newer), "its format 9 is unknown to this version, which knows 1");
    }
}
