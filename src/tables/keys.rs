//! Keys of a dictionary in Parquet's hybrid of runs and packed bits.
//!
//! The bytes are those of polars' own encoder, which does the same value by value: here a column
//! of one value costs no more than the comparison.

use std::ops::Range;

/// Values in one packed stretch at most, as polars has it.
const LONGEST_PACKED: usize = 1 << 13;

/// Appends keys of so many bits each.
pub(super) fn encode(keys: &[u32], bits: u32, out: &mut Vec<u8>) {
    let (mut start, mut at) = (0, 0);
    while at < keys.len() {
        let end = run_end(keys, at);
        // Packed values come in eights: what they lack is taken from the run behind them.
        let packed = (at - start).next_multiple_of(8);
        let run = end.saturating_sub(start + packed);
        if run > 8 && packed + 8 <= LONGEST_PACKED {
            pack(keys, start..start + packed, bits, out);
            append_number((run as u64) << 1, out);
            let bytes = keys[at].to_le_bytes();
            out.extend_from_slice(&bytes[..bits.div_ceil(8) as usize]);
            (start, at) = (end, end);
        } else if end - start > LONGEST_PACKED {
            pack(keys, start..start + LONGEST_PACKED, bits, out);
            start += LONGEST_PACKED;
            at = start;
        } else {
            at = end;
        }
    }
    pack(keys, start..keys.len(), bits, out);
}

fn run_end(keys: &[u32], start: usize) -> usize {
    let key = keys[start];
    keys[start..].iter().position(|&other| other != key).map_or(keys.len(), |len| start + len)
}

fn pack(keys: &[u32], range: Range<usize>, bits: u32, out: &mut Vec<u8>) {
    if range.is_empty() {
        return;
    }
    let len = range.len();
    let padding = len.next_multiple_of(8) - len;
    append_number((len.div_ceil(8) as u64) << 1 | 1, out);
    // What fills the last eight says nothing. polars leaves there what stood in its place 32
    // values before.
    let full = range.end - len % 32;
    let before = range.start + 32 <= full;
    let filling = (0..padding).map(|at| if before { keys[range.end - 32 + at] } else { 0 });
    let (mut held, mut used) = (0_u64, 0);
    for key in keys[range.clone()].iter().copied().chain(filling) {
        held |= u64::from(key) << used;
        used += bits;
        if used >= 32 {
            out.extend_from_slice(&(held as u32).to_le_bytes());
            held >>= 32;
            used -= 32;
        }
    }
    // Eights end with whole bytes.
    out.extend_from_slice(&held.to_le_bytes()[..used.div_ceil(8) as usize]);
}

/// In groups of seven bits, the lowest first.
fn append_number(mut number: u64, out: &mut Vec<u8>) {
    while number > 0x7F {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use polars_parquet::parquet::encoding::hybrid_rle;
    use proptest::prelude::*;

    use super::*;

    fn is_as_polars_has_it(runs: &[(u32, usize)]) {
        let keys: Vec<u32> =
            runs.iter().flat_map(|&(key, times)| std::iter::repeat_n(key, times)).collect();
        let bits = u32::BITS - keys.iter().max().map_or(0, |max| *max).leading_zeros();
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        encode(&keys, bits, &mut ours);
        hybrid_rle::encode(&mut theirs, keys.iter().copied(), bits).expect("a vector takes all");
        assert!(ours == theirs, "{runs:?}");
    }

    #[test]
    fn runs_and_their_neighbours_are_encoded_as_polars_does() {
        for before in 0..20 {
            for len in [1, 7, 8, 9, 10, 15, 16, 17, 24, 25, 1000] {
                for behind in [0, 1, 7, 8, 9] {
                    let mixed = |n: usize| (0..n).map(|n| (2 + n as u32 % 3, 1));
                    let runs: Vec<_> =
                        mixed(before).chain([(1, len)]).chain(mixed(behind)).collect();
                    is_as_polars_has_it(&runs);
                }
            }
        }
        is_as_polars_has_it(&[]);
        is_as_polars_has_it(&[(0, 8)]);
        is_as_polars_has_it(&[(0, 9)]);
        is_as_polars_has_it(&[(u32::MAX, 9), (0, 1)]);
    }

    #[test]
    fn a_run_across_the_longest_stretch_is_encoded_as_polars_does() {
        for before in LONGEST_PACKED - 20..LONGEST_PACKED + 4 {
            for len in [1, 5, 8, 9, 12, 20, 30] {
                let runs: Vec<_> = (0..before)
                    .map(|n| (2 + n as u32 % 70, 1))
                    .chain([(1, len), (3, 1), (4, 2)])
                    .collect();
                is_as_polars_has_it(&runs);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn any_runs_are_encoded_as_polars_does(
            runs in proptest::collection::vec((0_u32..40_000, 1_usize..40), 0..600),
            few in 1_u32..50_000,
        ) {
            let runs: Vec<_> = runs.into_iter().map(|(key, times)| (key % few, times)).collect();
            is_as_polars_has_it(&runs);
        }
    }
}
