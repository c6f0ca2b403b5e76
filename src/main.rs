//! The binary `pbrain-kakugo`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kakugo::cli::run()
}
