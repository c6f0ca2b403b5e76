//! The binary `pbrain-kakugo`.
fn main() {}
