//! Reading and writing weights files.

use super::super::layer::Layer;
use super::super::network::INPUTS;
use super::super::threats::THREAT_SETS;
use super::*;

const FREESTYLE: &[u8] = include_bytes!("freestyle.net");

#[test]
fn files_survive_decoding_and_encoding() {
    const FILES: [(&[u8], RuleKind, u8); 4] = [
        (FREESTYLE, RuleKind::Freestyle, 1),
        (include_bytes!("standard.net"), RuleKind::Standard, 1),
        (include_bytes!("renju.net"), RuleKind::Renju, 2),
        (include_bytes!("caro.net"), RuleKind::Caro, 1),
    ];
    for (bytes, rule, colors) in FILES {
        let file = WeightsFile::decode(bytes).expect("a file of weights");
        assert_eq!(file.rule, rule);
        assert!(!file.note.is_empty());
        assert_eq!(file.encode(colors), bytes);
    }
}

/// Converts the numbers of a file to the previous format version.
struct Converter<'a> {
    rest: &'a [u8],
    converted: Vec<u8>,
}

impl Converter<'_> {
    fn bytes(&mut self, kept: usize, skipped: usize) {
        self.converted.extend(&self.rest[..kept]);
        self.rest = &self.rest[kept + skipped..];
    }

    /// An array of numbers, whose bytes were next to each other.
    fn array(&mut self, kept: usize, skipped: usize) {
        let (array, rest) = self.rest.split_at(2 * (kept + skipped));
        let (low, high) = array.split_at(kept + skipped);
        self.converted.extend(low.iter().zip(high).take(kept).flat_map(|(&low, &high)| [low, high]));
        self.rest = rest;
    }
}

/// The file in the previous version, without the parts that it did not have.
fn without_rays(file: &WeightsFile) -> Vec<u8> {
    let numbers = numbers(&file.network, 1);
    let mut converter = Converter { rest: &numbers, converted: Vec::new() };
    converter.bytes(POINT_CODES * FEATURES, 0);
    converter.array(2 * POINT_CODES, 0);
    converter.array(0, 2 * POINT_CODES);
    converter.bytes((POINT_CODES + 1) * REGION_NUMBERS, 0);
    (0..REGION_CLIPS).for_each(|_| converter.array(REGION_VIEW, 0));
    for _ in 0..KINDS {
        for inputs in [INPUTS, HIDDEN] {
            converter.array(HIDDEN * inputs, 0);
            converter.bytes(4 * HIDDEN, 0);
        }
        converter.array(HIDDEN, 0);
        converter.array(INPUTS, 0);
        converter.bytes(4, 0);
        converter.array(THREAT_SETS * THREAT_SETS, 0);
        converter.array(HIDDEN * INPUTS_WITHOUT_RAYS, HIDDEN * RAY_GROUPS);
        converter.bytes(4 * INPUTS_WITHOUT_RAYS, 4 * RAY_GROUPS);
        converter.array(HIDDEN, 0);
        converter.bytes(4, 0);
    }
    converter.bytes(8, 0);
    let packed = compress_to_vec_zlib(&converter.converted, COMPRESSION);
    let mut bytes = [MAGIC, &[WITHOUT_RAYS, file.rule.code() as u8, 1]].concat();
    bytes.extend(SHAPE[..SHAPE.len() - 1].iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend([0, 0]);
    bytes.extend((packed.len() as u32).to_le_bytes());
    bytes.extend(packed);
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

#[test]
fn networks_that_do_not_know_rays_are_read() {
    let file = WeightsFile::decode(FREESTYLE).expect("a file of weights");
    let read = WeightsFile::decode(&without_rays(&file)).expect("a file of the version before");
    let mut expected = file.network.clone();
    for color in Color::ALL {
        expected.codes[color].iter_mut().for_each(|code| code.rays = [0; 2]);
        for layers in expected.layers[color].iter_mut() {
            let (weights, bias) = (layers.policy.weights(), *layers.policy.bias());
            let known = |neuron: usize| i32::from(neuron < INPUTS_WITHOUT_RAYS);
            let bias = std::array::from_fn(|neuron| bias[neuron] * known(neuron));
            layers.policy =
                Layer::new(bias, |neuron, input| weights[neuron * HIDDEN + input] * known(neuron) as i16);
        }
    }
    assert_eq!(read.network.fingerprint(), expected.fingerprint());
    assert_ne!(read.network.fingerprint(), file.network.fingerprint(), "the rays count");
}

#[test]
fn notes_that_are_too_long_are_cut_off_between_characters() {
    for (character, kept) in [("x", 65_535), ("é", 32_767)] {
        let mut file = WeightsFile::decode(FREESTYLE).expect("a file of weights");
        file.note = character.repeat(70_000 / character.len());
        let read = WeightsFile::decode(&file.encode(1)).expect("a file of weights");
        assert!(read.note == character.repeat(kept), "{} bytes of {character}", read.note.len());
        assert_eq!(read.network.fingerprint(), file.network.fingerprint());
    }
}

#[test]
fn damaged_files_are_refused() {
    for at in (0..FREESTYLE.len()).step_by(97).chain(0..20) {
        let mut damaged = FREESTYLE.to_vec();
        damaged[at] ^= 32;
        assert!(WeightsFile::decode(&damaged).is_err(), "byte {at}");
        assert!(WeightsFile::decode(&FREESTYLE[..at]).is_err(), "{at} bytes");
    }
    let refused = |bytes: &[u8]| WeightsFile::decode(bytes).expect_err("a fault").to_string();
    assert_eq!(refused(b"\x7fELF"), "not a weights file");
    assert_eq!(refused(b"KAKUNET"), "truncated weights");
    assert_eq!(refused(b"KAKUNET\x04"), "weights in an unsupported format version");
    assert_eq!(refused(&FREESTYLE[..FREESTYLE.len() / 2]), "truncated weights");
    assert_eq!(refused(&[FREESTYLE, b"x"].concat()), "weights followed by extra data");
    let mut flipped = FREESTYLE.to_vec();
    flipped[FREESTYLE.len() / 2] ^= 1;
    assert_eq!(refused(&flipped), "damaged weights");
}

#[test]
fn weights_without_a_scale_are_refused() {
    for (points, score_factor) in [(0, 1), (1, 0), (-1, 1)] {
        let mut file = WeightsFile::decode(FREESTYLE).expect("a file of weights");
        file.network.points_per_unit *= points;
        file.network.score_factor *= score_factor;
        let fault = WeightsFile::decode(&file.encode(1)).expect_err("a fault");
        assert_eq!(fault.to_string(), "weights without a scale");
    }
}
