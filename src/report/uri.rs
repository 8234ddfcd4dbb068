//! Names of files as URI references (RFC 3986), which SARIF asks for.

use std::path::{MAIN_SEPARATOR, Path};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// All but the unreserved characters and the separator.
const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// A relative reference for a relative path, a `file` URI for an absolute one. What is neither
/// unreserved nor a separator is percent-encoded.
pub fn uri(name: &str) -> String {
    let path = name.replace(MAIN_SEPARATOR, "/");
    let before = match (Path::new(name).is_absolute(), path.starts_with('/')) {
        (false, _) => "",
        (true, true) => "file://",
        // A drive comes first.
        (true, false) => "file:///",
    };
    format!("{before}{}", utf8_percent_encode(&path, ENCODED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_uri_gives_a_meaning_to_is_encoded() {
        let table = [
            ("games/a-1_~.pgn", "games/a-1_~.pgn"),
            ("München 50%.pgn", "M%C3%BCnchen%2050%25.pgn"),
            ("a:b?c#d.pgn", "a%3Ab%3Fc%23d.pgn"),
            ("../k/[1].pgn", "../k/%5B1%5D.pgn"),
            ("-", "-"),
        ];
        for (name, expected) in table {
            assert_eq!(uri(name), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_absolute_path_is_a_file_and_a_backslash_a_letter() {
        assert_eq!(uri("/archive/a b.pgn"), "file:///archive/a%20b.pgn");
        assert_eq!(uri("a\\b"), "a%5Cb");
    }
}
