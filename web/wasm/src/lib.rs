//! The engine as a WebAssembly module for `wasm32-unknown-unknown`: lines of its protocol in, lines out.
//!
//! The host writes lines to [`kakugo_input`] and calls [`kakugo_answer`], which searches if the lines ask for it and
//! returns when everything is answered. It provides the import module `kakugo`: `line` receives each answer, the others
//! are described in `src/system/host.rs` of the library. `web/page/worker.js` is such a host.
//!
//! Invariant: one call at a time, on one thread.

use std::io::{self, Write};

use kakugo::engine::{Engine, Options};
use kakugo::protocol::driver::Unthreaded;
use kakugo::protocol::library;
use kakugo::protocol::session::Session;
use parking_lot::Mutex;

/// The conversation, from the first lines on, and the lines that the host has written.
static STATE: Mutex<State> = Mutex::new(State { conversation: None, input: Vec::new() });

struct State {
    conversation: Option<Unthreaded<Outbox>>,
    input: Vec<u8>,
}

/// A place in the module's memory for `length` bytes of lines, each of which ends with a line feed.
#[unsafe(no_mangle)]
pub extern "C" fn kakugo_input(length: usize) -> *mut u8 {
    let input = &mut STATE.lock().input;
    input.clear();
    input.resize(length, b'\n');
    input.as_mut_ptr()
}

/// Answers the lines in the place that [`kakugo_input`] has returned.
#[unsafe(no_mangle)]
pub extern "C" fn kakugo_answer() {
    let State { conversation, input } = &mut *STATE.lock();
    conversation.get_or_insert_with(begin).answer(input).expect("an outbox takes every line");
}

fn begin() -> Unthreaded<Outbox> {
    std::panic::set_hook(Box::new(|panic| host::line(&format!("DEBUG {panic}"))));
    Unthreaded::new(Session::new(Engine::new(Options::default())), Outbox::default())
}

/// Uses the position database in the buffer that [`kakugo_input`] returned, and takes its memory. Passes one text to the
/// host: `OK`, or `ERROR` and the reason.
#[unsafe(no_mangle)]
pub extern "C" fn kakugo_database() {
    let State { conversation, input } = &mut *STATE.lock();
    match conversation.get_or_insert_with(begin).hold_database(std::mem::take(input)) {
        Ok(()) => host::line("OK"),
        Err(error) => host::line(&format!("ERROR {error}")),
    }
}

/// Reads a RenLib library from the buffer that [`kakugo_input`] returned. Passes one text to the host: the result of
/// [`library::tree`], or `ERROR` and the reason.
#[unsafe(no_mangle)]
pub extern "C" fn kakugo_library() {
    let State { input, .. } = &*STATE.lock();
    match library::tree(input) {
        Ok(text) => host::line(&text),
        Err(error) => host::line(&format!("ERROR {error}")),
    }
}

/// Passes each line to the host when it is complete.
#[derive(Default)]
struct Outbox(Vec<u8>);

impl Write for Outbox {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        host::line(String::from_utf8_lossy(&self.0).trim_end_matches('\n'));
        self.0.clear();
        Ok(())
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host {
    #[link(wasm_import_module = "kakugo")]
    unsafe extern "C" {
        #[link_name = "line"]
        fn take_line(text: *const u8, length: usize);
    }

    /// Passes a line to the host, without its line feed.
    pub fn line(text: &str) {
        // SAFETY: the host only reads the bytes, during the call.
        unsafe { take_line(text.as_ptr(), text.len()) }
    }
}

/// The host of a native build, which exists for checks and tests: standard output.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod host {
    /// Prints a line.
    pub fn line(text: &str) {
        println!("{text}");
    }
}
