//! Draws the whole screen.
//!
//! ```text
//! title
//! board           players, clocks
//!                 thinking
//! captures, fouls remarks
//! question or line being typed
//! keys
//! ```

use std::slice;
use std::time::Instant;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::Screen;
use super::board::{self, BoardMap};
use super::sheet::wrapped;
use super::styles::{bold, dim, faint};
use crate::board::Color;
use crate::cli::play::clock::ClockOwner;
use crate::cli::play::prompt::Order;
use crate::cli::play::session::Session;
use crate::cli::play::words::{Emphasis, Sentence};
use crate::terminal::output;

/// Minimum width of the column next to the board.
const PANEL: u16 = 26;
/// Rows of the players and the engine's thinking in a panel.
const HEAD: u16 = 4;
/// Height below which a panel has no room for its head and a remark.
const LOW_PANEL: u16 = HEAD + 2;
/// Minimum size of a screen on which anything is readable.
const LEAST: (u16, u16) = (30, 6);

/// Draws the screen, and returns the positions of the board's points.
pub fn draw(screen: &Screen, frame: &mut Frame, now: Instant) -> BoardMap {
    let area = frame.area();
    let (least_width, least_height) = LEAST;
    if area.width < least_width || area.height < least_height {
        let text = format!(
            "the terminal is too small: {}x{} instead of {least_width}x{least_height}",
            area.width, area.height
        );
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return BoardMap::default();
    }
    let row = |y: u16| Rect::new(0, y, area.width, 1);
    frame.render_widget(Line::styled(title(screen), bold()), row(0));
    let middle = Rect::new(0, 1, area.width, area.height - 3);
    let scale = board::scale(screen, middle, PANEL + 2);
    let (width, height) = board::extent(screen, scale);
    let fits = width <= middle.width && height <= middle.height;
    let (map, board_width, board_height) = if fits {
        (board::draw(screen, frame, middle, scale), width, height)
    } else {
        let text = format!(
            "the board needs {width} columns and {} rows, and the terminal has {} and {}",
            height + 3,
            area.width,
            area.height
        );
        let rows = row_count(slice::from_ref(&text), middle.width);
        let height = u16::try_from(rows).unwrap_or(u16::MAX).min(middle.height);
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), Rect { height, ..middle });
        // The panel follows without an empty row.
        (BoardMap::default(), middle.width, height.saturating_sub(1))
    };
    let is_wide = fits && middle.width >= board_width + 1 + PANEL;
    let below = Rect {
        y: middle.y + board_height + 1,
        height: middle.height.saturating_sub(board_height + 1),
        width: if is_wide { board_width } else { middle.width },
        ..middle
    };
    let panel = match is_wide {
        true => Rect { x: board_width + 2, width: middle.width - board_width - 2, ..middle },
        false => below,
    };
    let lines = screen.session.picture().lines;
    if is_wide && row_count(&lines, below.width) <= usize::from(below.height) {
        draw_lines(&lines, frame, below);
        draw_panel(screen, &[], frame, panel, now);
    } else {
        draw_panel(screen, &lines, frame, panel, now);
    }
    draw_bottom(screen, frame, row(area.height - 2), row(area.height - 1), &map);
    if let Some(sheet) = &screen.sheet {
        sheet.draw(frame, middle, screen.look.ascii);
    }
    map
}

fn title(screen: &Screen) -> String {
    let (terms, dot) = (screen.session.terms(), screen.look.dot());
    format!("Kakugo {dot} {} {dot} {}", terms.title(), terms.pace())
}

/// Number of rows that the lines take on this number of columns.
fn row_count(lines: &[String], columns: u16) -> usize {
    lines.iter().map(|line| wrapped(line, columns.into()).len()).sum()
}

/// Draws the lines about the board.
fn draw_lines(lines: &[String], frame: &mut Frame, area: Rect) {
    let divided = lines.iter().flat_map(|line| wrapped(line, area.width.into()));
    let shown: Vec<Line> = divided.map(faint).collect();
    frame.render_widget(Paragraph::new(shown), area);
}

/// The players with their clocks, the engine's thinking, the `lines` about the board that have no room below it,
/// and the remarks so far.
fn draw_panel(screen: &Screen, lines: &[String], frame: &mut Frame, area: Rect, now: Instant) {
    let below = |area: Rect, height: u16| Rect { y: area.y + height, height: area.height - height, ..area };
    let head_height = draw_head(screen, frame, area, now);
    let mut rest = below(area, head_height);
    if !lines.is_empty() {
        let height = u16::try_from(row_count(lines, rest.width)).unwrap_or(u16::MAX).min(rest.height);
        draw_lines(lines, frame, Rect { height, ..rest });
        rest = below(rest, height);
        // An empty row separates them from the remarks, unless it is the last row.
        rest = below(rest, u16::from(rest.height > 1));
    }
    draw_remarks(screen, frame, rest);
}

/// The players with their clocks, and the engine's thinking. Returns the number of rows that this takes: a low panel
/// keeps no row for thinking while the engine does not work.
fn draw_head(screen: &Screen, frame: &mut Frame, area: Rect, now: Instant) -> u16 {
    let session = &screen.session;
    let mut head = Vec::new();
    for color in Color::ALL {
        let (owner, name) = match color == session.human() {
            true => (ClockOwner::Human, "you"),
            false => (ClockOwner::Engine, "Kakugo"),
        };
        let clock = session.clock(owner, now).map_or(String::new(), |clock| format!("  {clock}"));
        let is_to_move = !session.is_over() && (owner == ClockOwner::Engine) == session.is_engines_turn();
        let text = format!("{} {name}{clock}", session.side(color));
        head.push(Line::styled(text, if is_to_move { bold() } else { Style::new() }));
    }
    let thinking = session.thinking();
    let rows = head.len() + thinking.as_ref().map_or(0, |text| row_count(slice::from_ref(text), area.width));
    let rows = if area.height < LOW_PANEL { u16::try_from(rows).unwrap_or(u16::MAX) } else { HEAD };
    head.extend(thinking.map(faint));
    let height = rows.min(area.height);
    frame.render_widget(Paragraph::new(head).wrap(Wrap { trim: true }), Rect { height, ..area });
    height
}

/// The latest remarks that fit.
fn draw_remarks(screen: &Screen, frame: &mut Frame, area: Rect) {
    // Rows of the remarks so far, latest first.
    let mut rows = 0;
    let mut shown: Vec<Line> = Vec::new();
    for sentence in screen.said.iter().rev() {
        let line = spans(sentence);
        rows += line.width().div_ceil(usize::from(area.width.max(1))).max(1) + usize::from(line.width() > 20);
        if rows > usize::from(area.height) && !shown.is_empty() {
            break;
        }
        shown.push(line);
    }
    shown.reverse();
    frame.render_widget(Paragraph::new(shown).wrap(Wrap { trim: true }), area);
}

/// The question to the person or the line being typed, and the keys.
fn draw_bottom(screen: &Screen, frame: &mut Frame, prompt: Rect, keys: Rect, map: &BoardMap) {
    let text = match &screen.typed {
        Some(line) => format!(":{line}"),
        None => screen.session.prompt_without_clocks(),
    };
    // Of a long line, the end is shown, where the person types.
    let shown = end_of(&text, usize::from(prompt.width.saturating_sub(1)));
    let end = u16::try_from(output::width(shown)).unwrap_or(prompt.width);
    frame.render_widget(Line::styled(shown, bold()), prompt);
    frame.render_widget(faint(key_line(&screen.session)), keys);
    let place = match &screen.typed {
        Some(_) => Some((prompt.x + end, prompt.y)),
        None => map.place(screen.cursor).filter(|_| screen.sheet.is_none()),
    };
    if let Some((x, y)) = place {
        frame.set_cursor_position(Position { x, y });
    }
}

/// The keys that the state of the game allows, the most important first. Some may still have no effect now, such as
/// `m` while the engine does not think.
fn key_line(session: &Session) -> String {
    let keys = [
        ("arrows+Enter play", !session.is_over()),
        ("? keys", true),
        ("q quit", true),
        ("u undo", session.allows(&Order::Undo)),
        ("h hint", session.allows(&Order::Hint)),
        ("m move now", session.can_hurry() && !session.is_over()),
        ("s save", true),
        ("r resign", session.allows(&Order::Resign)),
    ];
    let allowed: Vec<&str> =
        keys.into_iter().filter(|(_, is_allowed)| *is_allowed).map(|(key, _)| key).collect();
    allowed.join("  ")
}

/// The last characters of `text` that fit into `columns`.
fn end_of(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let fits = |&(_, character): &(usize, char)| {
        used += output::width(character.encode_utf8(&mut [0; 4]));
        used <= columns
    };
    let first = text.char_indices().rev().take_while(fits).last();
    first.map_or("", |(start, _)| &text[start..])
}

fn spans(sentence: &Sentence) -> Line<'static> {
    let style = |emphasis| match emphasis {
        Emphasis::Plain => Style::new(),
        Emphasis::Strong => bold(),
        Emphasis::Faint => dim(),
    };
    sentence.0.iter().map(|(emphasis, text)| Span::styled(text.clone(), style(*emphasis))).collect()
}
