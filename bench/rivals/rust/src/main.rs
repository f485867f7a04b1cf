//! Runs the programs of ../programs.json under loom and Shuttle and prints one JSON line per run.
//!
//!     rivals TOOL MODE PROGRAM SECONDS REPEAT < programs.json
//!
//! TOOL MODE is `loom all`, `loom N` (N preemptions), `shuttle dfs`, `shuttle random` or
//! `shuttle pct`. A first search, cut after SECONDS, collects the outcomes. If it came to its end,
//! others that only count are timed, until both SECONDS have passed and REPEAT is reached.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64 as Count, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[derive(Deserialize)]
struct Operand {
    r: i64,
    i: u64,
}

#[derive(Deserialize)]
struct Instruction {
    op: String,
    d: usize,
    a: Operand,
    b: Operand,
    c: Operand,
    to: usize,
}

#[derive(Deserialize)]
struct Program {
    name: String,
    cells: Vec<u64>,
    threads: Vec<Vec<Instruction>>,
}

#[derive(Serialize)]
struct Line<'a> {
    tool: &'a str,
    version: &'a str,
    mode: &'a str,
    program: &'a str,
    executions: u64,
    searches: u64,
    exhausted: bool,
    seconds: f64,
    outcomes: Vec<String>,
}

fn list(out: &mut String, v: &[u64]) {
    for (i, x) in v.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        out.push_str(&x.to_string());
    }
}

/// The interpreter, once for each tool's own atomics and threads.
macro_rules! tool {
    ($name:ident) => {
        mod $name {
            use super::*;
            use ::$name::sync::atomic::{AtomicU64, Ordering::SeqCst};
            use ::$name::thread;

            fn run(code: &[Instruction], cells: &[AtomicU64]) -> Vec<u64> {
                let (mut reg, mut out, mut at) = ([0u64; 8], Vec::new(), 0);
                while at < code.len() {
                    let ins = &code[at];
                    let value = |o: &Operand, reg: &[u64; 8]| {
                        if o.r < 0 { o.i } else { reg[o.r as usize].wrapping_add(o.i) }
                    };
                    let (a, b, c) = (value(&ins.a, &reg), value(&ins.b, &reg), value(&ins.c, &reg));
                    at += 1;
                    match ins.op.as_str() {
                        "load" => reg[ins.d] = cells[a as usize].load(SeqCst),
                        "store" => cells[a as usize].store(b, SeqCst),
                        "cas" => {
                            reg[ins.d] = match cells[a as usize].compare_exchange(b, c, SeqCst, SeqCst) {
                                Ok(v) | Err(v) => v,
                            }
                        }
                        "add" => reg[ins.d] = cells[a as usize].fetch_add(b, SeqCst),
                        "yield" => thread::yield_now(),
                        "let" => reg[ins.d] = a,
                        "sub" => reg[ins.d] = a.wrapping_sub(b),
                        "out" => out.push(a),
                        "jmp" => at = ins.to,
                        "jeq" => if a == b { at = ins.to },
                        "jne" => if a != b { at = ins.to },
                        "jlt" => if a < b { at = ins.to },
                        other => panic!("unknown operation {other}"),
                    }
                }
                out
            }

            /// One execution: start the threads in order, join them in order, read the cells.
            pub fn execution(p: &Arc<Program>, seen: &Seen) {
                let cells: Arc<Vec<AtomicU64>> =
                    Arc::new(p.cells.iter().map(|v| AtomicU64::new(*v)).collect());
                let handles: Vec<_> = (0..p.threads.len())
                    .map(|i| {
                        let (p, cells) = (p.clone(), cells.clone());
                        thread::spawn(move || run(&p.threads[i], &cells))
                    })
                    .collect();
                let outs: Vec<Vec<u64>> = handles.into_iter().map(|h| h.join().unwrap()).collect();
                let left: Vec<u64> = cells.iter().map(|c| c.load(SeqCst)).collect();
                seen.see(&outs, &left);
            }
        }
    };
}

tool!(loom);
tool!(shuttle);

/// What one search came to.
struct Search {
    executions: u64,
    exhausted: bool,
}

fn loom_search(p: &Arc<Program>, mode: &str, limit: Duration, seen: &Arc<Seen>) -> Search {
    let mut b = ::loom::model::Builder::new();
    b.max_duration = Some(limit);
    b.max_branches = 100_000;
    b.preemption_bound = mode.parse().ok();
    let (p, seen2) = (p.clone(), seen.clone());
    let (before, began) = (seen.count.load(Relaxed), Instant::now());
    b.check(move || loom::execution(&p, &seen2));
    Search { executions: seen.count.load(Relaxed) - before, exhausted: began.elapsed() < limit }
}

fn shuttle_search(p: &Arc<Program>, mode: &str, limit: Duration, seen: &Arc<Seen>, seed: u64) -> Search {
    use ::shuttle::scheduler::{DfsScheduler, PctScheduler, RandomScheduler};
    let mut config = ::shuttle::Config::new();
    config.max_time = Some(limit);
    config.failure_persistence = ::shuttle::FailurePersistence::None;
    config.max_steps = ::shuttle::MaxSteps::ContinueAfter(10_000);
    let (p, seen) = (p.clone(), seen.clone());
    let f = move || shuttle::execution(&p, &seen);
    let began = Instant::now();
    let n = match mode {
        "dfs" => ::shuttle::Runner::new(DfsScheduler::new(None, false), config).run(f),
        "random" => {
            ::shuttle::Runner::new(RandomScheduler::new_from_seed(seed, 2_000), config).run(f)
        }
        "pct" => ::shuttle::Runner::new(PctScheduler::new_from_seed(seed, 3, 2_000), config).run(f),
        other => panic!("unknown mode {other}"),
    };
    Search { executions: n as u64, exhausted: mode == "dfs" && began.elapsed() < limit }
}

/// Counts executions and, while it collects, keeps their outcomes.
struct Seen {
    collect: AtomicBool,
    count: Count,
    all: Mutex<BTreeSet<String>>,
}

impl Seen {
    fn see(&self, outs: &[Vec<u64>], left: &[u64]) {
        self.count.fetch_add(1, Relaxed);
        if !self.collect.load(Relaxed) {
            return;
        }
        let mut s = String::new();
        for out in outs {
            list(&mut s, out);
            s.push('|');
        }
        s.push('c');
        list(&mut s, left);
        self.all.lock().unwrap().insert(s);
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, tool, mode, name, seconds, repeat] = &args[..] else {
        eprintln!("usage: rivals TOOL MODE PROGRAM SECONDS REPEAT < programs.json");
        std::process::exit(2);
    };
    let programs: Vec<Program> = serde_json::from_reader(std::io::stdin()).expect("programs.json");
    let p = Arc::new(programs.into_iter().find(|p| p.name == *name).expect("a program's name"));
    let limit = Duration::from_secs_f64(seconds.parse().expect("SECONDS"));
    let repeat: u64 = repeat.parse().expect("REPEAT");
    let seen = Arc::new(Seen {
        collect: AtomicBool::new(true),
        count: Count::new(0),
        all: Mutex::new(BTreeSet::new()),
    });
    let search = |seed: u64, left: Duration| match tool.as_str() {
        "loom" => loom_search(&p, mode, left, &seen),
        _ => shuttle_search(&p, mode, left, &seen, seed),
    };
    let mut began = Instant::now();
    let first = search(0, limit);
    let complete = first.exhausted;
    let (mut executions, mut searches) = (first.executions, 1);
    if complete || mode == "random" || mode == "pct" {
        seen.collect.store(false, Relaxed);
        began = Instant::now();
        (executions, searches) = (0, 0);
        while searches < repeat || began.elapsed() < limit {
            executions += search(searches + 1, limit * 10).executions;
            searches += 1;
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let outcomes: Vec<String> = seen.all.lock().unwrap().iter().cloned().collect();
    let line = Line {
        tool,
        version: if tool == "loom" { "0.7.2" } else { "0.9.9" },
        mode,
        program: name,
        executions,
        searches,
        exhausted: complete,
        seconds,
        outcomes,
    };
    println!("{}", serde_json::to_string(&line).unwrap());
}
