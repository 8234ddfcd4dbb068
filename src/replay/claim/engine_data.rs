//! What programs write into a comment before the reason of the end: scores, depths, times, and
//! the commands of clocks.

/// The part of a comment that may be a reason, and whether engine data stood before it.
pub fn behind_engine_data(comment: &[u8]) -> (&[u8], bool) {
    let text = without_commands(comment);
    if let Some(cut) = memchr::memrchr2(b',', b';', text)
        && begins_with_engine_data(text)
    {
        return (text[cut + 1..].trim_ascii(), true);
    }
    (text, false)
}

/// `[%clk 0:01:00]` and its kind, at the beginning.
fn without_commands(comment: &[u8]) -> &[u8] {
    let mut text = comment.trim_ascii();
    while text.starts_with(b"[%")
        && let Some(end) = memchr::memchr(b']', text)
    {
        text = text[end + 1..].trim_ascii_start();
    }
    text
}

/// `0.00/95 1.612s`, `+M5/12 0.1s`, `d=35, sd=60`, `book`: prose and moves begin otherwise.
fn begins_with_engine_data(text: &[u8]) -> bool {
    let end = text.iter().position(|&byte| byte == b',' || byte.is_ascii_whitespace());
    let first = &text[..end.unwrap_or(text.len())];
    if first == b"book" {
        return true;
    }
    if let Some(equals) = memchr::memchr(b'=', first) {
        // A promotion has a square before the sign: `a8=Q`.
        return equals > 0 && first[..equals].iter().all(u8::is_ascii_alphabetic);
    }
    let Some(slash) = memchr::memchr(b'/', first) else { return false };
    let (score, depth) = (&first[..slash], &first[slash + 1..]);
    let score = score.strip_prefix(b"+").or(score.strip_prefix(b"-")).unwrap_or(score);
    let score = score.strip_prefix(b"M").unwrap_or(score);
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    is_number(depth)
        && score.first().is_some_and(u8::is_ascii_digit)
        && score.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_cut_off_from_the_data_of_engines_and_clocks() {
        for comment in [
            "0.00/95 1.612s, Draw by repetition",
            "+M5/12 0.1s, tl=3, Draw by repetition",
            "-0.35/12 2s; Draw by repetition",
            "d=35, sd=60, pv=e4 e5, Draw by repetition",
            "book, Draw by repetition",
        ] {
            let expected = (&b"Draw by repetition"[..], true);
            assert_eq!(behind_engine_data(comment.as_bytes()), expected, "{comment}");
        }
        let clock = b" [%eval 0.0] [%clk 0:01:00] Draw by repetition ";
        assert_eq!(behind_engine_data(clock), (&b"Draw by repetition"[..], false));
    }

    #[test]
    fn prose_is_not_taken_for_engine_data() {
        for comment in [
            "White could press on, draw by repetition",
            "38...Rb8 39.Ra1, draw by repetition",
            "38...a1=Q 39.Ra1, draw by repetition",
            "1/2-1/2 was offered, draw by repetition",
        ] {
            let expected = (comment.as_bytes(), false);
            assert_eq!(behind_engine_data(comment.as_bytes()), expected, "{comment}");
        }
    }
}
