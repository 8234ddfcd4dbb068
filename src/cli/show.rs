//! `show`: the board where a fault is, with the move, the reason and the moves around.

use std::path::Path;

use super::args::{ShowArgs, ShowFormat};
use super::exit::Status;
use super::lookup::{self, Target};
use super::place::{Place, Wanted};
use crate::error::{Error, Result};
use crate::report::{BoardStyle, Counted, Look, Output, View};
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
    let plies = judged.report.records.games[0].plies;
    if let Some(ply) = ply.filter(|&ply| ply > plies) {
        let game = judged.place.games + 1;
        let has = Counted(u64::from(plies), "half-move");
        let reason = format!("there is no ply {ply} in game {game}, which has {has}");
        return Err(Error::Usage(reason));
    }
    let view = View::new(judged, &found.trace, ply);
    let mut out = Output::stdout();
    match args.format {
        ShowFormat::Text => {
            let look = Look::of_stdout(args.color.into());
            let style = BoardStyle { ascii: args.ascii, flip: args.flip, color: look.colored };
            view.push_text(out.buffer(), style, look);
        }
        ShowFormat::Json => view.push_json(out.buffer()),
    }
    out.finish()?;
    Ok(Status::Clean)
}
