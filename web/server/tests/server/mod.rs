//! A running server and its clients.

#![allow(dead_code, reason = "not every test that includes this module needs everything")]

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Message, WebSocket};

/// Maximum time to wait for an answer.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A running server.
pub struct Server {
    /// Its process.
    pub process: Child,
    /// Its port.
    pub port: u16,
    /// The secret part of its address.
    pub token: String,
}

impl Server {
    /// Starts the program on a free port.
    pub fn start(options: &[&str]) -> Server {
        Server::start_program(env!("CARGO_BIN_EXE_kakugo-board"), options)
    }

    /// Starts another copy of the program.
    pub fn start_program(program: &str, options: &[&str]) -> Server {
        let mut process = Command::new(program)
            .args(["--port", "0"])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("an address");
        let parts: Vec<&str> = line.trim().trim_start_matches("http://").split('/').collect();
        let port = parts[0].rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        Server { process, port, token: parts[1].to_owned() }
    }

    /// The host of its page.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Sends a request and returns the whole answer.
    pub fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.host()).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Asks for a path.
    pub fn get(&self, path: &str, host: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    }

    /// Connects to an engine. `Err` is the status of a rejected connection.
    pub fn connect(
        &self,
        token: &str,
        origin: Option<&str>,
        host: &str,
    ) -> Result<WebSocket<TcpStream>, u16> {
        let address = format!("ws://{}/{token}/engine", self.host());
        let mut request = address.into_client_request().expect("a request");
        request.headers_mut().insert("Host", HeaderValue::from_str(host).expect("a host"));
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", HeaderValue::from_str(origin).expect("an origin"));
        }
        let stream = TcpStream::connect(self.host()).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(socket),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
                Err(answer.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Connects as the page does.
    pub fn tab(&self) -> WebSocket<TcpStream> {
        let origin = format!("http://{}", self.host());
        self.connect(&self.token, Some(&origin), &self.host()).expect("the page may connect")
    }

    /// The engines: the children of the process.
    #[cfg(target_os = "linux")]
    pub fn engines(&self) -> Vec<u32> {
        let children = std::fs::read_dir("/proc").expect("processes").flatten();
        let number = children.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let is_child = |&process: &u32| {
            let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            let rest = stat.rsplit(')').next().unwrap_or_default();
            rest.split_whitespace().nth(1) == Some(&self.process.id().to_string())
        };
        number.filter(is_child).collect()
    }

    /// Waits until at most this number of engines are left.
    #[cfg(target_os = "linux")]
    pub fn wait_for_engines(&self, count: usize) {
        let until = Instant::now() + PATIENCE;
        while self.engines().len() > count {
            assert!(Instant::now() < until, "{} engines, not {count}", self.engines().len());
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Sends lines and returns the first line of an answer that begins with `start`.
pub fn say(socket: &mut WebSocket<TcpStream>, lines: &str, start: &str) -> String {
    socket.send(Message::text(lines)).expect("it listens");
    loop {
        let message = match socket.read() {
            // The system may interrupt any wait.
            Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::Interrupted => continue,
            message => message.expect("an answer"),
        };
        let Message::Text(text) = message else { continue };
        if let Some(line) = text.lines().find(|line| line.starts_with(start)) {
            return line.to_owned();
        }
    }
}

/// The code with which the server closes the connection; 0 without a code.
pub fn end_of(socket: &mut WebSocket<TcpStream>) -> u16 {
    loop {
        match socket.read() {
            Ok(Message::Close(frame)) => return frame.map_or(0, |frame| frame.code.into()),
            Ok(_) => {}
            Err(_) => return 0,
        }
    }
}
