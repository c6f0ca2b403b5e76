//! `tournament show`: replays games in the terminal.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::style::Stylize;
use crossterm::{cursor, execute, terminal};
use kakugo::board::Color;
use kakugo::drawing::Look;
use kakugo::game::PASS;
use kakugo::output;

use crate::files::Replay;
use crate::model::record::{GameRecord, VariationRecord};
use crate::report::drawing::{self, DrawnCell};
use crate::text::{counted, visible};

/// Number of moves that Page Up and Page Down skip.
const PAGE: usize = 10;
/// Width of the move list in plain output.
const WIDTH: usize = 79;
const KEYS: &str =
    "left/right: move   home/end: first/last   up/down: 10 moves   n/p: game   #: numbers   q: quit";

/// Replay games in the terminal.
///
/// Reads results (.jsonl), .pgn, .psq, .sgf, .csv, .rif and .pos. With --plain, or if the output is not a terminal, it
/// prints the final board and the moves.
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// File to read; - reads standard input, whose games are printed as with --plain.
    file: PathBuf,
    /// Number of the game to show [default: the first; with --plain, all].
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    #[command(flatten)]
    reading: super::ReadArgs,
    /// Print the final boards and the moves, then exit.
    #[arg(long)]
    plain: bool,
    /// Show the number of every stone.
    #[arg(long)]
    numbers: bool,
    /// Use ASCII characters only.
    #[arg(long)]
    ascii: bool,
}

/// Shows the games.
///
/// # Errors
/// Returns an error if the file cannot be read or does not contain the game, or if the terminal fails.
pub fn run(args: &ShowArgs) -> Result<ExitCode> {
    let games = &args.reading.read_trees(&args.file)?.games;
    ensure!(!games.is_empty(), "{}: the file contains no games", args.file.display());
    let chosen = match args.game {
        None => None,
        Some(number) => {
            let index = games.iter().position(|game| game.game == number);
            Some(index.with_context(|| no_such_game(number, games))?)
        }
    };
    let is_terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
    if is_terminal && !args.plain && !super::is_stream(&args.file) {
        // The screen queries its size each time it is drawn.
        let look = Look { columns: None, ..Look::of_stdout(args.ascii) };
        step_through(games, chosen.unwrap_or(0), args.numbers, look).context("the terminal")?;
        return Ok(ExitCode::SUCCESS);
    }
    let shown = match chosen {
        Some(index) => &games[index..=index],
        None => games,
    };
    let text: Vec<String> =
        shown.iter().map(|game| paper(game, args.numbers, args.ascii)).collect::<Result<_>>()?;
    super::print(&text.join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn no_such_game(number: usize, games: &[GameRecord]) -> String {
    let numbers = games.iter().map(|game| game.game);
    let (first, last) = (numbers.clone().min().unwrap_or(0), numbers.max().unwrap_or(0));
    let count = counted(games.len(), "game");
    format!("there is no game {number} in the file, which has {count} from {first} to {last}")
}

/// A game in plain text: the final board and all moves.
fn paper(game: &GameRecord, numbers: bool, ascii: bool) -> Result<String> {
    let replay = Replay::of(game)?;
    let mut lines = drawing::heading(game).to_vec();
    lines.push(String::new());
    let ply = replay.moves.len();
    let look = Look { columns: output::columns(), ..Look::plain(ascii) };
    lines.extend(match numbers {
        true => drawing::numbered_board(&replay, ply, look),
        false => drawing::plain_board(&replay, ply, look),
    });
    lines.push(String::new());
    lines.extend(drawing::move_list(&replay, WIDTH));
    let variations = game.variations.iter().zip(stones_before(game, &replay));
    lines.extend(variations.map(|(variation, stones)| in_place_of(game, variation, stones)));
    if !replay.moves.is_empty() {
        lines.push(format!("last: {}", drawing::describe_move(game, &replay, replay.moves.len())));
    }
    Ok(lines.join("\n") + "\n")
}

/// The number of moves before each variation, without passes.
fn stones_before(game: &GameRecord, replay: &Replay) -> Vec<usize> {
    let mut before: Vec<usize> = Vec::new();
    for VariationRecord { leaves, ply, .. } in &game.variations {
        let left = leaves.and_then(|number| Some((before.get(number)?, &game.variations[number])));
        let stones = match left {
            None => replay.turns.iter().take(*ply).flatten().count(),
            Some((stones, left)) => {
                let turns = left.moves.split_whitespace().take(ply.saturating_sub(left.ply));
                stones + turns.filter(|turn| !turn.eq_ignore_ascii_case(PASS)).count()
            }
        };
        before.push(stones);
    }
    before
}

/// A variation after some `stones`, with the number of its first move and the line that it leaves.
fn in_place_of(game: &GameRecord, variation: &VariationRecord, stones: usize) -> String {
    let VariationRecord { leaves, moves, .. } = variation;
    let left = leaves.and_then(|number| game.variations.get(number));
    let left = left.map_or_else(String::new, |left| format!(", after {}", visible(&left.moves)));
    format!("variation from move {}{left}: {}", stones + 1, visible(moves))
}

/// Switches the terminal to drawing mode, and restores it when dropped, whatever happens.
struct Screen;

impl Screen {
    fn enter() -> io::Result<Screen> {
        terminal::enable_raw_mode()?;
        let screen = Screen;
        execute!(io::stdout(), terminal::EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Errors cannot be handled here.
        let _ = execute!(io::stdout(), cursor::Show, terminal::LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

/// State of the screen.
struct View {
    game: usize,
    ply: usize,
    numbers: bool,
    look: Look,
}

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyAction {
    Forward(usize),
    Back(usize),
    NextGame,
    PreviousGame,
    Numbers,
    Quit,
    Redraw,
}

fn action_of(key: KeyEvent) -> Option<KeyAction> {
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if is_control => Some(KeyAction::Quit),
        KeyCode::Right | KeyCode::Char(' ' | 'l') => Some(KeyAction::Forward(1)),
        KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h') => Some(KeyAction::Back(1)),
        KeyCode::Down | KeyCode::PageDown => Some(KeyAction::Forward(PAGE)),
        KeyCode::Up | KeyCode::PageUp => Some(KeyAction::Back(PAGE)),
        KeyCode::Home => Some(KeyAction::Back(usize::MAX)),
        KeyCode::End => Some(KeyAction::Forward(usize::MAX)),
        KeyCode::Char('n') | KeyCode::Tab => Some(KeyAction::NextGame),
        KeyCode::Char('p') | KeyCode::BackTab => Some(KeyAction::PreviousGame),
        KeyCode::Char('#') => Some(KeyAction::Numbers),
        KeyCode::Char('q') | KeyCode::Esc => Some(KeyAction::Quit),
        _ => None,
    }
}

impl View {
    fn apply(&mut self, action: KeyAction, games: usize, plies: usize) {
        match action {
            KeyAction::Forward(count) => self.ply = self.ply.saturating_add(count).min(plies),
            KeyAction::Back(count) => self.ply = self.ply.saturating_sub(count),
            KeyAction::NextGame if self.game + 1 < games => (self.game, self.ply) = (self.game + 1, 0),
            KeyAction::PreviousGame if self.game > 0 => (self.game, self.ply) = (self.game - 1, 0),
            KeyAction::Numbers => self.numbers = !self.numbers,
            KeyAction::NextGame | KeyAction::PreviousGame | KeyAction::Quit | KeyAction::Redraw => {}
        }
    }
}

fn step_through(games: &[GameRecord], first: usize, numbers: bool, look: Look) -> Result<()> {
    let mut view = View { game: first, ply: 0, numbers, look };
    let _screen = Screen::enter()?;
    loop {
        let game = &games[view.game];
        let replay = Replay::of(game)?;
        draw(game, &replay, &view, games.len())?;
        match wait_for_action()? {
            KeyAction::Quit => return Ok(()),
            action => view.apply(action, games.len(), replay.moves.len()),
        }
    }
}

fn wait_for_action() -> Result<KeyAction> {
    loop {
        match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                if let Some(action) = action_of(key) {
                    return Ok(action);
                }
            }
            Event::Resize(..) => return Ok(KeyAction::Redraw),
            _ => {}
        }
    }
}

fn draw(game: &GameRecord, replay: &Replay, view: &View, games: usize) -> Result<()> {
    ensure!(view.ply <= replay.moves.len(), "no such move");
    let (columns, rows) = terminal::size()?;
    let mut screen = io::stdout().lock();
    execute!(screen, cursor::MoveTo(0, 0), terminal::Clear(terminal::ClearType::All))?;
    // If the window is too low, the line of keys is omitted first, then the bottom rows.
    for (row, line) in (0..rows).zip(lines(game, replay, view, games, columns)) {
        execute!(screen, cursor::MoveTo(0, row))?;
        write!(screen, "{line}")?;
    }
    screen.flush()?;
    Ok(())
}

/// The lines of the screen from the top. Only the board's lines contain escape sequences, which have no
/// width; all others are cut to the width.
fn lines(game: &GameRecord, replay: &Replay, view: &View, games: usize, columns: u16) -> Vec<String> {
    let text = |line: &str| -> String { visible(line).chars().take(usize::from(columns)).collect() };
    let [players, about] = drawing::heading(game);
    let last = drawing::describe_move(game, replay, view.ply);
    let mut lines = vec![
        text(&players),
        text(&format!("{about}  ({} of {games})", view.game + 1)),
        text(&format!("{last}  (of {})", counted(replay.moves.len(), "move"))),
    ];
    let cell = if view.numbers || !replay.walls().is_empty() { 3 } else { 2 };
    let board_width = 5 + cell * usize::from(replay.size.width());
    if board_width > usize::from(columns) {
        lines.push(text(&format!("the board needs {board_width} columns; the terminal has {columns}")));
    } else {
        lines.extend(match view.numbers {
            true => drawing::board(replay, view.ply, true, paint),
            false => drawing::plain_board(replay, view.ply, view.look),
        });
    }
    let variations = game.variations.iter().zip(stones_before(game, replay));
    let here = variations.filter(|&(_, stones)| stones == view.ply);
    let here: Vec<String> = here.map(|(variation, stones)| in_place_of(game, variation, stones)).collect();
    lines.extend((!here.is_empty()).then(|| text(&here.join("; "))));
    lines.push(text(KEYS));
    lines
}

fn paint(cell: &DrawnCell) -> String {
    match (cell.stone, cell.is_last) {
        (_, true) => cell.text.clone().black().on_yellow().to_string(),
        (Some(Color::Black), _) => cell.text.clone().red().bold().to_string(),
        // Underlined, so that the last move does not depend on colour alone.
        (Some(Color::White), _) => {
            let stone = cell.text.trim_start();
            let space = " ".repeat(cell.text.len() - stone.len());
            format!("{space}{}", stone.cyan().bold().underlined())
        }
        (None, _) => cell.text.clone().dark_grey().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_board_acts_on_the_screen() {
        let hostile = "\u{1b}[2J\u{9b}1m\u{202e}\n".to_owned();
        let mut game = crate::files::blank(1);
        (game.black.name, game.white.name) = (hostile.clone(), hostile.clone());
        (game.detail, game.ending, game.limits) = (hostile.clone(), hostile.clone(), hostile);
        game.moves = "h8h9".to_owned();
        let replay = Replay::of(&game).unwrap();
        let view = View { game: 0, ply: 2, numbers: false, look: Look::plain(true) };
        let [wide, narrow] = [200, 30].map(|columns| lines(&game, &replay, &view, 1, columns));
        let acts = |line: &String| *line != visible(line);
        // Whether the screen is coloured depends on the terminal, which tests do not control.
        assert!(wide.iter().take(3).chain(wide.last()).chain(&narrow).all(|line| !acts(line)), "{wide:?}");
        assert_eq!((wide.len(), narrow.len()), (3 + 16 + 1, 5));
        assert!(narrow.iter().all(|line| line.chars().count() <= 30));
        assert!(wide[0].starts_with("\\x1b[2J\\u{9b}1m\\u{202e}\\n (black)"), "{}", wide[0]);
    }

    #[test]
    fn variations_after_passes_belong_to_their_move() {
        let variation = |leaves, ply, moves: &str| VariationRecord {
            leaves,
            ply,
            moves: moves.to_owned(),
            ..VariationRecord::default()
        };
        let mut game = crate::files::blank(1);
        game.moves = "h8 pass i9 pass j10 k11 l12".to_owned();
        game.variations =
            vec![variation(None, 6, "m13"), variation(Some(0), 7, "pass n14"), variation(Some(1), 8, "o15")];
        let replay = Replay::of(&game).unwrap();
        assert_eq!(stones_before(&game, &replay), [4, 5, 5]);
        let text = paper(&game, false, true).unwrap();
        for line in [
            "variation from move 5: m13\n",
            "variation from move 6, after m13: pass n14\n",
            "variation from move 6, after pass n14: o15\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
        let at = |ply| {
            let view = View { game: 0, ply, numbers: false, look: Look::plain(true) };
            lines(&game, &replay, &view, 1, 200).iter().filter(|line| line.contains("variation")).count()
        };
        assert_eq!([3, 4, 5].map(at), [0, 1, 1]);
        // A file may have any numbers.
        game.variations[0].leaves = Some(0);
        game.variations[1].ply = 2;
        assert_eq!(stones_before(&game, &replay), [4, 4, 5]);
    }

    #[test]
    fn steps_stay_in_the_game_and_in_the_file() {
        let mut view = View { game: 0, ply: 0, numbers: false, look: Look::plain(true) };
        let mut after = |step| {
            view.apply(step, 2, 15);
            (view.game, view.ply)
        };
        assert_eq!(after(KeyAction::Back(1)), (0, 0));
        assert_eq!(after(KeyAction::Forward(1)), (0, 1));
        assert_eq!(after(KeyAction::Forward(10)), (0, 11));
        assert_eq!(after(KeyAction::Forward(10)), (0, 15));
        assert_eq!(after(KeyAction::Back(usize::MAX)), (0, 0));
        assert_eq!(after(KeyAction::Forward(usize::MAX)), (0, 15));
        assert_eq!(after(KeyAction::PreviousGame), (0, 15));
        assert_eq!(after(KeyAction::NextGame), (1, 0));
        assert_eq!(after(KeyAction::NextGame), (1, 0));
        assert_eq!(action_of(KeyCode::Char('x').into()), None);
        assert_eq!(
            action_of(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)),
            Some(KeyAction::Quit)
        );
    }
}
