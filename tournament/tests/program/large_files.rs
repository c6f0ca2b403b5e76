//! Files with very many games and players are read soon, or refused.

use serde_json::json;

use crate::common::tournament;
use crate::foreign_files::{folder, refusal, run};

#[test]
fn many_players_are_refused_and_many_games_are_read_soon() {
    let (_directory, at) = folder();
    let path = at("many.jsonl");
    let game = |number: usize, black: &str, white: &str| {
        let side = |name: &str| json!({ "name": name });
        json!({
            "game": number, "pair": number.div_ceil(2), "seed": 1, "began": 0, "rule": "freestyle", "size": "15x15",
            "clock": "", "black": side(black), "white": side(white), "opening": "", "moves": "h8", "played": [],
            "result": (["1-0", "0-1", "1/2-1/2"][number % 3]), "ending": "time", "detail": "",
        })
        .to_string()
    };
    let write = |name: &dyn Fn(usize, &str) -> String| {
        let lines = (1..=100_000).map(|number| game(number, &name(number, "b"), &name(number, "w")));
        std::fs::write(&path, lines.collect::<Vec<_>>().join("\n")).unwrap();
    };
    write(&|number, side| format!("{side}{number}"));
    let file = path.to_str().unwrap();
    let message = refusal(&["rate", file]);
    assert!(message.contains("200000 players cannot be rated: the maximum is 2000"), "{message}");
    write(&|number, side| format!("{side}{}", number % 50));
    let output = run(&["rate", file]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("100000 games of 100 players"), "{output:?}");
    assert!(tournament(&["show", "--plain", "--game", "99999", file]).status.success());
}
