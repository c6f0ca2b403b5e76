//! Recognises complaints and words in the lines that engines send.

/// Whether the line rejects a command, as defined by the protocol.
pub fn is_complaint(line: &str) -> bool {
    is_word(line, "ERROR") || is_word(line, "UNKNOWN")
}

/// Whether a complaint quotes an INFO line, so that it is not the answer to another command.
pub fn is_about_info(complaint: &str) -> bool {
    names(complaint, "info")
}

/// Whether a complaint contains the name of this command, ignoring case.
pub fn names(complaint: &str, command: &str) -> bool {
    complaint.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case(command))
}

/// Whether the first word of the line is `word`, ignoring case.
pub fn is_word(line: &str, word: &str) -> bool {
    line.split_whitespace().next().is_some_and(|first| first.eq_ignore_ascii_case(word))
}

/// Number of INFO lines in `commands`.
pub fn info_count(commands: &str) -> usize {
    commands.lines().filter(|line| is_word(line, "INFO")).count()
}
