//! A work queue for several threads. A thread may give up and return its item to the others.

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
    /// Number of threads that are working on an item.
    busy: usize,
}

impl<I: Iterator> Queue<I> {
    /// Creates a queue with all of `work` to do.
    pub fn new(work: I) -> Queue<I> {
        Queue {
            state: Mutex::new(State { fresh: work, given_back: Vec::new(), busy: 0 }),
            changed: Condvar::new(),
        }
    }

    /// Returns the next item, to be followed by [`Queue::done`] or [`Queue::give_back`]; `None` once no more
    /// items can come or a stop is requested. Waits while other threads might still return an item.
    pub fn next(&self, stop: &Stop) -> Option<I::Item> {
        let mut state = self.lock();
        loop {
            if stop.is_requested() {
                return None;
            }
            let State { fresh, given_back, .. } = &mut *state;
            if let Some(item) = given_back.pop().or_else(|| fresh.next()) {
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
}
