//! The tables of `architecture`: which module may import which, and which may print.

/// Each module and the modules that it may import. `board <- rules <- {threat, eval} <- search <- engine <-
/// {opening, book, bench, review} <- protocol <- cli <- main`; `threat` and `eval` do not import each other.
/// `system` is for modules with tables, threads or code compiled for some processors, `files` for modules that
/// store files (the search stores its table). The games of `variants` with their `variant_search`, and the
/// `database`, are independent of the engine: `protocol` and `cli` use all three, `opening` queries the database,
/// and `book` grows one with the engine's searches. `game` has the trait of all games, and `think` the trait of
/// all engines with the words for their work; `game_files` reads and writes games in files, also for `database`.
pub const ALLOWED: [(&str, &[&str]); 24] = [
    ("system", &[]),
    ("terminal", &[]),
    ("files", &[]),
    ("board", &[]),
    ("game", &["board"]),
    ("think", &["system", "board", "game"]),
    ("drawing", &["terminal", "board"]),
    ("page", &["terminal"]),
    ("rules", &["system", "board", "game"]),
    ("database", &["files", "board", "game", "think", "rules", "game_files"]),
    ("threat", &["system", "board", "rules"]),
    ("eval", &["system", "files", "board", "think", "rules"]),
    ("search", &["system", "files", "board", "think", "rules", "threat", "eval"]),
    ("engine", &["system", "board", "game", "think", "rules", "threat", "eval", "search"]),
    ("opening", &["system", "board", "think", "rules", "database", "engine"]),
    ("book", &["board", "think", "rules", "database", "eval", "search", "engine"]),
    ("variants", &["board", "game"]),
    ("game_files", &["files", "board", "game", "rules", "variants"]),
    ("variant_search", &["system", "board", "game", "think", "variants"]),
    (
        "protocol",
        &[
            "terminal",
            "system",
            "files",
            "board",
            "game",
            "think",
            "rules",
            "threat",
            "eval",
            "search",
            "engine",
            "opening",
            "review",
            "database",
            "book",
            "variants",
            "variant_search",
        ],
    ),
    ("review", &["system", "board", "game", "think", "rules", "threat", "eval", "search", "engine"]),
    ("bench", &["board", "think", "rules", "threat", "eval", "search", "engine"]),
    // The body of `main`, which starts the others.
    (
        "cli",
        &[
            "terminal",
            "files",
            "board",
            "game",
            "think",
            "game_files",
            "drawing",
            "page",
            "rules",
            "database",
            "book",
            "threat",
            "eval",
            "search",
            "engine",
            "review",
            "opening",
            "variants",
            "variant_search",
            "protocol",
            "bench",
        ],
    ),
    ("main", &["cli"]),
];

/// The library's modules that other packages may import. The match runner knows engines only as processes; training
/// plays with engines, compares new networks with the built-in ones, writes a page, and builds suites; the server of
/// the board and the WebAssembly module run conversations of the protocol, and the server holds the database open that
/// their engines read.
pub const PACKAGES: [(&str, &[&str]); 4] = [
    (
        "tournament",
        &[
            "arguments",
            "interrupt",
            "text",
            "output",
            "files",
            "board",
            "game",
            "game_files",
            "drawing",
            "page",
            "rules",
            "variants",
        ],
    ),
    (
        "training",
        &[
            "arguments",
            "text",
            "output",
            "files",
            "board",
            "think",
            "rules",
            "eval",
            "search",
            "engine",
            "page",
            "suite",
        ],
    ),
    (
        "web/server",
        &[
            "system",
            "arguments",
            "text",
            "output",
            "files",
            "page",
            "rules",
            "eval",
            "engine",
            "database",
            "protocol",
        ],
    ),
    ("web/wasm", &["engine", "protocol"]),
];

/// A package's modules, each with the modules of its package that it may import.
pub type Arrows = [(&'static str, &'static [&'static str])];

/// The modules of the match runner, from the ground floor up.
const TOURNAMENT: &Arrows = &[
    ("text", &[]),
    ("model", &[]),
    ("process", &["model"]),
    ("player", &["model", "process"]),
    ("schedule", &["model"]),
    ("game", &["model", "process", "player", "schedule"]),
    ("files", &["text", "model"]),
    ("stats", &["text", "model"]),
    ("openings", &["text", "model", "files"]),
    ("config", &["model", "schedule", "files", "stats", "openings"]),
    (
        "batch",
        &["text", "model", "process", "player", "schedule", "game", "files", "stats", "openings", "config"],
    ),
    ("balanced", &["text", "model", "process", "player", "files", "openings", "config", "batch"]),
    ("tuning", &["text", "model", "process", "player", "files", "stats", "openings", "config", "batch"]),
    ("report", &["text", "model", "files", "stats", "config"]),
    (
        "cli",
        &[
            "text", "model", "process", "schedule", "files", "stats", "openings", "config", "batch",
            "balanced", "tuning", "report",
        ],
    ),
    ("main", &["text", "process", "cli"]),
];

/// The modules of the training.
const TRAINING: &Arrows = &[
    ("position", &[]),
    ("games", &["position"]),
    ("selfplay", &["position", "games"]),
    ("fit", &["games"]),
    ("depths", &["games", "fit"]),
    ("quiet", &["games"]),
    ("recipe", &[]),
    ("cli", &["games", "selfplay", "fit", "depths", "quiet", "recipe"]),
    ("main", &["cli"]),
];

/// The modules of the board's server.
const SERVER: &Arrows = &[
    ("options", &[]),
    ("access", &[]),
    ("budget", &[]),
    ("gate", &[]),
    ("page", &[]),
    ("connections", &[]),
    ("database", &[]),
    ("engine", &["budget", "database"]),
    ("tab", &["budget", "database", "engine", "gate"]),
    ("site", &["options", "access", "budget", "connections", "database", "page", "tab"]),
    ("export", &["page"]),
    ("main", &["options", "engine", "export", "site"]),
];

/// The other packages, the name of each as a crate, and the arrows inside it; the engine's WebAssembly module is a
/// single file.
pub const INSIDE: [(&str, &str, &Arrows); 4] = [
    ("tournament", "tournament", TOURNAMENT),
    ("training", "training", TRAINING),
    ("web/server", "kakugo_board", SERVER),
    ("web/wasm", "kakugo_wasm", &[]),
];

/// The modules that may write to standard output.
pub const MAY_PRINT: [&str; 5] = ["main", "terminal", "protocol", "cli", "bench"];
