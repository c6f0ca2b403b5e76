//! The page without a server: its files, the engine's WebAssembly module and the networks, in a folder for any host of
//! files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use kakugo::eval;
use kakugo::files::Checksum;
use kakugo::output;
use kakugo::rules::RuleKind;

use crate::page;

/// Where cargo puts the module that it builds.
const MODULE: &str = "wasm32-unknown-unknown/release/kakugo_wasm.wasm";
/// The command that builds the module.
const BUILD: &str = "cargo build --release -p kakugo-wasm --target wasm32-unknown-unknown";
/// The page's mark of a server, and what stands in its place without one. Workers are no part of the page's policy.
const SERVER: &str = "<meta name=\"engine\" content=\"server\">";
const WORKER: &str = "<meta name=\"engine\" content=\"worker\">\n\
    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' data: blob:; connect-src 'self' blob:; manifest-src 'self'; worker-src 'self'; \
    base-uri 'none'; form-action 'self'\">\n\
    <link rel=\"manifest\" href=\"manifest.webmanifest\">";

/// Writes the page to `folder`, which is created, or has an earlier export.
///
/// # Errors
/// If there is no module, or the folder has other files or can't be written.
pub fn run(folder: &Path, module: Option<&Path>) -> Result<()> {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let usual = Path::new(&target).join(MODULE);
    let module = module.unwrap_or(&usual);
    let module =
        fs::read(module).with_context(|| format!("{}: build it first: {BUILD}", module.display()))?;
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

/// Checks that nothing else is in the folder.
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

/// The name of a network's file, as `wasm_host.js` has it.
fn name(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Freestyle => "freestyle",
        RuleKind::Standard => "standard",
        RuleKind::Renju => "renju",
        RuleKind::Caro | RuleKind::CaroExact => "caro",
    }
}

/// The service worker, with a version that changes with any file.
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
