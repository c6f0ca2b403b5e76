#![no_main]

#[path = "../entries/library.rs"]
#[allow(dead_code, reason = "each target takes one of the entries")]
mod entries;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entries::tables(bytes));
