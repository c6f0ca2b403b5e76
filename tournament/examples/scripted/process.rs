//! What a process may do to its surroundings: children, signals, streams, memory.

use std::io::{self, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

/// Exits, but leaves its streams to a child, which stays unless it is killed too.
pub fn leave_orphan() -> ! {
    start_child("sleep", 1);
    exit(9)
}

/// Fails in the first `failures` games after the first one. The first one continues when the results file in
/// the working directory has these failures, so this needs two games at the same time.
pub fn recover(failures: u64) {
    // Only one process can create a directory.
    let is_first_at = |name: &str| std::fs::create_dir(name).is_ok();
    if is_first_at("sound") {
        let count = || {
            let text = std::fs::read_to_string("results.jsonl").unwrap_or_default();
            text.matches("\"ending\":\"crash\"").count() as u64
        };
        while count() < failures {
            sleep(Duration::from_millis(10));
        }
    } else if (1..=failures).any(|number| is_first_at(&format!("crash-{number}"))) {
        exit(7);
    }
}

/// Starts this program again, with the same streams and mark.
pub fn start_child(behaviour: &str, number: u64) -> std::process::Child {
    let program = std::env::current_exe().expect("the path of this program");
    let mark = std::env::args().next_back().unwrap_or_default();
    let mut command = std::process::Command::new(program);
    command.args([behaviour, &number.to_string(), &mark]).spawn().expect("a child")
}

/// Starts this program again in a new session, without the streams of this one.
#[cfg(unix)]
pub fn start_in_session(behaviour: &str, number: u64) -> std::process::Child {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    let program = std::env::current_exe().expect("the path of this program");
    let mark = std::env::args().next_back().unwrap_or_default();
    let mut command = Command::new(program);
    command.args([behaviour, &number.to_string(), &mark]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: a single system call, which is allowed between fork and exec.
    unsafe { command.pre_exec(|| Ok(nix::unistd::setsid().map(drop)?)) };
    command.spawn().expect("a child")
}

#[cfg(not(unix))]
pub fn start_in_session(behaviour: &str, number: u64) -> std::process::Child {
    start_child(behaviour, number)
}

#[cfg(unix)]
pub fn kill_own_group() {
    use nix::sys::signal::{Signal, kill};
    kill(nix::unistd::Pid::from_raw(0), Signal::SIGKILL).expect("it has the right to");
}

#[cfg(not(unix))]
pub fn kill_own_group() {
    std::process::abort();
}

/// Writes a line instead of ending when a signal asks this process to end.
pub fn answer_signals() {
    kakugo::interrupt::handle(|| say("bye")).expect("the only handler");
}

/// Stops the process that started this one.
pub fn stop_parent() {
    #[cfg(unix)]
    nix::sys::signal::kill(nix::unistd::getppid(), nix::sys::signal::Signal::SIGSTOP).expect("it may");
}

/// Closes its output and keeps running.
pub fn fall_silent() -> ! {
    #[cfg(unix)]
    nix::unistd::dup2_stdout(std::fs::File::open("/dev/null").expect("it is there")).expect("it is open");
    hang()
}

/// Exits if a line comes sooner than `pause` after its answer.
#[cfg(unix)]
pub fn reject_hasty_lines(pause: Duration) {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    let answered = std::time::Instant::now();
    let stdin = io::stdin();
    let timeout = PollTimeout::try_from(pause).expect("a short pause");
    let came = poll(&mut [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)], timeout);
    // On a busy machine the line may have come in time while this program was late.
    if came.expect("stdin can be polled") > 0 && answered.elapsed() < pause {
        eprintln!("scripted: too soon for me");
        exit(5);
    }
}

#[cfg(not(unix))]
pub fn reject_hasty_lines(_: Duration) {}

/// Writes `bytes` bytes without a line end, then one line end.
pub fn endless_line(bytes: u64) {
    let block = [b'x'; 1 << 16];
    write_all(&mut io::stdout(), b"MESSAGE ");
    for _ in 0..bytes >> 16 {
        write_all(&mut io::stdout(), &block);
    }
    say("");
}

/// Allocates `megabytes` megabytes and keeps them.
pub fn hoard(megabytes: u64) {
    std::mem::forget(vec![1_u8; (megabytes as usize) << 20]);
}

/// Writes ten megabytes to each stream, in lines and in one endless line.
pub fn chatter() {
    let line = format!("MESSAGE {}\n", "blah ".repeat(200));
    for _ in 0..10_000 {
        write_all(&mut io::stdout(), line.as_bytes());
        write_all(&mut io::stderr(), line.as_bytes());
    }
    write_all(&mut io::stdout(), b"MESSAGE ");
    for _ in 0..1000 {
        write_all(&mut io::stdout(), &[b'x'; 1000]);
        write_all(&mut io::stderr(), &[0xff; 1000]);
    }
    say("");
}

pub fn flood(line: &str) -> ! {
    loop {
        say(line);
    }
}

pub fn hang() -> ! {
    loop {
        sleep(Duration::from_secs(60));
    }
}

pub fn say(line: &str) {
    write_all(&mut io::stdout(), format!("{line}\n").as_bytes());
}

/// Writes until nobody reads any more.
pub fn write_all(stream: &mut impl Write, bytes: &[u8]) {
    if stream.write_all(bytes).and_then(|()| stream.flush()).is_err() {
        exit(0);
    }
}
