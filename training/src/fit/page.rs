//! A page of HTML that compares networks: one file, without a script.

use std::fmt::Write as _;

use anyhow::Result;
use kakugo::page::{BASE_STYLE, Template, escape_text};

use super::compare::{Comparison, GroupLosses};
use super::losses::{Losses, Mean};
use super::plot;

const TEMPLATE: Template =
    Template { html: include_str!("page.html"), style: &[BASE_STYLE, include_str!("page.css")], script: &[] };

/// The page of a comparison of networks with these notes.
///
/// # Errors
/// Returns an error if a plot cannot be drawn.
pub fn page(title: &str, comparison: &Comparison, notes: &[&str]) -> Result<String> {
    let [before, after] = TEMPLATE.around_data(title);
    let mut text = before;
    write_table(&mut text, comparison);
    text.push_str("<h2>Plots</h2>\n");
    text.push_str(&plot::svg(&comparison.panels)?);
    text.push_str("<h2>Notes of the weight files</h2>\n");
    for (name, note) in comparison.names.iter().zip(notes) {
        let (name, note) = (escape_text(name), note.lines().map(escape_text).collect::<Vec<_>>().join("\n"));
        let _ = writeln!(text, "<details><summary>{name}</summary><pre>{note}</pre></details>");
    }
    Ok(text + &after)
}

/// The losses; the least value and policy losses of each row are marked.
fn write_table(text: &mut String, comparison: &Comparison) {
    text.push_str("<table>\n<thead><tr><th rowspan=\"2\">positions</th><th rowspan=\"2\">number</th>");
    for name in &comparison.names {
        let _ = write!(text, "<th colspan=\"3\">{}</th>", escape_text(name));
    }
    text.push_str("</tr>\n<tr>");
    comparison.names.iter().for_each(|_| text.push_str("<th>value</th><th>policy</th><th>its best</th>"));
    text.push_str("</tr></thead>\n<tbody>\n");
    for GroupLosses { name, count, losses } in &comparison.rows {
        // Rows of parts are indented.
        let (kind, name) =
            if let Some(part) = name.strip_prefix("  ") { ("part", part) } else { ("all", &**name) };
        let _ = write!(text, "<tr class=\"{kind}\"><th>{}</th><td>{count}</td>", escape_text(name));
        let least =
            |of: fn(&Losses) -> Mean| losses.iter().filter_map(|losses| of(losses).if_any()).reduce(f64::min);
        let (value, policy) = (least(|losses| losses.value), least(|losses| losses.policy));
        for losses in losses {
            for (loss, least) in [(losses.value, value), (losses.policy, policy)] {
                let is_least = least.is_some() && loss.if_any() == least;
                let class = if is_least { " class=\"least\"" } else { "" };
                let _ = write!(text, "<td{class}>{}</td>", loss.text());
            }
            let _ = write!(text, "<td>{}</td>", losses.chosen.percent());
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_notes_are_text() {
        let name = "a<b>&.net".to_owned();
        let row =
            GroupLosses { name: "  0 to 9 stones".to_owned(), count: 3, losses: vec![Losses::default()] };
        let comparison = Comparison { names: vec![name], rows: vec![row], panels: Vec::new() };
        let page = page("renju <1>", &comparison, &["<script>\nsecond line"]).unwrap();
        assert!(page.contains("<title>renju &lt;1&gt;</title>"), "{page}");
        assert!(page.contains("a&lt;b&gt;&amp;.net") && !page.contains("a<b"), "{page}");
        assert!(page.contains("&lt;script&gt;\nsecond line"), "{page}");
        assert!(page.contains("<tr class=\"part\"><th>0 to 9 stones</th><td>3</td>"), "{page}");
        assert!(!page.contains("{{"), "{page}");
    }
}
