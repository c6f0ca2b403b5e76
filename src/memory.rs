//! Memory for large tables.
//!
//! A table that is read here and there misses the processor's list of pages at nearly every look when the pages have 4
//! KiB each: in pages of 2 MiB, the same search ran 1.3 times as fast (paired runs on one virtual core, 4 million nodes
//! in a table of 330 MB). But a large page takes the system up to a millisecond when it is first touched, and a search
//! touches them all within its first thousand nodes. So a table begins with small pages, gets large ones piece by piece
//! before it is used, and is no larger than there is time for that.

use bytemuck::Zeroable;
use bytemuck::allocation::zeroed_slice_box;

/// Bytes of a large page.
const LARGE_PAGE: usize = 2 << 20;

/// Zeroed entries, in small pages that come from the system as they are touched.
pub fn small_pages<T: Zeroable>(entries: usize) -> Box<[T]> {
    zeroed_slice_box(entries)
}

/// Zeroed entries, in large pages where the system has them: a tenth of a second for some hundred megabytes.
pub fn large_pages<T: Zeroable>(entries: usize) -> Box<[T]> {
    let table = zeroed_slice_box(entries);
    (0..).take_while(|&piece| enlarge(&table, piece)).for_each(drop);
    table
}

/// Turns a piece of a table, counted from 0, into one large page with the same content; `false` when there is no such
/// piece, or the system knows no large pages.
pub fn enlarge<T>(table: &[T], piece: usize) -> bool {
    let from = table.as_ptr() as usize;
    let start = from.next_multiple_of(LARGE_PAGE) + piece * LARGE_PAGE;
    start + LARGE_PAGE <= from + size_of_val(table) && enlarge_at(start)
}

#[cfg(target_os = "linux")]
fn enlarge_at(start: usize) -> bool {
    let advise = |advice| {
        // SAFETY: this is a piece of a table, aligned to its own size, and none of these changes what is in it.
        unsafe { libc::madvise(start as *mut libc::c_void, LARGE_PAGE, advice) == 0 }
    };
    advise(libc::MADV_HUGEPAGE) && advise(libc::MADV_POPULATE_WRITE)
}

#[cfg(not(target_os = "linux"))]
fn enlarge_at(_: usize) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_any_size_are_zeroed_and_can_be_written() {
        for entries in [0, 1, 512, 4096, (3 << 18) - 1, 3 << 18, 1_000_003] {
            for mut table in [large_pages::<u64>(entries), small_pages(entries)] {
                assert_eq!(table.len(), entries);
                assert!(table.iter().all(|&entry| entry == 0));
                table.fill(!0);
                assert!(table.iter().all(|&entry| entry == !0));
            }
        }
    }

    #[test]
    fn a_table_keeps_its_content_when_it_gets_large_pages() {
        let mut table = small_pages::<u64>(1_000_003);
        for i in (0..table.len()).step_by(777) {
            table[i] = i as u64;
        }
        let pieces = (0..).take_while(|&piece| enlarge(&table, piece)).count();
        assert!(pieces <= size_of_val(&*table) / LARGE_PAGE);
        for (i, &entry) in table.iter().enumerate() {
            assert_eq!(entry, if i % 777 == 0 { i as u64 } else { 0 });
        }
    }
}
