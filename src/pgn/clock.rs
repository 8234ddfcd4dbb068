//! Clock times in comments: `[%clk 1:02:03.4]`.

use memchr::memmem;

/// The first `%clk` of a comment, in seconds.
///
/// ```
/// use pgn_arbiter::pgn::read_clock;
/// assert_eq!(read_clock(b"{ [%eval 0.2] [%clk 0:01:30.5] }"), Some(90.5));
/// assert_eq!(read_clock(b"{ no clock }"), None);
/// ```
pub fn read_clock(comment: &[u8]) -> Option<f64> {
    let at = memmem::find(comment, b"[%clk")? + b"[%clk".len();
    let rest = &comment[at..];
    let len = rest.iter().position(|&byte| byte == b']')?;
    let text = std::str::from_utf8(&rest[..len]).ok()?.trim();
    let mut seconds = 0.0;
    for (index, part) in text.split(':').enumerate() {
        let digits = part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if !digits || index == 3 {
            return None;
        }
        seconds = seconds * 60.0 + part.parse::<f64>().ok()?;
    }
    Some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_minutes_and_seconds_add_up() {
        for (text, seconds) in
            [("[%clk 1:00:00]", 3600.0), ("[%clk 0:03]", 3.0), ("x [%clk 0:00:09.3] y", 9.3)]
        {
            assert_eq!(read_clock(text.as_bytes()), Some(seconds), "{text}");
        }
    }

    #[test]
    fn what_is_no_clock_is_none() {
        for text in ["[%clk]", "[%clk 1:2:3:4]", "[%clk -1]", "[%clk 1:00", "[%clk inf]"] {
            assert_eq!(read_clock(text.as_bytes()), None, "{text}");
        }
    }
}
