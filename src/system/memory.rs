//! Memory for large tables.
//!
//! Random accesses to a table miss the processor's translation buffer almost every time if the pages have 4
//! KiB. With pages of 2 MiB the same search ran 1.3 times as fast (paired runs on one virtual core, 4 million
//! nodes with a table of 330 MB). But the system takes up to a millisecond to provide a large page when it is
//! first touched, and a search touches all of them within its first thousand nodes. A table therefore starts
//! with small pages and gets large ones piece by piece before it is used, and its size is limited by the time
//! available for that.
//!
//! The system may refuse memory (`ulimit -v`, a small machine). A table is then smaller,
//! and it always leaves some memory free, because a failed small allocation aborts the process.

use std::sync::LazyLock;

use bytemuck::Zeroable;
use bytemuck::allocation::{try_zeroed_slice_box, zeroed_slice_box};

/// Size of a large page in bytes.
const LARGE_PAGE: usize = 2 << 20;
/// Bytes to leave free for everything except large tables: tables of rules and evaluation, threads, lines.
pub const HEADROOM: u64 = 24 << 20;
/// Tables up to this size in bytes may use the headroom.
const SMALL: u64 = 1 << 20;
/// Tables of at least this size in bytes are checked against the machine's free memory. On systems that
/// overcommit memory, a process that touches more than is available is killed.
const LARGE: u64 = 64 << 20;

/// Allocates zeroed entries in small pages, which the system provides as they are touched. `entries` is
/// halved until the system grants the memory and `room` bytes and the [`HEADROOM`] remain free; at least one
/// entry is allocated.
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

/// Like [`small_pages`] with a `room` of 0, but in large pages if the system supports them. Takes a tenth of
/// a second for several hundred megabytes.
pub fn large_pages<T: Zeroable>(entries: usize) -> Box<[T]> {
    let table = small_pages(entries, 0);
    (0..).take_while(|&piece| enlarge(&table, piece)).for_each(drop);
    table
}

/// Prefetches the memory at `value`, which will be read soon.
#[inline]
pub fn prefetch<T: ?Sized>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction; it reads nothing that the program could see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Whether the machine has this number of bytes free, as far as this is known.
fn is_there(bytes: u64) -> bool {
    bytes < LARGE || free_bytes().is_none_or(|free| bytes <= free / 8 * 7)
}

/// The value in bytes that the system reports under this name.
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

/// The number of bytes that the machine can provide without taking them from other processes.
fn free_bytes() -> Option<u64> {
    meminfo("MemAvailable:")
}

/// The machine's memory in bytes, if it is known.
pub fn machine_bytes() -> Option<u64> {
    static BYTES: LazyLock<Option<u64>> = LazyLock::new(|| meminfo("MemTotal:"));
    *BYTES
}

/// Whether the system would grant this number of additional bytes.
#[cfg(target_os = "linux")]
pub fn has_room(bytes: u64) -> bool {
    let Ok(bytes) = usize::try_from(bytes) else { return false };
    if bytes == 0 {
        return true;
    }
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at an address chosen by the system does not affect existing memory.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, kind, -1, 0) };
    if start == libc::MAP_FAILED {
        return false;
    }
    // SAFETY: this is the whole mapping from above, and nothing else has its address.
    unsafe { libc::munmap(start, bytes) };
    true
}

/// Whether the system would grant this number of additional bytes.
#[cfg(not(target_os = "linux"))]
pub fn has_room(bytes: u64) -> bool {
    usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// Makes all threads use a single malloc arena, and returns tables to the system when they are dropped. By
/// default glibc reserves 64 MB of address space per thread, which counts against `ulimit -v`, although the
/// engine's threads allocate very little. Also, once a large block has been freed, glibc no longer returns later blocks
/// of up to 32 MB to the system.
///
/// Does nothing if the process already has several threads.
pub fn settle_allocator() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1) {
        // SAFETY: sets parameters of the allocator, which no other thread uses: this is the only thread.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
            libc::mallopt(libc::M_MMAP_THRESHOLD, SMALL as i32);
        }
    }
}

/// Turns a piece of a table, counted from 0, into one large page with the same content. Returns `false` if
/// there is no such piece or the system does not support large pages.
pub fn enlarge<T>(table: &[T], piece: usize) -> bool {
    let from = table.as_ptr() as usize;
    let skipped = from.next_multiple_of(LARGE_PAGE) - from;
    let pieces = size_of_val(table).saturating_sub(skipped) / LARGE_PAGE;
    piece < pieces && enlarge_at(from + skipped + piece * LARGE_PAGE)
}

#[cfg(target_os = "linux")]
fn enlarge_at(start: usize) -> bool {
    let advise = |advice| {
        // SAFETY: this is a piece of a table, aligned to its own size, and none of these calls changes its
        // content.
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
    fn a_table_keeps_its_content_in_large_pages() {
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
    fn refused_sizes_are_halved_until_they_are_granted() {
        for entries in [usize::MAX, 1 << 59, 1 << 50] {
            let mut table = small_pages::<u64>(entries, 0);
            assert!(table.len() < entries && table.len() >= 1 << 17, "{entries}: {}", table.len());
            table[0] = 1;
        }
        assert!(has_room(1 << 20) && !has_room(1 << 60) && !has_room(u64::MAX));
        // The requested room is not available, so the table shrinks.
        assert!(small_pages::<u64>(1 << 25, u64::MAX).len() <= SMALL as usize / 8);
        assert_eq!(small_pages::<u64>(0, 0).len(), 1);
    }
}
