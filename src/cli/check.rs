//! `check`: judge archives and report what was found.

use std::io::{self, IsTerminal};

use super::args::CheckArgs;
use super::exit::Status;
use super::plan::Plan;
use super::session;
use crate::error::Result;

pub fn run(args: CheckArgs) -> Result<Status> {
    session::run(&Plan::check(args, io::stdout().is_terminal())?)
}
