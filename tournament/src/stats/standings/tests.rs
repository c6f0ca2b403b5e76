use super::*;
use crate::files::blank;
use crate::model::record::GameResult;

const ALL: Tables = Tables { duels: true, openings: true };

fn standings(games: &[GameRecord], left_out: usize) -> Standings {
    Standings::new(games, left_out, DrawModel::Half, &[]).unwrap()
}

fn games() -> Vec<GameRecord> {
    let results = [
        GameResult::Black,
        GameResult::White,
        GameResult::Black,
        GameResult::Draw,
        GameResult::Black,
        GameResult::Black,
    ];
    results
        .iter()
        .enumerate()
        .map(|(index, &result)| {
            let mut game = blank(index + 1);
            (game.pair, game.result) = (index / 2 + 1, result);
            let names = if index % 2 == 0 { ["one", "two"] } else { ["two", "one"] };
            [game.black.name, game.white.name] = names.map(str::to_owned);
            game.opening = ["h8", "h9", "h10"][index / 2].to_owned();
            game
        })
        .collect()
}

#[test]
fn two_players_are_shown_with_their_pairs() {
    let text = standings(&games(), 1).to_text(ALL);
    for line in [
        "6 games of 2 players; black 75.0%, draws 16.7%",
        "1 game without a result or a second player is skipped",
        "one - two: +4 -1 =1 (75.0%)",
        "    as black +3 -0 =0 (100.0%), as white +1 -1 =1 (50.0%)",
        "     2  100.0%    0.0%  h10",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(text.contains("3 pairs of games with 0, 0.5, 1, 1.5, 2 points: 0 0 1 1 1;"), "{text}");
    assert!(text.contains("   1  one        +95  "), "half of 400 log10 3\n{text}");
}

#[test]
fn names_of_wide_characters_leave_the_columns_straight() {
    let mut games = games();
    for game in &mut games {
        for name in [&mut game.black.name, &mut game.white.name] {
            *name = name.replace("one", "日本");
        }
    }
    let text = standings(&games, 0).to_text(ALL);
    assert!(text.contains("   1  日本       +95  ") && text.contains("   2  two        -95  "), "{text}");
}

#[test]
fn sweeps_are_remarked_on_and_json_holds_no_infinity() {
    let mut games = games();
    games[3].result = GameResult::White;
    games[5].result = GameResult::White;
    let standings = standings(&games, 0);
    let text = standings.to_text(ALL);
    assert!(text.contains("every game against the rated players"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&serde_json::to_string(&standings).unwrap()).unwrap();
    assert!(json["duels"][0]["elo"]["high"].is_null(), "{json}");
    assert_eq!(json["duels"][0]["pairs"], serde_json::json!([0, 0, 0, 0, 3]));
}

#[test]
fn draws_without_davidsons_parameter_are_remarked_on() {
    let mut games = games();
    let davidson = |games: &[GameRecord]| Standings::new(games, 0, DrawModel::Davidson, &[]).unwrap();
    let text = |games: &[GameRecord]| davidson(games).to_text(ALL);
    let json = |games: &[GameRecord]| serde_json::to_value(davidson(games)).unwrap();
    let remark = "\nDraws count as half points where the games do not determine Davidson's parameter.\n";
    assert!(!text(&games).contains(remark));
    assert!(json(&games)["ratings"].get("is_without_nu").is_none(), "{}", json(&games));
    // The only win of the second player.
    let lost = games.iter_mut().find(|game| {
        let won_by = if game.result == GameResult::Black { &game.black } else { &game.white };
        game.result != GameResult::Draw && won_by.name == "two"
    });
    lost.unwrap().result = GameResult::Draw;
    assert!(text(&games).contains(remark), "{}", text(&games));
    assert_eq!(json(&games)["ratings"]["is_without_nu"], true);
}

#[test]
fn openings_are_shown_by_rule_and_board() {
    let mut games = games();
    games.iter_mut().for_each(|game| game.opening = "h8".to_owned());
    assert_eq!(standings(&games, 0).openings.len(), 1);
    games[2..4].iter_mut().for_each(|game| game.rule = "renju".to_owned());
    games[4..].iter_mut().for_each(|game| game.size = "20x20".to_owned());
    let standings = standings(&games, 0);
    let text = standings.to_text(ALL);
    for line in [
        " games   black   draws  rule             opening\n",
        "     2  100.0%    0.0%  freestyle 20x20  h8\n",
        "     2   75.0%   50.0%  renju 15x15      h8\n",
        "     2   50.0%    0.0%  freestyle 15x15  h8\n",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    let json = serde_json::to_value(&standings).unwrap();
    let first = &json["openings"][0];
    assert_eq!((&first["rule"], &first["size"]), (&"freestyle".into(), &"20x20".into()), "{json}");
}

#[test]
fn two_players_in_several_leagues_are_shown_by_league_too() {
    let mut games = games();
    assert!(standings(&games, 0).duels[0].leagues.is_empty());
    games[4..].iter_mut().for_each(|game| game.rule = "renju".to_owned());
    let text = standings(&games, 0).to_text(ALL);
    for line in ["    freestyle 15x15  +3 -0 =1 (87.5%), Elo ", "    renju 15x15      +1 -1 =0 (50.0%), Elo "]
    {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(text.contains(", pairs 0, 0, 1, 0, 0\n"), "{text}");
    games[4..].iter_mut().for_each(|game| game.league = Some("late".to_owned()));
    let leagues = &standings(&games, 0).duels[0].leagues;
    assert_eq!(
        leagues.iter().map(|league| league.name.as_str()).collect::<Vec<_>>(),
        ["freestyle 15x15", "late"]
    );
}
