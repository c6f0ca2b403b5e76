//! Work for several threads, of which each may give up and leave what it had begun to the others.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::process::{STOP_POLL, Stop};

/// The work that is left.
pub struct Queue<I: Iterator> {
    state: Mutex<State<I>>,
    changed: Condvar,
}

struct State<I: Iterator> {
    fresh: I,
    given_back: Vec<I::Item>,
    /// Threads that have some of it in hand.
    busy: usize,
}

impl<I: Iterator> Queue<I> {
    /// Nothing of `work` is done.
    pub fn new(work: I) -> Queue<I> {
        Queue {
            state: Mutex::new(State { fresh: work, given_back: Vec::new(), busy: 0 }),
            changed: Condvar::new(),
        }
    }

    /// Something to do, to be followed by [`Queue::done`] or [`Queue::give_back`]; `None` when there will be nothing
    /// more, or everything stops. Waits while others might still give something back.
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
            let waited = self.changed.wait_timeout(state, STOP_POLL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Marks an item in hand as done.
    pub fn done(&self) {
        self.lock().busy -= 1;
        self.changed.notify_all();
    }

    /// Leaves an item in hand to others.
    ///
    /// # Errors
    /// It is handed back where nobody else has anything in hand: then it is left to nobody.
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
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
        assert_eq!(queue.give_back(1), Err(1), "nobody else is at work");
        assert_eq!(queue.next(&stop), Some(0));
        // A third one waits, for it might be needed.
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
