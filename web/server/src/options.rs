//! The command line.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;
use std::thread;

use clap::Parser;
use kakugo::engine::{OptionError, Options as EngineOptions};
use kakugo::protocol::session::DATABASE_BYTES;

/// Options that have no effect on a page that is only written.
const OF_SERVER: [&str; 9] =
    ["open", "port", "address", "password_file", "hosts", "tabs", "threads", "memory", "database"];

/// Opens a board for Kakugo in the browser: play, analyse, open and save games. Everything stays on this machine.
#[derive(Debug, Parser)]
#[command(name = "kakugo-board", version)]
pub struct Options {
    /// Opens the page in the default browser
    #[arg(long)]
    pub open: bool,
    /// The port; 0 for any free one [default: 5115, or any free one if 5115 is taken]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// The address to listen on. Any address except 127.0.0.1 and ::1 can be reached by other machines and needs
    /// --password-file
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub address: IpAddr,
    /// A file with the password that the page asks for, at least 8 characters
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// A name under which browsers reach this machine, such as board.example.org, without http:// and port; may be
    /// repeated
    #[arg(long = "host", value_name = "NAME", value_parser = host_name)]
    pub hosts: Vec<String>,
    /// Maximum number of tabs at once, each with an engine of its own
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub tabs: u32,
    /// Search threads for all tabs together; each tab has at least one [default: the number of processors less one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: Option<u32>,
    /// Memory for all engines together, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1536, value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    pub memory: u64,
    /// A database of positions that the page shows: Kakugo's own format, as `pbrain-kakugo db` and `book` write it. It is
    /// only read
    #[arg(long, value_name = "FILE")]
    pub database: Option<PathBuf>,
    /// Writes the page to a folder instead of serving it. Any static web server can serve the folder; the engine runs in
    /// the browser. Of the other options, only --module is accepted
    #[arg(long, value_name = "FOLDER", conflicts_with_all = OF_SERVER)]
    pub export: Option<PathBuf>,
    /// Runs an engine for a tab on standard input and output
    #[arg(long, hide = true)]
    pub engine: bool,
    /// The engine's WebAssembly module for --export [default: where cargo builds it]
    #[arg(long, value_name = "FILE", requires = "export")]
    pub module: Option<PathBuf>,
}

impl Options {
    /// Search threads for all tabs.
    pub fn search_threads(&self) -> usize {
        // One processor remains free for the browser.
        let spare =
            || thread::available_parallelism().map_or(1, |count| count.get().saturating_sub(1).max(1));
        self.threads.map_or_else(spare, |count| count as usize)
    }

    /// A warning if the share of a tab is less than the smallest working engine needs.
    pub fn memory_warning(&self) -> Option<String> {
        let (memory, tabs) = (self.memory, u64::from(self.tabs));
        let reserved = if self.database.is_some() { DATABASE_BYTES as u64 } else { 0 };
        let max_memory = Some((memory << 20) / tabs);
        let engine = EngineOptions { max_memory, reserved, ..EngineOptions::default() };
        let Err(OptionError::TooLittleMemory { needed, .. }) = engine.check() else { return None };
        let all = (tabs * needed) >> 20;
        Some(format!("--memory {memory} is too little for {tabs} tabs: their engines may take {all} MiB"))
    }
}

/// A name as it can be in a request's `Host`, or an IPv6 address in brackets. Browsers send international names as
/// `xn--...`.
fn host_name(text: &str) -> Result<String, &'static str> {
    let is_usual = |character: char| character.is_ascii_alphanumeric() || ".-_".contains(character);
    let is_valid = match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => !text.is_empty() && text.chars().all(is_usual),
    };
    is_valid
        .then(|| text.to_owned())
        .ok_or("expected a name without http:// and port; international names begin with xn--")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn options(arguments: &[&str]) -> Result<Options, clap::Error> {
        Options::try_parse_from(["kakugo-board"].iter().chain(arguments))
    }

    #[test]
    fn too_little_memory_for_all_engines_is_a_warning() {
        let warning = |arguments: &[&str]| options(arguments).expect("they are valid").memory_warning();
        // On Windows, a process counts the system's libraries.
        let (plain, with_database) = if cfg!(windows) { (228, 324) } else { (138, 234) };
        let expected =
            |all| Some(format!("--memory 64 is too little for 6 tabs: their engines may take {all} MiB"));
        assert_eq!(warning(&["--memory", "64"]), expected(plain));
        assert_eq!(warning(&["--memory", "64", "--database", "a.kdb"]), expected(with_database));
        assert_eq!(warning(&["--memory", "64", "--tabs", "1", "--database", "a.kdb"]), None);
        assert_eq!(warning(&[]), None);
    }

    #[test]
    fn an_export_refuses_options_of_the_server() {
        for arguments in [
            &["--open"][..],
            &["--port", "5115"],
            &["--address", "127.0.0.1"],
            &["--password-file", "a"],
            &["--host", "a.example"],
            &["--tabs", "6"],
            &["--threads", "1"],
            &["--memory", "1536"],
            &["--database", "a.kdb"],
        ] {
            assert!(options(arguments).is_ok(), "{arguments:?}");
            let error = options(&[arguments, &["--export", "site"]].concat()).expect_err(arguments[0]);
            assert!(error.to_string().contains(arguments[0]), "{error}");
        }
        assert!(options(&["--export", "site", "--module", "a.wasm"]).is_ok());
    }

    #[test]
    fn a_host_is_a_name_without_scheme_and_port() {
        for name in [
            "board.example.org",
            "BOARD",
            "my_board-2.local.",
            "192.168.0.7",
            "[::1]",
            "xn--bcher-kva.example",
        ] {
            assert_eq!(options(&["--host", name]).expect(name).hosts, [name]);
        }
        for name in
            ["http://a.example", "a.example:8080", "a.example/", "bücher.example", "::1", "[a]", "*.a"]
        {
            let error = options(&["--host", name]).expect_err(name).to_string();
            assert!(error.contains("a name without http:// and port"), "{name}: {error}");
        }
        assert!(options(&["--host", ""]).is_err());
    }

    #[test]
    fn the_document_names_every_option() {
        let page = include_str!("../../../docs/board.md");
        let command = Options::command();
        let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
        for option in shown.filter_map(clap::Arg::get_long) {
            let is_named = page.contains(&format!("`--{option} ")) || page.contains(&format!("`--{option}`"));
            assert!(is_named, "docs/board.md does not name --{option}");
        }
    }
}
