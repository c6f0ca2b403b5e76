//! An engine as a player: the protocol of one game, and its clock.
//!
//! Time is measured from just before a command is written until the answer's last byte is read. After each
//! answer the engine is left alone for a short pause (see [`EngineSettings::pause`]), which is charged to
//! neither clock. The player reports what the engine answered; the referee decides whether that is a legal
//! move.

mod about;
mod in_procedure;
mod lines;
mod moves;

use std::io;
use std::time::{Duration, Instant};

use crate::model::ending::Fault;
use crate::model::record::Evidence;
use crate::model::search_info::SearchInfo;
use crate::model::settings::{EngineSettings, Settings};
use crate::process::{End, Host, Process, Received, is_shortage};
pub use about::About;
pub use lines::is_about_info;
use lines::{info_count, is_complaint, is_word};

/// How long to wait for a late answer after the limit, to distinguish slow engines from hung ones and to
/// measure the delay.
const LATE_GRACE: Duration = Duration::from_secs(1);
/// Time limit for an engine to exit after END.
const END_LIMIT: Duration = Duration::from_secs(1);

/// Why a request failed.
#[derive(Debug)]
pub enum Failure {
    /// The engine's fault.
    Fault(Fault),
    /// The batch is stopped.
    Stopped,
    /// This program was halted during the request, so it cannot know when the engine answered.
    Halted,
    /// The system refused a process or a thread.
    Shortage(io::Error),
}

/// Answer of an engine to a request for a move.
#[derive(Clone, Debug)]
pub struct MoveAnswer {
    /// Column as written by the engine; may be off the board.
    pub x: i32,
    /// Row as written by the engine.
    pub y: i32,
    /// The chosen capture, from 1, in games that offer a choice.
    pub choice: Option<u8>,
    /// Time used.
    pub used: Duration,
    /// Search info that the engine reported meanwhile.
    pub info: SearchInfo,
}

/// An engine that plays one game.
#[derive(Debug)]
pub struct Player<'a> {
    engine: &'a EngineSettings,
    settings: &'a Settings,
    host: &'a Host,
    process: Process,
    /// Whether the process has played before and was sent RESTART, or START for another board.
    is_used: bool,
    /// Whether the engine has answered START or RESTART.
    is_ready: bool,
    /// When the last request was sent. The time limit for the answer to START or RESTART begins here, because the
    /// answer of the other engine may be awaited first.
    sent: Instant,
    spent: Duration,
    moves: usize,
    /// Number of moves that the engine knows.
    known_moves: usize,
    /// Number of INFO lines sent since START or RESTART for which no complaint has come. A complaint that does not
    /// quote its line may refer to any of them.
    open_infos: usize,
}

impl<'a> Player<'a> {
    /// Sets the engine up for a game without waiting for its answer: in a new process, or in the process of
    /// its last game with the settings of that game.
    ///
    /// # Errors
    /// Returns an error if the process cannot be started.
    pub fn start(
        engine: &'a EngineSettings,
        settings: &'a Settings,
        host: &'a Host,
        used: Option<(Process, &Settings)>,
    ) -> Result<Player<'a>, Failure> {
        let Some((process, last)) = used else {
            return Ok(Player::new(engine, settings, host, spawn(engine, host)?));
        };
        if last.start_command() != settings.start_command() {
            // A league with another board. INFO lines change the rule.
            return Ok(Player { is_used: true, ..Player::new(engine, settings, host, process) });
        }
        // If the engine has already exited, this is detected when waiting for its answer.
        Ok(Player { is_used: true, ..Player::begin(engine, settings, host, process, "RESTART") })
    }

    /// Like [`Player::start`], but sends START to a process that is new or has finished its last game.
    pub fn new(
        engine: &'a EngineSettings,
        settings: &'a Settings,
        host: &'a Host,
        process: Process,
    ) -> Player<'a> {
        Player::begin(engine, settings, host, process, &settings.start_command())
    }

    /// Sends the command that begins a game.
    fn begin(
        engine: &'a EngineSettings,
        settings: &'a Settings,
        host: &'a Host,
        mut process: Process,
        command: &str,
    ) -> Player<'a> {
        process.waiting_lines();
        process.pause();
        let sent = Instant::now();
        process.send(command);
        Player {
            engine,
            settings,
            host,
            process,
            is_used: false,
            is_ready: false,
            sent,
            spent: Duration::ZERO,
            moves: 0,
            known_moves: 0,
            open_infos: 0,
        }
    }

    /// Waits for `OK` and sends the INFO lines. A process that does not start another game is replaced.
    ///
    /// # Errors
    /// Returns an error if a new process answers anything but `OK`.
    pub fn prepare(&mut self) -> Result<(), Failure> {
        match self.wait_for_ok() {
            Err(Failure::Fault(fault)) if self.is_used => {
                log::info!(
                    "{} does not start another game, starting a new process: {fault}",
                    self.engine.name
                );
                self.process = spawn(self.engine, self.host)?;
                self.sent = Instant::now();
                self.process.send(&self.settings.start_command());
                self.wait_for_ok()?;
            }
            result => result?,
        }
        self.is_ready = true;
        let infos = self.settings.info_lines(self.engine).join("\n");
        self.open_infos = info_count(&infos);
        self.process.send(&infos);
        Ok(())
    }

    fn wait_for_ok(&mut self) -> Result<(), Failure> {
        let limit = self.engine.start_limit;
        let what = match self.process.next_line(self.sent + limit) {
            Received::Line(line) if is_word(&line.text, "OK") => return Ok(()),
            Received::Line(line) => format!("answered '{}'", line.text),
            Received::Closed => match self.process.end() {
                End::Memory(used) => return Err(self.blame(self.memory_fault(used))),
                End::Status(status) => format!("ended with {status}"),
                End::ClosedOutput => "closed its output".to_owned(),
            },
            Received::TimedOut => format!("no answer within {} ms", limit.as_millis()),
            Received::Stopped => return Err(Failure::Stopped),
        };
        Err(self.blame(Fault::NoStart(what)))
    }

    /// Sends `command` on the engine's clock and waits for the line that `read` accepts as the answer.
    /// Returns the answer, the time used and the search info reported meanwhile.
    fn ask_for<T>(
        &mut self,
        command: &str,
        read: impl FnMut(&str) -> Option<Reply<T>>,
    ) -> Result<(T, Duration, SearchInfo), Failure> {
        self.process.pause();
        if let Some(line) = self.unasked_line() {
            return Err(self.blame(Fault::Garbage(format!("'{line}' without being asked"))));
        }
        // A complaint that has just been read begins a new pause, which must not run on the engine's clock.
        self.process.pause();
        self.process.take_search_info();
        let clock = self.engine.clock;
        let limit = clock.limit(self.spent, self.moves);
        let allowed = limit + Duration::from_millis(clock.margin_ms);
        let time_left_ms = clock.time_left_ms(self.spent, self.moves);
        let command = format!("INFO time_left {time_left_ms}\n{command}");
        self.open_infos += info_count(&command);
        let began = Instant::now();
        self.sent = began;
        self.process.send(&command);
        let (answer, used) = self.wait_for(began, allowed, read)?;
        // The halt would count as the engine's time in the rest of the game.
        if clock.match_ms > 0 && self.was_halted() {
            return Err(Failure::Halted);
        }
        self.spent += used;
        self.moves += 1;
        if used > allowed {
            let (used_us, limit_us) = (micros(used), micros(limit));
            return Err(self.blame(Fault::Time { used_us, limit_us }));
        }
        Ok((answer, used, self.process.take_search_info()))
    }

    /// Sends END, because the engine is no longer needed.
    pub fn send_end(&mut self) {
        self.process.send("END");
    }

    /// Waits for the engine to exit after END, then kills it.
    pub fn leave(self) {
        dismiss(self.process);
    }

    /// Whether the process may play another game: an answer to START or RESTART that is still due would be
    /// taken for the answer to the next RESTART.
    pub fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// The process, for use in another game.
    pub fn into_process(self) -> Process {
        self.process
    }

    /// Peak memory of the engine so far, in bytes.
    pub fn peak_memory(&self) -> Option<u64> {
        self.process.peak_memory()
    }

    /// The last lines to and from the engine; see [`Process::evidence`].
    pub fn evidence(&self) -> Evidence {
        self.process.evidence()
    }

    /// A waiting line that is out of place. Complaints about an INFO line may come at any time.
    fn unasked_line(&mut self) -> Option<String> {
        for line in self.process.waiting_lines() {
            if !is_complaint(&line.text) {
                return Some(line.text);
            }
            self.counts_for_info();
        }
        None
    }

    /// Counts a complaint. Returns whether it may refer to an INFO line, because not all of them have a complaint.
    fn counts_for_info(&mut self) -> bool {
        let is_open = self.open_infos > 0;
        self.open_infos = self.open_infos.saturating_sub(1);
        is_open
    }

    /// Waits for the line that `read` accepts as the answer; returns it with the time since `began`.
    fn wait_for<T>(
        &mut self,
        began: Instant,
        allowed: Duration,
        mut read: impl FnMut(&str) -> Option<Reply<T>>,
    ) -> Result<(T, Duration), Failure> {
        // A complaint that may be the answer to the request. The engine may still answer, because the complaint
        // may refer to an INFO line without quoting it.
        let mut complaint = None;
        // The same for a decision, with its time.
        let mut refusal = None;
        // The engine's clock stands still during the pause after its suggestion.
        let mut paused = None;
        loop {
            let began_thinking = began + paused.unwrap_or_default();
            match self.process.next_line(began_thinking + allowed + LATE_GRACE) {
                Received::Line(line) if line.at < began && !is_complaint(&line.text) => {
                    let fault = Fault::Garbage(format!("'{}' without being asked", line.text));
                    return Err(self.blame(fault));
                }
                Received::Line(line) => match read(&line.text) {
                    Some(Reply::Answer(answer)) => {
                        return Ok((answer, line.at.saturating_duration_since(began_thinking)));
                    }
                    Some(Reply::Complaint(answer)) => {
                        let complained = (answer, line.at.saturating_duration_since(began_thinking));
                        if !self.counts_for_info() {
                            return Ok(complained);
                        }
                        refusal = Some(complained);
                    }
                    // Pauses would let an engine that only suggests moves play forever.
                    Some(Reply::Suggestion(..)) if paused.is_some() => {
                        let fault = Fault::Garbage(format!("'{}' instead of a move", line.text));
                        return Err(self.blame(fault));
                    }
                    Some(Reply::Suggestion(x, y)) => {
                        let suggested = Instant::now();
                        self.process.pause();
                        paused = Some(suggested.elapsed());
                        self.process.send(&format!("PLAY {x},{y}"));
                    }
                    Some(Reply::Noted) => {}
                    None if is_complaint(&line.text) => {
                        self.counts_for_info();
                        if !is_about_info(&line.text) {
                            complaint = Some(line.text);
                        }
                    }
                    None => return Err(self.blame(Fault::Garbage(format!("'{}'", line.text)))),
                },
                Received::TimedOut if !self.process.has_exited() => {
                    if let Some(refusal) = refusal
                        && !self.was_halted()
                    {
                        return Ok(refusal);
                    }
                    let waited_ms = began.elapsed().as_millis() as u64;
                    return Err(self.blame(match complaint {
                        Some(line) => Fault::Garbage(format!("'{line}' instead of a move")),
                        None => Fault::Hang { waited_ms },
                    }));
                }
                Received::Closed | Received::TimedOut => {
                    let fault = match self.process.end() {
                        End::Memory(used) => self.memory_fault(used),
                        End::Status(status) if status.success() => Fault::Exit,
                        End::Status(status) => Fault::Crash(format!("ended with {status}")),
                        End::ClosedOutput => Fault::Crash("closed its output".to_owned()),
                    };
                    return Err(self.blame(fault));
                }
                Received::Stopped => return Err(Failure::Stopped),
            }
        }
    }

    /// Whether this program was halted since the last request.
    fn was_halted(&self) -> bool {
        self.process.was_halted_since(self.sent)
    }

    /// The failure for a fault: a signal to all processes may also have made the engine write or end.
    fn blame(&self, fault: Fault) -> Failure {
        if self.was_halted() {
            return Failure::Halted;
        }
        let may_be_by_signal =
            !matches!(fault, Fault::Time { .. } | Fault::Hang { .. } | Fault::Memory { .. });
        if may_be_by_signal && self.host.stop.comes_soon() { Failure::Stopped } else { Failure::Fault(fault) }
    }

    fn memory_fault(&self, used: u64) -> Fault {
        Fault::Memory { used, limit: self.engine.memory.limit }
    }
}

fn spawn(engine: &EngineSettings, host: &Host) -> Result<Process, Failure> {
    Process::spawn(engine, host).map_err(|error| match error {
        // A signal to all processes has ended the new one, too.
        _ if host.stop.comes_soon() => Failure::Stopped,
        error if is_shortage(&error) => Failure::Shortage(error),
        error => Failure::Fault(Fault::NoStart(format!("cannot be run: {error}"))),
    })
}

/// Waits for a process to exit after END, then kills it.
fn dismiss(mut process: Process) {
    process.wait_for_end(Instant::now() + END_LIMIT);
}

/// Sends END to processes that wait for another game, and waits for them to exit.
pub fn dismiss_all(processes: impl IntoIterator<Item = Process>) {
    let mut processes: Vec<Process> = processes.into_iter().collect();
    for process in &mut processes {
        process.send("END");
    }
    processes.into_iter().for_each(dismiss);
}

/// Meaning of a line received in answer to a request.
#[derive(Debug, PartialEq, Eq)]
enum Reply<T> {
    /// The answer.
    Answer(T),
    /// A complaint that may refer to an INFO line, and is the answer if no other comes.
    Complaint(T),
    /// A move that is played if it is confirmed.
    Suggestion(i32, i32),
    /// A line that must come before the answer.
    Noted,
}

fn micros(duration: Duration) -> u64 {
    duration.as_micros() as u64
}
