//! `tables`: write the feature tables.

use super::args::TablesArgs;
use super::exit::Status;
use super::plan::Plan;
use super::session;
use crate::error::Result;

pub fn run(args: TablesArgs) -> Result<Status> {
    session::run(&Plan::tables(args)?)
}
