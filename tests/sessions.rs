//! The command line as recorded sessions: what is typed, what is printed, and the exit status.
//!
//! `TRYCMD=overwrite cargo test --test sessions` records them anew.

#[test]
fn recorded_sessions_print_what_they_printed() {
    trycmd::TestCases::new().case("tests/sessions/*.trycmd");
}
