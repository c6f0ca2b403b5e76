//! An engine at the board: the protocol of one game, and its clock.
//!
//! Time runs from just before a command is written to the moment the answer's last byte is read. An engine hears
//! nothing for a short while after each of its answers (see [`EngineSettings::pause`]), which is on nobody's clock. The
//! player reports what the engine answered; whether that is a move, the referee decides.

mod in_procedure;
mod moves;
pub mod search_info;

use std::io;
use std::time::{Duration, Instant};

use crate::batch::settings::{EngineSettings, Settings};
use crate::files::record::Evidence;
use crate::game::ending::Fault;
use crate::player::search_info::SearchInfo;
use crate::process::{End, Host, Process, Received, is_shortage};

/// Time after its limit for which a late answer is waited for, to tell slow from hung and to measure the delay.
const LATE_GRACE: Duration = Duration::from_secs(1);
/// Time limit for an engine to leave after END.
const END_LIMIT: Duration = Duration::from_secs(1);
/// Time limit for an answer to ABOUT.
const ABOUT_LIMIT: Duration = Duration::from_secs(1);

/// Why a request came to nothing.
#[derive(Debug)]
pub enum Failure {
    /// The engine's fault.
    Fault(Fault),
    /// The batch is stopped.
    Stopped,
    /// This machine refuses a process or a thread.
    Shortage(io::Error),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Fault(fault)
    }
}

/// Answer of an engine to a request for a move.
#[derive(Clone, Debug)]
pub struct MoveAnswer {
    /// Column as written; it may be off the board.
    pub x: i32,
    /// Row as written.
    pub y: i32,
    /// Which of several captures, from 1, in games that leave a choice.
    pub choice: Option<u8>,
    /// Time it took.
    pub used: Duration,
    /// Search info of the engine meanwhile.
    pub said: SearchInfo,
}

/// An engine that plays one game.
#[derive(Debug)]
pub struct Player<'a> {
    engine: &'a EngineSettings,
    settings: &'a Settings,
    host: &'a Host,
    process: Process,
    /// The process has played before and was sent RESTART.
    is_used: bool,
    spent: Duration,
    moves: usize,
    /// Number of moves that it has heard of.
    heard: usize,
}

impl<'a> Player<'a> {
    /// Sets the engine up for a game without waiting for its answer: in a new process, or in the one that it has left
    /// from its last game, which had these settings.
    ///
    /// # Errors
    /// When the process cannot be started.
    pub fn start(
        engine: &'a EngineSettings,
        settings: &'a Settings,
        host: &'a Host,
        used: Option<(Process, &Settings)>,
    ) -> Result<Player<'a>, Failure> {
        let Some((mut process, last)) = used else {
            return Ok(Player::new(engine, settings, host, spawn(engine, host)?));
        };
        if last.start_command() != settings.start_command() {
            // A league with another board. The INFO lines change the rule.
            return Ok(Player { is_used: true, ..Player::new(engine, settings, host, process) });
        }
        // An engine that is gone already is noticed where the answer is waited for.
        process.waiting_lines();
        process.send("RESTART");
        Ok(Player {
            engine,
            settings,
            host,
            process,
            is_used: true,
            spent: Duration::ZERO,
            moves: 0,
            heard: 0,
        })
    }

    /// As [`Player::start`], with a process that is new or has its last game behind it, and is sent START.
    pub fn new(
        engine: &'a EngineSettings,
        settings: &'a Settings,
        host: &'a Host,
        mut process: Process,
    ) -> Player<'a> {
        process.waiting_lines();
        process.send(&settings.start_command());
        Player { engine, settings, host, process, is_used: false, spent: Duration::ZERO, moves: 0, heard: 0 }
    }

    /// Waits for the `OK` and sends the INFO lines. A process that does not play another game is replaced.
    ///
    /// # Errors
    /// When anything else than `OK` comes from a new process.
    pub fn prepare(&mut self) -> Result<(), Failure> {
        match self.wait_for_ok() {
            Err(Failure::Fault(fault)) if self.is_used => {
                log::info!("{} plays no second game, a new process is started: {fault}", self.engine.name);
                self.process = spawn(self.engine, self.host)?;
                self.process.send(&self.settings.start_command());
                self.wait_for_ok()?;
            }
            result => result?,
        }
        self.process.send(&self.settings.info_lines(self.engine).join("\n"));
        Ok(())
    }

    fn wait_for_ok(&mut self) -> Result<(), Failure> {
        let limit = self.engine.start_limit;
        let what = match self.process.next_line(Instant::now() + limit) {
            Received::Line(line) if is_word(&line.text, "OK") => return Ok(()),
            Received::Line(line) => format!("answered '{}'", line.text),
            Received::Closed => match self.process.end() {
                End::Memory(held) => return Err(self.memory_fault(held).into()),
                End::Status(status) => format!("ended with {status}"),
                End::ClosedOutput => "closed its output".to_owned(),
            },
            Received::TimedOut => format!("no answer in {} ms", limit.as_millis()),
            Received::Stopped => return Err(Failure::Stopped),
        };
        Err(Fault::NoStart(what).into())
    }

    /// The engine's answer to ABOUT; empty if it gives none.
    pub fn ask_about(&mut self) -> String {
        self.process.send("ABOUT");
        let deadline = Instant::now() + ABOUT_LIMIT;
        while let Received::Line(line) = self.process.next_line(deadline) {
            if line.text.contains('=') {
                return line.text;
            }
            if is_word(&line.text, "UNKNOWN") {
                break;
            }
        }
        String::new()
    }

    /// Sends `command` on the engine's clock and waits for what `read` takes for the answer; returns it with the time
    /// that it took, and what the engine said meanwhile.
    fn ask_for<T>(
        &mut self,
        command: &str,
        read: impl FnMut(&str) -> Option<Spoken<T>>,
    ) -> Result<(T, Duration, SearchInfo), Failure> {
        self.process.pause();
        if let Some(line) = self.unasked_line() {
            return Err(Fault::Garbage(format!("'{line}' without being asked")).into());
        }
        self.process.take_search_info();
        let clock = self.engine.clock;
        let limit = clock.limit(self.spent, self.moves);
        let allowed = limit + Duration::from_millis(clock.margin_ms);
        let time_left_ms = clock.time_left_ms(self.spent, self.moves);
        let command = format!("INFO time_left {time_left_ms}\n{command}");
        let began = Instant::now();
        self.process.send(&command);
        let (answer, used) = self.wait_for(began, allowed, read)?;
        self.spent += used;
        self.moves += 1;
        if used > allowed {
            let (used_us, limit_us) = (micros(used), micros(limit));
            return Err(Fault::Time { used_us, limit_us }.into());
        }
        Ok((answer, used, self.process.take_search_info()))
    }

    /// Tells the engine that it is not needed any more.
    pub fn send_end(&mut self) {
        self.process.send("END");
    }

    /// Gives the engine the time to leave that END grants, then kills it.
    pub fn leave(self) {
        dismiss(self.process);
    }

    /// The process, for another game.
    pub fn into_process(self) -> Process {
        self.process
    }

    /// The most memory that the engine held so far, in bytes.
    pub fn peak_memory(&self) -> Option<u64> {
        self.process.peak_memory()
    }

    /// Latest lines to and from the engine, as [`Process::evidence`] has them.
    pub fn evidence(&self) -> Evidence {
        self.process.evidence()
    }

    /// A waiting line that has no business there. Complaints about an INFO line may come at any time.
    fn unasked_line(&mut self) -> Option<String> {
        self.process.waiting_lines().into_iter().map(|line| line.text).find(|line| !is_complaint(line))
    }

    /// Waits for the line that `read` takes for the answer; returns it with the time it took since `began`.
    fn wait_for<T>(
        &mut self,
        began: Instant,
        allowed: Duration,
        mut read: impl FnMut(&str) -> Option<Spoken<T>>,
    ) -> Result<(T, Duration), Failure> {
        let mut complaint = None;
        // The engine's clock stands still while it has its pause.
        let mut paused = Duration::ZERO;
        loop {
            // An engine that complained may still answer in time (the complaint may be about an INFO line), but
            // there is no need to find out how late.
            let grace = if complaint.is_some() { Duration::ZERO } else { LATE_GRACE };
            match self.process.next_line(began + paused + allowed + grace) {
                Received::Line(line) if line.at < began && !is_complaint(&line.text) => {
                    return Err(Fault::Garbage(format!("'{}' without being asked", line.text)).into());
                }
                Received::Line(line) => match read(&line.text) {
                    Some(Spoken::Answer(answer)) => {
                        return Ok((answer, line.at.saturating_duration_since(began + paused)));
                    }
                    Some(Spoken::Suggestion(x, y)) => {
                        let suggested = Instant::now();
                        self.process.pause();
                        paused += suggested.elapsed();
                        self.process.send(&format!("PLAY {x},{y}"));
                    }
                    Some(Spoken::Noted) => {}
                    None if is_complaint(&line.text) => complaint = Some(line.text),
                    None => return Err(Fault::Garbage(format!("'{}'", line.text)).into()),
                },
                Received::TimedOut if !self.process.has_exited() => {
                    let waited_ms = began.elapsed().as_millis() as u64;
                    return Err(match complaint {
                        Some(line) => Fault::Garbage(format!("'{line}' and no move")).into(),
                        None => Fault::Hang { waited_ms }.into(),
                    });
                }
                Received::Closed | Received::TimedOut => {
                    return Err(match self.process.end() {
                        End::Memory(held) => self.memory_fault(held),
                        End::Status(status) if status.success() => Fault::Exit,
                        End::Status(status) => Fault::Crash(format!("ended with {status}")),
                        End::ClosedOutput => Fault::Crash("closed its output".to_owned()),
                    }
                    .into());
                }
                Received::Stopped => return Err(Failure::Stopped),
            }
        }
    }

    fn memory_fault(&self, held: u64) -> Fault {
        Fault::Memory { held, told: self.engine.memory.told }
    }
}

fn spawn(engine: &EngineSettings, host: &Host) -> Result<Process, Failure> {
    Process::spawn(engine, host).map_err(|error| match error {
        error if is_shortage(&error) => Failure::Shortage(error),
        error => Fault::NoStart(format!("cannot be run: {error}")).into(),
    })
}

/// Lets a process that was sent END leave, then kills it.
fn dismiss(mut process: Process) {
    process.wait_for_end(Instant::now() + END_LIMIT);
}

/// Sends END to processes that wait for another game, and lets them leave.
pub fn dismiss_all(processes: impl IntoIterator<Item = Process>) {
    let mut processes: Vec<Process> = processes.into_iter().collect();
    for process in &mut processes {
        process.send("END");
    }
    processes.into_iter().for_each(dismiss);
}

/// Meaning of a line that answers a request.
#[derive(Debug, PartialEq, Eq)]
enum Spoken<T> {
    /// The answer.
    Answer(T),
    /// A move that is played when it is confirmed.
    Suggestion(i32, i32),
    /// A line that has to come before the answer.
    Noted,
}

/// Whether the line is the protocol's way to refuse a command.
fn is_complaint(line: &str) -> bool {
    is_word(line, "ERROR") || is_word(line, "UNKNOWN")
}

/// Whether the line's first word is `word`, in any case.
fn is_word(line: &str, word: &str) -> bool {
    line.split_whitespace().next().is_some_and(|first| first.eq_ignore_ascii_case(word))
}

fn micros(duration: Duration) -> u64 {
    duration.as_micros() as u64
}
