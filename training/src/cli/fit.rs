//! `training fit`: fits the evaluation to files of games.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::Args;

use crate::fit::factors::Tables;
use crate::fit::moves::{self, MoveModel};
use crate::fit::optimizer::{self, Objective, Patience};
use crate::fit::samples::{self, Blend, Layout};
use crate::fit::values::{self, ValueModel};
use crate::games;

/// Fits the evaluation to files of games.
#[derive(Debug, Args)]
pub struct FitArgs {
    /// Files of games of one rule.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[arg(long, default_value = "100")]
    points: f32,
    #[arg(long, default_value = "0.5")]
    blend: f32,
    #[arg(long, default_value = "3")]
    factor: f64,
    #[arg(long, default_value = "10")]
    own: f64,
    #[arg(long, default_value = "3")]
    sit: f64,
    #[arg(long)]
    turn: bool,
    #[arg(long, default_value = "0")]
    situation: u8,
    #[arg(long, default_value = "0")]
    cross: u8,
    #[arg(long)]
    phase: bool,
    #[arg(long)]
    only: Option<String>,
}

pub fn run(args: &FitArgs) -> Result<()> {
    let start = Instant::now();
    let files: Vec<_> = args.files.iter().map(|path| games::read(path)).collect::<Result<_>>()?;
    let kind = files[0].recipe.rule;
    ensure!(files.iter().all(|file| file.recipe.rule == kind), "games of several rules");
    let layout =
        Layout { kind, by_turn: args.turn, situation: args.situation, cross: args.cross, phase: args.phase };
    let blend = Blend { result: args.blend, points: args.points };
    let samples = samples::collect(&files, layout, blend);
    eprintln!("collected {:?}", start.elapsed());
    let patience = Patience { steps: 300, idle: 15, gain: 1e-7 };
    if args.only.as_deref() != Some("moves") {
        let v = &samples.values;
        println!("values: {} train, {} held out", v.train.len(), v.held_out.len());
        let mut tables = Tables::new(kind, &layout.value_tables());
        if args.cross > 0 {
            tables.push_plain();
        }
        let mut decay = vec![args.sit; tables.parameters() + layout.situations()];
        tables.set_decay(args.factor, args.own, &mut decay[..tables.parameters()]);
        let model = ValueModel {
            tables: &tables,
            situations: layout.situations(),
            train: &v.train,
            held_out: &v.held_out,
            decay,
        };
        let scaled = |values: &[f32]| values.iter().map(|&x| f64::from(x / args.points)).collect::<Vec<_>>();
        println!(
            "search on result {:.5}",
            values::mean_loss(&scaled(&v.held_out.searched), &v.held_out.results)
        );
        for k in [60., 80., 100., 120., 150., 180., 220., 260., 300.] {
            let s: Vec<f64> = v.held_out.searched.iter().map(|&x| f64::from(x / k)).collect();
            print!(" {k}:{:.5}", values::mean_loss(&s, &v.held_out.results));
        }
        println!();
        println!(
            "engine on target {:.5} on result {:.5}",
            values::mean_loss(&scaled(&v.held_out.engine), &v.held_out.targets),
            values::mean_loss(&scaled(&v.held_out.engine), &v.held_out.results)
        );
        let (at, steps) = optimizer::minimize(&model, vec![0.0; model.parameters()], patience, |_, _| ());
        let p = model.predict(&v.held_out, &at);
        let last = steps.iter().map(|s| s.held_out).fold(9.0, f64::min);
        println!(
            "fitted on target {:.5} on result {:.5}, train {:.5} steps {} {:?}",
            last,
            values::mean_loss(&p, &v.held_out.results),
            values::mean_loss(&model.predict(&v.train, &at), &v.train.targets),
            steps.len(),
            start.elapsed()
        );
    }
    if args.only.as_deref() != Some("values") {
        let m = &samples.moves;
        println!("moves: {} train, {} held out", m.train.len(), m.held_out.len());
        let tables = Tables::new(kind, &layout.move_tables());
        let mut decay = vec![0.0; tables.parameters()];
        tables.set_decay(args.factor, args.own, &mut decay);
        let model = MoveModel { tables: &tables, train: &m.train, held_out: &m.held_out, decay };
        for t in [5.0, 10.0, 15.0, 20.0, 30.0, 50.] {
            let s: Vec<f64> = m.held_out.engine.iter().map(|&s| f64::from(s) / t).collect();
            print!(" T{t}:{:.4}", moves::mean_loss(&m.held_out, &s));
        }
        let s: Vec<f64> = m.held_out.engine.iter().map(|&s| f64::from(s)).collect();
        println!();
        println!(
            "engine top1 {:.4} top4 {:.4} top10 {:.4} spread {:.2}",
            moves::among_best(&m.held_out, &s, 1),
            moves::among_best(&m.held_out, &s, 4),
            moves::among_best(&m.held_out, &s, 10),
            moves::spread(&m.held_out, &s)
        );
        let (at, steps) = optimizer::minimize(&model, vec![0.0; tables.parameters()], patience, |_, _| ());
        let s = m.held_out.scores(&tables.expand(&at));
        println!(
            "fitted loss {:.4} train {:.4} top1 {:.4} top4 {:.4} top10 {:.4} spread {:.2} steps {} {:?}",
            model.held_out(&at),
            moves::mean_loss(&m.train, &m.train.scores(&tables.expand(&at))),
            moves::among_best(&m.held_out, &s, 1),
            moves::among_best(&m.held_out, &s, 4),
            moves::among_best(&m.held_out, &s, 10),
            moves::spread(&m.held_out, &s),
            steps.len(),
            start.elapsed()
        );
    }
    Ok(())
}
