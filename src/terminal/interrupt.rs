//! Ctrl-C and the signals that terminate a program.

/// Calls `handler` at Ctrl-C and at signals to terminate, from now on. A hangup signal that is ignored, as under
/// `nohup`, remains ignored: ctrlc would take it for a signal to terminate.
///
/// # Errors
/// Returns an error if the system reports no signals, or if there is such a handler already.
pub fn handle(handler: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    let is_ignored = is_hangup_ignored();
    ctrlc::set_handler(handler)?;
    if is_ignored {
        ignore_hangup();
    }
    Ok(())
}

#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    // SAFETY: all zero is a value of each field.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: without a new action, the system only writes the present one to `action`.
    let status = unsafe { libc::sigaction(libc::SIGHUP, std::ptr::null(), &raw mut action) };
    status == 0 && action.sa_sigaction == libc::SIG_IGN
}

#[cfg(unix)]
fn ignore_hangup() {
    // SAFETY: no code of ours runs when the signal arrives.
    unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
}

/// Other systems have no such signal.
#[cfg(not(unix))]
fn is_hangup_ignored() -> bool {
    false
}

#[cfg(not(unix))]
fn ignore_hangup() {}
