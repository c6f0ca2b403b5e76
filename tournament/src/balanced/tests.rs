use super::*;
use crate::model::game_kind::GameKind;
use crate::openings::list;
use std::fs;

fn recipe() -> Recipe {
    Recipe { rule: Rule::default(), size: Size::default(), stones: 3..=5, nodes: 1000, bound: 10, seed: 5 }
}

/// A judge without an engine: the value is an arbitrary function of the stones.
fn judge(opening: &[Point]) -> Result<Value> {
    let sum: usize = opening.iter().map(|point| point.index() * point.index()).sum();
    Ok(if sum.is_multiple_of(7) { Value::Wins(5) } else { Value::Points((sum % 60) as i32 - 30) })
}

fn book_at(path: &Path, wanted: usize) -> Result<OpeningsProgress> {
    let recipe = recipe();
    let mut book = BookFile::open(path, &recipe, "name=\"x\"")?;
    make(&recipe, wanted, &mut book, |opening, _| judge(opening).map(Some), |_| {})
}

#[test]
fn a_book_holds_level_openings_each_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("book.txt");
    let progress = book_at(&path, 40).unwrap();
    assert!(progress.found == 40 && progress.judged > 80);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(
        "# Level openings: rule freestyle, board 15x15, stones 3-5, value within 10 after 1000 nodes and 30 after 100, seed"
    ));
    let openings = list::parse(&text, &GameKind::Rule(Rule::default(), Size::default())).unwrap();
    let forms: HashSet<_> =
        openings.iter().map(|opening| symmetry::canonical(opening, Size::default())).collect();
    assert_eq!((openings.len(), forms.len()), (40, 40));
    for opening in &openings {
        assert!(recipe().is_level(judge(opening).unwrap()) && recipe().stones.contains(&opening.len()));
    }
    assert!([3, 4, 5].iter().all(|&stones| openings.iter().any(|opening| opening.len() == stones)));
}

#[test]
fn what_is_far_from_level_at_a_first_look_is_not_judged() {
    let dir = tempfile::tempdir().unwrap();
    let mut book = BookFile::open(&dir.path().join("book.txt"), &recipe(), "").unwrap();
    let (mut looks, mut judged) = (0, 0);
    let value = |_: &[Point], nodes| {
        let points = match nodes {
            // Every second value is just within three times the bound, the others just outside.
            Nodes::First => {
                looks += 1;
                30 + looks % 2
            }
            Nodes::All => {
                judged += 1;
                -10
            }
        };
        Ok(Some(Value::Points(points)))
    };
    let progress = make(&recipe(), 5, &mut book, value, |_| {}).unwrap();
    assert_eq!((progress.found, progress.judged, looks, judged), (5, 10, 10, 5));
}

#[test]
fn candidates_without_a_value_are_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let mut book = BookFile::open(&dir.path().join("book.txt"), &recipe(), "").unwrap();
    let mut asked = 0;
    let value = |_: &[Point], nodes| {
        asked += 1;
        // No value at the first look, none at the second, or balanced.
        Ok((asked % 5 > 2 || nodes == Nodes::First && asked % 5 == 2).then_some(Value::Points(0)))
    };
    let progress = make(&recipe(), 3, &mut book, value, |_| {}).unwrap();
    assert!(progress.found == 3 && progress.without_value > 0, "{progress:?}");
    assert_eq!(progress.judged, progress.found + progress.without_value);
}

#[test]
fn an_interrupted_book_becomes_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, torn) = (dir.path().join("whole.txt"), dir.path().join("torn.txt"));
    book_at(&whole, 20).unwrap();
    let text = fs::read_to_string(&whole).unwrap();
    for cut in [0, 9, 100, 150, text.len() / 2, text.len() - 1, text.len()] {
        fs::write(&torn, &text[..cut]).unwrap();
        book_at(&torn, 20).unwrap();
        assert_eq!(fs::read_to_string(&torn).unwrap(), text, "cut at {cut}");
    }
    // A complete book needs no judging.
    assert_eq!(book_at(&whole, 20).unwrap(), OpeningsProgress { found: 20, judged: 0, without_value: 0 });
}

#[test]
fn other_files_are_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("letter.txt");
    fs::write(&path, "Dear Sir,\n").unwrap();
    let header = recipe().header();
    for (text, why) in [
        ("Dear Sir,\n", "it is not a book made with these settings; it begins with 'Dear Sir,'"),
        ("Dear Sir", "it is not a book made with these settings; it begins with 'Dear Sir'"),
        (&format!("{header}, 3\n"), "it is not a book made with these settings"),
        // The whole line shows which setting differs.
        (&header.replace("seed 5", "seed 1\n"), "and 30 after 100, seed 1'"),
        (&format!("{header}\n# Judge: name=\"x\"\nmy notes"), "its last line is not an opening: 'my notes'"),
        (&format!("{header}\nmy notes\n"), "opening 1 does not match these settings: my notes"),
    ] {
        fs::write(&path, text).unwrap();
        let error = format!("{:#}", book_at(&path, 3).unwrap_err());
        assert!(error.contains(why), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::write(&path, format!("{}\n9,9, 8,8\n", recipe().header())).unwrap();
    let error = format!("{:#}", book_at(&path, 3).unwrap_err());
    assert!(error.ends_with("opening 1 does not match these settings: 9,9, 8,8"), "{error}");
}

#[test]
fn comments_stay_and_another_judge_continues() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("book.txt");
    for more in ["", "# my notes\n", "# Judge: name=\"another\"\n# Jud", "# Judge: na"] {
        fs::write(&path, format!("{}\n{more}", recipe().header())).unwrap();
        book_at(&path, 2).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let whole = &more[..more.rfind('\n').map_or(0, |end| end + 1)];
        assert!(text.starts_with(&format!("{}\n{whole}", recipe().header())), "{text}");
        assert_eq!(text.lines().filter(|line| !line.starts_with('#')).count(), 2, "{text}");
    }
    let mut open = BookFile::open(&dir.path().join("other"), &recipe(), "a\u{1b}[2J\rb").unwrap();
    open.append("0,0").unwrap();
    assert!(fs::read_to_string(dir.path().join("other")).unwrap().ends_with("# Judge: a\\x1b[2J\\rb\n0,0\n"));
}

#[test]
fn one_program_at_a_time_writes_a_book() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("book.txt");
    let held = BookFile::open(&path, &recipe(), "").unwrap();
    let error = format!("{:#}", BookFile::open(&path, &recipe(), "").unwrap_err());
    assert!(error.ends_with("book.txt: another process writes to it"), "{error}");
    drop(held);
    BookFile::open(&path, &recipe(), "").unwrap();
}

#[test]
fn a_small_board_runs_out_of_candidates() {
    let dir = tempfile::tempdir().unwrap();
    let recipe = Recipe { size: Size::square(5).unwrap(), stones: 1..=1, ..recipe() };
    let mut book = BookFile::open(&dir.path().join("book.txt"), &recipe, "").unwrap();
    let even = |_: &[Point], _| Ok(Some(Value::Points(0)));
    let error = make(&recipe, 100, &mut book, even, |_| {}).unwrap_err();
    // On a 5x5 board, a single stone has six places that are distinct under symmetry.
    assert_eq!(error.to_string(), "only 6 openings found, and no candidates are left");
    // Continuing a book that has a seventh opening ends just as soon.
    book.append("0,0").unwrap();
    let path = book.path.clone();
    drop(book);
    let mut book = BookFile::open(&path, &recipe, "").unwrap();
    let error = make(&recipe, 100, &mut book, even, |_| {}).unwrap_err();
    assert!(format!("{error:#}").ends_with("opening 7 does not match these settings: 0,0"), "{error:#}");
}
