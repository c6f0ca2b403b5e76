//! Pages in a browser of this machine, if there is one.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A browser of this machine that can show a page without a screen.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let programs = std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    programs.filter(|program| program.is_file()).find(|program| {
        // Some systems install a script that only says how to get the browser.
        let version =
            Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    })
}

/// DOM that the browser makes of `page` at `address` (such as `#game=3`); `None` where there is no browser.
pub fn shown(page: &str, address: &str) -> Option<String> {
    let Some(browser) = browser() else {
        println!("skipped: no chromium, chromium-browser or google-chrome on the PATH");
        return None;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, page).unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--window-size=1200,900", "--virtual-time-budget=4000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().display()))
        .arg(format!("file://{}{address}", file.display()))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The DOM of `page` after the script `driver`, which acts as a person would. Errors of the page's own script are in
/// `window.errors`.
pub fn driven(page: &str, driver: &str, address: &str) -> Option<String> {
    // The driver is no part of the page, so its policy has to go.
    let (before, policy) = page.split_once("<meta http-equiv=\"Content-Security-Policy\"").unwrap();
    let (_, after) = policy.split_once('>').unwrap();
    let errors =
        "<script>addEventListener('error', (e) => { (window.errors ||= []).push(e.message); });</script>";
    let page =
        format!("{before}{errors}{after}").replace("</body>", &format!("<script>{driver}</script></body>"));
    shown(&page, address)
}
