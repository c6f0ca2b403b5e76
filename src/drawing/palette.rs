//! The colours of a terminal.

use std::env;

use clap::builder::styling::{Ansi256Color, AnsiColor, Color, Style};

use crate::terminal::output;

/// The colours that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// No colours.
    None,
    /// The 16 colours of every colour terminal, such as the Linux console.
    Sixteen,
    /// The 256 colours of common terminals.
    Many,
}

/// Colour of a character on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// A black stone.
    Black,
    /// A white stone.
    White,
    /// A line of the board.
    Grid,
    /// A point to avoid, or the last move.
    Bad,
    /// A recommended point.
    Good,
    /// The sign on a stone that takes several columns.
    Sign,
}

/// Colour behind a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// The board.
    Wood,
    /// A winning row.
    Lit,
    /// A black stone that takes several columns.
    Black,
    /// A white stone that takes several columns.
    White,
}

impl Palette {
    /// The colours of the terminal: none if `NO_COLOR` is set or the terminal has none, 256 if `COLORTERM` or
    /// the name in `TERM` indicates this, otherwise 16.
    pub fn of_terminal() -> Palette {
        let value = |name| env::var(name).unwrap_or_default();
        if !output::has_colors() {
            return Palette::None;
        }
        if cfg!(windows) && env::var_os("TERM").is_none() {
            // Windows consoles have no such variable, but 256 colours.
            return Palette::Many;
        }
        Palette::of(&value("TERM"), &value("COLORTERM"), &value("NO_COLOR"))
    }

    fn of(term: &str, colorterm: &str, no_color: &str) -> Palette {
        const MANY: [&str; 9] = [
            "256color",
            "direct",
            "truecolor",
            "kitty",
            "alacritty",
            "foot",
            "wezterm",
            "ghostty",
            "contour",
        ];
        if !no_color.is_empty() || !output::knows_colors(term) {
            Palette::None
        } else if !colorterm.is_empty() || MANY.iter().any(|name| term.contains(name)) {
            Palette::Many
        } else {
            Palette::Sixteen
        }
    }

    /// The style of a character on the board.
    pub fn style(self, ink: Ink, ground: Ground) -> Style {
        let (ink, ground) = match self {
            Palette::None => return Style::new(),
            Palette::Sixteen => (Color::Ansi(basic_ink(ink)), Color::Ansi(basic_ground(ground))),
            Palette::Many => {
                (Color::Ansi256(Ansi256Color(rich_ink(ink))), Color::Ansi256(rich_ground(ground)))
            }
        };
        Style::new().fg_color(Some(ink)).bg_color(Some(ground))
    }
}

fn basic_ink(ink: Ink) -> AnsiColor {
    match ink {
        Ink::Black | Ink::Grid => AnsiColor::Black,
        Ink::White => AnsiColor::BrightWhite,
        Ink::Bad => AnsiColor::Red,
        Ink::Good => AnsiColor::Blue,
        Ink::Sign => AnsiColor::BrightBlack,
    }
}

/// Dark yellow is the brown of old terminals.
fn basic_ground(ground: Ground) -> AnsiColor {
    match ground {
        Ground::Wood => AnsiColor::Yellow,
        Ground::Lit => AnsiColor::Green,
        Ground::Black => AnsiColor::Black,
        Ground::White => AnsiColor::BrightWhite,
    }
}

fn rich_ink(ink: Ink) -> u8 {
    match ink {
        Ink::Black => 16,
        Ink::White => 231,
        Ink::Grid => 136,
        Ink::Bad => 124,
        Ink::Good => 22,
        Ink::Sign => 244,
    }
}

fn rich_ground(ground: Ground) -> Ansi256Color {
    Ansi256Color(match ground {
        Ground::Wood => 179,
        Ground::Lit => 70,
        Ground::Black => 16,
        Ground::White => 231,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variables_of_a_terminal_choose_its_colours() {
        for (term, colorterm, no_color, expected) in [
            ("xterm-256color", "", "", Palette::Many),
            ("xterm", "truecolor", "", Palette::Many),
            ("xterm-kitty", "", "", Palette::Many),
            ("xterm", "", "", Palette::Sixteen),
            ("linux", "", "", Palette::Sixteen),
            ("xterm-256color", "truecolor", "1", Palette::None),
            ("dumb", "truecolor", "", Palette::None),
            ("", "", "", Palette::None),
        ] {
            assert_eq!(Palette::of(term, colorterm, no_color), expected, "{term} {colorterm} {no_color}");
        }
    }
}
