//! Recognises rules by the names that programs and federations use for them.
//!
//! Opening procedures of renju mean renju. Words that only name the game, such as `Gomoku`, or an opening
//! procedure of gomoku, do not determine a rule. Two rules at once, or a game of another kind, are not
//! recognised.

use crate::rules::{Rule, RuleKind};

/// The rule described by a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleWords {
    /// This rule.
    Known(Rule),
    /// Only the name of the game.
    Unspecified,
    /// Another rule or game, or more than one.
    Other,
}

/// Rules with fouls for black, including opening procedures of such games.
const RENJU: [&str; 18] = [
    "renju",
    "rif",
    "soosorv",
    "soosyrv",
    "soosõrv",
    "taraguchi",
    "taraguti",
    "yamaguchi",
    "yamaguti",
    "tarannikov",
    "sakata",
    "rendzu",
    "рэндзю",
    "ренджу",
    "連珠",
    "连珠",
    "렌주",
    "禁手",
];
const FREESTYLE: [&str; 3] = ["freestyle", "fastgame", "фристайл"];
const CARO: &str = "caro";
/// Next to the name of another rule, these words mean its usual form.
const FREE: [&str; 4] = ["free", "自由", "无禁手", "無禁手"];
const STANDARD: [&str; 6] = ["standard", "exact", "exactly", "стандарт", "标准", "標準"];
/// Words that do not determine a rule.
const NEUTRAL: [&str; 42] = [
    "gomoku",
    "go",
    "moku",
    "narabe",
    "gomokunarabe",
    "gobang",
    "wuziqi",
    "piskvorky",
    "piskvork",
    "gomocup",
    "five",
    "in",
    "a",
    "row",
    "fiveinarow",
    "rule",
    "rules",
    "game",
    "games",
    "style",
    "group",
    "league",
    "the",
    "of",
    "by",
    "with",
    "and",
    "opening",
    "openings",
    "tournament",
    "x",
    "swap",
    "pro",
    "long",
    "longpro",
    "international",
    "classic",
    "classical",
    "official",
    "五子棋",
    "五目並べ",
    "规则",
];
/// Other games, and words that invert the meaning of a rule's name.
const FOREIGN: [&str; 22] = [
    "connect",
    "six",
    "pente",
    "keryo",
    "ninuki",
    "othello",
    "reversi",
    "chess",
    "hex",
    "checkers",
    "tic",
    "tictactoe",
    "weiqi",
    "baduk",
    "igo",
    "continuous",
    "no",
    "non",
    "not",
    "without",
    "anti",
    "four",
];
/// Words of scripts that put no blanks between words: they may occur anywhere in the text. `无禁手` comes before `禁手`,
/// which it contains.
const UNSPACED: [&str; 12] = [
    "无禁手",
    "無禁手",
    "禁手",
    "連珠",
    "连珠",
    "렌주",
    "自由",
    "标准",
    "標準",
    "五子棋",
    "五目並べ",
    "规则",
];

impl RuleWords {
    /// Recognises the rule in `text`: the name of a rule or its code, or words of other programs.
    pub fn of(text: &str) -> RuleWords {
        let text = text.trim();
        // The callers read names of continuous games first. Other words in brackets may mean anything.
        if let Some(rule) = text.parse::<Rule>().ok().filter(|_| !text.ends_with(')')) {
            return RuleWords::Known(rule);
        }
        let words = words(text);
        if words.is_empty() {
            return RuleWords::Other;
        }
        let any = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let strong = [
            (any(&RENJU), RuleKind::Renju),
            (any(&FREESTYLE), RuleKind::Freestyle),
            (any(&[CARO]), if any(&STANDARD[1..3]) { RuleKind::CaroExact } else { RuleKind::Caro }),
        ];
        let mut strong = strong.into_iter().filter(|(is_there, _)| *is_there).map(|(_, kind)| kind);
        match (strong.next(), strong.next()) {
            _ if any(&FOREIGN) => RuleWords::Other,
            (Some(kind), None) => RuleWords::Known(kind.into()),
            (Some(_), Some(_)) => RuleWords::Other,
            (None, _) => {
                let is_plain = |word: &String| {
                    [&FREE[..], &STANDARD, &NEUTRAL].iter().any(|known| known.contains(&word.as_str()))
                };
                match (any(&FREE), any(&STANDARD), words.iter().all(is_plain)) {
                    (true, false, true) => RuleWords::Known(RuleKind::Freestyle.into()),
                    (false, true, true) => RuleWords::Known(RuleKind::Standard.into()),
                    (false, false, true) => RuleWords::Unspecified,
                    _ => RuleWords::Other,
                }
            }
        }
    }
}

/// The words of a text in lower case, without the numbers after and between them.
fn words(text: &str) -> Vec<String> {
    let mut text = text.to_lowercase();
    let mut words = Vec::new();
    for word in UNSPACED {
        if text.contains(word) {
            text = text.replace(word, " ");
            words.push(word.to_owned());
        }
    }
    let letters = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.extend(letters.map(str::to_owned));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_recognised_by_the_names_of_other_programs() {
        let known: [(&str, &[&str]); 5] = [
            (
                "renju",
                &[
                    "RIF",
                    "Soosorv-8",
                    "Soosõrv-8",
                    "Taraguchi-10",
                    "Taraguchi10",
                    "Yamaguchi",
                    "Renju (RIF)",
                    "Renju1",
                    "Renju 2",
                    "renju rules",
                    "Tarannikov",
                    "Sakata",
                    "Free renju",
                    "Standard Renju",
                    "RIF opening rule",
                    "Renju, Soosyrv",
                    "Renju_15x15",
                    "連珠",
                    "有禁手",
                    "advanced",
                    "Gomoku/Renju",
                ],
            ),
            (
                "freestyle",
                &[
                    "freestyle gomoku",
                    "Gomoku (freestyle)",
                    "Freestyle15_1",
                    "Freestyle20",
                    "Fastgame1",
                    "free",
                    "Free gomoku",
                    "Free-style",
                    "FREE STYLE",
                    "Freestyle 15x15",
                    "无禁手",
                    "五子棋 自由",
                    "Gomoku free rule",
                ],
            ),
            (
                "standard",
                &["Gomoku standard", "Standard2", "Standard gomoku rule", "Exactly five", "Standard15_1"],
            ),
            ("caro", &["Caro1", "Gomoku caro", "Caro (Vietnam)", "CARO rules"]),
            ("caro-exact", &["Caro exact", "caro, exactly five"]),
        ];
        for (name, texts) in known {
            for text in texts {
                assert_eq!(RuleWords::of(text), RuleWords::Known(name.parse().unwrap()), "{text}");
            }
        }
        for text in ["Gomoku", "Go-Moku", "five in a row", "Swap2", "gobang", "五子棋"] {
            assert_eq!(RuleWords::of(text), RuleWords::Unspecified, "{text}");
        }
        for text in [
            "Connect6",
            "Connect 6 freestyle",
            "Pente",
            "Japanese",
            "Chinese",
            "AGA",
            "chess",
            "Renju or freestyle",
            "non-renju",
            "no renju rules",
            "renju (continuous)",
            "Omok",
            "Standard chess",
            "free standard",
            "?",
            "17",
            "Ninuki-renju",
        ] {
            assert_eq!(RuleWords::of(text), RuleWords::Other, "{text}");
        }
    }
}
