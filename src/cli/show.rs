//! `show`: the board where a fault is, with the move, the reason and the moves around.

use std::io;
use std::path::Path;

use anstream::{AutoStream, ColorChoice};

use super::args::{ShowArgs, ShowFormat};
use super::exit::Status;
use super::lookup::{self, Target};
use super::place::{Place, Wanted};
use crate::error::Result;
use crate::report::{BoardStyle, Output, View};
use crate::source::Input;

pub fn run(args: &ShowArgs) -> Result<Status> {
    let place = Place::parse(&args.place, Path::is_file)?;
    let input =
        if place.file.as_os_str() == "-" { Input::stdin() } else { Input::file(place.file) };
    let target = match place.wanted {
        Wanted::Game { game, .. } => Target::Number(game),
        Wanted::Offset(offset) => Target::Byte(offset),
    };
    let found = lookup::find(&input, target)?;
    let judged = found.judged();
    let ply = match place.wanted {
        Wanted::Game { ply, .. } => ply,
        Wanted::Offset(offset) => Some(View::ply_at(&judged, &found.trace, offset)),
    };
    let view = View::new(judged, &found.trace, ply);
    let mut out = Output::stdout();
    match args.format {
        ShowFormat::Text => {
            // As NO_COLOR and the like want it, and never into a file.
            let color = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
            let style = BoardStyle { ascii: args.ascii, flip: args.flip, color };
            view.push_text(out.buffer(), style);
        }
        ShowFormat::Json => view.push_json(out.buffer()),
    }
    out.finish()?;
    Ok(Status::Clean)
}
