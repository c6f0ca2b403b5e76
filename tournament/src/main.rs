//! Placeholder until the referee lands in the next commit.
fn main() {}
