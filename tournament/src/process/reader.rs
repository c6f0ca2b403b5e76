//! Reads the output of engines line by line, and stamps each line with the time at which its last byte was
//! read.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use parking_lot::Mutex;

use super::{Kept, OutputLine, shorten};

/// Maximum number of bytes kept of a line; the rest is dropped.
const MAX_LINE: usize = 1000;

/// Forwards the engine's answers until its output ends; chat is only kept.
pub fn read_answers(name: &str, stdout: impl Read, sender: &SyncSender<OutputLine>, kept: &Mutex<Kept>) {
    let mut reader = BufReader::new(Stamped { inner: stdout, at: Instant::now() });
    while let Some(text) = read_line_in_parts(&mut reader, |begun| kept.lock().begun = text_of(begun)) {
        let at = reader.get_ref().at;
        log::trace!("{name} < {text}");
        let mut kept = kept.lock();
        kept.begun.clear();
        if is_chat(&text) {
            kept.info.note(&text);
            kept.evidence.message = Some(text);
        } else if !text.is_empty() {
            kept.evidence.lines.push_back(format!("< {text}"));
            shorten(&mut kept.evidence.lines);
            drop(kept);
            if sender.send(OutputLine { text, at }).is_err() {
                return;
            }
        }
    }
}

/// A stream that records when data last arrived.
struct Stamped<R> {
    inner: R,
    at: Instant,
}

impl<R: Read> Read for Stamped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.at = Instant::now();
        Ok(length)
    }
}

/// Keeps the last lines of stderr.
pub fn read_errors(stderr: impl Read, kept: &Mutex<Kept>) {
    let mut reader = BufReader::new(stderr);
    while let Some(text) = read_line(&mut reader) {
        let mut kept = kept.lock();
        kept.evidence.stderr.push_back(text);
        shorten(&mut kept.evidence.stderr);
    }
}

/// Whether the line is chat, which an engine may send at any time.
fn is_chat(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("");
    word.eq_ignore_ascii_case("MESSAGE") || word.eq_ignore_ascii_case("DEBUG")
}

/// The next line, trimmed and cut to [`MAX_LINE`] bytes; `None` at the end of the stream.
fn read_line(reader: &mut impl BufRead) -> Option<String> {
    read_line_in_parts(reader, |_| {})
}

/// Like [`read_line`], but reports the line so far whenever a part without its end has arrived.
fn read_line_in_parts(reader: &mut impl BufRead, mut report: impl FnMut(&[u8])) -> Option<String> {
    let mut line = Vec::new();
    loop {
        let buffer = match reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        if buffer.is_empty() && line.is_empty() {
            return None;
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(buffer.len());
        let room = MAX_LINE - line.len();
        line.extend_from_slice(&buffer[..taken.min(room)]);
        let at_end = end.is_some() || buffer.is_empty();
        reader.consume(taken + usize::from(end.is_some()));
        if at_end {
            return Some(text_of(&line));
        }
        if room > 0 {
            report(&line);
        }
    }
}

fn text_of(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_the_next_one_is_whole() {
        let text = format!("{}\r\n7,7\r\n\nlast", "x".repeat(5000));
        let mut reader = BufReader::with_capacity(7, text.as_bytes());
        assert_eq!(read_line(&mut reader).map(|line| line.len()), Some(MAX_LINE));
        assert_eq!(read_line(&mut reader).as_deref(), Some("7,7"));
        assert_eq!(read_line(&mut reader).as_deref(), Some(""));
        assert_eq!(read_line(&mut reader).as_deref(), Some("last"));
        assert_eq!(read_line(&mut reader), None);
    }

    #[test]
    fn the_beginning_of_a_line_is_known() {
        let mut parts = Vec::new();
        let mut reader = BufReader::new((&b"3,"[..]).chain(&b"4\n7,7\n"[..]));
        let line = read_line_in_parts(&mut reader, |begun| parts.push(text_of(begun)));
        assert_eq!((line.as_deref(), parts), (Some("3,4"), vec!["3,".to_owned()]));
        let line = read_line_in_parts(&mut reader, |begun| panic!("{begun:?} is a part of a whole line"));
        assert_eq!(line.as_deref(), Some("7,7"));
    }

    #[test]
    fn the_beginning_of_a_line_is_evidence_until_the_line_ends() {
        /// A stream that checks what is kept while its second part is awaited.
        struct Halting<'a> {
            parts: Vec<&'static [u8]>,
            kept: &'a Mutex<Kept>,
        }
        impl Read for Halting<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let Some(part) = self.parts.pop() else { return Ok(0) };
                if self.parts.is_empty() {
                    assert_eq!(self.kept.lock().evidence().lines, ["< OK", "< 3,4 (no line end)"]);
                }
                buffer[..part.len()].copy_from_slice(part);
                Ok(part.len())
            }
        }
        let kept = Mutex::new(Kept::default());
        let (sender, lines) = std::sync::mpsc::sync_channel(9);
        read_answers("x", Halting { parts: vec![&b"\n"[..], b"3,4", b"OK\n"], kept: &kept }, &sender, &kept);
        assert_eq!(kept.lock().evidence().lines, ["< OK", "< 3,4"]);
        assert_eq!(lines.try_iter().map(|line| line.text).collect::<Vec<_>>(), ["OK", "3,4"]);
    }

    #[test]
    fn chat_is_recognised_by_its_first_word() {
        assert!(is_chat("message depth 3") && is_chat("DEBUG") && is_chat("MESSAGE\tx"));
        assert!(!is_chat("7,7") && !is_chat("MESSAGES") && !is_chat("ERROR MESSAGE"));
    }
}
