//! Factors of the rows of codes: a code's row is the sum of its own row and the rows of the groups that it
//! belongs to.

use kakugo::rules::{LineClass, POINT_CODES, point_codes};

/// A partition of the codes, coarse or fine.
#[derive(Clone, Debug)]
pub struct Factor {
    /// The group of each code.
    pub group: Vec<u32>,
    /// Number of groups.
    pub groups: usize,
    /// Whether every code is its own group: its weights are pulled towards zero.
    pub is_own: bool,
}

/// The factors of a code: its strongest line, its two strongest, its three strongest, and all four.
pub fn factors() -> Vec<Factor> {
    let lines: Vec<[usize; 4]> = point_codes().map(|lines| lines.map(|class| class as usize)).collect();
    let n = LineClass::COUNT;
    let factor = |strongest: usize, groups: usize| {
        let group = |lines: &[usize; 4]| {
            lines[4 - strongest..].iter().rev().fold(0, |group, class| group * n + class)
        };
        Factor { group: lines.iter().map(|lines| group(lines) as u32).collect(), groups, is_own: false }
    };
    let own = Factor { group: (0..POINT_CODES as u32).collect(), groups: POINT_CODES, is_own: true };
    vec![factor(1, n), factor(2, n * n), factor(3, n * n * n), own]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finer_factors_part_what_coarser_ones_part() {
        let factors = factors();
        for pair in factors.windows(2) {
            let [coarse, fine] = pair else { unreachable!("windows of two") };
            for a in 0..POINT_CODES {
                assert!((fine.group[a] as usize) < fine.groups);
                for b in (0..a).step_by(7) {
                    assert!(
                        fine.group[a] != fine.group[b] || coarse.group[a] == coarse.group[b],
                        "{a} and {b}"
                    );
                }
            }
        }
    }
}
