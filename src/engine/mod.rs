//! The facade of the engine: a game, a table, thread data, networks and options.
//!
//! Invariant: the whole process stays within [`Options::max_memory`]; the table gets the rest. If the system
//! refuses memory or threads, the engine plays on with less and reports it: see [`Shortage`].

pub mod levels;
mod options;
mod solver;
mod table_file;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use self::options::LEAST_TABLE;
pub use self::options::{OptionError, Options};
use crate::board::{Board, Color, Point, Size};
use crate::eval::{Evaluator, Network, Networks};
use crate::game::{Game, Move, Refusal};
use crate::rules::{GomokuGame, Position, Rule, Verdict};
pub use crate::search::{DrawTerms, KnownPositions, KnownValue, RootOptions};
use crate::search::{LazySmp, Params, Setup, TranspositionTable, Tuned};
use crate::think::score::{self, Value};
use crate::think::{GameEngine, GameProgress, Limits, Reporter, SearchReport, SearchResult, Shortage};

/// An engine: everything that lives longer than one search.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use kakugo::board::notation::parse_fen;
/// use kakugo::board::Point;
/// use kakugo::engine::{Engine, Options};
/// use kakugo::think::{Limits, Silent, score};
///
/// let mut engine = Engine::new(Options::default());
/// engine.set_board(parse_fen("9/9/9/9/1XXXX4/9/2OOO4/9/9 b").expect("a board"));
/// let limits = Limits::nodes(1_000);
/// let report = engine.think(&limits, &AtomicBool::new(false), &Silent);
/// assert!(report.best_move == Some(Point::new(0, 4)) || report.best_move == Some(Point::new(5, 4)));
/// assert_eq!(score::format(report.last.value), "+M1");
/// ```
pub struct Engine {
    game: GomokuGame,
    options: Options,
    threads: LazySmp,
    tuned: Vec<Tuned>,
    networks: Networks,
    /// Created when first needed, so that START is answered immediately, and only as large as that search can
    /// use.
    table: Option<TranspositionTable>,
    /// Whether the table has entries.
    has_searched: bool,
    /// The meaning of a draw for the entries of the table.
    draw_terms: DrawTerms,
    /// Whether a game has begun since the last search, so that the entries are from earlier games.
    is_new_game: bool,
    /// Table size that the system granted, after it had refused more.
    granted: Option<u64>,
    shortages: Vec<Shortage>,
}

impl Engine {
    /// An engine with an empty 15x15 board and the rule freestyle. Uses little memory before the first
    /// search.
    pub fn new(options: Options) -> Engine {
        let game = GomokuGame::new(Size::default(), Rule::default());
        let threads = LazySmp::new(options.search_threads());
        Engine {
            game,
            options,
            threads,
            tuned: Vec::new(),
            networks: Networks::default(),
            table: None,
            has_searched: false,
            draw_terms: DrawTerms::default(),
            is_new_game: false,
            granted: None,
            shortages: Vec::new(),
        }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// The verdict if the side to move plays `point`. Looking for a foul plays and undoes moves.
    pub fn verdict(&mut self, point: Point) -> Verdict {
        self.game.position_mut().verdict(point)
    }

    /// Black's forbidden points, whichever side is to move; none if the rule has no fouls.
    pub fn fouls(&mut self) -> Vec<Point> {
        let position = self.game.position_mut();
        if !position.rule().kind.has_fouls(Color::Black) {
            return Vec::new();
        }
        let empty = *position.board().empty();
        empty.iter().filter(|&point| position.foul(point).is_some()).collect()
    }

    /// The options.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Changes the options; a table of a new size is empty.
    ///
    /// # Errors
    /// If an option cannot be met; then the engine uses the nearest possible value.
    pub fn set_options(&mut self, options: Options) -> Result<(), OptionError> {
        if options.table_bytes() != self.options.table_bytes() {
            self.table = None;
            self.granted = None;
        }
        if options.search_threads() != self.options.search_threads() {
            self.threads = LazySmp::new(options.search_threads());
        }
        self.options = options;
        options.check()
    }

    /// Starts a new game on an empty board. On a board of the same size the table is kept, because its
    /// entries are valid in every game; the histories belong to the last game and are cleared.
    pub fn new_game(&mut self, size: Size) {
        if size != self.position().board().size() {
            // The positions of the table cannot occur on this board.
            self.clear_table();
        }
        self.game = GomokuGame::new(size, self.position().rule());
        self.threads.restart(self.options.search_threads());
        self.is_new_game = true;
    }

    /// Changes the rule and keeps the stones.
    pub fn set_rule(&mut self, rule: Rule) {
        if rule.kind != self.position().rule().kind {
            // Values found under another rule are invalid, and so are the corrections of another network.
            self.forget();
        }
        self.game = GomokuGame::from_board(self.position().board().clone(), rule);
    }

    /// Replaces the position by `board` and keeps the rule.
    pub fn set_board(&mut self, board: Board) {
        self.game = GomokuGame::from_board(board, self.position().rule());
    }

    /// The game with its history.
    #[cfg(feature = "database")]
    pub(crate) fn family_game(&self) -> &GomokuGame {
        &self.game
    }

    /// Replaces the game by one of the same rule.
    #[cfg(feature = "database")]
    pub(crate) fn set_family_game(&mut self, game: GomokuGame) {
        self.game = game;
    }

    /// Plays `point` for the side to move. In a continuous game the stones of a winning row become blocked.
    ///
    /// ```
    /// use kakugo::board::Point;
    /// use kakugo::engine::{Engine, Options};
    /// use kakugo::game::Refusal;
    /// let mut engine = Engine::new(Options::default());
    /// assert_eq!(engine.play(Point::new(7, 7)), Ok(()));
    /// assert_eq!(engine.play(Point::new(7, 7)), Err(Refusal::Taken));
    /// assert_eq!(engine.play(Point::new(15, 7)), Err(Refusal::OffBoard));
    /// ```
    ///
    /// The engine is not a referee: it also plays fouls, and stones after the end of a game. A [`GomokuGame`]
    /// judges moves; its position is given to an engine by
    /// `engine.set_board(game.position().board().clone())`.
    ///
    /// # Errors
    /// [`Refusal::OffBoard`] if the point is not on the board, [`Refusal::Taken`] if it is not empty; then the
    /// position is unchanged.
    pub fn play(&mut self, point: Point) -> Result<(), Refusal> {
        let board = self.position().board();
        if !board.size().contains(point) {
            return Err(Refusal::OffBoard);
        }
        if !board.is_empty(point) {
            return Err(Refusal::Taken);
        }
        self.game.play(point.into());
        Ok(())
    }

    /// Removes the stone on `point`, whether or not it was the last move; its colour is then to move. Returns
    /// the colour; `None` if there is no stone, and then the position is unchanged.
    pub fn take_back(&mut self, point: Point) -> Option<Color> {
        self.game.remove_stone(point)
    }

    /// Sets a search parameter to another value, for every rule.
    pub fn tune(&mut self, tuned: Tuned) {
        self.tuned.retain(|other| other.tunable() != tuned.tunable());
        self.tuned.push(tuned);
        // The table and the histories hold results of a different search.
        self.forget();
    }

    /// The network of the rule.
    pub fn network(&self) -> &Network {
        self.shared_network()
    }

    /// The network of the rule, to be shared with an evaluator.
    fn shared_network(&self) -> &Arc<Network> {
        self.networks.of(self.position().rule().kind)
    }

    /// The networks of the engine.
    pub fn networks(&self) -> &Networks {
        &self.networks
    }

    /// Replaces the networks.
    pub fn set_networks(&mut self, networks: Networks) {
        self.networks = networks;
        // The table and the corrections hold values of other networks.
        self.forget();
    }

    /// The probability that a side wins if its value is `value`, from 0 to 1, by the log odds fitted for the
    /// rule's network; a mate is certain.
    pub fn win_rate(&self, value: Value) -> f32 {
        score::win_rate(value, self.network().points_per_unit)
    }

    /// The static value of the position for its side to move, without a search.
    pub fn static_value(&self) -> Value {
        let network = Arc::clone(self.shared_network());
        Evaluator::with_network(self.position(), network).value(self.position())
    }

    /// Share of the table filled by the last search, in thousandths.
    pub fn table_usage(&self) -> u32 {
        self.table.as_ref().map_or(0, TranspositionTable::usage)
    }

    /// Maximum size of a table in bytes, as far as the system is known to grant it.
    fn most_table_bytes(&self) -> u64 {
        self.options.table_bytes().min(self.granted.unwrap_or(u64::MAX))
    }

    /// Clears the results of all searches.
    pub fn clear_table(&mut self) {
        self.threads.expect_nothing();
        if let Some(table) = self.table.as_mut().filter(|_| self.has_searched) {
            table.clear();
        }
        self.has_searched = false;
    }

    /// Clears the results of all searches and everything learned from them, such as the histories of moves.
    pub fn forget(&mut self) {
        self.clear_table();
        self.threads.restart(self.options.search_threads());
    }

    /// Clears the results of all searches and frees the memory of the table and the threads; the next search
    /// allocates them anew.
    pub fn free(&mut self) {
        self.threads.free();
        self.table = None;
        self.has_searched = false;
    }

    /// Searches the position within `limits` until `stop` is set; does not play the move. The first search of
    /// a game by one thread with a node limit that it can reach in its time begins with an empty table, so the
    /// game does not depend on what was played before.
    pub fn think(&mut self, limits: &Limits, stop: &AtomicBool, reporter: &dyn Reporter) -> SearchReport {
        self.think_with(limits, &RootOptions::default(), stop, reporter)
    }

    /// Like [`Engine::think`], with root options. Entries searched with another meaning of a draw are
    /// discarded.
    pub fn think_with(
        &mut self,
        limits: &Limits,
        options: &RootOptions,
        stop: &AtomicBool,
        reporter: &dyn Reporter,
    ) -> SearchReport {
        let terms = options.draw_terms(self.position().board().side_to_move());
        if terms != self.draw_terms {
            self.clear_table();
            self.draw_terms = terms;
        }
        let progress = GameProgress::of(self.position().board());
        let useful = limits.useful_table_bytes(progress);
        let bytes = self.most_table_bytes().min(useful.max(LEAST_TABLE));
        let is_first = std::mem::take(&mut self.is_new_game);
        if is_first && limits.can_reach_nodes(progress) && self.options.search_threads() == 1 {
            // Dropped rather than cleared, because its size may also be from an earlier game.
            self.table = None;
        }
        // The entries of a table are worth more than some additional space.
        let kept = self.table.take().filter(|table| table.bytes() >= bytes / 2);
        let mut table = kept.unwrap_or_else(|| self.new_table(bytes));
        let report = self.search(&mut table, limits, options, stop, reporter);
        self.table = Some(table);
        self.has_searched = true;
        self.shortages.extend(self.threads.take_shortage());
        report
    }

    /// A table of `bytes` bytes, or of the size that the system grants.
    fn new_table(&mut self, bytes: u64) -> TranspositionTable {
        // The data of the threads come first, because a table leaves only the room that they need to start.
        self.threads.prepare();
        let table = TranspositionTable::with_room(bytes, self.threads.room());
        if let Some(shortage) = Shortage::of_table(bytes, table.bytes()) {
            self.granted = Some(table.bytes());
            self.shortages.push(shortage);
        }
        table
    }

    /// Runs `work` on one thread, with an empty table of `hash_bytes`: without a clock a search depends only
    /// on the position and the limits, unless [`Options::max_memory`] leaves no room for the table.
    /// Afterwards the options are restored, and the results of all searches are cleared.
    pub fn shelter<R>(&mut self, hash_bytes: u64, work: impl FnOnce(&mut Engine) -> R) -> R {
        let options = self.options;
        self.options = Options { hash_bytes: Some(hash_bytes), threads: 1, ..options };
        self.threads.restart(self.options.search_threads());
        // The old table is freed first, because there may be no room for both.
        self.table = None;
        // Allocated in full size now, because the useful size may depend on the clock.
        self.table = Some(self.new_table(self.most_table_bytes()));
        self.is_new_game = false;
        let result = work(self);
        self.table = None;
        self.options = options;
        self.threads.restart(options.search_threads());
        result
    }

    fn search(
        &mut self,
        table: &mut TranspositionTable,
        limits: &Limits,
        options: &RootOptions,
        stop: &AtomicBool,
        reporter: &dyn Reporter,
    ) -> SearchReport {
        table.enlarge(stop, limits.end_of_enlargement(GameProgress::of(self.position().board())));
        let kind = self.position().rule().kind;
        let setup = Setup {
            position: self.game.position(),
            network: self.networks.of(kind),
            params: &Params::tuned(kind, &self.tuned),
            options,
        };
        self.threads.search(setup, table, limits, stop, reporter)
    }
}

impl GameEngine for Engine {
    fn game(&self) -> &dyn Game {
        &self.game
    }

    fn play(&mut self, mv: Move) {
        self.game.play(mv);
    }

    fn pass(&mut self) -> Result<(), Refusal> {
        self.game.pass()
    }

    fn undo(&mut self) {
        self.game.undo();
    }

    fn think(&mut self, limits: &Limits, stop: &AtomicBool, reporter: &dyn Reporter) -> SearchResult {
        Engine::think(self, limits, stop, reporter).into()
    }

    fn take_shortages(&mut self) -> Vec<Shortage> {
        std::mem::take(&mut self.shortages)
    }
}
