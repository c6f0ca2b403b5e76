//! Access and permissions: every test starts the program and connects to it as a browser would.

mod server;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::Message;

use crate::server::{PATIENCE, Server, end_of, say};

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[test]
fn only_the_token_opens_the_page_and_every_answer_is_protected() {
    let server = Server::start(&[]);
    let page = server.get(&format!("/{}/", server.token), &server.host());
    assert_eq!(status(&page), "200", "{page}");
    for path in ["/", "/wrong/", "/wrong/main.js", &format!("/{}/../secret", &server.token[1..])] {
        let answer = server.get(path, &server.host());
        assert!(status(&answer) == "403" || status(&answer) == "404", "{path}: {answer}");
        assert!(!answer.contains(&server.token), "{path} shows the token");
    }
    for path in ["/none.js", "/..%2f..%2fetc/passwd", "/../../etc/passwd"] {
        assert_eq!(status(&server.get(&format!("/{}{path}", server.token), &server.host())), "404", "{path}");
    }
    for answer in [&page, &server.get("/", &server.host()), &server.get("/", "evil.example")] {
        let head = answer.split("\r\n\r\n").next().unwrap_or_default().to_lowercase();
        assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self';"), "{head}");
        assert!(head.contains("frame-ancestors 'none'") && !head.contains("unsafe"), "{head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{head}");
        assert!(head.contains("referrer-policy: same-origin"), "{head}");
        assert!(!head.contains("access-control-allow-origin"), "{head}");
    }
}

#[test]
fn the_address_without_its_last_slash_leads_to_the_page() {
    let server = Server::start(&[]);
    let answer = server.get(&format!("/{}", server.token), &server.host());
    assert_eq!(status(&answer), "303", "{answer}");
    assert!(answer.contains(&format!("location: /{}/\r\n", server.token)), "{answer}");
    assert_eq!(status(&server.get("/wrong", &server.host())), "404");
}

#[test]
fn another_port_than_the_usual_one_is_reported() {
    // If another program has the port, it is taken as well.
    let taken = TcpListener::bind(("127.0.0.1", 5115));
    let mut process = Command::new(env!("CARGO_BIN_EXE_kakugo-board"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut lines = BufReader::new(process.stderr.take().expect("a pipe")).lines();
    let first = lines.next().expect("a line").expect("text");
    let _ = process.kill();
    let _ = process.wait();
    assert_eq!(first, "warning: port 5115 is taken; games saved under it are not shown at this address");
    drop(taken);
}

#[test]
fn files_are_compressed_for_browsers_that_read_it() {
    let server = Server::start(&[]);
    let ask = |path: &str, codings: &str| {
        let (token, host) = (&server.token, server.host());
        server.ask(&format!(
            "GET /{token}/{path} HTTP/1.1\r\nHost: {host}\r\n{codings}Connection: close\r\n\r\n"
        ))
    };
    for path in ["", "main.js", "style.css"] {
        let plain = ask(path, "");
        let packed = ask(path, "Accept-Encoding: gzip, deflate, br, zstd\r\n");
        assert!(!plain.contains("content-encoding") && plain.contains("vary: accept-encoding"), "{path}");
        assert!(packed.contains("content-encoding: deflate\r\n"), "{path}");
        assert!(packed.len() * 3 < plain.len() * 2, "{path}: {} of {}", packed.len(), plain.len());
    }
    assert!(!ask("main.js", "Accept-Encoding: gzip, deflate;q=0\r\n").contains("content-encoding"));
}

#[test]
fn other_hosts_origins_and_tokens_get_no_engine() {
    let server = Server::start(&[]);
    let (token, host) = (server.token.as_str(), server.host());
    let own = format!("http://{host}");
    let refused = |token, origin, host: &str| server.connect(token, origin, host).err();
    assert_eq!(refused(token, Some("http://evil.example"), &host), Some(403));
    assert_eq!(refused(token, Some("null"), &host), Some(403));
    assert_eq!(refused(token, Some("http://127.0.0.1:1"), &host), Some(403));
    assert_eq!(refused(token, None, &host), Some(403));
    assert_eq!(refused("wrong", Some(&own), &host), Some(403));
    let rebound = format!("evil.example:{}", server.port);
    assert_eq!(refused(token, Some(&format!("http://{rebound}")), &rebound), Some(421));
    assert_eq!(status(&server.get(&format!("/{token}/"), &rebound)), "421");
    assert_eq!(status(&server.ask(&format!("GET /{token}/ HTTP/1.1\r\nConnection: close\r\n\r\n"))), "421");
    let mut tab = server.tab();
    assert_eq!(say(&mut tab, "START 15", "OK"), "OK");
}

#[test]
fn a_page_plays_and_reaches_no_file() {
    let server = Server::start(&[]);
    let mut tab = server.tab();
    let position =
        "START 15\nINFO rule 4\nYXBOARD\n7,6,1\n0,0,2\n7,5,1\n0,14,2\n6,7,1\n14,0,2\n8,7,1\n14,14,2\nDONE";
    let judged = say(&mut tab, &format!("{position}\nYXJUDGE 7,7"), "JUDGE");
    assert!(judged.starts_with("JUDGE 7,7 FOUL double-three "), "{judged}");
    let folder = std::env::temp_dir().join(format!("kakugo-board-test-{}", server.port));
    for line in ["YXHASHDUMP", "INFO weights", "YXSETDATABASE"] {
        let answer = say(&mut tab, &format!("{line} {}", folder.display()), "ERROR");
        assert!(answer.contains("is not for pages"), "{answer}");
    }
    assert!(!folder.exists());
    assert!(say(&mut tab, "END", "ERROR").contains("is not for pages"));
    assert_eq!(say(&mut tab, "START 15", "OK"), "OK");
}

#[test]
fn long_and_many_messages_end_the_connection_and_only_it() {
    let server = Server::start(&[]);
    let mut quiet = server.tab();
    let mut long = server.tab();
    // The server may close the connection before everything is written.
    let _ = long.send(Message::text("x".repeat(1 << 20)));
    end_of(&mut long);
    let mut flood = server.tab();
    for _ in 0..10_000 {
        if flood.send(Message::text("YXSHOWINFO")).is_err() {
            break;
        }
    }
    let code = end_of(&mut flood);
    assert!(code == 4002 || code == 0, "{code}");
    let mut binary = server.tab();
    let _ = binary.send(Message::binary(vec![1, 2, 3]));
    assert_eq!(end_of(&mut binary), 1003);
    assert_eq!(say(&mut quiet, "START 15", "OK"), "OK");
}

#[test]
fn more_tabs_than_places_are_told_so_and_places_come_back() {
    let server = Server::start(&["--tabs", "2"]);
    let mut first = server.tab();
    let mut second = server.tab();
    assert_eq!(say(&mut first, "START 15", "OK") + &say(&mut second, "START 15", "OK"), "OKOK");
    for _ in 0..200 {
        assert_eq!(end_of(&mut server.tab()), 4001);
    }
    let _ = first.close(None);
    end_of(&mut first);
    let until = Instant::now() + PATIENCE;
    loop {
        let mut next = server.tab();
        next.send(Message::text("START 15")).expect("it listens");
        match next.read() {
            Ok(Message::Text(text)) if text.as_str() == "OK" => break,
            _ => assert!(Instant::now() < until, "no place comes back"),
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_tab_that_vanishes_leaves_no_engine_behind() {
    let server = Server::start(&["--threads", "2"]);
    for is_rude in [false, true, true] {
        let mut tab = server.tab();
        let endless =
            "START 15\nINFO show_detail 2\nINFO timeout_turn 2147483647\nYXBOARD\n7,7,2\nDONE\nYXNBEST 3";
        assert!(say(&mut tab, endless, "INFO PV").starts_with("INFO PV"));
        assert_eq!(server.engines().len(), 1);
        if is_rude {
            let _ = tab.get_ref().shutdown(Shutdown::Both);
        } else {
            let _ = tab.close(None);
        }
        drop(tab);
        server.wait_for_engines(0);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_engine_that_dies_ends_its_tab_and_no_other() {
    let server = Server::start(&[]);
    let mut quiet = server.tab();
    assert_eq!(say(&mut quiet, "START 15", "OK"), "OK");
    let others = server.engines();
    let mut tab = server.tab();
    assert_eq!(say(&mut tab, "START 15", "OK"), "OK");
    let engine =
        server.engines().into_iter().find(|engine| !others.contains(engine)).expect("a second engine");
    let killed = Command::new("kill").args(["-ABRT", &engine.to_string()]).status();
    assert!(killed.expect("kill runs").success());
    assert_eq!(end_of(&mut tab), 1011);
    assert_eq!(say(&mut quiet, "START 15", "OK"), "OK");
    assert_eq!(say(&mut server.tab(), "START 15", "OK"), "OK", "its page comes back to a new engine");
}

#[test]
#[cfg(target_os = "linux")]
fn tabs_open_after_the_program_was_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("kakugo-board");
    std::fs::copy(env!("CARGO_BIN_EXE_kakugo-board"), &program).expect("a copy");
    let server = Server::start_program(program.to_str().expect("a path"), &[]);
    std::fs::remove_file(&program).expect("it is replaced");
    assert_eq!(say(&mut server.tab(), "START 15", "OK"), "OK");
}

#[test]
#[cfg(target_os = "linux")]
fn silent_connections_take_a_limited_number_of_places() {
    let server = Server::start(&[]);
    let mut tab = server.tab();
    let open = |server: &Server| {
        std::fs::read_dir(format!("/proc/{}/fd", server.process.id())).expect("a process").count()
    };
    let silent: Vec<_> = (0..150).map(|_| TcpStream::connect(server.host()).expect("it listens")).collect();
    assert_eq!(say(&mut tab, "START 15", "OK"), "OK", "a tab that is open stays");
    thread::sleep(Duration::from_millis(300));
    assert!(open(&server) < 120, "{} files are open", open(&server));
    drop(silent);
    assert_eq!(status(&server.get(&format!("/{}/", server.token), &server.host())), "200");
}

#[test]
fn other_addresses_need_a_password_and_the_password_leads_to_the_page() {
    let refused = Command::new(env!("CARGO_BIN_EXE_kakugo-board")).args(["--address", "0.0.0.0"]).output();
    let refused = refused.expect("it runs");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--password-file is needed"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("password");
    std::fs::write(&file, "correct horse\n").expect("a file");
    let path = file.to_str().expect("a path");
    let server = Server::start(&["--address", "0.0.0.0", "--password-file", path]);
    assert_eq!(server.token, "", "the printed address shows no token");
    let door = server.get("/", &server.host());
    assert!(door.contains("type=\"password\""), "{door}");
    let enter = |password: &str, origin: &str| {
        let body = format!("password={password}");
        server.ask(&format!(
            "POST / HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            server.host(),
            body.len()
        ))
    };
    let own = format!("http://{}", server.host());
    assert_eq!(status(&enter("correct+horse", "http://evil.example")), "403");
    assert_eq!(status(&enter("wrong", &own)), "403");
    assert_eq!(status(&enter("correct+horse", &own)), "429");
    thread::sleep(Duration::from_millis(1100));
    let entered = enter("correct+horse", &own);
    assert_eq!(status(&entered), "303", "{entered}");
    let place = entered.lines().find_map(|line| line.strip_prefix("location: ")).expect("a place");
    assert_eq!(status(&server.get(place, &server.host())), "200");
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_it_cleanly_with_a_word_to_its_pages() {
    assert_ends_cleanly("-INT");
}

#[test]
#[cfg(unix)]
fn a_service_manager_ends_it_like_ctrl_c() {
    assert_ends_cleanly("-TERM");
}

/// Asserts that this signal closes the tabs of a server and ends it with status 0.
#[cfg(unix)]
fn assert_ends_cleanly(signal: &str) {
    let mut server = Server::start(&[]);
    // With several tabs, the test more often detects one that the server does not wait for.
    let mut tabs = [(); 5].map(|()| server.tab());
    for tab in &mut tabs {
        assert_eq!(say(tab, "START 15", "OK"), "OK");
    }
    let interrupted = Command::new("kill").args([signal, &server.process.id().to_string()]).status();
    assert!(interrupted.expect("kill runs").success());
    assert_eq!(tabs.each_mut().map(end_of), [1001; 5]);
    drop(tabs);
    let status = server.process.wait().expect("it ends");
    assert!(status.success(), "{status}");
}

#[test]
fn libraries_are_read_for_the_own_page_only_and_within_bounds() {
    let server = Server::start(&[]);
    let host = server.host();
    let post = |token: &str, origin: &str, length: usize, body: &[u8]| {
        let mut stream = TcpStream::connect(server.host()).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let head = format!(
            "POST /{token}/library HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{origin}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(&[head.as_bytes(), body].concat()).expect("it reads");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    };
    // Without a header: h8, h9, i9.
    let library = [0x78, 0x00, 0x68, 0x00, 0x69, 0x40];
    let answer = post(&server.token, &host, 6, &library);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\n3 3 3\n(;FF[4]"), "{answer}");
    let answer = post(&server.token, &host, 5, b"hello");
    assert!(answer.starts_with("HTTP/1.1 422") && answer.contains("ERROR not a RenLib library"), "{answer}");
    assert!(post(&server.token, "evil.example", 6, &library).starts_with("HTTP/1.1 403"));
    assert!(post("wrong", &host, 6, &library).starts_with("HTTP/1.1 403"));
    assert!(post(&server.token, &host, 33 << 20, &library).starts_with("HTTP/1.1 413"));
}
