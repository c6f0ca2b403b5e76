//! The host of the engine: its clock, and on WebAssembly everything else that a system would provide.
//!
//! A module for `wasm32-unknown-unknown` has no clock, no threads and no files. There the functions of the
//! import module `kakugo`, which the page provides (`web/page/worker.js`), replace them. On other systems the
//! standard library's clock is used, and nothing is imported.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use self::native::{Instant, look};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use self::wasm::{Instant, look, network};

/// Whether the system can start threads. If not, the caller of a search does all of its work.
pub const HAS_THREADS: bool = cfg!(not(all(target_family = "wasm", target_os = "unknown")));

/// Whether `deadline` has passed; `false` without a deadline.
#[inline]
pub fn is_past(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod native {
    use std::sync::atomic::AtomicBool;
    pub use std::time::Instant;

    /// Sets the stop flag if the host asks for it. Here another thread sets it.
    #[inline(always)]
    pub fn look(_: &AtomicBool) {}
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod wasm {
    use std::ops::Add;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    #[link(wasm_import_module = "kakugo")]
    unsafe extern "C" {
        /// Milliseconds since a fixed time in the past. Never decreases.
        safe fn now() -> f64;
        /// Whether the search in progress should stop.
        safe fn stops() -> u32;
        /// The number of bytes of a rule's network, by the code of `INFO rule`.
        safe fn network_length(rule: u32) -> u32;
        /// Writes the bytes of a rule's network to the module's memory, at `to`.
        fn network_bytes(rule: u32, to: *mut u8);
    }

    /// A moment of the host's clock, with the methods of the standard library's type that are used here.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present moment.
        pub fn now() -> Instant {
            Instant(Duration::try_from_secs_f64(now() / 1e3).unwrap_or_default())
        }

        /// The time since this moment.
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// The time from `earlier` to this moment, or zero if it is later.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0.saturating_add(time))
        }
    }

    /// Sets the stop flag if the host requests it, because no other thread could set it.
    pub fn look(stop: &AtomicBool) {
        if stops() != 0 {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// The weights file of a rule, by the code of `INFO rule`.
    pub fn network(rule: u32) -> Vec<u8> {
        let mut bytes = vec![0; network_length(rule) as usize];
        // SAFETY: the host writes the number of bytes that it has just stated.
        unsafe { network_bytes(rule, bytes.as_mut_ptr()) };
        bytes
    }
}
