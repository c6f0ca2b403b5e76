//! Fits the tables of the evaluation to games.
//!
//! Two models, both linear in tables over the codes of points: [`values`], what a position is worth, by logistic
//! regression on results and search values; and [`moves`], which move the search chooses, by multinomial regression.
//! A table is the sum of [`factors`], worths of the line classes and their pairs, and of a correction for each code;
//! [`optimizer`] finds both at once. Everything is a function of the games: no clock, no thread count, no chance.

pub mod factors;
pub mod moves;
pub mod optimizer;
pub mod samples;
pub mod values;
