//! A work queue for several threads. A thread may give up and return its item to the others, and items that
//! are not due wait until they are.

use std::collections::VecDeque;

use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::process::{STOP_POLL, Stop};

/// The remaining work.
pub struct Queue<I: Iterator> {
    state: Mutex<State<I>>,
    changed: Condvar,
}

struct State<I: Iterator> {
    fresh: I,
    given_back: Vec<I::Item>,
    /// Items that were not due when their turn came.
    set_aside: VecDeque<I::Item>,
    /// Number of threads that are working on an item.
    busy: usize,
}

impl<I: Iterator> State<I> {
    /// Takes the next item that is due, and sets aside the ones before it.
    fn take(&mut self, is_due: impl Fn(&I::Item) -> bool) -> Option<I::Item> {
        if let Some(index) = self.set_aside.iter().position(&is_due) {
            return self.set_aside.remove(index);
        }
        while let Some(item) = self.given_back.pop().or_else(|| self.fresh.next()) {
            if is_due(&item) {
                return Some(item);
            }
            self.set_aside.push_back(item);
        }
        None
    }
}

impl<I: Iterator> Queue<I> {
    /// Creates a queue with all of `work` to do.
    pub fn new(work: I) -> Queue<I> {
        Queue {
            state: Mutex::new(State {
                fresh: work,
                given_back: Vec::new(),
                set_aside: VecDeque::new(),
                busy: 0,
            }),
            changed: Condvar::new(),
        }
    }

    /// Returns the next item, to be followed by [`Queue::done`] or [`Queue::give_back`]; `None` once no more
    /// items can come or a stop is requested. Waits while other threads might still return an item.
    pub fn next(&self, stop: &Stop) -> Option<I::Item> {
        self.next_due(stop, |_| true)
    }

    /// Returns the next item that is due, like [`Queue::next`]. Items that are not due are set aside: work in
    /// progress may still make them due, so this waits for it.
    pub fn next_due(&self, stop: &Stop, is_due: impl Fn(&I::Item) -> bool) -> Option<I::Item> {
        let mut state = self.lock();
        loop {
            if stop.is_requested() {
                return None;
            }
            if let Some(item) = state.take(&is_due) {
                state.busy += 1;
                return Some(item);
            }
            if state.busy == 0 {
                return None;
            }
            self.changed.wait_for(&mut state, STOP_POLL);
        }
    }

    /// Marks the current item as done.
    pub fn done(&self) {
        self.lock().busy -= 1;
        self.changed.notify_all();
    }

    /// Returns an item to the queue for other threads.
    ///
    /// # Errors
    /// Returns the item as an error if no other thread is working, because then nobody would take it.
    pub fn give_back(&self, item: I::Item) -> Result<(), I::Item> {
        let mut state = self.lock();
        if state.busy == 1 {
            return Err(item);
        }
        state.given_back.push(item);
        state.busy -= 1;
        self.changed.notify_all();
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State<I>> {
        self.state.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_gives_back_another_takes_up() {
        let (queue, stop) = (Queue::new(0..2), Stop::default());
        assert_eq!((queue.next(&stop), queue.next(&stop)), (Some(0), Some(1)));
        assert_eq!(queue.give_back(0), Ok(()));
        assert_eq!(queue.give_back(1), Err(1), "no other thread is working");
        assert_eq!(queue.next(&stop), Some(0));
        // A third thread gets the item, whether it is returned before the thread asks or while it waits.
        let taken = std::thread::scope(|scope| {
            let third = scope.spawn(|| queue.next(&stop));
            queue.give_back(1).unwrap();
            third.join().unwrap()
        });
        assert_eq!(taken, Some(1));
        queue.done();
        queue.done();
        assert_eq!(queue.next(&stop), None);

        let queue = Queue::new(0..2);
        stop.request();
        assert_eq!(queue.next(&stop), None);
    }

    #[test]
    fn what_is_not_due_waits_for_the_work_in_progress() {
        use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

        let (queue, stop) = (Queue::new(0..4), Stop::default());
        let (is_odd_due, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
        let next = || {
            queue.next_due(&stop, |item| {
                let is_due = item % 2 == 0 || is_odd_due.load(Ordering::Relaxed);
                asked.fetch_add(1, Ordering::Relaxed);
                is_due
            })
        };
        assert_eq!((next(), next()), (Some(0), Some(2)));
        asked.store(0, Ordering::Relaxed);
        let taken = std::thread::scope(|scope| {
            let third = scope.spawn(next);
            // It has found that neither 1 nor 3 is due.
            while asked.load(Ordering::Relaxed) < 2 {
                std::thread::yield_now();
            }
            is_odd_due.store(true, Ordering::Relaxed);
            queue.done();
            third.join().unwrap()
        });
        assert_eq!((taken, next()), (Some(1), Some(3)), "in their order");

        // Nothing is in progress, so nothing can become due any more.
        let queue = Queue::new(0..4);
        assert_eq!(queue.next_due(&stop, |item| *item > 2), Some(3));
        queue.done();
        assert_eq!(queue.next_due(&stop, |_| false), None);
    }
}
