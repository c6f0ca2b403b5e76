//! Managers that send faster than the engine can read, and blocks that never end.

use std::time::{Duration, Instant};

use crate::process::{Process, peak};
use crate::protocol::{is_move, thinking_with};

/// Memory set by `INFO max_memory`, in bytes.
const MAX_MEMORY: u64 = 60 << 20;
/// Bytes of long lines sent while the engine thinks; fewer bytes of short lines, because each takes more
/// memory than its text.
const FLOOD: usize = 100 << 20;

/// Time within which an urgent line after a flood must be handled; the engine would otherwise think for a
/// minute.
const LATE: Duration = Duration::from_secs(2);

fn thinking() -> Process {
    thinking_with(&format!("INFO max_memory {MAX_MEMORY}\n"))
}

#[test]
fn lines_that_wait_take_no_memory_without_bound() {
    let long = [b"TURN ".as_slice(), &b"9".repeat(60_000), b"\n"].concat();
    for line in [long, b"TURN 0,0\n".to_vec(), b"\n".to_vec(), b"BOARD\n1,1,1\n".to_vec()] {
        let mut engine = thinking();
        let size = if line.len() < 100 { FLOOD / 50 } else { FLOOD };
        engine.send(&line.repeat(size / line.len()));
        if let Some(peak) = peak(engine.id()) {
            assert!(peak < MAX_MEMORY, "{} MB are held", peak >> 20);
        }
        // Nothing of the flood has been handled yet except its end.
        let asked = Instant::now();
        engine.send(b"YXSTOP\n");
        let first = engine.answer();
        assert!(is_move(&first), "{first}");
        assert!(asked.elapsed() < LATE, "YXSTOP took {:?}", asked.elapsed());
        // Answers to the lines that were stored; those to TURN are searches.
        engine.send(b"INFO timeout_turn 0\nYXSTOP\n");
        let mut lost = 0;
        let deadline = Instant::now() + Duration::from_secs(20);
        while lost == 0 && Instant::now() < deadline {
            if let Some((line, _)) = engine.answer_within(Duration::from_millis(50)) {
                lost += usize::from(line == "ERROR too many waiting lines, some were lost here");
            } else {
                engine.send(b"YXSTOP\n");
            }
        }
        assert_eq!(lost, 1, "{}...", String::from_utf8_lossy(&line[..line.len().min(10)]));
        // An interrupted block is discarded, and the conversation continues.
        engine.send(b"ISITALIVE\n");
        assert_eq!(engine.answer(), "UNKNOWN command 'ISITALIVE'");
        engine.send(b"END\n");
        assert_eq!(engine.finish().0, Some(0));
    }
}

#[test]
fn end_is_heard_behind_any_flood() {
    let mut engine = thinking();
    engine.send(&b"TURN 0,0\n".repeat(1_000_000));
    let asked = Instant::now();
    engine.send(b"END\n");
    let (status, rest) = engine.finish();
    assert_eq!(status, Some(0));
    assert!(asked.elapsed() < LATE, "END took {:?}", asked.elapsed());
    assert!(rest.iter().all(|line| line.starts_with("MESSAGE ")), "{rest:?}");
}
