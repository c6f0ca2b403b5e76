//! Boards for the tests.
