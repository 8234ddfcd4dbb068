//! `show`: the board where a fault is, with the move, the reason and the moves around.

use std::path::Path;

use super::args::{ShowArgs, ShowFormat};
use super::exit::Status;
use super::lookup::{self, Target};
use super::place::{Place, Wanted};
use crate::error::{Error, Result};
use crate::replay::ExaminerOptions;
use crate::report::{BoardStyle, Counted, Look, Moment, Output, View};
use crate::source::Input;

pub fn run(args: &ShowArgs) -> Result<Status> {
    let place = Place::parse(&args.place, Path::is_file)?;
    let input =
        if place.file.as_os_str() == "-" { Input::stdin() } else { Input::file(place.file) };
    let target = match place.wanted {
        Wanted::Game { game, .. } => Target::Number(game),
        Wanted::Offset(offset) => Target::Byte(offset),
    };
    let options =
        ExaminerOptions { after_illegal: args.after_illegal.into(), ..ExaminerOptions::default() };
    let found = lookup::find(&input, target, options)?;
    let judged = found.judged();
    let moment = match place.wanted {
        Wanted::Game { ply, .. } => ply.map_or(Moment::FirstFault, Moment::Ply),
        Wanted::Offset(offset) => Moment::Byte(offset),
    };
    let view = View::new(judged, &found.trace, moment);
    if let Moment::Ply(ply) = moment
        && !view.is_in_game()
    {
        let game = judged.place.games + 1;
        let has = Counted(u64::from(judged.report.records.games[0].plies), "half-move");
        let reason = format!("there is no ply {ply} in game {game}, which has {has}");
        return Err(Error::Usage(reason));
    }
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
