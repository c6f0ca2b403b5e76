//! Weights files of the network.
//!
//! The package `training` creates these files from games of the engine against itself. All numbers are
//! little-endian:
//!
//! | bytes | meaning |
//! |---|---|
//! | 8 | `KAKUNET` and the format version, 8 |
//! | 1 | the code of the rule, as in `INFO rule` (caro for both caro rules) |
//! | 1 | number of colours with separate weights: 2, or 1 if the rule treats both alike |
//! | 2, 2, 2 | shape: number of point codes, features per view, neurons per hidden layer |
//! | 2 | shape: number of values of a region per view |
//! | 2 | shape: number of kinds of positions |
//! | 2 | shape: number of groups of points on the rays |
//! | 2 | length of the note |
//! | … | the note, UTF-8: how the weights were made; at most 65,535 bytes |
//! | 4 | length of the numbers |
//! | … | the numbers, as a zlib stream |
//! | 8 | the [`Checksum`] of all preceding bytes |
//!
//! The numbers, for each colour: the feature rows (one byte per weight, the colour's own view first); two
//! scores for each code (`i16`), then two numbers for rays (`i16`); the region rows and the region row of a
//! stone (bytes, own view first); the biases of the own view's region values (`i16`, for the first clipping,
//! then for the second). Then, for the same colour to move with its view first, the layers of each kind of
//! positions: the weights (`i16`, by neuron) and biases (`i32`) of the first layer, likewise of the second;
//! output; skip; the bias of the output (`i32`); points for threats; weights and biases (`i32`) of the policy;
//! weights and bias (`i32`) of the draw. Numbers are `i16` unless stated otherwise: first the low bytes of a whole
//! array, then its high bytes, because this compresses better. At the end, once: the points per unit of log
//! odds and the score factor (`i32` each). [`Network`] explains their meaning.
//!
//! Files of version 7 can also be read: their policy does not know the rays, and both bytes of an `i16` are
//! next to each other.

mod reader;

use std::io;
use std::path::Path;

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use self::reader::WeightsReader;
use super::layer_key::KINDS;
use super::network::{CodeWeights, FEATURES, HIDDEN, Network, POLICY_INPUTS, Row, VIEW};
use super::rays::RAY_GROUPS;
use super::region_sums::{REGION_CLIPS, REGION_NUMBERS, REGION_VIEW, RegionRow, RegionSums};
use crate::board::{ByColor, Color};
use crate::files::{self, Checksum};
use crate::rules::{POINT_CODES, Rule, RuleKind};

const MAGIC: &[u8] = b"KAKUNET";
const VERSION: u8 = 8;
/// The version whose networks do not know the rays.
const WITHOUT_RAYS: u8 = 7;
const SHAPE: [u16; 6] =
    [POINT_CODES as u16, VIEW as u16, HIDDEN as u16, REGION_VIEW as u16, KINDS as u16, RAY_GROUPS as u16];
/// Upper bound for the size of the numbers of any file, in bytes.
const MOST_NUMBER_BYTES: usize = 1 << 20;
const COMPRESSION: u8 = 10;
/// Maximum length of a note in a file, in bytes.
const MOST_NOTE: usize = u16::MAX as usize;
/// Numbers of the policy vector of a network that does not know the rays.
const INPUTS_WITHOUT_RAYS: usize = POLICY_INPUTS - RAY_GROUPS;

/// An error in a weights file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WeightsError(&'static str);

/// A weights file.
#[derive(Debug)]
pub struct WeightsFile {
    /// The rule that the weights are for.
    pub rule: RuleKind,
    /// A note about the games and the training behind the weights.
    pub note: String,
    /// The weights.
    pub network: Network,
}

impl WeightsFile {
    /// Upper bound for the size of any file, in bytes.
    pub const MOST_BYTES: u64 = 2 << 20;

    /// The bytes of the file. `colors` is 1 if white's weights are black's with the views exchanged. A note of
    /// more than 65,535 bytes is cut off.
    pub fn encode(&self, colors: u8) -> Vec<u8> {
        let packed = compress_to_vec_zlib(&numbers(&self.network, colors.into()), COMPRESSION);
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, self.rule.code() as u8, colors]);
        bytes.extend(SHAPE.into_iter().flat_map(u16::to_le_bytes));
        let note = beginning(&self.note, MOST_NOTE);
        bytes.extend((note.len() as u16).to_le_bytes());
        bytes.extend(note.as_bytes());
        bytes.extend((packed.len() as u32).to_le_bytes());
        bytes.extend(packed);
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads the weights file at `path`.
    ///
    /// # Errors
    /// When the file cannot be read or is invalid; see [`WeightsFile::decode`].
    pub fn read(path: &Path) -> io::Result<WeightsFile> {
        let bytes = files::read(path, WeightsFile::MOST_BYTES)?;
        WeightsFile::decode(&bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// Decodes the bytes of a weights file.
    ///
    /// # Errors
    /// When they are not a complete weights file of a supported version and of this shape.
    pub fn decode(bytes: &[u8]) -> Result<WeightsFile, WeightsError> {
        let fault = WeightsError;
        let rest = bytes.strip_prefix(MAGIC).ok_or(fault("not a weights file"))?;
        let mut reader = WeightsReader { rest, version: 0 };
        [reader.version] = reader.array()?;
        if ![VERSION, WITHOUT_RAYS].contains(&reader.version) {
            return Err(fault("weights in an unsupported format version"));
        }
        let [code, colors] = reader.array()?;
        let numbers = if reader.has_rays() { SHAPE.len() } else { SHAPE.len() - 1 };
        let mut shape = SHAPE;
        shape[..numbers].iter_mut().try_for_each(|number| reader.short().map(|read| *number = read))?;
        let length = reader.short()?;
        let note = reader.take(length.into())?;
        let length = reader.whole()? as u32;
        let packed = reader.take(length as usize)?;
        let (covered, _) = bytes.split_at(bytes.len() - reader.rest.len());
        let sum = u64::from_le_bytes(reader.array()?);
        if !reader.rest.is_empty() {
            return Err(fault("weights followed by extra data"));
        }
        if checksum(covered) != sum {
            return Err(fault("damaged weights"));
        }
        let rule = Rule::from_code(code.into())
            .filter(|rule| !rule.continuous)
            .ok_or(fault("weights for an unknown rule"))?;
        if shape != SHAPE || !(1..=2).contains(&colors) {
            return Err(fault("weights for a network of a different shape"));
        }
        let note =
            String::from_utf8(note.to_vec()).map_err(|_| fault("weights with a note that is not UTF-8"))?;
        let numbers = decompress_to_vec_zlib_with_limit(packed, MOST_NUMBER_BYTES)
            .map_err(|_| fault("damaged weights"))?;
        let network = read_network(WeightsReader { rest: &numbers, ..reader }, colors)?;
        Ok(WeightsFile { rule: rule.kind, note, network })
    }
}

impl Network {
    /// A fingerprint of the numbers; different networks have different fingerprints.
    pub fn fingerprint(&self) -> u64 {
        checksum(&numbers(self, Color::ALL.len()))
    }
}

/// The beginning of a text, cut off between two characters after at most `most_bytes`.
fn beginning(text: &str, most_bytes: usize) -> &str {
    let end = (0..=text.len().min(most_bytes)).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = Checksum::default();
    sum.add_bytes(bytes);
    sum.value()
}

/// The numbers of a file with the weights of `colors` colours.
fn numbers(network: &Network, colors: usize) -> Vec<u8> {
    let mut numbers = Vec::new();
    for color in Color::ALL.into_iter().take(colors) {
        write_color(network, color, &mut numbers);
    }
    numbers.extend(network.points_per_unit.to_le_bytes());
    numbers.extend(network.score_factor.to_le_bytes());
    numbers
}

fn write_color(network: &Network, color: Color, numbers: &mut Vec<u8>) {
    let smalls = |numbers: &mut Vec<u8>, all: &[i16]| {
        for byte in 0..2 {
            numbers.extend(all.iter().map(|number| number.to_le_bytes()[byte]));
        }
    };
    let wholes =
        |numbers: &mut Vec<u8>, all: &[i32]| numbers.extend(all.iter().flat_map(|x| x.to_le_bytes()));
    let codes = &network.codes[color][..POINT_CODES];
    for code in codes {
        numbers.extend(code.features.seen_by(color).0.map(|weight| weight as u8));
    }
    smalls(numbers, codes.iter().map(|code| code.scores).collect::<Vec<_>>().as_flattened());
    smalls(numbers, codes.iter().map(|code| code.rays).collect::<Vec<_>>().as_flattened());
    for row in codes.iter().map(|code| &code.regions).chain([&network.stones[color]]) {
        numbers.extend(row.seen_by(color).0.map(|weight| weight as u8));
    }
    for bias in &network.region_bias {
        smalls(numbers, &bias.0[color as usize * REGION_VIEW..][..REGION_VIEW]);
    }
    for layers in network.layers[color].iter() {
        smalls(numbers, &layers.first.weights());
        wholes(numbers, layers.first.bias());
        smalls(numbers, &layers.second.weights());
        wholes(numbers, layers.second.bias());
        smalls(numbers, &layers.output);
        smalls(numbers, &layers.skip);
        wholes(numbers, &[layers.output_bias]);
        smalls(numbers, layers.threat_points.as_flattened());
        smalls(numbers, &layers.policy.weights());
        wholes(numbers, layers.policy.bias());
        smalls(numbers, &layers.draw);
        wholes(numbers, &[layers.draw_bias]);
    }
}

fn read_network(mut reader: WeightsReader, colors: u8) -> Result<Network, WeightsError> {
    let mut codes = ByColor(Color::ALL.map(|_| CodeWeights::table()));
    let mut stones = ByColor([RegionRow::ZERO; 2]);
    let mut region_bias = [RegionSums::ZERO; REGION_CLIPS];
    let mut layers = Vec::new();
    for color in Color::ALL.into_iter().take(colors.into()) {
        let codes = &mut codes[color][..POINT_CODES];
        for code in codes.iter_mut() {
            code.features = Row(reader.bytes::<FEATURES>()?).seen_by(color);
        }
        let scores = reader.small_numbers(2 * POINT_CODES)?;
        for (code, &scores) in codes.iter_mut().zip(scores.as_chunks().0) {
            code.scores = scores;
        }
        if reader.has_rays() {
            let rays = reader.small_numbers(2 * POINT_CODES)?;
            for (code, &rays) in codes.iter_mut().zip(rays.as_chunks().0) {
                code.rays = rays;
            }
        }
        for row in codes.iter_mut().map(|code| &mut code.regions).chain([&mut stones[color]]) {
            *row = RegionRow(reader.bytes::<REGION_NUMBERS>()?).seen_by(color);
        }
        for bias in &mut region_bias {
            bias.0[color as usize * REGION_VIEW..][..REGION_VIEW]
                .copy_from_slice(&reader.smalls::<REGION_VIEW>()?);
        }
        layers.push(reader.kinds()?);
    }
    if colors == 1 {
        for code in 0..POINT_CODES {
            codes[Color::White][code] = codes[Color::Black][code].seen_by(Color::White);
        }
        stones[Color::White] = stones[Color::Black].seen_by(Color::White);
        region_bias.iter_mut().for_each(|bias| bias.0.copy_within(..REGION_VIEW, REGION_VIEW));
        layers.push(layers[0].clone());
    }
    let (points_per_unit, score_factor) = (reader.whole()?, reader.whole()?);
    if points_per_unit <= 0 || score_factor <= 0 {
        return Err(WeightsError("weights without a scale"));
    }
    let is_whole = reader.rest.is_empty();
    let layers =
        layers.try_into().ok().filter(|_| is_whole).ok_or(WeightsError("weights with too many numbers"))?;
    let layers = ByColor(layers);
    Ok(Network { codes, stones, region_bias, layers, points_per_unit, score_factor })
}

#[cfg(test)]
mod tests;
