//! Styles of the screen.

use clap::builder::styling;
use ratatui::style::{Color as Paint, Modifier, Style};
use ratatui::text::Line;

/// A less important line.
pub fn faint(text: String) -> Line<'static> {
    Line::styled(text, dim())
}

/// The style of the most important text.
pub fn bold() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

/// The style of less important text.
pub fn dim() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}

/// Converts a style of drawn text to a style of the screen.
pub fn of_text(style: styling::Style) -> Style {
    let paint = |color: styling::Color| match color {
        styling::Color::Ansi(color) => Paint::Indexed(styling::Ansi256Color::from_ansi(color).index()),
        styling::Color::Ansi256(color) => Paint::Indexed(color.index()),
        styling::Color::Rgb(color) => Paint::Rgb(color.r(), color.g(), color.b()),
    };
    let mut shown =
        Style { fg: style.get_fg_color().map(paint), bg: style.get_bg_color().map(paint), ..Style::new() };
    if style.get_effects().contains(styling::Effects::BOLD) {
        shown = shown.add_modifier(Modifier::BOLD);
    }
    shown
}
