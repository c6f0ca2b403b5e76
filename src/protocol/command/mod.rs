//! Typed commands of a manager. This module does not know how they are parsed or executed.

mod needs;

use std::path::PathBuf;

use crate::board::{Color, Size};
use crate::database::{Label, Selection};
use crate::engine::levels::Level;
use crate::rules::Rule;
use crate::rules::procedure::Procedure;
use crate::search::Tuned;
use crate::think::score::Value;

/// A point as received; it may be off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// Column from the left, from 0.
    pub x: i32,
    /// Row from the top, from 0.
    pub y: i32,
}

/// One command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `START n` or `RECTSTART w,h`: a new game on an empty board of that size.
    Start(Size),
    /// `RESTART`: a new game on an empty board of the same size.
    Restart,
    /// `BEGIN`: make the first move.
    Begin,
    /// `TURN x,y`: the opponent's move; answer it. In games with a choice of captures, a third number, from
    /// 1, selects the capture.
    Turn(Coordinates, Option<u8>),
    /// `PLAY x,y`: make this move instead of choosing one. The third number is as in `TURN`.
    Play(Coordinates, Option<u8>),
    /// `TAKEBACK x,y`: remove a stone.
    TakeBack(Coordinates),
    /// The first line of a block of stones, which [`Command::Done`] closes.
    Open(BlockKind),
    /// `DONE`: the block is complete.
    Done,
    /// `INFO key value`.
    Info(Info),
    /// `ABOUT`: return the name and version of the engine.
    About,
    /// `END`: exit.
    End,
    /// `YXSTOP`: stop thinking and answer.
    Stop,
    /// `YXNBEST n`: find the `n` best moves and play none.
    Analyze(usize),
    /// `YXBALANCEONE b`, `YXBALANCETWO b`: propose `count` moves after which the position is worth about
    /// `bias` to the side to move.
    Balance {
        /// One or two.
        count: usize,
        /// The desired value; 0 is balanced.
        bias: Value,
    },
    /// `YXSWAP2STEP1` to `3`: make our decision in swap2 with the stones on the board.
    Swap2Step(Swap2Step),
    /// `YXSOOSORVSTEP1`: offer an opening of Soosorv-8.
    SoosorvOpening,
    /// `YXSHOWINFO`: return the limits that GUIs may set.
    ShowInfo,
    /// `YXSHOWFORBID`: return the points that black must not play.
    ShowForbidden,
    /// `YXJUDGE x,y`: return what a stone of the side to move would make there.
    Judge(Coordinates),
    /// `YXTHREATS`: return the points where a stone of either side would threaten something.
    ShowThreats,
    /// `YXSTATE`: return the stones on the board, the side to move and the end of the game.
    ShowState,
    /// `YXSOLVE`, `YXSOLVE side`: find a win by fours or threats of the side, by default the side to move, with
    /// its proof.
    Solve(Option<Color>),
    /// `YXHASHCLEAR`: clear the transposition table.
    ClearHash,
    /// `YXSHOWHASHUSAGE`: return how full the table is.
    ShowHashUsage,
    /// `YXHASHDUMP file`, `YXSETDATABASE file` and similar. Without a path here, the path is the next line.
    File(FileUse, Option<PathBuf>),
    /// `YXSAVEDATABASE`, `YXDBCHECK`, `YXDBFIX`: maintenance of the database.
    KeepDatabase(Upkeep),
    /// `YXSEARCHDEFEND`: find every move that defends against the opponent's threat.
    Defend,
    /// `YXBLOCKRESET`, `YXBLOCKPATHRESET`: search all excluded moves again.
    IncludeAll(Exclusion),
    /// `YXFORBID add|del x y side`: forbid a point to a side, or allow it again.
    Forbid {
        /// The point.
        at: Coordinates,
        /// The side.
        side: Color,
        /// Whether it is forbidden from now on.
        is_added: bool,
    },
    /// `YXDRAW`: the opponent offers a draw.
    OfferDraw,
    /// `YXRESIGN`: the opponent resigns.
    Resign,
    /// `YXPRINTFEATURE`, `TRACEBOARD`, `TRACESEARCH`: print the evaluation of the position.
    ShowEvaluation,
    /// `BENCH`, `RELOADCONFIG`: buttons of boards made for Rapfi; the text names the replacement.
    Elsewhere(&'static str),
}

/// Use of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileUse {
    /// `YXHASHDUMP`: write the table to the file.
    DumpTable,
    /// `YXHASHLOAD`: read the table from the file.
    LoadTable,
    /// `YXSETDATABASE`: use the file as the database from now on.
    OpenDatabase,
    /// `YXDBMERGE`: merge another database into the current one.
    Merge,
    /// `YXDBSPLIT`: write the current position and its successors to a new database.
    Split,
    /// `YXDBTOTXT`: write Yixin-Board's text table, for the current rule and size.
    ToText,
    /// `YXDBTOTXTALL`: the same for all rules and sizes.
    AllToText,
    /// `YXTXTTODB`: read positions from such a table.
    FromText,
    /// `YXDBTOLIB`: write a RenLib library of the current position and its successors.
    ToLibrary,
    /// `YXLIBTODB`: read positions from a RenLib library.
    FromLibrary,
    /// `YXDBTOPOS`: a format of old boards, which is not supported.
    ToPositions,
}

impl FileUse {
    /// Whether it may take long because the file or the data may be large.
    pub fn may_be_long(self) -> bool {
        !matches!(self, FileUse::OpenDatabase | FileUse::ToPositions)
    }

    /// Whether it needs a game of the Gomocup family: the other games have no such table, and no positions in a
    /// database.
    pub fn needs_family(self) -> bool {
        use FileUse::{DumpTable, FromLibrary, FromText, LoadTable, Split, ToLibrary, ToText};
        matches!(self, DumpTable | LoadTable | Split | ToText | FromText | ToLibrary | FromLibrary)
    }
}

/// Maintenance of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upkeep {
    /// `YXSAVEDATABASE`: make sure that everything is saved.
    Save,
    /// `YXDBCHECK`: count damaged entries.
    Check,
    /// `YXDBFIX`: delete damaged entries.
    Fix,
}

/// A request about the position of a block, or an edit of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseRequest {
    /// `YXQUERYDATABASEALL`, `YXQUERYDATABASEALLT`: the moves, with the `T` also the comment.
    QueryAll {
        /// Whether the comment is requested.
        with_text: bool,
    },
    /// `YXQUERYDATABASEONE`: the position itself.
    QueryOne,
    /// `YXQUERYDATABASETEXT`: the comment.
    QueryText,
    /// `YXQUERYDATABASEMORE`: win rates and games of the moves, and the best move.
    QueryMore,
    /// `YXEDITTVDDATABASE mask label value depth`: set the parts that are not `None`.
    EditRecord {
        /// Label of the move that leads to the position.
        label: Option<Label>,
        /// Value for the side to move.
        value: Option<i16>,
        /// Depth of the search that found the value, in plies.
        depth: Option<i16>,
    },
    /// `YXEDITTEXTDATABASE "text"`: set the comment.
    EditText(String),
    /// `YXEDITLABELDATABASE x,y text`: set the text on a point.
    EditPointText(Coordinates, String),
    /// `YXSETBESTMOVEDATABASE`: the last point is the best move of the position before it.
    SetBestMove,
    /// `YXCLEARBESTMOVEDATABASE`: the position has no best move.
    ClearBestMove,
    /// `YXDELETEDATABASEONE`: delete the position.
    DeleteOne,
    /// `YXDELETEDATABASEALL kind`: delete the moves of this kind, with the positions that only they lead to.
    DeleteAll {
        /// The moves to delete.
        selection: Selection,
        /// Whether to delete in all positions below this one.
        is_recursive: bool,
    },
}

/// What a search can exclude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// Moves at the root.
    Moves,
    /// The last move of a line.
    Line,
}

/// The blocks of stones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// `BOARD`: set the position and move. With a side it is ours, whatever the stone counts.
    Board(Option<Color>),
    /// `YXBOARD`: set the position. With a side it is ours and to move, whatever the stone counts.
    SetBoard(Option<Color>),
    /// `SWAP2BOARD`: make our decision in the opening.
    Swap2,
    /// `YXSOOSORVSTEP2` to `6`: make our decision in Soosorv-8.
    Soosorv(SoosorvStep),
    /// A request about the position after the moves of the block.
    Database(DatabaseRequest),
    /// `YXBLOCK`, `YXBLOCKPATH`: exclude these moves, or the last move of this line, from the search.
    Exclude(Exclusion),
    /// `YXBLOCKUNDO`, `YXBLOCKPATHUNDO`: search them again.
    Include(Exclusion),
    /// `PROCEDURE name`: make our decision in an opening procedure, after the answers given so far.
    Procedure(Procedure),
    /// `YXPROCEDURE name`: report the decision that is due after these answers.
    ShowProcedure(Procedure),
    /// `YXREVIEW`: review the game of these moves, or only the moves with numbers from the first to the second. With a side
    /// that makes the first move, the block also has the position before it.
    Review(Option<Color>, Option<(usize, usize)>),
    /// `YXREVIEWJOIN`: the summary of a game from the reviews of its parts, with the side that makes the first move.
    JoinReviews(Option<Color>),
}

/// Steps of Yixin's swap2 dialogue, by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swap2Step {
    /// 1: empty board; place three stones.
    Opening,
    /// 2: three stones; swap, stay or place two more.
    Swap,
    /// 3: five stones; choose the colour.
    Color,
}

/// Steps of Yixin's Soosorv-8 dialogue in which stones are sent, by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoosorvStep {
    /// 2: three stones; swap?
    Swap,
    /// 3: three stones; the fourth move and a number of fifth moves.
    Fourth,
    /// 4: four stones, with this number of fifth moves to come; swap?
    SwapAgain(usize),
    /// 5: the same; offer the fifth moves.
    Offer(usize),
    /// 6: four stones and the offered fifth moves; choose one.
    Choice,
}

impl BlockKind {
    /// The command that opens the block.
    pub const fn name(&self) -> &'static str {
        match self {
            BlockKind::Board(_) => "BOARD",
            BlockKind::SetBoard(_) => "YXBOARD",
            BlockKind::Swap2 => "SWAP2BOARD",
            BlockKind::Soosorv(step) => match step {
                SoosorvStep::Swap => "YXSOOSORVSTEP2",
                SoosorvStep::Fourth => "YXSOOSORVSTEP3",
                SoosorvStep::SwapAgain(_) => "YXSOOSORVSTEP4",
                SoosorvStep::Offer(_) => "YXSOOSORVSTEP5",
                SoosorvStep::Choice => "YXSOOSORVSTEP6",
            },
            BlockKind::Database(_) => "the position for the database",
            BlockKind::Exclude(Exclusion::Moves) => "YXBLOCK",
            BlockKind::Exclude(Exclusion::Line) => "YXBLOCKPATH",
            BlockKind::Include(Exclusion::Moves) => "YXBLOCKUNDO",
            BlockKind::Include(Exclusion::Line) => "YXBLOCKPATHUNDO",
            BlockKind::Procedure(_) => "PROCEDURE",
            BlockKind::ShowProcedure(_) => "YXPROCEDURE",
            BlockKind::Review(..) => "YXREVIEW",
            BlockKind::JoinReviews(_) => "YXREVIEWJOIN",
        }
    }
}

/// Lines that boards use to draw while the engine thinks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// `MESSAGE REALTIME ...`: points that are searched, best or losing.
    pub realtime: bool,
    /// `INFO PV ...`: every line with its value.
    pub lines: bool,
}

impl Detail {
    /// Decodes the bits of `show_detail`; `None` if the level does not exist.
    pub fn of_level(level: i64) -> Option<Detail> {
        (0..=3).contains(&level).then_some(Detail { realtime: level & 1 != 0, lines: level & 2 != 0 })
    }
}

/// Key and value of an `INFO` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Info {
    /// `timeout_turn`: milliseconds for one move, 0 to play at once.
    TimeoutTurn(u64),
    /// `timeout_match`: milliseconds for the game, 0 for no limit.
    TimeoutMatch(u64),
    /// `time_left`: milliseconds left in the game; `None` if unlimited.
    TimeLeft(Option<i64>),
    /// `time_increment`: milliseconds added after each move.
    TimeIncrement(u64),
    /// `max_memory`: bytes for the process; `None` for no limit.
    MaxMemory(Option<u64>),
    /// `hash_size`: bytes (sent in KB) for the transposition table; `None` lets the engine choose.
    HashSize(Option<u64>),
    /// `thread_num`: search threads.
    ThreadNum(usize),
    /// `max_depth`: plies; `None` for no limit.
    MaxDepth(Option<i32>),
    /// `max_node`: nodes; `None` for no limit.
    MaxNode(Option<u64>),
    /// `game_type`: 0 against a person, 1 against an engine, 2 tournament, 3 network tournament.
    GameType(u8),
    /// `rule`: the rule of the game.
    Rule(Rule),
    /// `game`: a game by name, of the Gomocup family or not.
    Game(String),
    /// `evaluate`: a point selected in a GUI.
    Evaluate(Coordinates),
    /// `folder`: the folder for persistent files.
    Folder(PathBuf),
    /// `show_detail`: the lines to send while thinking, by bits.
    ShowDetail(Detail),
    /// `pondering`: think on the opponent's time.
    Pondering(bool),
    /// `start_depth`: depth of the first iteration, in plies.
    StartDepth(i32),
    /// `max_moves`: number of stones at which the game is a draw; `None`: when the board is full.
    MaxMoves(Option<usize>),
    /// `draw_result`: who wins a draw; `None` for nobody.
    DrawResult(Option<Color>),
    /// `usedatabase`: query the database before a search.
    UseDatabase(bool),
    /// `database_readonly`: never write to the database.
    DatabaseReadOnly(bool),
    /// `nbestsym`: `YXNBEST` reports only one of several moves that are symmetric to each other.
    DistinctMoves(bool),
    /// `rows_first`: points are `row,column`, so texts name them by the letter of the second number.
    RowsFirst(bool),
    /// `strength`: playing strength, from 0 to 100.
    Strength(Level),
    /// `seed`: selects the random moves of a level and the openings that the engine offers.
    Seed(u64),
    /// `tune_NAME`: a search parameter.
    Tune(Tuned),
    /// `weights`: a file with a network.
    Weights(PathBuf),
    /// `caution_factor`, `swapable` and other keys that are read and have no effect.
    NoEffect,
    /// An unknown key.
    Unknown,
}
