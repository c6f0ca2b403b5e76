//! Search info that an engine reports while it thinks: value, depth and nodes from its `MESSAGE` and `DEBUG`
//! lines.
//!
//! There is no standard format. This module looks for words that many engines use, in any case and order,
//! followed by a value after blanks, `:` or `=`. It ignores everything else and cannot fail.

use std::time::Duration;

use crate::model::record::{MoveRecord, Value};

/// The latest values that an engine reported; later lines override earlier ones, field by field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchInfo {
    /// Value of the position for the engine.
    pub value: Option<Value>,
    /// Nominal depth in plies.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
}

impl SearchInfo {
    /// Updates the values from `line`.
    pub fn note(&mut self, line: &str) {
        let is_separator = |c: char| c.is_whitespace() || "|,;:=()[]".contains(c);
        let mut words = line.split(is_separator).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            let Some(next) = words.peek() else { return };
            let is = |names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name));
            if is(&["value", "val", "eval", "evaluation", "ev", "score"]) {
                self.value = parse_value(next).or(self.value);
            } else if is(&["depth", "d"]) {
                self.depth = parse_depth(next).or(self.depth);
            } else if is(&["nodes", "node", "n"]) {
                self.nodes = parse_count(next).or(self.nodes);
            }
        }
    }

    /// The record of a move that took `used`, rounded to microseconds.
    pub fn into_record(self, used: Duration) -> MoveRecord {
        MoveRecord {
            ms: used.as_micros() as f64 / 1000.0,
            value: self.value,
            depth: self.depth,
            nodes: self.nodes,
        }
    }
}

/// `85`, `-20`, `+13`, `0.4` (rounded), `+M5`, `-M4`, `M5`, `#-4`.
fn parse_value(word: &str) -> Option<Value> {
    let mate = |text: &str| text.parse().ok();
    let (sign, rest) = match word.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, word.strip_prefix('+').unwrap_or(word)),
    };
    if let Some(plies) = rest.strip_prefix(['M', 'm']) {
        return Some(if sign > 0 { Value::Wins(mate(plies)?) } else { Value::Loses(mate(plies)?) });
    }
    if let Some(plies) = word.strip_prefix('#') {
        return Some(match plies.strip_prefix('-') {
            Some(plies) => Value::Loses(mate(plies)?),
            None => Value::Wins(mate(plies)?),
        });
    }
    let number: f64 =
        if rest.starts_with(|c: char| c.is_ascii_digit()) { rest.parse().ok()? } else { return None };
    let points = number.round();
    (points < f64::from(i32::MAX)).then(|| Value::Points(sign * points as i32))
}

/// `12`, `12-23`, `12/23`: the first number.
fn parse_depth(word: &str) -> Option<u32> {
    word.split(['-', '/']).next()?.parse().ok()
}

/// `1000000`, `1000K`, `1.5M`, `2G`.
fn parse_count(word: &str) -> Option<u64> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &word[digits.len()..] {
        "" => 1.0,
        "k" | "K" => 1e3,
        "m" | "M" => 1e6,
        "g" | "G" => 1e9,
        _ => return None,
    };
    match digits.parse::<u64>() {
        Ok(number) if unit == 1.0 => Some(number),
        _ => digits
            .parse::<f64>()
            .ok()
            .filter(|&number| (0.0..1e9).contains(&number))
            .map(|n| (n * unit) as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info_of(line: &str) -> (Option<Value>, Option<u32>, Option<u64>) {
        let mut info = SearchInfo::default();
        info.note(line);
        (info.value, info.depth, info.nodes)
    }

    #[test]
    fn lines_of_many_engines_are_understood() {
        let points = |value| Some(Value::Points(value));
        let cases = [
            (
                "MESSAGE depth 12-23 value 85 nodes 1000000 nps 1000000 time 1000 pv h8i9",
                points(85),
                Some(12),
                Some(1_000_000),
            ),
            (
                "MESSAGE Depth 12-23 | Eval -85 | Node 1000K | Time 3ms | H8 I9",
                points(-85),
                Some(12),
                Some(1_000_000),
            ),
            ("MESSAGE ev -12 d 10 n 1.5M", points(-12), Some(10), Some(1_500_000)),
            ("MESSAGE DEPTH: 8/14 VAL: +M5", Some(Value::Wins(5)), Some(8), None),
            ("MESSAGE eval=-M4, nodes=7", Some(Value::Loses(4)), None, Some(7)),
            ("MESSAGE score 0.6", points(1), None, None),
            ("MESSAGE score #-4", Some(Value::Loses(4)), None, None),
        ];
        for (line, value, depth, nodes) in cases {
            assert_eq!(info_of(line), (value, depth, nodes), "{line}");
        }
    }

    #[test]
    fn what_is_no_number_is_passed_over() {
        for line in [
            "MESSAGE",
            "MESSAGE value",
            "MESSAGE value of nothing",
            "MESSAGE eval 53.1% depth one nodes many",
            "MESSAGE eval 99999999999999999999 depth 99999999999 nodes -4",
            "MESSAGE eval --3 eval +-3 eval nan eval inf eval M eval \u{1F600}",
            "DEBUG n 3\u{e9}",
        ] {
            assert_eq!(info_of(line), (None, None, None), "{line}");
        }
    }

    #[test]
    fn later_lines_overrule_field_by_field() {
        let mut info = SearchInfo::default();
        info.note("MESSAGE depth 5 value 10 nodes 100");
        info.note("MESSAGE depth 6 value 20");
        info.note("MESSAGE REALTIME BEST 7,7");
        assert_eq!(info, SearchInfo { value: Some(Value::Points(20)), depth: Some(6), nodes: Some(100) });
    }
}
