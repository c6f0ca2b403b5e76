//! Memory for large tables.
//!
//! A table that is read here and there misses the processor's list of pages at nearly every look when the pages have 4
//! KiB each: in pages of 2 MiB, the same search ran 1.3 times as fast (paired runs on one virtual core, 4 million nodes
//! in a table of 330 MB). But a large page takes the system up to a millisecond when it is first touched, and a search
//! touches them all within its first thousand nodes. So a table begins with small pages, gets large ones piece by piece
//! before it is used, and is no larger than there is time for that.

//!
//! The system may refuse memory (`ulimit -v`, a container's bound, a small machine). A table is then smaller, and it
//! never takes the last of it: whatever is allocated in small pieces can't be refused without an abort.

use std::sync::LazyLock;

use bytemuck::Zeroable;
use bytemuck::allocation::{try_zeroed_slice_box, zeroed_slice_box};

/// Bytes of a large page.
const LARGE_PAGE: usize = 2 << 20;
/// Bytes that have to be left for all that is no large table: tables of rules and evaluation, threads, lines.
pub const HEADROOM: u64 = 24 << 20;
/// A table of so many bytes does not matter to the rest.
const SMALL: u64 = 1 << 20;
/// Tables from this size on, in bytes, are compared with what the machine has free: a system that promises more than it
/// has kills who believes it.
const LARGE: u64 = 64 << 20;

/// Zeroed entries, in small pages that come from the system as they are touched: as many of `entries` as it gives, by
/// halves, while `room` bytes and the [`HEADROOM`] are left for the rest; at least one.
pub fn small_pages<T: Zeroable>(entries: usize, room: u64) -> Box<[T]> {
    let mut entries = entries.max(1);
    while entries > 1 {
        let bytes = (entries as u64).saturating_mul(size_of::<T>() as u64);
        if is_there(bytes)
            && let Ok(table) = try_zeroed_slice_box(entries)
            && (bytes <= SMALL || has_room(room.saturating_add(HEADROOM)))
        {
            return table;
        }
        entries /= 2;
    }
    zeroed_slice_box(entries)
}

/// As [`small_pages`] with a `room` of 0, in large pages where the system has them: a tenth of a second for some
/// hundred megabytes.
pub fn large_pages<T: Zeroable>(entries: usize) -> Box<[T]> {
    let table = small_pages(entries, 0);
    (0..).take_while(|&piece| enlarge(&table, piece)).for_each(drop);
    table
}

/// Whether the machine has so many bytes free, as far as that can be known.
fn is_there(bytes: u64) -> bool {
    bytes < LARGE || free_bytes().is_none_or(|free| bytes <= free / 8 * 7)
}

/// Bytes that the system reports under this name.
#[cfg(target_os = "linux")]
fn meminfo(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes.saturating_mul(1024))
}

#[cfg(not(target_os = "linux"))]
fn meminfo(_: &str) -> Option<u64> {
    None
}

/// Bytes that the machine can give without taking them from others.
fn free_bytes() -> Option<u64> {
    meminfo("MemAvailable:")
}

/// Bytes of memory that the machine has, as far as that can be known.
pub fn machine_bytes() -> Option<u64> {
    static BYTES: LazyLock<Option<u64>> = LazyLock::new(|| meminfo("MemTotal:"));
    *BYTES
}

/// Whether the system would give so many bytes more.
#[cfg(target_os = "linux")]
pub fn has_room(bytes: u64) -> bool {
    let Ok(bytes) = usize::try_from(bytes) else { return false };
    if bytes == 0 {
        return true;
    }
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a fresh mapping at an address that the system chooses touches nothing of ours.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, kind, -1, 0) };
    if start == libc::MAP_FAILED {
        return false;
    }
    // SAFETY: this is the mapping from above, whole, and nobody has its address.
    unsafe { libc::munmap(start, bytes) };
    true
}

/// Whether the system would give so many bytes more.
#[cfg(not(target_os = "linux"))]
pub fn has_room(bytes: u64) -> bool {
    usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// Makes all threads take their small pieces of memory from one place, and tables go back to the system when they are
/// dropped. The system's library gives each thread 64 MB of addresses of its own, which count against `ulimit -v`; ours
/// hardly ask for any. And once a large piece was given back, it keeps later ones of up to 32 MB.
///
/// Does nothing once the process has several threads.
pub fn settle_allocator() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1) {
        // SAFETY: sets numbers of the allocator, which no other thread is using: this is the only one.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
            libc::mallopt(libc::M_MMAP_THRESHOLD, SMALL as i32);
        }
    }
}

/// Turns a piece of a table, counted from 0, into one large page with the same content; `false` when there is no such
/// piece, or the system knows no large pages.
pub fn enlarge<T>(table: &[T], piece: usize) -> bool {
    let from = table.as_ptr() as usize;
    let skipped = from.next_multiple_of(LARGE_PAGE) - from;
    let pieces = size_of_val(table).saturating_sub(skipped) / LARGE_PAGE;
    piece < pieces && enlarge_at(from + skipped + piece * LARGE_PAGE)
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
        for entries in [1, 512, 4096, (3 << 18) - 1, 3 << 18, 1_000_003] {
            for mut table in [large_pages::<u64>(entries), small_pages(entries, 0)] {
                assert_eq!(table.len(), entries);
                assert!(table.iter().all(|&entry| entry == 0));
                table.fill(!0);
                assert!(table.iter().all(|&entry| entry == !0));
            }
        }
    }

    #[test]
    fn a_table_keeps_its_content_when_it_gets_large_pages() {
        let mut table = small_pages::<u64>(1_000_003, 0);
        for i in (0..table.len()).step_by(777) {
            table[i] = i as u64;
        }
        let pieces = (0..).take_while(|&piece| enlarge(&table, piece)).count();
        assert!(pieces <= size_of_val(&*table) / LARGE_PAGE);
        for (i, &entry) in table.iter().enumerate() {
            assert_eq!(entry, if i % 777 == 0 { i as u64 } else { 0 });
        }
    }

    #[test]
    fn what_the_system_refuses_is_halved_until_it_is_given() {
        for entries in [usize::MAX, 1 << 59, 1 << 50] {
            let mut table = small_pages::<u64>(entries, 0);
            assert!(table.len() < entries && table.len() >= 1 << 17, "{entries}: {}", table.len());
            table[0] = 1;
        }
        assert!(has_room(1 << 20) && !has_room(1 << 60) && !has_room(u64::MAX));
        // No room can be left that is not there: the table yields.
        assert!(small_pages::<u64>(1 << 25, u64::MAX).len() <= SMALL as usize / 8);
        assert_eq!(small_pages::<u64>(0, 0).len(), 1);
    }
}
