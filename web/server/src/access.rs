//! Access control: who may load the page and connect to an engine.
//!
//! Every address of the page contains a secret token, so other users of the machine and other pages cannot
//! guess it. The `Host` of a request must be an address of this machine, which prevents DNS rebinding. A
//! connection to an engine must come from the page itself, by its `Origin`. On other machines, a password
//! leads to the token.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};
use parking_lot::Mutex;
use rand::Rng;
use rand::distr::Alphanumeric;

/// Length of the token: 142 bits.
const TOKEN_LENGTH: usize = 24;
/// Time between two attempts to enter the password.
const BETWEEN_ATTEMPTS: Duration = Duration::from_secs(1);

/// The rules of access.
pub struct Access {
    token: String,
    listens_on: SocketAddr,
    hosts: Vec<String>,
    password: Option<String>,
    next_attempt: Mutex<Instant>,
}

/// Result of an attempt to enter the password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The password is correct.
    Right,
    /// The password is wrong, or the server has none.
    Wrong,
    /// The last attempt was less than a second ago.
    TooSoon,
}

impl Access {
    /// Rules with a new token.
    pub fn new(listens_on: SocketAddr, hosts: &[String], password: Option<String>) -> Access {
        let token = rand::rng().sample_iter(Alphanumeric).take(TOKEN_LENGTH).map(char::from).collect();
        let hosts = hosts.iter().map(|host| host.to_ascii_lowercase()).collect();
        Access { token, listens_on, hosts, password, next_attempt: Mutex::new(Instant::now()) }
    }

    /// The secret part of the page's address.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether the page can be reached by a password.
    pub fn has_password(&self) -> bool {
        self.password.is_some()
    }

    /// Whether `token` is the secret token.
    pub fn knows(&self, token: &str) -> bool {
        is_equal(token, &self.token)
    }

    /// The host of a request, if it is one of ours.
    pub fn host(&self, headers: &HeaderMap) -> Option<String> {
        let host = single(headers, &header::HOST)?.to_ascii_lowercase();
        let (name, port) = split_port(&host);
        if self.hosts.iter().any(|known| known == name) {
            return Some(host);
        }
        let is_own_port = port.unwrap_or("80").parse() == Ok(self.listens_on.port());
        let address: Option<IpAddr> = name.trim_matches(['[', ']']).parse().ok();
        let is_known = match address {
            // A rebound host is a name, not a number, so every number that arrives here is an address of this
            // machine.
            Some(address) => address.is_loopback() || !self.listens_on.ip().is_loopback(),
            None => name == "localhost" && self.listens_on.ip().is_loopback(),
        };
        (is_own_port && is_known).then_some(host)
    }

    /// Whether a request comes from a page of `host`.
    pub fn is_own_page(&self, headers: &HeaderMap, host: &str) -> bool {
        let Some(origin) = single(headers, &header::ORIGIN) else { return false };
        let is_named = self.hosts.iter().any(|known| known == split_port(host).0);
        origin.strip_prefix("http://").is_some_and(|origin| origin.eq_ignore_ascii_case(host))
            // The name may belong to a proxy that encrypts.
            || is_named && origin.strip_prefix("https://").is_some_and(|origin| origin.eq_ignore_ascii_case(host))
    }

    /// Tries a password. All visitors together have one attempt per second.
    pub fn attempt(&self, password: &str) -> Attempt {
        let mut next = self.next_attempt.lock();
        let now = Instant::now();
        if now < *next {
            return Attempt::TooSoon;
        }
        *next = now + BETWEEN_ATTEMPTS;
        let is_right = self.password.as_ref().is_some_and(|right| is_equal(password, right));
        if is_right { Attempt::Right } else { Attempt::Wrong }
    }
}

/// The value of a header that must occur exactly once.
fn single<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Splits a host into its name and its port.
fn split_port(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    }
}

/// Compares two texts in a time that is independent of where they differ.
fn is_equal(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let difference = left.iter().zip(right).fold(0, |sum, (a, b)| sum | (a ^ b));
    left.len() == right.len() && difference == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn a_host_must_be_this_machine() {
        let local = Access::new("127.0.0.1:5115".parse().unwrap(), &["Board.example".to_owned()], None);
        let remote = Access::new("0.0.0.0:5115".parse().unwrap(), &[], None);
        for (host, on_local, on_remote) in [
            ("127.0.0.1:5115", true, true),
            ("localhost:5115", true, false),
            ("[::1]:5115", true, true),
            ("192.168.0.7:5115", false, true),
            ("127.0.0.1:80", false, false),
            ("127.0.0.1", false, false),
            ("evil.example:5115", false, false),
            ("127.0.0.1.evil.example:5115", false, false),
            ("board.example", true, false),
            ("BOARD.EXAMPLE:8443", true, false),
            ("", false, false),
        ] {
            let headers = headers(&[(header::HOST, host)]);
            assert_eq!(local.host(&headers).is_some(), on_local, "{host}");
            assert_eq!(remote.host(&headers).is_some(), on_remote, "{host}");
        }
        let two = headers(&[(header::HOST, "127.0.0.1:5115"), (header::HOST, "127.0.0.1:5115")]);
        assert_eq!(local.host(&two), None);
    }

    #[test]
    fn an_origin_must_be_the_page() {
        let access = Access::new("127.0.0.1:5115".parse().unwrap(), &["board.example".to_owned()], None);
        let is_own = |origin, host| access.is_own_page(&headers(&[(header::ORIGIN, origin)]), host);
        assert!(is_own("http://127.0.0.1:5115", "127.0.0.1:5115"));
        assert!(is_own("https://board.example", "board.example"));
        assert!(!is_own("https://127.0.0.1:5115", "127.0.0.1:5115"));
        assert!(!is_own("http://127.0.0.1:5116", "127.0.0.1:5115"));
        assert!(!is_own("null", "127.0.0.1:5115"));
        assert!(!access.is_own_page(&HeaderMap::new(), "127.0.0.1:5115"));
    }

    #[test]
    fn a_password_has_one_attempt_a_second() {
        let access = Access::new("127.0.0.1:1".parse().unwrap(), &[], Some("correct horse".to_owned()));
        assert_eq!(access.attempt("correct"), Attempt::Wrong);
        assert_eq!(access.attempt("correct horse"), Attempt::TooSoon);
        *access.next_attempt.lock() = Instant::now();
        assert_eq!(access.attempt("correct horse"), Attempt::Right);
        let none = Access::new("127.0.0.1:1".parse().unwrap(), &[], None);
        assert_eq!(none.attempt(""), Attempt::Wrong);
    }

    #[test]
    fn tokens_differ() {
        let token = || Access::new("127.0.0.1:1".parse().unwrap(), &[], None).token().to_owned();
        assert!(token() != token() && token().len() == TOKEN_LENGTH);
    }
}
