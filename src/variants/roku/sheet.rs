//! The sheet of circles: a data file embedded in the binary and checked when it is loaded.
//!
//! The printed sheet is not public. `sheet.json` is derived from the text of the rule book and can be
//! replaced by the real one. This module does not know how the game is played.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::board::notation::parse_point;
use crate::board::{POINTS, Point, Size};

/// The use of a circle in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Track stones move along it.
    Track,
    /// Stones are placed on it; the player's track stone then advances by this number of circles.
    Cost(u8),
    /// No stone may be placed on it.
    Centre,
}

/// A circle, as its index in [`Sheet::circles`].
pub type Circle = u8;

/// The sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    size: Size,
    circles: Vec<(Point, Kind)>,
    at: Vec<Option<Circle>>,
    track: Vec<Circle>,
    costs: Vec<u8>,
    rows: Vec<Vec<Circle>>,
    through: Vec<Vec<(usize, usize)>>,
}

/// Why a file is not a valid sheet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// It does not have the expected form.
    #[error("the sheet can't be read: {0}")]
    Form(String),
    /// A word is not the name of a circle.
    #[error("'{0}' is not a circle of the sheet")]
    NoCircle(String),
    /// A circle occurs twice where it may occur only once.
    #[error("{0} occurs twice")]
    Twice(String),
    /// A count differs from the one that the file itself expects.
    #[error("{found} {what} instead of {expected}")]
    Count {
        /// The counted items, in words.
        what: &'static str,
        /// The number that the file expects.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// The circles of a row are not evenly spaced on a straight line, or the row includes the centre.
    #[error("'{0}' is not a straight row")]
    NotStraight(String),
    /// A circle of the track is not adjacent to the next one.
    #[error("the track breaks after {0}")]
    BrokenTrack(String),
}

/// The file format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "about")]
    _about: String,
    size: u8,
    expected: Expected,
    centre: String,
    track: String,
    cost: BTreeMap<u8, String>,
    rows: Vec<String>,
}

/// The counts that the file must reach, so that mistakes in it are noticed.
#[derive(Deserialize)]
struct Expected {
    circles: usize,
    rows_of_five: usize,
    windows_of_five: usize,
}

/// The sheet used by all games.
pub fn sheet() -> &'static Sheet {
    static SHEET: LazyLock<Sheet> =
        LazyLock::new(|| Sheet::parse(include_str!("sheet.json")).expect("the embedded sheet is sound"));
    &SHEET
}

impl Sheet {
    /// Reads and checks a sheet.
    ///
    /// # Errors
    /// When the text is not a sheet, or is inconsistent.
    pub fn parse(text: &str) -> Result<Sheet, SheetError> {
        let file: File = serde_json::from_str(text).map_err(|error| SheetError::Form(error.to_string()))?;
        let size = Size::square(file.size).ok_or_else(|| SheetError::Form("no such size".to_owned()))?;
        let mut sheet = Sheet {
            size,
            circles: Vec::new(),
            at: vec![None; POINTS],
            track: Vec::new(),
            costs: file.cost.keys().copied().collect(),
            rows: Vec::new(),
            through: Vec::new(),
        };
        for word in file.track.split_whitespace() {
            let circle = sheet.add(word, Kind::Track)?;
            sheet.track.push(circle);
        }
        for (cost, words) in &file.cost {
            words.split_whitespace().try_for_each(|word| sheet.add(word, Kind::Cost(*cost)).map(drop))?;
        }
        sheet.add(&file.centre, Kind::Centre)?;
        sheet.through = vec![Vec::new(); sheet.circles.len()];
        file.rows.iter().try_for_each(|row| sheet.add_row(row))?;
        sheet.check_track()?;
        sheet.check(&file.expected)?;
        Ok(sheet)
    }

    fn add(&mut self, word: &str, kind: Kind) -> Result<Circle, SheetError> {
        let point = parse_point(word, self.size).map_err(|_| SheetError::NoCircle(word.to_owned()))?;
        let circle = Circle::try_from(self.circles.len())
            .map_err(|_| SheetError::Form("too many circles".to_owned()))?;
        if self.at[point.index()].replace(circle).is_some() {
            return Err(SheetError::Twice(word.to_owned()));
        }
        self.circles.push((point, kind));
        Ok(circle)
    }

    fn add_row(&mut self, text: &str) -> Result<(), SheetError> {
        let circle = |word: &str| {
            let point = parse_point(word, self.size).ok().and_then(|point| self.circle(point));
            point.ok_or_else(|| SheetError::NoCircle(word.to_owned()))
        };
        let row: Vec<Circle> = text.split_whitespace().map(circle).collect::<Result<_, _>>()?;
        let steps: Vec<(i32, i32)> = row.windows(2).map(|pair| self.between(pair[0], pair[1])).collect();
        let straight = steps.iter().all(|&step| step == steps[0] && step != (0, 0));
        if !straight || row.iter().any(|&circle| self.kind(circle) == Kind::Centre) {
            return Err(SheetError::NotStraight(text.to_owned()));
        }
        for (place, &circle) in row.iter().enumerate() {
            self.through[usize::from(circle)].push((self.rows.len(), place));
        }
        self.rows.push(row);
        Ok(())
    }

    /// The vector from one circle to another.
    fn between(&self, from: Circle, to: Circle) -> (i32, i32) {
        let (from, to) = (self.point(from), self.point(to));
        (i32::from(to.x()) - i32::from(from.x()), i32::from(to.y()) - i32::from(from.y()))
    }

    /// Checks that the track leads from neighbour to neighbour and back to its start.
    fn check_track(&self) -> Result<(), SheetError> {
        let next = self.track.iter().cycle().skip(1);
        let broken = self.track.iter().zip(next).find(|&(&from, &to)| {
            let (dx, dy) = self.between(from, to);
            // Neighbours in axial coordinates: (1,0), (0,1), (1,-1) and back.
            dx.abs().max(dy.abs()).max((dx + dy).abs()) != 1
        });
        match broken {
            None => Ok(()),
            Some((&from, _)) => {
                let name = crate::board::notation::format_point(self.point(from), self.size);
                Err(SheetError::BrokenTrack(name))
            }
        }
    }

    fn check(&self, expected: &Expected) -> Result<(), SheetError> {
        let of_five = || self.rows.iter().filter(|row| row.len() >= 5);
        for (what, expected, found) in [
            ("circles", expected.circles, self.circles.len()),
            ("rows of five or more circles", expected.rows_of_five, of_five().count()),
            ("windows of five circles", expected.windows_of_five, of_five().map(|row| row.len() - 4).sum()),
        ] {
            if found != expected {
                return Err(SheetError::Count { what, expected, found });
            }
        }
        Ok(())
    }

    /// The smallest board that contains the sheet in shifted axial coordinates.
    pub fn size(&self) -> Size {
        self.size
    }

    /// All circles.
    pub fn circles(&self) -> impl Iterator<Item = Circle> + use<> {
        0..self.circles.len() as Circle
    }

    /// The position of a circle.
    pub fn point(&self, circle: Circle) -> Point {
        self.circles[usize::from(circle)].0
    }

    /// The use of a circle in the game.
    pub fn kind(&self, circle: Circle) -> Kind {
        self.circles[usize::from(circle)].1
    }

    /// The circle at a point, if there is one.
    pub fn circle(&self, point: Point) -> Option<Circle> {
        self.at[point.index()]
    }

    /// The distinct costs of circles, lowest first.
    pub fn costs(&self) -> impl Iterator<Item = u8> {
        self.costs.iter().copied()
    }

    /// The circles of the track, clockwise.
    pub fn track(&self) -> &[Circle] {
        &self.track
    }

    /// The straight rows of four circles or more.
    pub fn rows(&self) -> &[Vec<Circle>] {
        &self.rows
    }

    /// The rows through a circle, each with the circle's index in it.
    pub fn through(&self, circle: Circle) -> &[(usize, usize)] {
        &self.through[usize::from(circle)]
    }
}
