//! The page without a server: its files, the engine's WebAssembly module and the networks, in a folder for
//! any static web server.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use kakugo::eval;
use kakugo::files::Checksum;
use kakugo::output;
use kakugo::rules::RuleKind;

use crate::page;

/// The path at which cargo stores the module.
const MODULE: &str = "wasm32-unknown-unknown/release/kakugo_wasm.wasm";
/// The command that builds the module.
const BUILD: &str = "cargo build --release -p kakugo-wasm --target wasm32-unknown-unknown";
/// The first bytes of every WebAssembly module.
const MAGIC: &[u8] = b"\0asm";
/// The page's mark that it has a server, and the text that replaces it without one. The page's policy does
/// not apply to workers.
const SERVER: &str = "<meta name=\"engine\" content=\"server\">";
const WORKER: &str = "<meta name=\"engine\" content=\"worker\">\n\
    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' data: blob:; connect-src 'self' blob:; manifest-src 'self'; worker-src 'self'; \
    base-uri 'none'; form-action 'self'\">\n\
    <link rel=\"manifest\" href=\"manifest.webmanifest\">";

/// Writes the page to `folder`, which is created or contains an earlier export.
///
/// # Errors
/// Returns an error if the module does not exist or is not WebAssembly, or if the folder contains other files or
/// cannot be written.
pub fn run(folder: &Path, module: Option<&Path>) -> Result<()> {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let usual = Path::new(&target).join(MODULE);
    let path = module.unwrap_or(&usual);
    let module = fs::read(path).with_context(|| format!("{}: build it first: {BUILD}", path.display()))?;
    ensure!(module.starts_with(MAGIC), "{} is not a WebAssembly module", path.display());
    let files = files(module);
    check(folder).with_context(|| folder.display().to_string())?;
    for (path, bytes) in &files {
        let path = folder.join(path);
        let parent = path.parent().expect("it is below the folder");
        fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
        fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    output::status_line(format_args!(
        "{} files, {} KB. Any static web server can serve {}.",
        files.len(),
        bytes / 1024,
        folder.display()
    ));
    Ok(())
}

/// Checks that the folder is empty, does not exist yet, or contains an earlier export.
fn check(folder: &Path) -> Result<()> {
    let is_export = folder.join("service_worker.js").is_file() && folder.join("engine.wasm").is_file();
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    ensure!(is_empty || is_export, "the folder has other files");
    Ok(())
}

/// All files with their paths.
fn files(module: Vec<u8>) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> =
        page::all().map(|file| (file.path.to_owned(), file.bytes.to_vec())).collect();
    files.push(("engine.wasm".to_owned(), module));
    for kind in [RuleKind::Freestyle, RuleKind::Standard, RuleKind::Renju, RuleKind::Caro] {
        files.push((format!("networks/{}.net", name(kind)), eval::built_in_file(kind).into_owned()));
    }
    for (_, bytes) in files.iter_mut().filter(|(path, _)| path == page::INDEX) {
        *bytes = page::with_preloads(bytes).replace(SERVER, WORKER).into_bytes();
    }
    files.push(("service_worker.js".to_owned(), service_worker(&files).into_bytes()));
    files
}

/// The name of a network's file, as in `wasm_host.js`.
fn name(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Freestyle => "freestyle",
        RuleKind::Standard => "standard",
        RuleKind::Renju => "renju",
        RuleKind::Caro | RuleKind::CaroExact => "caro",
    }
}

/// The service worker, with a version that changes if any file changes.
fn service_worker(files: &[(String, Vec<u8>)]) -> String {
    let mut sum = Checksum::default();
    for (path, bytes) in files {
        sum.add_bytes(path.as_bytes());
        sum.add_bytes(bytes);
    }
    let paths: Vec<&str> = ["./"].into_iter().chain(files.iter().map(|(path, _)| path.as_str())).collect();
    format!(
        "globalThis.BUILD = {{ version: \"{:016x}\", files: {paths:?} }};\n{}",
        sum.value(),
        page::SERVICE_WORKER
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_module_is_exported() {
        let place = tempfile::tempdir().expect("a folder");
        let (site, file) = (place.path().join("site"), place.path().join("engine"));
        for other in [&b"h8 i9"[..], b"", b"\0as"] {
            fs::write(&file, other).expect("a file");
            let error = run(&site, Some(&file)).expect_err("it is no module").to_string();
            assert_eq!(error, format!("{} is not a WebAssembly module", file.display()));
            assert!(!site.exists());
        }
        fs::write(&file, b"\0asm\x01\0\0\0").expect("a file");
        run(&site, Some(&file)).expect("it begins like a module");
        assert!(site.join("engine.wasm").is_file());
    }
}
