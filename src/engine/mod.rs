//! The facade of the engine: a game, a table, thread data, networks and options.
//!
//! Invariant: the whole process stays within [`Options::max_memory`]; the table takes what the rest leaves. What the
//! system refuses of it makes the engine weaker, never end: see [`Shortage`].

mod options;

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use self::options::LEAST_TABLE;
pub use self::options::{OptionError, Options};
use crate::board::{Board, Point, Size};
use crate::eval::{Network, Networks};
use crate::game::{Game, Move, Refusal};
use crate::game_engine::{GameEngine, SearchResult};
use crate::rules::{GomokuGame, Position, Rule};
use crate::search::score::{self, Value};
use crate::search::{
    DrawTerms, GameProgress, LazySmp, Limits, Params, Reporter, RootOptions, SearchReport, Setup, Shortage,
    TableDump, TableScope, TranspositionTable, Tuned,
};
use crate::threat::{DefenseVerdict, Defenses, SolverLimits};

/// Positions that the solver looks at for each move that may be a defence.
const DEFENSE_NODES: u64 = 200_000;

/// Why a stone can't be put or taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// There is a stone already, or the point is blocked.
    Taken,
    /// There is no stone to take back.
    NoStone,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            MoveError::Taken => "the point is not empty",
            MoveError::NoStone => "there is no stone on the point",
        })
    }
}

impl std::error::Error for MoveError {}

/// An engine: everything that lives longer than one search.
pub struct Engine {
    game: GomokuGame,
    options: Options,
    threads: LazySmp,
    tuned: Vec<Tuned>,
    networks: Networks,
    /// Made when first needed, so that a manager's START is answered at once, and as large as that search has use for.
    table: Option<TranspositionTable>,
    /// Whether the table holds anything.
    has_searched: bool,
    /// The meaning of a draw in what the table holds.
    draw_terms: DrawTerms,
    /// Whether a game has begun since the last search, so that the table holds what was learnt in earlier ones.
    is_new_game: bool,
    /// Bytes of the table that the system gave, once it had refused more.
    granted: Option<u64>,
    shortages: Vec<Shortage>,
}

impl Engine {
    /// An engine before an empty 15x15 board under freestyle. Takes no large memory until it first thinks.
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

    /// The position, to ask it for fouls (which plays and undoes inside).
    pub fn position_mut(&mut self) -> &mut Position {
        self.game.position_mut()
    }

    /// The options.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Changes the options; a table of another size is emptied.
    ///
    /// # Errors
    /// When an option can't be met; the engine then takes the nearest that works.
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

    /// Starts a new game on an empty board. On a board of the same size the table stays, for what it knows of a
    /// position holds in every game; the histories are of the last game's moves and go.
    pub fn new_game(&mut self, size: Size) {
        if size != self.position().board().size() {
            // No position of it can occur.
            self.clear_table();
        }
        self.game = GomokuGame::new(size, self.position().rule());
        self.threads.restart(self.options.search_threads());
        self.is_new_game = true;
    }

    /// Changes the rule, keeping the stones.
    pub fn set_rule(&mut self, rule: Rule) {
        if rule.kind != self.position().rule().kind {
            // Values found under another rule are wrong now.
            self.clear_table();
        }
        self.game = GomokuGame::from_board(self.position().board().clone(), rule);
    }

    /// Replaces the position by `board` under the same rule.
    pub fn set_board(&mut self, board: Board) {
        self.game = GomokuGame::from_board(board, self.position().rule());
    }

    /// The side to move plays `point`. In a continuous game the stones of a winning row become blocked.
    ///
    /// # Errors
    /// When the point is not empty; the position is as before.
    pub fn play(&mut self, point: Point) -> Result<(), MoveError> {
        if !self.position().board().is_empty(point) {
            return Err(MoveError::Taken);
        }
        self.game.play(point.into());
        Ok(())
    }

    /// Takes the stone on `point` back, whenever it came; the turn goes to its colour.
    ///
    /// # Errors
    /// When there is no stone; the position is as before.
    pub fn take_back(&mut self, point: Point) -> Result<(), MoveError> {
        self.game.remove_stone(point).map(drop).ok_or(MoveError::NoStone)
    }

    /// Gives a number of the search another value, for every rule.
    pub fn tune(&mut self, tuned: Tuned) {
        self.tuned.retain(|other| other.tunable() != tuned.tunable());
        self.tuned.push(tuned);
        // The table holds what another search thought.
        self.clear_table();
    }

    /// The network of the rule.
    pub fn network(&self) -> &Network {
        self.networks.of(self.position().rule().kind)
    }

    /// The networks that it plays by.
    pub fn networks(&self) -> &Networks {
        &self.networks
    }

    /// Plays by other networks from now on.
    pub fn set_networks(&mut self, networks: Networks) {
        self.networks = networks;
        // The table holds what others said.
        self.clear_table();
    }

    /// The chance of a side to win where its value is `value`, from 0 to 1, by the fitted log odds of the rule's
    /// network; a mate is sure.
    pub fn win_rate(&self, value: Value) -> f32 {
        score::win_rate(value, self.networks.of(self.position().rule().kind).points)
    }

    /// Share of the table that the last search has filled, in thousandths.
    pub fn table_usage(&self) -> u32 {
        self.table.as_ref().map_or(0, TranspositionTable::usage)
    }

    /// Writes what the table knows to a file, in the place of what is there; returns the number of entries.
    ///
    /// # Errors
    /// When nothing has been searched, and when the file can't be written. What was there stays.
    pub fn dump_table(&self, path: &Path) -> io::Result<u64> {
        let searched = self.table.as_ref().filter(|_| self.has_searched);
        let table = searched.ok_or_else(|| io::Error::other("the table is empty"))?;
        TableDump::write(table, &self.table_scope(), path)
    }

    /// Adds what [`Engine::dump_table`] has written to what the table knows; returns the number of entries. What was
    /// searched with another meaning of a draw than in the file is forgotten, and what a table knows that is less than
    /// half as large as it may be.
    ///
    /// # Errors
    /// When the file can't be read, is damaged, or is of another rule, size of the board or network. The table is as
    /// before.
    pub fn load_table(&mut self, path: &Path) -> io::Result<u64> {
        let dump = TableDump::open(path, &self.table_scope())?;
        if dump.scope().draw_terms != self.draw_terms {
            self.clear_table();
            self.draw_terms = dump.scope().draw_terms;
        }
        let most = self.most_table_bytes();
        let kept = self.table.take().filter(|table| table.bytes() >= most / 2);
        let mut table = kept.unwrap_or_else(|| self.new_table(most));
        table.enlarge(&AtomicBool::new(false), None);
        let loaded = dump.load_into(&table);
        self.table = Some(table);
        self.has_searched = true;
        self.is_new_game = false;
        loaded
    }

    /// The scope of what the table holds.
    fn table_scope(&self) -> TableScope {
        let (kind, size) = (self.position().rule().kind, self.position().board().size());
        TableScope::new(kind, size, self.draw_terms, self.networks.of(kind))
    }

    /// Most bytes that a table may have, as far as the system is known to give them.
    fn most_table_bytes(&self) -> u64 {
        self.options.table_bytes().min(self.granted.unwrap_or(u64::MAX))
    }

    /// Forgets everything searched.
    pub fn clear_table(&mut self) {
        self.threads.expect_nothing();
        if let Some(table) = self.table.as_mut().filter(|_| self.has_searched) {
            table.clear();
        }
        self.has_searched = false;
    }

    /// Forgets everything searched and gives the memory of the table back; the next search takes a new one.
    pub fn drop_table(&mut self) {
        self.threads.expect_nothing();
        self.table = None;
        self.has_searched = false;
    }

    /// Searches the position within `limits` until `stop` is set; does not play the move. The first search of a game by
    /// one thread with a node limit begins without a table, so that the game is the same whatever was played before.
    pub fn think(&mut self, limits: &Limits, stop: &AtomicBool, reporter: &dyn Reporter) -> SearchReport {
        self.think_with(limits, &RootOptions::default(), stop, reporter)
    }

    /// As [`Engine::think`], steered by `options`. What was searched with another meaning of a draw is forgotten.
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
        let useful = limits.useful_table_bytes(GameProgress::of(self.position().board()));
        let bytes = self.most_table_bytes().min(useful.max(LEAST_TABLE));
        let is_first = std::mem::take(&mut self.is_new_game);
        if is_first && limits.max_nodes.is_some() && self.options.search_threads() == 1 {
            // Not cleared: its size may be an earlier game's too.
            self.table = None;
        }
        // The entries of a table are worth more than some room.
        let kept = self.table.take().filter(|table| table.bytes() >= bytes / 2);
        let mut table = kept.unwrap_or_else(|| self.new_table(bytes));
        let report = self.search(&mut table, limits, options, stop, reporter);
        self.table = Some(table);
        self.has_searched = true;
        self.shortages.extend(self.threads.take_shortage());
        report
    }

    /// The defences of the side to move against what the opponent threatens, by the solver alone, within the time of
    /// `limits`; its nodes are for each move. `None` where the opponent has no win by fours or threats that is found.
    /// `hear` is told of every move as it is judged.
    pub fn defenses(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        hear: impl FnMut(Point, &DefenseVerdict),
    ) -> Option<Defenses> {
        let budget = limits.clock.map(|clock| clock.budget(GameProgress::of(self.position().board())));
        let solver_limits = SolverLimits {
            max_nodes: Some(limits.max_nodes.map_or(DEFENSE_NODES, |nodes| nodes.min(DEFENSE_NODES))),
            deadline: budget.map(|budget| limits.started + budget.maximum),
            stop: Some(stop),
            max_moves: None,
        };
        self.threads.solver().defenses(self.game.position_mut(), &solver_limits, hear)
    }

    /// A table of so many bytes, or of what the system gives.
    fn new_table(&mut self, bytes: u64) -> TranspositionTable {
        // Their data come first: a table takes all but the room that they need to start.
        self.threads.prepare();
        let table = TranspositionTable::with_room(bytes, self.threads.room());
        if let Some(shortage) = Shortage::of_table(bytes, table.bytes()) {
            self.granted = Some(table.bytes());
            self.shortages.push(shortage);
        }
        table
    }

    /// As [`Engine::think`], on one thread, with a table of `hash_bytes` and no memory of earlier searches: without a
    /// clock, what it finds depends on the position and the limits alone, unless [`Options::max_memory`] leaves no room
    /// for the table. Forgets everything searched.
    pub fn think_afresh(
        &mut self,
        hash_bytes: u64,
        limits: &Limits,
        stop: &AtomicBool,
        reporter: &dyn Reporter,
    ) -> SearchReport {
        self.shelter(hash_bytes, |engine| engine.think(limits, stop, reporter))
    }

    /// Does `work` on one thread, with a table of `hash_bytes` and no memory of earlier searches. Then the options are
    /// as before, and everything searched is forgotten.
    pub fn shelter<R>(&mut self, hash_bytes: u64, work: impl FnOnce(&mut Engine) -> R) -> R {
        let options = self.options;
        self.options = Options { hash_bytes: Some(hash_bytes), threads: 1, ..options };
        self.threads.restart(self.options.search_threads());
        // The old one goes first: there may be no room for both.
        self.table = None;
        // Of its full size at once: how much of it a search has use for may be the clock's business.
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
        table.enlarge(stop, limits.end_of_preparation(GameProgress::of(self.position().board())));
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
