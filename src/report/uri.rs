//! Names of files as URI references (RFC 3986), which SARIF asks for.

use std::fmt::Write;
use std::path::{MAIN_SEPARATOR, Path};

/// A relative reference for a relative path, a `file` URI for an absolute one. What is neither
/// unreserved nor a separator is percent-encoded.
pub fn uri(name: &str) -> String {
    let absolute = Path::new(name).is_absolute();
    let mut uri = String::from(if absolute { "file://" } else { "" });
    if absolute && !name.starts_with('/') {
        uri.push('/');
    }
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ if char::from(byte) == MAIN_SEPARATOR => uri.push('/'),
            // Writing to memory does not fail.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
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
