//! The names of code pages.

use encoding_rs::{Encoding, X_USER_DEFINED};

use super::CodePage;

/// The code page with a name of the Encoding Standard.
pub(super) fn standard(name: &str) -> Option<CodePage> {
    Encoding::for_label_no_replacement(name.as_bytes())
        .filter(|encoding| encoding.is_ascii_compatible() && *encoding != X_USER_DEFINED)
        .map(CodePage)
}

/// Names whose spelling varies.
pub(super) const LABELS: [&str; 12] = [
    "utf-8",
    "gbk",
    "gb2312",
    "gb18030",
    "big5",
    "shift_jis",
    "euc-jp",
    "euc-kr",
    "koi8-r",
    "koi8-u",
    "latin1",
    "latin2",
];

/// The name of a Windows code page given by its number.
pub(super) fn name_of_number(number: u32) -> Option<&'static str> {
    Some(match number {
        932 => "shift_jis",
        936 => "gbk",
        949 | 51949 => "euc-kr",
        950 => "big5",
        54936 => "gb18030",
        20932 | 51932 => "euc-jp",
        65001 => "utf-8",
        874 => "windows-874",
        866 => "ibm866",
        1250 => "windows-1250",
        1251 => "windows-1251",
        1252 | 28591 => "windows-1252",
        1253 => "windows-1253",
        1254 => "windows-1254",
        1255 => "windows-1255",
        1256 => "windows-1256",
        1257 => "windows-1257",
        1258 => "windows-1258",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_pages_have_many_names() {
        for (label, name) in [
            ("cp936", "GBK"),
            ("MS932", "Shift_JIS"),
            ("Windows-31J", "Shift_JIS"),
            ("SHIFT-JIS", "Shift_JIS"),
            ("EUC_KR", "EUC-KR"),
            ("uhc949", "EUC-KR"),
            ("Big-5", "Big5"),
            ("Latin-1", "windows-1252"),
            ("ISO-8859-2", "ISO-8859-2"),
            ("CP1250", "windows-1250"),
            ("windows 1251", "windows-1251"),
            ("GB-18030", "gb18030"),
            ("UTF8", "UTF-8"),
            (" utf-8 ", "UTF-8"),
        ] {
            assert_eq!(
                CodePage::of_label(label).map(|page| page.to_string()).as_deref(),
                Some(name),
                "{label}"
            );
        }
        assert!(["", "klingon", "4", "1259"].iter().all(|label| CodePage::of_label(label).is_none()));
    }

    #[test]
    fn only_code_pages_with_ascii_have_a_name() {
        assert_eq!("GB2312".parse::<CodePage>().unwrap().to_string(), "GBK");
        for name in ["", "utf-16le", "iso-2022-jp", "x-user-defined", "replacement", "klingon"] {
            let error = name.parse::<CodePage>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{name}' is not a code page")), "{error}");
        }
    }
}
