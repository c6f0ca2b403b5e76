//! The loop, with a thinker that the tests play.

use super::*;
use crate::board::Point;
use crate::engine::{Engine, Options};

/// A loop that writes to memory, and the jobs for its thinker.
fn driver() -> (Driver<Vec<u8>>, Receiver<Job>) {
    let (jobs, job_queue) = mpsc::channel();
    let session = Session::new(Engine::new(Options::default()));
    let output = Output { stream: Vec::new(), log: Log::none() };
    (Driver::new(session, jobs, output, Arc::default()), job_queue)
}

/// Receives lines until the conversation ends; returns whether it continues.
fn receive(driver: &mut Driver<Vec<u8>>, lines: &str) -> bool {
    let (events, inbox) = mpsc::channel();
    inbox::read(lines.as_bytes(), &ReaderState::default(), &events);
    let mut lines = inbox.try_iter().filter_map(|event| match event {
        Event::Line(held) => Some(held),
        _ => None,
    });
    lines.all(|held| driver.receive(held).expect("the output is memory").is_continue())
}

/// Ends a job with an answer; returns whether the conversation continues.
fn end(driver: &mut Driver<Vec<u8>>, job: Job, answer: Option<Response>) -> bool {
    driver.end_search(job.session, answer).expect("the output is memory").is_continue()
}

/// The answer of a search.
fn found() -> Option<Response> {
    Some(Response::Move(Point::new(7, 7)))
}

fn next(jobs: &Receiver<Job>) -> Job {
    jobs.try_recv().expect("a job for the thinker")
}

#[test]
fn a_stop_after_a_command_that_waits_is_for_this_command() {
    let (mut driver, jobs) = driver();
    receive(&mut driver, "START 15\nBOARD\n7,7,2\nDONE\n");
    let first = next(&jobs);
    receive(&mut driver, "YXSTOP\nYXNBEST 3\nYXSTOP\n");
    assert!(first.control.is_stopped());
    end(&mut driver, first, found());
    let second = next(&jobs);
    assert!(second.control.is_stopped());
    end(&mut driver, second, found());
    receive(&mut driver, "YXNBEST 2\n");
    assert!(!next(&jobs).control.is_stopped(), "both lines are used up");
}

#[test]
fn each_command_behind_pondering_has_its_own_stop() {
    let (mut driver, jobs) = driver();
    receive(&mut driver, "START 15\nINFO pondering 1\nBOARD\n7,7,2\nDONE\n");
    let search = next(&jobs);
    end(&mut driver, search, found());
    let pondering = next(&jobs);
    assert!(pondering.task.is_pondering() && !pondering.control.is_stopped());
    receive(&mut driver, "YXNBEST 3\nYXSTOP\nYXNBEST 2\nYXSTOP\nYXNBEST 1\n");
    assert!(pondering.control.is_stopped());
    end(&mut driver, pondering, None);
    for is_stopped in [true, true, false] {
        let search = next(&jobs);
        assert_eq!(search.control.is_stopped(), is_stopped);
        end(&mut driver, search, found());
    }
}

#[test]
fn lines_of_a_comment_wait_even_if_they_look_like_commands() {
    let (mut driver, jobs) = driver();
    receive(&mut driver, "START 15\nBOARD\n7,7,2\nDONE\n");
    let search = next(&jobs);
    receive(&mut driver, "YXEDITTEXTDATABASE \"a\nstop\nabout\nb\"\nABOUT\n");
    assert!(!search.control.is_stopped());
    assert_eq!(driver.waiting.len(), 4, "the lines of the comment");
    assert_eq!(String::from_utf8_lossy(&driver.output.stream).matches("name=").count(), 1);
    receive(&mut driver, "YXSTOP\n");
    assert!(search.control.is_stopped());
}

#[test]
fn lines_before_an_end_during_work_are_executed_without_answers() {
    let (mut driver, jobs) = driver();
    assert!(receive(&mut driver, "START 15\nYXDBCHECK\nABOUT\nPLAY 7,7\nEND\n"), "the work is not done yet");
    let is_over = !end(&mut driver, next(&jobs), Some(Response::Message("done".to_owned())));
    assert!(is_over, "no line is left");
    assert_eq!(String::from_utf8_lossy(&driver.output.stream), "OK\n");
    let session = driver.session.as_ref().expect("nothing runs");
    assert_eq!(session.engine().position().board().stone_count(), 1);
}
