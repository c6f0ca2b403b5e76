//! Commands of a manager, as types. Nothing here knows how they are parsed or carried out.

use std::path::PathBuf;

use crate::board::{Color, Size};
use crate::database::{Label, Selection};
use crate::levels::Level;
use crate::rules::Rule;
use crate::rules::procedure::Procedure;
use crate::search::Tuned;
use crate::search::score::Value;

/// A point as it was written; it need not be on the board.
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
    /// `TURN x,y`: the opponent's move; answer it. A third number, from 1, says which capture was chosen, in games that
    /// have the choice.
    Turn(Coordinates, Option<u8>),
    /// `PLAY x,y`: make this move instead of one of our own. The third number as in `TURN`.
    Play(Coordinates, Option<u8>),
    /// `TAKEBACK x,y`: take a stone off.
    TakeBack(Coordinates),
    /// The first line of a block of stones, which [`Command::Done`] closes.
    Open(BlockKind),
    /// `DONE`: the block is complete.
    Done,
    /// `INFO key value`.
    Info(Info),
    /// `ABOUT`: say who we are.
    About,
    /// `END`: leave.
    End,
    /// `YXSTOP`: stop thinking and answer.
    Stop,
    /// `YXNBEST n`: find the best moves, so many of them, and play none.
    Analyze(usize),
    /// `YXBALANCEONE b`, `YXBALANCETWO b`: propose so many moves that make the position worth `bias` to the side to
    /// move.
    Balance {
        /// One or two.
        count: usize,
        /// The value wanted, 0 for level.
        bias: Value,
    },
    /// `YXSWAP2STEP1` to `3`: take our part in swap2, with the stones that are on the board.
    Swap2Step(Swap2Step),
    /// `YXSOOSORVSTEP1`: offer an opening of Soosorv-8.
    SoosorvOpening,
    /// `YXSHOWINFO`: say what GUIs may set.
    ShowInfo,
    /// `YXSHOWFORBID`: say where black must not play.
    ShowForbidden,
    /// `YXHASHCLEAR`: forget what was searched.
    ClearHash,
    /// `YXSHOWHASHUSAGE`: say how full the table is.
    ShowHashUsage,
    /// `YXHASHDUMP file`, `YXSETDATABASE file` and their kin. Without a path it is the next line.
    File(FileUse, Option<PathBuf>),
    /// `YXSAVEDATABASE`, `YXDBCHECK`, `YXDBFIX`: look after the database.
    KeepDatabase(Upkeep),
    /// The first line of a block of stones, to whose position the database is asked something.
    AskDatabase(DatabaseRequest),
    /// `YXSEARCHDEFEND`: find every move that holds against what the opponent threatens.
    Defend,
    /// `YXBLOCKRESET`, `YXBLOCKPATHRESET`: search again what was left out.
    IncludeAll(Exclusion),
    /// `YXFORBID add|del x y side`: a point that a side may not play, or may again.
    Forbid {
        /// Where.
        at: Coordinates,
        /// Whose.
        side: Color,
        /// Whether it is forbidden from now on.
        is_added: bool,
    },
    /// `YXDRAW`: the opponent offers a draw.
    OfferDraw,
    /// `YXRESIGN`: the opponent gives up.
    Resign,
    /// `YXPRINTFEATURE`, `TRACEBOARD`, `TRACESEARCH`: say what the evaluation sees.
    ShowEvaluation,
    /// `BENCH`, `RELOADCONFIG`: buttons of boards made for Rapfi; the text says what there is instead.
    Elsewhere(&'static str),
}

/// Use of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileUse {
    /// `YXHASHDUMP`: from the table to the file.
    DumpTable,
    /// `YXHASHLOAD`: from the file to the table.
    LoadTable,
    /// `YXSETDATABASE`: it is the database from now on.
    OpenDatabase,
    /// `YXDBMERGE`: another database, whose positions are taken into ours.
    Merge,
    /// `YXDBSPLIT`: a new database of the positions behind the one on the board.
    Split,
    /// `YXDBTOTXT`: the table of Yixin-Board, of the rule and size that are played.
    ToText,
    /// `YXDBTOTXTALL`: of all rules and sizes.
    AllToText,
    /// `YXTXTTODB`: positions of such a table.
    FromText,
    /// `YXDBTOLIB`: a RenLib library of the positions behind the one on the board.
    ToLibrary,
    /// `YXLIBTODB`: positions of a RenLib library.
    FromLibrary,
    /// `YXDBTOPOS`: a format of old boards, which is not written.
    ToPositions,
}

impl FileUse {
    /// Whether it may take long: the file, or what goes into it, may be large.
    pub fn may_be_long(self) -> bool {
        !matches!(self, FileUse::OpenDatabase | FileUse::ToPositions)
    }
}

/// Care for a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upkeep {
    /// `YXSAVEDATABASE`: nothing is to be lost.
    Save,
    /// `YXDBCHECK`: count what is damaged.
    Check,
    /// `YXDBFIX`: delete what is damaged.
    Fix,
}

/// Request about the position of a block, or a change there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseRequest {
    /// `YXQUERYDATABASEALL`, `YXQUERYDATABASEALLT`: the moves, and with the `T` the comment too.
    QueryAll {
        /// Whether the comment is wanted.
        with_text: bool,
    },
    /// `YXQUERYDATABASEONE`: the position itself.
    QueryOne,
    /// `YXQUERYDATABASETEXT`: the comment.
    QueryText,
    /// `YXEDITTVDDATABASE mask label value depth`: the parts that are not `None`.
    EditRecord {
        /// Label of the move that leads to the position.
        label: Option<Label>,
        /// Value for the side to move there.
        value: Option<i16>,
        /// Depth of the search that found it, in plies.
        depth: Option<i16>,
    },
    /// `YXEDITTEXTDATABASE "text"`: the comment.
    EditText(String),
    /// `YXEDITLABELDATABASE x,y text`: the text on a point.
    EditPointText(Coordinates, String),
    /// `YXSETBESTMOVEDATABASE`: the last point is the best move of the position before it.
    SetBestMove,
    /// `YXCLEARBESTMOVEDATABASE`: the position has none.
    ClearBestMove,
    /// `YXDELETEDATABASEONE`: the position.
    DeleteOne,
    /// `YXDELETEDATABASEALL kind`: the moves of this kind, with what only they lead to.
    DeleteAll {
        /// Which moves.
        selection: Selection,
        /// Everywhere below the position.
        is_recursive: bool,
    },
}

/// Kinds of what a search leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// Moves of the root.
    Moves,
    /// The last move of a line.
    Line,
}

impl Command {
    /// Whether the command leaves a block that is being sent as it is, because it does not touch the position.
    pub fn fits_into_block(&self) -> bool {
        use Command::{About, ClearHash, Done, End, Info, ShowForbidden, ShowHashUsage, ShowInfo, Stop};
        matches!(
            self,
            About | ClearHash | Done | End | Info(_) | ShowForbidden | ShowHashUsage | ShowInfo | Stop
        )
    }
}

/// The blocks of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// `BOARD`: set the position and move.
    Board,
    /// `YXBOARD`: set the position.
    SetBoard,
    /// `SWAP2BOARD`: take our part in the opening.
    Swap2,
    /// `YXSOOSORVSTEP2` to `6`: take our part in Soosorv-8.
    Soosorv(SoosorvStep),
    /// A position of a [`DatabaseRequest`].
    Database,
    /// `YXBLOCK`, `YXBLOCKPATH`: leave these moves, or the last of this line, out of the search.
    Exclude(Exclusion),
    /// `YXBLOCKUNDO`, `YXBLOCKPATHUNDO`: search them again.
    Include(Exclusion),
    /// `PROCEDURE name`: take our part in an opening procedure, after the answers given so far.
    Procedure(Procedure),
}

/// Steps of Yixin's swap2 dialogue, by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swap2Step {
    /// 1: an empty board; three stones.
    Opening,
    /// 2: three stones; swap, stay or two more.
    Swap,
    /// 3: five stones; choose the colour.
    Color,
}

/// Steps of Yixin's Soosorv-8 dialogue in which stones are sent, by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoosorvStep {
    /// 2: three stones; swap?
    Swap,
    /// 3: three stones; the fourth and a number of fifths.
    Fourth,
    /// 4: four stones and so many fifths to come; swap?
    SwapAgain(usize),
    /// 5: the same; offer them.
    Offer(usize),
    /// 6: four stones and the fifths offered; choose one.
    Choice,
}

impl BlockKind {
    /// The command that opens the block.
    pub const fn name(self) -> &'static str {
        match self {
            BlockKind::Board => "BOARD",
            BlockKind::SetBoard => "YXBOARD",
            BlockKind::Swap2 => "SWAP2BOARD",
            BlockKind::Soosorv(step) => match step {
                SoosorvStep::Swap => "YXSOOSORVSTEP2",
                SoosorvStep::Fourth => "YXSOOSORVSTEP3",
                SoosorvStep::SwapAgain(_) => "YXSOOSORVSTEP4",
                SoosorvStep::Offer(_) => "YXSOOSORVSTEP5",
                SoosorvStep::Choice => "YXSOOSORVSTEP6",
            },
            BlockKind::Database => "the position for the database",
            BlockKind::Exclude(Exclusion::Moves) => "YXBLOCK",
            BlockKind::Exclude(Exclusion::Line) => "YXBLOCKPATH",
            BlockKind::Include(Exclusion::Moves) => "YXBLOCKUNDO",
            BlockKind::Include(Exclusion::Line) => "YXBLOCKPATHUNDO",
            BlockKind::Procedure(_) => "PROCEDURE",
        }
    }
}

/// Lines that boards draw from while we think.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// `MESSAGE REALTIME ...`: the points that are searched, are best, and lose.
    pub realtime: bool,
    /// `INFO PV ...`: every line with its value.
    pub lines: bool,
}

impl Detail {
    /// By the bits of `show_detail`; `None` when there is no such level.
    pub fn of_level(level: i64) -> Option<Detail> {
        (0..=3).contains(&level).then_some(Detail { realtime: level & 1 != 0, lines: level & 2 != 0 })
    }
}

/// Key and value of an `INFO` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Info {
    /// `timeout_turn`: milliseconds for one move, 0 to play at once.
    TimeoutTurn(u64),
    /// `timeout_match`: milliseconds for the game, 0 without limit.
    TimeoutMatch(u64),
    /// `time_left`: milliseconds of it that are left; `None` when unlimited.
    TimeLeft(Option<i64>),
    /// `time_increment`: milliseconds added after each move.
    TimeIncrement(u64),
    /// `max_memory`: bytes for the process; `None` without limit.
    MaxMemory(Option<u64>),
    /// `hash_size`: bytes (sent in KB) for the transposition table; `None` to choose.
    HashSize(Option<u64>),
    /// `thread_num`: search threads.
    ThreadNum(usize),
    /// `max_depth`: plies; `None` without limit.
    MaxDepth(Option<i32>),
    /// `max_node`: nodes; `None` without limit.
    MaxNode(Option<u64>),
    /// `game_type`: 0 against a person, 1 against an engine, 2 tournament, 3 network tournament.
    GameType(u8),
    /// `rule`: what wins.
    Rule(Rule),
    /// `game`: a game by name, of the Gomocup family or not.
    Game(String),
    /// `evaluate`: a point that a GUI asks about.
    Evaluate(Coordinates),
    /// `folder`: where persistent files may go.
    Folder(PathBuf),
    /// `show_detail`: tell more while thinking, by bits.
    ShowDetail(Detail),
    /// `pondering`: think on the opponent's time.
    Pondering(bool),
    /// `start_depth`: depth of the first iteration, in plies.
    StartDepth(i32),
    /// `max_moves`: number of stones with which the game is a draw; `None` when the board is full.
    MaxMoves(Option<usize>),
    /// `draw_result`: who wins a draw; `None` for nobody.
    DrawResult(Option<Color>),
    /// `usedatabase`: ask the database before a search.
    UseDatabase(bool),
    /// `database_readonly`: never write it.
    DatabaseReadOnly(bool),
    /// `nbestsym`: of moves that a symmetry of the position maps onto each other `YXNBEST` tells one.
    DistinctMoves(bool),
    /// `rows_first`: points are `row,column`, so that texts name them by the second number's letter.
    RowsFirst(bool),
    /// `strength`: how well to play, from 0 to 100.
    Strength(Level),
    /// `seed`: which of the random moves of a level come, and which openings we offer.
    Seed(u64),
    /// `tune_NAME`: a number of the search.
    Tune(Tuned),
    /// `weights`: a file with a network.
    Weights(PathBuf),
    /// `caution_factor`, `swapable` and others that are read and have no effect.
    NoEffect,
    /// A key that means nothing to us.
    Unknown,
}
