//! The games outside the Gomocup family: one test per sentence of their rules, and naive second referees that
//! judge random games together with the fast ones.

mod capture_fives;
mod capture_oracle;
mod capture_rules;
mod double_three_games;
mod double_three_oracle;
mod double_three_rules;
mod drawn;
mod engine;
mod matches;
mod random_games;
mod roku_oracle;
mod roku_rules;
mod search;
mod wins;
