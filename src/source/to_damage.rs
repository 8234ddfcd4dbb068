//! For the tests of the decoders: what comes out of one, and the error behind it.

use std::io::{self, Read};

/// All that a reader gives, and the error after it, behind which it must end.
pub fn read_to_damage(mut reader: impl Read, block: usize) -> (Vec<u8>, Option<io::Error>) {
    let mut bytes = Vec::new();
    let mut block = vec![0; block];
    loop {
        match reader.read(&mut block) {
            Ok(0) => return (bytes, None),
            Ok(len) => bytes.extend_from_slice(&block[..len]),
            Err(error) => {
                assert_eq!(reader.read(&mut block).unwrap(), 0, "it ends after an error");
                return (bytes, Some(error));
            }
        }
    }
}

/// So many bytes that pack neither well nor badly.
pub fn text(len: usize) -> Vec<u8> {
    let words = (0u32..).map(|n| format!("{}. e4 ", n.wrapping_mul(2_654_435_761)));
    words.flat_map(String::into_bytes).take(len).collect()
}
