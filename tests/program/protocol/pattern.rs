//! The patterns of the transcripts: plain text, `.*` for anything, `(a|b)` for either, `x,y` for a point.

/// The points in `text` at each `x,y` of `pattern`, or `None` if they do not match.
pub fn matches(pattern: &str, text: &str) -> Option<Vec<(i32, i32)>> {
    expand(pattern).iter().find_map(|plain| {
        let mut points = Vec::new();
        match_plain(plain, text, &mut points).then_some(points)
    })
}

/// All patterns without parentheses that `pattern` expands to.
fn expand(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('(') else {
        return vec![pattern.to_owned()];
    };
    let (choices, after) = rest.split_once(')').expect("parentheses are closed");
    let tails = expand(after);
    let heads = choices.split('|').map(|choice| format!("{before}{choice}"));
    heads.flat_map(|head| tails.iter().map(move |tail| format!("{head}{tail}"))).collect()
}

fn match_plain(pattern: &str, text: &str, points: &mut Vec<(i32, i32)>) -> bool {
    if let Some(rest) = pattern.strip_prefix(".*") {
        let mut cuts = text.char_indices().map(|(i, _)| i).chain([text.len()]);
        return cuts.any(|cut| match_plain(rest, &text[cut..], points));
    }
    if let Some(rest) = pattern.strip_prefix("x,y") {
        let end = text.find(|c: char| c != ',' && !c.is_ascii_digit()).unwrap_or(text.len());
        let point = text[..end].split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
        points.extend(point);
        return point.is_some() && match_plain(rest, &text[end..], points);
    }
    match (pattern.chars().next(), text.chars().next()) {
        (None, None) => true,
        (Some(a), Some(b)) if a == b => match_plain(&pattern[a.len_utf8()..], &text[b.len_utf8()..], points),
        _ => false,
    }
}

#[test]
fn patterns_match_what_they_should() {
    assert_eq!(matches("x,y x,y", "7,7 10,3"), Some(vec![(7, 7), (10, 3)]));
    assert_eq!(matches("(SWAP|x,y|x,y x,y)", "SWAP"), Some(vec![]));
    assert_eq!(matches("(x,y|ERROR .*)", "ERROR 1,2 is taken"), Some(vec![]));
    assert_eq!(matches(r#"a=".*", b=".*""#, r#"a="1", b="2""#), Some(vec![]));
    for (pattern, text) in [("x,y", "7,7 8,8"), ("x,y", "7"), ("OK", "OKAY"), ("OK", ""), ("(a|b)", "c")] {
        assert_eq!(matches(pattern, text), None, "{pattern} {text}");
    }
}
