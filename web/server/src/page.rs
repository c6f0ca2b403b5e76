//! The page's files, embedded. A new file must be added only to the list here.

use std::collections::HashMap;
use std::sync::LazyLock;

use miniz_oxide::deflate::compress_to_vec_zlib;

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// Its path below the token.
    pub path: &'static str,
    /// Its type.
    pub kind: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";

/// Files of `web/page`, as `kind, path`.
macro_rules! own {
    ($($kind:ident $path:literal)*) => {
        [$(PageFile { path: $path, kind: $kind, bytes: include_bytes!(concat!("../../page/", $path)) }),*]
    };
}

/// Files that the pages of `tournament report` also use.
const SHARED: [PageFile; 4] = [
    PageFile { path: "shared/dom.js", kind: SCRIPT, bytes: kakugo::page::DOM.as_bytes() },
    PageFile { path: "shared/board.js", kind: SCRIPT, bytes: kakugo::page::BOARD.as_bytes() },
    PageFile { path: "shared/base.css", kind: STYLE, bytes: kakugo::page::BASE_STYLE.as_bytes() },
    PageFile { path: "shared/board.css", kind: STYLE, bytes: kakugo::page::BOARD_STYLE.as_bytes() },
];

const OWN: &[PageFile] = &own! {
    HTML "index.html"
    PICTURE "icon.svg"
    STYLE "style.css"
    SCRIPT "analysis.js"
    SCRIPT "board_view.js"
    SCRIPT "chart.js"
    SCRIPT "code_page.js"
    SCRIPT "database.js"
    SCRIPT "database_view.js"
    SCRIPT "desk.js"
    SCRIPT "dialogs.js"
    SCRIPT "drawing.js"
    SCRIPT "engine.js"
    SCRIPT "explore.js"
    SCRIPT "files.js"
    SCRIPT "formats.js"
    SCRIPT "language.js"
    SCRIPT "languages/ja.js"
    SCRIPT "languages/ko.js"
    SCRIPT "languages/ru.js"
    SCRIPT "languages/vi.js"
    SCRIPT "languages/zh.js"
    SCRIPT "library.js"
    SCRIPT "lines_view.js"
    SCRIPT "live.js"
    SCRIPT "main.js"
    SCRIPT "markup.js"
    SCRIPT "moves_view.js"
    SCRIPT "negotiation.js"
    SCRIPT "notation.js"
    SCRIPT "pgn.js"
    SCRIPT "picture.js"
    SCRIPT "opening.js"
    SCRIPT "overlays.js"
    SCRIPT "play.js"
    SCRIPT "position_view.js"
    SCRIPT "proof_view.js"
    SCRIPT "review.js"
    SCRIPT "review_view.js"
    SCRIPT "rules.js"
    SCRIPT "seats.js"
    SCRIPT "settings.js"
    SCRIPT "setup_view.js"
    SCRIPT "sgf.js"
    SCRIPT "steps.js"
    SCRIPT "strings.js"
    SCRIPT "study.js"
    SCRIPT "tools.js"
    SCRIPT "transport.js"
    SCRIPT "tree.js"
    SCRIPT "values.js"
    SCRIPT "worker_transport.js"
};

/// Files of `web/page` that only a page without a server needs.
const OF_WORKER: &[PageFile] = &own! {
    MANIFEST "manifest.webmanifest"
    SCRIPT "wasm_host.js"
    SCRIPT "worker.js"
};

/// The script that stores the page for use without a network; the export puts its version in front.
pub const SERVICE_WORKER: &str = include_str!("../../page/service_worker.js");

/// A file as the server sends it.
pub struct Answer {
    /// Its type.
    pub kind: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Its content in the `deflate` coding of HTTP, which is zlib's format.
    pub deflated: Vec<u8>,
}

/// Compression level; a higher level does not make scripts of a few KB smaller.
const LEVEL: u8 = 9;
/// Files by their path; all are prepared when the first one is requested.
static ANSWERS: LazyLock<HashMap<&str, Answer>> = LazyLock::new(|| {
    let files = SHARED.iter().chain(OWN).map(|file| {
        let mut bytes = file.bytes.to_vec();
        if file.path == INDEX {
            bytes = with_preloads(file.bytes).into_bytes();
        }
        let deflated = compress_to_vec_zlib(&bytes, LEVEL);
        (file.path, Answer { kind: file.kind, bytes, deflated })
    });
    files.collect()
});

/// The file at a path.
pub fn find(path: &str) -> Option<&'static Answer> {
    ANSWERS.get(path)
}

/// The path of the page itself.
pub const INDEX: &str = "index.html";
/// The page's script, which imports all others.
const MAIN: &str = "<script type=\"module\" src=\"main.js\"></script>";

/// The page with links to its scripts: without them the browser finds each import only after it has read the
/// importing file, four files deep. Styles come first, so that the page is painted while the scripts arrive.
pub fn with_preloads(html: &[u8]) -> String {
    let scripts = SHARED.iter().chain(OWN).filter(|file| file.kind == SCRIPT && !is_language(file.path));
    let links: String =
        scripts.map(|file| format!("\n<link rel=\"modulepreload\" href=\"{}\">", file.path)).collect();
    String::from_utf8_lossy(html).replace(MAIN, &format!("{MAIN}{links}"))
}

/// Whether a script contains the texts of a language; a page needs at most one of them.
fn is_language(path: &str) -> bool {
    path.starts_with("languages/")
}

/// All files of a page without a server.
pub fn all() -> impl Iterator<Item = &'static PageFile> {
    SHARED.iter().chain(OWN).chain(OF_WORKER)
}

/// Page for an address without the token.
pub const NO_TOKEN: &str = include_str!("answers/no-token.html");
/// Page for a request with another host.
pub const OTHER_HOST: &str = include_str!("answers/other-host.html");
/// Page for an address without a file.
pub const NOT_FOUND: &str = include_str!("answers/not-found.html");
/// The password prompt.
pub const PASSWORD: &str = include_str!("answers/password.html");
/// Answer to a wrong password.
pub const WRONG_PASSWORD: &str = include_str!("answers/wrong-password.html");
/// Answer to attempts in quick succession.
pub const TOO_SOON: &str = include_str!("answers/too-soon.html");

#[cfg(test)]
mod tests {
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    use super::*;

    #[test]
    fn the_page_names_its_scripts_after_its_styles_and_each_exists() {
        let index = find(INDEX).unwrap();
        let html = String::from_utf8(index.bytes.clone()).unwrap();
        let links: Vec<&str> = html.split("\"modulepreload\" href=\"").skip(1).collect();
        assert!(links.len() > 40, "{}", links.len());
        for link in links {
            let path = link.split('"').next().unwrap();
            assert!(find(path).is_some() && !path.starts_with("languages/"), "{path}");
        }
        assert!(html.rfind("stylesheet").unwrap() < html.find("modulepreload").unwrap());
        assert!(find("worker.js").is_none(), "the server has no Worker");
    }

    #[test]
    fn the_page_loads_little() {
        // Before the first move, a browser loads this and, without a server, the module and a network.
        let sizes =
            ANSWERS.iter().filter(|(path, _)| !is_language(path)).map(|(_, answer)| answer.deflated.len());
        let bytes: usize = sizes.sum();
        assert!((1..130_000).contains(&bytes), "{bytes}");
    }

    #[test]
    fn compressed_files_are_the_files() {
        for (path, answer) in ANSWERS.iter() {
            assert_eq!(decompress_to_vec_zlib(&answer.deflated).unwrap(), answer.bytes, "{path}");
            assert!(answer.deflated.len() < answer.bytes.len(), "{path}");
        }
    }
}
