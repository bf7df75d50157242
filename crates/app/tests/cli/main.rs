//! The binary as its users meet it: arguments and stdin in; stdout, stderr and
//! an exit code out.

mod analyse;
mod bench;
mod config;
mod engine;
mod export;
mod games;
mod help;
mod matches;
mod play;
mod puzzles;
mod refusals;
mod report;
mod run;
mod serve;
mod solve;
mod tournament;
mod train;
